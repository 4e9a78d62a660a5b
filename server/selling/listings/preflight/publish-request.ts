import type { PublishRequest } from '#server/integrations/port.ts'
import type { Services } from '#server/services.ts'
import type { Address } from '#shared/contract/account/billing.ts'
import type { ListingOptions } from '#shared/contract/selling/listings.ts'
import { describeForListing } from '#shared/item/describe-item.ts'
import type { Availability } from '#shared/item/inventory-record.ts'
import { type System, systemOfCountry } from '#shared/item/units.ts'
import type { ListingOperation } from '../operation.ts'
import * as sql from './queries.ts'

/** An item with everything a listing needs: a row of `findPublishable`. */
export interface PublishableItem {
  sku: string | null
  title: string
  description: string
  attributes: Record<string, unknown>
  images: string[]
  condition_label: string
  condition_notes: string
  state: Availability
  /** Of measurements, if the seller chose any. */
  units: System | null
  address: Address | null
  defaults: ListingOptions | null
  /** Id of the listing or draft that was made for it there last. */
  made: string | null
}

type Owner = Pick<ListingOperation, 'user_id' | 'item_uid' | 'platform' | 'seller_account_uid'>

/** Finds the item of an operation. Returns null if it is gone. */
export function findPublishable({ services, operation }: { services: Pick<Services, 'db'>; operation: Owner }) {
  return services.db.oneOrNone(sql.findPublishable(operation))
}

/**
 * Returns our key of an item, used as its SKU on the platform. It begins with the seller's own SKU, which is on the
 * label, and ends with part of the item's id, so that it is unique. At most 32 characters, the lowest limit (Etsy).
 */
export function externalKeyOf(item_uid: string, sku: string | null): string {
  const unique = item_uid.replace(/^inv_/, '').slice(-13)
  let own = (sku ?? '').replace(/[^A-Za-z0-9.-]+/g, '-').replace(/^-+/, '')
  while (own.endsWith('-')) own = own.slice(0, -1)
  own = own.slice(0, 17)
  return own === '' ? `HX-${unique}` : `${own}-${unique}`
}

/** Builds the adapter's request to publish an item. */
export function publishRequest(
  operation: Pick<ListingOperation, 'external_key' | 'listing_id' | 'price_minor' | 'currency' | 'sent_ms_ago'> & {
    id?: string
  },
  item: PublishableItem,
  options: ListingOptions,
): PublishRequest {
  if (!operation.external_key || operation.price_minor === null || !operation.currency || !item.address) {
    throw new Error('a list operation lacks its key, its price or the address')
  }
  const { description, attributes } = describeForListing(item, item.units ?? systemOfCountry(item.address.country))
  return {
    externalKey: operation.external_key,
    ...(operation.id ? { idempotencyKey: operation.id } : {}),
    made: operation.listing_id ?? item.made,
    repeated: operation.sent_ms_ago !== null,
    sku: item.sku,
    title: item.title,
    description,
    price_minor: operation.price_minor,
    currency: operation.currency,
    images: item.images,
    condition: { label: item.condition_label, notes: item.condition_notes },
    attributes,
    address: withoutNulls(item.address),
    options,
  }
}

function withoutNulls(address: Address): Address {
  return Object.fromEntries(Object.entries(address).filter(([, value]) => value !== null)) as Address
}
