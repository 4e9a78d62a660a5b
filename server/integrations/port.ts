import type { Fee, Finding } from '#shared/contract/preflight.ts'
import type { ImportState, Listing, ListingFailure } from '#shared/listing.ts'
import type { OAuthSlug } from '#shared/platforms.ts'

/** Tokens as a platform hands them out. */
export interface TokenGrant {
  access_token: string
  /** Null when the platform keeps the one we have (eBay's refresh). */
  refresh_token: string | null
  expires_in_seconds: number
  refresh_expires_in_seconds: number | null
  scopes: string[]
}

/** Who the seller is on the platform. */
export interface ShopIdentity {
  external_id: string
  external_name: string
  /** Public page of the shop. */
  url: string
}

/** OAuth as the platform speaks it (decisions 5). Every method may throw PlatformError. */
export interface OAuthPort {
  /** True when the platform takes a PKCE S256 challenge. */
  readonly pkce: boolean
  /** The address the seller's browser is sent to. `redirectUri` is ours; eBay sends its RuName instead. */
  authorizeUrl(request: { state: string; redirectUri: string; codeChallenge: string | null }): string
  exchangeCode(request: { code: string; redirectUri: string; codeVerifier: string | null }): Promise<TokenGrant>
  /** Throws PlatformError `reconnect` when the grant is gone (invalid_grant). */
  refresh(refreshToken: string): Promise<TokenGrant>
  identify(accessToken: string): Promise<ShopIdentity>
  /**
   * Takes the calls that `identify` will make, so that a code is not redeemed in vain. Throws PlatformError `rate_limited`.
   * Absent where no calls are counted.
   */
  reserveIdentify?(): Promise<void>
  /** Present where the platform can revoke. */
  revoke?(tokens: { accessToken: string; refreshToken: string | null }): Promise<void>
}

/** What an adapter needs to act for one shop. */
export interface ShopAccess {
  accessToken: string
  shop: ShopIdentity
  signal?: AbortSignal
}

/** One page of a shop's listings. A listing that cannot be read is a failure in its place, never left out. */
export interface ListingPage {
  listings: Listing[]
  failures: ListingFailure[]
  /** Null on the last page. Opaque to the caller, stored between pages. */
  nextCursor: string | null
  /** How many the platform says there are in all for these states; null when it does not say. */
  total: number | null
}

/** Reading listings (spec 4.14). */
export interface ImportPort {
  readonly states: readonly ImportState[]
  /** The page after `cursor` (null: the first). Throws PlatformError when the page as a whole cannot be had. */
  readPage(access: ShopAccess, request: { states: readonly ImportState[]; cursor: string | null }): Promise<ListingPage>
  /** One listing, for retrying: a failure when it is still not readable. */
  readOne(access: ShopAccess, listingId: string): Promise<Listing | ListingFailure>
  /**
   * Ids of what buyers can buy now, page by page, at the least cost that the platform has. What moves between pages while
   * they are read may be left out: absence is a hint, to be looked at one by one.
   */
  readLiveIds?(access: ShopAccess, cursor: string | null): Promise<{ ids: string[]; nextCursor: string | null }>
  /** Ids of what was bought and is not paid for yet, in one call, where the platform's orders leave that out. */
  readUnpaidIds?(access: ShopAccess): Promise<string[]>
}

/** A listing to be put up, in our words; `options` are the platform's own choices, already completed. */
export interface PublishRequest {
  /** Ours, stable for one item: the SKU there, so that a repeated call finds what the first one made. */
  externalKey: string
  /** The platform's id of what an earlier attempt has made (an unfinished draft, say); null or left out: nothing known. */
  made?: string | null
  /** An earlier attempt sent something whose answer was lost: it may have made what is not known here. */
  repeated?: boolean
  sku: string | null
  title: string
  description: string
  price_minor: number
  currency: string
  images: string[]
  condition: { label: string; notes: string }
  attributes: Record<string, unknown>
  address: PostalAddress
  options: Record<string, unknown>
}

export interface PostalAddress {
  full_name: string
  line1: string
  line2?: string
  city: string
  region?: string
  postal_code: string
  country: string
  phone?: string
}

export interface PublishedListing {
  listing_id: string
  url: string
}

/** Whether buyers can buy it now, as the platform itself says when it is read. */
export type LiveState = 'live' | 'sold' | 'ended' | 'missing'

/** One thing a seller may have to choose before a listing can go up. */
export interface ListingChoice {
  /** Name of the option, as in the list request (`category_id`, `payment_policy_id`, `shipping_profile_id` …). */
  option: string
  /** The label above the field, if the option's name says nothing to sellers. */
  label?: string
  required: boolean
  values: { id: string; name: string; suggested?: boolean }[]
  /** Other text than the values is taken too. */
  free_text?: boolean
  /** The platform was not asked for the values. */
  unread?: boolean
}

/** A category of a platform, by its whole path: "Clothing > Women's Clothing > Dresses". */
export interface CategoryName {
  id: string
  name: string
}

