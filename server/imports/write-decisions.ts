import { type Queries, sql } from '#server/db/index.ts'
import { httpUri } from '#server/inventory/clean.ts'
import type { ItemContent } from '#server/inventory/content.ts'
import { isLive, skuOf } from '#server/inventory/read-listing.ts'
import type { Listing } from '#shared/listing.ts'
import { platformName } from './decide.ts'
import type { Decided } from './decide-batch.ts'
import type { ShopRef } from './read-facts.ts'

const write = sql(import.meta.url, './sql/write-decisions.sql')

export interface WriteOptions {
  /** Conflicts become skipped at once (start with skip_conflicts). */
  skipConflicts?: boolean
}

/** Writes decisions of a batch within the caller's transaction: items, listings, history and the import items. */
export async function writeDecisions(
  tx: Queries,
  job: ShopRef & { uid: string },
  decided: readonly Decided[],
  options: WriteOptions = {},
): Promise<void> {
  if (decided.length === 0) return
  await tx.none(write, {
    user_id: job.user_id,
    job_uid: job.uid,
    seller_account_uid: job.seller_account_uid,
    platform: job.platform,
    reason: `Imported from ${platformName(job.platform)}`,
    rows: JSON.stringify(decided.map((each) => rowOf(each, options))),
  })
}

function rowOf({ uid, decision, found }: Decided, options: WriteOptions): object {
  switch (decision.status) {
    case 'imported':
      return {
        uid,
        status: 'imported',
        item_uid: decision.item_uid,
        content: decision.content,
        listing: 'error_code' in found ? null : channelListingOf(found, decision.content),
      }
    case 'skipped':
      return { uid, status: 'skipped', conflict_details: decision.details }
    case 'failed':
      return { uid, status: 'failed', error_code: decision.error_code, error_message: decision.error_message }
    case 'conflict':
      return {
        uid,
        status: options.skipConflicts ? 'skipped' : 'conflict',
        resolution: options.skipConflicts ? 'auto_skip' : 'pending',
        conflict_type: decision.conflict_type,
        conflict_details: decision.conflict_details,
        conflict_item_uid: decision.existing_item_uid,
      }
  }
}

/** The listing's own row: what was last seen of it on its platform. */
export function channelListingOf(found: Listing, content: ItemContent) {
  return {
    listing_id: found.listing_id,
    url: httpUri(found.url),
    state: found.state !== 'sold' && !isLive(found) ? 'removed' : found.state,
    sku: skuOf(found),
    price_minor: content.price_minor,
    currency: content.currency,
    listed_at: found.listed_at ?? null,
    observed_at: content.observed_at,
  }
}
