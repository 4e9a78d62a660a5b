import { randomInt } from 'node:crypto'

export interface Reply {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the server answered
  body: any
}

export interface Call {
  body?: unknown
  headers?: Record<string, string>
  /** The address the call seems to come from; the server must trust one hop. */
  from?: string
}

export type Api = (method: string, path: string, call?: Call) => Promise<Reply>

/** Calls a server by real HTTP and reads JSON answers. */
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

/** How many of the replies have each status: `{201: 1, 409: 63}`. */
export function statuses(replies: Reply[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** `count` calls at once. */
export function parallel<Result>(count: number, run: (index: number) => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => run(index)))
}

/** Some address of the documentation's 198.18/15 network. */
export const someAddress = () => `198.${18 + randomInt(2)}.${randomInt(256)}.${1 + randomInt(254)}`
