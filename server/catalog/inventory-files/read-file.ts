import { isCurrency } from '#server/catalog/inventory/read-listing.ts'
import { type FileFormat, type FileKind, maxImportRows } from '#shared/contract/catalog/inventory-files.ts'
import type { FieldError } from '#shared/contract/declaring/errors.ts'
import { findUnclearAmounts, type NumberStyle, numberStyleOf, signsOf, withPlainAmounts } from './amounts.ts'
import type { LeftOut } from './for-sale.ts'
import { unescapeFormula } from './formula.ts'
import { type CsvRecord, parseRecords } from './parse-records.ts'
import {
  type Heading,
  identifying,
  ignoredColumns,
  isHeading,
  type Row as ReadRow,
  readHeading,
  readRow,
} from './read-heading.ts'
import { currenciesOf, findOtherSigns } from './reading/currency-signs.ts'
import { findHeading, isRemark, widthOf } from './reading/find-heading.ts'
import { cleanCells, findDamage, findNameless, shortenCells, unwrapText } from './reading/spreadsheet-cells.ts'
import { isNumbersAlone, isTotals } from './reading/totals.ts'
import { refuseFile } from './refuse-file.ts'

export interface File {
  format: FileFormat
  kind: FileKind
  rows: Row[]
  ignored_columns: string[]
}

export type Row = ReadRow

/** The heading of a file, with the number of its cells, also of those without a name at its end. */
type WideHeading = Heading & { cells: number }

/** Columns of a file. */
const maxColumns = 200
/** With this many rows at least, a fault that all of them have is one of the file. */
const manyRows = 10

/**
 * Reads a CSV file. Throws 400 for one without known columns, with a column given twice, or with too many rows. `now`:
 * the time at which sale prices count.
 */
export function readFile(text: string, now: number = Date.now()): File {
  const { delimiter, text: table, remarks } = findHeading(text, isHeading)
  const rows: Row[] = []
  /** Places of the last rows, where they have numbers alone. */
  let numbers: number[] = []
  let heading: WideHeading | null = null
  let passed = 0
  parseRecords(table, delimiter, (record) => {
    if (passed++ < remarks) return
    if (!heading) heading = requireHeading(record.cells)
    // An item's own label or title may begin with such a sign, too.
    else if (heading.preset?.format === 'ebay' && isRemark(record.cells) && record.cells.filter(Boolean).length < 3)
      return
    else if (rows.length === maxImportRows) {
      const most = maxImportRows.toLocaleString('en')
      throw refuseFile('too_many_rows', `This file has more than ${most} rows. Split it into smaller files.`)
    } else {
      const row = toRow(record, heading, { delimiter, now })
      const isNameless = identifying.every((name) => !row.cells[name])
      numbers = isNameless && isNumbersAlone(record.cells) ? [...numbers, rows.length] : []
      rows.push(isTotals(record.cells) ? { ...row, left: totals } : row)
    }
  })
  if (!heading) throw refuseFile('empty_file', 'The file is empty: a line of column names is needed.')
  for (const at of numbers) rows[at] = { ...rows[at]!, left: totals }
  refuseIfAllTooLong(rows)
  const known: WideHeading = heading
  const style = numberStyleOf(
    rows.flatMap(({ cells }) => [cells.price ?? '', cells.cost ?? '']),
    delimiter,
  )
  return {
    format: known.format,
    kind: known.kind,
    rows: rows.map((row) => withAmounts(row, style, known)),
    ignored_columns: ignoredColumns(known, true),
  }
}

const totals: LeftOut = { reason: 'is a line of totals', field: '', isSold: false }

function requireHeading(all: string[]): WideHeading {
  const cells = all.slice(0, widthOf(all))
  if (cells.length > maxColumns) {
    throw refuseFile('too_many_columns', `This file has more than ${maxColumns} columns.`)
  }
  const heading = readHeading(cells)
  if (heading) return { ...heading, cells: all.length }
  const found = cells.join(', ').slice(0, 200)
  throw refuseFile(
    'unknown_columns',
    `The first line must name the columns, among them uid, sku or title. It says: ${found}`,
  )
}

