import type { Fetch } from '#server/infra/fetch.ts'
import type { PlatformAdapter } from './port.ts'

/** What goes wrong at a fake's door, in words that fit every platform. */
export type ComplianceFault =
  | 'slow'
  | 'fail_before'
  | 'fail_after'
  | 'http_500'
  | 'html_body'
  | 'rate_limit'
  | 'cut'
  | 'token_invalid'

/** A listing as the fake's world knows it. */
export interface ExpectedListing {
  listing_id: string
  title: string
  price_minor: number
  currency: string
  sku: string | null
  images: string[]
  /** Units on offer. */
  quantity: number
  /** The platform never answers for it. */
  isUnreadable: boolean
}

/** A platform's adapter over its fake, running. */
export interface ComplianceRun {
  adapter: PlatformAdapter
  /** The client secret, which must turn up nowhere. */
  clientSecret: string
  redirectUri: string
  /** Walks the platform's consent page as this seller; answers the address the browser is sent back to. */
  consent(authorizeUrl: string, seller: string, decision: 'agree' | 'decline'): Promise<string>
  /** A seller with more listings than fit a page (some of them awkward), one with few, one with none. */
  sellers: { busy: string; small: string; empty: string }
  /** What the seller has on offer, in truth. */
  activeListings(seller: string): ExpectedListing[]
  soldIds(seller: string): string[]
  /** Somebody buys all of a listing; the seller lists something new. */
  sell(listingId: string): void
  add(seller: string, title: string): string
  /** The listing is gone from the platform. */
  remove(listingId: string): void
  /** The seller takes a listing from sale; or puts one of it on sale again that was ended or sold. */
  end(listingId: string): void
  relist(listingId: string): void
  /** The seller withdraws consent; or only the access tokens run out. */
  revoke(seller: string): void
  expireAccess(seller: string): void
  /** The next `times` calls of the kind are struck, after `skip` unharmed ones: `list` is the call behind a page, `ids` behind the ids of what is on offer, `item` behind one listing. */
  fault(
    target: 'list' | 'ids' | 'item' | 'token' | 'identity',
    kind: ComplianceFault,
    times: number,
    skip?: number,
  ): void
  /** Every call about this one listing fails from now on, as if the platform choked on it. */
  poison(listingId: string): void
  clearFaults(): void
  close(): Promise<void>
}

/** A platform that the compliance suite is run for. */
export interface ComplianceSubject {
  slug: string
  /** A page goes on without the details of its listings when the calls for them are used up. */
  readsDetailsLater?: boolean
  /** A fake with a fresh world, and the adapter over real HTTP; `fetch` stands between them. */
  start(options: { fetch: Fetch; timeoutMs: number }): Promise<ComplianceRun>
}
