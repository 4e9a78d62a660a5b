import { z } from 'zod'
import { currencyExponent } from './money.ts'
import { PlatformSlug } from './platforms.ts'

/** Highest price that an item or a listing can have, in minor units. */
export const maxPriceMinor = 999_999_999_999

export const Rounding = z.enum(['none', 'whole', '99', '95'])
export type Rounding = z.infer<typeof Rounding>

const roundingText =
  'To the nearest whole unit of the currency, or to the nearest price that ends in .99 or .95. The endings apply to currencies with two decimals; other prices are rounded to whole units.'

const fields = {
  basis_points: z
    .int()
    .min(-9_900)
    .max(100_000)
    .describe('Hundredths of a percent of the price: -2000 takes a fifth off, 800 adds 8 %'),
  rounding: Rounding.default('none').describe(roundingText),
}
const minor = z.int().min(-maxPriceMinor).max(maxPriceMinor)
const currency = z.string().regex(/^[A-Z]{3}$/)

/** How a platform's price follows from the price of an item. */
export const PriceRule = z.strictObject(fields).meta({ id: 'PriceRule' })
export type PriceRule = z.infer<typeof PriceRule>

export const PriceRules = z.partialRecord(PlatformSlug, PriceRule)
export type PriceRules = z.infer<typeof PriceRules>

/** A change of an item's price: by percent, by an amount or to a price. */
export const PriceChange = z
  .discriminatedUnion('by', [
    z.strictObject({ by: z.literal('percent'), ...fields }),
    z.strictObject({
      by: z.literal('amount'),
      amount_minor: minor.describe('Added to the price; negative takes off'),
      currency: currency.describe('Items in another currency are left out'),
      rounding: fields.rounding,
    }),
    z.strictObject({
      by: z.literal('price'),
      price_minor: minor.min(1),
      currency: currency.describe('Items in another currency are left out'),
    }),
  ])
  .meta({ id: 'PriceChange' })
export type PriceChange = z.infer<typeof PriceChange>

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
