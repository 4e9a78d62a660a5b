import { type CryptoKey, importJWK } from 'jose'
import type { Logger } from 'pino'
import { z } from 'zod'
import { problem } from '#server/http/errors.ts'
import type { Fetch } from '#server/platforms/port.ts'

/** Between two requests for Apple's keys at least so long, whatever comes in (threats T31). */
const pauseMs = 30_000
/** Keys older than this are asked for again, so that one that Apple withdrew is forgotten. */
const maxAgeMs = 3_600_000

const KeySet = z.object({
  keys: z.array(z.looseObject({ kty: z.string(), kid: z.string().optional(), use: z.string().optional() })).max(50),
})

export interface AppleKeys {
  /**
   * The key of an id; null when Apple has none of that id. Throws `unavailable` when that cannot be known: nothing is
   * ever accepted unchecked.
   */
  find(kid: string): Promise<CryptoKey | null>
}

/** Apple's public keys (`GET /auth/keys`), kept: while Apple cannot be reached the known ones go on working. */
export function createAppleKeys(options: { url: string; fetch: Fetch; log: Logger; now: () => Date }): AppleKeys {
  let keys = new Map<string, CryptoKey>()
  let fetchedMs = Number.NEGATIVE_INFINITY
  let askedMs = Number.NEGATIVE_INFINITY
  let failed = false
  let asking: Promise<void> | null = null

  async function ask(): Promise<void> {
    askedMs = options.now().getTime()
    try {
      const response = await options.fetch(`${options.url}/auth/keys`, {
        headers: { accept: 'application/json' },
        redirect: 'error',
        signal: AbortSignal.timeout(5_000),
      })
      if (!response.ok) throw new Error(`HTTP ${response.status}`)
      keys = await importKeys(KeySet.parse(await response.json()))
      fetchedMs = askedMs
      failed = false
    } catch (error) {
      failed = true
      options.log.warn({ err: error }, "Apple's keys could not be read; the known ones stay in use")
    }
  }

  return {
    async find(kid) {
      const nowMs = options.now().getTime()
      const wanted = !keys.has(kid) || nowMs - fetchedMs > maxAgeMs
      if (asking) await asking
      else if (wanted && nowMs - askedMs >= pauseMs) {
        asking = ask()
        await asking.finally(() => {
          asking = null
        })
      }
      const key = keys.get(kid)
      if (key) return key
      if (failed) throw problem('unavailable', 'Apple cannot be reached right now.', { retryAfterSeconds: 30 })
      return null
    },
  }
}

/** Signature keys only: RSA, by their id. One that cannot be read is left out. */
async function importKeys({ keys }: z.infer<typeof KeySet>): Promise<Map<string, CryptoKey>> {
  const found = new Map<string, CryptoKey>()
  for (const jwk of keys) {
    if (jwk.kty !== 'RSA' || !jwk.kid || (jwk.use ?? 'sig') !== 'sig') continue
    const key = await importJWK({ ...jwk, ext: true }, 'RS256').catch(() => null)
    if (key && !(key instanceof Uint8Array)) found.set(jwk.kid, key)
  }
  if (found.size === 0) throw new Error('the key set has no usable key')
  return found
}
