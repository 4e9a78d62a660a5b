import { type Queries, sql, violatedUnique } from '#server/db/index.ts'
import { notFound, problem } from '#server/http/errors.ts'
import { newId } from '#shared/identity.ts'
import type { ExtensionSlug } from '#shared/platforms.ts'

const findOrCreate = sql(import.meta.url, './sql/find-or-create-scraped-shop.sql')

export interface ScrapedShop {
  user_id: number
  platform: ExtensionSlug
  /** As the platform shows it; case does not tell shops apart. */
  username: string
  /** Public page of the shop. */
  url: string
}

/**
 * The seller account of a shop that the extension reads, made at its first import (decisions 5, 9). One shop belongs to
 * one account: throws 409 `shop_in_use` where another holds it; the caller's transaction is then over.
 */
export async function findOrCreateScrapedShop(queries: Queries, shop: ScrapedShop): Promise<{ uid: string }> {
  const username = shop.username.trim()
  const row = {
    user_id: shop.user_id,
    uid: newId('sel'),
    platform: shop.platform,
    external_id: username.toLowerCase(),
    external_name: username,
    url: shop.url,
  }
  try {
    const found = await queries.oneOrNone<{ uid: string }>(findOrCreate, row)
    if (!found) throw notFound()
    return found
  } catch (error) {
    if (violatedUnique(error) === 'seller_account_shop_key') {
      throw problem('shop_in_use', 'Another account already imports this shop.', { cause: error })
    }
    throw error
  }
}
