/** Conditions by eBay's id, with their names among the options and in words. */
const byId = {
  1000: ['NEW', 'New'],
  2750: ['LIKE_NEW', 'Like new'],
  1500: ['NEW_OTHER', 'New, other'],
  1750: ['NEW_WITH_DEFECTS', 'New with defects'],
  2000: ['CERTIFIED_REFURBISHED', 'Certified refurbished'],
  2010: ['EXCELLENT_REFURBISHED', 'Excellent, refurbished'],
  2020: ['VERY_GOOD_REFURBISHED', 'Very good, refurbished'],
  2030: ['GOOD_REFURBISHED', 'Good, refurbished'],
  2500: ['SELLER_REFURBISHED', 'Seller refurbished'],
  3000: ['USED_EXCELLENT', 'Used'],
  4000: ['USED_VERY_GOOD', 'Used, very good'],
  5000: ['USED_GOOD', 'Used, good'],
  6000: ['USED_ACCEPTABLE', 'Used, acceptable'],
  2990: ['PRE_OWNED_EXCELLENT', 'Pre-owned, excellent'],
  3010: ['PRE_OWNED_FAIR', 'Pre-owned, fair'],
  7000: ['FOR_PARTS_OR_NOT_WORKING', 'For parts or not working'],
} as const
export type EbayCondition = (typeof byId)[keyof typeof byId][0]

export const conditions = Object.fromEntries(Object.values(byId)) as Record<EbayCondition, string>

/** Returns the name of a condition id among the options; null for an unknown id. */
export function conditionOfId(id: string): EbayCondition | null {
  return byId[id as unknown as keyof typeof byId]?.[0] ?? null
}

/** Returns the id of a condition that an option names; undefined for an unknown one. */
export function idOfCondition(condition: string): string | undefined {
  return Object.entries(byId).find(([, [name]]) => name === condition)?.[0]
}

/** Conditions of new items, for which eBay accepts no notes. */
export const newConditions: ReadonlySet<string> = new Set<EbayCondition>([
  'NEW',
  'LIKE_NEW',
  'NEW_OTHER',
  'NEW_WITH_DEFECTS',
])

/** Label patterns in order of precedence. The first entry whose patterns all match wins. */
const patterns: [RegExp[], EbayCondition][] = [
  [
    [/parts|not working|broken|defekt|ersatzteil|pour pièces|ne fonctionne pas|ricambio|piezas/],
    'FOR_PARTS_OR_NOT_WORKING',
  ],
  [[/like new|nearly new|neuwertig|wie neu|comme neuf|come nuovo|como nuevo/], 'LIKE_NEW'],
  [
    [/\b(new|neu|neuf|nuovo|nuevo)\b/, /with defects|imperfections|mit fehlern|défauts|difetti|defectos/],
    'NEW_WITH_DEFECTS',
  ],
  [[/new without|new \(other|new other|open box|neu ohne|neu: sonstige|neuf sans|nuovo senza|nuevo sin/], 'NEW_OTHER'],
  [[/certified/, /refurb/], 'CERTIFIED_REFURBISHED'],
  [[/refurb|generalüberholt|reconditionné|ricondizionat|reacondicionad/], 'SELLER_REFURBISHED'],
  [[/pre-?owned/, /excellent|very good/], 'PRE_OWNED_EXCELLENT'],
  [[/\bfair\b/], 'PRE_OWNED_FAIR'],
  [[/very good|sehr gut|très bon|ottim|muy buen/], 'USED_VERY_GOOD'],
  [[/excellent/], 'USED_EXCELLENT'],
  [[/\bgood\b|\bgut\b|bon état|buon|buen/], 'USED_GOOD'],
  [[/acceptable|poor|akzeptabel|correct|accettabil|aceptable/], 'USED_ACCEPTABLE'],
  [[/used|pre-?owned|vintage|gebraucht|secondhand|occasion|usato|usado|antique/], 'USED_EXCELLENT'],
  [[/\bnew\b|unworn|unused|\bnwt\b|\b(neu|neuf|nuovo|nuevo)\b/], 'NEW'],
]

/** Returns eBay's condition for a label in a platform's or seller's words; null if the label names none. */
export function conditionOf(label: string): EbayCondition | null {
  const words = label.toLowerCase()
  return patterns.find(([all]) => all.every((pattern) => pattern.test(words)))?.[1] ?? null
}

/** Substitutes for a condition that a category does not accept, closest first. */
const substitutes: Partial<Record<EbayCondition, EbayCondition[]>> = {
  LIKE_NEW: ['PRE_OWNED_EXCELLENT', 'USED_EXCELLENT', 'USED_VERY_GOOD'],
  PRE_OWNED_EXCELLENT: ['USED_EXCELLENT', 'USED_VERY_GOOD', 'USED_GOOD'],
  USED_EXCELLENT: ['USED_VERY_GOOD', 'USED_GOOD'],
  USED_VERY_GOOD: ['USED_EXCELLENT', 'USED_GOOD'],
  USED_GOOD: ['USED_EXCELLENT', 'PRE_OWNED_FAIR', 'USED_ACCEPTABLE'],
  USED_ACCEPTABLE: ['PRE_OWNED_FAIR', 'USED_EXCELLENT'],
  PRE_OWNED_FAIR: ['USED_ACCEPTABLE', 'USED_EXCELLENT'],
  CERTIFIED_REFURBISHED: ['SELLER_REFURBISHED', 'USED_EXCELLENT'],
  EXCELLENT_REFURBISHED: ['SELLER_REFURBISHED', 'USED_EXCELLENT'],
  VERY_GOOD_REFURBISHED: ['SELLER_REFURBISHED', 'USED_EXCELLENT'],
  GOOD_REFURBISHED: ['SELLER_REFURBISHED', 'USED_EXCELLENT'],
  SELLER_REFURBISHED: ['USED_EXCELLENT'],
}

/** A condition that a category accepts. */
export interface AllowedCondition {
  condition: EbayCondition
  /** eBay's name for it in this category, in the site's language. */
  name: string
}

/**
 * Returns a category's condition for a label: by name, else by meaning, else a substitute. Null if the category has
 * nothing similar, so the seller must choose.
 */
export function conditionAmong(label: string, allowed: readonly AllowedCondition[]): EbayCondition | null {
  const bare = (text: string) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
  const named = allowed.find(({ name }) => bare(name) === bare(label))
  if (named) return named.condition
  const condition = conditionOf(label)
  if (condition === null) return null
  const isAllowed = (candidate: EbayCondition) => allowed.some((one) => one.condition === candidate)
  return [condition, ...(substitutes[condition] ?? [])].find(isAllowed) ?? null
}
