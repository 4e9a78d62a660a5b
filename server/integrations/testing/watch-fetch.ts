import type { CheckedRequest } from '#server/sandbox/kit/published.ts'

/** An exchange as sent over the wire. */
export interface Exchange extends CheckedRequest {
  url: string
  status: number
  /** Parsed; undefined for an empty body or other content than JSON. */
  answer: unknown
}

/** Creates a fetch that records every exchange. */
export function watchFetch(seen: Exchange[]): (url: string, init?: RequestInit) => Promise<Response> {
  return async (url, init) => {
    const request = new Request(url, init)
    const { pathname, searchParams } = new URL(url)
    const bytes = Buffer.from(await request.clone().arrayBuffer())
    const response = await fetch(request)
    const answered = await response.clone().text()
    const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '')
    seen.push({
      method: request.method,
      url,
      path: pathname,
      query: searchParams,
      header: (name) => request.headers.get(name) ?? '',
      body: bytes.toString(),
      bytes,
      status: response.status,
      answer: isJson && answered !== '' ? JSON.parse(answered) : undefined,
    })
    return response
  }
}
