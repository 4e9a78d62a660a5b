import { HttpProblem } from '#server/infra/errors.ts'
import { utcText } from '#server/infra/utc-text.ts'
import { PlatformError } from '#server/integrations/errors.ts'
import type { ErrorCode } from '#shared/contract/declaring/errors.ts'
import type { ListingOperation } from '../operation.ts'

/** When a take-down is overdue: its alert is mailed and pushed, and the event goes out. */
export const alertAfterMs = 5 * 60_000

/** When the listing of a sold item that does not come down is shown as an alert. Most take-downs take two seconds. */
export const showAfterMs = 10_000

/** How long a sent request may take to arrive and show: longer than any request and any stale answer. */
export const settleMs = 180_000

/** How long a change is held that the platform takes later: longer than any open offer and any day's limit. */
const longestTurnMs = 3 * 86_400_000

/** When such a change is tried again, where the platform does not say. */
const askAgainMs = 3_600_000

/** Attempts after which a listing fails. */
const maxFailures = 10

export interface Failure {
  /**
   * - `retry`: try again later
   * - `park`: wait until the seller reconnects the shop
   * - `give_up`: the platform refused
   */
  action: 'retry' | 'park' | 'give_up'
  afterMs: number
  error_code: ErrorCode
  error_message: string
  /** The platform takes it later, so this attempt counts as none. */
  isWait?: true
  /** Nobody but the seller can act until then, so the alert is not put off. */
  needsSeller?: true
}

/** Decides what follows from a failed attempt. Delisting is never given up. A rate limit is a wait, not a failure. */
export function classifyFailure(
  error: unknown,
  operation: { kind: ListingOperation['kind']; failures: number; cause: string; seen_ms_ago: number },
): Failure {
  const afterMs =
    operation.kind === 'delist'
      ? delistWaitMs(operation.failures, operation.seen_ms_ago)
      : backOffMs(operation.failures, 300_000)
  if (error instanceof PlatformError) return classifyPlatformError(error, operation, afterMs)
  if (error instanceof HttpProblem) return classifyProblem(error, operation.kind, afterMs)
  // A fault of ours or of the database. A delist goes on all the same.
  const failure = { afterMs, error_code: 'internal', error_message: 'Something went wrong on our side.' } as const
  return { ...failure, action: operation.kind !== 'delist' && operation.failures >= maxFailures ? 'give_up' : 'retry' }
}

function classifyPlatformError(
  error: PlatformError,
  operation: { kind: string; failures: number; cause: string; seen_ms_ago: number },
  afterMs: number,
): Failure {
  const reported = { error_code: 'platform_failed', error_message: error.message } as const
  const isSafety = operation.kind === 'delist'
  switch (error.failure) {
    case 'rate_limited':
      return { ...reported, action: 'retry', afterMs: Math.max(error.retryAfterMs ?? afterMs, 250) }
    case 'reconnect':
    case 'unauthorized':
      return {
        action: isSafety || operation.cause === 'bulk' ? 'park' : 'give_up',
        afterMs: 600_000,
        error_code: 'reconnect_required',
        error_message: error.message,
      }
    case 'unavailable':
    case 'malformed': {
      const isOver = !isSafety && operation.failures >= maxFailures
      return { ...reported, action: isOver ? 'give_up' : 'retry', afterMs: Math.max(error.retryAfterMs ?? 0, afterMs) }
    }
    case 'not_yet':
      return isSafety
        ? {
            ...{ ...reported, action: 'retry', needsSeller: true },
            afterMs: Math.min(afterMs, error.retryAfterMs ?? afterMs),
          }
        : waitForTurn(reported, { sinceMs: operation.seen_ms_ago, waitMs: error.retryAfterMs ?? askAgainMs })
    case 'not_found':
    case 'refused':
      return { ...reported, action: isSafety ? 'retry' : 'give_up', afterMs }
  }
}

/** Tries a change again that the platform takes later, for three days, and says so. */
function waitForTurn(
  reported: Pick<Failure, 'error_code' | 'error_message'>,
  { sinceMs, waitMs }: { sinceMs: number; waitMs: number },
): Failure {
  const leftMs = longestTurnMs - sinceMs
  if (leftMs <= 0) return { ...reported, action: 'give_up', afterMs: 0 }
  const afterMs = Math.min(Math.max(waitMs, 1_000), leftMs)
  const [next, last] = [afterMs, leftMs].map((ms) => utcText(Date.now() + ms))
  const plan = next === last ? `at ${next}, for the last time` : `at ${next}, and for the last time at ${last}`
  return {
    ...{ action: 'retry', isWait: true, afterMs },
    error_code: reported.error_code,
    error_message: `${reported.error_message} Hapax tries again ${plan}.`,
  }
}

/** Classifies problems thrown below the adapters: no such shop, or a platform that is not configured. */
function classifyProblem(problem: HttpProblem, kind: string, afterMs: number): Failure {
  const error_code = problem.code === 'not_found' ? 'connection_required' : problem.code
  const action = kind === 'delist' ? 'park' : problem.status >= 500 ? 'retry' : 'give_up'
  return { action, afterMs: action === 'park' ? 600_000 : afterMs, error_code, error_message: problem.message }
}

/** Returns half a second, doubled with each failure, at most `limitMs`. */
function backOffMs(failures: number, limitMs: number): number {
  return Math.min(500 * 2 ** Math.min(failures, 20), limitMs)
}

/** Returns the wait before delisting again, for a listing that should have been down for `sinceMs`. */
export function delistWaitMs(failures: number, sinceMs: number): number {
  return backOffMs(failures, longestWaitMs(30_000, sinceMs))
}

/** Returns the wait before reading back again: short at first, longer with the time since. */
export function rereadMs(sinceMs: number): number {
  return Math.round(Math.min(Math.max(sinceMs * 0.5, 250), longestWaitMs(15_000, sinceMs)))
}

/**
 * Caps the wait at a twentieth of the time so far, at most half an hour. A day of failures then costs about a hundred
 * of the platform's calls, which all sellers share.
 */
function longestWaitMs(usualMs: number, sinceMs: number): number {
  return Math.min(Math.max(usualMs, sinceMs / 20), 1_800_000)
}
