import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { isLive } from '#server/catalog/inventory/read-listing.ts'
import type { Queries } from '#server/infra/db/index.ts'
import { readPriceRules } from '#server/selling/listings/preflight/price-rules.ts'
import type { Services } from '#server/services.ts'
import { newOrderedId } from '#shared/identity.ts'
import type { Listing, ListingFailure } from '#shared/listing.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import { type Money, priceOnPlatform } from '#shared/price-change.ts'
import { compareListing, type ListingValues, valuesOfListing } from './compare-listing.ts'
import * as sql from './queries.ts'

interface Shop {
  user_id: number
  seller_account_uid: string
  platform: PlatformSlug
}

/** A listing that was read, and what is known of it and its item. */
interface ReadListing {
  found: Listing | ListingFailure
  known?: (Money & { item: { title: string; images: string[]; description_md5: string } }) | null | undefined
}

/**
 * Records the differences of listings that were read again, in the transaction of the reading. Changes no item. Listings
 * that are new cost nothing, and those that agree one query for all.
 */
export async function recordDifferences(
  services: Pick<Services, 'platforms'>,
  tx: Queries,
  shop: Shop,
  read: readonly ReadListing[],
): Promise<void> {
  const known = read.flatMap(({ found, known }) =>
    known && !('error_code' in found) && isLive(found) ? [{ id: found.listing_id, found, known }] : [],
  )
  if (known.length === 0) return
  const values = new Map(known.map(({ id, found }) => [id, valuesOfListing(found)]))
  const unlike = known.filter((each) => !isEqual(values.get(each.id)!, each.known)).map(({ id }) => id)
  await compareAll(services, tx, shop, values, unlike, 'open')
}

/** Records that the seller linked a listing whose values differ: they are no news until the platform's change. */
export function acceptDifferences(
  services: Pick<Services, 'platforms'>,
  tx: Queries,
  shop: Shop,
  found: Listing,
): Promise<void> {
  const values = new Map([[found.listing_id, valuesOfListing(found)]])
  return compareAll(services, tx, shop, values, [found.listing_id], 'ignored')
}

async function compareAll(
  services: Pick<Services, 'platforms'>,
  tx: Queries,
  shop: Shop,
  values: ReadonlyMap<string, ListingValues>,
  unlike: readonly string[],
  unlikeState: 'open' | 'ignored',
): Promise<void> {
  const comparables = await tx.any(sql.findComparables({ ...shop, listing_ids: [...values.keys()], unlike }))
  if (comparables.length === 0) return
  const rule = (await readPriceRules(tx, shop.user_id))[shop.platform]
  const titleThere = services.platforms.get(shop.platform)?.titleThere ?? ((title: string) => title)
  const rows = comparables.flatMap((row) => {
    const listingPrice = { price_minor: row.listing_price_minor, currency: row.listing_currency }
    const price = { price_minor: priceOnPlatform(row, rule), currency: row.currency }
    const { listing_id } = row
    const outcomes = compareListing(values.get(listing_id)!, { ...row, price, listingPrice, titleThere }, unlikeState)
    return outcomes.map((outcome) => ({ uid: newOrderedId('dif'), listing_id, ...outcome }))
  })
  if (rows.length > 0) await tx.none(sql.writeDifferences({ ...shop, rows: JSON.stringify(rows) }))
}

/** Returns whether a listing has the very values of its item. */
function isEqual(
  { title, description, photos, price }: ListingValues,
  known: NonNullable<ReadListing['known']>,
): boolean {
  const { item, price_minor, currency } = known
  return (
    title === item.title &&
    (description === null || md5(description) === item.description_md5) &&
    isDeepStrictEqual(photos, item.images) &&
    (price === null || isDeepStrictEqual(price, { price_minor, currency }))
  )
}

const md5 = (text: string) => createHash('md5').update(text).digest('hex')
