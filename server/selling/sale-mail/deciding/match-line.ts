import type { HintLine } from '../reading/hint.ts'
import { foldTitle } from '../reading/words.ts'

/** A listing that a line may name (`findListings`). */
export interface ListingRow {
  listing_id: string
  seller_account_uid: string
  item_uid: string
  state: 'available' | 'reserved' | 'sold' | 'removed'
  price_minor: number
  currency: string
  sku: string | null
  title: string
  description: string
  size: string | null
  /** It changed within the days in which a mail counts. */
  is_recent: boolean
}

/** Characters of the beginning of a title that name a listing together with size and price. */
const shortestBeginning = 15

/**
 * Returns the listings that a line names: by id, else by SKU, else by title, size and price. One is sure; several need
 * the seller; none is unknown. A title counts among live listings, and where there is none, among those that a reading
 * has lately seen as sold: it may come before the mail.
 */
export function matchLine(line: HintLine, listings: readonly ListingRow[]): ListingRow[] {
  const byId = listings.filter(({ listing_id }) => listing_id === line.listing_id)
  if (byId.length > 0) return byId
  const bySku =
    line.sku === null ? [] : listings.filter(({ sku }) => sku !== null && foldTitle(sku) === foldTitle(line.sku!))
  if (bySku.length > 0) return liveOrSold(bySku)
  return liveOrSold(listings.filter((listing) => agrees(line, listing)))
}

function liveOrSold(listings: ListingRow[]): ListingRow[] {
  const live = listings.filter(({ state }) => state === 'available' || state === 'reserved')
  return live.length > 0 ? live : listings.filter(({ state, is_recent }) => state === 'sold' && is_recent)
}

function agrees(line: HintLine, listing: ListingRow): boolean {
  if (line.title === null) return false
  const isPriceRight =
    line.price_minor === null || (line.price_minor === listing.price_minor && line.currency === listing.currency)
  const isSizeRight = line.size === null || listing.size === null || foldTitle(line.size) === foldTitle(listing.size)
  return isPriceRight && isSizeRight && namesIt(foldTitle(line.title), line.isCut, listing)
}

/** Depop has no titles: the text is the beginning of a description, which may begin with the title. */
function namesIt(text: string, isCut: boolean, { title, description }: ListingRow): boolean {
  const texts = [title, description, `${title} ${description}`].map(foldTitle)
  if (!isCut) return texts.includes(text)
  return text.length >= shortestBeginning && texts.some((one) => one.startsWith(text))
}
