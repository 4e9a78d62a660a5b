import { endsSoon, isBound, runningSale, type SandboxItem } from './item.ts'
import { pictureFault } from './selling/item-fault.ts'
import { currencyOfSite, siteIdOf } from './sites.ts'
import type { Handler, TradingContext, TradingFault } from './trading-call.ts'
import { childrenOf, textOf, type XmlElement } from './xml.ts'

/** Errors of calls that list, change and end. */
export const faults = {
  noItem: {
    code: '17',
    short: 'Item cannot be accessed.',
    long: 'This item cannot be accessed because the listing has been deleted, is a Half.com listing, or you are not the seller.',
  },
  alreadyEnded: {
    code: '1047',
    short: 'Auction already ended.',
    long: 'The auction has already been closed.',
  },
  wrongType: {
    code: '21916885',
    short: 'Invalid listing type.',
    long: 'The listing is not of a type that can be ended with this call.',
  },
  badReason: {
    code: '37',
    short: 'Input data is invalid.',
    long: 'Input data for tag <EndingReason> is invalid or missing.',
  },
  // eBay documents this refusal without its code.
  hasBids: {
    code: '1002',
    short: 'The listing cannot be ended.',
    long: 'A listing with a qualifying bid, or with a bid that was canceled, cannot be ended in its last 12 hours.',
  },
  wrongCurrency: {
    code: '95',
    short: 'Invalid currency.',
    long: 'Invalid auction currency. The currency does not match the selected site.',
  },
  titleIsFixed: {
    code: '10029',
    short: 'Title cannot be revised.',
    long: 'Title or subtitle cannot be revised for auction style listings that have at least one pending bid or are ending in less than twelve hours, and for fixed price listings that have at least one quantity sold or have a pending best offer.',
  },
  isBound: {
    code: '21919028',
    short: 'Portions of this listing cannot be revised.',
    long: 'Portions of this listing cannot be revised if the item has bid or active Best Offers or is ending in 12 hours.',
  },
  tooManyRevisions: {
    code: '21919165',
    short: 'Revision limit reached.',
    long: 'You have reached the maximum number of revisions of this listing for today.',
  },
  priceOfVariations: {
    code: '21916635',
    short: 'Invalid Multi-SKU item.',
    long: 'The price of a listing with variations is changed in its variations.',
  },
  badPrice: { code: '73', short: 'Price is invalid.', long: 'The start price is invalid.' },
  badTitle: { code: '70', short: 'Title is missing or too long.', long: 'The title may have 1 to 80 characters.' },
  improper: {
    code: '240',
    short: 'The item cannot be listed or modified.',
    long: 'The item cannot be listed or modified. The title and/or description may contain improper words, or the listing or seller may be in violation of eBay policy.',
    // The reason comes as HTML (developer.ebay.com/support/kb-article?KBid=694).
    parameters: ['<div><b class="error">Attention!</b><p>Take the active content out of the description.</p></div>'],
  },
  // Auto-accept is checked even if the revision omits it (22003, 23004, 23005: seen in production, August 2026).
  declineTooHigh: {
    code: '22003',
    short: 'Invalid auto decline amount.',
    long: 'Auto decline amount cannot be greater than or equal to the Buy It Now price.',
  },
  acceptTooHigh: {
    code: '23004',
    short: 'Invalid AutoAccept price.',
    long: 'The Best Offer Auto Accept Price must be less than the Buy It Now price.',
  },
  acceptTooLow: {
    code: '23005',
    short: 'Invalid AutoAccept price.',
    long: 'Auto Accept price must be higher than Auto Decline price.',
  },
  // The note in ReviseFixedPriceItem's reference.
  byInventory: {
    code: '21919474',
    short: 'The listing cannot be revised.',
    long: 'The listing was created by the Inventory API and cannot be revised by the Trading API.',
  },
  badPictures: {
    code: '21916543',
    short: 'Picture URLs are invalid.',
    long: 'A listing needs 1 to 24 pictures, each over HTTPS.',
  },
} satisfies Record<string, TradingFault>

