import type { ScrapePlatform } from '../port.ts'
import { accountOf, addresses, findShop } from './pages.ts'
import { begin, beginCheck, beginListings, nextRequest, readAnswer } from './read.ts'

/** Reads Depop in the seller's own tab, from the site's JSON. */
export const depop: ScrapePlatform = {
  ...addresses,
  findShop,
  findSignedInUser: (pageContext) => accountOf(pageContext)?.username ?? null,
  // No page states the count of both lists.
  countListings: () => null,
  begin,
  beginCheck,
  beginListings,
  nextRequest,
  readAnswer,
}
