import { createHash } from 'node:crypto'
import { decodeProtectedHeader, type JWTPayload, jwtVerify } from 'jose'
import { z } from 'zod'
import { normalizeEmail } from '#server/accounts/contact/email.ts'
import { HttpProblem, problem } from '#server/infra/errors.ts'
import type { AppleKeys } from './keys.ts'

/** Who Apple is in a token, wherever its server is reached. */
export const appleIssuer = 'https://appleid.apple.com'

/** A token is shown at once after signing in; an older one was lying about. */
const maxAgeSeconds = 600
const skewSeconds = 60

const yes = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')])

const Claims = z.object({
  sub: z.string().min(1).max(255),
  // A token for several audiences may have been shown to another app before.
  aud: z.string(),
  iat: z.number(),
  exp: z.number(),
  email: z.string().max(320).optional(),
  email_verified: yes.optional(),
})

export interface AppleIdentity {
  subject: string
  /** The client id the token was issued to: the app's, or the web pages' Services ID. */
  clientId: string
  /** The signed and verified address, normalized; null when the token has none that can be relied on. */
  email: string | null
  /** The hash under which a used token is stored. */
  tokenHash: Buffer
  expiresAt: Date
}

/**
 * Reads an identity token of Apple's: RS256 with a key of Apple's, issuer, one of our client ids as its audience, not expired,
 * not from the future, at most ten minutes old. Throws `invalid_identity_token`, the same for every fault, and
 * `unavailable` when Apple's keys cannot be had. Keys that a token itself offers (jku, x5u, jwk) are never looked at.
 */
export async function readIdentityToken(
  token: string,
  options: { keys: AppleKeys; clientIds: string[]; now: Date },
): Promise<AppleIdentity> {
  try {
    const { payload, tokenHash } = await verifyAppleToken(token, {
      ...options,
      requiredClaims: ['sub', 'iat', 'exp'],
      maxAgeSeconds,
    })
    const claims = Claims.parse(payload)
    return {
      subject: claims.sub,
      clientId: claims.aud,
      email: claims.email && claims.email_verified ? normalizeEmail(claims.email) : null,
      tokenHash,
      expiresAt: new Date(claims.exp * 1000),
    }
  } catch (error) {
    if (error instanceof HttpProblem) throw error
    throw identityRefused(error)
  }
}

/**
 * Verifies Apple's signature, issuer, audience and age. `tokenHash` covers the signed part only, since a signature can
 * be spelled in several ways. Throws any error for a bad token, and `unavailable` when Apple's keys cannot be had.
 */
export async function verifyAppleToken(
  token: string,
  options: { keys: AppleKeys; clientIds: string[]; now: Date; requiredClaims: string[]; maxAgeSeconds: number },
): Promise<{ payload: JWTPayload; tokenHash: Buffer }> {
  const parts = token.split('.')
  if (parts.length !== 3) throw new Error('not a signed token')
  if (typeof decodeProtectedHeader(token).kid !== 'string') throw new Error('not signed as Apple signs')
  const { payload } = await jwtVerify(token, options.keys, {
    algorithms: ['RS256'],
    issuer: appleIssuer,
    audience: options.clientIds,
    requiredClaims: options.requiredClaims,
    currentDate: options.now,
    clockTolerance: skewSeconds,
    maxTokenAge: options.maxAgeSeconds,
  })
  return { payload, tokenHash: createHash('sha256').update(`${parts[0]}.${parts[1]}`).digest() }
}

/** One answer for whatever is wrong with an identity. */
export const identityRefused = (cause?: unknown) => problem('invalid_identity_token', undefined, { cause })
