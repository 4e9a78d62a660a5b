import { withShopAccess } from '#server/integrations/connections/with-shop-access.ts'
import { withPriority } from '#server/integrations/quota/index.ts'
import { listUnpaidPurchases, recordUnpaidPurchase } from '#server/selling/sales/unpaid-purchases.ts'
import type { Services } from '#server/services.ts'
import * as sql from './queries.ts'
import { type Shop, visitDueShops } from './visit-due-shops.ts'

/**
 * Holds items whose buyers have not paid yet, where the list of orders leaves such purchases out (eBay, until an offer
 * or auction is paid). Reads each shop once a minute, or as often as its platform's calls allow. reconcile-shops frees
 * items that are never paid. Returns how many shops were read.
 */
export async function readUnpaidPurchases(
  services: Services,
  { limit, signal }: { limit: number; signal?: AbortSignal },
): Promise<number> {
  const platforms = [...services.platforms.values()]
    .filter(({ imports }) => imports.readUnpaidIds)
    .map(({ slug }) => slug)
  const due = {
    claim: sql.claimShopsWithUnpaid,
    platforms,
    limit,
    problem: 'unpaid purchases could not be read',
    signal,
  }
  return visitDueShops(services, due, (shop) => readShop(services, shop, signal))
}

async function readShop(services: Services, shop: Shop, signal?: AbortSignal): Promise<void> {
  const listing_ids = await withPriority('orders', () =>
    withShopAccess(
      services,
      shop,
      async (access, { imports }) => (await imports.readUnpaidIds?.(access)) ?? [],
      signal,
    ),
  )
  if (listing_ids.length === 0) return
  const held = new Set((await listUnpaidPurchases(services.db, shop)).map(({ listing_id }) => listing_id))
  const live = await services.db.any(sql.findLiveOfShop({ ...shop, listing_ids }))
  for (const listing of live) {
    // The order that held the item was cancelled, and the purchase is still listed.
    if (listing.is_left_over || held.has(listing.listing_id)) continue
    await recordUnpaidPurchase(services, shop, listing, 'pending')
  }
}
