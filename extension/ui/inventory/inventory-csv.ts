import Papa from 'papaparse'

/**
 * Returns the rows of some items from an export of the whole inventory, with all its columns. The server has escaped
 * formulas; doing that again would change the cells.
 */
export function inventoryCsv(csv: string, uids: ReadonlySet<string>): string {
  const [header = [], ...rows] = Papa.parse<string[]>(csv, {
    delimiter: ',',
    newline: '\r\n',
    skipEmptyLines: true,
  }).data
  const uid = header.indexOf('uid')
  const chosen = rows.filter((row) => uids.has(row[uid] ?? ''))
  // Spreadsheets need the byte order mark for non-ASCII text.
  return `\uFEFF${Papa.unparse([header, ...chosen], { quotes: true })}\r\n`
}
