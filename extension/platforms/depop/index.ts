import type { ScrapePlatform } from '../port.ts'
import { accountOf, findShop, hubUrl, listingAt, origin, shopUrl } from './pages.ts'
import { begin, beginCheck, beginListings, nextRequest, readAnswer } from './read.ts'

/** Reads Depop in the seller's own tab, from the site's JSON. */
export const depop: ScrapePlatform = {
  slug: 'depop',
  origins: [origin],
  findShop,
  shopUrl,
  // Product URLs need a slug, so link to the seller's list.
  listingUrl: () => hubUrl,
  findSignedInUser: (pageContext) => accountOf(pageContext)?.username ?? null,
  // No page states the count of both lists.
  countListings: () => null,
  begin,
  beginCheck,
  beginListings,
  listingAt,
  nextRequest,
  readAnswer,
}
