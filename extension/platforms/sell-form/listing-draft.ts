/** Values for any platform's sell form. Null or empty: the item has no value. */
export interface ListingDraft {
  task: string
  title: string
  description: string
  price_minor: number
  currency: string
  /** The condition label from a platform or the seller. Empty: unknown. */
  condition: string
  size: string | null
  brand: string | null
  /** Widest to narrowest, such as Women, Dresses, Midi. */
  category: string[]
  colors: string[]
  sku: string | null
  pictures: number
}
