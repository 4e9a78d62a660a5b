import { decimalFromMinor } from '#shared/money.ts'
import { fold, type InventoryRow } from './row.ts'

type Searched = Pick<InventoryRow, 'words' | 'price_minor' | 'currency'>

/** A price as sellers type it: "294", "$294", "294.99", "294,99€". */
const price = /^\p{Sc}?(\d+(?:[.,]\d*)?)\p{Sc}?$/u

/**
 * Returns up to `limit` rows that contain every word of the query or have it as their price. Matches at the start of a
 * word come first, otherwise the order is kept.
 */
export function searchRows<Row extends Searched>(
  rows: readonly Row[],
  query: string,
  limit = Number.POSITIVE_INFINITY,
): Row[] {
  const terms = fold(query)
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => ({ word, price: price.exec(word)?.[1]?.replace(',', '.') }))
  if (terms.length === 0) return rows.slice(0, limit)
  const first: Row[] = []
  const rest: Row[] = []
  for (const row of rows) {
    if (!terms.every((term) => row.words.includes(term.word) || costs(row, term.price))) continue
    if (terms.every((term) => beginsWord(row.words, term.word))) first.push(row)
    else rest.push(row)
    if (first.length === limit) break
  }
  return [...first, ...rest].slice(0, limit)
}

function beginsWord(words: string, term: string): boolean {
  return words.startsWith(term) || words.includes(` ${term}`)
}

function costs(row: Searched, price: string | undefined): boolean {
  if (price === undefined) return false
  const full = decimalFromMinor(row.price_minor, row.currency)
  return price.includes('.') ? full.startsWith(price) : full === price || full.startsWith(`${price}.`)
}
