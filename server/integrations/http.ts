import type { Fetch } from '#server/infra/fetch.ts'
import type { OAuthSlug } from '#shared/platforms.ts'
import { platformOf } from '#shared/platforms.ts'
import { PlatformError } from './errors.ts'

export interface BoundedAnswer {
  status: number
  headers: Headers
  text: string
}

export interface Bounds {
  /** From sending to the last byte. */
  timeoutMs: number
  /** Of the body, decompressed. */
  maxBytes: number
}

/** One HTTP exchange: `call` says in a few words what for, and stands in messages. */
export type Exchange = (call: string, url: string, init: RequestInit, signal?: AbortSignal) => Promise<BoundedAnswer>

/**
 * HTTP exchanges with a platform, bounded in time and size, never following a redirect (requests carry tokens).
 * Throws PlatformError `unavailable` when there is no whole answer, `malformed` when it is too large; when the caller's
 * own signal ends it, what is thrown is that signal's reason.
 */
export function createExchange(options: { platform: OAuthSlug; fetch: Fetch; bounds: Bounds }): Exchange {
  const { platform, fetch, bounds } = options
  const { name } = platformOf(platform)
  return async (call, url, init, signal) => {
    signal?.throwIfAborted()
    const timeout = AbortSignal.timeout(bounds.timeoutMs)
    try {
      const response = await fetch(url, {
        ...init,
        redirect: 'manual',
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      })
      const text = await readText(response, bounds.maxBytes)
      if (text !== null) return { status: response.status, headers: response.headers, text }
    } catch (cause) {
      signal?.throwIfAborted()
      if (cause instanceof PlatformError) throw cause
      const what = timeout.aborted
        ? `did not answer ${call} in ${bounds.timeoutMs} ms`
        : `could not be reached for ${call}`
      const platformCode = timeout.aborted ? 'timeout' : 'network'
      throw new PlatformError(platform, 'unavailable', `${name} ${what}.`, { platformCode, cause })
    }
    throw new PlatformError(
      platform,
      'malformed',
      `${name}'s answer to ${call} is larger than ${bounds.maxBytes} bytes.`,
      {
        platformCode: 'too_large',
      },
    )
  }
}

/** The body as text; null when it is larger than `maxBytes` (what is left of it is not read). */
async function readText(response: Response, maxBytes: number): Promise<string | null> {
  if (!response.body) return ''
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of response.body) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) return null
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/**
 * Milliseconds that a Retry-After header asks for, a day at most: seconds, or a date set against the answer's own
 * Date. Null where there is none, or none that is understood.
 */
export function retryAfterMs(headers: Headers): number | null {
  const text = headers.get('retry-after')?.trim()
  if (!text) return null
  const dayMs = 86_400_000
  if (/^\d{1,9}(\.\d+)?$/.test(text)) return Math.min(Math.ceil(Number(text) * 1000), dayMs)
  const wait = Date.parse(text) - Date.parse(headers.get('date') ?? '')
  return Number.isFinite(wait) ? Math.min(Math.max(0, wait), dayMs) : null
}

/** The value of a JSON text; undefined for anything else. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A platform's message, which may hold markup and run over pages, as one short line for a seller to read. */
export function plainText(text: string): string {
  const line = text
    .slice(0, 10_000)
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > 300 ? `${line.slice(0, 299)}…` : line
}
