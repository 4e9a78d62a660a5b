import { isIP } from 'node:net'
import type { ImapFlow } from 'imapflow'
import { isPublicAddress } from '#server/http/outbound/public-address.ts'
import { resolveHost } from '#server/http/outbound/resolve-host.ts'
import { invalidField } from '#server/infra/errors.ts'
import { isLoopback } from '#server/infra/loopback.ts'
import { waysIn } from '#server/infra/ways-in/ways-in.ts'
import type { Services } from '#server/services.ts'
import { isPublicHost } from '#server/webhooks/check-url.ts'
import { MailboxError } from './mailbox-error.ts'
import { Meter } from './meter.ts'

export interface MailboxAccess {
  host: string
  port: number
  tls: 'implicit' | 'starttls' | 'none'
  user: string
  password: string
  folder: string
}

/** A folder that is open for reading, and the meter of its connection. */
export interface OpenMailbox {
  client: ImapFlow
  meter: Meter
  /** Returns the error to tell for one that a command threw. */
  failureOf(error: unknown): unknown
  close(): void
}

/** A connection without a byte for this long is dead. IDLE is renewed twice as often. */
const silentMs = 300_000
const mailPorts = [993, 143]
/** Mails of a folder. The package makes a number of each that a server claims to have found. */
const mostMails = 500_000
/** Errors of the package for answers that are larger than its options allow. */
const tooMuch = new Set(['LiteralTooLarge', 'LineTooLarge', 'ResponseTooLarge', 'TooManyTokens', 'TooManyResponses'])

/**
 * Throws `invalid_request` for a host that is visibly private, as for webhooks, and for ports of other services. The
 * sandbox also allows any port of this machine, and no TLS there.
 */
export function checkMailbox({ host, port, tls }: Omit<MailboxAccess, 'password'>, sandbox: boolean): void {
  if (sandbox && isLoopback(host)) return
  if (!isPublicHost(host)) throw invalidField('host', 'not_allowed', 'must be a public address')
  if (tls === 'none') throw invalidField('tls', 'not_allowed', 'must be implicit or starttls')
  if (!mailPorts.includes(port)) throw invalidField('port', 'not_allowed', 'must be 993 or 143')
}

/**
 * Connects, signs in and opens the folder for reading only. The host is resolved once, all of its addresses must be
 * public, and the connection goes to one of them. Throws MailboxError.
 */
export async function openMailbox(
  access: MailboxAccess,
  { config, times }: Pick<Services, 'config' | 'times'>,
  signal: AbortSignal,
): Promise<OpenMailbox> {
  const { host, port, tls, user, password, folder } = access
  const address = config.sandbox && isLoopback(host) ? host : await pinnedAddress(host, signal)
  const { bytes, lineBytes, parts, quietBytes } = waysIn.imap
  const meter = new Meter()
  const imapflow = await import('imapflow')
  const client = new imapflow.ImapFlow({
    host: address,
    port,
    ...(isIP(host) === 0 && { servername: host }),
    secure: tls === 'implicit',
    doSTARTTLS: tls === 'starttls',
    auth: { user, pass: password },
    logger: false,
    transport: meter.transport,
    // Compressed answers would be larger than what the meter counts.
    disableCompression: true,
    maxLiteralSize: bytes,
    maxResponseSize: bytes,
    maxLineLength: lineBytes,
    maxResponseTokens: parts,
    disableAutoIdle: true,
    connectionTimeout: times.mailboxOpenMs,
    greetingTimeout: times.mailboxOpenMs,
    socketTimeout: silentMs,
    maxIdleTime: silentMs / 2,
  })
  // Errors reach the pending command. Without a listener they would end the process.
  client.on('error', (error: { code?: string }) => {
    if (tooMuch.has(error.code ?? '')) meter.cut('too_much')
  })
  const close = () => {
    client.close()
    meter.end()
  }
  const checkCount = (count: number) => {
    if (count <= mostMails) return
    meter.cut('too_much')
    close()
  }
  client.on('exists', ({ count }) => checkCount(count))
  const failureOf = (error: unknown) => meter.failure ?? error
  signal.addEventListener('abort', close, { once: true })
  meter.begin(quietBytes, times.mailboxOpenMs)
  try {
    await client.connect()
    const { exists } = await client.mailboxOpen(folder, { readOnly: true })
    checkCount(exists)
    if (meter.failure) throw meter.failure
    return { client, meter, failureOf, close }
  } catch (error) {
    const reason = reasonOf(error, client, meter)
    close()
    signal.throwIfAborted()
    throw new MailboxError(reason, { cause: failureOf(error) })
  } finally {
    signal.removeEventListener('abort', close)
  }
}

function reasonOf(error: unknown, { authenticated }: ImapFlow, { failure }: Meter): MailboxError['reason'] {
  if (authenticated) return failure?.reason ?? 'no_folder'
  return (error as { authenticationFailed?: boolean }).authenticationFailed ? 'refused' : 'unreachable'
}

async function pinnedAddress(host: string, signal: AbortSignal): Promise<string> {
  const addresses = await resolveHost(host.replace(/^\[|\]$/g, ''), signal).catch((cause: unknown) => {
    signal.throwIfAborted()
    throw new MailboxError('not_found', { cause })
  })
  const [first] = addresses
  if (!first) throw new MailboxError('not_found')
  if (!addresses.every(({ address }) => isPublicAddress(address))) throw new MailboxError('not_allowed')
  return first.address
}
