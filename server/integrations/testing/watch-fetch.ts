import type { CheckedRequest, Published } from '#server/sandbox/kit/published.ts'

/** An exchange as it went over the wire. */
export interface Exchange extends CheckedRequest {
  url: string
  status: number
  /** Parsed; undefined where the body is empty or no JSON. */
  answer: unknown
}

/** A fetch that remembers what went over the wire. */
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

/** What a document finds wrong with the request and the answer of an exchange; `operation` is null when it has none. */
export function checkExchange(document: Published, exchange: Exchange): { operation: string | null; faults: string[] } {
  const operation = document.operationOf(exchange)
  if (operation === null) return { operation, faults: [`${exchange.method} ${exchange.path} is no operation`] }
  const { status, answer } = exchange
  const faults = [...(document.checkRequest(exchange) ?? []), ...document.checkAnswer(operation, status, answer)]
  return { operation, faults }
}
