import { httpUri } from '#server/catalog/inventory/clean.ts'
import type { ItemContent } from '#server/catalog/inventory/content.ts'
import { isLive, skuOf } from '#server/catalog/inventory/read-listing.ts'
import type { Queries } from '#server/infra/db/index.ts'
import type { Listing, ListingTerms } from '#shared/listing.ts'
import { describeFound, platformName } from './decide-listing.ts'
import type { Decided } from './decide-listings.ts'
import { isScraped } from './move-listings.ts'
import * as sql from './queries.ts'
import type { ShopRef } from './read-facts.ts'

type JobOfDecisions = ShopRef & { uid: string }

export interface WriteOptions {
  /** Conflicts are skipped at once (start with skip_conflicts). */
  skipConflicts?: boolean
}

/**
 * Writes the outcomes of import items in the caller's transaction: items, listings, history, and the import items
 * themselves, with their new readings.
 */
export async function writeDecisions(
  tx: Queries,
  job: JobOfDecisions,
  decided: readonly Decided[],
  options: WriteOptions = {},
): Promise<void> {
  if (decided.length === 0) return
  await supersede(tx, job, decided)
  await writeItems(tx, job, decided)
  await storeTerms(tx, job, decided)
  const rowsOf = (some: readonly Decided[]) => ({
    user_id: job.user_id,
    job_uid: job.uid,
    rows: JSON.stringify(some.map((each) => ({ ...readingOf(each), ...outcomeOf(each, options), uid: each.uid }))),
  })
  const added = decided.filter(({ isNew }) => isNew)
  const stored = decided.filter(({ isNew }) => !isNew)
  if (added.length > 0) await tx.none(sql.insertDecided(rowsOf(added)))
  if (stored.length > 0) await tx.none(sql.updateDecided(rowsOf(stored)))
}

/** Returns the columns of a reading that the import item does not have yet. */
function readingOf({ reading, observed_at }: Decided): object {
  if (!reading) return {}
  return { external_listing_id: reading.listing_id, found: reading, observed_at, ...describeFound(reading) }
}

/** Keeps one open conflict per listing: this import's decision ends the conflicts of earlier ones. */
async function supersede(tx: Queries, job: JobOfDecisions, decided: readonly Decided[]): Promise<void> {
  const listing_ids = decided
    .filter(({ decision }) => decision.status !== 'failed')
    .map(({ found }) => found.listing_id)
  if (listing_ids.length === 0) return
  await tx.none(
    sql.supersedeConflicts({
      ...{ user_id: job.user_id, job_uid: job.uid, listing_ids },
      any_shop: isScraped(job),
    }),
  )
}

async function writeItems(tx: Queries, job: JobOfDecisions, decided: readonly Decided[]): Promise<void> {
  const rows = decided.flatMap(({ decision, found }) =>
    decision.status === 'imported' && !('error_code' in found)
      ? [{ item_uid: decision.item_uid, ...decision.content, ...listingColumns(found) }]
      : [],
  )
  if (rows.length === 0) return
  await tx.none(
    sql.insertItems({
      user_id: job.user_id,
      job_uid: job.uid,
      seller_account_uid: job.seller_account_uid,
      platform: job.platform,
      reason: `Imported from ${platformName(job.platform)}`,
      rows: JSON.stringify(rows),
    }),
  )
}

/** Stores how the listings are sold that had an item before. */
async function storeTerms(tx: Queries, job: JobOfDecisions, decided: readonly Decided[]): Promise<void> {
  const rows = decided.flatMap(({ decision, found }) => {
    const terms = 'error_code' in found || decision.status === 'imported' ? null : termsOf(found)
    return terms ? [{ listing_id: found.listing_id, terms }] : []
  })
  if (rows.length > 0) await tx.none(sql.storeTerms({ ...job, rows: JSON.stringify(rows) }))
}

function outcomeOf({ decision }: Decided, options: WriteOptions): object {
  switch (decision.status) {
    case 'imported':
      return { status: 'imported', item_uid: decision.item_uid }
    case 'skipped':
      return {
        status: 'skipped',
        conflict_details: decision.details,
        ...(decision.kept && {
          conflict_type: decision.kept.conflict_type,
          conflict_item_uid: decision.kept.conflict_item_uid,
          resolution: decision.kept.resolution,
          is_repeated_skip: true,
        }),
      }
    case 'failed':
      return decision
    case 'conflict':
      return {
        status: options.skipConflicts ? 'skipped' : 'conflict',
        resolution: options.skipConflicts ? 'auto_skip' : 'pending',
        conflict_type: decision.conflict_type,
        conflict_details: decision.conflict_details,
        conflict_item_uid: decision.existing_item_uid,
        match_certainty: decision.match?.certainty,
        match_reasons: decision.match?.reasons,
        match_photos: decision.match?.photos,
      }
  }
}

function listingColumns(found: Listing) {
  return {
    listing_id: found.listing_id,
    listing_url: httpUri(found.url),
    listing_state: stateOfListing(found),
    listing_sku: skuOf(found),
    listed_at: found.listed_at ?? null,
    details_unread: found.details_unread ?? false,
    terms: termsOf(found),
  }
}

/** Returns how a listing is sold; null where its platform says nothing of it. */
function termsOf({ terms, format }: Listing): ListingTerms | null {
  return terms || format ? { ...terms, ...(format ? { format } : {}) } : null
}

/** Buyers cannot buy a listing without stock. */
const stateOfListing = (found: Listing) => (found.state !== 'sold' && !isLive(found) ? 'removed' : found.state)

/** Returns the listing's row as it was last seen on its platform. */
export function channelListingOf(found: Listing, content: ItemContent) {
  return {
    listing_id: found.listing_id,
    url: httpUri(found.url),
    state: stateOfListing(found),
    sku: skuOf(found),
    price_minor: content.price_minor,
    currency: content.currency,
    listed_at: found.listed_at ?? null,
    observed_at: content.observed_at,
    details_unread: found.details_unread ?? false,
    terms: termsOf(found),
  }
}
