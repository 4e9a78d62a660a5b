import { removeImagesOf } from '#server/catalog/images/remove-images.ts'
import { requireOpenAccount } from '#server/http/lock-user.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { notFound, problem } from '#server/infra/errors.ts'
import { dismissListTasks } from '#server/selling/listings/operations/listing-rows.ts'
import type { Services } from '#server/services.ts'
import { emitEvents } from '#server/webhooks/emit.ts'
import { platformOf } from '#shared/platforms.ts'
import * as sql from './queries.ts'

/**
 * Deletes an item without live listings and dismisses its list tasks. Throws 409 `still_listed` for a
 * live one.
 */
export async function deleteItem(services: Services, item: { user_id: number; uid: string }): Promise<void> {
  await transaction(services.db, 'delete-item', async (tx) => {
    await requireOpenAccount(tx, item.user_id)
    const row = await tx.oneOrNone(sql.lockItem(item))
    if (!row) throw notFound()
    const { platform } = await tx.one(sql.findLive(item))
    if (platform)
      throw problem('still_listed', `The item is still live on ${platformOf(platform).name}. Take it down first.`)
    await dismissListTasks(tx, { user_id: item.user_id, item_uid: item.uid, platforms: null })
    await tx.none(sql.deleteItem(item))
    await removeImagesOf(tx, item.user_id, [...row.images, ...row.evidence_urls])
    // A merged item was gone from the inventory before.
    if (row.redirect_uid) return
    const data = { inventory_item_uid: item.uid, sku: row.sku }
    await emitEvents(tx, item.user_id, [{ type: 'item.deleted', item_uid: item.uid, data }])
  })
}
