import { removeImagesOf } from '#server/catalog/images/remove-images.ts'
import type { Transaction } from '#server/infra/db/index.ts'
import { afterCommit } from '#server/infra/db/pubsub.ts'
import { deletePastSales } from '#server/selling/sales/past/record-past-sales.ts'
import type { Services } from '#server/services.ts'
import { emitEvents } from '#server/webhooks/emit.ts'

/**
 * Takes sales of the past back that a file told, with the items that it made for them, in the caller's transaction. Returns
 * the items. A sale stays if its item has changed since, or its marketplace's order has joined it.
 */
export async function takeBackFileSales(
  services: Pick<Services, 'quotas'>,
  tx: Transaction,
  { user_id, steps }: { user_id: number; steps: readonly { item_uid: string | null }[] },
): Promise<string[]> {
  const gone = await deletePastSales(tx, { user_id, item_uids: steps.flatMap(({ item_uid }) => item_uid ?? []) })
  await removeImagesOf(
    tx,
    user_id,
    gone.flatMap(({ images }) => images),
  )
  await emitEvents(
    tx,
    user_id,
    gone.map(({ uid, sku }) => ({ type: 'item.deleted', item_uid: uid, data: { inventory_item_uid: uid, sku } })),
  )
  afterCommit(tx, () => services.quotas.add(user_id, { items: -gone.length }))
  return gone.map(({ uid }) => uid)
}
