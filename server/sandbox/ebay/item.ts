/** An item in the sandbox's market. Prices are decimal text as eBay prints them. */
export interface SandboxItem {
  itemId: string
  title: string
  /** HTML, as sellers write it. */
  description: string
  sku: string | null
  /** Of the request that listed it. */
  uuid?: string
  price: string
  currency: string
  /** Units ever offered; eBay never counts this down. */
  quantity: number
  quantitySold: number
  pictures: number
  /** Picture addresses that the seller sent; without them the sandbox draws the pictures. */
  imageUrls?: string[]
  listingType: 'FixedPriceItem' | 'Chinese'
  status: 'Active' | 'Completed' | 'Ended'
  conditionId: number
  /** Null: eBay's answer has only the id. */
  conditionName: string | null
  conditionNotes: string | null
  category: { id: number; name: string }
  specifics: { name: string; values: string[] }[]
  /** Specifics that its category has come to require since it was listed. */
  requires?: string[]
  variations: SandboxVariation[]
  /** Product identifiers that the seller gave. */
  product?: { isbn?: string; ean?: string; upc?: string; brand?: string; mpn?: string }
  /** The parcel in pounds, ounces and inches. */
  parcel?: { pounds: number; ounces: number; length: number; width: number; height: number }
  startTime: string
  /** eBay's name of the site that it is listed on; `US` by default. */
  site?: string
  /** Bids on an auction. */
  bids?: number
  /** Offers of buyers that the seller has not answered. */
  openOffers?: number
  /** A sale event, which lowers what buyers pay while it runs. */
  sale?: { price: string; startsAt: string; endsAt: string } | undefined
  /** eBay declines offers below this price by itself. */
  autoDecline?: string | undefined
  /** eBay accepts offers from this price on by itself. */
  autoAccept?: string
  /** When an auction ends by itself. */
  endsAt?: string
  /** Another tool listed it by the Inventory API, so the Trading API does not revise it. */
  byInventory?: boolean
  /** A buyer won or agreed and has not paid, so there is no order yet. */
  awaitsPayment?: boolean
  /** The listing that this one replaces, and the one that replaced it. */
  relistParentId?: string
  relistedItemId?: string
  /** The listing whose pictures it shows; its own by default. */
  picturesOf?: string
  /** Times that eBay still relists an unsold auction by itself. */
  relistsLeft?: number
  /** The time it was sold or ended. */
  endTime: string | null
  /** GetItem calls for this item that will still fail. */
  failures: number | 'always'
}

interface SandboxVariation {
  sku: string
  price: string
  quantity: number
  quantitySold: number
  specifics: { name: string; values: string[] }[]
}

export interface SandboxSeller {
  username: string
  userId: string
  /** The site where the seller has registered. */
  marketplaceId: string
  /** One line about the shop, for the sandbox's own pages. */
  about: string
  /** False: the seller has switched off "Automatically relist canceled items" in the site preferences. */
  relistsCanceled?: boolean
}

/** Prints cents as eBay does, with one or two decimals: 1750 as "17.5", 500 as "5.0". */
export function printAmount(cents: number): string {
  const text = (cents / 100).toFixed(2)
  return text.endsWith('0') ? text.slice(0, -1) : text
}

/** Returns the sale event that runs now. */
export function runningSale({ sale }: SandboxItem, now: Date): SandboxItem['sale'] {
  const at = now.toISOString()
  return sale && sale.startsAt <= at && at < sale.endsAt ? sale : undefined
}

/** Returns true for an auction that has bids, or ends within 12 hours: eBay then takes few changes. */
export function isBound({ bids = 0, openOffers = 0, endsAt }: SandboxItem, now: Date): boolean {
  return bids > 0 || openOffers > 0 || endsSoon(endsAt, now)
}

/** Returns true within the last 12 hours of a listing that ends by itself. */
export function endsSoon(endsAt: string | undefined, now: Date): boolean {
  return endsAt !== undefined && Date.parse(endsAt) - now.getTime() <= 12 * 3_600_000
}

/** Returns the units left, summed over variations where there are some. */
export function unitsLeft(item: SandboxItem): number {
  if (item.variations.length === 0) return item.quantity - item.quantitySold
  return item.variations.reduce((sum, { quantity, quantitySold }) => sum + quantity - quantitySold, 0)
}
