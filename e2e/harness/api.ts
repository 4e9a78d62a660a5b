export interface Reply {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the server answered
  body: any
}

export interface Call {
  body?: unknown
  headers?: Record<string, string>
  /** The client address, sent as X-Forwarded-For; the server must trust one hop. */
  from?: string
}

export type Api = (method: string, path: string, call?: Call) => Promise<Reply>

/** Creates a client that calls a server over real HTTP and reads JSON answers. */
export function apiOf(url: string): Api {
  return async (method, path, { body, headers, from } = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(from === undefined ? {} : { 'x-forwarded-for': from }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
  }
}

/** Headers of a bearer session. */
export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** Counts the replies by status: `{201: 1, 409: 63}`. */
export function statuses(replies: Reply[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** Runs `count` calls concurrently. */
export function parallel<Result>(count: number, run: (index: number) => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => run(index)))
}

let lastAddress = 0

/** Returns another address of the test network 198.18/15 each time; calls in a row get different /24 networks. */
export function someAddress(): string {
  lastAddress = (lastAddress + 1) % (512 * 254)
  const network = lastAddress % 512
  return `198.${18 + (network >> 8)}.${network & 255}.${1 + Math.floor(lastAddress / 512)}`
}
