import { setTimeout as delay } from 'node:timers/promises'
import type { Fetch } from '#server/infra/fetch.ts'
import { readCallRefusal } from '../ebay/call-limits.ts'
import { PlatformError } from '../errors.ts'
import { rateLimitsOf } from '../etsy/client.ts'
import { retryAfterMs } from '../http.ts'
import { quotaContext } from './context.ts'
import type { Priority } from './plans.ts'
import type { Grant, Quota, QuotaKey } from './quota.ts'

export interface QuotaFetchOptions {
  fetch: Fetch
  quota: Quota
  /** Whose budget a request is on; null for one that is on nobody's. */
  callOf(url: string, headers: Headers): QuotaKey | null
  /** The longest that one request waits for its turn before it is put off; 5 s when left out. */
  maxWaitMs?: number
  wait?: (ms: number, signal?: AbortSignal) => Promise<unknown>
  now?: () => Date
}

/**
 * A fetch that stays within the platforms' budgets: each request waits for its turn, and one whose turn is further away
 * throws PlatformError `rate_limited` with how long, so that its job waits instead. Limits that the answers tell
 * go back into the budget: a 429, or eBay's own words for it, keeps all processes away until its window ends.
 */
export function quotaFetch(options: QuotaFetchOptions): Fetch {
  const { fetch, quota, callOf, maxWaitMs = 5_000, wait = pause, now = () => new Date() } = options
  const lines = new Map<string, Promise<void>>()

  async function reserve(url: string, calls: number): Promise<void> {
    const key = callOf(url, new Headers())
    const { priority, reserved } = quotaContext()
    if (!key || !reserved) return
    for (let call = 0; call < calls; call++) {
      await untilGranted(key, priority)
      reserved.set(budgetOf(key), (reserved.get(budgetOf(key)) ?? 0) + 1)
    }
  }

  /** True when one of the calls that were reserved is left for this one. */
  function useReserved(key: QuotaKey): boolean {
    const { reserved } = quotaContext()
    const left = reserved?.get(budgetOf(key)) ?? 0
    if (left > 0) reserved?.set(budgetOf(key), left - 1)
    return left > 0
  }

  const within: Fetch = async (url, init = {}) => {
    const key = callOf(url, new Headers(init.headers))
    if (!key) return fetch(url, init)
    const { priority, shop } = quotaContext()
    const own = { ...key, shop: shop ?? key.shop }
    if (!useReserved(own)) await untilGranted(own, priority, init.signal ?? undefined)
    const response = await fetch(url, init)
    await quota.learn(own, rateLimitsOf(response.headers))
    if (response.status === 429) await quota.block({ ...own, shop: '', call: '' }, retryAfterMs(response.headers))
    return key.call ? heedCallLimits(own, response) : response
  }
  within.reserve = reserve
  return within

  async function heedCallLimits(key: QuotaKey, answer: Response): Promise<Response> {
    const { response, refusal } = await readCallRefusal(answer, now())
    if (refusal?.of === 'call') await quota.block({ ...key, shop: '' }, refusal.waitMs)
    if (refusal?.of === 'shop') await quota.block({ ...key, call: '' }, refusal.waitMs)
    return response
  }

  /** Who waits stands in line, by shop and priority: one that came late does not go first, so that nobody waits for ever. */
  async function untilGranted(key: QuotaKey, priority: Priority, signal?: AbortSignal): Promise<void> {
    const line = [key.platform, key.app, key.api, key.shop, key.call, priority].join(' ')
    const cameAt = performance.now()
    let refused: Grant | null = null
    if (!lines.has(line)) {
      signal?.throwIfAborted()
      refused = await quota.take(key, priority)
      if (refused.granted > 0) return
    }
    const ahead = lines.get(line)
    // What was said before others were waited for is over.
    const turn = ahead
      ? ahead.then(() => atTurn(key, priority, { cameAt, refused: null, signal }))
      : atTurn(key, priority, { cameAt, refused, signal })
    const over = turn.catch(() => {})
    lines.set(line, over)
    try {
      await turn
    } finally {
      if (lines.get(line) === over) lines.delete(line)
    }
  }

  async function atTurn(
    key: QuotaKey,
    priority: Priority,
    { cameAt, refused, signal }: { cameAt: number; refused: Grant | null; signal: AbortSignal | undefined },
  ): Promise<void> {
    let waited = performance.now() - cameAt
    for (let answer = refused; ; answer = null) {
      signal?.throwIfAborted()
      const { granted, waitMs } = answer ?? (await quota.take(key, priority))
      if (granted > 0) return
      if (waited + waitMs > maxWaitMs) throw putOff(key, waitMs)
      // Never without a pause: a wait of nothing would ask again and again.
      await wait(Math.max(waitMs, 5), signal)
      waited += Math.max(waitMs, 5)
    }
  }
}

const budgetOf = ({ platform, app, api = '' }: QuotaKey) => `${platform}/${app}/${api}`

const pause = (ms: number, signal?: AbortSignal) => delay(ms, undefined, { signal })

function putOff({ platform }: QuotaKey, waitMs: number): PlatformError {
  return new PlatformError(platform, 'rate_limited', 'The calls that the platform grants us are used up for now.', {
    platformCode: 'quota',
    retryAfterMs: waitMs,
  })
}