/** eBay does these things and says so. */
const warnings = {
  // KB 1528
  saleEnds: {
    code: '21917089',
    short: 'Revising bin price will end the promo sale on this item.',
    long: 'Revising bin price will end the promo sale on this item.',
  },
  // KB 880
  declineDropped: {
    code: '21992',
    short: 'AutoDecline has been disabled or is no longer available.',
    long: 'AutoDecline has been disabled or is no longer available.',
  },
  // KB 2161
  redundant: {
    code: '21917091',
    short: 'Requested StartPrice and Quantity revision is redundant.',
    long: 'The existing price and quantity values are identical to those specified in the request and, therefore, have not been modified.',
  },
} satisfies Record<string, TradingFault>

const reasons = ['NotAvailable', 'Incorrect', 'LostOrBroken', 'OtherListingError', 'SellToHighBidder', 'Sold']

/** Ends a fixed-price listing of the caller's own. */
export const endFixedPriceItem: Handler = (context, seller, request) => {
  const found = context.market.find(textOf(request.ItemID))
  if (!found || found.seller !== seller) return faults.noItem
  if (!reasons.includes(textOf(request.EndingReason))) return faults.badReason
  if (found.item.listingType !== 'FixedPriceItem') return faults.wrongType
  if (found.item.status !== 'Active') return faults.alreadyEnded
  context.market.end(found.item.itemId)
  return { body: `<EndTime>${context.clock().toISOString()}</EndTime>` }
}

/**
 * Ends a listing of any type. Bids are canceled, unless the seller sells to the highest bidder. In the last 12 hours a
 * listing with bids stays.
 */
export const endItem: Handler = (context, seller, request) => {
  const found = context.market.find(textOf(request.ItemID))
  if (!found || found.seller !== seller) return faults.noItem
  if (!reasons.includes(textOf(request.EndingReason))) return faults.badReason
  const { itemId, status, bids = 0, endsAt } = found.item
  if (status !== 'Active') return faults.alreadyEnded
  if (bids > 0 && endsSoon(endsAt, context.clock())) return faults.hasBids
  if (bids > 0 && textOf(request.EndingReason) === 'SellToHighBidder') context.market.acceptOffer(itemId)
  else context.market.change(context.market.end(itemId).itemId, { bids: 0 })
  return { body: `<EndTime>${context.clock().toISOString()}</EndTime>` }
}

/** Changes the given fields of a live fixed-price listing. eBay keeps what is left out. */
export const reviseFixedPriceItem: Handler = (context, seller, request) => revise(context, seller, request, true)

/** Changes the given fields of a live listing of any type. */
export const reviseItem: Handler = (context, seller, request) => revise(context, seller, request, false)

function revise(
  context: TradingContext,
  seller: string,
  request: XmlElement,
  isFixedPrice: boolean,
): ReturnType<Handler> {
  const item = childrenOf(request.Item) ?? {}
  const found = context.market.find(textOf(item.ItemID))
  if (!found || found.seller !== seller) return faults.noItem
  if (found.item.status !== 'Active') return faults.alreadyEnded
  if (isFixedPrice && found.item.listingType !== 'FixedPriceItem') return faults.wrongType
  if (found.item.byInventory) return faults.byInventory
  const refused = faultOfRevision(context, found.item, item)
  if (refused) return refused
  const revision = revisionOf(item)
  if ('code' in revision) return revision
  const fault = faultOfOffers(found.item, revision) ?? faultOfSpecifics(found.item)
  if (fault) return fault
  const effects = effectsOf(found.item, revision, context.clock())
  const key = revisionKey(context, found.item)
  context.revisions?.set(key, (context.revisions.get(key) ?? 0) + 1)
  context.market.change(found.item.itemId, { ...revision, ...effects.also })
  const body = `<ItemID>${found.item.itemId}</ItemID><EndTime>${context.clock().toISOString()}</EndTime>`
  return { body, warnings: effects.warnings }
}

/** Returns what is wrong with the prices at which eBay answers offers by itself. */
function faultOfOffers(listed: SandboxItem, revision: Partial<SandboxItem>): TradingFault | null {
  if (revision.price === undefined && !revision.autoDecline && !revision.autoAccept) return null
  const price = Number(revision.price ?? listed.price)
  const accept = Number(revision.autoAccept ?? listed.autoAccept ?? 0)
  const decline = Number(revision.autoDecline ?? 0)
  if (decline >= price) return faults.declineTooHigh
  if (accept >= price) return faults.acceptTooHigh
  return accept > 0 && decline > 0 && accept <= decline ? faults.acceptTooLow : null
}

