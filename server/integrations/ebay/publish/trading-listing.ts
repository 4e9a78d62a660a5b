import { utcText } from '#server/infra/utc-text.ts'
import { isFailure, PlatformError } from '#server/integrations/errors.ts'
import type { ContentField, KnownListing, ListingContent, LiveState, ShopAccess } from '#server/integrations/port.ts'
import { warn } from '#server/integrations/warnings.ts'
import type { ListingTerms } from '#shared/listing.ts'
import { titleMax } from '#shared/listing-limits.ts'
import { decimalFromMinor, minorFromDecimal } from '#shared/money.ts'
import type { Money } from '#shared/price-change.ts'
import type { Fields, Trading } from '../client.ts'
import { ebayDescription, maxListingDescription } from '../description.ts'
import { termsOf } from '../read/normalize.ts'
import { theirWords } from '../refusals.ts'
import { GetItemAnswer, WireItem } from '../wire.ts'
import { cut } from './cut.ts'
import { pictureUrls } from './listing-body.ts'

/** Trading error: the listing has already ended. */
const alreadyEnded = '1047'

/** In its last hours a listing takes few changes, and one with bids cannot be ended. */
const lastHoursMs = 12 * 3_600_000

/** Time after the end of an auction until eBay shows what became of it. */
const afterEndMs = 5_000

/** Access to the Trading API for one shop. */
interface TradingShop {
  trading: Trading
  access: ShopAccess
  now: () => Date
}

async function readItem(
  { trading, access }: TradingShop,
  ItemID: string,
  DetailLevel?: 'ReturnAll',
): Promise<WireItem> {
  const root = await trading({
    name: 'GetItem',
    ...access,
    fields: { DetailLevel, ItemID },
  })
  const item = WireItem.safeParse(GetItemAnswer.parse(root).Item)
  if (item.success) return item.data
  throw new PlatformError('ebay', 'malformed', "eBay's answer about a listing is not understood.", {
    cause: item.error,
  })
}

export async function readState(shop: TradingShop, listingId: string): Promise<LiveState> {
  try {
    return stateOf(await readItem(shop, listingId))
  } catch (error) {
    if (isFailure(error, 'not_found')) return 'missing'
    throw error
  }
}

/** Returns the state of an item. It is live if eBay calls it Active and a unit is left. */
export function stateOf(item: WireItem): LiveState {
  const status = item.SellingStatus?.ListingStatus
  const sold = Number(item.SellingStatus?.QuantitySold ?? 0)
  const left = Number(item.Quantity ?? 1) - sold
  if (status === 'Active') return left > 0 ? 'live' : 'sold'
  if (status === 'Completed' || status === 'Ended') return sold > 0 && left <= 0 ? 'sold' : 'ended'
  // An unknown status does not prove that the listing is down.
  return 'live'
}

/**
 * Ends a listing. A listing that is already down or gone is success. Bids on an auction are
 * canceled by this reason; "sell to the highest bidder" would sell the item twice. Throws `not_yet` for an auction that
 * eBay does not end, with what the seller can do.
 */
export async function endByTrading(shop: TradingShop, { listing_id, terms }: KnownListing): Promise<void> {
  const { trading, access } = shop
  // Auctions need the second call.
  const calls = terms?.format === 'auction' ? (['EndItem'] as const) : (['EndFixedPriceItem', 'EndItem'] as const)
  for (const name of calls) {
    try {
      await trading({
        name,
        ...access,
        site: terms?.site,
        fields: { ItemID: listing_id, EndingReason: 'NotAvailable' },
      })
      return
    } catch (error) {
      if (!isRefusal(error) && !isFailure(error, 'not_found')) throw error
      if (error.platformCode === alreadyEnded) return
      // The listing may have been deleted (error 17) or ended meanwhile.
      const item = await readItem(shop, listing_id).catch((cause: unknown) => {
        if (isFailure(cause, 'not_found')) return null
        throw cause
      })
      if (!item || stateOf(item) !== 'live') return
      if (name === 'EndItem') throw (isRefusal(error) && auctionStays(item, error, shop.now())) || error
    }
  }
}

