import { createHash } from 'node:crypto'
import { decodeProtectedHeader, type JWTPayload, jwtVerify } from 'jose'
import { z } from 'zod'
import { normalizeEmail } from '#server/accounts/contact/email.ts'
import { HttpProblem, problem } from '#server/infra/errors.ts'
import type { AppleKeys } from './keys.ts'

/** Apple's issuer, wherever its server is reached. */
export const appleIssuer = 'https://appleid.apple.com'

/** Apps send a token right after signing in; refuse older ones. */
const maxAgeSeconds = 600
const skewSeconds = 60

const yes = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')])

const Claims = z.object({
  sub: z.string().min(1).max(255),
  // A token for several audiences may have been sent to another app before.
  aud: z.string(),
  iat: z.number(),
  exp: z.number(),
  email: z.string().max(320).optional(),
  email_verified: yes.optional(),
})

export interface AppleIdentity {
  subject: string
  /** The client id the token was issued to: the app's or the Services ID. */
  clientId: string
  /** The verified address, normalized; null if the token has none to rely on. */
  email: string | null
  /** Hash under which a used token is stored. */
  tokenHash: Buffer
  expiresAt: Date
}

/**
 * Reads an identity token of Apple: RS256 with one of Apple's keys, issuer, our client id as audience, not expired, not
 * from the future, at most ten minutes old. Throws `invalid_identity_token` for every fault, and `unavailable` without
 * Apple's keys. Never uses keys that the token offers (jku, x5u, jwk).
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
 * Verifies Apple's signature, issuer, audience and age. `tokenHash` covers the signed part only, since a signature has
 * several spellings. Throws any error for an invalid token, and `unavailable` without Apple's keys.
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

/** Returns the error for any fault of an identity token. */
export const identityRefused = (cause?: unknown) => problem('invalid_identity_token', undefined, { cause })
