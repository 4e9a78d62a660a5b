/** Kinds of things (kinds.ts) that a text of the seller's may be for. */
export const textKinds = [
  ...(['clothing', 'shoes', 'bag', 'accessory', 'jewelry', 'watch', 'camera gear', 'electronics', 'book'] as const),
  ...(['media', 'art', 'furniture', 'home', 'toy', 'collectible', 'instrument', 'tool', 'sport'] as const),
] as const
export type TextKind = (typeof textKinds)[number]

/** A text that the seller puts into descriptions: a whole one with places to fill, or a sentence. */
export interface ListingText {
  name: string
  /** The things that it is for; null for all. */
  kind: TextKind | null
  text: string
}

/** Places in a text that an item's fields fill, as `{brand}`. */
export const textPlaces = ['title', 'brand', 'size', 'colors', 'material', 'condition', 'notes', 'category'] as const

/** Fills the places of a text. A line whose places all stay empty is left out. */
export function fillText(text: string, values: Partial<Record<(typeof textPlaces)[number], string>>): string {
  const place = new RegExp(`\\{(${textPlaces.join('|')})\\}`, 'g')
  return text
    .split('\n')
    .filter((line) => {
      const places = [...line.matchAll(place)].map(([, name]) => values[name as 'title'])
      return places.length === 0 || places.some(Boolean)
    })
    .map((line) => line.replace(place, (_, name: 'title') => values[name] ?? ''))
    .join('\n')
}
