import { type CryptoKey, createLocalJWKSet, errors, type FlattenedJWSInput, type JWSHeaderParameters } from 'jose'
import type { Logger } from 'pino'
import { z } from 'zod'
import { problem } from '#server/infra/errors.ts'
import { boundedFetch, type Fetch } from '#server/infra/fetch.ts'

/** Shortest time between two requests for Apple's keys, in ms. */
const pauseMs = 30_000
/** Refetch older keys, so that withdrawn ones are forgotten. */
const maxAgeMs = 3_600_000

const KeySet = z.object({
  keys: z
    .array(z.looseObject({ kty: z.string(), kid: z.string().optional() }))
    .max(50)
    .refine((keys) => keys.some(({ kty, kid }) => kty === 'RSA' && kid), 'the key set has no usable key'),
})

/**
 * Returns the key that a token names. Throws JWKSNoMatchingKey if Apple has no such key, and `unavailable` if that
 * cannot be determined.
 */
export type AppleKeys = (header: JWSHeaderParameters, token?: FlattenedJWSInput) => Promise<CryptoKey>

/**
 * Caches Apple's public keys (`GET /auth/keys`). During an outage, known keys stay valid and Apple is asked once in 30
 * seconds. jose's createRemoteJWKSet would refuse known keys in an outage and ask again for each token.
 */
export function createAppleKeys(options: { url: string; fetch: Fetch; log: Logger; now: () => Date }): AppleKeys {
  let keys = createLocalJWKSet({ keys: [] })
  let fetchedMs = Number.NEGATIVE_INFINITY
  let askedMs = Number.NEGATIVE_INFINITY
  let failed = false
  let asking: Promise<void> | null = null

  /** A clock that went back counts as much, so that it holds no keys for longer. */
  const passed = (sinceMs: number) => Math.abs(options.now().getTime() - sinceMs)

  async function ask(): Promise<void> {
    askedMs = options.now().getTime()
    try {
      const response = await boundedFetch(
        options.fetch,
        'service',
        5_000,
      )(`${options.url}/auth/keys`, {
        headers: { accept: 'application/json' },
      })
      if (!response.ok) throw new Error(`HTTP ${response.status}`)
      keys = createLocalJWKSet(KeySet.parse(await response.json()))
      fetchedMs = askedMs
      failed = false
    } catch (error) {
      failed = true
      options.log.warn({ err: error }, "Apple's keys could not be read; the known ones stay in use")
    }
  }

  /** Fetches the keys unless that happened a moment ago; joins a request in progress. */
  async function refresh(): Promise<void> {
    if (!asking && passed(askedMs) >= pauseMs) {
      asking = ask().finally(() => {
        asking = null
      })
    }
    await asking
  }

  return async (header, token) => {
    if (passed(fetchedMs) > maxAgeMs) await refresh()
    try {
      return await keys(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
    }
    await refresh()
    return keys(header, token).catch((cause: unknown) => {
      if (!failed || !(cause instanceof errors.JWKSNoMatchingKey)) throw cause
      throw problem('unavailable', 'Apple cannot be reached right now.', { retryAfterSeconds: 30, cause })
    })
  }
}
