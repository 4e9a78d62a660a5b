import type { z } from 'zod'
import { foldName, namesOf } from '#server/integrations/item-texts/local-names.ts'
import { Parcel, WeightGrams } from '#shared/item/item-details.ts'
import {
  type ImportErrorCode,
  Listing,
  type ListingFailure,
  type ListingState,
  type ListingTerms,
} from '#shared/listing.ts'
import { minorFromDecimal } from '#shared/money.ts'
import { WireItem, WireItemName, WireItemOffer, type WireSale, type WireVariation } from '../wire.ts'
import { descriptorsText, gradingOf } from './graded.ts'
import { first, type Specific, traitsOf } from './specifics.ts'

/** The list of "My eBay" in which an item was seen. */
export type SellingList = 'ActiveList' | 'SoldList' | 'UnsoldList'

/** Facts about an item that its answer may lack. */
export interface ItemContext {
  /** The list that showed the item; null if it was read by id. Replaces a missing ListingStatus. */
  list: SellingList | null
  /** The requested id, for an answer without one. */
  itemId?: string
  /** Public page of the seller. */
  sellerUrl?: string
  /** When eBay answered, which tells whether a sale event runs. Default: now. */
  now?: Date
}

/**
 * Converts an eBay item into a Listing, or a failure. `page_changed` names an element that is
 * missing or has an unknown form, `invalid_price` an amount that is not a decimal number. Pure.
 */
export function normalizeItem(raw: unknown, context: ItemContext): Listing | ListingFailure {
  const parsed = WireItem.safeParse(raw)
  if (!parsed.success) return failureOfShape(raw, context.itemId, parsed.error)
  const item = parsed.data
  const fail = failureOf(item, raw)
  const { now = new Date() } = context

  const title = item.Title?.trim()
  if (title === undefined) return fail('page_changed', 'eBay sent no title for this listing.', 'Title')

  const offer = offerOf(item)
  if (typeof offer === 'string') return fail('page_changed', `${offer} of this listing is not a number.`, offer)
  const state = stateOf(item.SellingStatus?.ListingStatus, offer, context.list)
  if (state === null) {
    const status = item.SellingStatus?.ListingStatus ?? 'none'
    const field = 'SellingStatus/ListingStatus'
    return fail('page_changed', `eBay gave this listing a status that is not known here: ${status}.`, field)
  }
  if (state === 'available' && offer.left === null) {
    return fail('page_changed', 'eBay did not say how many are on offer.', 'Quantity')
  }

  const price = priceOf(offer.variation ?? item, now, state)
  if (!price) return fail('page_changed', 'eBay sent no price for this listing.', 'SellingStatus/CurrentPrice')
  const currency = price.currency ?? item.Currency
  if (!currency) return fail('page_changed', 'eBay sent no currency with the price.', 'CurrentPrice/@currencyID')
  const price_minor = minorFromDecimal(price.value, currency)
  if (price_minor === null) {
    return fail('invalid_price', `The price "${price.value.slice(0, 40)}" is not an amount of ${currency}.`)
  }

  const specifics = specificsOf(item, offer.variation)
  const { format, ...terms } = termsOf(item, now, offer.variation)
  const listing = Listing.safeParse({
    listing_id: item.ItemID.trim(),
    url: urlOf(item),
    title,
    description: item.Description ?? '',
    price_minor,
    currency,
    state,
    images: imagesOf(item),
    sku: offer.variation?.SKU ?? item.SKU,
    ...traitsOf(specifics, item.Site?.trim()),
    condition: conditionOf(item),
    category: item.PrimaryCategory?.CategoryName?.trim(),
    ...productOf(item, specifics),
    ...measuresOf(item.ShippingPackageDetails),
    listed_at: timeOf(item.ListingDetails?.StartTime),
    quantity: state === 'available' ? offer.left! : 0,
    format,
    terms: Object.keys(terms).length > 0 ? terms : undefined,
    condition_notes: notesOf(item),
    seller_url: context.sellerUrl ?? sellerPage(item.Seller?.UserID),
  } satisfies Listing)
  if (listing.success) return listing.data
  const field = listing.error.issues[0]?.path.join('/') ?? ''
  return fail('record_invalid', `This listing's ${field} cannot be kept: ${listing.error.issues[0]?.message}.`, field)
}

/**
 * Units left and sold. eBay's Quantity counts all units ever offered (measured: a finished sale shows 1 and 1).
 * QuantityAvailable, in lists only, counts the units left.
 */
interface Offer {
  left: number | null
  sold: number
  /** The only variation left, which has the SKU, price and size. */
  variation?: WireVariation
}

