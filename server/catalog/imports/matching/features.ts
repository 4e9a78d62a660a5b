import type { PhotoHash } from './photo-hash.ts'
import { colorsOf, decadesOf, modelsOf, wordsOf } from './words.ts'

/** A listing or item as far as two of them can be compared. */
export interface Described {
  title: string
  brand?: string
  size?: string
  colors?: readonly string[]
  price_minor: number
  currency: string
  /** Known hashes of its pictures. */
  photos?: readonly PhotoHash[]
}

export interface Features {
  words: ReadonlySet<string>
  models: ReadonlySet<string>
  brand: readonly string[]
  size: ReadonlySet<string>
  colors: ReadonlySet<string>
  decades: ReadonlySet<string>
  price_minor: number
  currency: string
  photos: readonly PhotoHash[]
}

/** Brands that name nobody, as eBay's sites and sellers write them. */
const nobody =
  /^(unbranded|no brand|none|generic|handmade|unknown|n\/?a|does not apply|markenlos|ohne marke|sans marque|senza marca|sin marca|merkloos|bez marki)$/i
const letterSizes: Record<string, string> = {
  xsmall: 'xs',
  small: 's',
  medium: 'm',
  med: 'm',
  large: 'l',
  xlarge: 'xl',
  xxlarge: 'xxl',
  '2xl': 'xxl',
  '3xl': 'xxxl',
}

/** Extracts what tells one item from another. */
export function featuresOf(described: Described): Features {
  const words = wordsOf(described.title)
  const brand = described.brand && !nobody.test(described.brand.trim()) ? described.brand : ''
  const colors = described.colors?.flatMap(wordsOf) ?? []
  return {
    words: new Set(words),
    models: new Set(modelsOf(words)),
    brand: wordsOf(brand),
    size: sizeOf(described.size ?? sizeInTitle(described.title)),
    colors: new Set(colorsOf(colors.length > 0 ? colors : words)),
    decades: new Set(decadesOf(words)),
    price_minor: described.price_minor,
    currency: described.currency,
    photos: described.photos ?? [],
  }
}

/** Returns the size that a title names after the word "size". */
function sizeInTitle(title: string): string {
  return /\b(?:size|sz)\.?:?\s+([\w./-]+)/i.exec(title)?.[1] ?? ''
}

/** Splits a size into comparable parts: "W32 L30", "32x30" -> {32, 30}; "Medium (M)" -> {m}. May be empty. */
function sizeOf(size: string): Set<string> {
  const text = size
    .toLowerCase()
    .replace(/\b(x+)[\s-]*(small|large)\b/g, '$1$2')
    .replace(/(\d)([a-z])|([a-z])(\d)/g, (pair) => (/\dxl/.test(pair) ? pair : `${pair[0]} ${pair[1]}`))
  const parts = text.match(/\d+(?:[.,]\d+)?|[a-z]+/g) ?? []
  const sizes = parts
    .map((part) => letterSizes[part] ?? part)
    .filter((part) => /^\d/.test(part) || /^(x*s|m|x*l|os)$/.test(part))
  return new Set(sizes.map((part) => part.replace(',', '.').replace(/\.0$/, '')))
}
