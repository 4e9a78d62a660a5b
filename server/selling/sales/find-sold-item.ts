import type { Queries } from '#server/infra/db/index.ts'
import type { RowOf } from '#server/infra/db/statement.ts'
import type { PlatformSlug, UnconnectedSlug } from '#shared/platforms.ts'
import { type Identification, identifyItem, type Offer, type OfferedListing, type SoldThing } from './identify-item.ts'
import * as sql from './queries.ts'

/** An item that may have been sold, with its first picture. */
export interface KnownOffer extends Offer {
  image: string | null
}

/** A marketplace, connected or not: an item has listings on a connected one only. */
export type SaleMarketplace = PlatformSlug | UnconnectedSlug

/** Reads what may be the thing that was sold on a marketplace, and decides which item it is (`identifyItem`). */
export async function findSoldItem(
  queries: Queries,
  { user_id, platform, order_id = null }: { user_id: number; platform: SaleMarketplace; order_id?: string | null },
  thing: SoldThing,
): Promise<Identification<KnownOffer>> {
  const { listing_id, sku, title, isCut } = thing
  const given = { user_id, platform, order_id, listing_id, sku, title: title ?? '', is_cut: isCut }
  const rows = await queries.any(sql.findOffers(given))
  const offers = new Map<string, KnownOffer>()
  for (const row of rows) {
    const offer = offerOf(row)
    const known = offers.get(row.item_uid)
    if (!known || rankOf(offer, thing) > rankOf(known, thing)) offers.set(row.item_uid, offer)
  }
  return identifyItem(thing, [...offers.values()])
}

function offerOf(row: RowOf<typeof sql.findOffers>): KnownOffer {
  const { item_uid, title, description, size, image, price_minor, currency, has_past_sale: hasPastSale } = row
  const skus = [row.sku, row.listing_sku, row.external_key].filter((sku) => sku !== null)
  return {
    item_uid,
    skus,
    title,
    description,
    size,
    image,
    price_minor,
    currency,
    listing: listingOf(row),
    hasPastSale,
  }
}

function listingOf(row: RowOf<typeof sql.findOffers>): OfferedListing | null {
  const { listing_id, seller_account_uid, listing_state, listing_price_minor, listing_currency } = row
  if (listing_id === null) return null
  return {
    listing_id,
    seller_account_uid: seller_account_uid!,
    // Another order sold it, so that this one is about another thing.
    state: row.is_taken ? 'sold' : listing_state!,
    price_minor: listing_price_minor!,
    currency: listing_currency!,
    for_sale_since: row.for_sale_since,
    is_recent: !row.is_taken && (row.is_recent ?? false),
  }
}

/** Of an item's listings on the marketplace, the one that was named counts, else the one on offer. */
function rankOf({ listing }: Offer, thing: SoldThing): number {
  if (!listing) return 0
  if (listing.listing_id === thing.listing_id) return 5
  return { removed: 1, sold: 2, reserved: 3, available: 4 }[listing.state]
}
