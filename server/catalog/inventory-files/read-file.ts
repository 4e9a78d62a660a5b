import { Readable } from 'node:stream'
import Papa from 'papaparse'
import { problem } from '#server/infra/errors.ts'
import { maxImportRows } from '#shared/contract/inventory-files.ts'
import { type Cells, columns } from './columns.ts'
import { unescapeFormula } from './formula.ts'

export interface File {
  rows: Cells[]
  ignored_columns: string[]
}

/** Characters parsed in one turn of the event loop. */
const chunkLength = 65_536

/** Reads a CSV file. Throws 400 for one without known columns, with a column given twice, or with too many rows. */
export async function readFile(text: string): Promise<File> {
  if (text.includes('\0')) throw problem('invalid_request', 'The file contains a character that is not text.')
  const rows: Cells[] = []
  let names: string[] | null = null
  const parsed = Readable.from(chunksOf(text)).pipe(Papa.parse(Papa.NODE_STREAM_INPUT, { skipEmptyLines: 'greedy' }))
  for await (const cells of parsed as AsyncIterable<string[]>) {
    if (!names) names = readNames(cells)
    else if (rows.length === maxImportRows) {
      throw problem('invalid_request', `A file may have ${maxImportRows} rows. Send it in parts.`)
    } else rows.push(toCells(cells, names))
  }
  if (!names) throw problem('invalid_request', 'The file is empty: a line of column names is needed.')
  return { rows, ignored_columns: names.filter((name) => name !== '' && !columns.includes(name)) }
}

function* chunksOf(text: string): Generator<string> {
  const start = text.startsWith('\uFEFF') ? 1 : 0
  for (let at = start; at < text.length; at += chunkLength) yield text.slice(at, at + chunkLength)
}

function readNames(cells: string[]): string[] {
  const names = cells.map((cell) => cell.trim().toLowerCase().replaceAll(' ', '_'))
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) !== index)
  if (twice !== undefined) throw problem('invalid_request', `The column "${twice.slice(0, 50)}" is given twice.`)
  if (!['uid', 'sku', 'title'].some((name) => names.includes(name))) {
    throw problem('invalid_request', 'The first line must name the columns, among them uid, sku or title.')
  }
  return names
}

/** A cell that is left out at the end of a row is empty. */
const toCells = (cells: string[], names: string[]): Cells =>
  Object.fromEntries(
    names
      .map((name, index) => [name, unescapeFormula(cells[index] ?? '')] as const)
      .filter(([name]) => columns.includes(name)),
  )
