import { operations } from './operations.ts'
import { type AnyRequest, send } from './send.ts'
import type { CreateHapax, Hapax, HapaxDeprecation } from './types.ts'

/**
 * Creates a client. Answers are passed on as they are: a newer server may send members and values that these types do not
 * know.
 */
export const createHapax: CreateHapax = (options) => {
  const { onDeprecated = warn } = options
  const warned = new Set<string>()
  const open = async (id: string, request: AnyRequest = {}) => {
    const operation = operations[id]
    if (!operation) throw new TypeError(`there is no operation ${id}`)
    const response = await send(options, operation, request)
    const deprecation = deprecationOf(id, response.headers, options.baseUrl)
    if (deprecation && !warned.has(id)) {
      warned.add(id)
      onDeprecated(deprecation)
    }
    return response
  }
  const call = async (id: string, request: AnyRequest = {}) => {
    const response = await open(id, request)
    if (response.status === 204) return null
    return response.headers.get('content-type')?.includes('json') ? response.json() : response.text()
  }
  async function* pages(id: string, request: AnyRequest = {}) {
    let query: Record<string, unknown> = { ...request.query }
    for (let read = 0; ; ) {
      const page = await call(id, { ...request, query })
      const results = Array.isArray(page) ? page : page.results
      yield* results
      read += results.length
      if (page.next_cursor) query = { ...query, cursor: page.next_cursor }
      else if (page.count > read && results.length > 0) query = { ...query, page: Number(query.page ?? 1) + 1 }
      else return
    }
  }
  return { call, open, pages } as Hapax
}

/** Returns what the server says about something deprecated that the request used (RFC 9745 and RFC 8594). */
function deprecationOf(operationId: string, headers: Headers, baseUrl: string): HapaxDeprecation | null {
  const since = /^@(-?\d+)$/.exec(headers.get('deprecation') ?? '')?.[1]
  if (since === undefined) return null
  const sunset = headers.get('sunset')
  const link = /<([^<>]*)>; *rel="?deprecation/.exec(headers.get('link') ?? '')?.[1]
  return {
    operationId,
    since: new Date(Number(since) * 1_000),
    sunset: sunset ? new Date(sunset) : null,
    link: link && URL.canParse(link, baseUrl) ? new URL(link, baseUrl).href : null,
  }
}

function warn({ operationId, sunset, link }: HapaxDeprecation): void {
  const until = sunset ? ` and ends on ${sunset.toISOString().slice(0, 10)} at the earliest` : ''
  // biome-ignore lint/suspicious/noConsole: a program that sets no `onDeprecated` would never learn of it.
  console.warn(
    `Hapax: a request of ${operationId} uses something that is deprecated${until}.${link ? ` See ${link}` : ''}`,
  )
}
