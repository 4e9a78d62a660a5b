import type { Handler, TradingFault } from './trading-call.ts'
import { childrenOf, textOf } from './xml.ts'

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

/** Changes the price of a live listing, the only revision that Hapax makes of listings it did not create. */
export const reviseFixedPriceItem: Handler = (context, seller, request) => {
  const item = childrenOf(request.Item) ?? {}
  const found = context.market.find(textOf(item.ItemID))
  if (!found || found.seller !== seller) return faults.noItem
  if (found.item.status !== 'Active') return faults.alreadyEnded
  const price = textOf(item.StartPrice)
  if (!/^\d{1,9}(\.\d{1,2})?$/.test(price) || !/[1-9]/.test(price)) return faults.badPrice
  context.market.change(found.item.itemId, { price })
  return { body: `<ItemID>${found.item.itemId}</ItemID><EndTime>${context.clock().toISOString()}</EndTime>` }
}
