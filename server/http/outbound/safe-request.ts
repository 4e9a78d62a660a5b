import type { LookupFunction, Socket } from 'node:net'
import { buildConnector, Client, errors } from 'undici'
import { type WayInName, waysIn } from '#server/infra/ways-in/ways-in.ts'
import { isPublicAddress } from './public-address.ts'
import { type HostAddress, type ResolveHost, resolveHost } from './resolve-host.ts'

export interface SafeRequest {
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string | Buffer
  /** Bounds the answer: its body in bytes (0: the body is not read), and the ms from the name lookup to the last byte. */
  way: WayInName
  /** In place of the bounds of the way in. */
  maxBytes?: number
  timeoutMs?: number
  /** Skips the checks of scheme and address, for origins that the operator configured. */
  isTrusted?: boolean
  /** Finds all addresses of a host; by default at the nameservers. */
  resolve?: ResolveHost
  /** Returns whether an address may be connected to; by default public ones. */
  isPublic?: (address: string) => boolean
}

interface SafeAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

export type SafeRequestFault =
  | 'not_allowed'
  | 'host_not_found'
  | 'certificate_refused'
  | 'timed_out'
  | 'too_large'
  | 'connection_failed'

/** A failed request to an untrusted address. */
export class SafeRequestError extends Error {
  override name = 'SafeRequestError'
  readonly fault: SafeRequestFault

  constructor(fault: SafeRequestFault, cause?: unknown) {
    super(`The request failed: ${fault}.`, { cause })
    this.fault = fault
  }
}

const maxHeaderBytes = 16_384
/** Bytes of a response besides its body: headers, trailers, chunk sizes, interim responses. */
const maxOverheadBytes = 65_536
const connectTimeoutMs = 5_000

/**
 * Requests a user-supplied URL; every such request goes through here.
 *
 * The host is resolved once, all of its addresses must be public, and the connection goes to a checked address.
 * Requires https, follows no redirects, refuses upgrades and does not decompress. One connection serves one request.
 * Limits and the abort signal end the wait at once and destroy the socket. request-filtering-agent checks addresses
 * only, without limits on time and bytes.
 *
 * Throws SafeRequestError, or the signal's reason after an abort.
 */
export async function safeRequest(url: URL, request: SafeRequest, signal?: AbortSignal): Promise<SafeAnswer> {
  signal?.throwIfAborted()
  const connection = new OneConnection()
  const ending = new AbortController()
  const stop = () => ending.abort(signal?.reason)
  signal?.addEventListener('abort', stop, { once: true })
  const timer = setTimeout(() => ending.abort(new SafeRequestError('timed_out')), timeoutOf(request))
  try {
    const answer = exchange(url, request, connection, ending)
    return await unlessAborted(answer, ending.signal)
  } catch (error) {
    signal?.throwIfAborted()
    const first = ending.signal.aborted ? ending.signal.reason : error
    throw first instanceof SafeRequestError ? first : new SafeRequestError(faultOf(first), first)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
    // Also ends pending work, such as a name lookup.
    ending.abort()
    connection.destroy()
  }
}

const timeoutOf = ({ way, timeoutMs = waysIn[way].giveUpMs }: SafeRequest) => timeoutMs

async function exchange(
  url: URL,
  request: SafeRequest,
  connection: OneConnection,
  ending: AbortController,
): Promise<SafeAnswer> {
  const { method = 'GET', headers = {}, body = null, maxBytes = waysIn[request.way].bytes } = request
  const timeoutMs = timeoutOf(request)
  const isPlainHttps = url.protocol === 'https:' && !url.username && !url.password
  if (!request.isTrusted && !isPlainHttps) throw new SafeRequestError('not_allowed')
  const pinned = request.isTrusted ? null : await pin(url, request, ending.signal)
  const client = connection.open(url, {
    pinned,
    timeoutMs,
    // An eighth covers the framing of a chunked body.
    maxWireBytes: maxBytes + maxOverheadBytes + maxBytes / 8,
    onTooLarge: () => ending.abort(new SafeRequestError('too_large')),
  })
  const answer = await client.request({
    method,
    path: url.pathname + url.search,
    headers: { 'accept-encoding': 'identity', ...headers },
    body,
    signal: ending.signal,
  })
  // After a limit has ended the wait, nothing else listens for this error.
  answer.body.on('error', () => {})
  const bytes = maxBytes > 0 ? await readBody(answer.body, maxBytes) : Buffer.alloc(0)
  return { status: answer.statusCode, headers: answer.headers, body: bytes }
}

/** Returns a checked address of a host. Refuses a host with any address that is not public. */
async function pin(url: URL, request: SafeRequest, signal: AbortSignal): Promise<HostAddress> {
  const { resolve = resolveHost, isPublic = isPublicAddress } = request
  const addresses = await resolve(url.hostname.replace(/^\[|\]$/g, ''), signal)
  const [first] = addresses
  if (!first) throw new SafeRequestError('host_not_found')
  if (!addresses.every(({ address }) => isPublic(address))) throw new SafeRequestError('not_allowed')
  return first
}

interface ConnectionOptions {
  pinned: HostAddress | null
  timeoutMs: number
  maxWireBytes: number
  onTooLarge: () => void
}

/** A client that connects at most once, and whose socket can be destroyed at any time, even before it is connected. */
class OneConnection {
  #client: Client | null = null
  #socket: Socket | null = null
  #isDestroyed = false

  open(url: URL, { pinned, timeoutMs, maxWireBytes, onTooLarge }: ConnectionOptions): Client {
    if (this.#isDestroyed) throw new SafeRequestError('connection_failed')
    const lookup: LookupFunction | undefined =
      pinned === null
        ? undefined
        : (_host, wanted, done) => {
            if (wanted.all) done(null, [pinned])
            else done(null, pinned.address, pinned.family)
          }
    const connect = buildConnector({ lookup, maxCachedSessions: 0, timeout: Math.min(connectTimeoutMs, timeoutMs) })
    this.#client = new Client(url.origin, {
      allowH2: false,
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      connect: (options, done) => {
        if (this.#socket || this.#isDestroyed) return done(new Error('The connection was closed.'), null)
        const socket = connect(options, done) as unknown as Socket
        this.#socket = socket
        // Count on the wire: interim responses, trailers and chunk extensions belong to no body.
        socket.on('readable', () => {
          if (socket.bytesRead > maxWireBytes) onTooLarge()
        })
        // A destroyed client stops listening; a later error must not end the process.
        socket.on('error', () => {})
      },
    })
    return this.#client
  }

  destroy(): void {
    this.#isDestroyed = true
    this.#socket?.destroy()
    this.#client?.destroy().catch(() => {})
  }
}

async function readBody(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) throw new SafeRequestError('too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Waits for the work until the signal aborts, even if the work ignores it. */
function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

function faultOf(error: unknown): SafeRequestFault {
  if (error instanceof errors.ConnectTimeoutError) return 'timed_out'
  if (error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError) return 'timed_out'
  const code = String((error as NodeJS.ErrnoException | undefined)?.code ?? '')
  if (/CERT|TLS|SSL|ALTNAME|ISSUER|UNABLE_TO_VERIFY/.test(code)) return 'certificate_refused'
  if (/^(ENOTFOUND|ENODATA|ESERVFAIL|EREFUSED|ETIMEOUT|EAI_AGAIN|ECANCELLED)$/.test(code)) return 'host_not_found'
  return 'connection_failed'
}