/** eBay checks what a category requires again at each revision: it may have come to require more. */
function faultOfSpecifics({ requires = [], specifics }: SandboxItem): TradingFault | null {
  const missing = requires.find((name) => !specifics.some((one) => one.name === name))
  const short = `The item specific ${missing} is missing.`
  const long = `${short} Add ${missing} to this listing, enter a valid value, and then try again.`
  return missing === undefined ? null : { code: '21919303', short, long }
}

/** Returns what a change of the price does beside, with eBay's warnings. */
function effectsOf(listed: SandboxItem, { price, autoDecline }: Partial<SandboxItem>, now: Date) {
  const also: Partial<SandboxItem> = {}
  const given: TradingFault[] = []
  if (price === undefined) return { also, warnings: given }
  if (Number(price) === Number(listed.price)) return { also, warnings: [warnings.redundant] }
  if (runningSale(listed, now)) {
    also.sale = undefined
    given.push(warnings.saleEnds)
  }
  if (Number(price) < Number(listed.price) && listed.autoDecline && !autoDecline) {
    also.autoDecline = undefined
    given.push(warnings.declineDropped)
  }
  return { also, warnings: given }
}

/** Revisions of a listing that eBay takes in a day. */
const revisionsPerDay = 250

const revisionKey = ({ clock }: TradingContext, { itemId }: SandboxItem) =>
  `${itemId} ${clock().toISOString().slice(0, 10)}`

/** Returns why eBay does not take a change of this listing now, or at all. */
function faultOfRevision(context: TradingContext, listed: SandboxItem, sent: XmlElement): TradingFault | null {
  const now = context.clock()
  if (sent.StartPrice !== undefined) {
    if (listed.variations.length > 0) return faults.priceOfVariations
    const siteId = context.siteId || '0'
    const currency = childrenOf(sent.StartPrice)?.['@currencyID'] ?? currencyOfSite(siteId)
    if (siteId !== siteIdOf(listed.site) || currency !== listed.currency) return faults.wrongCurrency
  }
  if ((context.revisions?.get(revisionKey(context, listed)) ?? 0) >= revisionsPerDay) return faults.tooManyRevisions
  const isSoldOnce = listed.listingType === 'FixedPriceItem' && listed.quantitySold > 0
  if (sent.Title !== undefined && (isSoldOnce || isBound(listed, now))) return faults.titleIsFixed
  return isBound(listed, now) ? faults.isBound : null
}

/** Returns what a request changes, or the fault in it. */
function revisionOf(item: XmlElement): Partial<SandboxItem> | TradingFault {
  const revision: Partial<SandboxItem> = {}
  if (item.StartPrice !== undefined) {
    const price = textOf(item.StartPrice)
    if (!/^\d{1,9}(\.\d{1,2})?$/.test(price) || !/[1-9]/.test(price)) return faults.badPrice
    revision.price = price
  }
  const { MinimumBestOfferPrice, BestOfferAutoAcceptPrice } = childrenOf(item.ListingDetails) ?? {}
  if (MinimumBestOfferPrice !== undefined) revision.autoDecline = textOf(MinimumBestOfferPrice)
  if (BestOfferAutoAcceptPrice !== undefined) revision.autoAccept = textOf(BestOfferAutoAcceptPrice)
  if (item.Title !== undefined) {
    const title = textOf(item.Title)
    if (title === '' || title.length > 80) return faults.badTitle
    revision.title = title
  }
  if (item.Description !== undefined) {
    const description = textOf(item.Description)
    const isActive = /<(script|iframe|form|object|embed)\b|\son\w+=|javascript:/i.test(description)
    if (description === '' || isActive) return faults.improper
    revision.description = description
  }
  if (item.PictureDetails !== undefined) {
    const fault = pictureFault(item)
    if (fault) return fault
    const imageUrls = [childrenOf(item.PictureDetails)?.PictureURL ?? []].flat().map(textOf)
    revision.imageUrls = imageUrls
    revision.pictures = imageUrls.length
  }
  return revision
}
