import { HapaxError } from './error.ts'
import type { Operation } from './operations.ts'
import type { HapaxOptions } from './types.ts'

export interface AnyRequest {
  params?: Record<string, unknown> | undefined
  query?: Record<string, unknown> | undefined
  body?: unknown
  idempotencyKey?: string
  headers?: Record<string, string>
  signal?: AbortSignal
}

/**
 * Sends a request, again where it was refused for now, or lost and harmless to repeat. Throws HapaxError for any answer
 * but a success; a lost request keeps fetch's error.
 */
export async function send(options: HapaxOptions, operation: Operation, request: AnyRequest): Promise<Response> {
  const tries = options.tries ?? 5
  const made = operation.idempotent && tries > 1 ? crypto.randomUUID() : undefined
  const key = request.idempotencyKey ?? made
  const isRepeatable = operation.method !== 'POST' || key !== undefined
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
  return bodyType ? (body as string | Blob) : JSON.stringify(body)
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
