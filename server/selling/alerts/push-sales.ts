import { queuePush } from '#server/accounts/web-push/queue-push.ts'
import { sql } from '#server/infra/db/index.ts'
import { placeName } from '#server/selling/sales/observed-sale.ts'
import type { Services } from '#server/services.ts'
import type { PlatformSlug } from '#shared/platforms.ts'

const claim = sql(import.meta.url, './sql/claim-unpushed-sales.sql')

/** Sales per step. */
const batch = 100

interface ClaimedSale {
  /** Sales of the step. */
  count: number
  user_id: number
  /** Null if none of them is told. */
  id: number | null
  item_uid: string
  platform: PlatformSlug
  title: string
}

/** Notifies sellers' browsers of new sales on marketplaces, each once. Returns the number of claimed sales. */
export async function pushSales(services: Services): Promise<number> {
  return services.db.tx('push-sales', async (tx) => {
    const sales = await tx.any<ClaimedSale>(claim, { count: batch })
    for (const { user_id, id, item_uid, platform, title } of sales) {
      if (id === null) continue
      await queuePush(tx, {
        ...{ user_id, kind: 'sale' },
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
