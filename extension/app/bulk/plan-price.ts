import { type InventoryRow, isLive, type RowListing } from '#extension/storage/inventory-cache/row.ts'
import { type PlatformSlug, platformOf } from '#shared/platforms.ts'
import {
  basisPoints,
  changedPrice,
  type Money,
  maxPriceMinor,
  type NoPrice,
  priceOnPlatform,
} from '#shared/price-change.ts'
import type { PriceChange, PriceRules, Rounding } from '#shared/price-schemas.ts'
import { runningSale } from '#shared/running-sale.ts'
import { readAmount } from '../common/amount.ts'

/** The text in the form and how to read it: "-20" percent, "5.00" more, or "24.00" as the price. */
export interface PriceInput {
  by: PriceChange['by']
  value: string
  rounding: Rounding
}

/** A live listing in a plan: its new price, or why it keeps its own. `by_hand`: only the seller can change it there. */
export interface ListingPrice {
  platform: PlatformSlug
  price_minor: number
  /** Its price now, where that differs from the item's. */
  was?: number
  keeps: 'auction' | 'other_currency' | 'by_hand' | null
  /** The new price ends the sale event that the listing is in. */
  endsSale?: true
}

export interface PricePlan {
  changes: { row: InventoryRow; price_minor: number; listings: ListingPrice[] }[]
  leftOut: { row: InventoryRow; reason: NoPrice | 'sold' | 'auction' }[]
}

/** Returns the change that the seller typed, null if it is none. */
export function readPriceChange({ by, value, rounding }: PriceInput, currency: string): PriceChange | null {
  const text = value.trim().replace(/%$/, '')
  const sign = /^[+\-−]/.exec(text)?.[0] ?? ''
  const number = text.slice(sign.length).trim()
  // A percent has two decimals, as a dollar has.
  const minor = readAmount(number, by === 'percent' ? 'USD' : currency)
  if (minor === null) return null
  const signed = sign === '-' || sign === '−' ? -minor : minor
  const { min, max } = by === 'percent' ? basisPoints : { min: by === 'price' ? 1 : -maxPriceMinor, max: maxPriceMinor }
  if (signed < min || signed > max) return null
  return by === 'percent'
    ? { by, basis_points: signed, rounding }
    : by === 'amount'
      ? { by, amount_minor: signed, currency, rounding }
      : { by, price_minor: signed, currency }
}

/**
 * Plans a change of prices: the new price of each row and of its live listings by the rules of the platforms, and the rows
 * that keep theirs. An item that is nowhere but in auctions keeps its price.
 */
export function planPrice(rows: readonly InventoryRow[], change: PriceChange, rules: PriceRules = {}): PricePlan {
  const plan: PricePlan = { changes: [], leftOut: [] }
  for (const row of rows) {
    const live = row.listings.filter(isLive)
    const next =
      row.state === 'sold'
        ? { reason: 'sold' as const }
        : live.length > 0 && live.every(({ auction }) => auction)
          ? { reason: 'auction' as const }
          : changedPrice(row, change)
    if (next.reason) plan.leftOut.push({ row, reason: next.reason })
    else {
      const { price_minor } = next
      const listings = live.map((listing) => listingPrice({ ...row, price_minor }, listing, rules))
      plan.changes.push({ row, price_minor, listings })
    }
  }
  return plan
}

function listingPrice(item: Money, listing: RowListing, rules: PriceRules): ListingPrice {
  const { platform, currency, auction } = listing
  const keeps = auction
    ? 'auction'
    : currency !== undefined && currency !== item.currency
      ? 'other_currency'
      : platformOf(platform).connection === 'extension'
        ? 'by_hand'
        : null
  const endsSale = keeps === null && runningSale(listing, Date.now()) ? { endsSale: true as const } : {}
  const was = keeps === null && listing.price_minor !== undefined ? { was: listing.price_minor } : {}
  return { platform, price_minor: priceOnPlatform(item, rules[platform]), keeps, ...was, ...endsSale }
}
