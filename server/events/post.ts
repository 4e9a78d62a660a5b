import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { isPublicAddress } from '#server/platforms/public-address.ts'
import { createResolveHost, type ResolveHost, resolveUntil } from '#server/platforms/resolve-host.ts'
import { isLoopback } from './check-url.ts'

export interface PostOptions {
  /** Whether this machine may be sent to. */
  sandbox: boolean
  timeoutMs?: number
  /** All addresses of a host; those that the nameservers tell unless told. */
  resolve?: ResolveHost
}

export interface PostAnswer {
  status: number
  retryAfterSeconds: number | null
}

/** Why nothing was answered, in words that may stand in the delivery log: never an inner address. */
export class PostFailed extends Error {
  override name = 'PostFailed'
}

/**
 * Sends a body to an address that a stranger chose (threats T84): to a public address only, resolved once, every address
 * of the host checked, the connection made to the one that was checked; no redirect followed, the answer's body not read.
 * Throws PostFailed.
 */
export async function post(
  address: string,
  body: string,
  headers: Record<string, string>,
  options: PostOptions,
  signal: AbortSignal,
): Promise<PostAnswer> {
  const url = new URL(address)
  const isOwn = options.sandbox && isLoopback(url)
  if (!isOwn && url.protocol !== 'https:') throw new PostFailed('The address may not be sent to.')
  const until = AbortSignal.any([signal, AbortSignal.timeout(options.timeoutMs ?? 10_000)])
  try {
    const pinned = isOwn ? null : await pin(url.hostname, options.resolve ?? createResolveHost(), until)
    const response = await send(url, body, headers, pinned, until)
    const retryAfter = Number(response.headers['retry-after'] ?? Number.NaN)
    response.destroy()
    return {
      status: response.statusCode ?? 0,
      retryAfterSeconds: Number.isFinite(retryAfter) ? Math.min(Math.max(retryAfter, 0), 3_600) : null,
    }
  } catch (cause) {
    signal.throwIfAborted()
    if (cause instanceof PostFailed) throw cause
    const code = (cause as NodeJS.ErrnoException).code ?? ''
    const why = until.aborted
      ? 'No answer in time.'
      : /CERT|TLS|SSL|ALTNAME/.test(code)
        ? 'The certificate was not accepted.'
        : /^(ENOTFOUND|ENODATA|ESERVFAIL|EREFUSED|ETIMEOUT|EAI_AGAIN)$/.test(code)
          ? 'The host was not found.'
          : 'The connection failed.'
    throw new PostFailed(why, { cause })
  }
}

async function pin(
  hostname: string,
  resolve: ResolveHost,
  until: AbortSignal,
): Promise<{ address: string; family: number }> {
  const addresses = await resolveUntil(resolve, hostname.replace(/^\[|\]$/g, ''), until)
  const [first] = addresses
  if (!first) throw new PostFailed('The host was not found.')
  if (!addresses.every(({ address }) => isPublicAddress(address)))
    throw new PostFailed('The address may not be sent to.')
  return first
}

function send(
  url: URL,
  body: string,
  headers: Record<string, string>,
  pinned: { address: string; family: number } | null,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const lookupPinned: LookupFunction = (_host, wanted, done) => {
    if (!pinned) return
    if (wanted.all) done(null, [pinned])
    else done(null, pinned.address, pinned.family)
  }
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    request(
      url,
      {
        method: 'POST',
        signal,
        agent: false,
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'user-agent': 'Hapax-Webhooks',
          ...headers,
        },
        ...(pinned ? { lookup: lookupPinned } : {}),
      },
      resolve,
    )
      .on('error', reject)
      // Nothing else tells of an answer that wants to speak another protocol: without an end it would hold a sender for good.
      .on('upgrade', (response, socket) => {
        socket.destroy()
        resolve(response)
      })
      .end(body)
  })
}
