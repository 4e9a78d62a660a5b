/**
 * Elements of an item page (captured 2026-09), used if its state is unreadable. Class names change with each build, while
 * data-testid has been stable.
 */
export const item = {
  /** Similar items have the same test id, but in a paragraph. */
  title: 'h1[data-testid="ItemName"]',
  price: '[data-testid="ItemPrice"]',
  description: '[data-testid="ItemDetailsDescription"]',
  /** Matches twice, because the paragraph is inside the span. */
  condition: '[data-testid="ItemDetailsCondition"]',
  brand: '[data-testid="ItemDetailsBrand"]',
  /** Present on sold items only. */
  sold: '[data-testid="SoldListing"]',
} as const

/** Links from the seller's lists to item pages, in every layout so far. */
export const listLink = 'a[href*="/us/item/m"], a[href*="/transaction/order_status/m"]'