/** A cell that is left out at the end of a row says nothing. Empty cells beyond the columns are padding. */
function toRow(
  { cells, isOpen }: CsvRecord,
  heading: WideHeading,
  { delimiter, now }: { delimiter: string; now: number },
): Row {
  const { written, ours } = heading
  const width = isCutAmount(cells, heading) ? cells.length : widthOf(cells)
  const values = cells.slice(0, written.length).map((cell) => unescapeFormula(unwrapText(cell)))
  const { cells: own, left, errors: ofRow = [] } = readRow(values, heading, now)
  // Our own export is read back exactly.
  const clean = ours.includes('uid') ? own : cleanCells(own)
  const errors = isOpen
    ? [openQuote]
    : width > written.length
      ? [tooManyCells(width, written.length, delimiter)]
      : [...ofRow, ...findDamage(clean), ...(ours.includes('uid') ? [] : findNameless(clean))]
  return errors.length > 0 ? { cells: shortenCells(clean), left, errors } : { cells: clean, left }
}

/** Returns whether a decimal comma has cut an amount in two, and so pushed an empty last cell beyond the columns. */
const isCutAmount = (row: readonly string[], { cells, ours }: WideHeading) =>
  row.length > cells &&
  ours.some(
    (column, at) =>
      (column === 'price' || column === 'cost') &&
      /^\D{0,4}\d+$/.test(row[at] ?? '') &&
      /^\d\d(?!\d)/.test(row[at + 1] ?? ''),
  )

/** Returns a row with plain amounts and with the currency that the file names. Signs that contradict it are an error. */
function withAmounts({ cells: written, ...row }: Row, style: NumberStyle | null, heading: Heading): Row {
  const { currency: text = '', ...others } = written
  const ofCell = currenciesOf(text.trim().toUpperCase())
  const isShared = ofCell !== null && ofCell.length > 1
  const cells = isShared ? others : written
  const named = cells.currency || heading.currency
  const ofHeading = !cells.currency && (cells.price || cells.cost) ? heading.signs : []
  const signs = [...ofHeading, ...(isShared ? [{ text, currencies: ofCell }] : []), ...signsOf(cells)]
  const errors = row.errors ?? [
    ...findUnclearAmounts(cells, style, heading.currency),
    ...(named && isCurrency(named) ? findOtherSigns(signs, named) : []),
  ]
  const plain = withPlainAmounts(cells, style, heading.currency)
  const hasAmount = plain.price || plain.cost
  return {
    ...row,
    cells: heading.currency && !plain.currency && hasAmount ? { ...plain, currency: heading.currency } : plain,
    ...(errors.length > 0 ? { errors } : {}),
    ...(signs.length > 0 && !named ? { signs } : {}),
  }
}

const openQuote: FieldError = {
  field: '',
  code: 'quote_not_closed',
  message: 'has a quotation mark that is not closed. Inside of quotation marks, write two for one',
}

function tooManyCells(cells: number, names: number, delimiter: string): FieldError {
  const sign = delimiterNames[delimiter]
  const message = `has ${cells} cells for ${names} columns. A price or text with a ${sign} in it needs quotation marks`
  return { field: '', code: 'too_many_cells', message }
}

const delimiterNames: Readonly<Record<string, string>> = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'bar' }

/** The seller can do more with one sentence than with thousands. */
function refuseIfAllTooLong(rows: readonly Row[]): void {
  const errors = rows.map((row) => row.errors?.find(({ code }) => code === 'too_many_cells'))
  const [first] = errors
  if (first && rows.length >= manyRows && errors.every((error) => error !== undefined)) {
    throw refuseFile(first.code, `Each row has more cells than there are columns. The first ${first.message}.`)
  }
}
