import { sql } from '#server/infra/db/index.ts'
import { traceparentToKeep } from '#server/infra/span.ts'
import type { Services } from '#server/services.ts'
import { planReading, type ReadShop } from './plan-reading.ts'
import { aheadShare, alertAfterSeconds, readBudgetOf } from './read-budgets.ts'

const addShops = sql(import.meta.url, './sql/add-shops.sql')
const readShops = sql(import.meta.url, './sql/read-shops-to-plan.sql')
const setIntervals = sql(import.meta.url, './sql/set-intervals.sql')
const setBudget = sql(import.meta.url, './sql/set-budget.sql')
const raiseUnread = sql(import.meta.url, './sql/alert-unread.sql')
const settleUnread = sql(import.meta.url, './sql/resolve-unread.sql')
const findMatchable = sql(import.meta.url, './sql/find-matchable.sql')
const requestOrderFetch = sql(import.meta.url, './sql/request-fetch.sql')
const purgeReceipts = sql(import.meta.url, './sql/purge-receipts.sql')

const daySeconds = 86_400

/**
 * Plans how often each shop's orders are read. Also adds new shops, alerts about shops unread for minutes, and
 * refetches orders whose items have come since.
 */
export async function scheduleReadings({ db, platforms, config }: Services): Promise<void> {
  const readable = [...platforms.values()].filter((adapter) => adapter.orders).map(({ slug }) => slug)
  await db.none(addShops, { platforms: readable, fastest_seconds: config.ORDER_POLL_SECONDS })
  for (const platform of readable) {
    const budget = readBudgetOf(platform, config)
    const callsPerDay = budget.callsPerDay * budget.share
    await db.none(setBudget, { platform, largest: callsPerDay * aheadShare, per_second: callsPerDay / daySeconds })
    const shops = await db.any<ReadShop>(readShops, { platform })
    const { intervals } = planReading(shops, budget)
    const rows = [...intervals].map(([key, seconds]) => {
      const [user_id, seller_account_uid] = key.split('/')
      return { user_id: Number(user_id), seller_account_uid, seconds }
    })
    await db.none(setIntervals, { intervals: JSON.stringify(rows) })
  }
  await db.none(raiseUnread, { platforms: readable, alert_after_seconds: alertAfterSeconds })
  await db.none(settleUnread)
  const matchable = await db.any(findMatchable)
  for (const order of matchable)
    await db.none(requestOrderFetch, { ...order, external_line_id: '', traceparent: traceparentToKeep() })
  await db.none(purgeReceipts)
}
