/** The smallest and largest total that a shop or one of its lists stated while it was read. */
export interface Totals {
  least: number
  most: number
}

/** The range with one more statement. A null statement says nothing. */
export function addTotal(totals: Totals | null, total: number | null): Totals | null {
  if (total === null) return totals
  return totals
    ? { least: Math.min(totals.least, total), most: Math.max(totals.most, total) }
    : { least: total, most: total }
}
