import type { CannotOverwrite, DifferenceField } from '#shared/contract/catalog/differences.ts'
import type { Availability } from '#shared/item/inventory-record.ts'
import { type ListingField, type PlatformSlug, platformOf } from '#shared/platforms.ts'
import type { Money } from '#shared/price-change.ts'

/** Returns the field of an update that sends the item's value of a difference. */
export const listingFieldOf = (field: DifferenceField): ListingField =>
  (field === 'photos' ? 'images' : field) as ListingField

/** Returns why a live listing cannot get the item's value, null if it can. Pure. */
export function whyNotOverwritten(difference: {
  field: DifferenceField
  platform: PlatformSlug
  item_state: Availability
  price_minor: number
  currency: string
  theirs_price: Money | null
}): CannotOverwrite | null {
  const { field, item_state, theirs_price } = difference
  const editable: readonly ListingField[] = platformOf(difference.platform).capabilities.edit
  if (editable.length === 0) return 'no_api'
  if (!editable.includes(listingFieldOf(field))) return 'not_supported'
  if (item_state !== 'available' && item_state !== 'reserved') return 'not_available'
  if (theirs_price && theirs_price.currency !== difference.currency) return 'other_currency'
  return theirs_price && difference.price_minor === 0 ? 'no_price' : null
}
