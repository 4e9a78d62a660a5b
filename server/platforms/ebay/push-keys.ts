import { createPublicKey, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import { PlatformError } from '../errors.ts'
import { type Bounds, createExchange } from '../http.ts'
import type { Fetch } from '../port.ts'
import { languageHeaders } from './marketplaces.ts'

/** A key that eBay signs pushes with. */
export interface PushKey {
  key: KeyObject
  digest: 'sha1' | 'sha256'
}

export interface PushKeyOptions {
  clientId: string
  clientSecret: string
  apiUrl: string
  fetch: Fetch
  bounds: Bounds
  /** Monotonic milliseconds. */
  clock: () => number
}

const PublicKey = z.looseObject({
  key: z.string().max(5_000),
  algorithm: z.string().optional(),
  digest: z.string().optional(),
})
const AppToken = z.looseObject({ access_token: z.string().min(1), expires_in: z.number() })

/** A key stays in use for so long before it is fetched again. */
const keptMs = 3_600_000
/** An id that eBay does not know is not asked for again for so long. */
const unknownMs = 600_000
const maxUnknown = 200
/** Anybody can name ids: questions to eBay are few, whatever comes in. */
const askedAtOnce = 5
const askEveryMs = 10_000

/**
 * eBay's push keys by id (`GET /commerce/notification/v1/public_key/{kid}` with a token of the application), cached.
 * Null for an id that eBay does not know, and for one that cannot be asked for just now because too many were. Throws
 * PlatformError when eBay does not answer.
 */
export function createPushKeys(options: PushKeyOptions): (kid: string) => Promise<PushKey | null> {
  const exchange = createExchange({ platform: 'ebay', fetch: options.fetch, bounds: options.bounds })
  const known = new Map<string, { key: PushKey; untilMs: number }>()
  // Apart, so that made-up ids never drive out true ones.
  const unknown = new Map<string, number>()
  const underWay = new Map<string, Promise<PushKey | null>>()
  let token: { value: string; untilMs: number } | null = null
  let asks = askedAtOnce
  let askedMs = options.clock()

  const mayAsk = () => {
    const nowMs = options.clock()
    asks = Math.min(askedAtOnce, asks + (nowMs - askedMs) / askEveryMs)
    askedMs = nowMs
    if (asks < 1) return false
    asks--
    return true
  }

  async function appToken(): Promise<string> {
    if (token && token.untilMs > options.clock()) return token.value
    const credentials = Buffer.from(`${options.clientId}:${options.clientSecret}`).toString('base64')
    const answer = await exchange('the token of the application', `${options.apiUrl}/identity/v1/oauth2/token`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${credentials}`,
        'content-type': 'application/x-www-form-urlencoded',
        ...languageHeaders(),
      },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        scope: 'https://api.ebay.com/oauth/api_scope',
      }).toString(),
    })
    const parsed = answer.status === 200 ? AppToken.safeParse(jsonOf(answer.text)) : null
    if (!parsed?.success) throw unavailable('the token of the application', answer.status)
    token = { value: parsed.data.access_token, untilMs: options.clock() + (parsed.data.expires_in - 300) * 1000 }
    return token.value
  }

  async function fetchKey(kid: string): Promise<PushKey | null> {
    const url = `${options.apiUrl}/commerce/notification/v1/public_key/${encodeURIComponent(kid)}`
    const ask = async () =>
      exchange('the key of a push', url, {
        headers: { accept: 'application/json', authorization: `Bearer ${await appToken()}`, ...languageHeaders() },
      })
    let answer = await ask()
    if (answer.status === 401) {
      token = null
      answer = await ask()
    }
    if (answer.status === 400 || answer.status === 404) return null
    if (answer.status !== 200) throw unavailable('the key of a push', answer.status)
    const parsed = PublicKey.safeParse(jsonOf(answer.text))
    if (!parsed.success) throw unavailable('the key of a push', answer.status)
    return { key: readKey(parsed.data.key), digest: /256/.test(parsed.data.digest ?? '') ? 'sha256' : 'sha1' }
  }

  return async function keyOf(kid) {
    const kept = known.get(kid)
    if (kept && kept.untilMs > options.clock()) return kept.key
    if ((unknown.get(kid) ?? 0) > options.clock()) return null
    const running = underWay.get(kid)
    if (running) return running
    if (!mayAsk()) return kept?.key ?? null
    const asking = fetchKey(kid)
      .then((key) => {
        if (key) known.set(kid, { key, untilMs: options.clock() + keptMs })
        else known.delete(kid)
        if (!key) unknown.set(kid, options.clock() + unknownMs)
        if (unknown.size > maxUnknown) unknown.delete(unknown.keys().next().value!)
        return key
      })
      .catch((error: unknown) => {
        // A key that was good an hour ago is still better than refusing what is probably true.
        if (kept) return kept.key
        throw error
      })
      .finally(() => underWay.delete(kid))
    underWay.set(kid, asking)
    return asking
  }
}

/** A PEM, also one whose line breaks were lost. */
function readKey(pem: string): KeyObject {
  const base64 = pem.replace(/-----(BEGIN|END) PUBLIC KEY-----|\s/g, '')
  try {
    return createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' })
  } catch (cause) {
    throw new PlatformError('ebay', 'malformed', "eBay's key of a push is not a public key.", { cause })
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function unavailable(call: string, status: number): PlatformError {
  return new PlatformError('ebay', 'unavailable', `eBay answered ${call} with ${status}.`, {
    platformCode: String(status),
  })
}
