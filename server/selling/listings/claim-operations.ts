import type { Queries } from '#server/infra/db/index.ts'
import { claimByUser } from '#server/infra/jobs/claim-by-user.ts'
import type { ListingOperation } from './operation.ts'
import * as sql from './queries.ts'

interface Claim {
  /** `down`, or a platform. */
  queue: string
  count: number
  lease_ms: number
  /** Operations of one account that run at a time. Null: any number. */
  most_of_account: number | null
}

/** Leases at most `count` due operations of a queue. */
export function claimOperations(db: Queries, { lease_ms, ...queue }: Claim): Promise<ListingOperation[]> {
  return claimByUser(
    () => db.any(sql.listDueOperations(queue)),
    (user_id, due) => db.any(sql.claimOperations({ user_id, ids: due.map(({ id }) => id), lease_ms })),
  )
}
