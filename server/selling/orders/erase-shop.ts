import { createHash } from 'node:crypto'
import type { Transaction } from '#server/infra/db/index.ts'
import { runHooks } from '#server/integrations/connections/hooks.ts'
import type { Services } from '#server/services.ts'
import { type OAuthSlug, platformOf } from '#shared/platforms.ts'
import * as sql from './queries.ts'

/** Queue of the job that erases the rest in steps (erase-shop-data.ts). */
export const eraseQueue = 'orders-erase'

/**
 * Erases what is stored of a platform's user, which eBay requires. In the transaction of the receipt: tokens, id, name
 * and page of the shop, so that nothing more is read. A job queued by the same transaction erases the rest in steps.
 * Returns how many shops there were.
 */
export async function eraseShop(
  services: Services,
  tx: Transaction,
  notice: { platform: OAuthSlug; message_id: string; external_id: string | null; external_name: string | null },
): Promise<number> {
  const platform_url = `${platformOf(notice.platform).url}/`
  const shops = await tx.any(sql.findShopsToErase(notice))
  for (const shop of shops) {
    if (shop.status !== 'revoked') await runHooks('disconnected', services, tx, shop)
    await tx.none(sql.eraseShop({ ...shop, platform_url, message_id: notice.message_id }))
  }
  await tx.none(
    sql.storeErasureReceipt({
      ...notice,
      subject_hash: createHash('sha256')
        .update(notice.external_id ?? notice.external_name ?? '')
        .digest(),
      erased: JSON.stringify({ shops: shops.length, imports: 0, items: 0, orders: 0 }),
    }),
  )
  // Under the periodic job's key, which waits for minutes, this one would be dropped.
  if (shops.length > 0) await services.jobs.send(tx, eraseQueue, {}, { key: notice.message_id })
  return shops.length
}
