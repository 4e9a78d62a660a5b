import { readAmount } from '../amounts.ts'

/** "Total", "Grand total:", "Sum of prices" and "Total items" in five languages. */
const words =
  /^(?:(?:grand|overall|sub|inventory)[ -]?)?(?:totals?|totale|sum|sums|summe|gesamt|gesamtsumme|insgesamt|zwischensumme|somme|somma|suma)(?: (?:général|generale|general|of|for|all|items?|value|price|cost|count|inventory|stock|amount|listings?|prices|artikel|articles?|artículos|articoli))*[^\p{L}]*(?:items?|pcs|pieces|artikel)?$/iu

/** A number without words, an amount, or a count such as "12 items". */
const isCount = (cell: string) =>
  !/\p{L}/u.test(cell) || readAmount(cell) !== null || /^\d+ ?(?:items?|pcs|pieces|rows|artikel|stück)$/i.test(cell)

/** Returns whether a row is one of totals: it has a word that says so, and nothing else but numbers. */
export function isTotals(cells: readonly string[]): boolean {
  const filled = cells.map((cell) => cell.trim()).filter(Boolean)
  return filled.some((cell) => words.test(cell)) && filled.every((cell) => words.test(cell) || isCount(cell))
}

/** Returns whether a row without a name has nothing but numbers, which are totals at the end of a file. */
export function isNumbersAlone(cells: readonly string[]): boolean {
  const filled = cells.map((cell) => cell.trim()).filter(Boolean)
  return filled.length > 0 && filled.every(isCount)
}
