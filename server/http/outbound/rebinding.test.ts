import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createFetchPicture } from '#server/integrations/fetch-picture.ts'
import { openMailbox } from '#server/selling/sale-mail/ways-in/imap-connection.ts'
import type { Services } from '#server/services.ts'
import { post } from '#server/webhooks/post-safely.ts'
import { type Nameserver, startNameserver } from './testing/nameserver.ts'

/**
 * A name server of a stranger answers with a public address first, and with this machine afterwards. 127.0.0.2 stands for
 * the public address: nothing listens there, and no test leaves the machine.
 */
const { outside, answering } = vi.hoisted(() => ({ outside: '127.0.0.2', answering: { server: '' } }))
vi.mock('./public-address.ts', () => ({ isPublicAddress: (address: string) => address === outside }))
vi.mock('./resolve-host.ts', async (original) => {
  const { createResolveHost } = await original<typeof import('./resolve-host.ts')>()
  return { createResolveHost: () => createResolveHost([answering.server]) }
})

let nameserver: Nameserver
beforeEach(async () => {
  let asked = 0
  nameserver = await startNameserver((type) => (type === 'A' ? [asked++ === 0 ? outside : '127.0.0.1'] : []))
  answering.server = nameserver.address
})
afterEach(() => nameserver.close())

const never = new AbortController().signal
const services = { config: { sandbox: false }, times: { mailboxOpenMs: 2_000 } } as Pick<Services, 'config' | 'times'>
const mailbox = {
  host: 'rebinding.example',
  port: 1,
  tls: 'implicit',
  user: 'u',
  password: 'p',
  folder: 'INBOX',
} as const

/** Returns the words of an error and of its causes, with the addresses that they name. */
async function failureOf(attempt: Promise<unknown>): Promise<string> {
  const words: unknown[] = []
  const first: unknown = await attempt.then(
    () => new Error('connected'),
    (error: unknown) => error,
  )
  for (let error = first; error instanceof Error; error = error.cause)
    words.push(error.message, Reflect.get(error, 'reason'), Reflect.get(error, 'address'))
  return words.join(' ')
}

describe('a name that leads elsewhere once it was checked', () => {
  it.each([
    [
      'a webhook',
      () => post('https://rebinding.example:1/', '{}', {}, { sandbox: false }, never),
      /may not be sent to/,
    ],
    [
      'a picture',
      () => createFetchPicture({ platformOrigins: [] })('https://rebinding.example/1.png'),
      /is not allowed/,
    ],
    ['a mailbox', () => openMailbox(mailbox, services, never), /not_allowed/],
  ])('of %s is looked up once, and refused then', async (_, connect, refusal) => {
    // Nothing answers at the address that was checked.
    expect(await failureOf(connect())).toContain(outside)
    expect(nameserver.asked('A')).toBe(1)
    expect(await failureOf(connect())).toMatch(refusal)
    expect(nameserver.asked('A')).toBe(2)
  })
})
