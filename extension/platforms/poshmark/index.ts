import type { ScrapePlatform } from '../port.ts'
import { addresses, findShop } from './pages.ts'
import { parseCount, parseSignedIn } from './parse.ts'
import { begin, beginCheck, beginListings, nextRequest, readAnswer } from './read.ts'

/** Reads Poshmark in the seller's own tab: the closet's embedded state, then the site's JSON. */
export const poshmark: ScrapePlatform = {
  ...addresses,
  findShop,
  findSignedInUser: parseSignedIn,
  countListings: parseCount,
  begin,
  beginCheck,
  beginListings,
  nextRequest,
  readAnswer,
}
