import { z } from 'zod'
import { PlatformSlug } from './platforms.ts'
import { basisPoints, maxPriceMinor } from './price-change.ts'

export const Rounding = z.enum(['none', 'whole', '99', '95'])
export type Rounding = z.infer<typeof Rounding>

const roundingText =
  'To the nearest whole unit of the currency, or to the nearest price that ends in .99 or .95. The endings apply to currencies with two decimals; other prices are rounded to whole units.'

const fields = {
  basis_points: z
    .int()
    .min(basisPoints.min)
    .max(basisPoints.max)
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
    z.strictObject({ by: z.literal('percent').describe('How the price changes'), ...fields }),
    z.strictObject({
      by: z.literal('amount').describe('How the price changes'),
      amount_minor: minor.describe('Added to the price; negative takes off'),
      currency: currency.describe('Items in another currency are left out'),
      rounding: fields.rounding,
    }),
    z.strictObject({
      by: z.literal('price').describe('How the price changes'),
      price_minor: minor.min(1).describe('The price in minor units of its currency'),
      currency: currency.describe('Items in another currency are left out'),
    }),
  ])
  .meta({ id: 'PriceChange' })
export type PriceChange = z.infer<typeof PriceChange>
