import type { PageContext, ScrapePlatform } from '../port.ts'
import { findShop, listingAt, listingUrl, origin, ownListsUrl } from './pages.ts'
import { begin, beginCheck, beginListings, nextRequest, take } from './read.ts'

/** Mercari (US), read in the seller's own tab: the site's own JSON for the lists, the items' pages for the rest. */
export const mercari: ScrapePlatform = {
  slug: 'mercari',
  origins: [origin],
  findShop,
  shopUrl: () => ownListsUrl,
  listingUrl,
  whoIsSignedIn,
  // No page says how many items a seller has over all lists.
  countListings: () => null,
  begin,
  beginCheck,
  beginListings,
  listingAt,
  nextRequest,
  take,
}

/** Mercari goes by numbers: the seller's own is the user name here. */
function whoIsSignedIn(pageContext: PageContext): string | null {
  const { account } = pageContext.texts
  return account && /^\d{1,20}$/.test(account) ? account : null
}
