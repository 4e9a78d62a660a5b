import { removeImagesOf } from '#server/catalog/images/remove-images.ts'
import type { Transaction } from '#server/infra/db/index.ts'
import { afterCommit } from '#server/infra/db/pubsub.ts'
import { deletePastSales } from '#server/selling/sales/past/record-past-sales.ts'
import type { Services } from '#server/services.ts'
import { emitEvents } from '#server/webhooks/emit.ts'
import * as sql from './deciding/queries.ts'

/**
 * Takes back what a file added, in the caller's transaction: items of sales of the past with their sales, or other items.
 * Returns the items. One stays if it has changed since, or its marketplace's order has joined its sale.
 */
const takeBack =
  (remove: typeof deletePastSales) =>
  async (
    services: Pick<Services, 'quotas'>,
    tx: Transaction,
    { user_id, steps }: { user_id: number; steps: readonly { item_uid: string | null }[] },
  ): Promise<string[]> => {
    const gone = await remove(tx, { user_id, item_uids: steps.flatMap(({ item_uid }) => item_uid ?? []) })
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

/** Undoes sales of the past that a file told. */
export const takeBackFileSales = takeBack(deletePastSales)

/** Undoes items that a file added. */
export const takeBackAdded = takeBack((tx, given) => tx.any(sql.deleteAdded(given)))
