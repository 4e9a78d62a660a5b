import { HttpProblem } from '#server/infra/errors.ts'
import { PlatformError } from '#server/integrations/errors.ts'
import type { ErrorCode } from '#shared/contract/errors.ts'
import { codeOf } from './ask-shop.ts'

/** From when on a person should look at a listing that does not come down. */
export const alertAfterMs = 5 * 60_000

/** How long something that was sent may still arrive and be shown: longer than any request and any stale answer. */
export const settleMs = 180_000

/** Attempts after which a listing that cannot be put up is given up. */
const maxFailures = 10

export interface Failure {
  /**
   * - `retry`: later, by itself
   * - `park`: when the seller has connected the shop again
   * - `give_up`: the platform said no
   */
  action: 'retry' | 'park' | 'give_up'
  afterMs: number
  error_code: ErrorCode
  error_message: string
}

/**
 * The consequence of a failed attempt. Taking down is never given up; running into a limit is
 * waiting, not failing.
 */
export function classifyFailure(
  error: unknown,
  operation: { kind: 'list' | 'delist' | 'reprice'; failures: number; cause: string; seen_ms_ago: number },
): Failure {
  const afterMs =
    operation.kind === 'delist'
      ? delistWaitMs(operation.failures, operation.seen_ms_ago)
      : backOffMs(operation.failures, 300_000)
  if (error instanceof PlatformError) return classifyPlatformError(error, operation, afterMs)
  if (error instanceof HttpProblem) return classifyProblem(error, operation.kind, afterMs)
  // Our own fault, or the database's: whatever it was, a listing that should come down should come down.
  const failure = { afterMs, error_code: 'internal', error_message: 'Something went wrong on our side.' } as const
  return { ...failure, action: operation.kind !== 'delist' && operation.failures >= maxFailures ? 'give_up' : 'retry' }
}

function classifyPlatformError(
  error: PlatformError,
  operation: { kind: string; failures: number; cause: string },
  afterMs: number,
): Failure {
  const reported = { error_code: codeOf(error), error_message: error.message } as const
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
    case 'not_found':
    case 'refused':
      return { ...reported, action: isSafety ? 'retry' : 'give_up', afterMs }
  }
}

/** Problems that are thrown below the adapters: the shop is not there, or the platform is not configured. */
function classifyProblem(problem: HttpProblem, kind: string, afterMs: number): Failure {
  const error_code = problem.code === 'not_found' ? 'connection_required' : problem.code
  const action = kind === 'delist' ? 'park' : problem.status >= 500 ? 'retry' : 'give_up'
  return { action, afterMs: action === 'park' ? 600_000 : afterMs, error_code, error_message: problem.message }
}

/** Half a second, doubled each time, at most `limitMs`. */
export function backOffMs(failures: number, limitMs: number): number {
  return Math.min(500 * 2 ** Math.min(failures, 20), limitMs)
}

/** When to try again to take a listing down that should be down for `sinceMs`. */
export function delistWaitMs(failures: number, sinceMs: number): number {
  return backOffMs(failures, longestWaitMs(30_000, sinceMs))
}

/** When to read again whether it shows: at first at once, then less and less often, as it has been `sinceMs`. */
export function rereadMs(sinceMs: number): number {
  return Math.round(Math.min(Math.max(sinceMs * 0.5, 250), longestWaitMs(15_000, sinceMs)))
}

/**
 * What is not to be had for hours is not asked for twice a minute: the calls of a platform's day belong to all sellers
 *. A twentieth of the time that it has been, at most half an hour: a day of it costs some hundred calls.
 */
function longestWaitMs(usualMs: number, sinceMs: number): number {
  return Math.min(Math.max(usualMs, sinceMs / 20), 1_800_000)
}