/** Returns the units of an item, all variations together; or the name of the element that is not a number. */
function offerOf(item: WireItem): Offer | string {
  const soldOfItem = countOf(item.SellingStatus?.QuantitySold) ?? 0
  if (Number.isNaN(soldOfItem)) return 'SellingStatus/QuantitySold'

  const variations = item.Variations?.Variation ?? []
  // The variations of an ended listing have ended too. Their remaining units show whether it sold out.
  const isOver = ['Completed', 'Ended'].includes(item.SellingStatus?.ListingStatus ?? '')
  if (variations.length > 0) {
    const counted = variations
      .filter((variation) => isOver || (variation.SellingStatus?.ListingStatus ?? 'Active') === 'Active')
      .map((variation) => ({ variation, ...countsOf(variation.Quantity, variation.SellingStatus?.QuantitySold) }))
    if (counted.some(({ left }) => Number.isNaN(left))) return 'Variations/Variation/Quantity'
    const onOffer = counted.filter(({ left }) => left > 0)
    const left = onOffer.reduce((sum, entry) => sum + entry.left, 0)
    const soldOfAll = counted.reduce((sum, entry) => sum + entry.sold, 0)
    const single = onOffer.length === 1 ? onOffer[0]?.variation : undefined
    return { left, sold: Math.max(soldOfItem, soldOfAll), variation: single }
  }

  const available = countOf(item.QuantityAvailable)
  if (available !== null) return Number.isNaN(available) ? 'QuantityAvailable' : { left: available, sold: soldOfItem }
  if (item.Quantity === undefined) return { left: null, sold: soldOfItem }
  const { left } = countsOf(item.Quantity, item.SellingStatus?.QuantitySold)
  return Number.isNaN(left) ? 'Quantity' : { left, sold: soldOfItem }
}

function countsOf(quantity: string | undefined, quantitySold: string | undefined): { left: number; sold: number } {
  const sold = countOf(quantitySold) ?? 0
  return { left: Math.max(0, (countOf(quantity) ?? Number.NaN) - sold), sold }
}

/** Parses a count; null if it is missing, NaN if it is not a number. */
function countOf(text: string | undefined): number | null {
  if (text === undefined) return null
  return /^\s*\d{1,9}\s*$/.test(text) ? Number(text) : Number.NaN
}

/** Returns the state for eBay's status; null for an unknown one, which must never count as available. */
function stateOf(status: string | undefined, offer: Offer, list: SellingList | null): ListingState | null {
  if (status === 'Active' || (status === undefined && list === 'ActiveList')) {
    if (offer.left !== 0) return 'available'
    // Good-til-cancelled listings stay active with nothing left (eBay's out-of-stock option).
    return offer.sold > 0 ? 'sold' : 'removed'
  }
  if (status === 'Completed' || status === 'Ended' || (status === undefined && list !== null)) {
    // With units left, the seller ended the listing, even if some were sold before.
    const isSoldOut = offer.sold > 0 && (offer.left ?? 0) === 0
    return isSoldOut || (status === undefined && list === 'SoldList') ? 'sold' : 'removed'
  }
  return null
}

/** An item or one of its variations, with what tells its price. */
type Priced = Partial<Pick<WireItem, 'ListingType' | 'StartPrice' | 'BuyItNowPrice' | 'SellingStatus' | 'Variations'>>

/**
 * Returns the seller's own price. A sale event lowers CurrentPrice and keeps OriginalPrice. CurrentPrice of an auction
 * is its highest bid, which nobody can buy it for while it runs: then BuyItNowPrice counts, which is 0.0 when unset.
 */
function priceOf(item: Priced, now: Date, state?: ListingState): WireItem['StartPrice'] {
  const format = formatOf(item.ListingType)
  const isBidding = format === 'auction' && state === 'available'
  if (isBidding && Number(item.BuyItNowPrice?.value) > 0) return item.BuyItNowPrice
  const { CurrentPrice } = item.SellingStatus ?? {}
  const fixed = format === 'fixed_price' ? item.StartPrice : undefined
  const ofVariations = (item.Variations?.Variation ?? [])
    .flatMap((variation) => priceOf(variation, now) ?? [])
    .sort((a, b) => Number(a.value) - Number(b.value))
  return saleOf(item, now)?.OriginalPrice ?? fixed ?? CurrentPrice ?? item.StartPrice ?? ofVariations[0]
}

/** Returns the sale event that an item is in; undefined for none, one to come and one that is over. */
function saleOf({ SellingStatus }: Priced, now: Date): WireSale {
  const sale = SellingStatus?.PromotionalSaleDetails
  const [start, end] = [Date.parse(sale?.StartTime ?? ''), Date.parse(sale?.EndTime ?? '')]
  return start > now.getTime() || end <= now.getTime() ? undefined : sale
}

