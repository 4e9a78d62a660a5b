/** A request as the stand-ins' handlers see it. */
export interface SandboxRequest {
  method: string
  path: string
  query: URLSearchParams
  /** Reads a header by its lower-case name; empty when it is absent. */
  header(name: string): string
  body: string
  /** The body as sent, for handlers that take binary data. */
  bytes?: Buffer
}

export interface SandboxResponse {
  status: number
  type: string
  body: string | Buffer
  headers?: Record<string, string>
}

export const html = (body: string, status = 200): SandboxResponse => ({
  status,
  type: 'text/html; charset=utf-8',
  body,
})

export const json = (body: object, status = 200, headers?: Record<string, string>): SandboxResponse => ({
  status,
  type: 'application/json',
  body: JSON.stringify(body),
  headers: { 'cache-control': 'no-store', ...headers },
})

/** Sends the browser to another page after a form. */
export const redirect = (location: string): SandboxResponse => ({ ...html('', 303), headers: { location } })

export const notFound: SandboxResponse = { status: 404, type: 'text/plain', body: 'Not Found' }

/** A picture that other origins may show. */
export const picture = (body: Buffer): SandboxResponse => ({
  status: 200,
  type: 'image/png',
  body,
  headers: { 'cache-control': 'public, max-age=3600', 'cross-origin-resource-policy': 'cross-origin' },
})
