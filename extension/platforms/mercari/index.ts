import type { PageContext, ScrapePlatform } from '../port.ts'
import { findShop, listingAt, listingUrl, origin, ownListsUrl } from './pages.ts'
import { begin, beginCheck, beginListings, nextRequest, readAnswer } from './read.ts'

/** Reads Mercari (US) in the seller's own tab: lists from the site's JSON, other data from item pages. */
export const mercari: ScrapePlatform = {
  slug: 'mercari',
  origins: [origin],
  findShop,
  shopUrl: () => ownListsUrl,
  listingUrl,
  findSignedInUser,
  // No page states the count of all lists.
  countListings: () => null,
  begin,
  beginCheck,
  beginListings,
  listingAt,
  nextRequest,
  readAnswer,
}

/** Returns the seller id, which replaces a username on Mercari. */
function findSignedInUser(pageContext: PageContext): string | null {
  const { account } = pageContext.texts
  return account && /^\d{1,20}$/.test(account) ? account : null
}
