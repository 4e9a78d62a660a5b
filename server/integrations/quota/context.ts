import { AsyncLocalStorage } from 'node:async_hooks'
import type { Priority } from './plans.ts'

interface QuotaContext {
  priority: Priority
  /** Null: derived from the request (calls.ts). */
  shop: string | null
  /** Reserved calls by budget; null outside of withReservedCalls. */
  reserved: Map<string, number> | null
}

const storage = new AsyncLocalStorage<QuotaContext>()

/** Returns the current calls' priority and shop. Default: bulk, and the shop that the request names. */
export function quotaContext(): QuotaContext {
  return storage.getStore() ?? { priority: 'bulk', shop: null, reserved: null }
}

/** Runs `work` with this priority for all of its calls to platforms. */
export function withPriority<T>(priority: Priority, work: () => Promise<T>): Promise<T> {
  return storage.run({ ...quotaContext(), priority }, work)
}

/** Runs `work` with its calls to platforms counted for this shop, by the platform's own id. */
export function forShop<T>(shop: string, work: () => Promise<T>): Promise<T> {
  return storage.run({ ...quotaContext(), shop }, work)
}

/** Runs `work`, which may reserve calls for itself (`Fetch.reserve`). */
export function withReservedCalls<T>(work: () => Promise<T>): Promise<T> {
  return storage.run({ ...quotaContext(), reserved: new Map() }, work)
}
