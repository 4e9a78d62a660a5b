import { createHash } from 'node:crypto'
import { type Queries, sql } from '#server/infra/db/index.ts'
import { runHooks } from '#server/integrations/connections/hooks.ts'
import type { Services } from '#server/services.ts'
import { type OAuthSlug, platformOf } from '#shared/platforms.ts'

const findShops = sql(import.meta.url, './sql/find-shops-to-erase.sql')
const eraseAccount = sql(import.meta.url, './sql/erase-shop.sql')
const keepReceipt = sql(import.meta.url, './sql/store-erasure-receipt.sql')

/** Erases what is left, by steps (erase-rest.ts). */
export const eraseQueue = 'orders-erase'

/**
 * Erases what we hold of a platform's user (eBay's duty of every application). Within the transaction of its
 * receipt: tokens, id, name and page of the shop, so that nothing is read there any more. What was read before goes after it,
 * by steps of a job that the same transaction asks for. Answers how many shops there were.
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
  for (const shop of shops) {
    if (shop.status !== 'revoked') await runHooks('disconnected', services, tx, shop)
    await tx.none(eraseAccount, { ...shop, platform_url, message_id: notice.message_id })
  }
  await tx.none(keepReceipt, {
    ...notice,
    subject_hash: createHash('sha256')
      .update(notice.external_id ?? notice.external_name ?? '')
      .digest(),
    erased: JSON.stringify({ shops: shops.length, imports: 0, items: 0, orders: 0 }),
  })
  // A key of its own: with the periodic job's, which waits for minutes, this one would be dropped.
  if (shops.length > 0) await services.jobs.send(tx, eraseQueue, {}, { key: notice.message_id })
  return shops.length
}
