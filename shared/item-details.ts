import { z } from 'zod'

/** Weight of the packed item. */
export const WeightGrams = z.int().min(1).max(1_000_000)

/** Size of the packed item; the length is the longest side as carriers count it. */
export const Parcel = z.strictObject({
  length_mm: z.int().min(1).max(10_000),
  width_mm: z.int().min(1).max(10_000),
  height_mm: z.int().min(1).max(10_000),
})
export type Parcel = z.infer<typeof Parcel>

/** Identifiers that name the product of an item: what marketplaces look it up by. */
export const productIdentifiers = ['isbn', 'ean', 'upc', 'mpn'] as const
export type ProductIdentifier = (typeof productIdentifiers)[number]

/** Options of a list request that say something of the item itself, and are kept with it. */
export const detailOptions = [
  'weight_grams',
  'parcel_length_mm',
  'parcel_width_mm',
  'parcel_height_mm',
  ...productIdentifiers,
] as const
export type DetailOption = (typeof detailOptions)[number]
