import { fold, type InventoryRow } from './row.ts'

/**
 * Returns up to `limit` rows that contain every word of the query. Matches at the start of a word come first, otherwise
 * the order is kept.
 */
export function searchRows<Row extends Pick<InventoryRow, 'words'>>(
  rows: readonly Row[],
  query: string,
  limit = Number.POSITIVE_INFINITY,
): Row[] {
  const terms = fold(query).split(/\s+/).filter(Boolean)
  if (terms.length === 0) return rows.slice(0, limit)
  const first: Row[] = []
  const rest: Row[] = []
  for (const row of rows) {
    if (!terms.every((term) => row.words.includes(term))) continue
    if (terms.every((term) => beginsWord(row.words, term))) first.push(row)
    else rest.push(row)
    if (first.length === limit) break
  }
  return [...first, ...rest].slice(0, limit)
}

function beginsWord(words: string, term: string): boolean {
  return words.startsWith(term) || words.includes(` ${term}`)
}
