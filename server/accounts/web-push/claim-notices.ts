import type { Queries } from '#server/infra/db/index.ts'
import type { RowOf } from '#server/infra/db/statement.ts'
import { claimByUser } from '#server/infra/jobs/claim-by-user.ts'
import { waysIn } from '#server/infra/ways-in/ways-in.ts'
import * as sql from './queries.ts'

/** A leased notification with its browser's subscription. */
export type ClaimedNotice = RowOf<typeof sql.claimNotices>

/**
 * Limits on concurrent notifications over all servers, as for webhooks (claim-deliveries.ts): a failing or untried push
 * service gets one slot from a small share. Beyond `shared`, each account gets one slot.
 */
const limits = { of_endpoint: 2, of_user: waysIn.pushAnswer.atOnce.each, of_failing: 4, of_untried: 12, shared: 24 }
/** Lease time, longer than any attempt. */
const leaseSeconds = 30

/** Leases at most `count` due notifications, shared fairly between accounts. */
export function claimNotices(queries: Queries, count: number): Promise<ClaimedNotice[]> {
  return claimByUser(
    () => queries.any(sql.listDueNotices({ ...limits, count })),
    (user_id, due) => {
      const hashes = due.map((row) => row.endpoint_hash)
      return queries.any(
        sql.claimNotices({ user_id, hashes, ids: due.map((row) => row.id), lease_seconds: leaseSeconds }),
      )
    },
  )
}
