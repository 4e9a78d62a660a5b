import type { OAuthSlug } from '#shared/platforms.ts'
import type { Fault } from './refusal.ts'

/**
 * Reasons for a failed call, the same for all platforms (each adapter translates in its own errors.ts):
 * - `unauthorized`: the access token is rejected; refresh it once, then the seller must reconnect
 * - `reconnect`: the platform says that the grant itself is gone
 * - `rate_limited`, `unavailable`: try later (retryAfterMs when the platform says when)
 * - `not_found`: the listing no longer exists
 * - `refused`: understood and refused; a retry cannot succeed
 * - `not_yet`: refused for now; the same call succeeds once something has passed (retryAfterMs when that is known)
 * - `malformed`: the answer is not in the platform's own form
 */
export type PlatformFailure =
  | 'unauthorized'
  | 'reconnect'
  | 'rate_limited'
  | 'unavailable'
  | 'not_found'
  | 'refused'
  | 'not_yet'
  | 'malformed'

/** Thrown by every adapter when its platform fails or refuses a call. */
export class PlatformError extends Error {
  override name = 'PlatformError'
  readonly platform: OAuthSlug
  readonly failure: PlatformFailure
  /** The platform's own code, for the log and the operator. */
  readonly platformCode: string | null
  /** The fields of the request that the platform names, in its own words. */
  readonly fields: readonly string[]
  /** The platform's reasons, each with its code. */
  readonly faults: readonly Fault[]
  readonly retryAfterMs: number | null

  constructor(
    platform: OAuthSlug,
    failure: PlatformFailure,
    message: string,
    details: {
      platformCode?: string
      fields?: readonly string[]
      faults?: readonly Fault[]
      retryAfterMs?: number
      cause?: unknown
    } = {},
  ) {
    super(message, { cause: details.cause })
    this.platform = platform
    this.failure = failure
    this.platformCode = details.platformCode ?? null
    this.fields = details.fields ?? []
    this.faults = details.faults ?? []
    this.retryAfterMs = details.retryAfterMs ?? null
  }

  /** True when the same call may succeed later without any action. */
  get retryable(): boolean {
    return this.failure === 'rate_limited' || this.failure === 'unavailable'
  }
}

/** Returns true for a PlatformError of this kind. */
export function isFailure(error: unknown, failure: PlatformFailure): error is PlatformError {
  return error instanceof PlatformError && error.failure === failure
}
