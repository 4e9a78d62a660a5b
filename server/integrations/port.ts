import type { Address } from '#shared/contract/account/billing.ts'
import type { Fee, Finding } from '#shared/contract/selling/preflight.ts'
import type { ImportState, Listing, ListingFailure, ListingTerms } from '#shared/listing.ts'
import type { ListingField, OAuthSlug } from '#shared/platforms.ts'
import type { ReadBack, SentListing } from './read-back.ts'

/** Tokens as a platform issues them. */
export interface TokenGrant {
  access_token: string
  /** Null when the platform keeps the current one, as eBay's refresh does. */
  refresh_token: string | null
  expires_in_seconds: number
  refresh_expires_in_seconds: number | null
  scopes: string[]
}

/** The seller's identity on the platform. */
export interface ShopIdentity {
  external_id: string
  external_name: string
  /** Public page of the shop. */
  url: string
  /** Currency that the shop sells in by default. Absent where the platform does not say. */
  currency?: string | null
  /** Its listings stay live, and nobody can buy them. Absent where the platform does not say. */
  on_vacation?: boolean
}

/** OAuth of a platform. Every method may throw PlatformError. */
export interface OAuthPort {
  /** True when the platform supports a PKCE S256 challenge. */
  readonly pkce: boolean
  /**
   * Returns the optional permission that the platform does not let the application ask for; null for none.
   * `authorizeUrl` then leaves it out. Absent where a platform refuses none.
   */
  findMissingScope?(): Promise<string | null>
  /** Returns the address to send the seller's browser to. `redirectUri` is ours; eBay sends its RuName instead. */
  authorizeUrl(request: { state: string; redirectUri: string; codeChallenge: string | null }): string
  exchangeCode(request: { code: string; redirectUri: string; codeVerifier: string | null }): Promise<TokenGrant>
  /** Throws PlatformError `reconnect` when the grant is gone (invalid_grant). */
  refresh(refreshToken: string): Promise<TokenGrant>
  identify(accessToken: string): Promise<ShopIdentity>
  /**
   * Reserves the calls that `identify` will make, so that no code is redeemed in vain. Throws PlatformError
   * `rate_limited`. Absent where calls are not counted.
   */
  reserveIdentify?(): Promise<void>
  /** Shops that an app connects at most without further access, and a sentence about that for its seller and operator. */
  mostShops?: { count: number; why: string }
  /** Absent where the platform cannot revoke. */
  revoke?(tokens: { accessToken: string; refreshToken: string | null }): Promise<void>
}

/** The access that an adapter needs to act for one shop. */
export interface ShopAccess {
  accessToken: string
  shop: ShopIdentity
  signal?: AbortSignal
}

/** One page of a shop's listings. A listing that cannot be read is a failure in its place, never omitted. */
export interface ListingPage {
  listings: Listing[]
  failures: ListingFailure[]
  /** Null on the last page. Opaque to the caller, stored between pages. */
  nextCursor: string | null
  /** The platform's total for these states; null when it gives none. */
  total: number | null
}

/** A listing, and the ids of those before and after it: a marketplace may relist an ended listing under a new id. */
export interface Relisting {
  listing: Listing
  relist_of: string | null
  relisted_as: string | null
}

/** Reads listings. */
export interface ImportPort {
  readonly states: readonly ImportState[]
  /** Reads the page after `cursor` (null: the first). Throws PlatformError when the whole page fails. */
  readPage(access: ShopAccess, request: { states: readonly ImportState[]; cursor: string | null }): Promise<ListingPage>
  /** Reads one listing, for retries; a failure when it is still unreadable. */
  readOne(access: ShopAccess, listingId: string): Promise<Listing | ListingFailure>
  /**
   * Reads the ids of active listings, page by page, with the fewest calls. A listing that moves between pages may be
   * missing, so absence must be checked by reading it. `began`: the time of each (ISO), where a relisted listing is new.
   */
  readLiveIds?(
    access: ShopAccess,
    cursor: string | null,
  ): Promise<{ ids: string[]; began?: (string | null)[]; nextCursor: string | null }>
  /**
   * Reads a listing with what it replaces, in one call; null for one that cannot be read. Absent where a relisted
   * listing keeps its id.
   */
  readRelisting?(access: ShopAccess, listingId: string): Promise<Relisting | null>
  /** Reads the ids of unpaid purchases, in one call for a usual shop, where the platform's orders omit them. */
  readUnpaidIds?(access: ShopAccess): Promise<string[]>
  /** Reads whether the shop is on vacation, in one call. Absent where the platform does not say. */
  readVacation?(access: ShopAccess): Promise<boolean>
}

