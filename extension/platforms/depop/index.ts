import type { ScrapePlatform } from '../port.ts'
import { accountOf, findShop, hubUrl, listingAt, origin, shopUrl } from './pages.ts'
import { begin, beginCheck, beginListings, nextRequest, take } from './read.ts'

/** Depop, read in the seller's own tab: the site's own JSON for shop and products. */
export const depop: ScrapePlatform = {
  slug: 'depop',
  origins: [origin],
  findShop,
  shopUrl,
  // Addresses go by slugs: of a number alone only the seller's own list is known.
  listingUrl: () => hubUrl,
  whoIsSignedIn: (pageContext) => accountOf(pageContext)?.username ?? null,
  // No page says how many products a shop has over both lists.
  countListings: () => null,
  begin,
  beginCheck,
  beginListings,
  listingAt,
  nextRequest,
  take,
}
