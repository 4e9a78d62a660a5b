import { type Queries, sql } from '#server/infra/db/index.ts'
import { endListing } from '#server/selling/listings/listing-rows.ts'
import { recordOrderIn } from '#server/selling/sales/record-order.ts'
import type { PlatformSlug } from '#shared/platforms.ts'

const findSoldListing = sql(import.meta.url, './sql/find-sold-listing.sql')

/** A listing that the seller made for an item, of which we hear only now. */
export interface MadeListing {
  user_id: number
  item_uid: string
  platform: PlatformSlug
  listing_id: string
  price_minor: number
  currency: string
}

/**
 * Where a new listing has sold before its task was completed it is a sale of the item, by itself or, where an import made a
 * thing of its own of it, beside that one's. Answers whether it has; `keep` keeps a listing that nothing knows yet and answers
 * its shop. In the caller's transaction, with the item and the user's inventory held.
 */
export async function recordSoldListing(
  tx: Queries,
  made: MadeListing,
  now: string,
  keep: () => Promise<string>,
): Promise<boolean> {
  const { user_id, item_uid, platform, listing_id, price_minor, currency } = made
  const known = await tx.oneOrNone<{ item_uid: string | null; seller_account_uid: string | null; is_news: boolean }>(
    findSoldListing,
    made,
  )
  if (!known) return false
  if (known.item_uid === item_uid) return true
  const seller_account_uid = known.seller_account_uid ?? (await keep())
  if (!known.item_uid) await endListing(tx, { user_id, seller_account_uid, listing_id, state: 'sold' })
  if (!known.is_news) return true
  const line = { listing_id, sku: null, quantity: 1, price_minor, currency, status: 'paid', item_uid } as const
  const external_line_id = known.item_uid ? `${listing_id}/${item_uid}` : listing_id
  await recordOrderIn(
    tx,
    user_id,
    {
      ...{ platform, seller_account_uid, external_order_id: `listing-${listing_id}`, source: 'scraped' },
      ...{ ordered_at: now, modified_at: now, lines: [{ ...line, external_line_id }] },
    },
    { by: 'extension', seen_at: now },
  )
  return true
}
