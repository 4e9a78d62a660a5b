/** The words and the code of one label. */
export interface Label {
  /** The address that the QR code holds. */
  address: string
  title: string
  /** Lines below the title, such as SKU and price. */
  lines: readonly string[]
}

/** A line of text on a label, in points from the upper left corner of the label to its baseline. */
interface LaidLine {
  words: string
  x: number
  y: number
  size: number
}

interface LaidLabel {
  code: { x: number; y: number; side: number }
  lines: LaidLine[]
}

/** Distance between baselines, as a share of the size of the font. */
const leading = 1.18
/** Smallest size of a title, in points. A label printer of 203 dpi draws it readably. */
const smallest = 6

/**
 * Lays out a label: the code with the text beside it, on tall paper above it. The title takes the lines that are left and
 * ends with an ellipsis. `widthOf`: the width of words at a size.
 */
export function layOutLabel(
  label: Label,
  { width, height }: { width: number; height: number },
  widthOf: (words: string, size: number) => number,
): LaidLabel {
  const margin = Math.max(4, Math.min(width, height) * 0.06)
  const isTall = height > width
  const side = isTall ? width * 0.6 : Math.min(height - 2 * margin, width * 0.42)
  const code = { x: margin, y: isTall ? margin : (height - side) / 2, side }
  const box = isTall
    ? { x: margin, y: side + 2 * margin, width: width - 2 * margin, height: height - side - 3 * margin }
    : { x: side + 2 * margin, y: margin, width: width - side - 3 * margin, height: height - 2 * margin }
  const size = Math.max(smallest, Math.min(16, box.height / 6.5))
  // A short title alone, such as the name of a shelf, fills the room.
  const isPlace = label.lines.length === 0
  const sizes = isPlace ? [3.5, 2.6, 2, 1.4, 1].map((times) => size * times) : [size]
  const most = (one: number) => Math.max(1, Math.floor(box.height / (one * leading)) - label.lines.length)
  const fits = (one: number) => wrap(label.title, (words) => widthOf(words, one) <= box.width)
  const titleSize = sizes.find((one) => fits(one).length <= Math.min(most(one), 2)) ?? sizes.at(-1)!
  const within = (words: string) => widthOf(words, titleSize) <= box.width
  const title = cutTo(fits(titleSize), most(titleSize), within)
  const lines = [
    ...title.map((words) => ({ words, size: titleSize })),
    ...label.lines.map((words) => {
      // A price is shrunk rather than cut.
      const lineSize = Math.max(smallest, Math.min(size, box.width / widthOf(words, 1)))
      return { words: cut(words, (one) => widthOf(one, lineSize) <= box.width), size: lineSize }
    }),
  ]
  const total = lines.reduce((sum, line) => sum + line.size * leading, 0)
  let y = box.y + (isTall ? 0 : Math.max(0, (box.height - total) / 2))
  return {
    code,
    lines: lines.map((line) => {
      y += line.size * leading
      // The baseline is above the lower edge of the line by the depth of letters such as "g".
      return { ...line, x: box.x, y: y - line.size * 0.27 }
    }),
  }
}

/** Breaks a text into lines that fit, between words where it can. */
function wrap(text: string, fits: (words: string) => boolean): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const longer = line === '' ? word : `${line} ${word}`
    if (fits(longer)) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    line = ''
    // A word without spaces, as in Japanese, breaks anywhere between its letters.
    for (const letter of letters(word)) {
      if (line !== '' && !fits(line + letter)) {
        lines.push(line)
        line = ''
      }
      line += letter
    }
  }
  return line === '' ? lines : [...lines, line]
}

const segmenter = new Intl.Segmenter()
/** Returns the letters as readers see them, with their accents and the parts of an emoji together. */
const letters = (text: string) => Array.from(segmenter.segment(text), ({ segment }) => segment)

function cutTo(lines: string[], most: number, fits: (words: string) => boolean): string[] {
  if (lines.length <= most) return lines
  return [...lines.slice(0, most - 1), cut(`${lines[most - 1]} ${lines[most]}`, fits)]
}

/** Shortens a line that is too long, with an ellipsis at its end. */
function cut(words: string, fits: (words: string) => boolean): string {
  if (fits(words)) return words
  const kept = letters(words)
  while (kept.length > 0 && !fits(`${kept.join('').trimEnd()}…`)) kept.pop()
  return `${kept.join('').trimEnd()}…`
}