export interface ChoicesOptions {
  /** What the shop told so long ago will do: for many things in a row. Read anew when left out, as a seller expects. */
  maxAgeMs?: number
  /** Asked before each call that is about this item alone; false leaves its choice `unread`. Left out: always true. */
  mayLookUp?: () => boolean
}

/** A finding about the item or the chosen options, and a fee, as a preflight shows them. */
export type { Fee, Finding }

/** Called before each external effect, with the id of what was made so far: it is kept before the effect happens. */
export type PublishStep = (name: string, made?: string) => Promise<void>

/**
 * Putting up and taking down (spec 4.15). Every write may be repeated: it first looks for what an earlier, lost
 * attempt with the same key made. Each `step` names an external effect, so that a test can stop at it.
 */
export interface ListingPort {
  /** What can and must be chosen for this item; a required option without a single or suggested value is the seller's. */
  choices(access: ShopAccess, item: PublishRequest, options?: ChoicesOptions): Promise<ListingChoice[]>
  /** What can be chosen once for the shop, whatever is listed in it: what the choices of items have of it, and no more. */
  shopChoices(access: ShopAccess, seller: { country: string; marketplace_id: string | null }): Promise<ListingChoice[]>
  /** Categories that words lead to, the best first, 20 at most; each can be chosen for any item. */
  searchCategories(
    access: ShopAccess,
    search: { words: string; country: string; marketplace_id: string | null },
  ): Promise<CategoryName[]>
  /**
   * Returns what the platform would refuse or change of the item with these complete options, beyond what `choices` says.
   * Sends nothing, and asks the platform for what it keeps for a day at most.
   */
  findings(access: ShopAccess, request: PublishRequest): Promise<Finding[]>
  /** Returns the fees that the platform charges for this listing. */
  fees(request: PublishRequest): Fee[]
  /** Asks the platform for what the seller's account lacks before it can list (eBay's business policies). */
  optIn?(access: ShopAccess): Promise<void>
  publish(access: ShopAccess, request: PublishRequest, step: PublishStep): Promise<PublishedListing>
  /** The live listing that an earlier publish of this key made, if any. */
  findPublished(access: ShopAccess, externalKey: string): Promise<PublishedListing | null>
  /** Takes down; a listing that is already down, or gone, is success. `externalKey` null: one we did not make. */
  withdraw(access: ShopAccess, listing: { listing_id: string; externalKey: string | null }): Promise<void>
  readState(access: ShopAccess, listingId: string): Promise<LiveState>
  /** Clears away what an attempt left that was given up, and that no buyer ever saw: a draft, an unpublished offer. */
  discard?(access: ShopAccess, left: { externalKey: string; made: string | null }): Promise<void>
  changePrice(
    access: ShopAccess,
    listing: { listing_id: string; externalKey: string | null; price_minor: number; currency: string },
  ): Promise<void>
}

/** An order as its platform tells it, reduced to what a sale needs: no buyer data. */
export interface PlatformOrder {
  external_order_id: string
  status: 'paid' | 'pending' | 'cancelled'
  ordered_at: string
  modified_at: string
  lines: PlatformOrderLine[]
}

export interface PlatformOrderLine {
  external_line_id: string
  listing_id: string
  sku: string | null
  quantity: number
  /** Price of one unit in minor units. */
  price_minor: number
  currency: string
  /** A line can be cancelled alone. */
  cancelled: boolean
}

export interface OrderPage {
  orders: PlatformOrder[]
  nextCursor: string | null
}

/** Reading orders. Pushes are hints: an order is always fetched before anything changes. */
export interface OrderPort {
  /** Orders changed since `modifiedSince` (ISO), oldest change first, page by page. */
  readChanged(access: ShopAccess, request: { modifiedSince: string; cursor: string | null }): Promise<OrderPage>
  /** One order; null when the platform knows none of that id for this shop. */
  readOrder(access: ShopAccess, externalOrderId: string): Promise<PlatformOrder | null>
}

/** Where a platform tells of sales, and what proves that the address is ours. */
export interface NoticeTarget {
  endpoint: string
  verificationToken: string
  /** Whom the platform writes to when the address does not answer. */
  alertEmail: string
}

/** Having a platform tell of sales as they happen, where each shop has to ask for it. */
export interface NoticePort {
  /**
   * Sees to it that a shop's sales are told; what is there already stays. `consent_needed`: the seller connected before
   * the permission was asked for, and has to connect again.
   */
  ensure(access: ShopAccess, target: NoticeTarget): Promise<'subscribed' | 'consent_needed'>
}

/** A platform reached by API. What it cannot do is absent, not "not supported". */
export interface PlatformAdapter {
  readonly slug: OAuthSlug
  readonly oauth: OAuthPort
  readonly imports: ImportPort
  readonly listings?: ListingPort
  readonly orders?: OrderPort
  readonly notices?: NoticePort
  /** Public pages that stand in for a policy the seller has not named. */
  readonly policyUrls: { shipping: string; returns: string }
}
