import type { Queries } from '#server/infra/db/index.ts'
import type { RowOf } from '#server/infra/db/statement.ts'
import type { ClaimedDelivery } from './deliver.ts'
import * as sql from './queries.ts'

/**
 * Limits on concurrent deliveries over all servers, so that a hanging endpoint or one user cannot take every slot.
 * Failing and untried endpoints get one slot each from small shares, so many accounts with hanging endpoints cannot
 * block a working one. Beyond `shared`, each user gets one slot.
 */
const limits = { of_endpoint: 4, of_user: 8, of_failing: 16, of_untried: 48, shared: 96 }
/** Lease time, longer than any attempt. */
const leaseSeconds = 30
/** Deliveries of one endpoint examined per claim. */
const examinedPerEndpoint = 50

type Row = RowOf<typeof sql.claimDeliveries>

/** Examines each endpoint's queue once. Returns the claimed deliveries and the number deferred, in at least one row. */
export function claimOnce(queries: Queries, count: number): Promise<Row[]> {
  return queries.any(sql.claimDeliveries({ ...limits, count, looks: examinedPerEndpoint, lease_seconds: leaseSeconds }))
}

/** Returns whether any delivery is due. */
export async function isDeliveryDue(queries: Queries): Promise<boolean> {
  return (await queries.one(sql.isDeliveryDue())).is_due
}

/**
 * Leases at most `count` due deliveries. Takes only the oldest of an item and respects the limits per endpoint and
 * user. Each endpoint is examined separately, so one backlog does not slow the others.
 */
export async function claimDeliveries(queries: Queries, count: number): Promise<ClaimedDelivery[]> {
  if (!(await isDeliveryDue(queries))) return []
  for (;;) {
    const rows = await claimOnce(queries, count)
    const claimed = rows.filter((row): row is Row & { id: number } => row.id !== null)
    // Deliveries that wait for an earlier one of their item are deferred now; others may be due behind them.
    if (claimed.length > 0 || rows[0]!.put_off === 0) return claimed
  }
}
