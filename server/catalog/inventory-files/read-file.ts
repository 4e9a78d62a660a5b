import type { FieldError } from '#shared/contract/errors.ts'
import { type FileFormat, maxImportRows } from '#shared/contract/inventory-files.ts'
import { findUnclearAmounts, type NumberStyle, numberStyleOf, withPlainAmounts } from './amounts.ts'
import { type Cells, columns } from './columns.ts'
import { findHeading, isRemark, widthOf } from './find-heading.ts'
import { unescapeFormula } from './formula.ts'
import { type CsvRecord, parseRecords } from './parse-records.ts'
import { bareName, currencyIn, type Preset, presetOf, translateRow } from './presets.ts'
import { refuseFile } from './refuse-file.ts'
import { cleanCells, findDamage, shortenCells, unwrapText } from './spreadsheet-cells.ts'

export interface File {
  format: FileFormat
  rows: Row[]
  ignored_columns: string[]
}

export interface Row {
  cells: Cells
  /** Why the row is left out, for example because the item is sold; null if it is not. */
  left: string | null
  /** Why its cells cannot be read. */
  errors?: FieldError[]
}

/** The heading of a file. */
interface Heading {
  names: string[]
  /** Cells of the line, with those without a name at its end. */
  cells: number
  /** The places of prices and costs. */
  amounts: number[]
  preset: Preset | null
  currency: string | null
}

/** Columns of a file. */
const maxColumns = 200
/** With this many rows at least, a fault that all of them have is one of the file. */
const manyRows = 10

/** Reads a CSV file. Throws 400 for one without known columns, with a column given twice, or with too many rows. */
export function readFile(text: string): File {
  const { delimiter, text: table, remarks } = findHeading(text, isHeading)
  const rows: Row[] = []
  let heading: Heading | null = null
  let passed = 0
  parseRecords(table, delimiter, (record) => {
    if (passed++ < remarks) return
    if (!heading) heading = readHeading(record.cells)
    else if (heading.preset?.format === 'ebay' && isRemark(record.cells)) return
    else if (rows.length === maxImportRows) {
      const most = maxImportRows.toLocaleString('en')
      throw refuseFile('too_many_rows', `This file has more than ${most} rows. Split it into smaller files.`)
    } else rows.push(toRow(record, heading, delimiter))
  })
  if (!heading) throw refuseFile('empty_file', 'The file is empty: a line of column names is needed.')
  refuseIfAllTooLong(rows)
  const { names, preset }: Heading = heading
  const style = numberStyleOf(
    rows.flatMap(({ cells }) => [cells.price ?? '', cells.cost ?? '']),
    delimiter,
  )
  const isKnown = (name: string) =>
    preset ? name in preset.columns || preset.pictures?.test(name) : columns.includes(name)
  return {
    format: preset?.format ?? 'hapax',
    rows: rows.map((row) => withAmounts(row, style)),
    ignored_columns: names.filter((name) => name !== '' && !isKnown(name)),
  }
}

/** Columns of which a file of our own format has at least one. */
const identifying = ['uid', 'sku', 'title']

const ownNames = (cells: readonly string[]) => cells.map((cell) => cell.trim().toLowerCase().replaceAll(' ', '_'))

/** Returns whether a line names columns that are known. */
function isHeading(cells: readonly string[]): boolean {
  const names = new Set(ownNames(cells))
  return identifying.some((name) => names.has(name)) || presetOf(cells.map(bareName)) !== null
}

function readHeading(all: string[]): Heading {
  const cells = all.slice(0, widthOf(all))
  if (cells.length > maxColumns) {
    throw refuseFile('too_many_columns', `This file has more than ${maxColumns} columns.`)
  }
  const bare = cells.map(bareName)
  const preset = presetOf(bare)
  const names = preset ? bare : ownNames(cells)
  const twice = firstRepeated(names)
  if (twice !== undefined) {
    throw refuseFile('column_given_twice', `The column "${twice.slice(0, 50)}" is given twice.`)
  }
  if (!identifying.some((name) => names.includes(name))) {
    const found = cells.join(', ').slice(0, 200)
    throw refuseFile(
      'unknown_columns',
      `The first line must name the columns, among them uid, sku or title. It says: ${found}`,
    )
  }
  const isAmount = (name: string) => ['price', 'cost'].includes(preset ? (preset.columns[name] ?? '') : name)
  const amounts = names.flatMap((name, index) => (isAmount(name) ? [index] : []))
  return { names, cells: all.length, amounts, preset, currency: preset?.format === 'ebay' ? currencyIn(cells) : null }
}

function firstRepeated(names: readonly string[]): string | undefined {
  const seen = new Set<string>()
  return names.find((name) => name !== '' && seen.size === seen.add(name).size)
}

/** A cell that is left out at the end of a row says nothing. Empty cells beyond the columns are padding. */
function toRow({ cells, isOpen }: CsvRecord, heading: Heading, delimiter: string): Row {
  const { names, preset, currency } = heading
  const width = isCutAmount(cells, heading) ? cells.length : widthOf(cells)
  const named = names
    .slice(0, cells.length)
    .map((name, index) => [name, unescapeFormula(unwrapText(cells[index]!))] as const)
  const { cells: own, left } = preset
    ? translateRow(preset, Object.fromEntries(named), currency)
    : { cells: Object.fromEntries(named.filter(([name]) => columns.includes(name))), left: null }
  // Our own export is read back exactly.
  const clean = names.includes('uid') ? own : cleanCells(own)
  const errors = isOpen
    ? [openQuote]
    : width > names.length
      ? [tooManyCells(width, names.length, delimiter)]
      : findDamage(clean)
  return errors.length > 0 ? { cells: shortenCells(clean), left, errors } : { cells: clean, left }
}

/** Returns whether a decimal comma has cut an amount in two, and so pushed an empty last cell beyond the columns. */
const isCutAmount = (row: readonly string[], { cells, amounts }: Heading) =>
  row.length > cells &&
  amounts.some((at) => /^\D{0,4}\d+$/.test(row[at] ?? '') && /^\d\d(?!\d)/.test(row[at + 1] ?? ''))

function withAmounts(row: Row, style: NumberStyle | null): Row {
  const errors = row.errors ?? findUnclearAmounts(row.cells, style)
  return { ...row, cells: withPlainAmounts(row.cells, style), ...(errors.length > 0 ? { errors } : {}) }
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