/** Returns why an auction cannot be ended; null for a listing of another kind. */
function auctionStays(item: WireItem, refusal: PlatformError, now: Date): PlatformError | null {
  const { format, bids = 0, ends_at } = termsOf(item)
  if (format !== 'auction') return null
  const leftMs = ends_at === undefined ? null : Math.max(0, Date.parse(ends_at) - now.getTime())
  const state = `This auction has ${bids === 1 ? '1 bid' : `${bids} bids`}${ends_at ? ` and ends ${utcText(ends_at)}` : ''}.`
  const why =
    leftMs !== null && leftMs > lastHoursMs
      ? 'eBay did not end it'
      : 'eBay ends no auction in its last 12 hours that has a bid, or had one canceled'
  const help =
    'Cancel the bids on its page and write to the bidders. If it still ends with a buyer, cancel that sale at once.'
  const message = `${state} ${why}. ${help} (${theirWords(refusal)})`
  return new PlatformError('ebay', 'not_yet', message, {
    platformCode: 'auction_bids',
    ...(leftMs === null ? {} : { retryAfterMs: leftMs + afterEndMs }),
    cause: refusal,
  })
}

/**
 * Changes the price of a listing, and keeps the prices at which eBay answers offers by itself. Throws `refused` for
 * variations and auctions.
 */
export async function revisePrice(
  shop: TradingShop,
  listing: KnownListing & { price_minor: number; currency: string },
): Promise<void> {
  const { price_minor, currency, terms: known } = listing
  const isRefused = known?.has_variations || known?.format === 'auction'
  const item = isRefused ? null : await readItem(shop, listing.listing_id, 'ReturnAll')
  const terms = { ...known, ...(item ? termsOf(item) : {}) }
  if (terms.has_variations) {
    const message = 'The listing on eBay has variations with prices of their own. Change them on eBay.'
    throw new PlatformError('ebay', 'refused', message, { platformCode: 'variations' })
  }
  if (terms.format === 'auction') {
    const message = 'The listing on eBay is an auction, whose price is up to its bidders.'
    throw new PlatformError('ebay', 'refused', message, { platformCode: 'auction' })
  }
  const StartPrice = { '@currencyID': currency, '#text': decimalFromMinor(price_minor, currency) }
  const { sent, moved } = offerLimits(item, { price_minor, currency })
  await revise(shop, listing, terms, { StartPrice, ListingDetails: sent })
  for (const sentence of moved) warn(sentence)
}

/**
 * Returns the limits at which eBay answers offers by itself, for a new price. eBay forgets the one for declining unless
 * it is sent with a lower price (KB 880). Both must be below the price, and the one for accepting above the other: they
 * are lowered no further than that, with a sentence for each. A limit for accepting that stands right below the old
 * price follows a higher one, since the item would sell for the old price otherwise.
 */
function offerLimits(item: WireItem | null, { price_minor, currency }: Money) {
  const moved: string[] = []
  const sent: Fields = {}
  let most = price_minor - 1
  const minorOf = (price: { value: string } | undefined) => minorFromDecimal(price?.value ?? '', currency)
  const keep = (name: 'MinimumBestOfferPrice' | 'BestOfferAutoAcceptPrice', does: string, isAtTop = false) => {
    const limit = minorOf(item?.ListingDetails?.[name])
    if (!limit) return
    const textOf = (minor: number) => decimalFromMinor(minor, currency)
    const next = isAtTop ? most : Math.min(limit, most)
    if (next > 0) sent[name] = { '@currencyID': currency, '#text': textOf(next) }
    const now = next > 0 ? `from ${textOf(limit)} ${currency} to ${textOf(next)} ${currency}` : 'off'
    if (next !== limit) moved.push(`The limit at which eBay ${does} by itself went ${now}, to fit the new price.`)
    most = next - 1
  }
  const accepts = minorOf(item?.ListingDetails?.BestOfferAutoAcceptPrice)
  keep('BestOfferAutoAcceptPrice', 'accepts offers', accepts !== null && accepts + 1 === minorOf(item?.StartPrice))
  keep('MinimumBestOfferPrice', 'declines offers')
  // The schema has them in the other order.
  const inOrder = Object.fromEntries(Object.entries(sent).reverse())
  return { sent: Object.keys(sent).length > 0 ? inOrder : undefined, moved }
}

