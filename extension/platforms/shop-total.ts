/** The smallest and the largest total that a shop or list stated during one read. */
export interface Totals {
  least: number
  most: number
}

/** Extends the range by one stated total. Null changes nothing. */
export function addTotal(totals: Totals | null, total: number | null): Totals | null {
  if (total === null) return totals
  return totals
    ? { least: Math.min(totals.least, total), most: Math.max(totals.most, total) }
    : { least: total, most: total }
}
