import { type Queries, sql } from '#server/db/index.ts'
import type { Attributes } from '#shared/contract/inventory.ts'
import type { Listing, ListingFailure } from '#shared/listing.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import type { KnownItem, LookAlike } from '../decide.ts'
import { compare } from './compare.ts'
import { type Features, featuresOf } from './features.ts'

const forgetChanged = sql(import.meta.url, './sql/forget-changed.sql')
const indexItems = sql(import.meta.url, './sql/index-items.sql')
const findCandidates = sql(import.meta.url, './sql/find-candidates.sql')

/**
 * Words that more than `most` items have are not followed; a listing is compared with the `few` likeliest items; the
 * inventory is taken in by `step` items.
 */
const limits = { most: 300, few: 8, step: 5_000 }

/** Finds items of other platforms that may be the same thing as a listing (decisions 6, possible_duplicate). */
export interface Matcher {
  /** Takes in what the inventory holds, in short steps. Before the transaction that decides, so that nobody waits for it. */
  prepare(queries: Queries): Promise<void>
  /** Look-alikes by listing id, the likest first. In the transaction that decides, so that it sees all there is. */
  find(queries: Queries, found: readonly (Listing | ListingFailure)[]): Promise<Map<string, LookAlike[]>>
}

interface CandidateRow extends KnownItem {
  listing_id: string
  attributes: Attributes
  price_minor: number
  currency: string
  images: string[]
}

/**
 * A matcher for the imports of one platform by one user, for one run: what was taken in stays so, and what is added
 * meanwhile is noticed at each call. A seller of one platform only pays for two short queries.
 */
export function createMatcher(shop: { user_id: number; platform: PlatformSlug }): Matcher {
  let after = ''
  let prepared = false

  /** Takes in the next items; false when there is nothing more. */
  const takeIn = async (queries: Queries): Promise<{ more: boolean; comparable: boolean }> => {
    const row = await queries.one<{ reached: string | null; newest: string | null; comparable: boolean }>(indexItems, {
      ...shop,
      after,
      limit: limits.step,
    })
    after = row.reached ?? row.newest ?? after
    return { more: row.reached !== null, comparable: row.comparable }
  }
  const prepare = async (queries: Queries) => {
    if (prepared) return
    await queries.none(forgetChanged, shop)
    while ((await takeIn(queries)).more) {}
    prepared = true
  }

  return {
    prepare,
    async find(queries, found) {
      const listings = found.filter((each): each is Listing => !('error_code' in each) && each.title !== '')
      if (listings.length === 0) return new Map()
      await prepare(queries)
      const { comparable } = await takeIn(queries)
      if (!comparable) return new Map()
      const rows = listings.map(({ listing_id, title, brand }) => ({ listing_id, text: `${title} ${brand ?? ''}` }))
      const candidates = await queries.any<CandidateRow>(findCandidates, {
        ...shop,
        ...limits,
        rows: JSON.stringify(rows),
      })
      return lookAlikes(listings, candidates)
    },
  }
}

function lookAlikes(listings: readonly Listing[], candidates: readonly CandidateRow[]): Map<string, LookAlike[]> {
  const features = new Map<string, Features>()
  const byId = new Map(listings.map((listing) => [listing.listing_id, listing]))
  const result = new Map<string, LookAlike[]>()
  for (const { listing_id, attributes, price_minor, currency, images: _, ...item } of candidates) {
    const listing = byId.get(listing_id)
    if (!listing) continue
    const ours = features.get(listing_id) ?? featuresOf(listing)
    features.set(listing_id, ours)
    const theirs = featuresOf({ ...attributes, title: item.title, price_minor, currency })
    const { likeness, reasons } = compare(ours, theirs)
    if (likeness === 'different') continue
    result.set(listing_id, [...(result.get(listing_id) ?? []), { item, verdict: likeness, reasons }])
  }
  for (const alikes of result.values()) alikes.sort((one, other) => rank(other) - rank(one))
  return result
}

const rank = (alike: LookAlike) => (alike.verdict === 'surely' ? 10 : 0) + alike.reasons.length
