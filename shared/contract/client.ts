import { type ErrorCode, type FieldError, Problem } from './errors.ts'
import { parseAnswer } from './parse-answer.ts'
import type { Answer, Request, RouteDeclaration } from './route.ts'

/** An error response of the server, or an undeclared response. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  /** The problem's code, or `bad_answer` for a response that is not from our server. */
  readonly code: ErrorCode | 'bad_answer'
  readonly requestId: string | null
  readonly errors: FieldError[]
  readonly retryAfterMs: number | null
  /** With `second_factor_required`: the token for the second step. */
  readonly signinToken: string | null

  constructor(status: number, problem: Problem | null, retryAfterMs: number | null = null) {
    super(problem?.detail ?? `The server gave an answer that is not understood (HTTP ${status}).`)
    this.status = status
    this.code = problem?.code ?? 'bad_answer'
    this.requestId = problem?.request_id ?? null
    this.errors = problem?.errors ?? []
    this.retryAfterMs = retryAfterMs
    this.signinToken = problem?.signin_token ?? null
  }
}

export interface ClientOptions {
  baseUrl: string
  fetch: (url: string, init: RequestInit) => Promise<Response>
  /** Headers of every request, such as the credential. */
  headers?: () => Record<string, string> | Promise<Record<string, string>>
}

/**
 * Calls endpoints by their declaration, which types and validates request and response. Ignores what a newer server adds.
 * Throws ApiError for any response that is not a declared success; a network failure keeps fetch's TypeError.
 */
export function createClient(options: ClientOptions) {
  return async function call<R extends RouteDeclaration>(
    route: R,
    request: Request<R> & { headers?: Record<string, string>; signal?: AbortSignal },
  ): Promise<Answer<R>> {
    const response = await options.fetch(urlOf(options.baseUrl, route, request), {
      method: route.method,
      headers: {
        accept: route.replyType ?? 'application/json',
        ...contentTypeOf(route, request.body),
        ...(await options.headers?.()),
        ...request.headers,
      },
      body: bodyOf(route, request.body),
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'error',
      signal: request.signal,
    })
    return readAnswer(route, response)
  }
}

export type Client = ReturnType<typeof createClient>

async function readAnswer<R extends RouteDeclaration>(route: R, response: Response): Promise<Answer<R>> {
  const schema = route.replies[response.status]
  if (schema === null) return null as Answer<R>
  const isText = schema !== undefined && route.replyType !== undefined
  const body: unknown = isText ? await response.text() : await response.json().catch(() => undefined)
  if (schema) {
    const parsed = parseAnswer(schema, body)
    if (parsed) return parsed.data as Answer<R>
    throw new ApiError(response.status, null)
  }
  throw new ApiError(response.status, parseAnswer(Problem, body)?.data ?? null, retryAfterMs(response))
}

function contentTypeOf({ bodyType }: RouteDeclaration, body: unknown): Record<string, string> {
  if (body === undefined) return {}
  // The server detects the format of an image.
  return { 'content-type': bodyType === 'image' ? 'application/octet-stream' : (bodyType ?? 'application/json') }
}

function bodyOf(route: RouteDeclaration, body: unknown): string | Blob | undefined {
  if (body === undefined) return undefined
  if (route.bodyType === 'image') return body as Blob
  return route.bodyType ? String(body) : JSON.stringify(body)
}

function retryAfterMs(response: Response): number | null {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds * 1000 : null
}

function urlOf(baseUrl: string, route: RouteDeclaration, request: { params?: object; query?: object }): string {
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String((request.params as Record<string, unknown> | undefined)?.[name])),
  )
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value !== undefined) query.set(name, String(value))
  }
  const search = query.size > 0 ? `?${query}` : ''
  return `${baseUrl.replace(/\/$/, '')}${path}${search}`
}
