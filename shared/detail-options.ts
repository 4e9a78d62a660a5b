// Without zod, so that the extension's pages, which check no wire, are built without it.

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
