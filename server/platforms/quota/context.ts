import { AsyncLocalStorage } from 'node:async_hooks'
import type { Lane } from './plans.ts'

interface QuotaContext {
  lane: Lane
  /** Null: told from the request itself (calls.ts). */
  shop: string | null
}

const storage = new AsyncLocalStorage<QuotaContext>()

/** What the calls under way here are for: in bulk, and for whoever the request names, unless somebody said otherwise. */
export function quotaContext(): QuotaContext {
  return storage.getStore() ?? { lane: 'bulk', shop: null }
}

/** Runs `work`; its calls to platforms, however deep, may reach as far into the budgets as this lane does. */
export function inLane<T>(lane: Lane, work: () => Promise<T>): Promise<T> {
  return storage.run({ ...quotaContext(), lane }, work)
}

/** Runs `work`; its calls to platforms count for this shop (the platform's own id of it). */
export function forShop<T>(shop: string, work: () => Promise<T>): Promise<T> {
  return storage.run({ ...quotaContext(), shop }, work)
}
