import { skuOf } from '#server/catalog/inventory/read-listing.ts'
import type { Listing, ListingFailure } from '#shared/listing.ts'
import type { KnownItem, LookAlike } from '../matching/look-alike.ts'
import {
  type Decision,
  type DecisionContext,
  decideListing,
  type Existing,
  isRelisted,
  type KnownListing,
  type OwnListing,
  type Skip,
} from './decide-listing.ts'
import type { UndecidedItem } from './undecided-items.ts'

/** An import item with the id of the item that it may become. */
export interface Candidate extends UndecidedItem {
  item_uid: string
}

/** The database's knowledge of the listings of a batch. */
export interface BatchFacts {
  /** Listings of this seller account with an item, by external id. */
  listings: ReadonlyMap<string, KnownListing>
  /** Items by SKU. */
  skus: ReadonlyMap<string, KnownItem>
  /** Look-alikes on other platforms by external listing id, best first. */
  lookAlikes: ReadonlyMap<string, readonly LookAlike[]>
  /** Our own listings in this shop, by `id …` of the listing and `sku …` of our key. */
  ownListing: ReadonlyMap<string, OwnListing>
  /** Skipped conflicts by external listing id. */
  skips: ReadonlyMap<string, Skip>
}

/** The context of decisions without the time of each listing. */
export type BatchContext = Omit<DecisionContext, 'observed_at'>

/** The outcome of a listing whose decision throws or crashes workers. */
export const notProcessed: Decision = {
  status: 'failed',
  error_code: 'internal',
  error_message: 'Hapax could not process this listing.',
}

/** The number of items that the account may still create, and the message beyond it. */
export interface ItemQuota {
  left: number
  message: string
}

export interface Decided extends Candidate {
  decision: Decision
  /** The listing in our records, if it has an item. */
  known?: KnownListing | null
  /** It is live there, and down in our records. */
  isRelisted?: boolean
}

/**
 * Decides a batch in order, as if the listings came one by one: the second of two with one SKU conflicts with the
 * first. A listing whose decision throws becomes a failed item, and so does one beyond the item quota. `taken` collects
 * SKUs for later batches when nothing is written. Pure.
 */
export function decideListings(
  candidates: readonly Candidate[],
  facts: BatchFacts,
  context: BatchContext,
  report: (error: unknown, candidate: Candidate) => void,
  taken = new Map<string, KnownItem>(),
  quota: ItemQuota = { left: Number.POSITIVE_INFINITY, message: '' },
): Decided[] {
  let { left } = quota
  return candidates.map((candidate) => {
    const existing = existingOf(candidate.found, facts, taken)
    let decision: Decision
    try {
      const at = { ...context, observed_at: candidate.observed_at }
      decision = decideListing(candidate.found, existing, at, candidate.item_uid)
    } catch (error) {
      report(error, candidate)
      decision = notProcessed
    }
    if (decision.status === 'imported' && left-- <= 0) {
      decision = { status: 'failed', error_code: 'quota_exceeded', error_message: quota.message }
    }
    if (decision.status === 'imported' && decision.content.sku !== null) {
      const { title, state, sku } = decision.content
      taken.set(sku, { uid: decision.item_uid, title, state })
    }
    const known = existing.listing
    return { ...candidate, decision, known, isRelisted: isRelisted(candidate.found, known) }
  })
}

function existingOf(
  found: Listing | ListingFailure,
  facts: BatchFacts,
  taken: ReadonlyMap<string, KnownItem>,
): Existing {
  const sku = 'error_code' in found ? null : skuOf(found)
  return {
    listing: facts.listings.get(found.listing_id) ?? null,
    sku: sku === null ? null : (taken.get(sku) ?? facts.skus.get(sku) ?? null),
    lookAlikes: facts.lookAlikes.get(found.listing_id) ?? [],
    skip: facts.skips.get(found.listing_id) ?? null,
    ownListing:
      facts.ownListing.get(`id ${found.listing_id}`) ??
      (sku === null ? null : (facts.ownListing.get(`sku ${sku}`) ?? null)),
  }
}
