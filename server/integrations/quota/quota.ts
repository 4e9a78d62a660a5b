import type { Database } from '#server/infra/db/index.ts'
import type { OAuthSlug } from '#shared/platforms.ts'
import { type BudgetName, keptFrom, type Priority, priorityShares, type QuotaPlan, type QuotaPlans } from './plans.ts'
import * as sql from './queries.ts'

/** The budget of a call. `shop` is '' for calls without a shop. */
export interface QuotaKey {
  platform: OAuthSlug
  /** Our application's public id at the platform. */
  app: string
  /** An API that the platform counts separately. */
  api?: string
  shop: string
  /** The call's name, if the platform limits calls by name. */
  call?: string
}

export interface Grant {
  /** Number of calls granted, at most those requested. */
  granted: number
  /** Wait in ms before the next attempt, if none was granted. */
  waitMs: number
}

/** Limits that a platform's answer reports; null for missing ones. */
interface ReportedLimits {
  perSecond: number | null
  perDay: number | null
  remainingToday: number | null
}

/** The platforms' budgets, shared by all processes. */
export interface Quota {
  /** Takes `calls` calls from the budget. Granted calls count even if they are not made. */
  take(key: QuotaKey, priority: Priority, calls?: number): Promise<Grant>
  /**
   * Blocks calls on this budget after a refusal, for the key's shop and call name if it has them. If `waitMs` is null,
   * each block lasts longer than the one before.
   */
  block(key: QuotaKey, waitMs: number | null): Promise<void>
  /** Records reported limits. Cheap to call for every answer, because only changes reach the database. */
  record(key: QuotaKey, reported: ReportedLimits): Promise<void>
}

interface Waiting {
  key: QuotaKey
  priority: Priority
  calls: number
  resolve(grant: Grant): void
  reject(error: unknown): void
}

interface QuotaOptions {
  db: Database
  /** A platform without a plan is unlimited until it reports limits, and costs no query until then. */
  plans: QuotaPlans
  /** Monotonic milliseconds. */
  clock?: () => number
}

/** Minimum time between writes of unchanged limits, which correct the remaining calls. */
const recordIntervalMs = 1_000

/**
 * Creates budgets in the database. Requests of a process are batched: those that arrive while a statement runs share
 * the next one.
 */
export function createQuota({ db, plans, clock = () => performance.now() }: QuotaOptions): Quota {
  const queues = new Map<string, Waiting[]>()
  const known = new Map<string, { reported: string; recordedAt: number }>()

  async function drain(name: string): Promise<void> {
    for (let batch = queues.get(name) ?? []; batch.length > 0; batch = queues.get(name) ?? []) {
      queues.set(name, [])
      await takeBatch(batch)
    }
    queues.delete(name)
  }

  async function takeBatch(batch: Waiting[]): Promise<void> {
    const { key: first } = batch[0]!
    const plan = plans[budgetOf(first)]
    const requests = batch.map(({ key, priority, calls }, place) => ({
      place,
      shop: key.shop,
      call_app: key.call ? appOfCall(key) : null,
      priority,
      kept: keptFrom(priority, plan),
      share: priorityShares[priority],
      calls,
    }))
    try {
      const rows = await db.many(
        sql.takeCalls({
          platform: first.platform,
          app: appOf(first),
          limits: JSON.stringify(limitsOf(plan)),
          requests: JSON.stringify(requests),
        }),
      )
      for (const { place, granted, wait_ms } of rows) batch[place]?.resolve({ granted, waitMs: wait_ms })
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  return {
    take(key, priority, calls = 1) {
      if (!plans[budgetOf(key)] && !known.has(nameOf(key))) return Promise.resolve({ granted: calls, waitMs: 0 })
      return new Promise((resolve, reject) => {
        const name = nameOf(key)
        const waiting = queues.get(name)
        const request = { key, priority, calls, resolve, reject }
        if (waiting) {
          waiting.push(request)
          return
        }
        queues.set(name, [request])
        // Start in a microtask, so that requests of the same tick share a statement.
        queueMicrotask(() => void drain(name))
      })
    },

    async block(key, waitMs) {
      const { platform, shop } = key
      if (!known.has(nameOf(key))) known.set(nameOf(key), { reported: '', recordedAt: Number.NEGATIVE_INFINITY })
      const seconds = waitMs === null ? null : waitMs / 1000
      await db.one(sql.blockCalls({ platform, app: key.call ? appOfCall(key) : appOf(key), shop, seconds }))
    },

    async record(key, { perSecond, perDay, remainingToday }) {
      if (perSecond === null && perDay === null) return
      const name = nameOf(key)
      const before = known.get(name)
      const reported = `${perSecond}/${perDay}`
      if (before?.reported === reported && clock() - before.recordedAt < recordIntervalMs) return
      known.set(name, { reported, recordedAt: clock() })
      const { platform } = key
      await db.one(
        sql.recordLimits({
          platform,
          app: appOf(key),
          per_second: perSecond,
          per_day: perDay,
          left: remainingToday,
          shop: key.shop,
        }),
      )
    },
  }
}

const budgetOf = ({ platform, api }: QuotaKey): BudgetName => (api ? `${platform} ${api}` : platform)
/** Returns the database key of a budget: the application's id with the API. */
const appOf = ({ app, api }: QuotaKey) => (api ? `${app} ${api}` : app)
const appOfCall = (key: QuotaKey) => `${appOf(key)} ${key.call}`
const nameOf = (key: QuotaKey) => `${key.platform}/${appOf(key)}`

function limitsOf(plan: QuotaPlan = {}) {
  return {
    per_second: plan.perSecond ?? null,
    per_day: plan.perDay ?? null,
    shop_calls: plan.perShop?.calls ?? null,
    shop_seconds: plan.perShop?.seconds ?? null,
  }
}
