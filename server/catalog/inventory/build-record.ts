import { InventoryRecord } from '#shared/item/inventory-record.ts'
import type { ChannelListing, ItemRow } from './content.ts'

type RecordItem = Omit<ItemRow, 'sku' | 'description' | 'attributes' | 'created_at'>
type RecordListing = Pick<ChannelListing, 'platform' | 'listing_id' | 'url'>

/**
 * Builds the record v0.1 of an item and its listings. It is built when read, so that a sale
 * changes one row and no stored copy can disagree. Availability is the state. Quantity is 1 while the seller has the
 * item (available, reserved), else 0.
 */
export function buildRecord(item: RecordItem, listings: readonly RecordListing[], publicUrl: string): InventoryRecord {
  const aliases = [...new Set([...listings.map((listing) => listing.url), ...item.aliases])]
  return {
    physical_item_id: item.uid,
    product_id: item.product_id,
    offer_id: item.offer_id,
    title: item.title,
    canonical_url: itemUrl(publicUrl, item.uid),
    aliases,
    ...(item.redirect_uid === null ? {} : { redirect_target: itemUrl(publicUrl, item.redirect_uid) }),
    channel_listings: listings.map((listing) => ({
      channel: listing.platform,
      listing_id: listing.listing_id,
      url: listing.url,
    })),
    images: item.images,
    condition: {
      label: item.condition_label,
      notes: item.condition_notes,
      inspected_at: item.inspected_at,
      evidence_urls: item.evidence_urls,
    },
    offer: {
      price_minor: item.price_minor,
      currency: item.currency,
      quantity: item.state === 'available' || item.state === 'reserved' ? 1 : 0,
      availability: item.state,
      observed_at: item.observed_at,
      seller_url: item.seller_url,
      shipping_policy_url: item.shipping_policy_url,
      returns_policy_url: item.returns_policy_url,
    },
    lifecycle: { version: String(item.version), state: item.state, updated_at: item.updated_at },
  }
}

/** Returns the public page of an item. */
export function itemUrl(publicUrl: string, uid: string): string {
  return `${publicUrl}/items/${uid}`
}

/** Returns the path and reason of the first schema error, null if the record is valid. */
export function recordFault(record: InventoryRecord): string | null {
  const checked = InventoryRecord.safeParse(record)
  if (checked.success) return null
  const issue = checked.error.issues[0]
  return issue ? `${issue.path.join('.')}: ${issue.message}` : 'the record is not valid'
}
