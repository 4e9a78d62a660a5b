import type { LookupAddress } from 'node:dns'
import { Socket, type TcpNetConnectOpts } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createFetchPicture } from '#server/integrations/fetch-picture.ts'
import { openMailbox } from '#server/selling/sale-mail/ways-in/imap-connection.ts'
import type { Services } from '#server/services.ts'
import { post } from '#server/webhooks/post-safely.ts'
import { type Nameserver, startNameserver } from './testing/nameserver.ts'

/** The address of example.com, that a stranger's name server gives first. Afterwards it gives this machine's. */
const outside = '93.184.216.34'

let nameserver: Nameserver
/** Addresses that connections go to. */
let reached: string[]
beforeEach(async () => {
  let asked = 0
  nameserver = await startNameserver((type) => (type === 'A' ? [asked++ === 0 ? outside : '127.0.0.1'] : []))
  reached = []
  // No test leaves the machine.
  const { connect } = Socket.prototype
  vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket, ...given: unknown[]) {
    const [options] = given as [TcpNetConnectOpts]
    if (!ports.includes(Number(options.port))) return Reflect.apply(connect, this, given)
    const refuse = (address: string) => {
      reached.push(address)
      process.nextTick(() => this.destroy(new Error('Nothing answers.')))
    }
    if (!options.lookup) refuse(options.host ?? '')
    else
      options.lookup(options.host ?? '', { all: true }, (_, found) =>
        refuse((found as LookupAddress[])[0]?.address ?? ''),
      )
    return this
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  nameserver.close()
})

/** Ports of the stranger's host: of https and of IMAP. */
const ports = [443, 993]
const never = new AbortController().signal
const services = { config: { sandbox: false }, times: { mailboxOpenMs: 2_000 } } as Pick<Services, 'config' | 'times'>
const mailbox = {
  host: 'rebinding.example',
  port: 993,
  tls: 'implicit',
  user: 'u',
  password: 'p',
  folder: 'INBOX',
} as const

/** Returns the message of an error, and the reason of a mailbox's. */
const failureOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'connected',
    (error: Error) => `${error.message} ${Reflect.get(error, 'reason')}`,
  )

describe('a name that leads elsewhere once it was checked', () => {
  it.each([
    ['a webhook', () => post('https://rebinding.example/', '{}', {}, { sandbox: false }, never), /may not be sent to/],
    [
      'a picture',
      () => createFetchPicture({ platformOrigins: [] })('https://rebinding.example/1.png'),
      /is not allowed/,
    ],
    ['a mailbox', () => openMailbox(mailbox, services, never), /not_allowed/],
  ])('of %s is looked up once, and refused then', async (_, connect, refusal) => {
    await failureOf(connect())
    expect(nameserver.asked('A')).toBe(1)
    expect(await failureOf(connect())).toMatch(refusal)
    expect(nameserver.asked('A')).toBe(2)
    expect(reached).toEqual([outside])
  })
})
