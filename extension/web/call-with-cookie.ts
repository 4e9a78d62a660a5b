/** Stands where the extension has its API key: the credential is a cookie that scripts cannot read. */
export const cookieKey = 'cookie'

/** Calls the server with the cookie and the header that no other site can send. */
export function callWithCookie(url: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers)
  headers.delete('x-api-key')
  headers.set('x-hapax-app', '1')
  return fetch(url, { ...init, headers, credentials: 'same-origin', cache: 'no-store' })
}
