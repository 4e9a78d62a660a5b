/** Conditions of the Inventory API, and the names that sellers see (platforms 1.6). */
export const conditions = {
  NEW: 'New',
  LIKE_NEW: 'Like new',
  NEW_OTHER: 'New, other',
  NEW_WITH_DEFECTS: 'New with defects',
  CERTIFIED_REFURBISHED: 'Certified refurbished',
  SELLER_REFURBISHED: 'Seller refurbished',
  USED_EXCELLENT: 'Used',
  USED_VERY_GOOD: 'Used, very good',
  USED_GOOD: 'Used, good',
  USED_ACCEPTABLE: 'Used, acceptable',
  PRE_OWNED_EXCELLENT: 'Pre-owned, excellent',
  PRE_OWNED_FAIR: 'Pre-owned, fair',
  FOR_PARTS_OR_NOT_WORKING: 'For parts or not working',
} as const
export type EbayCondition = keyof typeof conditions

/** In this order: the first entry whose patterns all fit a label decides. */
const patterns: [RegExp[], EbayCondition][] = [
  [[/parts|not working|broken|defekt/], 'FOR_PARTS_OR_NOT_WORKING'],
  [[/like new|nearly new|neuwertig/], 'LIKE_NEW'],
  [[/\bnew\b/, /with defects|imperfections/], 'NEW_WITH_DEFECTS'],
  [[/new without tags|new \(other|new other|open box/], 'NEW_OTHER'],
  [[/certified/, /refurb/], 'CERTIFIED_REFURBISHED'],
  [[/refurb/], 'SELLER_REFURBISHED'],
  [[/pre-?owned/, /excellent|very good/], 'PRE_OWNED_EXCELLENT'],
  [[/\bfair\b/], 'PRE_OWNED_FAIR'],
  [[/very good/], 'USED_VERY_GOOD'],
  [[/excellent/], 'USED_EXCELLENT'],
  [[/\bgood\b/], 'USED_GOOD'],
  [[/acceptable|poor/], 'USED_ACCEPTABLE'],
  [[/used|pre-?owned|vintage|gebraucht|antique/], 'USED_EXCELLENT'],
  [[/\bnew\b|unworn|unused|\bnwt\b|\bneu\b/], 'NEW'],
]

/** eBay's condition for a label in a platform's or the seller's words; null where it says nothing. */
export function conditionOf(label: string): EbayCondition | null {
  const words = label.toLowerCase()
  return patterns.find(([all]) => all.every((pattern) => pattern.test(words)))?.[1] ?? null
}
