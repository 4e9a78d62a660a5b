import { type Client, createClient } from '#shared/client/declared-client.ts'
import { streamEvents } from '#shared/contract/events.ts'
import type { Session } from './session.ts'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Gets the parts of a response's body as they arrive. */
export type OnPart = (part: Uint8Array) => void

/** No answer: no network, no server, or a timeout. */
export class ServerUnreachable extends Error {
  override name = 'ServerUnreachable'

  constructor(cause: unknown) {
    super('The server does not answer.', { cause })
  }
}

/** No answer because the browser no longer permits requests to the server. */
export class AccessWithdrawn extends ServerUnreachable {
  override name = 'AccessWithdrawn'
}

/** Timeouts of a whole response, in ms. Reads can be repeated, so they are shorter. */
const readTimeoutMs = 10_000
const writeTimeoutMs = 20_000

/** Returns a client for a server, with an optional credential and timeout in ms. */
export function openClient(
  server: string,
  fetch: Fetch,
  credential: { apiKey?: string; token?: string } = {},
  timeoutMs?: number,
  onPart?: OnPart,
): Client {
  const reach = onlyTo(server, fetch)
  const timed: Fetch = (url, init) => inTime(reach, url, init, timeoutMs, onPart)
  return createClient({ baseUrl: server, ...credential, fetch: timed })
}

/** Returns a client for the session's account. */
export function clientOf(session: Session, fetch: Fetch, timeoutMs?: number, onPart?: OnPart): Client {
  return openClient(session.server, fetch, { apiKey: session.key }, timeoutMs, onPart)
}

/**
 * Opens the account's event stream, after `lastEventId` if given. The body ends with `signal`. Throws
 * ServerUnreachable.
 */
export async function openEventStream(
  session: Session,
  fetch: Fetch,
  lastEventId: number | null,
  signal: AbortSignal,
): Promise<Response> {
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), readTimeoutMs)
  try {
    return await onlyTo(session.server, fetch)(`${session.server}${streamEvents.path}`, {
      headers: {
        accept: 'text/event-stream',
        'x-api-key': session.key,
        ...(lastEventId === null ? {} : { 'last-event-id': String(lastEventId) }),
      },
      redirect: 'error',
      signal: AbortSignal.any([timeout.signal, signal]),
    })
  } finally {
    clearTimeout(timer)
  }
}

/** The only place that sends requests, and only to the seller's server, without cookies and the browser's cache. */
function onlyTo(server: string, fetch: Fetch): Fetch {
  return async (url, init) => {
    if (new URL(url).origin !== server) throw new Error('Refused to send a request to another host than the server.')
    return fetch(url, { ...init, credentials: 'omit', cache: 'no-store' }).catch((cause: unknown) => {
      throw cause instanceof AccessWithdrawn ? cause : new ServerUnreachable(cause)
    })
  }
}

/** Reads the whole response within the timeout. A body that stalls counts as no answer. */
async function inTime(
  fetch: Fetch,
  url: string,
  init: RequestInit,
  timeoutMs = init.method === 'GET' ? readTimeoutMs : writeTimeoutMs,
  onPart?: OnPart,
): Promise<Response> {
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), timeoutMs)
  const signal = AbortSignal.any([timeout.signal, ...(init.signal ? [init.signal] : [])])
  try {
    const response = await fetch(url, { ...init, signal })
    const { status, headers } = response
    const body = await watched(response, onPart)
      .arrayBuffer()
      .catch((cause: unknown) => {
        throw new ServerUnreachable(cause)
      })
    return new Response(body.byteLength > 0 ? body : null, { status, headers })
  } finally {
    clearTimeout(timer)
  }
}

/** Returns the response with a body that shows its parts as they are read. */
function watched(response: Response, onPart: OnPart | undefined): Response {
  if (!onPart || !response.body) return response
  const show = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, controller) {
      onPart(part)
      controller.enqueue(part)
    },
  })
  return new Response(response.body.pipeThrough(show))
}
