import { type Queries, sql } from '#server/infra/db/index.ts'
import type { Availability } from '#shared/inventory-record.ts'

const insert = sql(import.meta.url, './sql/insert-history.sql')

/** A state that an item came to (decisions 7): who did it, why, and the version of the item that it came with. */
export interface Move {
  user_id: number
  item_uid: string
  version: number
  /** Such as `user`, `import`, `sale`. */
  actor: string
  from_state: Availability | null
  to_state: Availability
  /** In words for the seller. */
  reason: string
  /** Such as an import job or an order. */
  reference: string | null
}

/** Notes a state change in the item's history, in the transaction of the change. */
export async function noteMove(tx: Queries, move: Move): Promise<void> {
  await tx.none(insert, move)
}
