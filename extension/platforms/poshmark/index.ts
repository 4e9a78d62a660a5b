import type { ScrapePlatform } from '../port.ts'
import { closetUrl, findShop, listingAt, listingUrl, origin } from './pages.ts'
import { parseCount, parseSignedIn } from './parse.ts'
import { begin, beginCheck, beginListings, nextRequest, readAnswer } from './read.ts'

/** Reads Poshmark in the seller's own tab: the closet's embedded state, then the site's JSON. */
export const poshmark: ScrapePlatform = {
  slug: 'poshmark',
  origins: [origin],
  findShop,
  shopUrl: closetUrl,
  listingUrl: (id) => listingUrl(id, ''),
  findSignedInUser: parseSignedIn,
  countListings: parseCount,
  begin,
  beginCheck,
  beginListings,
  listingAt,
  nextRequest,
  readAnswer,
}
