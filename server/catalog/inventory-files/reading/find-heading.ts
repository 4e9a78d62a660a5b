import { firstRecords } from '../parse-records.ts'
import { refuseFile } from '../refuse-file.ts'

/** Where the line of column names is in a file. */
interface Layout {
  delimiter: string
  /** The text below a line that names the delimiter. */
  text: string
  /** Lines above the column names, without blank ones. */
  remarks: number
}

const delimiters = [',', ';', '\t', '|']
/** Characters and lines in which the column names are looked for. */
const searched = { length: 65_536, lines: 30 }

/** Excel's first line that names the delimiter, padded where Excel saved it again. */
const delimiterLine = /^"?sep=(\\t|[^\r\n])"?[,;\t|]*(?:\r\n|\r|\n|$)/i

/** eBay's templates and other programs put explanations above the column names. */
export const isRemark = ([first = '']: readonly string[]): boolean => /^\s*(?:#|info\b)/i.test(first)

/**
 * Finds the delimiter and the line of column names. The delimiter is that under which `isHeading` knows a line, else
 * that which cuts the first line that is no remark into most cells. Texts and remarks have no say.
 */
export function findHeading(text: string, isHeading: (cells: readonly string[]) => boolean): Layout {
  const line = delimiterLine.exec(text.slice(0, 2_000))
  const named = line?.[1] === '\\t' ? '\t' : line?.[1]
  if (named && !delimiters.includes(named)) {
    const message = `The first line names the delimiter "${named}". Commas, semicolons, tabs and bars are known.`
    throw refuseFile('unknown_delimiter', message)
  }
  const rest = line ? text.slice(line[0].length) : text
  const head = rest.slice(0, searched.length)
  const found = (named ? [named] : delimiters).map((delimiter) => ({
    delimiter,
    ...headingIn(head, delimiter, isHeading),
  }))
  const [best] = found.toSorted(
    (a, b) => Number(b.isKnown) - Number(a.isKnown) || b.width - a.width || b.alike - a.alike,
  )
  return { delimiter: best!.delimiter, text: rest, remarks: best!.index }
}

function headingIn(head: string, delimiter: string, isHeading: (cells: readonly string[]) => boolean) {
  const records = firstRecords(head, delimiter, searched.lines)
  const widths = records.map(widthOf)
  const place = (index: number, isKnown: boolean) => {
    const width = widths[index] ?? 0
    return { index, isKnown, width, alike: width > 1 ? widths.filter((one) => one === width).length : 0 }
  }
  for (const [index, cells] of records.entries()) {
    if (isHeading(cells)) return place(index, true)
    // A title or a date of the file.
    if (!isRemark(cells) && cells.filter(Boolean).length > 2) break
  }
  return place(
    Math.max(
      0,
      records.findIndex((cells) => !isRemark(cells)),
    ),
    false,
  )
}

/** Returns the number of cells up to the last that is not empty. */
export const widthOf = (cells: readonly string[]): number => cells.findLastIndex((cell) => cell.trim() !== '') + 1
