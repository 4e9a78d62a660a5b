import { PlatformError } from '#server/integrations/errors.ts'
import { packedOf } from '#server/integrations/item-texts/item-details.ts'
import type { ListingContent, PublishRequest } from '#server/integrations/port.ts'
import { conditionInWords } from '#shared/item/condition-words.ts'
import { decimalFromMinor } from '#shared/money.ts'
import { plainText } from '#shared/plain-text.ts'
import { etsyTitle } from './listing-text.ts'
import type { OwnInventory } from './selling-wire.ts'

export type Form = Record<string, string | number | boolean>

/** The completed choices of a listing on Etsy. */
export interface ListingOptions {
  taxonomy_id: string
  who_made: string
  when_made: string
  shipping_profile_id: string
  readiness_state_id: string
  is_supply?: string
  production_partner_ids?: string
  return_policy_id?: string
}

const requiredOptions = ['taxonomy_id', 'who_made', 'when_made', 'shipping_profile_id', 'readiness_state_id'] as const

/** Returns the request's options. Throws `refused` when a required one, or every picture, is missing. */
export function requireOptions(request: PublishRequest): ListingOptions {
  const given = request.options as Partial<ListingOptions>
  const missing = requiredOptions.find((name) => !given[name])
  if (missing) throw new PlatformError('etsy', 'refused', `Etsy needs ${missing}.`, { platformCode: 'missing_option' })
  if (request.images.length === 0) {
    throw new PlatformError('etsy', 'refused', 'Etsy needs a picture.', { platformCode: 'missing_picture' })
  }
  return given as ListingOptions
}

/** Returns the fields that a draft and a published listing share. */
export function detailsOf(request: PublishRequest, options: ListingOptions): Form {
  const materials = materialsOf(request)
  return {
    title: etsyTitle(request.title),
    who_made: options.who_made,
    when_made: options.when_made,
    is_supply: options.is_supply === 'true',
    ...(options.production_partner_ids ? { production_partner_ids: options.production_partner_ids } : {}),
    taxonomy_id: options.taxonomy_id,
    shipping_profile_id: options.shipping_profile_id,
    ...(options.return_policy_id ? { return_policy_id: options.return_policy_id } : {}),
    ...parcelOf(request),
    ...(materials ? { materials } : {}),
  }
}

/** Returns the fields of a new draft. Its description carries the mark until the listing is published. */
export function draftForm(request: PublishRequest, options: ListingOptions): Form {
  return {
    ...detailsOf(request, options),
    description: `${descriptionOf(request)}\n\n${draftMarkOf(request.externalKey)}`,
    quantity: 1,
    price: decimalFromMinor(request.price_minor, request.currency),
    readiness_state_id: options.readiness_state_id,
    type: 'physical',
    should_auto_renew: false,
  }
}

/** Returns the text by which a repeated call finds a draft whose id was lost with the answer. */
export const draftMarkOf = (externalKey: string) => `[draft ${externalKey}]`

export function descriptionOf(request: ListingContent): string {
  const text = plainText(request.description).trim() || request.title
  const notes = request.condition.notes.trim()
  return notes && !text.includes(notes)
    ? `${text}\n\nCondition: ${conditionInWords(request.condition.label)}. ${notes}`
    : text
}

/** Returns the materials in characters that Etsy accepts; null if none is left. */
function materialsOf({ attributes }: PublishRequest): string | null {
  const material = typeof attributes.material === 'string' ? attributes.material : ''
  const words = material
    .split(/[,;/&]/)
    .map((word) =>
      word
        .replace(/[^\p{L}\p{Nd}\p{Zs}]/gu, ' ')
        .replace(/\s+/g, ' ')
        .trim()
        .slice(0, 45),
    )
    .filter((word) => word !== '')
  return words.length > 0 ? [...new Set(words)].slice(0, 13).join(',') : null
}

/** Returns the known weight and parcel size. Etsy refuses calculated shipping without them. */
function parcelOf(request: PublishRequest): Record<string, string | number> {
  const { weight_grams, parcel } = packedOf(request)
  return {
    ...(weight_grams === null ? {} : { item_weight: weight_grams, item_weight_unit: 'g' }),
    ...(parcel === null
      ? {}
      : {
          item_length: parcel.length_mm,
          item_width: parcel.width_mm,
          item_height: parcel.height_mm,
          item_dimensions_unit: 'mm',
        }),
  }
}

/** Returns an inventory of one product and one unit, with our key as its SKU. */
export function inventoryOf(request: PublishRequest, options: ListingOptions): object {
  const price = Number(decimalFromMinor(request.price_minor, request.currency))
  const offering = { price, quantity: 1, is_enabled: true, readiness_state_id: Number(options.readiness_state_id) }
  return {
    products: [{ sku: request.externalKey, property_values: [], offerings: [offering] }],
    price_on_property: [],
    quantity_on_property: [],
    sku_on_property: [],
    readiness_state_on_property: [],
  }
}

/** Returns an inventory with another price. Omits the fields that only reads have, because Etsy refuses them. */
export function withPrice(inventory: OwnInventory, price: string): object {
  return {
    products: inventory.products
      .filter((product) => !product.is_deleted)
      .map(({ sku, property_values, offerings }) => ({
        sku: sku ?? '',
        property_values: (property_values ?? []).map((value) => ({
          property_id: value.property_id,
          value_ids: value.value_ids ?? [],
          values: value.values ?? [],
          ...(value.scale_id == null ? {} : { scale_id: value.scale_id }),
          ...(value.property_name == null ? {} : { property_name: value.property_name }),
        })),
        offerings: offerings
          .filter((offering) => !offering.is_deleted)
          .map(({ quantity, is_enabled, readiness_state_id }) => ({
            price: Number(price),
            quantity,
            is_enabled: is_enabled ?? true,
            readiness_state_id: readiness_state_id ?? null,
          })),
      })),
    price_on_property: [],
    quantity_on_property: inventory.quantity_on_property ?? [],
    sku_on_property: inventory.sku_on_property ?? [],
    readiness_state_on_property: inventory.readiness_state_on_property ?? [],
  }
}
