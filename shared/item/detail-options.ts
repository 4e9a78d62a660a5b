// Without zod, so that the extension's pages are built without it.

/** Product identifiers that marketplaces look up. */
export const productIdentifiers = ['isbn', 'ean', 'upc', 'mpn'] as const
export type ProductIdentifier = (typeof productIdentifiers)[number]

/** Options of a list request that describe the item itself and are stored with it. */
export const detailOptions = [
  'weight_grams',
  'parcel_length_mm',
  'parcel_width_mm',
  'parcel_height_mm',
  ...productIdentifiers,
] as const
