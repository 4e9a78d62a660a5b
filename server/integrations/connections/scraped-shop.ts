import type { Queries } from '#server/infra/db/index.ts'
import { notFound, problem } from '#server/infra/errors.ts'
import { newId } from '#shared/identity.ts'
import { type ExtensionSlug, platformOf } from '#shared/platforms.ts'
import * as sql from './queries.ts'

interface ScrapedShop {
  user_id: number
  platform: ExtensionSlug
  /** The name as the platform shows it; case does not matter. */
  username: string
  /** Public page of the shop. */
  url: string
}

/** Maximum shops per platform and account. Most sellers have one. */
const maxShops = 25

/**
 * Returns the seller account of a shop that the extension reads, and whether it is new. A first import takes over the
 * shop without a name, if there is one. Other accounts may have shops of the same name, because a name proves nothing.
 * Throws 404 for a closed account, 409 `quota_exceeded`.
 */
export async function findOrCreateScrapedShop(
  queries: Queries,
  shop: ScrapedShop,
): Promise<{ uid: string; is_new: boolean }> {
  const username = shop.username.trim()
  const row = {
    user_id: shop.user_id,
    uid: newId('sel'),
    platform: shop.platform,
    external_id: username.toLowerCase(),
    external_name: username,
    url: shop.url,
  }
  // Lock the user, so that the limit holds under concurrency.
  await queries.any(sql.lockUser(row))
  await queries.none(sql.nameScrapedShop({ ...row, nameless_id: namelessShop(shop).username.toLowerCase() }))
  const { count, is_known } = await queries.one(sql.countShops(row))
  if (count >= maxShops && !is_known) {
    const { name } = platformOf(shop.platform)
    throw problem('quota_exceeded', `An account reads at most ${maxShops} shops on ${name}, and this one has.`)
  }
  const found = await queries.oneOrNone(sql.findOrCreateScrapedShop(row))
  if (!found) throw notFound()
  return found
}

/**
 * Returns the shop of a listing that the seller entered by hand: the one connected last. A later import moves the
 * listing if another shop has it. Without any shop, creates one without a name.
 */
export async function findOrCreateLastShop(
  queries: Queries,
  seller: Pick<ScrapedShop, 'user_id' | 'platform'>,
): Promise<{ uid: string }> {
  // Lock the user, so that a concurrent first import does not create a second shop.
  await queries.any(sql.lockUser(seller))
  const last = await queries.oneOrNone(sql.findLastScrapedShop(seller))
  return last ?? findOrCreateScrapedShop(queries, namelessShop(seller))
}

/** Returns a placeholder shop. Its name cannot collide, because no platform allows blanks in user names. */
function namelessShop({ user_id, platform }: Pick<ScrapedShop, 'user_id' | 'platform'>): ScrapedShop {
  const { name, url } = platformOf(platform)
  return { user_id, platform, username: `seller ${user_id} on ${name}`, url }
}
