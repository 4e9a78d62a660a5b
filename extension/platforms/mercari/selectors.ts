/**
 * Elements of an item's page (captured 2026-09), for when its state is not understood. Classes are made anew with every
 * build of the site; data-testid has stayed.
 */
export const item = {
  /** Tiles of similar items carry the same test id, but in a paragraph. */
  title: 'h1[data-testid="ItemName"]',
  price: '[data-testid="ItemPrice"]',
  description: '[data-testid="ItemDetailsDescription"]',
  /** Twice: the paragraph is inside the span. */
  condition: '[data-testid="ItemDetailsCondition"]',
  brand: '[data-testid="ItemDetailsBrand"]',
  /** Only on a sold item. */
  sold: '[data-testid="SoldListing"]',
} as const

/** Links of the seller's lists: every layout so far links to the items' pages. */
export const listLink = 'a[href*="/us/item/m"], a[href*="/transaction/order_status/m"]'
