import type { PlatformFailure } from '../errors.ts'
import { PlatformError } from '../errors.ts'
import { type BoundedAnswer, jsonOf, plainText, retryAfterMs } from '../http.ts'
import { EtsyError } from './wire.ts'

/**
 * The failure behind an answer that is no success (platforms 2.1, 2.4: `{"error": "text"}` for every status). The text
 * decides where the status does not: a missing scope is a 401, an expired token `invalid_token`, and a wrong API key is
 * our own fault, for which no seller must sign in again.
 */
export function errorOfAnswer(call: string, answer: BoundedAnswer): PlatformError {
  const said = EtsyError.safeParse(jsonOf(answer.text))
  const error = said.success ? said.data.error : ''
  const description = said.success ? (said.data.error_description ?? error) : ''
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
  // A page of HTML or a redirect where JSON should be is a maintenance page or a proxy: it passes.
  return 'unavailable'
}

/** Etsy's own word where it gives one ("invalid_grant"), else the status. */
function codeOf(status: number, error: string): string {
  return /^[a-z_]{3,40}$/.test(error) ? error : `http_${status}`
}

/** The failure behind the token endpoint's answer (RFC 6749 5.2): `invalid_grant` means that the grant is gone. */
export function errorOfOAuth(call: string, answer: BoundedAnswer): PlatformError {
  const refused = errorOfAnswer(call, answer)
  const failure = refused.platformCode ? oauthFailures[refused.platformCode] : undefined
  // An answer of the token endpoint is about the client or the grant, never about an access token.
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
