import { isFailure, PlatformError } from '#server/integrations/errors.ts'
import type { ShopAccess } from '#server/integrations/port.ts'
import { comparePairs, type Pair, type ReadBack, type SentListing, unordered } from '#server/integrations/read-back.ts'
import type { Listing } from '#shared/listing.ts'
import { isListingFailure } from '#shared/listing.ts'
import { titleMax } from '#shared/listing-limits.ts'
import { decimalFromMinor } from '#shared/money.ts'
import { plainText } from '#shared/plain-text.ts'
import type { Trading } from '../client.ts'
import { conditionOfId, conditions, type EbayCondition, newConditions } from '../condition.ts'
import { ebayDescription, maxListingDescription } from '../description.ts'
import { normalizeItem } from '../read/normalize.ts'
import { GetItemAnswer, WireItem } from '../wire.ts'
import { maxConditionNotes } from './findings.ts'
import { type ListingOptions, pictureUrls } from './listing-body.ts'
import { stateOf } from './trading-listing.ts'

/** Reads a listing by one GetItem, and compares it with what was sent. */
export async function readBack(
  trading: Trading,
  access: ShopAccess,
  listingId: string,
  sent: SentListing,
): Promise<ReadBack> {
  const unread = { listing: null, compared: [], changes: [] }
  try {
    const root = await trading({
      name: 'GetItem',
      ...access,
      fields: { DetailLevel: 'ReturnAll', ItemID: listingId, IncludeItemSpecifics: true },
    })
    const { Item: raw, Timestamp: now } = GetItemAnswer.parse(root)
    const item = WireItem.parse(raw)
    const state = stateOf(item)
    const listing = normalizeItem(raw, { list: null, itemId: listingId, sellerUrl: access.shop.url, now })
    if (state !== 'live' || isListingFailure(listing)) return { state, ...unread }
    return { state, listing, ...comparePairs(pairsOf(item, listing, sent)) }
  } catch (error) {
    if (isFailure(error, 'not_found')) return { state: 'missing', ...unread }
    if (error instanceof Error && error.name === 'ZodError') throw notUnderstood(error)
    throw error
  }
}

function pairsOf(item: WireItem, listing: Listing, { content, fields, price, request }: SentListing): Pair[] {
  const pairs: Pair[] = []
  if (fields.includes('title')) pairs.push({ field: 'title', sent: titleOf(content.title), theirs: listing.title })
  if (fields.includes('description')) {
    const html = ebayDescription(content.description, content.title, maxListingDescription)
    pairs.push({ field: 'description', sent: plainText(html), theirs: plainText(listing.description) })
  }
  if (fields.includes('images')) pairs.push(photosOf(item, pictureUrls(content.images)))
  if (price) pairs.push({ field: 'price', sent: moneyOf(price), theirs: moneyOf(listing) })
  if (!request) return pairs
  const options = request.options as unknown as Partial<ListingOptions>
  return [
    ...pairs,
    { field: 'quantity', sent: '1', theirs: String(listing.quantity ?? 1) },
    { field: 'sku', sent: request.externalKey, theirs: item.SKU ?? '' },
    { field: 'category', sent: options.category_id ?? '', theirs: item.PrimaryCategory?.CategoryID ?? '' },
    ...conditionPairs(item, options.condition, request.condition.notes),
    ...aspectPairs(item, options.aspects ?? {}),
  ]
}

/** Returns a title as it is sent. */
const titleOf = (title: string) => title.slice(0, titleMax.ebay).replace(/[\uD800-\uDBFF]$/, '')

const moneyOf = ({ price_minor, currency }: { price_minor: number; currency: string }) =>
  `${decimalFromMinor(price_minor, currency)} ${currency}`

/** Compares addresses as long as eBay shows those that were sent, and the number of its own copies afterwards. */
function photosOf(item: WireItem, sent: readonly string[]): Pair {
  const { PictureURL = [], ExternalPictureURL = [] } = item.PictureDetails ?? {}
  const theirs = (PictureURL.length > 0 ? PictureURL : ExternalPictureURL).map((url) => url.trim())
  const isSame = theirs.some((url) => sent.includes(url))
  const textOf = (urls: readonly string[]) => (isSame ? urls.join(' ') : `${urls.length} photos`)
  return { field: 'photos', sent: textOf(sent), theirs: textOf(theirs) }
}

function conditionPairs(item: WireItem, condition: string | undefined, notes: string): Pair[] {
  if (!condition) return []
  const id = conditionOfId(item.ConditionID?.trim() ?? '')
  const nameOf = (one: string) => conditions[one as EbayCondition] ?? one
  const theirs = id ? nameOf(id) : (item.ConditionDisplayName ?? '')
  const sentNotes = newConditions.has(condition) ? '' : notes.trim().slice(0, maxConditionNotes)
  return [
    { field: 'condition', sent: nameOf(condition), theirs },
    ...(sentNotes === ''
      ? []
      : [{ field: 'condition' as const, name: 'notes', sent: sentNotes, theirs: item.ConditionDescription ?? '' }]),
  ]
}

/** Compares the item specifics that were sent. eBay may add others. */
function aspectPairs(item: WireItem, aspects: Record<string, string[]>): Pair[] {
  const there = new Map(
    (item.ItemSpecifics?.NameValueList ?? []).map(({ Name, Value }) => [Name.trim().toLowerCase(), Value]),
  )
  const { ISBN, EAN, UPC, BrandMPN } = item.ProductListingDetails ?? {}
  const ofProduct = [ISBN, EAN, UPC, BrandMPN?.Brand, BrandMPN?.MPN]
  return Object.entries(aspects).map(([name, values]) => {
    // eBay shows identifiers with the product.
    const isOfProduct = values.every((value) => ofProduct.includes(value))
    const theirs = there.get(name.trim().toLowerCase()) ?? (isOfProduct ? values : [])
    return { field: 'details', name, sent: unordered(values), theirs: unordered(theirs) }
  })
}

function notUnderstood(cause: Error): PlatformError {
  return new PlatformError('ebay', 'malformed', "eBay's answer about a listing is not understood.", { cause })
}
