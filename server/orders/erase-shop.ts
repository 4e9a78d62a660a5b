import { createHash } from 'node:crypto'
import { runHooks } from '#server/connections/hooks.ts'
import { type Queries, sql } from '#server/db/index.ts'
import type { Services } from '#server/services.ts'
import { type OAuthSlug, platformOf } from '#shared/platforms.ts'

const findShops = sql(import.meta.url, './sql/find-shops-to-erase.sql')
const eraseAccount = sql(import.meta.url, './sql/erase-shop.sql')
const eraseImports = sql(import.meta.url, './sql/erase-imports.sql')
const eraseSellerUrls = sql(import.meta.url, './sql/erase-seller-urls.sql')
const eraseOrders = sql(import.meta.url, './sql/erase-orders.sql')
const eraseEvents = sql(import.meta.url, './sql/erase-events.sql')
const keepReceipt = sql(import.meta.url, './sql/keep-erasure-receipt.sql')

/**
 * Erases what we hold of a platform's user (eBay's duty of every application; threats T95), within the transaction of its
 * receipt: tokens, id, name and page of the shop, what was read from it, its orders' names. The account here and the
 * things in its inventory are the seller's own and stay. Buyers' data is never kept, so nothing of a buyer is to be erased.
 * Answers how many shops there were.
 */
export async function eraseShop(
  services: Services,
  tx: Queries,
  notice: { platform: OAuthSlug; message_id: string; external_id: string | null; external_name: string | null },
): Promise<number> {
  const platform_url = `${platformOf(notice.platform).url}/`
  const shops = await tx.any<{ user_id: number; seller_account_uid: string; platform: OAuthSlug; status: string }>(
    findShops,
    notice,
  )
  const erased = { shops: shops.length, imports: 0, items: 0, orders: 0 }
  for (const shop of shops) {
    const values = { ...shop, platform_url }
    if (shop.status !== 'revoked') await runHooks('disconnected', services, tx, shop)
    erased.imports += (await tx.result(eraseImports, values)).rowCount
    erased.items += (await tx.result(eraseSellerUrls, values)).rowCount
    erased.orders += (await tx.result(eraseOrders, values)).rowCount
    await tx.none(eraseEvents, values)
    await tx.none(eraseAccount, values)
  }
  await tx.none(keepReceipt, {
    ...notice,
    subject_hash: createHash('sha256')
      .update(notice.external_id ?? notice.external_name ?? '')
      .digest(),
    erased: JSON.stringify(erased),
  })
  return shops.length
}
