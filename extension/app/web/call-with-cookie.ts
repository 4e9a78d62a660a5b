/** Stands where the extension has its API key: the credential is a cookie that scripts cannot read. */
export const cookieKey = 'cookie'

/** Calls the server with the cookie and the header that no other site can send. */
export function callWithCookie(url: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers)
  headers.delete('x-api-key')
  headers.set('x-hapax-app', '1')
  return fetch(url, { ...init, headers, credentials: 'same-origin', cache: 'no-store' })
}

const known = Promise.withResolvers<void>()

/** Releases the calls that wait to learn whose session the cookie is. */
export function releaseCalls(): void {
  known.resolve()
}

/**
 * Calls the server once it has said whose session the cookie is. Otherwise a browser whose session has ended would send a
 * dozen calls for nothing, and soon have no call left of those that its address may make without a session. Calls that are
 * aborted do not wait.
 */
export async function callInSession(url: string, init: RequestInit): Promise<Response> {
  init.signal?.throwIfAborted()
  const aborted = new Promise<never>((_, reject) => {
    init.signal?.addEventListener('abort', () => reject(init.signal?.reason), { once: true })
  })
  await Promise.race([known.promise, aborted])
  return callWithCookie(url, init)
}
