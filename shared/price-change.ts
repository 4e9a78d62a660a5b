import { currencyExponent } from './money.ts'
import type { PriceChange, PriceRule, Rounding } from './price-schemas.ts'

/** Highest price that an item or a listing can have, in minor units: ten digits and two decimals on the wire. */
export const maxPriceMinor = 999_999_999_999

/** Bounds of a change by percent, in hundredths of a percent. */
export const basisPoints = { min: -9_900, max: 100_000 }

/** A price in minor units of its currency. */
export interface Money {
  price_minor: number
  currency: string
}

/** Why a change gives an item no new price. */
export type NoPrice = 'no_price' | 'other_currency' | 'not_positive' | 'too_high'

/** Returns the price of an item after a change in minor units, or the reason why it has none. */
export function changedPrice(
  item: Money,
  change: PriceChange,
): { price_minor: number; reason?: undefined } | { reason: NoPrice } {
  if (change.by !== 'percent' && change.currency !== item.currency) return { reason: 'other_currency' }
  if (change.by === 'price') return { price_minor: change.price_minor }
  if (item.price_minor <= 0) return { reason: 'no_price' }
  const exact =
    change.by === 'percent'
      ? addBasisPoints(item.price_minor, change.basis_points)
      : item.price_minor + change.amount_minor
  if (exact <= 0) return { reason: 'not_positive' }
  const price_minor = roundPrice({ ...item, price_minor: exact }, change.rounding)
  return price_minor > maxPriceMinor ? { reason: 'too_high' } : { price_minor }
}

/**
 * Returns the price in minor units that an item has on a platform with a rule. Without a rule, and for an item without
 * a price, it is the item's own. A price stays at least one minor unit.
 */
export function priceOnPlatform(item: Money, rule: PriceRule | null | undefined): number {
  if (!rule || item.price_minor <= 0) return item.price_minor
  const exact = Math.max(addBasisPoints(item.price_minor, rule.basis_points), 1)
  return Math.min(roundPrice({ ...item, price_minor: exact }, rule.rounding), maxPriceMinor)
}

/** Adds hundredths of a percent and rounds halves up. Integers only, since the product can exceed a safe number. */
function addBasisPoints(price_minor: number, basis_points: number): number {
  return Number((BigInt(price_minor) * BigInt(10_000 + basis_points) + 5_000n) / 10_000n)
}

/** Rounds a positive price to the nearest one allowed, halves up, but never to nothing. */
function roundPrice({ price_minor, currency }: Money, rounding: Rounding): number {
  const digits = currencyExponent(currency)
  if (rounding === 'none' || digits === 0) return price_minor
  const unit = 10 ** digits
  const ending = digits === 2 && rounding !== 'whole' ? Number(rounding) : 0
  const raised = price_minor - ending + unit / 2
  return Math.max(raised - (raised % unit), ending > 0 ? 0 : unit) + ending
}
