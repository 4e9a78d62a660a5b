import type { Queries } from '#server/infra/db/index.ts'
import { alertAfterSeconds, callsNeeded, readBudgetOf } from '#server/selling/orders/read-budgets.ts'
import type { Services } from '#server/services.ts'
import { OAuthSlug } from '#shared/platforms.ts'
import * as sql from './queries.ts'

/**
 * Returns a warning for each platform whose connected shops need more calls than reading orders may use. Their orders are
 * then read more slowly than is meant at least.
 */
export async function checkBudgets(queries: Queries, config: Services['config']): Promise<string[]> {
  const rows = await queries.any(sql.readChecks({ alert_after_seconds: alertAfterSeconds }))
  return rows.flatMap(({ platform, shops }) => {
    const slug = OAuthSlug.options.find((known) => known === platform)
    if (!slug) return []
    const budget = readBudgetOf(slug, config)
    const [needed, granted] = [callsNeeded(budget, shops), Math.floor(budget.callsPerDay * budget.share)]
    if (needed <= granted) return []
    const hours = (seconds: number) => `${Math.round((seconds / 3_600) * 10) / 10} h`
    const slow = (86_400 * shops) / granted
    const advice = slug === 'etsy' ? ' Ask Etsy for more calls, and set ETSY_DAILY_CALLS.' : ''
    return [
      `${shops} shops on ${slug} need ${needed} calls a day to have their orders read every ${hours(budget.slowestSeconds)}; there are ${granted}. They are read every ${hours(slow)} instead: a sale whose notice is lost is found that late.${advice}`,
    ]
  })
}
