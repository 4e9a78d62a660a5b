import type { Listing, ListingFailure } from '#shared/listing.ts'
import type { ExtensionSlug } from '#shared/platforms.ts'

/**
 * Page data that a content script may read for the worker. Only the named cookies leave the page, and no cookie leaves
 * the browser.
 */
export interface PageProbe {
  /** The platform's display name. */
  platform: string
  cookies: readonly string[]
  /** Selectors; the text of each first match is read. */
  texts: Readonly<Record<string, string>>
  /** Reads further texts by other means. Secrets that it uses stay in the page. */
  more?: () => Promise<Record<string, string>>
  /**
   * Fetches as the site's own scripts do, for sites that need more than cookies. Tokens never leave this function.
   * Returns null for a URL that it does not handle. Rejects as `fetch` does on network errors.
   */
  fetch?: (request: PageRequest, signal: AbortSignal) => Promise<PageAnswer | null>
}

/** The page data that was found. Missing cookies and texts are left out. */
export interface PageContext {
  url: string
  cookies: Record<string, string>
  texts: Record<string, string>
}

/** A request from the page's own origin, with the page's cookies. */
export interface PageRequest {
  url: string
  accept: 'html' | 'json'
}

/** The response. `status` is 0 on a network error. */
export interface PageAnswer {
  /** URL after redirects. */
  url: string
  status: number
  text: string
}

/** A shop as the platform names it. */
export interface Shop {
  username: string
  url: string
  /** The platform's numeric shop id, where its pages use one. */
  id?: string
}

/**
 * The source of a field. `state` is the page's embedded state and `api` is the site's JSON. `elements` is the DOM, a
 * less exact fallback. `lesser` is a reduced form, such as a smaller picture. `derived` is computed from other fields.
 * Optional fields can also be `absent` (the usual member is missing) or `unread` (present but not parsed). A listing
 * that simply has no brand has no source for it.
 */
export type FieldSource = 'state' | 'api' | 'elements' | 'lesser' | 'derived' | 'absent' | 'unread'
export type FieldSources = { [Field in keyof Listing]?: FieldSource }

/** A listing known before it is read, from a list or because the extension created it. */
export type ListingRef = Pick<Listing, 'listing_id' | 'url' | 'title'>

/** The result of one answer: the next cursor and the data read. */
export interface ReadResult {
  cursor: string
  listings: Listing[]
  failures: ListingFailure[]
  /** Field sources by listing_id, cached with the listing. */
  sources?: Record<string, FieldSources>
  /** Listings that the list shows and a check does not read. */
  seen?: ListingRef[]
  /** Ids of requested listings that the platform does not show, because they are deleted or hidden. */
  gone?: string[]
  /** The shop's current listing count, if the answer states it. */
  total?: number
  /** Number of other sellers' listings in the answer, which are skipped. */
  left_out?: number
}

/** Addresses of a platform that the extension reads. */
export interface PlatformAddresses {
  readonly slug: ExtensionSlug
  readonly origins: readonly string[]
  /** Returns the URL of a shop. */
  shopUrl(username: string): string
  /** Returns the URL of a listing from its id alone. */
  listingUrl(id: string): string
  /** Returns the id or the URL of a listing page's listing, or null for other pages. */
  listingAt(url: string): { id: string } | { url: string } | null
}

/**
 * A platform that is read in the seller's own tab. All functions are pure, so a read can stop and resume at any step.
 * Only the platform interprets its cursor. The caller stores the cursor and the results in one transaction
 * (background/scraping/store-answer.ts).
 */
export interface ScrapePlatform extends PlatformAddresses {
  /**
   * Returns the shop that a page shows, or null. `pageContext` identifies the shop on pages whose URL does not.
   */
  findShop(url: string, pageContext?: PageContext): Shop | null
  /** Returns the username of the signed-in seller, or null. */
  findSignedInUser(pageContext: PageContext): string | null
  /** Returns the shop's listing count, or null if the page does not state it. */
  countListings(pageContext: PageContext): number | null
  /** Returns the cursor before the first page. `listingCount`: the count on the shop's page. */
  begin(shop: Shop, listingCount?: number | null): string
  /**
   * Returns the cursor of a check, which pages through the active listings without detail reads. Known listings that
   * are not `seen` are no longer for sale.
   */
  beginCheck(shop: Shop): string
  /** Returns the cursor that reads these listings one by one. */
  beginListings(shop: Shop, listings: readonly ListingRef[]): string
  /** Returns the next request, or null when the shop is read. */
  nextRequest(cursor: string): PageRequest | null
  /**
   * Parses the answer to nextRequest(cursor). Listings that cannot be parsed become failures.
   * Throws ReadingStopped if no data can be read now.
   */
  readAnswer(cursor: string, answer: PageAnswer): ReadResult
}

/**
 * Reasons to stop and wait for the seller. `unreachable` is retried a few times first. `page_changed` means that a whole
 * list was unreadable and no fallback exists. `internal` is a bug in the extension.
 */
const stopReasons = [
  'challenge',
  'rate_limited',
  'logged_out',
  'other_user',
  'not_yours',
  'unreachable',
  'page_changed',
  'internal',
] as const
export type StopReason = (typeof stopReasons)[number]

/** The platform blocks reading for now. The cursor is unchanged, so no data is lost. */
export class ReadingStopped extends Error {
  override name = 'ReadingStopped'
  readonly reason: StopReason

  constructor(reason: StopReason, message: string) {
    super(message)
    this.reason = reason
  }
}

/** A required element of a page is missing or has another shape. Never treated as empty. */
export class PageChanged extends Error {
  override name = 'PageChanged'
  readonly platform: ExtensionSlug
  /** Our name for the field, such as `price`. */
  readonly field: string
  readonly url: string

  /** `problem` describes the fault of `where`. The default is a value that was not understood. */
  constructor(platform: ExtensionSlug, field: string, url: string, where: string, problem = 'was not understood') {
    super(`page changed: ${field} (${where} ${problem})`)
    this.platform = platform
    this.field = field
    this.url = url
  }
}
