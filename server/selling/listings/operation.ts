import { LeaseLostError } from '#server/infra/jobs/lease.ts'
import type { ContentField, ListingContent, PublishedListing } from '#server/integrations/port.ts'
import type { ListingOptions } from '#shared/contract/selling/listings.ts'
import type { ListingTerms } from '#shared/listing.ts'
import { type OAuthSlug, type PlatformSlug, platforms } from '#shared/platforms.ts'

/** Notifies workers that something has to come down. */
export const delistChannel = 'listing_operation'

/** The platform of a bulk job's rows that are about an item as a whole. */
export const noPlatform = ''

/** Returns the change that a bulk job makes, which can be undone. */
export const changeOfJob = (job_uid: string) => `chg${job_uid.slice('blk'.length)}`

/** Notifies workers of a listing, an update of one, or a bulk job. */
export const listingChannel = 'listing_up'

/** The reason for an operation. */
export type OperationCause = 'user' | 'bulk' | 'sale' | 'mark_sold' | 'compensation' | 'reconcile'

/** Which operations go first when quotas are short. */
export const priorities = { sale: 20, delist: 10, list: 0, bulk: -10 } as const

/** Platforms on which the server itself publishes and delists. */
export const apiPlatforms: PlatformSlug[] = platforms
  .filter((platform) => platform.capabilities.list === 'api')
  .map((platform) => platform.slug)

/** A claimed operation: a row of `claimOperations`. Durations are measured by the database's clock. */
export interface ListingOperation {
  user_id: number
  id: string
  kind: 'list' | 'delist' | 'update'
  item_uid: string
  platform: OAuthSlug
  seller_account_uid: string
  listing_id: string | null
  listing_url: string | null
  external_key: string | null
  /** How its listing is sold, as it was last read. */
  terms: ListingTerms | null
  /** Content that an update sends. */
  fields: ContentField[] | null
  /** Content that an update sends in place of the item's. */
  content: Partial<Pick<ListingContent, ContentField>> | null
  /** The price to publish or to send; null: an update without it. */
  price_minor: number | null
  currency: string | null
  options: ListingOptions
  /** Options that become the seller's defaults once the listing is live. */
  options_to_remember: ListingOptions | null
  cause: OperationCause
  cause_ref: string | null
  priority: number
  attempts: number
  failures: number
  lease_epoch: number
  /** When this attempt was due, as the database writes it. */
  due_at: string
  error_code: string | null
  error_message: string | null
  is_chosen: boolean
  is_accepted: boolean
  is_cancelled: boolean
  is_alerted: boolean
  seen_ms_ago: number
  accepted_ms_ago: number | null
  sent_ms_ago: number | null
  cancelled_ms_ago: number | null
  /** The span that queued it, while traces are sent. */
  traceparent: string | null
}

/** The lease was lost after a listing had been published, which nobody may be waiting for. */
export class OrphanedListingError extends LeaseLostError {
  override name = 'OrphanedListingError'
  readonly listing: PublishedListing
  constructor(listing: PublishedListing) {
    super(`lost the lease after publishing ${listing.listing_id}`)
    this.listing = listing
  }
}

/** The listing is no longer wanted. Thrown before anything more is sent. */
export class NoLongerWantedError extends Error {
  override name = 'NoLongerWantedError'
}
