import { currentItem } from '#server/catalog/inventory/merge-item.ts'
import type { Queries } from '#server/infra/db/index.ts'
import { notFound } from '#server/infra/errors.ts'
import type { ImportItem } from '#shared/contract/catalog/imports.ts'
import { Listing, type ListingState } from '#shared/listing.ts'
import { readCurrentState } from '../deciding/current-state.ts'
import type { JobRef } from '../jobs/claim-job.ts'
import * as sql from './queries.ts'

interface ItemWithListing {
  item: ImportItem
  listing: Listing | null
  existing_inventory_item_uid: string | null
  state_now: ListingState | null
}

/** Reads one item of a job with its listing. Throws 404 for an unknown item or another user's. */
export async function readItem(queries: Queries, ref: JobRef & { item_uid: string }): Promise<ItemWithListing> {
  const row = await queries.oneOrNone(sql.readItemWithListing(ref))
  if (!row) throw notFound()
  const listing = Listing.safeParse(row.found)
  const existing = row.existing_inventory_item_uid
  return {
    item: { ...row.item, processed_at: row.processed_at },
    listing: listing.success ? listing.data : null,
    existing_inventory_item_uid: existing && (await currentItem(queries, ref.user_id, existing)),
    state_now: row.is_open ? await readCurrentState(queries, { ...row, user_id: ref.user_id }) : null,
  }
}
