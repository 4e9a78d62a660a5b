import type { PlatformFailure } from '../errors.ts'
import { PlatformError } from '../errors.ts'
import { type BoundedAnswer, jsonOf, plainText, retryAfterMs } from '../http.ts'
import { EtsyError } from './wire.ts'

/**
 * Returns the error of a failed answer, which is `{"error": "text"}` for every status. The text refines the status.
 * `invalid_token` is an expired token. A wrong API key is our fault, so no seller must reconnect for it.
 */
export function errorOfAnswer(call: string, answer: BoundedAnswer): PlatformError {
  const parsed = EtsyError.safeParse(jsonOf(answer.text))
  const error = parsed.success ? parsed.data.error : ''
  const description = parsed.success ? (parsed.data.error_description ?? error) : ''
  const failure = failureOf(answer.status, `${error} ${description}`)
  const reason = description ? plainText(description) : `HTTP ${answer.status}`
  return new PlatformError('etsy', failure, `Etsy refused ${call}: ${reason}`, {
    platformCode: codeOf(answer.status, error),
    retryAfterMs: retryAfterMs(answer.headers) ?? undefined,
  })
}

function failureOf(status: number, text: string): PlatformFailure {
  if (status === 429) return 'rate_limited'
  if (/\binvalid_token\b/.test(text)) return 'unauthorized'
  if ((status === 401 || status === 403) && /api[ _-]?key|x-api-key/i.test(text)) return 'refused'
  if (status === 401) return 'unauthorized'
  if (status === 404) return 'not_found'
  if (status === 408 || status >= 500) return 'unavailable'
  if (status >= 400) return 'refused'
  // HTML or a redirect instead of JSON comes from a maintenance page or a proxy, so a retry may succeed.
  return 'unavailable'
}

/** Returns Etsy's error code ("invalid_grant"), or else the status. */
function codeOf(status: number, error: string): string {
  return /^[a-z_]{3,40}$/.test(error) ? error : `http_${status}`
}

/** Returns the error of the token endpoint (RFC 6749 5.2). `invalid_grant` means that the grant is gone. */
export function errorOfOAuth(call: string, answer: BoundedAnswer): PlatformError {
  const refused = errorOfAnswer(call, answer)
  const failure = refused.platformCode ? oauthFailures[refused.platformCode] : undefined
  // The token endpoint refuses the client or the grant, never an access token.
  const other = refused.failure === 'unauthorized' || refused.failure === 'not_found' ? 'refused' : refused.failure
  return new PlatformError('etsy', failure ?? other, refused.message, {
    platformCode: refused.platformCode ?? undefined,
    retryAfterMs: refused.retryAfterMs ?? undefined,
  })
}

const oauthFailures: Record<string, PlatformFailure> = {
  invalid_grant: 'reconnect',
  temporarily_unavailable: 'unavailable',
  server_error: 'unavailable',
}
