import type { Queries } from '#server/infra/db/index.ts'
import type { RowOf } from '#server/infra/db/statement.ts'
import { claimByUser } from '#server/infra/jobs/claim-by-user.ts'
import { waysIn } from '#server/infra/ways-in/ways-in.ts'
import type { ClaimedDelivery } from './deliver.ts'
import * as sql from './queries.ts'

/**
 * Limits on concurrent deliveries over all servers, so that a hanging endpoint or one user cannot take every slot.
 * Failing and untried endpoints get one slot each from small shares, so many accounts with hanging endpoints cannot
 * block a working one. Beyond `shared`, each user gets one slot.
 */
const limits = { of_endpoint: 4, of_user: waysIn.webhookAnswer.atOnce.each, of_failing: 16, of_untried: 48, shared: 96 }
/** Lease time, longer than any attempt. */
const leaseSeconds = 30
/** Deliveries of one endpoint examined per claim. */
const examinedPerEndpoint = 50

/** Examines each endpoint's queue once. Defers deliveries that wait for an earlier one of their item. */
export async function claimOnce(
  queries: Queries,
  count: number,
): Promise<{ claimed: ClaimedDelivery[]; hasDeferred: boolean }> {
  let hasDeferred = false
  const claimed = await claimByUser(
    () => queries.any(sql.listDueDeliveries({ ...limits, count, looks: examinedPerEndpoint })),
    async (user_id, due) => {
      const behind = due.filter((row) => row.first_id !== null)
      const next = due.filter((row) => row.first_id === null)
      if (behind.length > 0) {
        const first_ids = behind.map((row) => row.first_id)
        const deferred = await queries.one(sql.deferDeliveries({ user_id, ...keysOf(behind), first_ids }))
        hasDeferred ||= deferred.count > 0
      }
      if (next.length === 0) return []
      return queries.any(sql.claimDeliveries({ user_id, ...keysOf(next), lease_seconds: leaseSeconds }))
    },
  )
  return { claimed, hasDeferred }
}

const keysOf = (due: RowOf<typeof sql.listDueDeliveries>[]) => ({
  endpoint_uids: due.map((row) => row.endpoint_uid),
  ids: due.map((row) => row.id),
})

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
    const { claimed, hasDeferred } = await claimOnce(queries, count)
    // Others may be due behind those that were deferred now.
    if (claimed.length > 0 || !hasDeferred) return claimed
  }
}
