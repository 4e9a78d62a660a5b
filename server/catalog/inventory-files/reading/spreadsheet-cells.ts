import type { FieldError } from '#shared/contract/declaring/errors.ts'
import { hasName } from '#shared/item/item-name.ts'
import { plainText } from '#shared/plain-text.ts'
import type { Cells } from '../columns.ts'

/** Columns with codes, which spreadsheets take for numbers and dates. */
const codes = ['uid', 'sku', 'product_id', 'isbn', 'ean', 'upc', 'mpn']
/** Characters of a code. */
const maxCodeLength = 500
/** Codes that consist of digits. */
const numbers = ['isbn', 'ean', 'upc']
const attributes = ['brand', 'size', 'colors', 'category', 'material', 'isbn', 'ean', 'upc', 'mpn', 'storage_location']

/** `8.85909E+11`. Without a sign or a point such as `5E10` it may be a code. */
const shortened = /^[+-]?(?:\d[.,]\d+ ?E ?[+-]?\d{1,3}|\d ?E ?[+-]\d{1,3})$/i
/** A program has read the code as a number with decimals. */
const fractional = /^\d+[.,]0+$/
const months =
  'jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec|mrz|mär|märz|mai|okt|dez|janv|févr|mars|avr|juin|juil|août|déc|ene|abr|ago|dic|gen|mag|giu|lug|set|ott'
const dates = [
  new RegExp(`^\\d{1,2}(?:-|\\. ?)(?:${months})\\.?$`, 'i'),
  new RegExp(`^(?:${months})\\.?[- ]\\d{2}$`, 'i'),
  /^\d{1,2}([./])\d{1,2}\1(?:\d{2}|\d{4})(?: \d{1,2}:\d{2}(?::\d{2})?)?$/,
  /^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(?::\d{2})?$/,
]
/** Errors of Excel, LibreOffice and Google Sheets, in English, German, French, Spanish and Italian. */
const errors = new Set(
  `#N/A #NAME? #REF! #VALUE! #DIV/0! #NUM! #NULL! #SPILL! #CALC! #FIELD! #BLOCKED! #CONNECT! #UNKNOWN! #ERROR! #GETTING_DATA #NV
   #BEZUG! #WERT! #ZAHL! #ÜBERLAUF! #KALK! #FELD! #NOM? #VALEUR! #NOMBRE! #NUL! #¿NOMBRE? #¡REF! #¡VALOR! #¡DIV/0! #¡NUM! #¡NULO!
   #N/D #NOME? #RIF! #VALORE! #NULLO!`.split(/\s+/),
)
const isError = (cell: string) => errors.has(cell.toUpperCase()) || /^(?:#{3,}|Err:5\d\d)$/.test(cell)

/** Returns the text of a cell that a program has written as a formula so that spreadsheets keep it: `="0123"`. */
export function unwrapText(cell: string): string {
  const [, text] = /^="((?:[^"]|"")*)"$/.exec(cell.trim()) ?? []
  return text === undefined ? cell : text.replaceAll('""', '"')
}

/** Returns the cells of a spreadsheet or of another program without apostrophes before codes, HTML and escaped line ends. */
export function cleanCells(cells: Cells): Cells {
  const clean: Record<string, string> = { ...cells }
  for (const name of codes) if (/^'\s*\d/.test(clean[name] ?? '')) clean[name] = clean[name]!.slice(1)
  for (const name of ['description', 'condition_notes'])
    if (clean[name]) clean[name] = plainText(unescapeLines(clean[name]))
  if (clean.title) clean.title = plainText(clean.title)
  return clean
}

/** Turns `\n` as WooCommerce writes it into line ends, but not that of a folder such as `C:\new`. */
const unescapeLines = (text: string) => text.replace(/(?<!\b[A-Z]:|\\)(?:\\r)?\\n/g, '\n')

/** Returns an error for each cell that a spreadsheet or a program has damaged, so that its text is lost. */
export function findDamage(cells: Cells): FieldError[] {
  return Object.entries(cells).flatMap(([name, text]) => {
    const damage = damageOf(name, text.trim())
    return damage ? [{ field: fieldOf(name), ...damage }] : []
  })
}

/** Returns an error for a title that names nothing. */
export function findNameless({ title = '' }: Cells): FieldError[] {
  if (title.trim() === '' || hasName(title)) return []
  return [{ field: 'title', code: 'no_letters', message: 'has no letters. Write what the item is' }]
}

/** Returns the beginning of each cell, which is enough to name a row that fails. */
export const shortenCells = (cells: Cells): Cells =>
  Object.fromEntries(Object.entries(cells).map(([name, text]) => [name, text.slice(0, maxCodeLength)]))

function damageOf(name: string, cell: string): { code: string; message: string } | null {
  if (cell === '') return null
  if (cell.includes('\uFFFD')) {
    return { code: 'lost_letters', message: 'has lost letters in another program. Export the file again as UTF-8' }
  }
  const shown = cell.slice(0, 50)
  if (isError(cell)) return { code: 'spreadsheet_error', message: `is an error of the spreadsheet: ${shown}` }
  if (!codes.includes(name)) return null
  if (cell.length > maxCodeLength) {
    return { code: 'too_big', message: `must have at most ${maxCodeLength} characters` }
  }
  const advice = 'Format the column as text and enter the code again, or leave the cell empty'
  if (shortened.test(cell) || (numbers.includes(name) && fractional.test(cell))) {
    return { code: 'shortened_number', message: `was changed to a number by the spreadsheet: ${shown}. ${advice}` }
  }
  if (dates.some((date) => date.test(cell))) {
    return { code: 'shortened_date', message: `was changed to a date by the spreadsheet: ${shown}. ${advice}` }
  }
  return null
}

function fieldOf(name: string): string {
  if (name === 'condition') return 'condition.label'
  return attributes.includes(name) ? `attributes.${name}` : name
}