/** Changes the content of a listing. The Trading API keeps what is left out. */
export async function reviseContent(
  shop: TradingShop,
  listing: KnownListing,
  { fields, title, description, images }: ListingContent & { fields: readonly ContentField[] },
): Promise<void> {
  await revise(shop, listing, await termsFor(shop, listing), {
    Title: fields.includes('title') ? cut(title, titleMax.ebay) : undefined,
    Description: fields.includes('description')
      ? ebayDescription(description, title, maxListingDescription)
      : undefined,
    PictureDetails: fields.includes('images') ? { PictureURL: pictureUrls(images) } : undefined,
  })
}

/** Returns how a listing is sold. One whose site is not known yet is read, such as one of an earlier release's import. */
async function termsFor(shop: TradingShop, { listing_id, terms }: KnownListing): Promise<ListingTerms> {
  return terms?.site ? terms : { ...terms, ...termsOf(await readItem(shop, listing_id)) }
}

async function revise(
  shop: TradingShop,
  { listing_id }: KnownListing,
  terms: ListingTerms,
  { Description, Title, ListingDetails, StartPrice, PictureDetails }: Fields,
): Promise<void> {
  try {
    await shop.trading({
      name: terms.format === 'auction' ? 'ReviseItem' : 'ReviseFixedPriceItem',
      ...shop.access,
      site: terms.site,
      // In the order of eBay's schema.
      fields: { Item: { Description, ItemID: listing_id, ListingDetails, StartPrice, Title, PictureDetails } },
    })
  } catch (error) {
    if (!isFailure(error, 'not_yet') || error.platformCode !== 'bid_or_offer') throw error
    throw notNow(await readItem(shop, listing_id), error, { isTitle: Title !== undefined, now: shop.now() }) ?? error
  }
}

/** Returns why a live listing takes no change: for good, or until when. Null if the item does not tell. */
function notNow(
  item: WireItem,
  refusal: PlatformError,
  { isTitle, now }: { isTitle: boolean; now: Date },
): PlatformError | null {
  const { format, bids = 0 } = termsOf(item)
  const end = Date.parse(item.ListingDetails?.EndTime ?? '')
  const leftMs = end - now.getTime()
  if (isTitle && format !== 'auction' && Number(item.SellingStatus?.QuantitySold ?? 0) > 0) {
    const message = 'eBay keeps the title and the category of a listing once a unit of it was sold.'
    return new PlatformError('ebay', 'refused', message, { platformCode: 'fixed_after_sale', cause: refusal })
  }
  const until = Number.isNaN(leftMs) ? '' : ` until it ends (${utcText(end)})`
  const wait = Number.isNaN(leftMs) ? {} : { retryAfterMs: Math.max(0, leftMs) + afterEndMs }
  const details = { platformCode: 'bid_or_offer', cause: refusal }
  if (bids > 0) {
    const message = `The auction has a bid, so eBay takes no such change${until}.`
    return new PlatformError('ebay', 'not_yet', message, { ...details, ...wait })
  }
  if (leftMs <= lastHoursMs) {
    const message = `The listing ends within 12 hours, so eBay takes no such change${until}.`
    return new PlatformError('ebay', 'not_yet', message, { ...details, ...wait })
  }
  if (Number(item.BestOfferDetails?.BestOfferCount ?? 0) > 0) {
    const message = "A buyer's offer is open, so eBay takes no such change until you answer it or it expires."
    return new PlatformError('ebay', 'not_yet', message, details)
  }
  return null
}

const isRefusal = (error: unknown): error is PlatformError => isFailure(error, 'refused') || isFailure(error, 'not_yet')
