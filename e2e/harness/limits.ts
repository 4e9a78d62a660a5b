import { type LimitSettings, realLimits } from '#server/http/limits/limit-settings.ts'
import type { RateLimits } from '#server/http/limits/rate-limit.ts'

/** Allows every request. */
export const unlimited: RateLimits = { limitAddress: async () => {}, limitPrincipal: async () => {} }

const never = 1_000_000_000

/**
 * Without limits by address, since all tests share one. Limits by account, email address or number are part of an
 * endpoint's behavior and stay.
 */
export const withoutAddressLimits: LimitSettings = {
  ...realLimits,
  keyPerMinute: never,
  userPerMinute: never,
  anonymousPerMinute: never,
  issuingPerMinute: never,
  pushesPerMinute: never,
  documentsPerMinute: never,
  imagesPerMinute: never,
  openPerAccount: never,
  openPerAddress: never,
  unknownTokensPerMinute: never,
  takenEmailsPerHour: never,
  textsPerHourAndAddress: never,
  textsPerHourAndRange: never,
  textsPerHourInAll: never,
}
