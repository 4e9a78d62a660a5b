import { sizeParts } from '#shared/item/size-parts.ts'
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

/** Extracts what tells one item from another. */
export function featuresOf(described: Described): Features {
  const words = wordsOf(described.title)
  const brand = described.brand && !nobody.test(described.brand.trim()) ? described.brand : ''
  const colors = described.colors?.flatMap(wordsOf) ?? []
  return {
    words: new Set(words),
    models: new Set(modelsOf(words)),
    brand: wordsOf(brand),
    size: sizeParts(described.size ?? sizeInTitle(described.title)),
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
