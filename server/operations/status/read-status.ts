import type { z } from 'zod'
import type { Queries } from '#server/infra/db/index.ts'
import { plansOf } from '#server/integrations/quota/plans.ts'
import { alertAfterSeconds, callsNeeded, readBudgetOf } from '#server/selling/orders/read-budgets.ts'
import type { Services } from '#server/services.ts'
import type { getStatus, PlatformStatus } from '#shared/contract/status.ts'
import { type OAuthSlug, platforms } from '#shared/platforms.ts'
import * as sql from './queries.ts'

export type Status = z.input<(typeof getStatus.replies)[200]>

/** The budgets that readings of orders count against. */
const orderBudgets: Record<OAuthSlug, string> = { ebay: 'ebay sell/fulfillment', etsy: 'etsy' }

const windowMs = 7 * 86_400_000

/** Returns the metrics of the last seven days over all accounts, by platform. */
export async function readStatus(
  queries: Queries,
  { config, ...services }: Pick<Services, 'config' | 'now'>,
): Promise<Status> {
  const now = services.now()
  const from = new Date(now.getTime() - windowMs).toISOString()
  const delists = byPlatform(await queries.any(sql.readDelists({ from })))
  const sales = byPlatform(await queries.any(sql.readSales({ from })))
  const checks = byPlatform(await queries.any(sql.readChecks({ alert_after_seconds: alertAfterSeconds })))
  const double = await queries.one(sql.readDoubleSales({ from }))
  const plans = plansOf(config)
  const quotas = new Map(
    (await queries.any(sql.readQuota({ plans: JSON.stringify(plans) }))).map((row) => [row.budget, row]),
  )
  const budgetOf = (slug: OAuthSlug, shops: number) => {
    const budget = readBudgetOf(slug, config)
    const quota = quotas.get(orderBudgets[slug])
    return {
      calls_per_day: quota?.per_day ?? budget.callsPerDay,
      calls_used: quota?.used ?? 0,
      calls_for_orders: Math.floor(budget.callsPerDay * budget.share),
      calls_needed: callsNeeded(budget, shops),
    }
  }
  return {
    from,
    to: now.toISOString(),
    double_sales: {
      ...double,
      preventable_per_10000: double.sales === 0 ? null : Math.round((double.preventable / double.sales) * 100_000) / 10,
    },
    platforms: platforms.map(({ slug, capabilities }): PlatformStatus => {
      const delist = delists.get(slug)
      const check = checks.get(slug)
      return {
        platform: slug,
        taken_down_by: capabilities.list === 'api' ? 'api' : 'seller',
        sales: sales.get(slug)?.sales ?? 0,
        oversells: sales.get(slug)?.oversells ?? 0,
        delists: {
          ordered: delist?.ordered ?? 0,
          confirmed: delist?.confirmed ?? 0,
          overdue: delist?.overdue ?? 0,
          success_rate: delist?.success_rate ?? null,
          seen_to_accepted_ms: spreadOf(delist?.accepted),
          seen_to_confirmed_ms: spreadOf(delist?.confirmed_within),
          sale_to_down_ms: saleToDown(delist),
        },
        order_checks: capabilities.orders
          ? {
              shops: check?.shops ?? 0,
              last_success_age_seconds: check?.newest ?? null,
              oldest_success_age_seconds: check?.oldest ?? null,
              overdue_shops: check?.overdue ?? 0,
              shops_within_a_minute: check?.covered ?? 0,
              slowest_interval_seconds: check?.slowest ?? null,
              budget: budgetOf(slug as OAuthSlug, check?.shops ?? 0),
            }
          : null,
      }
    }),
  }
}

/** Fewer take-downs than these say nothing about how long one takes. */
const enough = 20

function saleToDown(
  measured: { sold: number; sold_within: (number | null)[] | null } | undefined,
): PlatformStatus['delists']['sale_to_down_ms'] {
  const [p50, p95] = measured?.sold_within ?? []
  if (!measured || measured.sold < enough || p50 == null || p95 == null) return null
  return { take_downs: measured.sold, p50: Math.round(p50), p95: Math.round(p95) }
}

function spreadOf(values: (number | null)[] | null | undefined): PlatformStatus['delists']['seen_to_confirmed_ms'] {
  const [p50, p95, p99] = values ?? []
  if (p50 == null || p95 == null || p99 == null) return null
  return { p50: Math.round(p50), p95: Math.round(p95), p99: Math.round(p99) }
}

function byPlatform<Row extends { platform: string }>(rows: Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [row.platform, row]))
}
