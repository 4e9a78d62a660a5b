import type { PublishedListing } from '#server/integrations/port.ts'
import type { ListingOptions } from '#shared/contract/listings.ts'
import { type OAuthSlug, type PlatformSlug, platforms } from '#shared/platforms.ts'

/** Where workers hear that something should come down. */
export const delistChannel = 'listing_operation'

/** Where workers hear that something should go up or change its price, or that a bulk job begins. */
export const listingChannel = 'listing_up'

/** Why something is done on a platform. */
export type OperationCause = 'user' | 'bulk' | 'sale' | 'mark_sold' | 'compensation' | 'reconcile'

/** What is done first when there is more to do than the quotas allow. */
export const priorities = { sale: 20, delist: 10, list: 0, bulk: -10 } as const

/** The platforms on which the server itself takes listings down. */
export const apiPlatforms: PlatformSlug[] = platforms
  .filter((platform) => platform.capabilities.list === 'api')
  .map((platform) => platform.slug)

/** An intent as its worker holds it: a row of claim-operations.sql. Durations are the database's. */
export interface ListingOperation {
  user_id: number
  id: string
  kind: 'list' | 'delist' | 'reprice'
  item_uid: string
  platform: OAuthSlug
  seller_account_uid: string
  listing_id: string | null
  listing_url: string | null
  external_key: string | null
  price_minor: number | null
  currency: string | null
  options: ListingOptions
  /** What of it becomes the seller's default once the listing is up. */
  options_to_remember: ListingOptions | null
  cause: OperationCause
  cause_ref: string | null
  priority: number
  /** The external effect that an earlier attempt began last. */
  step: string | null
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
}

/** Somebody else works on the intent now, or it is over: nothing more may be written or sent. */
export class LeaseLostError extends Error {
  override name = 'LeaseLost'
  /** What this worker had put up when it found out. */
  made: PublishedListing | null = null
}

/** The listing is no longer wanted; thrown at a step, before anything more is sent. */
export class NoLongerWantedError extends Error {
  override name = 'NoLongerWanted'
}
