import { isDatabaseUnavailable, isSerializationFailure } from '#server/infra/db/index.ts'
import { HttpProblem } from '#server/infra/errors.ts'
import { PlatformError } from '#server/integrations/errors.ts'
import { type PlatformSlug, platformOf } from '#shared/platforms.ts'

export type Remedy =
  /** Go on later; `free`: it was the platform's wish, and does not count as a failure. */
  | { kind: 'wait'; seconds: number; free: boolean }
  /** The job is over; the message is for the seller. */
  | { kind: 'fail'; message: string; lostConnection?: boolean }
  /** Nothing can be written now: the queue's own retry takes care. */
  | { kind: 'rethrow' }

const maxAttempts = { unavailable: 20, malformed: 3, internal: 5 } as const
const longestWaitSeconds = 300

/**
 * What to do when a run of an import stopped with an error. Limits are waited out, an outage for more than an hour, an
 * answer that is not understood is asked for three times; what only the seller can mend ends the job at once.
 * `attempts`: how often it failed since the last thing that got done, this time included.
 */
export function afterFailure(error: unknown, attempts: number, platform: PlatformSlug): Remedy {
  const { name } = platformOf(platform)
  if (isDatabaseUnavailable(error) || isSerializationFailure(error)) return { kind: 'rethrow' }
  if (error instanceof PlatformError) return afterPlatformError(error, attempts, name)
  if (error instanceof HttpProblem && error.status === 404) {
    return { kind: 'fail', message: `The ${name} shop was disconnected.` }
  }
  if (error instanceof HttpProblem) {
    return { kind: 'fail', message: error.message, lostConnection: error.code === 'reconnect_required' }
  }
  return attempts < maxAttempts.internal
    ? wait(attempts)
    : {
        kind: 'fail',
        message: 'Something went wrong on our side, several times. What was imported until then is kept.',
      }
}

function afterPlatformError(error: PlatformError, attempts: number, name: string): Remedy {
  switch (error.failure) {
    case 'unauthorized':
    case 'reconnect':
      return {
        kind: 'fail',
        lostConnection: true,
        message: `${name} no longer accepts our access to this shop. Connect it again and the import goes on; what was imported until now is kept.`,
      }
    case 'rate_limited':
      return { kind: 'wait', seconds: secondsOf(error) ?? backoff(attempts), free: true }
    case 'unavailable':
      if (attempts >= maxAttempts.unavailable) break
      return { kind: 'wait', seconds: secondsOf(error) ?? backoff(attempts), free: false }
    case 'malformed':
      if (attempts >= maxAttempts.malformed) break
      return wait(attempts)
  }
  return { kind: 'fail', message: `${name} did not show the listings: ${error.message}` }
}

const wait = (attempts: number): Remedy => ({ kind: 'wait', seconds: backoff(attempts), free: false })
const backoff = (attempts: number) => Math.min(longestWaitSeconds, 2 ** Math.max(0, attempts - 1))
const secondsOf = (error: PlatformError) => (error.retryAfterMs === null ? null : Math.ceil(error.retryAfterMs / 1000))
