import { invalidField, problem } from '#server/infra/errors.ts'
import type { updateInventoryItem } from '#shared/contract/catalog/inventory.ts'
import type { Input } from '#shared/contract/declaring/route.ts'
import type { Availability } from '#shared/item/inventory-record.ts'
import { isNoPhoto } from '#shared/item/placeholders.ts'
import type { ItemContent } from './content.ts'
import { isCurrency } from './read-listing.ts'
import { webAddress } from './settings.ts'

export type ItemChange = Input<typeof updateInventoryItem>['body']

/** Moves that a seller may make. Sales and cancelled orders are not up to them. */
const moves: Record<Availability, readonly Availability[]> = {
  available: ['reserved', 'withdrawn'],
  reserved: ['available'],
  withdrawn: ['available'],
  sold: [],
}

/**
 * Returns an item's content after a change. Throws 409 for a forbidden move, 400 for an invalid value. Pure. `publicUrl`:
 * this server's own address, where no address of the item may lead.
 */
export function changeItem(item: ItemContent, change: ItemChange, publicUrl: string): ItemContent {
  const { condition = {}, offer = {} } = change
  if (offer.currency !== undefined && !isCurrency(offer.currency)) {
    throw invalidField('offer.currency', 'unsupported_currency', 'is not a currency code')
  }
  const urls = (field: string, given: string[] | undefined, kept: string[]) =>
    given === undefined ? kept : given.map((url, index) => webAddress(`${field}.${index}`, url, publicUrl))
  const policy = (name: 'shipping_policy_url' | 'returns_policy_url') =>
    offer[name] === undefined ? item[name] : webAddress(`offer.${name}`, offer[name], publicUrl)
  const changed: ItemContent = {
    ...item,
    sku: change.sku === undefined ? item.sku : change.sku,
    product_id: change.product_id ?? item.product_id,
    title: change.title ?? item.title,
    description: change.description ?? item.description,
    attributes: change.attributes ?? item.attributes,
    images: urls('images', change.images, item.images),
    condition_label: condition.label ?? item.condition_label,
    condition_notes: condition.notes ?? item.condition_notes,
    inspected_at: condition.inspected_at ?? item.inspected_at,
    evidence_urls: urls('condition.evidence_urls', condition.evidence_urls, item.evidence_urls),
    price_minor: offer.price_minor ?? item.price_minor,
    currency: offer.currency ?? item.currency,
    shipping_policy_url: policy('shipping_policy_url'),
    returns_policy_url: policy('returns_policy_url'),
    state: moveTo(item.state, change.state),
  }
  requirePhoto(changed)
  const { draft, ...finished } = changed.attributes
  if (changed.state === 'withdrawn') return changed
  if (draft && changed.price_minor === 0) {
    throw invalidField('offer.price_minor', 'required', 'needs a price before it can be for sale')
  }
  return { ...changed, attributes: finished }
}

/** Throws 400 for an item that is offered, and whose photo is yet to be taken. */
export function requirePhoto({ state, images }: Pick<ItemContent, 'state' | 'images'>): void {
  if ((state === 'available' || state === 'reserved') && images.some(isNoPhoto)) {
    throw invalidField('images', 'required', 'needs a photo of the item before it can be for sale')
  }
}

function moveTo(from: Availability, to: Availability | undefined): Availability {
  if (to === undefined || to === from) return from
  if (moves[from].includes(to)) return to
  throw problem('conflict', `An item that is ${from} cannot become ${to}.`)
}