/** Returns the price that a sale event shows to buyers, with its end. */
function shownInSale(item: Priced, now: Date, unit: string | undefined): Pick<ListingTerms, 'sale'> {
  const { OriginalPrice, EndTime } = saleOf(item, now) ?? {}
  const shown = item.SellingStatus?.CurrentPrice ?? item.StartPrice
  const currency = shown?.currency ?? unit ?? ''
  const [price_minor, own] = [shown, OriginalPrice].map((price) => minorFromDecimal(price?.value ?? '', currency))
  if (price_minor == null || own == null || price_minor >= own || !/^[A-Z]{3}$/.test(currency)) return {}
  const ends_at = timeOf(EndTime)
  return { sale: { price_minor, currency, ...(ends_at ? { ends_at } : {}) } }
}

/** Returns how an item is sold. Bids and the end are of interest for auctions alone: other listings renew themselves. */
export function termsOf(item: WireItem, now = new Date(), variation?: WireVariation): ListingTerms {
  const format = formatOf(item.ListingType)
  const isAuction = format === 'auction'
  const site = item.Site?.trim()
  const bids = countOf(item.SellingStatus?.BidCount)
  const ends_at = timeOf(item.ListingDetails?.EndTime)
  return {
    ...(format ? { format } : {}),
    ...(isAuction && bids !== null && !Number.isNaN(bids) ? { bids } : {}),
    ...(isAuction && ends_at ? { ends_at } : {}),
    ...(site && site.length <= 50 ? { site } : {}),
    ...((item.Variations?.Variation.length ?? 0) > 0 ? { has_variations: true } : {}),
    ...shownInSale(variation ?? item, now, item.Currency),
  }
}

function formatOf(type: string | undefined): Listing['format'] {
  if (type === undefined) return undefined
  return ['Chinese', 'Dutch', 'Live', 'Auction'].includes(type) ? 'auction' : 'fixed_price'
}

/**
 * Returns the pictures in the seller's order, at full size. In addresses like /images/g/…/s-l500.jpg the size can be
 * replaced by the largest, s-l1600, which never enlarges. Older addresses like /00/s/…/$_57.JPG stay as they are. The
 * gallery picture copies the first one, so it is used only if there are no others.
 */
function imagesOf(item: WireItem): string[] {
  const pictures = item.PictureDetails
  const own = [...(pictures?.PictureURL ?? []), ...(pictures?.ExternalPictureURL ?? [])]
  const all = own.length > 0 ? own : pictures?.GalleryURL ? [pictures.GalleryURL] : []
  const full = all.map((url) =>
    url.trim().replace(/^(https?:\/\/i\.ebayimg\.com\/images\/g\/[^/]+\/s-l)\d+(\.\w+)$/, '$11600$2'),
  )
  return [...new Set(full)]
}

/** eBay's names of its condition ids, for answers without ConditionDisplayName. */
const conditions: Record<string, string> = {
  1000: 'New',
  1500: 'New other',
  1750: 'New with defects',
  2000: 'Certified - Refurbished',
  2010: 'Excellent - Refurbished',
  2020: 'Very Good - Refurbished',
  2030: 'Good - Refurbished',
  2500: 'Seller refurbished',
  2750: 'Like New',
  2990: 'Pre-owned - Excellent',
  3000: 'Used',
  3010: 'Pre-owned - Fair',
  4000: 'Very Good',
  5000: 'Good',
  6000: 'Acceptable',
  7000: 'For parts or not working',
}

function conditionOf(item: WireItem): string | undefined {
  return item.ConditionDisplayName?.trim() ?? gradingOf(item) ?? conditions[item.ConditionID?.trim() ?? '']
}

/** Returns the seller's notes, after what eBay's descriptors say of a graded item. */
function notesOf(item: WireItem): string | undefined {
  const notes = [descriptorsText(item), item.ConditionDescription?.trim() ?? ''].filter((part) => part !== '')
  return notes.length > 0 ? notes.join(' ') : undefined
}

/** Returns the product identifiers from eBay's own fields or the item specifics, ignoring "Does not apply". */
function productOf(item: WireItem, specifics: Specific[]): Pick<Listing, 'isbn' | 'ean' | 'upc' | 'mpn'> {
  const details = item.ProductListingDetails
  const code = (field: string | undefined, names: readonly string[]) => {
    const value = (field ?? first(specifics, names))?.trim()
    return value && /\d/.test(value) ? value.slice(0, 50) : undefined
  }
  const found = {
    isbn: code(details?.ISBN, namesOf('isbn')),
    ean: code(details?.EAN, namesOf('ean')),
    upc: code(details?.UPC, namesOf('upc')),
    mpn: code(details?.BrandMPN?.MPN, namesOf('mpn')),
  }
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
}

