import { withShopAccess } from '#server/connections/with-shop-access.ts'
import { sql } from '#server/db/index.ts'
import { HttpProblem } from '#server/http/errors.ts'
import { PlatformError } from '#server/platforms/errors.ts'
import { documentedPlans } from '#server/platforms/quota/plans.ts'
import { listUnpaidPurchases, type Purchase, recordUnpaidPurchase } from '#server/sales/unpaid-purchases.ts'
import type { Services } from '#server/services.ts'
import type { OAuthSlug } from '#shared/platforms.ts'

const claimDue = sql(import.meta.url, './sql/claim-shops-with-unpaid.sql')
const findLive = sql(import.meta.url, './sql/find-live-of-shop.sql')

interface Shop {
  user_id: number
  seller_account_uid: string
  platform: OAuthSlug
}

/** Of a platform's calls of a day: what looking for unpaid purchases may take of them, at a call a shop. */
const shareOfDay = 0.3

/**
 * Holds items whose buyers have not paid yet, where the list of orders leaves such purchases out: eBay's does until an
 * accepted offer or an auction is paid for. Each shop is asked once a minute, or as often as its platform's calls allow.
 * Comparing shops (reconcile-shops) frees the items that are not paid for. Returns how many shops were looked at.
 */
export async function readUnpaidPurchases(
  services: Services,
  { limit, signal }: { limit: number; signal?: AbortSignal },
): Promise<number> {
  const platforms = [...services.platforms.values()]
    .filter(({ imports }) => imports.readUnpaidIds)
    .map(({ slug }) => slug)
  const due = await services.db.any<Shop>(claimDue, {
    limit,
    platforms,
    seconds_per_shop: platforms.map((slug) => 86_400 / (documentedPlans[slug].perDay * shareOfDay)),
  })
  for (const shop of due) {
    if (signal?.aborted) break
    await readShop(services, shop, signal).catch((error: unknown) => {
      if (!(error instanceof PlatformError) && !(error instanceof HttpProblem)) throw error
      // The next turn sees to it; a lost connection is marked where it was noticed.
      services.log.info({ err: error, seller_account: shop.seller_account_uid }, 'unpaid purchases could not be read')
    })
  }
  return due.length
}

async function readShop(services: Services, shop: Shop, signal?: AbortSignal): Promise<void> {
  const listing_ids = await withShopAccess(
    services,
    shop,
    async (access, { imports }) => (await imports.readUnpaidIds?.(access)) ?? [],
    signal,
  )
  if (listing_ids.length === 0) return
  const held = new Set((await listUnpaidPurchases(services.db, shop)).map(({ listing_id }) => listing_id))
  const live = await services.db.any<Purchase & { is_left_over: boolean }>(findLive, { ...shop, listing_ids })
  for (const listing of live) {
    // Left over: the order that held the item was cancelled, and the purchase is still listed.
    if (listing.is_left_over || held.has(listing.listing_id)) continue
    await recordUnpaidPurchase(services, shop, listing, 'pending')
  }
}
