import type { SandboxItem } from './item.ts'
import type { Handler, TradingFault } from './trading-call.ts'
import { childrenOf, textOf, type XmlElement } from './xml.ts'

const faults = {
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
  badPrice: { code: '73', short: 'Price is invalid.', long: 'The start price is invalid.' },
  badTitle: { code: '70', short: 'Title is missing or too long.', long: 'The title may have 1 to 80 characters.' },
  improper: {
    code: '240',
    short: 'The item cannot be listed or modified.',
    long: 'The item cannot be listed or modified. The title and/or description may contain improper words, or the listing or seller may be in violation of eBay policy.',
  },
  badPictures: {
    code: '21916543',
    short: 'Picture URLs are invalid.',
    long: 'A listing needs 1 to 24 pictures, each over HTTPS.',
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

/** Ends a listing of any type. */
export const endItem: Handler = (context, seller, request) => {
  const found = context.market.find(textOf(request.ItemID))
  if (!found || found.seller !== seller) return faults.noItem
  if (!reasons.includes(textOf(request.EndingReason))) return faults.badReason
  if (found.item.status !== 'Active') return faults.alreadyEnded
  context.market.end(found.item.itemId)
  return { body: `<EndTime>${context.clock().toISOString()}</EndTime>` }
}

/** Changes the given fields of a live listing. eBay keeps what is left out. */
export const reviseFixedPriceItem: Handler = (context, seller, request) => {
  const item = childrenOf(request.Item) ?? {}
  const found = context.market.find(textOf(item.ItemID))
  if (!found || found.seller !== seller) return faults.noItem
  if (found.item.status !== 'Active') return faults.alreadyEnded
  if (found.item.listingType !== 'FixedPriceItem') return faults.wrongType
  const revision = revisionOf(item)
  if ('code' in revision) return revision
  context.market.change(found.item.itemId, revision)
  return { body: `<ItemID>${found.item.itemId}</ItemID><EndTime>${context.clock().toISOString()}</EndTime>` }
}

/** Returns what a request changes, or the fault in it. */
function revisionOf(item: XmlElement): Partial<SandboxItem> | TradingFault {
  const revision: Partial<SandboxItem> = {}
  if (item.StartPrice !== undefined) {
    const price = textOf(item.StartPrice)
    if (!/^\d{1,9}(\.\d{1,2})?$/.test(price) || !/[1-9]/.test(price)) return faults.badPrice
    revision.price = price
  }
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
    const { PictureURL } = childrenOf(item.PictureDetails) ?? {}
    const imageUrls = [PictureURL ?? []].flat().map(textOf)
    const isTaken = (url: string) => url.startsWith('https://') || url.startsWith('http://127.0.0.1')
    if (imageUrls.length < 1 || imageUrls.length > 24 || !imageUrls.every(isTaken)) return faults.badPictures
    revision.imageUrls = imageUrls
    revision.pictures = imageUrls.length
  }
  return revision
}
