import { AsyncLocalStorage } from 'node:async_hooks'
import type { Priority } from './plans.ts'

interface QuotaContext {
  priority: Priority
  /** Null: told from the request itself (calls.ts). */
  shop: string | null
  /** Calls that were taken beforehand, by budget; null where none can be. */
  reserved: Map<string, number> | null
}

const storage = new AsyncLocalStorage<QuotaContext>()

/** What the calls under way here are for: in bulk, and for whoever the request names, unless somebody said otherwise. */
export function quotaContext(): QuotaContext {
  return storage.getStore() ?? { priority: 'bulk', shop: null, reserved: null }
}

/** Runs `work`; its calls to platforms, however deep, may reach as far into the budgets as this priority does. */
export function withPriority<T>(priority: Priority, work: () => Promise<T>): Promise<T> {
  return storage.run({ ...quotaContext(), priority }, work)
}

/** Runs `work`; its calls to platforms count for this shop (the platform's own id of it). */
export function forShop<T>(shop: string, work: () => Promise<T>): Promise<T> {
  return storage.run({ ...quotaContext(), shop }, work)
}

/** Runs `work`; calls that it reserves (`Fetch.reserve`) are there when it makes them. */
export function withReservedCalls<T>(work: () => Promise<T>): Promise<T> {
  return storage.run({ ...quotaContext(), reserved: new Map() }, work)
}
