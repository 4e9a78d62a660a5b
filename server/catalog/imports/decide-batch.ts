import { skuOf } from '#server/catalog/inventory/read-listing.ts'
import type { Listing, ListingFailure } from '#shared/listing.ts'
import {
  type Decision,
  type DecisionContext,
  decide,
  type Existing,
  isBack,
  type KnownItem,
  type KnownListing,
  type LookAlike,
  type PutUp,
  type Skip,
} from './decide.ts'

/** A found listing with the ids of its import item and of the item that it would become. */
export interface Candidate {
  uid: string
  item_uid: string
  /** When the listing was seen, ISO. */
  observed_at: string
  found: Listing | ListingFailure
}

/** What the database knows about the listings of a batch. */
export interface BatchFacts {
  /** Listings of this seller account that have an item, by external id. */
  listings: ReadonlyMap<string, KnownListing>
  /** Items by SKU. */
  skus: ReadonlyMap<string, KnownItem>
  /** Look-alikes of other platforms by external listing id, likest first. */
  lookAlikes: ReadonlyMap<string, readonly LookAlike[]>
  /** What we put up on this shop ourselves, by `id …` of the listing and by `sku …` that we gave it. */
  putUp: ReadonlyMap<string, PutUp>
  /** Conflicts that the seller skipped, by external listing id. */
  skips: ReadonlyMap<string, Skip>
}

/** The context of a decision but for when each listing was seen. */
export type BatchContext = Omit<DecisionContext, 'observed_at'>

/** How many items the account may still make, and what a listing is told that would make one more. */
export interface ItemQuota {
  left: number
  message: string
}

export interface Decided extends Candidate {
  decision: Decision
  /** It is live there again, and held for down here. */
  isBack?: boolean
}

/**
 * Decides a batch in its order: of two listings with one SKU the first becomes the item and the second is in conflict
 * with it, as if they had come one by one. A listing over which a decision throws (a fault of ours) is a failed item;
 * the rest goes on, and so it does where the account's quota of items is used up. `taken` gathers the SKUs that would be taken, for the batches after this one when nothing is written.
 */
export function decideBatch(
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
    const decided = decideOne(candidate, existing, context, report)
    const decision: Decision =
      decided.status === 'imported' && left-- <= 0
        ? { status: 'failed', error_code: 'quota_exceeded', error_message: quota.message }
        : decided
    if (decision.status === 'imported' && decision.content.sku !== null) {
      const { title, state, sku } = decision.content
      taken.set(sku, { uid: decision.item_uid, title, state })
    }
    return { ...candidate, decision, isBack: isBack(candidate.found, existing.listing) }
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
    putUp: facts.putUp.get(`id ${found.listing_id}`) ?? (sku === null ? null : (facts.putUp.get(`sku ${sku}`) ?? null)),
  }
}

function decideOne(
  candidate: Candidate,
  existing: Existing,
  context: BatchContext,
  report: (error: unknown, candidate: Candidate) => void,
): Decision {
  try {
    return decide(candidate.found, existing, { ...context, observed_at: candidate.observed_at }, candidate.item_uid)
  } catch (error) {
    report(error, candidate)
    return { status: 'failed', error_code: 'internal', error_message: 'Hapax could not process this listing.' }
  }
}
