import { createPublicKey, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import type { Fetch } from '#server/infra/fetch.ts'
import { PlatformError } from '#server/integrations/errors.ts'
import { createExchange, jsonOf } from '#server/integrations/http.ts'
import { refusalOf } from '#server/integrations/refusal.ts'
import { createApplicationToken } from '../application-token.ts'
import { faultsOfAnswer } from '../errors.ts'
import { languageHeaders } from '../marketplaces.ts'
import type { PushKeyStore } from './push-key-store.ts'

/** A key that eBay signs pushes with. */
interface PushKey {
  key: KeyObject
  digest: 'sha1' | 'sha256'
}

export interface PushKeyOptions {
  clientId: string
  clientSecret: string
  apiUrl: string
  fetch: Fetch
  /** Monotonic milliseconds. */
  clock: () => number
  store: PushKeyStore
  /** Called when a key in use could not be refreshed. */
  onRefreshFailed?: (error: unknown) => void
}

export const PublicKey = z.looseObject({
  key: z.string().max(5_000),
  algorithm: z.string().optional(),
  digest: z.string().optional(),
})

/** Age at which a key in use is refreshed in the background. */
const refreshAgeMs = 3_600_000
/** Cache time of an id that eBay does not know. */
const unknownMs = 600_000
const maxUnknown = 200
/** Minimum time between reloads of the keys that other processes fetched. */
const reloadMs = 1_000
/**
 * Limits of key requests per address and in total, because anybody can send made-up ids. The total stays below the
 * 10,000 requests that eBay grants a day.
 */
const addressLimit = { burst: 2, everyMs: 300_000 }
const totalLimit = { burst: 10, everyMs: 10_000 }
const maxAddresses = 1_000

/**
 * Creates a lookup of eBay's push keys by id (`GET /commerce/notification/v1/public_key/{kid}`). Known keys come from
 * memory or the database. An unknown id is requested from eBay within the sender address's limit. The lookup returns
 * null for an id that eBay does not know. It throws PlatformError `unavailable` if eBay does not answer or a limit is
 * reached.
 */
export function createPushKeys(options: PushKeyOptions): (kid: string, address: string) => Promise<PushKey | null> {
  const { clock, store } = options
  const exchange = createExchange({ platform: 'ebay', fetch: options.fetch, way: 'pushKey' })
  const known = new Map<string, { key: PushKey; checkedMs: number }>()
  // A separate map, so that made-up ids never evict real keys.
  const unknown = new Map<string, number>()
  const underWay = new Map<string, Promise<PushKey | null>>()
  const token = createApplicationToken({ ...options, exchange })
  let loadedMs = Number.NEGATIVE_INFINITY
  let loading: Promise<void> | null = null
  const takeFromTotal = createBucket(totalLimit, clock)
  const addresses = new Map<string, () => boolean>()

  function mayAsk(address: string): boolean {
    const take = addresses.get(address) ?? createBucket(addressLimit, clock)
    // Keep the map in order of last use, so that the oldest address is evicted.
    addresses.delete(address)
    addresses.set(address, take)
    if (addresses.size > maxAddresses) addresses.delete(addresses.keys().next().value!)
    return take() && takeFromTotal()
  }

  /** Returns the key if any process has fetched it. */
  async function findKnown(kid: string) {
    if (known.has(kid)) return known.get(kid)
    if (clock() - loadedMs >= reloadMs) {
      loading ??= load().finally(() => {
        loading = null
      })
    }
    await loading
    return known.get(kid)
  }

  async function load(): Promise<void> {
    const keys = await store.readAll()
    loadedMs = clock()
    for (const { kid, public_key, digest, age_ms } of keys) {
      if (!known.has(kid)) known.set(kid, { key: { key: readKey(public_key), digest }, checkedMs: clock() - age_ms })
    }
  }

  async function fetchKey(kid: string): Promise<PushKey | null> {
    const url = `${options.apiUrl}/commerce/notification/v1/public_key/${encodeURIComponent(kid)}`
    const ask = async () =>
      exchange('the key of a push', url, {
        headers: { accept: 'application/json', authorization: `Bearer ${await token.read()}`, ...languageHeaders() },
      })
    let answer = await ask()
    if (answer.status === 401) {
      token.forget()
      answer = await ask()
    }
    if (answer.status === 400 || answer.status === 404) return null
    const parsed = PublicKey.safeParse(jsonOf(answer.text))
    if (answer.status !== 200 || !parsed.success) throw unavailable(answer)
    const digest = /256/.test(parsed.data.digest ?? '') ? 'sha256' : 'sha1'
    const key = { key: readKey(parsed.data.key), digest } as const
    await store.store({ kid, public_key: parsed.data.key, digest })
    return key
  }

  async function forget(kid: string): Promise<void> {
    unknown.set(kid, clock() + unknownMs)
    if (unknown.size > maxUnknown) unknown.delete(unknown.keys().next().value!)
    if (known.delete(kid)) await store.delete(kid)
  }

  function ask(kid: string): Promise<PushKey | null> {
    const asking = fetchKey(kid)
      .then(async (key) => {
        if (key) known.set(kid, { key, checkedMs: clock() })
        else await forget(kid)
        return key
      })
      .finally(() => underWay.delete(kid))
    underWay.set(kid, asking)
    return asking
  }

  return async function keyOf(kid, address) {
    const found = await findKnown(kid)
    if (found) {
      if (clock() - found.checkedMs >= refreshAgeMs && !underWay.has(kid)) {
        found.checkedMs = clock()
        // If the refresh fails, the key stays in use and the next refresh is in an hour.
        ask(kid).catch((error: unknown) => options.onRefreshFailed?.(error))
      }
      return found.key
    }
    if ((unknown.get(kid) ?? Number.NEGATIVE_INFINITY) > clock()) return null
    const running = underWay.get(kid)
    if (running) return running
    if (!mayAsk(address)) {
      throw new PlatformError('ebay', 'unavailable', 'Too many pushes name unknown keys; eBay is asked again later.', {
        platformCode: 'push_keys',
      })
    }
    return ask(kid)
  }
}

/** Creates a token bucket. Each call takes a token; false if none is left. */
function createBucket({ burst, everyMs }: { burst: number; everyMs: number }, clock: () => number): () => boolean {
  let left = burst
  let atMs = clock()
  return () => {
    left = Math.min(burst, left + (clock() - atMs) / everyMs)
    atMs = clock()
    if (left < 1) return false
    left--
    return true
  }
}

/** Reads a PEM, even without its line breaks. */
function readKey(pem: string): KeyObject {
  const base64 = pem.replace(/-----(BEGIN|END) PUBLIC KEY-----|\s/g, '')
  try {
    return createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' })
  } catch (cause) {
    throw new PlatformError('ebay', 'malformed', "eBay's key of a push is not a public key.", { cause })
  }
}

function unavailable({ status, text }: { status: number; text: string }): PlatformError {
  const faults = status === 200 ? [] : faultsOfAnswer(text)
  return refusalOf('ebay', 'unavailable', { call: 'the key of a push', faults, logCode: `http_${status}` })
}
