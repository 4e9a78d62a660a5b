import { maxAnswerChars } from '#extension/messaging/limits.ts'
import type { PageAnswer, PageProbe, PageRequest } from '#extension/platforms/port.ts'

/** Timeout of a page of the platform, in ms. */
const fetchTimeoutMs = 30_000

/**
 * Fetches a URL in the page's origin with its cookies, like the page's own scripts. Never throws: failures have status
 * 0.
 */
export async function fetchPage(request: PageRequest, probe: PageProbe): Promise<PageAnswer> {
  const nothing = { url: request.url, status: 0, text: '' }
  try {
    const answer = await (probe.fetch ?? fetchSameOrigin)(request, AbortSignal.timeout(fetchTimeoutMs))
    return answer === null || answer.text.length > maxAnswerChars ? nothing : answer
  } catch {
    // No network or a timeout. The worker counts these and stops in time.
    return nothing
  }
}

async function fetchSameOrigin(request: PageRequest, signal: AbortSignal): Promise<PageAnswer | null> {
  if (new URL(request.url).origin !== location.origin) return null
  const response = await fetch(request.url, {
    headers: { accept: request.accept === 'json' ? 'application/json' : 'text/html' },
    credentials: 'same-origin',
    signal,
  })
  return { url: response.url, status: response.status, text: await response.text() }
}
