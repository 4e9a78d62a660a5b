import { type InventoryRow, livePlatforms } from '#extension/storage/inventory-cache/row.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import { basisPoints, changedPrice, maxPriceMinor, type NoPrice } from '#shared/price-change.ts'
import type { PriceChange, Rounding } from '#shared/price-schemas.ts'
import { readAmount } from '../amount.ts'

/** The text in the form and how to read it: "-20" percent, "5.00" more, or "24.00" as the price. */
export interface PriceInput {
  by: PriceChange['by']
  value: string
  rounding: Rounding
}

export interface PricePlan {
  changes: { row: InventoryRow; price_minor: number; platforms: PlatformSlug[] }[]
  leftOut: { row: InventoryRow; reason: NoPrice | 'sold' }[]
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

/** Plans a change of prices: the new price of each row, and the rows that keep theirs. */
export function planPrice(rows: readonly InventoryRow[], change: PriceChange): PricePlan {
  const plan: PricePlan = { changes: [], leftOut: [] }
  for (const row of rows) {
    const next = row.state === 'sold' ? { reason: 'sold' as const } : changedPrice(row, change)
    if (next.reason) plan.leftOut.push({ row, reason: next.reason })
    else plan.changes.push({ row, price_minor: next.price_minor, platforms: livePlatforms(row) })
  }
  return plan
}
