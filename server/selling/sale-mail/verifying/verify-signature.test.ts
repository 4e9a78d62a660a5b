import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createResolveTexts, nameServerAddress } from '#server/infra/name-server.ts'
import { type NameServer, startNameServer } from '#server/sandbox/name-server.ts'
import { parseMail } from '../reading/parse-mail.ts'
import { capturedMail, publishKeys, type Signing, sign } from '../testing/signed-mail.ts'
import { verifySignature } from './verify-signature.ts'

let dns: NameServer
beforeAll(async () => {
  dns = await startNameServer()
  publishKeys(dns, 'poshmark.com', 'em.poshmark.com', 'sendgrid.info', 'notposhmark.com', 'poshmark.com.example')
})
afterAll(() => dns?.close())

const at = new Date()
const mail = capturedMail('poshmark-sale', { to: 'wilma@example.com', date: at })

async function verify(raw: string) {
  const bytes = Buffer.from(raw)
  return verifySignature(
    bytes,
    { ...(await parseMail(bytes)), domain: 'poshmark.com', at },
    createResolveTexts(dns.address),
  )
}
const outcome = async (signing: Partial<Signing>, change = (text: string) => text) =>
  (await verify(change(await sign(mail, { domain: 'poshmark.com', ...signing })))).outcome

describe('the signature of a sale mail', () => {
  it.each<[string, Partial<Signing>]>([
    ['rsa-sha256', {}],
    ['ed25519-sha256', { kind: 'ed25519' }],
    ['a domain below its own', { domain: 'em.poshmark.com' }],
    ['the headers that name sender, recipient and item', { headers: ['From', 'To', 'Subject'] }],
    ['a signature that expires later', { expires: new Date(at.getTime() + 3_600_000) }],
  ])('counts with %s', async (_, signing) => expect(await outcome(signing)).toBe('valid'))

  it.each<[string, Partial<Signing>]>([
    ['rsa-sha1', { algorithm: 'rsa-sha1' }],
    ['a body length', { bodyLength: 10 }],
    ['an end in the past', { signedAt: new Date(at.getTime() - 9_000_000), expires: new Date(at.getTime() - 5_000) }],
    ['the domain of a mail service', { domain: 'sendgrid.info' }],
    ['a domain that ends alike', { domain: 'notposhmark.com' }],
    ['a domain that begins alike', { domain: 'poshmark.com.example' }],
    ['an unsigned To', { headers: ['From', 'Subject', 'Date'] }],
    ['an unsigned Subject', { headers: ['From', 'To', 'Date'] }],
  ])('does not count with %s', async (_, signing) => expect(await outcome(signing)).toBe('invalid'))

  it.each([
    'From: Eve <eve@example.com>',
    'To: eve@example.com',
    'Subject: another',
    'Date: Mon, 05 Oct 2026 09:12:47 +0000',
  ])('does not count with a second header "%s"', async (header) => {
    expect(await outcome({}, (text) => `${header}\r\n${text}`)).toBe('invalid')
    expect(await outcome({}, (text) => text.replace('\r\n\r\n', `\r\n${header}\r\n\r\n`))).toBe('invalid')
  })

  it('does not count for another body or without a key', async () => {
    expect(await outcome({}, (text) => text.replace('COAT-0042', 'COAT-0043'))).toBe('invalid')
    expect(await outcome({}, (text) => text.replace('s=rsa', 's=old'))).toBe('invalid')
    expect((await verify(mail)).outcome).toBe('invalid')
  })

  it('waits while no name server answers', async () => {
    dns.setSilent(true)
    expect(await outcome({})).toBe('unreachable')
    const before = dns.asked()
    expect(await outcome({ domain: 'sendgrid.info' })).toBe('invalid')
    expect(dns.asked()).toBe(before)
    dns.setSilent(false)
  })

  it('tells when the mail was written only if that is signed', async () => {
    const signedAt = new Date(Math.floor(at.getTime() / 1_000) * 1_000 - 60_000)
    const headers = ['From', 'To', 'Subject']
    expect(await verify(await sign(mail, { domain: 'poshmark.com' }))).toMatchObject({
      signed_at: new Date(at.toUTCString()),
    })
    expect(await verify(await sign(mail, { domain: 'poshmark.com', headers, signedAt }))).toMatchObject({
      signed_at: signedAt,
    })
  })
})

it('knows the address of a name server', () => {
  expect(['127.0.0.1:5353', 'localhost:53', '[::1]:53'].map(nameServerAddress)).toEqual([
    '127.0.0.1:5353',
    '127.0.0.1:53',
    '[::1]:53',
  ])
  expect(['dns.example:53', '127.0.0.1', '127.0.0.1:0'].map(nameServerAddress)).toEqual([null, null, null])
})
