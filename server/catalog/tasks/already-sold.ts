import type { Transaction } from '#server/infra/db/index.ts'
import { endListing } from '#server/selling/listings/operations/listing-rows.ts'
import { saleOfListing } from '#server/selling/sales/observed-sale.ts'
import { recordSaleIn } from '#server/selling/sales/record-sale.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import * as sql from './queries.ts'

/** A listing that the seller made for an item, reported only now. */
interface MadeListing {
  user_id: number
  item_uid: string
  platform: PlatformSlug
  listing_id: string
  price_minor: number
  currency: string
}

/**
 * Records the sale of a listing that sold before its task was completed, and returns whether it did. If an import has
 * made another item of the listing, the sale counts for both. `keep` stores an unknown listing and returns its shop.
 * Runs in the caller's transaction, which holds the item and the user's inventory.
 */
export async function recordIfAlreadySold(
  tx: Transaction,
  made: MadeListing,
  observed_at: string,
  keep: () => Promise<string>,
): Promise<boolean> {
  const { user_id, item_uid, platform, listing_id, price_minor, currency } = made
  const known = await tx.oneOrNone(sql.findSoldListing(made))
  if (!known) return false
  if (known.item_uid === item_uid) return true
  const seller_account_uid = known.seller_account_uid ?? (await keep())
  if (!known.item_uid) await endListing(tx, { user_id, seller_account_uid, listing_id, state: 'sold' })
  if (!known.is_news) return true
  const external_line_id = known.item_uid ? `${listing_id}/${item_uid}` : listing_id
  const listing = { platform, seller_account_uid, listing_id, price_minor, currency, observed_at }
  await recordSaleIn(tx, user_id, saleOfListing({ ...listing, sold_item: { item_uid, external_line_id } }))
  return true
}
