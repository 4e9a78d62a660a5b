import type { PlatformFailure } from '../errors.ts'
import { PlatformError } from '../errors.ts'
import { plainText, retryAfterMs } from '../http.ts'
import { statedWaitMs } from './call-limits.ts'
import type { TradingAnswer } from './wire.ts'

type TradingErrors = TradingAnswer['Errors']

/**
 * Trading error codes that mean something for what we do next; every other code is `refused`, or `unavailable` where
 * eBay calls it a SystemError. The codes stay the same in every language, the texts do not.
 */
const failures: Record<string, PlatformFailure> = {
  // Token missing, invalid, expired; the same for OAuth ("IAF") tokens; revoked by the user.
  930: 'unauthorized',
  931: 'unauthorized',
  932: 'unauthorized',
  16110: 'unauthorized',
  21916013: 'unauthorized',
  21916984: 'unauthorized',
  21917053: 'unauthorized',
  // Call limits: of the application for the day, and of the seller for a short while.
  518: 'rate_limited',
  21919144: 'rate_limited',
  // Deleted, or not this seller's.
  17: 'not_found',
  10007: 'unavailable',
}

/** Which of several errors decides: what stops everything before what concerns one listing. */
const precedence: PlatformFailure[] = ['unauthorized', 'rate_limited', 'unavailable', 'not_found', 'refused']

/** "Page number is out of range": the list has become shorter since its pages were counted. */
export const pageOutOfRange = '340'

/** The failure that an answer with Ack Failure or PartialFailure stands for. Warnings in it do not count. */
export function errorOfTrading(call: string, errors: TradingErrors): PlatformError {
  const judged = errors
    .filter((error) => error.SeverityCode !== 'Warning')
    .map((error) => ({ ...error, failure: failureOfTrading(error) }))
    .sort((a, b) => precedence.indexOf(a.failure) - precedence.indexOf(b.failure))
  const first = judged[0]
  if (!first) return new PlatformError('ebay', 'malformed', `eBay refused ${call} without giving a reason.`)
  const reason = plainText(first.LongMessage || first.ShortMessage || first.ErrorClassification || 'no reason given')
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

/** The failure behind an HTTP status whose body says nothing that we understand. */
export function errorOfStatus(call: string, response: { status: number; headers: Headers }): PlatformError {
  const { status } = response
  const details = { platformCode: `http_${status}`, retryAfterMs: retryAfterMs(response.headers) ?? undefined }
  const say = (failure: PlatformFailure) =>
    new PlatformError('ebay', failure, `eBay answered ${call} with HTTP ${status}.`, details)
  if (status === 401) return say('unauthorized')
  if (status === 429) return say('rate_limited')
  if (status === 404) return say('not_found')
  if (status === 408 || status >= 500) return say('unavailable')
  if (status >= 400) return say('refused')
  // A page of HTML where XML or JSON should be is a maintenance page or a proxy: it passes.
  return say('unavailable')
}

/** True when there was no answer of eBay's own: the line, a proxy or a front door failed, whoever was asked for. */
export function isOfTransport(error: PlatformError): boolean {
  return /^(http_\d+|timeout|network|not_xml|not_json)$/.test(error.platformCode ?? '')
}

/** The failure behind an OAuth error (RFC 6749 5.2): `invalid_grant` means that the seller must sign in again. */
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

/** The failure behind a REST error body; `1001` and its neighbours are about the access token. */
export function errorOfRest(
  call: string,
  response: { status: number; headers: Headers },
  errors: { errorId: number; message?: string | undefined }[],
): PlatformError {
  const first = errors[0]
  const byStatus = errorOfStatus(call, response)
  if (!first) return byStatus
  const tokenIsWrong = first.errorId === 1001 || first.errorId === 1002
  return new PlatformError(
    'ebay',
    tokenIsWrong ? 'unauthorized' : byStatus.failure,
    `eBay refused ${call}: ${plainText(first.message ?? `error ${first.errorId}`)}`,
    { platformCode: String(first.errorId), retryAfterMs: byStatus.retryAfterMs ?? undefined },
  )
}
