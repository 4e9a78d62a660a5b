/** Matches what spreadsheets run as a formula, also behind blanks, in full-width signs, or already escaped. */
const formula = /^'*(?:\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|[\t\r\n])/

/** Puts an apostrophe before a cell that a spreadsheet would run as a formula. */
export const escapeFormula = (cell: string): string => (formula.test(cell) ? `'${cell}` : cell)

/** Takes away the apostrophe of `escapeFormula`, and no other. */
export const unescapeFormula = (cell: string): string =>
  cell.startsWith("'") && formula.test(cell.slice(1)) ? cell.slice(1) : cell
