/** A letter size that stands alone: no "L" of "W32 L34", no "s" of "Men's", no "M" of "H & M". */
const letterSize = /(?<![\p{L}\p{N}'’.&/-]|& )(?:XXS|XS|S|M|L|XL|XXL|XXXL|[2-5]XL)(?![\p{L}\p{N}'’.&/-]| ?&| \d)/gu

/** A size behind its word: "Size 10", "sz. L", "Size: Medium". */
const namedSize =
  /\b(?:size|sz)\b[.:]? {0,2}(\d{1,3}(?:\.5)?|one size|(?:x|extra )?(?:small|large)|medium|[2-5]?x{0,3}[sml])\b/giu

/** Returns the sizes that a text says. A size behind the word "size" is surer than a letter alone. */
export function sizesIn(text: string): string[] {
  const named = [...text.matchAll(namedSize)].map(([, size]) => size!.toUpperCase())
  return named.length > 0 ? named : [...text.matchAll(letterSize)].map(([size]) => size)
}

const colors =
  /\b(?:beige|black|blue|brown|burgundy|cream|gold|gr[ae]y|green|ivory|khaki|lavender|maroon|mustard|navy|olive|orange|pink|purple|red|rust|silver|tan|teal|turquoise|white|yellow)\b/giu

/** Returns the colors that a text says: "Brown". */
export function colorsIn(text: string): string[] {
  return [...text.matchAll(colors)].map(([color]) => color[0]!.toUpperCase() + color.slice(1).toLowerCase())
}
