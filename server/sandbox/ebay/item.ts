/** An item in the sandbox's world: the truth that its answers are made of. Prices are decimal text as eBay prints them. */
export interface SandboxItem {
  itemId: string
  title: string
  /** HTML, as sellers write it. */
  description: string
  sku: string | null
  price: string
  currency: string
  /** How many were ever offered; eBay never counts this down. */
  quantity: number
  quantitySold: number
  pictures: number
  /** Where its pictures stand when the seller named addresses; left out: the sandbox draws them. */
  imageUrls?: string[]
  listingType: 'FixedPriceItem' | 'Chinese'
  status: 'Active' | 'Completed' | 'Ended'
  conditionId: number
  /** Null: eBay's answer names the id only. */
  conditionName: string | null
  conditionNotes: string | null
  category: { id: number; name: string }
  specifics: { name: string; values: string[] }[]
  variations: SandboxVariation[]
  /** Identifiers of the product, as the seller gave them. */
  product?: { isbn?: string; ean?: string; upc?: string; brand?: string; mpn?: string }
  /** The parcel in pounds, ounces and inches. */
  parcel?: { pounds: number; ounces: number; length: number; width: number; height: number }
  startTime: string
  /** Its buyer has won or agreed, and has not paid: no order is shown yet. */
  awaitsPayment?: boolean
  /** When it was sold or ended. */
  endTime: string | null
  /** GetItem answers so many more times with an error for this item. */
  failures: number | 'always'
}

export interface SandboxVariation {
  sku: string
  price: string
  quantity: number
  quantitySold: number
  specifics: { name: string; values: string[] }[]
}

export interface SandboxSeller {
  username: string
  userId: string
  /** One line about the shop, for the sandbox's own pages. */
  about: string
}

/** Cents as eBay prints amounts: at least one decimal, no more zeros than that (1750: "17.5", 500: "5.0"). */
export function printAmount(cents: number): string {
  const text = (cents / 100).toFixed(2)
  return text.endsWith('0') ? text.slice(0, -1) : text
}

/** How many are left of an item; of all its variations together where it has some. */
export function unitsLeft(item: SandboxItem): number {
  if (item.variations.length === 0) return item.quantity - item.quantitySold
  return item.variations.reduce((sum, { quantity, quantitySold }) => sum + quantity - quantitySold, 0)
}
