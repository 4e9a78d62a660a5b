import type { Transaction } from '#server/infra/db/index.ts'
import { emitEvents } from '#server/webhooks/emit.ts'
import * as sql from './queries.ts'

/** Emits `item.updated` for items that the transaction has changed. Call last in the transaction. */
export async function emitItemsUpdated(tx: Transaction, user_id: number, uids: readonly string[]): Promise<void> {
  if (uids.length === 0) return
  const items = await tx.any(sql.readVersions({ user_id, uids }))
  await emitEvents(
    tx,
    user_id,
    items.map(({ uid, version }) => ({
      type: 'item.updated',
      item_uid: uid,
      data: { inventory_item_uid: uid, version },
    })),
  )
}