const gramsIn: Record<string, number> = {
  lbs: 453.592_37,
  lb: 453.592_37,
  oz: 28.349_523_125,
  kg: 1_000,
  gr: 1,
  gm: 1,
  g: 1,
}
const millimetersIn: Record<string, number> = { in: 25.4, inches: 25.4, cm: 10, mm: 1 }

/** Returns the weight and size of the packed item. eBay sends zeros for unknown values. */
function measuresOf(parcel: WireItem['ShippingPackageDetails']): Pick<Listing, 'weight_grams' | 'parcel'> {
  type Measured = { value: string; unit: string } | undefined
  const inUnits = (measure: Measured, units: Record<string, number>) =>
    Number(measure?.value ?? 0) * (units[measure?.unit.toLowerCase() ?? ''] ?? 0)
  const mm = (measure: Measured) => Math.round(inUnits(measure, millimetersIn))
  const weight = WeightGrams.safeParse(
    Math.round(inUnits(parcel?.WeightMajor, gramsIn) + inUnits(parcel?.WeightMinor, gramsIn)),
  )
  const size = Parcel.safeParse({
    length_mm: mm(parcel?.PackageLength),
    width_mm: mm(parcel?.PackageWidth),
    height_mm: mm(parcel?.PackageDepth),
  })
  return { ...(weight.success ? { weight_grams: weight.data } : {}), ...(size.success ? { parcel: size.data } : {}) }
}

function specificsOf(item: WireItem, variation: WireVariation | undefined): Specific[] {
  const lists = [...(variation?.VariationSpecifics ?? []), ...(item.ItemSpecifics ? [item.ItemSpecifics] : [])]
  return lists
    .flatMap((entry) => entry.NameValueList)
    .map(({ Name, Value }): Specific => {
      const values = Value.map((value) => value.trim()).filter((value) => value !== '')
      return [foldName(Name), [...new Set(values)]]
    })
    .filter(([, values]) => values.length > 0)
}

/** Returns the listing's page from eBay, or else an address that works on every site. */
function urlOf(item: z.output<typeof WireItemName>): string {
  return (
    item.ListingDetails?.ViewItemURL?.trim() ?? `https://www.ebay.com/itm/${encodeURIComponent(item.ItemID.trim())}`
  )
}

function sellerPage(userId: string | undefined): string | undefined {
  return userId === undefined ? undefined : `https://www.ebay.com/usr/${encodeURIComponent(userId.trim())}`
}

/** Returns an ISO time. A malformed start time is dropped, because a listing is usable without it. */
function timeOf(text: string | undefined): string | undefined {
  const time = text?.trim()
  return time && Listing.shape.listed_at.safeParse(time).success ? time : undefined
}

/** Returns the readable parts of price and SKU, for an item that cannot be read as a whole. */
export function offeredAs(raw: unknown): Pick<ListingFailure, 'price_minor' | 'currency' | 'sku'> {
  const parsed = WireItemOffer.safeParse(raw)
  if (!parsed.success) return {}
  const sku = parsed.data.SKU?.trim().slice(0, 1_000)
  const price = priceOf(parsed.data, new Date())
  const currency = price?.currency ?? parsed.data.Currency
  const price_minor = price && /^[A-Z]{3}$/.test(currency ?? '') ? minorFromDecimal(price.value, currency!) : null
  return { ...(sku ? { sku } : {}), ...(price_minor === null ? {} : { price_minor, currency }) }
}

function failureOf(item: z.output<typeof WireItemName>, raw: unknown) {
  return (error_code: ImportErrorCode, error_message: string, field?: string): ListingFailure => ({
    listing_id: item.ItemID.trim().slice(0, 200),
    url: urlOf(item).slice(0, 4_000),
    ...(item.Title === undefined ? {} : { title: item.Title.trim().slice(0, 1_000) }),
    ...offeredAs(raw),
    error_code,
    error_message,
    field,
  })
}

function failureOfShape(raw: unknown, askedId: string | undefined, error: z.ZodError): ListingFailure {
  const field = error.issues[0]?.path.join('/') || 'Item'
  const message = `eBay's answer for this listing is not in the form that is known here (${field}).`
  const named = WireItemName.safeParse(raw)
  if (named.success) return failureOf(named.data, raw)('page_changed', message, field)
  const { data: ItemID = askedId ?? 'unknown' } = WireItem.shape.ItemID.safeParse(
    typeof raw === 'object' && raw !== null && 'ItemID' in raw ? raw.ItemID : undefined,
  )
  return { listing_id: ItemID.trim().slice(0, 200), error_code: 'page_changed', error_message: message, field }
}
