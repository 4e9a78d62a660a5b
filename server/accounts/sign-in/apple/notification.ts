import { z } from 'zod'
import { HttpProblem } from '#server/infra/errors.ts'
import { identityRefused, verifyAppleToken } from './identity-token.ts'
import type { AppleKeys } from './keys.ts'

/** Apple repeats notifications for some days; refuse older ones as replays. */
const maxAgeSeconds = 7 * 86_400

export interface AppleNotification {
  /** `consent-revoked`, `account-delete`, `email-disabled`, `email-enabled`, or a later addition. */
  type: string
  subject: string
  /** Hash under which a used notification is stored. */
  tokenHash: Buffer
  /** The notification is refused as too old after this time. */
  expiresAt: Date
}

const Event = z.object({ type: z.string().max(100), sub: z.string().min(1).max(255) })
// Apple documents a JSON string inside the token, but its samples show an object.
const Events = z.union([
  Event,
  z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(Event),
])
const Claims = z.object({ iat: z.number(), events: Events })

/**
 * Reads a server-to-server notification: a token with Apple's signature for one of our client ids.
 * Throws `invalid_identity_token`, and `unavailable` when Apple's keys cannot be had.
 * Source: https://developer.apple.com/documentation/signinwithapple/processing-changes-for-sign-in-with-apple-accounts
 */
export async function readNotification(
  payload: string,
  options: { keys: AppleKeys; clientIds: string[]; now: Date },
): Promise<AppleNotification> {
  try {
    const verified = await verifyAppleToken(payload, { ...options, requiredClaims: ['iat', 'events'], maxAgeSeconds })
    const { iat, events } = Claims.parse(verified.payload)
    return {
      type: events.type,
      subject: events.sub,
      tokenHash: verified.tokenHash,
      expiresAt: new Date((iat + maxAgeSeconds) * 1000),
    }
  } catch (error) {
    if (error instanceof HttpProblem) throw error
    throw identityRefused(error)
  }
}
