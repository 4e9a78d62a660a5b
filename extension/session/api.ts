import { type Client, createClient } from '#shared/contract/client.ts'
import type { Session } from './session.ts'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** No answer came: no network, no server, or not in time. */
export class ServerUnreachable extends Error {
  override name = 'ServerUnreachable'

  constructor(cause: unknown) {
    super('The server does not answer.', { cause })
  }
}

/** How long an answer of the server may take, in milliseconds. */
const timeoutMs = 30_000

/** A client of a server without a credential, or with the headers given. */
export function openClient(server: string, fetch: Fetch, headers: Record<string, string> = {}): Client {
  return createClient({ baseUrl: server, fetch: onlyTo(server, fetch), headers: () => headers })
}

/** A client that acts for the session's account. */
export function clientOf(session: Session, fetch: Fetch): Client {
  return openClient(session.server, fetch, { 'x-api-key': session.key })
}

/** The one place that sends anything: only to the server that the seller signed in to, and not for ever (T99). */
function onlyTo(server: string, fetch: Fetch): Fetch {
  return async (url, init) => {
    if (new URL(url).origin !== server) throw new Error('Refused to send a request to another host than the server.')
    const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(init.signal ? [init.signal] : [])])
    return fetch(url, { ...init, signal }).catch((cause: unknown) => {
      throw new ServerUnreachable(cause)
    })
  }
}
