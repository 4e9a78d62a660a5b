import { csvLines } from '#shared/csv.ts'

/** Matches cells that spreadsheets would run as a formula, but not negative amounts. */
const formula = /^(?!-\d+(?:\.\d+)?$)[\s\0]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/

/**
 * Returns lines as CSV (RFC 4180) with a byte order mark, which spreadsheets need for non-ASCII text. Escapes formulas
 * with an apostrophe.
 */
export function toCsv(lines: string[][]): string {
  const escaped = lines.map((cells) => cells.map((cell) => (formula.test(cell) ? `'${cell}` : cell)))
  return `\uFEFF${csvLines(escaped)}`
}

/** Saves a file on the seller's machine. */
export function download(name: string, content: BlobPart, type = 'text/csv'): void {
  const url = URL.createObjectURL(new Blob([content], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download has started by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
