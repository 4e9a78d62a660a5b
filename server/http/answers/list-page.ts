/**
 * Largest list in a response: a hundred of the largest items would be 59 MB, and eighty such responses would exhaust
 * memory.
 */
export const maxListBytes = 4_000_000

/** Returns the first rows that fit into a response, at least one. */
export function fitting<Row>(rows: readonly Row[]): Row[] {
  let bytes = 0
  const first = rows.findIndex((row, place) => {
    bytes += Buffer.byteLength(JSON.stringify(row)) + 1
    return bytes > maxListBytes && place > 0
  })
  return first === -1 ? [...rows] : rows.slice(0, first)
}

/**
 * Returns a page of at most `limit` rows, fewer if they are large. `rows` holds one row more if there is a next page,
 * and `placeOf` returns the cursor after a row.
 */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  placeOf: (last: Row) => string,
): { results: Row[]; next_cursor: string | null } {
  const results = fitting(rows.slice(0, limit))
  const last = rows.length > results.length ? results.at(-1) : undefined
  return { results, next_cursor: last ? Buffer.from(placeOf(last)).toString('base64url') : null }
}
