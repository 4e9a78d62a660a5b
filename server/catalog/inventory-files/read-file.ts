import { Readable } from 'node:stream'
import Papa from 'papaparse'
import { problem } from '#server/infra/errors.ts'
import { type FileFormat, maxImportRows } from '#shared/contract/inventory-files.ts'
import { withPlainAmounts } from './amounts.ts'
import { type Cells, columns } from './columns.ts'
import { unescapeFormula } from './formula.ts'
import { bareName, currencyIn, type Preset, presetOf, translateRow } from './presets.ts'

export interface File {
  format: FileFormat
  rows: Row[]
  ignored_columns: string[]
}

export interface Row {
  cells: Cells
  /** Why the row is left out, for example because the item is sold; null if it is not. */
  left: string | null
}

/** The heading of a file. */
interface Heading {
  names: string[]
  preset: Preset | null
  currency: string | null
}

/** First characters of Excel's files, .xlsx and .xls. */
const workbooks = ['PK\x03\x04', '\xd0\xcf\x11\xe0']

/** Characters parsed in one turn of the event loop. */
const chunkLength = 65_536

/** Reads a CSV file. Throws 400 for one without known columns, with a column given twice, or with too many rows. */
export async function readFile(text: string): Promise<File> {
  if (workbooks.some((beginning) => text.startsWith(beginning))) {
    throw problem('invalid_request', 'This is an Excel workbook. Open it in Excel and save it as a CSV file.')
  }
  if (text.includes('\0')) throw problem('invalid_request', 'This is not a CSV file.')
  const rows: Row[] = []
  let heading: Heading | null = null
  const parsed = Readable.from(chunksOf(text)).pipe(
    Papa.parse(Papa.NODE_STREAM_INPUT, { skipEmptyLines: 'greedy', delimitersToGuess: [',', ';', '\t'] }),
  )
  for await (const cells of parsed as AsyncIterable<string[]>) {
    if (isRemark(cells, heading)) continue
    if (!heading) heading = readHeading(cells)
    else if (rows.length === maxImportRows) {
      const most = maxImportRows.toLocaleString('en')
      throw problem('invalid_request', `This file has more than ${most} rows. Split it into smaller files.`)
    } else rows.push(toRow(cells, heading))
  }
  if (!heading) throw problem('invalid_request', 'The file is empty: a line of column names is needed.')
  const { names, preset } = heading
  const isKnown = (name: string) =>
    preset ? name in preset.columns || preset.pictures?.test(name) : columns.includes(name)
  return {
    format: preset?.format ?? 'hapax',
    rows,
    ignored_columns: names.filter((name) => name !== '' && !isKnown(name)),
  }
}

/** eBay's templates have lines of explanations above the column names and among the rows. */
const isRemark = ([first = '']: string[], heading: Heading | null) =>
  (!heading || heading.preset?.format === 'ebay') && /^(?:#info\b|info$)/i.test(first)

function* chunksOf(text: string): Generator<string> {
  const start = text.startsWith('\uFEFF') ? 1 : 0
  for (let at = start; at < text.length; at += chunkLength) yield text.slice(at, at + chunkLength)
}

function readHeading(cells: string[]): Heading {
  const bare = cells.map(bareName)
  const preset = presetOf(bare)
  const names = preset ? bare : cells.map((cell) => cell.trim().toLowerCase().replaceAll(' ', '_'))
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) !== index)
  if (twice !== undefined) throw problem('invalid_request', `The column "${twice.slice(0, 50)}" is given twice.`)
  if (!['uid', 'sku', 'title'].some((name) => names.includes(name))) {
    const found = cells.join(', ').slice(0, 200)
    throw problem(
      'invalid_request',
      `The first line must name the columns, among them uid, sku or title. It says: ${found}`,
    )
  }
  return { names, preset, currency: preset?.format === 'ebay' ? currencyIn(cells) : null }
}

/** A cell that is left out at the end of a row is empty. */
function toRow(cells: string[], { names, preset, currency }: Heading): Row {
  const named = names.map((name, index) => [name, unescapeFormula(cells[index] ?? '')] as const)
  const { cells: own, left } = preset
    ? translateRow(preset, Object.fromEntries(named), currency)
    : { cells: Object.fromEntries(named.filter(([name]) => columns.includes(name))), left: null }
  return { cells: withPlainAmounts(own), left }
}
