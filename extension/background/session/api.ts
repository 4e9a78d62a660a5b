import { type Client, createClient } from '#shared/contract/client.ts'
import { streamEvents } from '#shared/contract/events.ts'
import type { Session } from './session.ts'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** No answer came: no network, no server, or not in time. */
export class ServerUnreachable extends Error {
  override name = 'ServerUnreachable'

  constructor(cause: unknown) {
    super('The server does not answer.', { cause })
  }
}

/** No answer came because the browser does not let the extension reach the server (any more). */
export class AccessWithdrawn extends ServerUnreachable {
  override name = 'AccessWithdrawn'
}

/** How long an answer of the server may take to its last byte, in milliseconds: what is only read can be asked again. */
const readTimeoutMs = 10_000
const writeTimeoutMs = 20_000

/** A client of a server without a credential, or with the headers given, that waits as long as told (milliseconds). */
export function openClient(
  server: string,
  fetch: Fetch,
  headers: Record<string, string> = {},
  timeoutMs?: number,
): Client {
  const reach = onlyTo(server, fetch)
  return createClient({
    baseUrl: server,
    fetch: (url, init) => inTime(reach, url, init, timeoutMs),
    headers: () => headers,
  })
}

/** A client that acts for the session's account. */
export function clientOf(session: Session, fetch: Fetch, timeoutMs?: number): Client {
  return openClient(session.server, fetch, credential(session), timeoutMs)
}

/**
 * Opens the account's stream of events, after the event of that number where one is known: the answer is there, its
 * body goes on until `signal` ends it. Throws ServerUnreachable.
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
        ...credential(session),
        ...(lastEventId === null ? {} : { 'last-event-id': String(lastEventId) }),
      },
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'error',
      signal: AbortSignal.any([timeout.signal, signal]),
    })
  } finally {
    clearTimeout(timer)
  }
}

function credential(session: Session): Record<string, string> {
  return { 'x-api-key': session.key }
}

/** The one place that sends anything: only to the server that the seller signed in to. */
function onlyTo(server: string, fetch: Fetch): Fetch {
  return async (url, init) => {
    if (new URL(url).origin !== server) throw new Error('Refused to send a request to another host than the server.')
    return fetch(url, init).catch((cause: unknown) => {
      throw cause instanceof AccessWithdrawn ? cause : new ServerUnreachable(cause)
    })
  }
}

/** A whole answer, and not for ever: one whose body stops coming is no answer either. */
async function inTime(
  fetch: Fetch,
  url: string,
  init: RequestInit,
  timeoutMs = init.method === 'GET' ? readTimeoutMs : writeTimeoutMs,
): Promise<Response> {
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), timeoutMs)
  const signal = AbortSignal.any([timeout.signal, ...(init.signal ? [init.signal] : [])])
  try {
    const response = await fetch(url, { ...init, signal })
    const { status, headers } = response
    const body = await response.arrayBuffer().catch((cause: unknown) => {
      throw new ServerUnreachable(cause)
    })
    return new Response(body.byteLength > 0 ? body : null, { status, headers })
  } finally {
    clearTimeout(timer)
  }
}
