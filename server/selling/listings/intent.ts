import type { PublishedListing } from '#server/integrations/port.ts'
import type { ListingOptions } from '#shared/contract/listings.ts'
import type { OAuthSlug } from '#shared/platforms.ts'
import type { IntentCause } from './intents.ts'

/** An intent as its worker holds it: a row of claim-intents.sql. Durations are the database's. */
export interface Intent {
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
  to_remember: ListingOptions | null
  cause: IntentCause
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
  is_alarmed: boolean
  seen_ms_ago: number
  accepted_ms_ago: number | null
  sent_ms_ago: number | null
  cancelled_ms_ago: number | null
}

/** Somebody else works on the intent now, or it is over: nothing more may be written or sent. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
  /** What this worker had put up when it found out. */
  made: PublishedListing | null = null
}

/** The listing is no longer wanted; thrown at a step, before anything more is sent. */
export class NoLongerWanted extends Error {
  override name = 'NoLongerWanted'
}
