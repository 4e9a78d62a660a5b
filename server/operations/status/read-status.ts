import type { z } from 'zod'
import { type Queries, sql } from '#server/infra/db/index.ts'
import { alertAfterSeconds } from '#server/selling/orders/read-budgets.ts'
import type { getStatus, PlatformStatus } from '#shared/contract/status.ts'
import { platforms } from '#shared/platforms.ts'

const readDelists = sql(import.meta.url, './sql/read-delists.sql')
const readSales = sql(import.meta.url, './sql/read-sales.sql')
const readChecks = sql(import.meta.url, './sql/read-checks.sql')

export type Status = z.input<(typeof getStatus.replies)[200]>

const windowMs = 7 * 86_400_000

interface DelistRow {
  platform: string
  ordered: number
  confirmed: number
  overdue: number
  success_rate: number | null
  accepted: (number | null)[] | null
  confirmed_within: (number | null)[] | null
}

/** Returns the metrics of the last seven days over all accounts, by platform. */
export async function readStatus(queries: Queries, now: Date): Promise<Status> {
  const from = new Date(now.getTime() - windowMs).toISOString()
  const delists = byPlatform(await queries.any<DelistRow>(readDelists, { from }))
  const sales = byPlatform(
    await queries.any<{ platform: string; sales: number; oversells: number }>(readSales, { from }),
  )
  const checks = byPlatform(
    await queries.any<{
      platform: string
      shops: number
      newest: number | null
      oldest: number | null
      overdue: number
      covered: number
    }>(readChecks, { alert_after_seconds: alertAfterSeconds }),
  )
  return {
    from,
    to: now.toISOString(),
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
        },
        order_checks: capabilities.orders
          ? {
              shops: check?.shops ?? 0,
              last_success_age_seconds: check?.newest ?? null,
              oldest_success_age_seconds: check?.oldest ?? null,
              overdue_shops: check?.overdue ?? 0,
              shops_within_a_minute: check?.covered ?? 0,
            }
          : null,
      }
    }),
  }
}

function spreadOf(values: (number | null)[] | null | undefined): PlatformStatus['delists']['seen_to_confirmed_ms'] {
  const [p50, p95, p99] = values ?? []
  if (p50 == null || p95 == null || p99 == null) return null
  return { p50: Math.round(p50), p95: Math.round(p95), p99: Math.round(p99) }
}

function byPlatform<Row extends { platform: string }>(rows: Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [row.platform, row]))
}
