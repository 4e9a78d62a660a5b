import fc from 'fast-check'
import { expect, it } from 'vitest'
import { csvLines } from '#shared/csv.ts'
import { type CsvRecord, parseRecords } from './parse-records.ts'

function recordsOf(text: string, delimiter = ','): CsvRecord[] {
  const records: CsvRecord[] = []
  parseRecords(text, delimiter, (record) => records.push(record))
  return records
}
const cellsOf = (text: string, delimiter?: string) => recordsOf(text, delimiter).map(({ cells }) => cells)

it('reads back every text that is quoted, with each delimiter and line end', () => {
  const unit = fc.constantFrom('"', ',', ';', '\t', '|', '\n', '\r', ' ', 'a', 'ü', '€', '😀', "'", '\\', '#')
  const rows = fc.array(fc.array(fc.string({ unit }), { minLength: 1, maxLength: 4 }), { maxLength: 5 })
  const ends = fc.constantFrom('\r\n', '\n', '\r')
  fc.assert(
    fc.property(rows, fc.constantFrom(',', ';', '\t', '|'), ends, (given, delimiter, end) => {
      const lines = given.map((cells) => csvLines([cells]).slice(0, -2).replaceAll('","', `"${delimiter}"`))
      // Only cells without the text that separates them can be joined so.
      fc.pre(given.every((cells) => cells.every((cell) => !cell.includes(',') && !cell.includes('"'))))
      const read = cellsOf(lines.join(end), delimiter)
      expect(read).toEqual(given.filter((cells) => cells.some((cell) => cell.trim() !== '')))
    }),
    { numRuns: 500 },
  )
})

it.each([
  ['a,5" heel,b\n', [['a', '5" heel', 'b']]],
  ['a,"5"" heel",b\n', [['a', '5" heel', 'b']]],
  ['a,"Best" coat,b\n', [['a', '"Best" coat', 'b']]],
  ['a\r\nb\nc\rd', [['a'], ['b'], ['c'], ['d']]],
  [
    'a,"b\r\nc"\r\n\r\n , \r\nd,\r\n',
    [
      ['a', 'b\r\nc'],
      ['d', ''],
    ],
  ],
  [
    'good,"x"\nbad,"y"z\ngood,"w"',
    [
      ['good', 'x'],
      ['bad', '"y"z'],
      ['good', 'w'],
    ],
  ],
])('reads %j', (text, cells) => {
  expect(cellsOf(text)).toEqual(cells)
})

it('marks a record that a quotation mark has made of several rows', () => {
  expect(recordsOf('a,"5 inch heel,20\nb,"x",3\nc,d,1\n')).toMatchObject([{ isOpen: true }, { isOpen: false }])
})

it.each([
  ['quote_not_closed', 'a\n"b\nc\n'],
  ['row_too_long', `a\n"${'b'.repeat(1_000_100)}"\n`],
  ['cell_too_long', `a\n"${'b'.repeat(500_001)}"\n`],
  ['too_many_cells', `a\n${','.repeat(1_000)}\n`],
  ['too_many_rows', `a\n${' \n'.repeat(100_001)}`],
])('refuses a file with the code %s', (code, text) => {
  expect(() => recordsOf(text)).toThrowError(expect.objectContaining({ errors: [expect.objectContaining({ code })] }))
})
