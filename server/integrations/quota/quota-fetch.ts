import { setTimeout as delay } from 'node:timers/promises'
import type { Fetch } from '#server/infra/fetch.ts'
import { readCallRefusal } from '../ebay/call-limits.ts'
import { PlatformError } from '../errors.ts'
import { rateLimitsOf } from '../etsy/client.ts'
import { retryAfterMs } from '../http.ts'
import { quotaContext } from './context.ts'
import type { Priority } from './plans.ts'
import type { Grant, Quota, QuotaKey } from './quota.ts'

interface QuotaFetchOptions {
  fetch: Fetch
  quota: Quota
  /** Returns the budget that a request counts against; null for none. */
  callOf(url: string, headers: Headers): QuotaKey | null
  /** Longest wait of a request before it is refused; 5 s by default. */
  maxWaitMs?: number
  wait?: (ms: number, signal?: AbortSignal) => Promise<unknown>
  now?: () => Date
}

/**
 * Creates a fetch that stays within the platforms' budgets. A request waits for its turn. If the wait is too long, it
 * throws PlatformError `rate_limited` with the wait, so that its job waits instead. Reported limits update the budget.
 * A 429, or eBay's equivalent, blocks all processes until its window ends.
 */
export function quotaFetch(options: QuotaFetchOptions): Fetch {
  const { fetch, quota, callOf, maxWaitMs = 5_000, wait = pause, now = () => new Date() } = options
  const queues = new Map<string, Promise<void>>()

  async function reserve(url: string, calls: number): Promise<void> {
    const key = callOf(url, new Headers())
    const { priority, reserved } = quotaContext()
    if (!key || !reserved) return
    for (let call = 0; call < calls; call++) {
      await untilGranted(key, priority)
      reserved.set(budgetOf(key), (reserved.get(budgetOf(key)) ?? 0) + 1)
    }
  }

  /** Uses one reserved call. Returns false when none is left. */
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
    const limits = rateLimitsOf(response.headers)
    await quota.record(own, limits)
    if (response.status === 429) {
      // A day may be used up for this shop's token alone. If it is the application's, `record` has counted it as used up.
      const shop = limits.remainingToday === 0 ? own.shop : ''
      await quota.block({ ...own, shop, call: '' }, retryAfterMs(response.headers))
    }
    return key.call ? applyCallLimits(own, response) : response
  }
  within.reserve = reserve
  return within

  async function applyCallLimits(key: QuotaKey, answer: Response): Promise<Response> {
    const { response, refusal } = await readCallRefusal(answer, now())
    if (refusal?.of === 'call') await quota.block({ ...key, shop: '' }, refusal.waitMs)
    if (refusal?.of === 'shop') await quota.block(key, refusal.waitMs)
    return response
  }

  /** Queues requests by shop and priority, so that a late request cannot overtake and starve an earlier one. */
  async function untilGranted(key: QuotaKey, priority: Priority, signal?: AbortSignal): Promise<void> {
    const queue = [key.platform, key.app, key.api, key.shop, key.call, priority].join(' ')
    const startedAt = performance.now()
    let refused: Grant | null = null
    if (!queues.has(queue)) {
      signal?.throwIfAborted()
      refused = await quota.take(key, priority)
      if (refused.granted > 0) return
    }
    const ahead = queues.get(queue)
    // A refusal from before the wait is outdated.
    const turn = ahead
      ? ahead.then(() => takeWithRetries(key, priority, { startedAt, refused: null, signal }))
      : takeWithRetries(key, priority, { startedAt, refused, signal })
    const over = turn.catch(() => {})
    queues.set(queue, over)
    try {
      await turn
    } finally {
      if (queues.get(queue) === over) queues.delete(queue)
    }
  }

  async function takeWithRetries(
    key: QuotaKey,
    priority: Priority,
    { startedAt, refused, signal }: { startedAt: number; refused: Grant | null; signal: AbortSignal | undefined },
  ): Promise<void> {
    let waited = performance.now() - startedAt
    for (let answer = refused; ; answer = null) {
      signal?.throwIfAborted()
      const { granted, waitMs } = answer ?? (await quota.take(key, priority))
      if (granted > 0) return
      if (waited + waitMs > maxWaitMs) throw quotaExceeded(key, waitMs)
      // Always pause, or a wait of 0 would spin.
      await wait(Math.max(waitMs, 5), signal)
      waited += Math.max(waitMs, 5)
    }
  }
}

const budgetOf = ({ platform, app, api = '' }: QuotaKey) => `${platform}/${app}/${api}`

const pause = (ms: number, signal?: AbortSignal) => delay(ms, undefined, { signal })

function quotaExceeded({ platform }: QuotaKey, waitMs: number): PlatformError {
  return new PlatformError(platform, 'rate_limited', 'Our calls to the platform are used up for now.', {
    platformCode: 'quota',
    retryAfterMs: waitMs,
  })
}
