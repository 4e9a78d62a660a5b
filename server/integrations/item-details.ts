import { Parcel, type ProductIdentifier, WeightGrams } from '#shared/item-details.ts'
import type { ListingChoice, PublishRequest } from './port.ts'

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

function wholeOf(value: unknown): number | undefined {
  return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : undefined
}
