import type { InventoryItem } from '#shared/contract/catalog/inventory.ts'
import type { Availability } from '#shared/item/inventory-record.ts'
import { isNoPhoto } from '#shared/item/placeholders.ts'
import type { ListingTerms } from '#shared/listing.ts'
import { findPlatform, type PlatformSlug, platformOf } from '#shared/platforms.ts'
import { runningSale } from '#shared/running-sale.ts'

/** A current or past listing of an item. */
export interface RowListing {
  platform: PlatformSlug
  listing_id: string
  url: string
  state: 'available' | 'reserved' | 'sold' | 'removed'
  currency?: string
  /** Where it differs from the item's. */
  price_minor?: number
  /** Bidders decide its price. */
  auction?: true
  /** The sale event that it was in when it was read. */
  sale?: ListingTerms['sale']
}

/** An item as tables and search show it. Small, since ten thousand are in memory. Times in epoch ms. */
export interface InventoryRow {
  uid: string
  title: string
  sku: string | null
  image: string | null
  price_minor: number
  currency: string
  state: Availability
  listings: RowListing[]
  brand: string | null
  category: string | null
  size: string | null
  /** The seller has yet to finish it. */
  draft: boolean
  location: string | null
  /** Purchase price, in the currency of the price. */
  cost_minor: number | null
  /** When the oldest of its live listings went up. Null while nothing is live. */
  listed_at: number | null
  /** Searchable form of title, SKU, brand, size, category, product codes and colors. */
  words: string
  created_at: number
  updated_at: number
  version: number
  /** Number of the full pass that last saw it. */
  pass: number
}

/** Returns the row of an item. */
export function rowOf(item: InventoryItem, pass: number): InventoryRow {
  const { record, attributes } = item
  const { brand, size, category, colors, upc, ean, isbn } = attributes
  return {
    uid: item.uid,
    title: record.title,
    sku: item.sku,
    image: record.images.find((image) => !isNoPhoto(image)) ?? null,
    price_minor: record.offer.price_minor,
    currency: record.offer.currency,
    state: record.lifecycle.state,
    listings: listingsOf(item),
    brand: brand ?? null,
    category: category ?? null,
    size: size ?? null,
    draft: attributes.draft === true,
    location: attributes.storage_location ?? null,
    cost_minor: attributes.cost_minor ?? null,
    listed_at: listedAt(item),
    words: searchable(
      [record.title, item.sku, brand, size, category, upc, ean, isbn, ...(colors ?? [])].filter(Boolean).join(' '),
    ),
    created_at: Date.parse(item.created_at),
    updated_at: Date.parse(item.updated_at),
    version: item.version,
    pass,
  }
}

/** Returns when the oldest live listing went up. */
function listedAt({ listings = [] }: InventoryItem): number | null {
  const times = listings.flatMap(({ state, listed_at }) =>
    listed_at && (state === 'available' || state === 'reserved') ? [Date.parse(listed_at)] : [],
  )
  return times.length > 0 ? Math.min(...times) : null
}

/** Returns an item's listings. Without a state from the server they follow the item's. */
export function listingsOf(item: InventoryItem): RowListing[] {
  if (item.listings) {
    const own = item.record.offer.price_minor
    return item.listings.map(({ platform, listing_id, url, state, currency, price_minor, format, sale }) => ({
      ...{ platform, listing_id, url, state, currency },
      ...(price_minor === own ? {} : { price_minor }),
      ...(sale ? { sale } : {}),
      ...(format === 'auction' ? { auction: true } : {}),
    }))
  }
  const sold = item.record.lifecycle.state === 'sold'
  return (item.record.channel_listings ?? []).flatMap(({ channel, listing_id, url }) => {
    const platform = findPlatform(channel)
    return platform
      ? [{ platform: platform.slug, listing_id, url, state: sold ? ('removed' as const) : ('available' as const) }]
      : []
  })
}

/** Returns true while buyers see the listing. */
export function isLive(listing: RowListing): boolean {
  return listing.state === 'available' || listing.state === 'reserved'
}

/** Returns the platforms whose sale event ends when Hapax sends them another price. */
export function platformsOnSale({ listings }: Pick<InventoryRow, 'listings'>): PlatformSlug[] {
  const isSent = ({ platform }: RowListing) => platformOf(platform).capabilities.edit.length > 0
  return livePlatforms({ listings: listings.filter((one) => isSent(one) && runningSale(one, Date.now())) })
}

/** Returns the distinct platforms where buyers see the item. */
export function livePlatforms(row: Pick<InventoryRow, 'listings'>): PlatformSlug[] {
  return [...new Set(row.listings.filter(isLive).map((listing) => listing.platform))]
}

/** Returns lower case without accents and apostrophes, so that "cafe" finds "Café" and "levis" finds "Levi's". */
export function fold(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\p{Mn}'’‘ʼ`´]/gu, '')
    .toLowerCase()
}

/** Returns the searchable form of a text. Words with hyphens stand twice, so that "tshirt" finds "T-shirt". */
function searchable(text: string): string {
  const folded = fold(text)
  const joined = folded.replace(/[-‐‑–_./]/g, '')
  return joined === folded ? folded : `${folded} ${joined}`
}
