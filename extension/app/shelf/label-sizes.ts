/** Points of PDF in an inch and in a millimeter. */
const inch = 72
const mm = 72 / 25.4

/** A sheet of labels. The labels of every Avery sheet here lie in its middle, and rows touch each other. */
interface Sheet {
  width: number
  height: number
  columns: number
  rows: number
  /** Between two columns. */
  gap: number
}

/** A kind of label paper, in points. Without a sheet, each label is a page. */
export interface LabelSize {
  name: string
  width: number
  height: number
  sheet?: Sheet
}

const letter = { width: 8.5 * inch, height: 11 * inch }
const a4 = { width: 210 * mm, height: 297 * mm }

/** The papers that sellers use most: label printers first, then sheets for any printer. */
export const labelSizes = {
  '2.25x1.25': { name: '2.25 × 1.25 in', width: 2.25 * inch, height: 1.25 * inch },
  '4x6': { name: '4 × 6 in', width: 4 * inch, height: 6 * inch },
  '62x29': { name: '62 × 29 mm', width: 62 * mm, height: 29 * mm },
  '57x32': { name: '57 × 32 mm', width: 57 * mm, height: 32 * mm },
  '5160': {
    ...{ name: 'Avery 5160', width: 2.625 * inch, height: inch },
    sheet: { ...letter, columns: 3, rows: 10, gap: 0.125 * inch },
  },
  '5163': {
    ...{ name: 'Avery 5163', width: 4 * inch, height: 2 * inch },
    sheet: { ...letter, columns: 2, rows: 5, gap: 0.1875 * inch },
  },
  L7160: {
    ...{ name: 'Avery L7160', width: 63.5 * mm, height: 38.1 * mm },
    sheet: { ...a4, columns: 3, rows: 7, gap: 2.54 * mm },
  },
  L7163: {
    ...{ name: 'Avery L7163', width: 99.1 * mm, height: 38.1 * mm },
    sheet: { ...a4, columns: 2, rows: 7, gap: 2.54 * mm },
  },
} as const satisfies Record<string, LabelSize>

export type LabelSizeName = keyof typeof labelSizes

/** Returns how many labels a page has. */
export const labelsOnPage = ({ sheet }: LabelSize): number => (sheet ? sheet.columns * sheet.rows : 1)

/** Returns the upper left corner of a label on its page, from the lower left corner of the page. `index`: from 0, row by row. */
export function labelCorner({ width, height, sheet }: LabelSize, index: number): { x: number; y: number } {
  if (!sheet) return { x: 0, y: height }
  const { columns, rows, gap } = sheet
  const left = (sheet.width - columns * width - (columns - 1) * gap) / 2
  const top = (sheet.height - rows * height) / 2
  return {
    x: left + (index % columns) * (width + gap),
    y: sheet.height - top - Math.floor(index / columns) * height,
  }
}
