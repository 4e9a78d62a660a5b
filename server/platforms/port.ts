import type { ImportState, Listing, ListingFailure } from '#shared/listing.ts'
import type { OAuthSlug } from '#shared/platforms.ts'

/** fetch as adapters are given it, so that tests and quotas can stand in between. */
export type Fetch = (url: string, init?: RequestInit) => Promise<Response>

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
}

/** A platform reached by API. What it cannot do is absent, not "not supported". */
export interface PlatformAdapter {
  readonly slug: OAuthSlug
  readonly oauth: OAuthPort
  readonly imports: ImportPort
  /** Public pages that stand in for a policy the seller has not named. */
  readonly policyUrls: { shipping: string; returns: string }
}
