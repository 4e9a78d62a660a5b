import type { Attributes } from '#shared/contract/catalog/inventory.ts'
import type { Availability } from '#shared/item/inventory-record.ts'
import type { ListingState } from '#shared/listing.ts'
import type { PlatformSlug } from '#shared/platforms.ts'

/** An item's content: the columns of inventory_item that the record is built from. */
export interface ItemContent {
  sku: string | null
  product_id: string
  offer_id: string
  title: string
  description: string
  attributes: Attributes
  images: string[]
  condition_label: string
  condition_notes: string
  /** YYYY-MM-DD */
  inspected_at: string
  evidence_urls: string[]
  price_minor: number
  currency: string
  state: Availability
  observed_at: string
  seller_url: string
  shipping_policy_url: string
  returns_policy_url: string
}

/** A row of inventory_item. */
export interface ItemRow extends ItemContent {
  uid: string
  /** Addresses beyond those of its listings, such as a merged item's. */
  aliases: string[]
  /** The item that this one was merged into. */
  redirect_uid: string | null
  version: number
  created_at: string
  updated_at: string
}

/** A row of channel_listing: one listing on one platform, and its item. */
export interface ChannelListing {
  seller_account_uid: string
  platform: PlatformSlug
  listing_id: string
  item_uid: string
  url: string
  /** As last seen on its platform. Available and reserved ones are live. */
  state: ListingState
  /** Live beside another live listing of the same item and platform. */
  extra: boolean
  /** As last seen there. */
  price_minor: number
  currency: string
}
