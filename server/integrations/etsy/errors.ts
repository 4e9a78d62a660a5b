import type { PlatformError, PlatformFailure } from '../errors.ts'
import { type BoundedAnswer, retryAfterMs } from '../http.ts'
import { type Fault, readFaults, refusalOf } from '../refusal.ts'
import { findRefusal } from './refusals.ts'

/**
 * Returns the error of a failed answer, with Etsy's own words and the fields that they are about. Both refine the
 * status: `invalid_token` is an expired token, and a wrong API key is our fault, so no seller must reconnect for it.
 */
export function errorOfAnswer(call: string, answer: BoundedAnswer): PlatformError {
  const faults = readFaults(answer.text).map(withField)
  return errorOf(call, answer, faults, failureOf(answer.status, faults))
}

function errorOf(
  call: string,
  answer: BoundedAnswer,
  faults: readonly Fault[],
  failure: PlatformFailure,
): PlatformError {
  const known = failure === 'refused' ? faults.map(findRefusal).find((row) => row !== undefined) : undefined
  return refusalOf('etsy', failure, {
    call,
    faults,
    help: known?.help,
    name: known?.code,
    logCode: `http_${answer.status}`,
    retryAfterMs: retryAfterMs(answer.headers) ?? undefined,
  })
}

/** Etsy's older form puts the field into the sentence. */
function withField(fault: Fault): Fault {
  const [, field, words] = /^There was a problem with \/?(\S+)\s*:\s*(.*)$/s.exec(fault.words) ?? []
  return field === undefined || words === undefined ? fault : { ...fault, field, words }
}

function failureOf(status: number, faults: readonly Fault[]): PlatformFailure {
  const text = faults.map(({ code, words }) => `${code} ${words}`).join(' ')
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

/** Returns the error of the token endpoint (RFC 6749 5.2). `invalid_grant` means that the grant is gone. */
export function errorOfOAuth(call: string, answer: BoundedAnswer): PlatformError {
  const faults = readFaults(answer.text)
  const failure = failureOf(answer.status, faults)
  // The token endpoint refuses the client or the grant, never an access token.
  const other = failure === 'unauthorized' || failure === 'not_found' ? 'refused' : failure
  return errorOf(call, answer, faults, oauthFailures[faults[0]?.code ?? ''] ?? other)
}

const oauthFailures: Record<string, PlatformFailure> = {
  invalid_grant: 'reconnect',
  temporarily_unavailable: 'unavailable',
  server_error: 'unavailable',
}
