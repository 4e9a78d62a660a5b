/** A request as the sandbox's handlers see it. */
export interface FakeRequest {
  method: string
  path: string
  query: URLSearchParams
  /** Lower-case names. */
  header(name: string): string
  body: string
  /** The body as it was sent, where it may hold what is no text. */
  bytes?: Buffer
}

/** What is sent back. */
export interface FakeAnswer {
  status: number
  type: string
  body: string | Buffer
  headers?: Record<string, string>
}

export const html = (body: string, status = 200): FakeAnswer => ({ status, type: 'text/html; charset=utf-8', body })

export const json = (body: object, status = 200, headers?: Record<string, string>): FakeAnswer => ({
  status,
  type: 'application/json',
  body: JSON.stringify(body),
  headers: { 'cache-control': 'no-store', ...headers },
})

export const notFound: FakeAnswer = { status: 404, type: 'text/plain', body: 'Not Found' }
