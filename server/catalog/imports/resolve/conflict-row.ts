import type { ItemContent } from '#server/catalog/inventory/content.ts'
import { readListing } from '#server/catalog/inventory/read-listing.ts'
import type { Queries } from '#server/infra/db/index.ts'
import { notFound, problem } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import type { ConflictType, ImportItem, ImportItemStatus } from '#shared/contract/catalog/imports.ts'
import type { Availability } from '#shared/item/inventory-record.ts'
import type { Listing, ListingFailure } from '#shared/listing.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import { readContext } from '../deciding/read-facts.ts'
import { channelListingOf } from '../deciding/write-decisions.ts'
import * as sql from './queries.ts'

/** A locked import item with its origin. */
export interface ConflictRow {
  uid: string
  /** As it was read, with its state of now. */
  found: Listing | ListingFailure
  observed_at: string
  /** It was on offer when it was read. */
  sold_since: boolean
  status: ImportItemStatus
  conflict_type: ConflictType | null
  conflict_details: string | null
  conflict_item_uid: string | null
  resolution: ImportItem['resolution']
  /** Given with `create_new`. */
  answered_sku: string | null
  created_inventory_item_uid: string | null
  /** Skipped because of the answer to an earlier import. */
  is_repeated_skip: boolean
  platform: PlatformSlug
  seller_account_uid: string
}

interface TargetItem {
  uid: string
  sku: string | null
  state: Availability
  version: number
}

/** Returns a conflicting listing as the content of the item `uid`. */
export async function contentOf(
  services: Services,
  tx: Queries,
  user_id: number,
  row: ConflictRow,
  uid: string,
): Promise<{ found: Listing; content: ItemContent }> {
  const { found } = row
  const context = await readContext(services, tx, { ...row, user_id })
  const content = 'error_code' in found ? found : readListing(found, { ...context, observed_at: row.observed_at }, uid)
  if ('error_code' in found || 'error_code' in content) {
    throw problem('conflict', 'This listing cannot be imported as it is. Read it again with retry-failed.')
  }
  return { found, content }
}

/** Locks the item that a listing will belong to. Throws 404 for an unknown item or another user's. */
export async function lockTargetItem(tx: Queries, user_id: number, uid: string): Promise<TargetItem> {
  const target = await tx.oneOrNone(sql.lockTarget({ user_id, uid }))
  if (!target) throw notFound()
  return target
}

/** Attaches the listing to a locked item. Throws 409 if it belongs to another item. */
export async function attachListing(
  tx: Queries,
  user_id: number,
  row: ConflictRow,
  listing: { found: Listing; content: ItemContent },
  item_uid: string,
): Promise<void> {
  const attached = await tx.oneOrNone(
    sql.attachListing({
      ...channelListingOf(listing.found, listing.content),
      user_id,
      seller_account_uid: row.seller_account_uid,
      platform: row.platform,
      item_uid,
    }),
  )
  if (!attached) throw problem('conflict', 'This listing already belongs to another item.')
}
