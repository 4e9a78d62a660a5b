import type { Listing, ListingFailure } from '#shared/listing.ts'
import type { ExtensionSlug } from '#shared/platforms.ts'

/**
 * What a content script may read of its page at a glance, by the platform's list: it reads, the worker understands.
 * Cookies are named one by one; no other cookie leaves the page, and none leaves the browser.
 */
export interface PageProbe {
  /** The platform's name, for the seller to read. */
  platform: string
  cookies: readonly string[]
  /** Selectors whose first match's text is read. */
  texts: Readonly<Record<string, string>>
  /** Clues that are found otherwise, as further texts. What it reads for them and is secret stays in the page. */
  more?: () => Promise<Record<string, string>>
  /**
   * Fetches as the site's own scripts do, for sites that want more than the page's cookies: their tokens are read, used
   * and forgotten in here. Null: an address that it does not fetch. Throws what fetch throws: no answer came.
   */
  fetch?: (request: PageRequest, signal: AbortSignal) => Promise<PageAnswer | null>
}

/** The clues as they were read; what was not there is left out. */
export interface PageContext {
  url: string
  cookies: Record<string, string>
  texts: Record<string, string>
}

/** Something to fetch in the page's own origin, with the page's cookies. */
export interface PageRequest {
  url: string
  accept: 'html' | 'json'
}

/** What came back. `status` 0: no answer at all (network). */
export interface PageAnswer {
  /** Address after redirects. */
  url: string
  status: number
  text: string
}

/** A shop as its platform names it. */
export interface Shop {
  username: string
  url: string
  /** The platform's number of the shop, where its pages go by numbers. */
  id?: string
}

/**
 * Where the value of a field was found: in the page's state, in the site's own JSON, in the page's elements (the
 * fallback, which may be less exact), in a lesser form only (a smaller picture), or made from other fields because the
 * platform has none. Optional fields only: `absent` where the member that normally holds it is gone, `unread` where it
 * is there and not understood. A listing that simply has no brand has no source for it.
 */
export type FieldSource = 'state' | 'api' | 'elements' | 'lesser' | 'derived' | 'absent' | 'unread'
export type FieldSources = { [Field in keyof Listing]?: FieldSource }

/** What is known of a listing before it is read: from a list, or because it was made here. */
export type ListingRef = Pick<Listing, 'listing_id' | 'url' | 'title'>

/** What an answer was good for: where to go on, and what was read from it. */
export interface Taken {
  cursor: string
  listings: Listing[]
  failures: ListingFailure[]
  /** By listing_id, where each field of a listing comes from; kept with the listing in the cache. */
  sources?: Record<string, FieldSources>
  /** Listings that the list shows and that are not read now: a check wants to know no more of them. */
  seen?: ListingRef[]
  /** Ids of listings that were asked for by themselves and that the platform does not show: deleted, or hidden for now. */
  gone?: string[]
  /** How many listings the shop says it has now, where the answer says so. */
  total?: number
  /** Listings of other sellers that the answer shows; they are left out. */
  left_out?: number
}

/**
 * A platform that is read in the seller's own tab. All functions are pure: values in, values out, so that reading can
 * be killed and repeated at any point. The cursor is text that only the platform understands; storing it and what
 * was taken in one transaction is the caller's (background/scraping/take-answer.ts).
 */
export interface ScrapePlatform {
  readonly slug: ExtensionSlug
  readonly origins: readonly string[]
  /**
   * The shop whose page an address is; null for any other page. `clues`: of that page, for pages that show a shop
   * without naming it in their address.
   */
  findShop(url: string, pageContext?: PageContext): Shop | null
  /** Page of a shop. */
  shopUrl(username: string): string
  /** Page of a listing, by its id alone. */
  listingUrl(id: string): string
  /** User name of who is signed in on the page; null when nobody is. */
  whoIsSignedIn(pageContext: PageContext): string | null
  /** How many listings the shop says it has; null when it does not say. */
  countListings(pageContext: PageContext): number | null
  /** Cursor before the first page. `told`: how many listings the shop's page says it has. */
  begin(shop: Shop, told?: number | null): string
  /**
   * Cursor of a check: pages through what is for sale and reads no listing by itself. What is not in its lists is
   * `seen`, or no longer for sale.
   */
  beginCheck(shop: Shop): string
  /** Cursor for reading these listings of the shop, one by one. */
  beginListings(shop: Shop, listings: readonly ListingRef[]): string
  /** What a listing's page tells in its address: the listing's id, or its address; null for any other page. */
  listingAt(url: string): { id: string } | { url: string } | null
  /** What to fetch next; null when the whole shop was read. */
  nextRequest(cursor: string): PageRequest | null
  /**
   * Understands the answer to nextRequest(cursor). A listing that is not understood is a failure in its place.
   * Throws ReadingStopped when the answer is none that can be read now.
   */
  take(cursor: string, answer: PageAnswer): Taken
}

/**
 * Why reading stops and waits for the seller; `unreachable` is tried again a few times first. `page_changed`:
 * nothing of a list was understood, where there is nothing else to do than to read it. `internal`: our own mistake.
 */
export const stopReasons = [
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

/** The platform does not let us read on for now. Nothing is lost: the cursor stays where it is. */
export class ReadingStopped extends Error {
  override name = 'ReadingStopped'
  readonly reason: StopReason

  constructor(reason: StopReason, message: string) {
    super(message)
    this.reason = reason
  }
}

/** A required element of a page is missing or has another shape. Never read as "empty". */
export class PageChanged extends Error {
  override name = 'PageChanged'
  readonly platform: ExtensionSlug
  /** Our word for what is missing, such as `price`. */
  readonly field: string
  readonly url: string

  /** `problem`: what is wrong with `where`, when it is not that it was not understood. */
  constructor(platform: ExtensionSlug, field: string, url: string, where: string, problem = 'was not understood') {
    super(`page changed: ${field} (${where} ${problem})`)
    this.platform = platform
    this.field = field
    this.url = url
  }
}
