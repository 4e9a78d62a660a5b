import { CsvError, parse } from 'csv-parse/sync'
import { waysIn } from '#server/infra/ways-in/ways-in.ts'
import { refuseFile } from './refuse-file.ts'

/** Cells of a row, most of them empty: spreadsheets pad rows. */
const { parts: maxCells, lineBytes: maxRowBytes } = waysIn.csv
/** Characters of a cell. eBay's descriptions have up to 500,000. */
const maxCellLength = maxRowBytes / 2
/** Lines without a text, of which a file has some for each of its rows at most. */
const maxBlank = 100_000

export interface CsvRecord {
  cells: string[]
  /** A quotation mark in it is not closed, so that the record may consist of several rows. */
  isOpen: boolean
}

/**
 * Parses CSV (RFC 4180) with any line ends and calls `onRecord` for each record that is not blank. Takes linear time.
 * Quotation marks that are not doubled are part of the text. Throws 400 for a row that is too long.
 */
export function parseRecords(text: string, delimiter: string, onRecord: (record: CsvRecord) => void): void {
  const bytes = Buffer.from(text)
  try {
    parseBytes(bytes, delimiter, onRecord)
  } catch (error) {
    if (!(error instanceof StrayQuote)) throw error
    parseBytes(bytes, delimiter, onRecord, { isRelaxed: true, skipped: error.records })
  }
}

/** Returns the first records of a text. The last of them may be cut off. */
export function firstRecords(text: string, delimiter: string, count: number): string[][] {
  const records: string[][] = []
  try {
    const keep = ({ cells }: CsvRecord) => records.length < count && records.push(cells)
    parseBytes(Buffer.from(text), delimiter, keep, { isRelaxed: true, cells: Number.POSITIVE_INFINITY })
  } catch {
    // The whole text is parsed later and says what is wrong.
  }
  return records
}

/** A quotation mark is not where RFC 4180 has it. */
class StrayQuote extends Error {
  readonly records: number

  constructor(records: number, cause: unknown) {
    super('stray quotation mark', { cause })
    this.records = records
  }
}

function parseBytes(
  bytes: Buffer,
  delimiter: string,
  onRecord: (record: CsvRecord) => void,
  { isRelaxed = false, skipped = 0, cells: mostCells = maxCells as number } = {},
): void {
  let [records, blank] = [0, 0]
  let isOpen = false
  try {
    parse(bytes, {
      delimiter,
      relax_quotes: isRelaxed,
      relax_column_count: true,
      skip_empty_lines: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      max_record_size: maxRowBytes,
      cast(cell, { index, quoting }) {
        if (index >= mostCells) throw tooManyCells(records)
        if (cell.length > maxCellLength) throw tooLongCell(records)
        // The parser gives back the quotation mark that another one inside did not close.
        if (isRelaxed && quoting && cell.startsWith('"') && /[\r\n]/.test(cell)) isOpen = true
        return cell
      },
      on_record(cells: string[]) {
        if (cells.every((cell) => cell.trim() === '')) {
          if (++blank > maxBlank) throw refuseFile('too_many_rows', 'This file consists of blank lines.')
        } else if (++records > skipped) onRecord({ cells, isOpen })
        isOpen = false
        return null
      },
    })
  } catch (error) {
    throw error instanceof CsvError ? translate(error, records) : error
  }
}

function translate(error: CsvError, records: number): Error {
  switch (error.code) {
    case 'CSV_INVALID_CLOSING_QUOTE':
    case 'INVALID_OPENING_QUOTE':
      return new StrayQuote(records, error)
    case 'CSV_QUOTE_NOT_CLOSED': {
      const message = `A quotation mark is never closed. It is after line ${records} of the file, without blank ones.`
      return refuseFile('quote_not_closed', message)
    }
    case 'CSV_MAX_RECORD_SIZE': {
      const message = `${place(records)} is longer than 1 MB. A quotation mark in it may have no closing one.`
      return refuseFile('row_too_long', message)
    }
    default:
      return error
  }
}

/** Names a record by its number: the line of the column names is the first. */
const place = (records: number) => `Line ${records + 1}`

const tooManyCells = (records: number) =>
  refuseFile('too_many_cells', `${place(records)} has more than ${maxCells.toLocaleString('en')} cells.`)

const tooLongCell = (records: number) =>
  refuseFile(
    'cell_too_long',
    `${place(records)} has a cell of more than ${maxCellLength.toLocaleString('en')} characters. A quotation mark in it may have no closing one.`,
  )