/** An item to publish. `options` are the platform's choices, already complete. */
export interface PublishRequest {
  /** Our stable id of the item, sent as the SKU, so that a repeated call finds what the first one made. */
  externalKey: string
  /** A UUID of this wish to list, the same at each attempt and new for a later listing. Absent where nothing is published. */
  idempotencyKey?: string
  /** The platform's id of what an earlier attempt made, such as a draft; null when unknown. */
  made?: string | null
  /** True when an earlier attempt's answer was lost, so it may have made something unknown to us. */
  repeated?: boolean
  sku: string | null
  title: string
  description: string
  price_minor: number
  currency: string
  images: string[]
  condition: { label: string; notes: string }
  attributes: Record<string, unknown>
  address: Address
  options: Record<string, unknown>
}

/** Content of a listing that can be changed while it is live. */
export type ContentField = Exclude<ListingField, 'price'>

/** The content of an item, for its live listings. */
export type ListingContent = Pick<PublishRequest, 'title' | 'description' | 'images' | 'condition'>

export interface PublishedListing {
  listing_id: string
  url: string
  /** The platform's ids of the pictures in the order that was sent, if this attempt sent all of them. */
  photo_ids?: string[]
}

/** A live listing as Hapax knows it. */
export interface KnownListing {
  listing_id: string
  /** Our key of it; null if Hapax did not make it. */
  externalKey: string | null
  /** How it is sold, as it was last read; absent or null if it never was. */
  terms?: ListingTerms | null
}

/**
 * Whether buyers can buy a listing now, as the platform reports it. `expired`: its time is over, and the seller has to
 * pay for more.
 */
export type LiveState = 'live' | 'sold' | 'ended' | 'expired' | 'missing'

/** A choice that a seller may have to make before a listing can be published. */
export interface ListingChoice {
  /** The option's name as in the list request: `category_id`, `payment_policy_id`, `shipping_profile_id` … */
  option: string
  /** The field's label, where the option's name means nothing to sellers. */
  label?: string
  required: boolean
  values: { id: string; name: string; suggested?: boolean }[]
  /** The platform's page where the seller makes a missing value, such as a shipping profile. */
  link?: string
  /** Text other than the values is accepted too. */
  free_text?: boolean
  /** The values were not read from the platform. */
  unread?: boolean
  /** The text of the item that says the suggested value, where no attribute of it does. */
  source?: ValueSource
}

/** A text of an item from which a value is proposed. */
export type ValueSource = 'title' | 'description'

/** A category with its whole path: "Clothing > Women's Clothing > Dresses". */
export interface CategoryName {
  id: string
  name: string
}

export interface ChoicesOptions {
  /** Accepts cached answers up to this age, for many items in a row. By default the shop is read again. */
  maxAgeMs?: number
  /** Called before each call about this item alone; false leaves its choice `unread`. Default: always true. */
  mayLookUp?: () => boolean
}

/** A finding about the item or its options, and a fee, as a preflight shows them. */
export type { Fee, Finding }

/** The platform's own answer about a listing that is not published yet. */
export interface Verified {
  findings: Finding[]
  fees: Fee[]
}

/** Called before each write to the platform, with its name and the id made so far, which is saved before the write. */
export type BeforeSend = (name: string, made?: string) => Promise<void>

