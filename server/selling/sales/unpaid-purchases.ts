import type { Queries } from '#server/infra/db/index.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import type { Services } from '#server/services.ts'
import type { OAuthSlug } from '#shared/platforms.ts'
import { saleContention } from './contention.ts'
import { saleOfListing } from './observed-sale.ts'
import * as sql from './queries.ts'
import { recordSaleIn } from './record-sale.ts'

interface Shop {
  user_id: number
  seller_account_uid: string
  platform: OAuthSlug
}

/** A listing and its price. */
export interface Purchase {
  listing_id: string
  price_minor: number
  currency: string
}

/**
 * Records that a listing is sold without an order, or no longer. eBay's list of orders leaves out accepted offers and
 * auctions until they are paid. `pending` holds the item for that buyer until the order comes and takes the place of
 * this. `cancelled` frees it.
 */
export async function recordUnpaidPurchase(
  services: Pick<Services, 'db' | 'now'>,
  shop: Shop,
  { listing_id, price_minor, currency }: Purchase,
  status: 'pending' | 'cancelled',
): Promise<void> {
  const observed_at = services.now().toISOString()
  const sale = saleOfListing({ ...shop, listing_id, price_minor, currency, observed_at, status, by: 'poll' })
  await transaction(services.db, 'record-unpaid-purchase', (tx) => recordSaleIn(tx, shop.user_id, sale), saleContention)
}

/** Lists a shop's listings whose items are held for buyers who have not paid. */
export const listUnpaidPurchases = (queries: Queries, shop: Shop) => queries.any(sql.listUnpaidPurchases(shop))
