import { expect, it } from 'vitest'
import { mailboxServiceOf } from './mailbox-service.ts'

it.each([
  ['vera@gmail.com', 'imap.gmail.com', true],
  [' Vera@GoogleMail.com ', 'imap.gmail.com', true],
  ['vera@outlook.com', 'outlook.office365.com', false],
  ['vera@hotmail.co.uk', 'outlook.office365.com', false],
  ['vera@live.de', 'outlook.office365.com', false],
  ['vera@icloud.com', 'imap.mail.me.com', true],
  ['vera@me.com', 'imap.mail.me.com', true],
  ['vera@yahoo.com', 'imap.mail.yahoo.com', true],
  ['vera@yahoo.co.jp', 'imap.mail.yahoo.com', true],
  ['vera@fastmail.com', 'imap.fastmail.com', true],
])('proposes the server of %s', (email, host, takesPasswords) => {
  const service = mailboxServiceOf(email)
  expect(service?.host).toBe(host)
  expect(service?.passwords !== null).toBe(takesPasswords)
})

it.each([
  '',
  'vera',
  'vera@',
  'vera@example.com',
  'vera@gmail.com.example.net',
  'vera@outlook.example.com',
  'a@notgmail.com',
])('proposes nothing for "%s"', (email) => {
  expect(mailboxServiceOf(email)).toBeNull()
})
