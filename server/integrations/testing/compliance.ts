import type { Fetch } from '#server/infra/fetch.ts'
import type { PlatformAdapter } from '../port.ts'

/** Faults of a fake platform, the same for every platform. */
export type ComplianceFault =
  | 'slow'
  | 'fail_before'
  | 'fail_after'
  | 'http_500'
  | 'html_body'
  | 'rate_limit'
  | 'cut'
  | 'token_invalid'

/** A listing in the fake platform's market. */
export interface ExpectedListing {
  listing_id: string
  title: string
  price_minor: number
  currency: string
  sku: string | null
  images: string[]
  /** Units for sale. */
  quantity: number
  /** Every read of this listing fails. */
  isUnreadable: boolean
}

/** A running adapter with its fake platform. */
export interface ComplianceRun {
  adapter: PlatformAdapter
  /** The same adapter, which gives up on a slow answer at once. */
  impatient: PlatformAdapter
  /** The client secret, which must not appear in any message. */
  clientSecret: string
  redirectUri: string
  /** Consents or declines as this seller. Returns the address that the browser is sent back to. */
  consent(authorizeUrl: string, seller: string, decision: 'agree' | 'decline'): Promise<string>
  /** A seller with more listings than one page, including edge cases; one with few; one with none. */
  sellers: { busy: string; small: string; empty: string }
  /** Returns the seller's active listings. */
  activeListings(seller: string): ExpectedListing[]
  soldIds(seller: string): string[]
  /** Sells every unit of a listing, or lists a new item. */
  sell(listingId: string): void
  add(seller: string, title: string): string
  /** Deletes the listing from the platform. */
  remove(listingId: string): void
  /** Takes a listing off sale, or relists one that ended or sold. */
  end(listingId: string): void
  relist(listingId: string): void
  /** Revokes the consent, or expires only the access tokens. */
  revoke(seller: string): void
  expireAccess(seller: string): void
  /**
   * Makes the next `times` calls of a kind fail, after `skip` successful ones. `list` is the call behind a page, `ids`
   * behind the active ids, `item` behind one listing.
   */
  fault(
    target: 'list' | 'ids' | 'item' | 'token' | 'identity',
    kind: ComplianceFault,
    times: number,
    skip?: number,
  ): void
  /** Makes every call about this listing fail from now on. */
  poison(listingId: string): void
  clearFaults(): void
  close(): Promise<void>
}

/** A platform that the compliance suite runs for. */
export interface ComplianceSubject {
  slug: string
  /** True if pages omit listing details once the calls for them are used up. */
  readsDetailsLater?: boolean
  /** Starts a fake platform and its adapter, connected through `fetch` over real HTTP. */
  start(options: { fetch: Fetch; timeoutMs: number }): Promise<ComplianceRun>
}
