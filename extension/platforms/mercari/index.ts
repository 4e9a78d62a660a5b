import type { PageContext, ScrapePlatform } from '../port.ts'
import { addresses, findShop } from './pages.ts'
import { begin, beginCheck, beginListings, nextRequest, readAnswer } from './read.ts'

/** Reads Mercari (US) in the seller's own tab: lists from the site's JSON, other data from item pages. */
export const mercari: ScrapePlatform = {
  ...addresses,
  findShop,
  findSignedInUser,
  // No page states the count of all lists.
  countListings: () => null,
  begin,
  beginCheck,
  beginListings,
  nextRequest,
  readAnswer,
}

/** Returns the seller id, which replaces a username on Mercari. */
function findSignedInUser(pageContext: PageContext): string | null {
  const { account } = pageContext.texts
  return account && /^\d{1,20}$/.test(account) ? account : null
}
