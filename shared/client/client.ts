import { type Operation, operations } from './operations.ts'
import type { CreateHapax, Hapax, HapaxDeprecation, HapaxErrorConstructor, HapaxOptions } from './types.ts'

interface AnyRequest {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  idempotencyKey?: string
  headers?: Record<string, string>
  signal?: AbortSignal
}

export const HapaxError: HapaxErrorConstructor = class HapaxError extends Error {
  override name = 'HapaxError'
  readonly status: number
  readonly code: string
  readonly requestId: string | null
  readonly errors: { field: string; code: string; message: string }[]
  readonly retryAfterMs: number | null

  constructor(status: number, problem: unknown, retryAfterMs: number | null) {
    const { detail, code, request_id, errors } = (problem ?? {}) as Record<string, unknown>
    super(typeof detail === 'string' ? detail : `The server answered HTTP ${status}.`)
    this.status = status
    this.code = typeof code === 'string' ? code : 'bad_answer'
    this.requestId = typeof request_id === 'string' ? request_id : null
    this.errors = Array.isArray(errors) ? errors : []
    this.retryAfterMs = retryAfterMs
  }
}

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

/** Sends a request, again where it was refused for now, or lost and harmless to repeat. */
async function send(options: HapaxOptions, operation: Operation, request: AnyRequest): Promise<Response> {
  const key = request.idempotencyKey ?? (operation.idempotent ? crypto.randomUUID() : undefined)
  const isRepeatable = operation.method !== 'POST' || key !== undefined
  const tries = options.tries ?? 5
  for (let tried = 1; ; tried++) {
    const response = await sendOnce(options, operation, request, key).catch((error: unknown) => {
      if (!isRepeatable || tried >= tries || request.signal?.aborted) throw error
      return null
    })
    if (response?.ok) return response
    const retryAfter = Number(response?.headers.get('retry-after') ?? Number.NaN)
    const afterMs = Number.isFinite(retryAfter) ? retryAfter * 1_000 : null
    if (response && (afterMs === null || tried >= tries)) {
      throw new HapaxError(response.status, await response.json().catch(() => null), afterMs)
    }
    await response?.body?.cancel()
    await pause(afterMs ?? 250 * 2 ** tried, request.signal)
  }
}

function sendOnce(
  { baseUrl, apiKey, token, fetch: send = fetch }: HapaxOptions,
  { method, path, bodyType }: Operation,
  { params = {}, query = {}, body, headers, signal }: AnyRequest,
  key: string | undefined,
): Promise<Response> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  const place = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
  return send(`${baseUrl.replace(/\/$/, '')}${place}${search && `?${search}`}`, {
    method,
    headers: {
      // The server detects the format of an image.
      ...(body === undefined
        ? {}
        : { 'content-type': bodyType === 'image' ? 'application/octet-stream' : (bodyType ?? 'application/json') }),
      ...(apiKey ? { 'x-api-key': apiKey } : token ? { authorization: `Bearer ${token}` } : {}),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: bodyOf(bodyType, body) }),
    ...(signal ? { signal } : {}),
    redirect: 'error',
  })
}

function bodyOf(bodyType: string | undefined, body: unknown): string | Blob {
  if (bodyType === 'image') return body as Blob
  return bodyType ? String(body) : JSON.stringify(body)
}

/** Waits, and throws the signal's reason when it is aborted meanwhile. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(done, ms)
    function done() {
      signal?.removeEventListener('abort', abort)
      resolve()
    }
    function abort() {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', abort, { once: true })
    if (signal?.aborted) abort()
  })
}
