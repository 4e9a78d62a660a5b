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
  /** Maximum size of the decompressed body. */
  maxBytes: number
}

/** One HTTP exchange; `call` names it in error messages. */
export type Exchange = (call: string, url: string, init: RequestInit, signal?: AbortSignal) => Promise<BoundedAnswer>

/**
 * Creates HTTP exchanges with a platform, bounded in time and size. Redirects are never followed, because requests
 * carry tokens. Throws PlatformError `unavailable` without a complete answer, `malformed` for one that is too large,
 * and the signal's reason when the caller aborts.
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
      const problem = timeout.aborted
        ? `did not answer ${call} in ${bounds.timeoutMs} ms`
        : `could not be reached for ${call}`
      const platformCode = timeout.aborted ? 'timeout' : 'network'
      throw new PlatformError(platform, 'unavailable', `${name} ${problem}.`, { platformCode, cause })
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

/** Reads the body as text; null when it is larger than `maxBytes`. */
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
 * Returns the milliseconds of a Retry-After header, a day at most: seconds, or a date relative to the answer's own
 * Date. Null where it is missing or malformed.
 */
export function retryAfterMs(headers: Headers): number | null {
  const text = headers.get('retry-after')?.trim()
  if (!text) return null
  const dayMs = 86_400_000
  if (/^\d{1,9}(\.\d+)?$/.test(text)) return Math.min(Math.ceil(Number(text) * 1000), dayMs)
  const wait = Date.parse(text) - Date.parse(headers.get('date') ?? '')
  return Number.isFinite(wait) ? Math.min(Math.max(0, wait), dayMs) : null
}

/** Parses JSON; undefined for anything else. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Shortens a platform's message, which may contain markup, to one plain line for the seller. */
export function plainText(text: string): string {
  const line = text
    .slice(0, 10_000)
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > 300 ? `${line.slice(0, 299)}…` : line
}
