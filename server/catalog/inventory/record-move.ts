import type { Queries } from '#server/infra/db/index.ts'
import type { FieldChange } from '#shared/contract/catalog/inventory.ts'
import type { Availability } from '#shared/item/inventory-record.ts'
import * as sql from './queries.ts'

/** An act on an item, with its actor and the item's new version. A change without a move has the same state twice. */
export interface Move {
  user_id: number
  item_uid: string
  version: number
  /** For example `user`, `import` or `sale`. */
  actor: string
  from_state: Availability | null
  to_state: Availability
  /** In words for the seller. */
  reason: string
  /** For example an import job or an order. */
  reference: string | null
  /** Old and new values of what was changed besides the state. */
  changes?: FieldChange[]
}

/** Records an act in the item's history, in the transaction of the act. */
export async function recordMove(tx: Queries, move: Move): Promise<void> {
  await tx.none(sql.insertHistory({ ...move, changes: move.changes ? JSON.stringify(move.changes) : null }))
}
