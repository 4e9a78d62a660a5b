import { type Queries, sql, violatedUnique } from '#server/db/index.ts'
import { notFound, problem } from '#server/http/errors.ts'
import { newId } from '#shared/identity.ts'
import { type ExtensionSlug, platformOf } from '#shared/platforms.ts'

const findOrCreate = sql(import.meta.url, './sql/find-or-create-scraped-shop.sql')
const nameShop = sql(import.meta.url, './sql/name-scraped-shop.sql')
const holdUser = sql(import.meta.url, './sql/hold-user.sql')
const findLast = sql(import.meta.url, './sql/find-last-scraped-shop.sql')

export interface ScrapedShop {
  user_id: number
  platform: ExtensionSlug
  /** As the platform shows it; case does not tell shops apart. */
  username: string
  /** Public page of the shop. */
  url: string
}

/**
 * The seller account of a shop that the extension reads, made at its first import (decisions 5, 9); of the shop without a
 * name, if there is one, since that is the same. One shop belongs to one account: throws 409 `shop_in_use` where another
 * holds it; the caller's transaction is then over.
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
    await queries.any(holdUser, row)
    await queries.none(nameShop, { ...row, nameless_id: namelessShop(shop).username.toLowerCase() })
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

/**
 * The shop that a listing is filed under which the seller made by hand: the one of theirs that was connected last, which
 * the listing leaves when another one is found to have it; one without a name where none was ever read (decisions 11).
 */
export async function findOrCreateLastShop(
  queries: Queries,
  seller: Pick<ScrapedShop, 'user_id' | 'platform'>,
): Promise<{ uid: string }> {
  // Held, so that a first import at the same time does not make a second one.
  await queries.any(holdUser, seller)
  const last = await queries.oneOrNone<{ uid: string }>(findLast, seller)
  return last ?? findOrCreateScrapedShop(queries, namelessShop(seller))
}

/** No user name on any platform has blanks. */
function namelessShop({ user_id, platform }: Pick<ScrapedShop, 'user_id' | 'platform'>): ScrapedShop {
  const { name, url } = platformOf(platform)
  return { user_id, platform, username: `seller ${user_id} on ${name}`, url }
}
