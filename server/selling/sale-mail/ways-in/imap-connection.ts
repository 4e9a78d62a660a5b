import { isIP } from 'node:net'
import { ImapFlow } from 'imapflow'
import { isPublicAddress } from '#server/http/outbound/public-address.ts'
import { createResolveHost, type ResolveHost } from '#server/http/outbound/resolve-host.ts'
import { invalidField } from '#server/infra/errors.ts'
import { isLoopback } from '#server/infra/loopback.ts'
import { isPublicHost } from '#server/webhooks/check-url.ts'

export interface MailboxAccess {
  host: string
  port: number
  tls: 'implicit' | 'starttls' | 'none'
  user: string
  password: string
  folder: string
}

/** A mailbox that cannot be opened. The message is for its owner: words of the server, or of the network. */
export class MailboxError extends Error {
  override name = 'MailboxError'
}

/** Connecting, signing in and opening the folder must end within this many ms. */
const connectMs = 15_000
/** A connection without a byte for this long is dead. IDLE is renewed twice as often. */
const silentMs = 300_000
/** Well-known ports of other services must not be reached through Hapax. */
const isMailPort = (port: number) => port === 993 || port === 143 || port >= 1_024

/**
 * Throws `invalid_request` for a host that is visibly private, as for webhooks; the sandbox also allows this machine.
 * Without TLS only this machine is allowed.
 */
export function checkMailbox({ host, port, tls }: Omit<MailboxAccess, 'password'>, sandbox: boolean): void {
  const isLocal = sandbox && isLoopback(host)
  if (!isLocal && !isPublicHost(host)) throw invalidField('host', 'not_allowed', 'must be a public address')
  if (!isLocal && tls === 'none') throw invalidField('tls', 'not_allowed', 'must be implicit or starttls')
  if (!isMailPort(port)) throw invalidField('port', 'not_allowed', 'must be 993, 143 or one above 1023')
}

/**
 * Connects, signs in and opens the folder for reading only. The host is resolved once, all of its addresses must be
 * public, and the connection goes to one of them. Throws MailboxError.
 */
export async function openMailbox(
  access: MailboxAccess,
  { sandbox, signal, resolve = createResolveHost() }: { sandbox: boolean; signal: AbortSignal; resolve?: ResolveHost },
): Promise<ImapFlow> {
  const { host, port, tls, user, password, folder } = access
  const address = sandbox && isLoopback(host) ? host : await pinnedAddress(host, resolve, signal)
  const client = new ImapFlow({
    host: address,
    port,
    ...(isIP(host) === 0 && { servername: host }),
    secure: tls === 'implicit',
    doSTARTTLS: tls === 'starttls',
    auth: { user, pass: password },
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: silentMs,
    maxIdleTime: silentMs / 2,
  })
  // Errors reach the pending command. Without a listener they would end the process.
  client.on('error', () => {})
  const stop = () => client.close()
  const timer = setTimeout(stop, connectMs)
  signal.addEventListener('abort', stop, { once: true })
  try {
    await client.connect()
    await client.mailboxOpen(folder, { readOnly: true })
    return client
  } catch (error) {
    client.close()
    signal.throwIfAborted()
    throw new MailboxError(wordsOf(error), { cause: error })
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  }
}

async function pinnedAddress(host: string, resolve: ResolveHost, signal: AbortSignal): Promise<string> {
  const addresses = await resolve(host.replace(/^\[|\]$/g, ''), signal).catch((cause: unknown) => {
    signal.throwIfAborted()
    throw new MailboxError('The host was not found.', { cause })
  })
  const [first] = addresses
  if (!first) throw new MailboxError('The host was not found.')
  if (!addresses.every(({ address }) => isPublicAddress(address)))
    throw new MailboxError('The host may not be connected to.')
  return first.address
}

/** Returns what the server said, or what went wrong on the way, on one line without the password. */
export function wordsOf(error: unknown): string {
  const { responseText, code, authenticationFailed, message } = error as Record<string, unknown>
  const said = typeof responseText === 'string' && responseText !== '' ? responseText : null
  if (said !== null) return said.replace(/\s+/g, ' ').slice(0, 300)
  if (authenticationFailed) return 'The name or the password was not accepted.'
  switch (code) {
    case 'ECONNREFUSED':
      return 'Nothing answers at this port.'
    case 'ETIMEDOUT':
    case 'CONNECT_TIMEOUT':
    case 'GREETING_TIMEOUT':
    case 'NoConnection':
      return 'The server did not answer in time, or closed the connection.'
    default:
      return `The connection failed: ${String(message ?? code)
        .replace(/\s+/g, ' ')
        .slice(0, 200)}`
  }
}