/**
 * Publishes and takes down listings. Every write can be repeated: it first looks for what an earlier attempt with the
 * same key made.
 */
export interface ListingPort {
  /** Returns the choices for this item. The seller must make a required one without a single or suggested value. */
  choices(access: ShopAccess, item: PublishRequest, options?: ChoicesOptions): Promise<ListingChoice[]>
  /** Returns the choices that a seller can make once for the shop. */
  shopChoices(access: ShopAccess, seller: { country: string; marketplace_id: string | null }): Promise<ListingChoice[]>
  /** Finds up to 20 categories for a search, best first; any item can use them. */
  searchCategories(
    access: ShopAccess,
    search: { words: string; country: string; marketplace_id: string | null },
  ): Promise<CategoryName[]>
  /**
   * Returns what the platform would refuse or change, beyond the choices. It writes nothing, and reads only data that
   * is cached for up to a day.
   */
  findings(access: ShopAccess, request: PublishRequest): Promise<Finding[]>
  /**
   * Returns the platform's fees for this listing. They may depend on the state of an earlier listing, which is read
   * only if `mayLookUp` returns true (default).
   */
  fees(request: PublishRequest, access: ShopAccess, mayLookUp?: () => boolean): Fee[] | Promise<Fee[]>
  /**
   * Asks the platform itself what it would refuse of a complete listing, and what it would charge. It may count as
   * publishing, so it is for a single listing that a seller looks at.
   */
  verify?(access: ShopAccess, request: PublishRequest): Promise<Verified>
  /** True where the platform answers a repeated `idempotencyKey` with the listing that the first request made. */
  readonly isIdempotent?: true
  publish(access: ShopAccess, request: PublishRequest, beforeSend: BeforeSend): Promise<PublishedListing>
  /** Finds the live listing that an earlier publish of this key made. */
  findPublished(access: ShopAccess, externalKey: string): Promise<PublishedListing | null>
  /**
   * Takes a listing down. A listing that is already down or gone is success. Throws `not_yet`, with what the seller can
   * do, for one that nobody can end now, such as an auction with bids.
   */
  withdraw(access: ShopAccess, listing: KnownListing): Promise<void>
  readState(access: ShopAccess, listingId: string): Promise<LiveState>
  /**
   * Reads a listing with the same number of calls as `readState`, and compares it with what was sent. Absent where a
   * platform does not show it.
   */
  readBack?(access: ShopAccess, listingId: string, sent: SentListing): Promise<ReadBack>
  /** Removes what an abandoned attempt left that buyers never saw: a draft or an unpublished offer. */
  discard?(access: ShopAccess, left: { externalKey: string; made: string | null }): Promise<void>
  changePrice(access: ShopAccess, listing: KnownListing & { price_minor: number; currency: string }): Promise<void>
  /**
   * Changes the named content of a live listing and nothing else. A listing never stays without pictures, and repeating
   * the call is harmless. `price`: the price that was sent just before, because reads may be behind.
   */
  updateContent(
    access: ShopAccess,
    listing: KnownListing,
    content: ListingContent & {
      fields: readonly ContentField[]
      price: { price_minor: number; currency: string } | null
    },
  ): Promise<void>
}

/** An order reduced to what a sale needs, without buyer data. */
export interface PlatformOrder {
  external_order_id: string
  status: 'paid' | 'pending' | 'cancelled'
  /** The platform's own word, where it is not known here and `status` is a guess. */
  unknown_status?: string
  ordered_at: string
  modified_at: string
  lines: PlatformOrderLine[]
  shipping?: OrderShipping
}

/** How an order is to be shipped, or was. */
export interface OrderShipping {
  /** When the platform wants it sent (ISO); null where it gives no date. */
  ship_by: string | null
  /** The buyer's words with the order. */
  buyer_note: string | null
  /** Null while any of it is not shipped. */
  shipped: ShippedOrder | null
}

