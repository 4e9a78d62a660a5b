import { removeImagesOf } from '#server/catalog/images/remove-images.ts'
import { requireOpenAccount } from '#server/http/lock-user.ts'
import { sql } from '#server/infra/db/index.ts'
import { retriedTransaction } from '#server/infra/db/retried.ts'
import { notFound, problem } from '#server/infra/errors.ts'
import { dismissListTasks } from '#server/selling/listings/operations/listing-rows.ts'
import type { Services } from '#server/services.ts'
import { emitEvents } from '#server/webhooks/emit.ts'
import { type PlatformSlug, platformOf } from '#shared/platforms.ts'
import type { ItemRow } from './content.ts'

const lock = sql(import.meta.url, './sql/lock-item.sql')
const findLive = sql(import.meta.url, './sql/find-live.sql')
const remove = sql(import.meta.url, './sql/delete-item.sql')

/**
 * Deletes an item without live listings and dismisses its list tasks. Throws 409 `still_listed` for a
 * live one.
 */
export async function deleteItem(services: Services, item: { user_id: number; uid: string }): Promise<void> {
  await retriedTransaction(services.db, 'delete-item', async (tx) => {
    await requireOpenAccount(tx, item.user_id)
    const row = await tx.oneOrNone<ItemRow>(lock, item)
    if (!row) throw notFound()
    const { platform } = await tx.one<{ platform: PlatformSlug | null }>(findLive, item)
    if (platform)
      throw problem('still_listed', `The item is still live on ${platformOf(platform).name}. Take it down first.`)
    await dismissListTasks(tx, { user_id: item.user_id, item_uid: item.uid, platforms: null })
    await tx.none(remove, item)
    await removeImagesOf(tx, item.user_id, [...row.images, ...row.evidence_urls])
    // A merged item was gone from the inventory before.
    if (row.redirect_uid) return
    const data = { inventory_item_uid: item.uid, sku: row.sku }
    await emitEvents(tx, item.user_id, [{ type: 'item.deleted', item_uid: item.uid, data }])
  })
}
