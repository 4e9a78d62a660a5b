import { queuePush } from '#server/accounts/web-push/queue-push.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { placeName } from '#server/selling/sales/observed-sale.ts'
import type { Services } from '#server/services.ts'
import * as sql from './queries.ts'

/** Sales per step. */
const batch = 100

/** Notifies sellers' browsers of new sales on marketplaces, each once. Returns the number of claimed sales. */
export async function pushSales(services: Services): Promise<number> {
  return transaction(services.db, 'push-sales', async (tx) => {
    const sales = await tx.any(sql.claimUnpushedSales({ count: batch }))
    for (const { user_id, id, item_uid, platform, title } of sales) {
      if (id === null) continue
      await queuePush(tx, {
        user_id,
        kind: 'sale',
        notice: {
          title: `Sold ${placeName(platform)}`,
          body: title,
          path: `/app/#item/${item_uid}`,
          tag: `sale ${id}`,
        },
      })
    }
    return sales[0]?.count ?? 0
  })
}