/** An order that the platform shows as shipped, with what it knows of the parcel. */
export interface ShippedOrder {
  /** ISO; null where the platform does not say. */
  at: string | null
  carrier: string | null
  tracking_number: string | null
}

/** An order that a seller says is shipped. */
export interface ParcelSent {
  external_order_id: string
  /** The lines in the parcel. */
  lines: { external_line_id: string; quantity: number }[]
  /** A carrier of `shared/carriers.ts`; null without tracking. */
  carrier: string | null
  tracking_number: string | null
  /** ISO. */
  shipped_at: string
}

/** Tells the platform of parcels. The platform tells the buyer, so nothing may be sent twice. */
export interface ShippingPort {
  /** Reads whether all lines of an order are shipped. Throws PlatformError `not_found` for an unknown order. */
  readShipped(access: ShopAccess, parcel: Pick<ParcelSent, 'external_order_id' | 'lines'>): Promise<ShippedOrder | null>
  /** Tells the platform, once. Lines that it shows as shipped already are left out where it takes lines. */
  sendShipped(access: ShopAccess, parcel: ParcelSent): Promise<void>
}

export interface PlatformOrderLine {
  external_line_id: string
  listing_id: string
  sku: string | null
  /** The title; absent where the platform does not tell it. */
  title?: string | null
  /** The size that the buyer chose; absent where there was none to choose. */
  size?: string
  quantity: number
  /** Price of one unit in minor units. */
  price_minor: number
  currency: string
  /** A single line can be cancelled. */
  cancelled: boolean
  /**
   * The buyer got all money back, and the order was not cancelled. Only the seller knows where the item is. `maybe`: an
   * order of several lines was refunded in part, and the platform does not say which.
   */
  refunded?: Refunded
}

export type Refunded = 'before_shipping' | 'maybe_before_shipping' | 'after_shipping'

export interface OrderPage {
  orders: PlatformOrder[]
  nextCursor: string | null
}

/** Reads orders. Pushes are only hints: an order is always fetched before anything changes. */
export interface OrderPort {
  /** Reads orders changed since `modifiedSince` (ISO), oldest change first, page by page. */
  readChanged(access: ShopAccess, request: { modifiedSince: string; cursor: string | null }): Promise<OrderPage>
  /**
   * Reads orders again whose changes `readChanged` misses, page by page: all that are paid and not shipped, or all that
   * were made since `orderedSince` (ISO). Absent where no change is missed.
   */
  readAgain?(access: ShopAccess, request: { orderedSince: string | null; cursor: string | null }): Promise<OrderPage>
  /** Reads one order; null when the shop has none of that id. */
  readOrder(access: ShopAccess, externalOrderId: string): Promise<PlatformOrder | null>
}

/** Our endpoint for a platform's sale notices, and the token that proves it is ours. */
export interface NoticeTarget {
  endpoint: string
  verificationToken: string
  /** The platform writes here when the endpoint stops answering. */
  alertEmail: string
}

/** Subscribes shops to notices of their sales, where each shop needs a subscription. */
export interface NoticePort {
  /**
   * Ensures a shop's subscription, keeping an existing one. `consent_needed`: the seller connected before the
   * permission was requested and must reconnect.
   */
  ensure(access: ShopAccess, target: NoticeTarget): Promise<'subscribed' | 'consent_needed'>
}

/** A platform reached by API. Unsupported abilities are absent. */
export interface PlatformAdapter {
  readonly slug: OAuthSlug
  readonly oauth: OAuthPort
  readonly imports: ImportPort
  readonly listings?: ListingPort
  readonly orders?: OrderPort
  readonly shipping?: ShippingPort
  readonly notices?: NoticePort
  /** Returns a title as the platform takes it, which may be shorter. Default: as it is. */
  readonly titleThere?: (title: string) => string
  /** Public pages shown for a policy that the seller has not chosen. */
  readonly policyUrls: { shipping: string; returns: string }
}
