import { isDatabaseUnavailable, isSerializationFailure } from '#server/infra/db/index.ts'
import { HttpProblem } from '#server/infra/errors.ts'
import { PlatformError } from '#server/integrations/errors.ts'
import { type PlatformSlug, platformOf } from '#shared/platforms.ts'

type FailureAction =
  /** Continue later. `reason` is for the seller; `free`: a rate limit, which does not count as a failure. */
  | { kind: 'wait'; seconds: number; free: boolean; reason: string }
  /** End the job. The message is for the seller. */
  | { kind: 'fail'; message: string; lostConnection?: boolean }
  /** Nothing can be written now. The queue retries. */
  | { kind: 'rethrow' }

const maxAttempts = { unavailable: 20, malformed: 3, internal: 5 } as const
const longestWaitSeconds = 300

/**
 * Decides what to do when a run stopped with an error. Rate limits are waited out, outages for more than an hour,
 * malformed answers tried three times. An error that only the seller can fix ends the job at once. `attempts`: failures
 * since the last progress, including this one.
 */
export function classifyFailure(error: unknown, attempts: number, platform: PlatformSlug): FailureAction {
  const { name } = platformOf(platform)
  if (isDatabaseUnavailable(error) || isSerializationFailure(error)) return { kind: 'rethrow' }
  if (error instanceof PlatformError) return classifyPlatformError(error, attempts, name)
  if (error instanceof HttpProblem && error.status === 404) {
    return { kind: 'fail', message: `The ${name} shop was disconnected.` }
  }
  if (error instanceof HttpProblem) {
    return { kind: 'fail', message: error.message, lostConnection: error.code === 'reconnect_required' }
  }
  return attempts < maxAttempts.internal
    ? wait(attempts, 'Something went wrong on our side.')
    : {
        kind: 'fail',
        message: 'Something went wrong on our side, several times. What was imported until then is kept.',
      }
}

function classifyPlatformError(error: PlatformError, attempts: number, name: string): FailureAction {
  switch (error.failure) {
    case 'unauthorized':
    case 'reconnect':
      return {
        kind: 'fail',
        lostConnection: true,
        message: `${name} no longer accepts our access to this shop. Connect it again and the import goes on; what was imported until now is kept.`,
      }
    case 'rate_limited':
      return {
        kind: 'wait',
        seconds: secondsOf(error) ?? backoff(attempts),
        free: true,
        reason: `${name} limits how fast we may read.`,
      }
    case 'unavailable':
      if (attempts >= maxAttempts.unavailable) break
      return {
        kind: 'wait',
        seconds: secondsOf(error) ?? backoff(attempts),
        free: false,
        reason: `${name} is not answering.`,
      }
    case 'malformed':
      if (attempts >= maxAttempts.malformed) break
      return wait(attempts, `${name} sent an answer that we do not understand.`)
  }
  return { kind: 'fail', message: `${name} did not show the listings: ${error.message}` }
}

const wait = (attempts: number, reason: string): FailureAction => ({
  kind: 'wait',
  seconds: backoff(attempts),
  free: false,
  reason,
})
const backoff = (attempts: number) => Math.min(longestWaitSeconds, 2 ** Math.max(0, attempts - 1))
const secondsOf = (error: PlatformError) => (error.retryAfterMs === null ? null : Math.ceil(error.retryAfterMs / 1000))
