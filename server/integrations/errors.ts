import type { OAuthSlug } from '#shared/platforms.ts'

/**
 * Why a platform did not do what was asked, in our words (each adapter translates in its own errors.ts):
 * - `unauthorized`: the access token is not accepted; refresh it once, then the seller must reconnect
 * - `reconnect`: the platform says that the grant itself is gone
 * - `rate_limited`, `unavailable`: try later (retryAfterMs when the platform says when)
 * - `not_found`: there is no such listing any more
 * - `refused`: understood and refused; trying again is pointless
 * - `malformed`: the answer is not in the platform's own form
 */
export type PlatformFailure =
  | 'unauthorized'
  | 'reconnect'
  | 'rate_limited'
  | 'unavailable'
  | 'not_found'
  | 'refused'
  | 'malformed'

/** What every adapter throws when its platform did not do what was asked. */
export class PlatformError extends Error {
  override name = 'PlatformError'
  readonly platform: OAuthSlug
  readonly failure: PlatformFailure
  /** The platform's own code, for the log and the operator. */
  readonly platformCode: string | null
  readonly retryAfterMs: number | null

  constructor(
    platform: OAuthSlug,
    failure: PlatformFailure,
    message: string,
    details: { platformCode?: string; retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: details.cause })
    this.platform = platform
    this.failure = failure
    this.platformCode = details.platformCode ?? null
    this.retryAfterMs = details.retryAfterMs ?? null
  }

  /** True when the same call may succeed later without anybody doing anything. */
  get retryable(): boolean {
    return this.failure === 'rate_limited' || this.failure === 'unavailable'
  }
}
