import { traceparentToKeep } from '#server/infra/span.ts'
import type { Services } from '#server/services.ts'
import { planReading } from './plan-reading.ts'
import * as sql from './queries.ts'
import { aheadShare, alertAfterSeconds, readBudgetOf } from './read-budgets.ts'

const daySeconds = 86_400

/**
 * Plans how often each shop's orders are read. Also adds new shops, alerts about shops unread for minutes, and
 * refetches orders whose items have come since.
 */
export async function scheduleReadings({ db, platforms, config }: Services): Promise<void> {
  const readable = [...platforms.values()].filter((adapter) => adapter.orders).map(({ slug }) => slug)
  await db.none(sql.addShops({ platforms: readable, fastest_seconds: config.ORDER_POLL_SECONDS }))
  for (const platform of readable) {
    const budget = readBudgetOf(platform, config)
    const callsPerDay = budget.callsPerDay * budget.share
    await db.none(sql.setBudget({ platform, largest: callsPerDay * aheadShare, per_second: callsPerDay / daySeconds }))
    const shops = await db.any(sql.readShopsToPlan({ platform }))
    const { intervals } = planReading(shops, budget)
    const rows = [...intervals].map(([key, seconds]) => {
      const [user_id, seller_account_uid] = key.split('/')
      return { user_id: Number(user_id), seller_account_uid, seconds }
    })
    await db.none(sql.setIntervals({ intervals: JSON.stringify(rows) }))
  }
  await db.none(sql.alertUnread({ platforms: readable, alert_after_seconds: alertAfterSeconds }))
  await db.none(sql.resolveUnread())
  for (const user of await db.any(sql.listUsersToMatch())) {
    for (const order of await db.any(sql.findMatchable(user)))
      await db.none(sql.requestFetch({ ...order, external_line_id: '', traceparent: traceparentToKeep() }))
  }
  await db.none(sql.purgeReceipts())
}
