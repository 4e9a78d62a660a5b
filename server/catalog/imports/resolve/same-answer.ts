import { currentItem } from '#server/catalog/inventory/merge-item.ts'
import type { Queries } from '#server/infra/db/index.ts'
import type { Answer } from './answer.ts'
import type { ConflictRow } from './conflict-row.ts'
import * as sql from './queries.ts'

/** Returns whether an answer repeats the one that resolved the conflict. Skipping in bulk equals skipping. */
export async function sameAnswer(tx: Queries, user_id: number, row: ConflictRow, answer: Answer): Promise<boolean> {
  if (answer.resolution === 'skip') return ['skip', 'skip_all', 'auto_skip'].includes(row.resolution ?? '')
  if (answer.resolution !== row.resolution) return false
  const { inventory_item_uid: given } = answer
  if (given && (await currentItem(tx, user_id, given)) !== row.created_inventory_item_uid) return false
  if (answer.sku === undefined || row.created_inventory_item_uid === null) return true
  if (row.answered_sku !== null) return row.answered_sku === answer.sku
  // The first answer named no SKU. Naming the listing's own is the same answer.
  const item = await tx.oneOrNone(sql.findItemSku({ user_id, uid: row.created_inventory_item_uid }))
  return item === null || item.sku === answer.sku
}
