/** The values for a sell form of any platform. Null and empty: the item does not say. */
export interface ListingDraft {
  task: string
  title: string
  description: string
  price_minor: number
  currency: string
  /** The label of the record's condition, in a platform's words or the seller's. Empty: nobody said. */
  condition: string
  size: string | null
  brand: string | null
  /** From the widest to the narrowest, such as Women, Dresses, Midi. */
  category: string[]
  colors: string[]
  sku: string | null
  /** How many pictures there are. */
  pictures: number
}
