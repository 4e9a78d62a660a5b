import type { PlatformFailure } from '../errors.ts'
import { PlatformError } from '../errors.ts'
import { plainText, retryAfterMs } from '../http.ts'
import { statedWaitMs } from './call-limits.ts'
import { knownRefusal } from './refusals.ts'
import type { TradingAnswer } from './wire.ts'

type TradingErrors = TradingAnswer['Errors']

/**
 * Trading error codes with a failure of their own. Every other code is `unavailable` if eBay calls it a SystemError,
 * and `refused` otherwise. Codes are the same in every language; texts are not.
 */
const failures: Record<string, PlatformFailure> = {
  // Token missing, invalid or expired, also OAuth ("IAF") tokens; revoked by the user.
  930: 'unauthorized',
  931: 'unauthorized',
  932: 'unauthorized',
  16110: 'unauthorized',
  21916013: 'unauthorized',
  21916984: 'unauthorized',
  21917053: 'unauthorized',
  // Call limits: the application's of a day, and the seller's of a short window.
  518: 'rate_limited',
  21919144: 'rate_limited',
  // Deleted, or another seller's.
  17: 'not_found',
  10007: 'unavailable',
}

/** Precedence among several errors: failures of the whole call before failures of one listing. */
const precedence: PlatformFailure[] = ['unauthorized', 'rate_limited', 'unavailable', 'not_found', 'refused']

/** "Page number is out of range": the list became shorter after its pages were counted. */
export const pageOutOfRange = '340'

/** Returns the error of an answer with Ack Failure or PartialFailure, ignoring its warnings. */
export function errorOfTrading(call: string, errors: TradingErrors): PlatformError {
  const classified = errors
    .filter((error) => error.SeverityCode !== 'Warning')
    .map((error) => ({ ...error, failure: failureOfTrading(error) }))
    .sort((a, b) => precedence.indexOf(a.failure) - precedence.indexOf(b.failure))
  const first = classified[0]
  if (!first) return new PlatformError('ebay', 'malformed', `eBay refused ${call} without giving a reason.`)
  const reason = plainText(first.LongMessage || first.ShortMessage || first.ErrorClassification || 'no reason given')
  const known = first.failure === 'refused' ? knownRefusal(first.ErrorCode ?? '', reason, reason) : null
  if (known) return known
  const isShort = first.ErrorCode === '21919144'
  return new PlatformError('ebay', first.failure, `eBay refused ${call}: ${reason}`, {
    platformCode: first.ErrorCode ?? first.ErrorClassification,
    retryAfterMs: isShort ? (statedWaitMs(reason) ?? 30_000) : undefined,
  })
}

function failureOfTrading(error: TradingErrors[number]): PlatformFailure {
  const known = failures[error.ErrorCode ?? '']
  return known ?? (error.ErrorClassification === 'SystemError' ? 'unavailable' : 'refused')
}

/** Returns the error for an HTTP status whose body is not understood. */
export function errorOfStatus(call: string, response: { status: number; headers: Headers }): PlatformError {
  const { status } = response
  const details = { platformCode: `http_${status}`, retryAfterMs: retryAfterMs(response.headers) ?? undefined }
  const errorOf = (failure: PlatformFailure) =>
    new PlatformError('ebay', failure, `eBay answered ${call} with HTTP ${status}.`, details)
  if (status === 401) return errorOf('unauthorized')
  if (status === 429) return errorOf('rate_limited')
  if (status === 404) return errorOf('not_found')
  if (status === 408 || status >= 500) return errorOf('unavailable')
  if (status >= 400) return errorOf('refused')
  // HTML instead of XML or JSON comes from a maintenance page or a proxy, so a retry may succeed.
  return errorOf('unavailable')
}

/** Returns true if eBay itself did not answer, because the network or a proxy failed. */
export function isOfTransport(error: PlatformError): boolean {
  return /^(http_\d+|timeout|network|not_xml|not_json)$/.test(error.platformCode ?? '')
}

/** Returns the error of an OAuth refusal (RFC 6749 5.2). After `invalid_grant` the seller must sign in again. */
export function errorOfOAuth(
  call: string,
  body: { error: string; error_description?: string | undefined },
): PlatformError {
  const failure: PlatformFailure =
    body.error === 'invalid_grant'
      ? 'reconnect'
      : body.error === 'temporarily_unavailable' || body.error === 'server_error'
        ? 'unavailable'
        : 'refused'
  const reason = plainText(body.error_description ?? body.error)
  return new PlatformError('ebay', failure, `eBay refused ${call}: ${reason}`, { platformCode: body.error })
}

/** Returns the error of a REST error body. Ids 1001 and 1002 concern the access token. */
export function errorOfRest(
  call: string,
  response: { status: number; headers: Headers },
  errors: { errorId: number; message?: string | undefined }[],
): PlatformError {
  const first = errors[0]
  const byStatus = errorOfStatus(call, response)
  if (!first) return byStatus
  const reason = plainText(first.message ?? `error ${first.errorId}`)
  if (byStatus.failure === 'refused') {
    for (const { errorId, message } of errors) {
      const known = knownRefusal(String(errorId), plainText(message ?? 'no reason given'))
      if (known) return known
    }
  }
  const tokenIsWrong = first.errorId === 1001 || first.errorId === 1002
  return new PlatformError(
    'ebay',
    tokenIsWrong ? 'unauthorized' : byStatus.failure,
    `eBay refused ${call}: ${reason}`,
    { platformCode: String(first.errorId), retryAfterMs: byStatus.retryAfterMs ?? undefined },
  )
}
