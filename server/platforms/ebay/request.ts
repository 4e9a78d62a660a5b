import { PlatformError } from '../errors.ts'
import type { Fetch } from '../port.ts'

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

/**
 * One HTTP exchange with eBay, bounded in time and size, never following a redirect (the request carries a token).
 * Throws PlatformError `unavailable` when there is no whole answer, `malformed` when it is too large; when the caller's
 * own signal ends it, what is thrown is that signal's reason.
 */
export async function request(
  fetch: Fetch,
  call: string,
  url: string,
  init: RequestInit,
  bounds: Bounds,
  signal?: AbortSignal,
): Promise<BoundedAnswer> {
  signal?.throwIfAborted()
  const timeout = AbortSignal.timeout(bounds.timeoutMs)
  try {
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
    return { status: response.status, headers: response.headers, text: await readBody(response, call, bounds.maxBytes) }
  } catch (cause) {
    signal?.throwIfAborted()
    if (cause instanceof PlatformError) throw cause
    const what = timeout.aborted
      ? `did not answer ${call} in ${bounds.timeoutMs} ms`
      : `could not be reached for ${call}`
    throw new PlatformError('ebay', 'unavailable', `eBay ${what}.`, {
      platformCode: timeout.aborted ? 'timeout' : 'network',
      cause,
    })
  }
}

async function readBody(response: Response, call: string, maxBytes: number): Promise<string> {
  if (!response.body) return ''
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of response.body) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) {
      throw new PlatformError('ebay', 'malformed', `eBay's answer to ${call} is larger than ${maxBytes} bytes.`)
    }
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
