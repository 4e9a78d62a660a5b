import { Parcel, type ProductIdentifier, WeightGrams } from '#shared/item/item-details.ts'
import { plainText } from '#shared/plain-text.ts'
import type { ListingChoice, PublishRequest, ValueSource } from '../port.ts'
import { colorsIn, sizesIn } from './item-words.ts'
import { detailNamed, foldName, sizeNamed } from './local-names.ts'

/** The item's attributes, and the options of the list request. */
type Details = Pick<PublishRequest, 'attributes' | 'options'>

/** The known weight and size of a packed item. */
export interface Packed {
  weight_grams: number | null
  parcel: Parcel | null
}

const sides = ['length_mm', 'width_mm', 'height_mm'] as const

/** Returns weight and size of the packed item, from the list request or else from the item. */
export function packedOf({ attributes, options }: Details): Packed {
  const sizes = Parcel.safeParse(attributes.parcel)
  const parcel = Parcel.safeParse(
    Object.fromEntries(sides.map((side) => [side, wholeOf(options[`parcel_${side}`]) ?? sizes.data?.[side]])),
  )
  const weight = WeightGrams.safeParse(wholeOf(options.weight_grams) ?? attributes.weight_grams)
  return { weight_grams: weight.data ?? null, parcel: parcel.data ?? null }
}

/** Returns the choices that calculated shipping requires, with the known values suggested. */
export function packedChoices(item: Details): ListingChoice[] {
  const { weight_grams } = packedOf(item)
  const sizes = Parcel.partial().safeParse(item.attributes.parcel).data
  const choice = (option: string, value: number | null | undefined, unit: string): ListingChoice => ({
    option,
    required: true,
    free_text: true,
    values: value ? [{ id: String(value), name: `${value} ${unit}`, suggested: true }] : [],
  })
  return [
    choice('weight_grams', weight_grams, 'g'),
    ...sides.map((side) => choice(`parcel_${side}`, wholeOf(item.options[`parcel_${side}`]) ?? sizes?.[side], 'mm')),
  ]
}

/** Returns a product identifier, from the list request or else from the item. */
export function identifierOf({ attributes, options }: Details, name: ProductIdentifier | 'brand'): string | null {
  const value = [options[name], attributes[name]].find((text) => typeof text === 'string' && text.trim() !== '')
  return typeof value === 'string' ? value.trim() : null
}

/** Returns the text that the item's attributes have for an aspect; null for none. */
export function ownValue(name: string, item: Pick<PublishRequest, 'attributes'>): string | null {
  const attribute = item.attributes[attributeOf(name)]
  const own = (Array.isArray(attribute) ? attribute[0] : attribute) as unknown
  return typeof own === 'string' && own.trim() !== '' ? own.trim() : null
}

/** Returns the attribute that an aspect of any language names. */
export function attributeOf(aspect: string): string {
  const detail = detailNamed(aspect)
  return detail === 'color' ? 'colors' : (detail ?? aspect.toLowerCase())
}

/** A value of the item for an aspect, and the text that says it. `source`: null for the item's own attribute. */
interface KnownValue {
  value: string
  source: ValueSource | null
}

/** Returns the item's value for an aspect: from its attributes, or else its title, or else its description. */
export function knownValue(
  name: string,
  allowed: readonly string[],
  isFree: boolean,
  item: PublishRequest,
): KnownValue | null {
  const own = ownValue(name, item)
  if (own !== null) {
    const same = allowed.find((value) => value.toLowerCase() === own.toLowerCase())
    const standard = attributeOf(name) === 'size' ? standardSize(own, allowed, systemOf(name, item)) : null
    const value = same ?? standard ?? (isFree ? own : null)
    if (value !== null) return { value, source: null }
  }
  for (const [source, text] of textsOf(item)) {
    const named = namedIn(text, allowed)
    // A description names other things too, so it says a value only where it names no other.
    const value = source === 'title' ? named[0] : named.every((one) => named[0]?.includes(one)) ? named[0] : undefined
    const said = value ?? saidValue(name, text, allowed, isFree)
    if (said) return { value: said, source }
  }
  return null
}

/** Returns the texts that may say more of an item, the surest first. */
export const textsOf = (item: Pick<PublishRequest, 'title' | 'description'>): [ValueSource, string][] => [
  ['title', item.title],
  ['description', plainText(item.description).slice(0, 5_000)],
]

/** Returns the allowed values that a text names as whole words, the longest first. */
function namedIn(text: string, allowed: readonly string[]): string[] {
  const words = ` ${text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')} `
  const named = allowed.filter((value) => value.length > 2 && words.includes(` ${value.toLowerCase()} `))
  return named.sort((a, b) => b.length - a.length)
}

/** Returns the only size or color that a text says; null where it says none, several, or one that is not taken. */
function saidValue(name: string, text: string, allowed: readonly string[], isFree: boolean): string | null {
  const attribute = attributeOf(name)
  const said = new Set(attribute === 'size' ? sizesIn(text) : attribute === 'colors' ? colorsIn(text) : [])
  const [only] = said
  if (only === undefined || said.size > 1) return null
  const standard = attribute === 'size' ? standardSize(only, allowed) : null
  return standard ?? (isFree ? only : null)
}

const sizeWords: [RegExp, string][] = [
  [/^(xx|2x|double extra |double x)[- ]?small$/, 'xxs'],
  [/^(extra|x)[- ]?small$/, 'xs'],
  [/^small$/, 's'],
  [/^med(ium)?\.?$/, 'm'],
  [/^large$/, 'l'],
  [/^(extra|x)[- ]?large$/, 'xl'],
  [/^(xxl|(xx|2x|double extra |double x)[- ]?large)$/, '2xl'],
  [/^(xxxl|(xxx|3x|triple extra |triple x)[- ]?large)$/, '3xl'],
  // The word "size" itself is already removed.
  [/^(os|osfa|one( fits (all|most))?)$/, 'one size'],
]

/** Returns the system of an aspect's sizes (`us`, `uk`, `eu`): that of its name, else that of eBay's site. */
export function systemOf(aspect: string, { options }: Partial<Pick<PublishRequest, 'options'>>): string | undefined {
  const named = sizeNamed(foldName(aspect))?.system
  const site = /^EBAY_([A-Z]{2})$/.exec(String(options?.marketplace_id ?? ''))?.[1]
  return named ?? (site && (systemsAbroad[site] ?? 'eu'))
}
const systemsAbroad: Record<string, string> = { US: 'us', CA: 'us', GB: 'uk', IE: 'uk', AU: 'au' }

/**
 * Returns the category's standard form of a size: "Size Medium" is `M`, "US 10" is `10`. Null if none or more than one
 * is equal, or if the size names another system than the aspect's (`us`). eBay may hide clothing whose size is not a
 * standard one.
 */
export function standardSize(size: string, allowed: readonly string[], system?: string): string | null {
  const named = /\b(us|uk|eu)\b/i.exec(size)?.[1]?.toLowerCase()
  if (named && system && named !== system) return null
  const bare = (text: string) =>
    text
      .toLowerCase()
      .replace(/\b(size|us|uk|eu|women'?s|men'?s|mens|womens|sz)\b\.?/g, ' ')
      .replace(/[:()]/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
  const short = (text: string) => {
    const words = bare(text)
    return sizeWords.find(([pattern]) => pattern.test(words))?.[1] ?? words.replace(/ /g, '')
  }
  const wanted = short(size)
  const [only, ...others] = allowed.filter((value) => short(value) === wanted)
  return only !== undefined && others.length === 0 ? only : null
}

function wholeOf(value: unknown): number | undefined {
  return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : undefined
}
