import { httpUri } from '#server/catalog/inventory/clean.ts'
import { type Queries, sql } from '#server/infra/db/index.ts'
import type { Services } from '#server/services.ts'
import type { Attributes } from '#shared/contract/inventory.ts'
import { firstOrderedId } from '#shared/identity.ts'
import type { Listing, ListingFailure } from '#shared/listing.ts'
import { type PlatformSlug, platforms } from '#shared/platforms.ts'
import type { KnownItem, LookAlike } from '../decide.ts'
import { compare } from './compare.ts'
import { type Features, featuresOf } from './features.ts'
import { knownPrints, type Prints, readMissing } from './photo-shelf.ts'

const forgetChanged = sql(import.meta.url, './sql/forget-changed.sql')
const indexItems = sql(import.meta.url, './sql/index-items.sql')
const findCandidates = sql(import.meta.url, './sql/find-candidates.sql')

/**
 * Words that more than `most` items have are not followed; a listing is compared with the `few` likeliest items; the
 * inventory is taken in by `step` items.
 */
const limits = { most: 300, few: 8, step: 5_000 }

/** By so much the clocks of workers may differ, which the uids of items are made by. */
const clocksDifferMs = 60_000

/** Of each side the first pictures are compared: sellers show the thing itself first. */
const photosCompared = 2

export type MatcherServices = Pick<Services, 'db' | 'readPhoto'>

/** Finds items of other platforms that may be the same thing as a listing (decisions 6, possible_duplicate). */
export interface Matcher {
  /**
   * Before the transaction that decides, so that nobody waits for it: takes in what the inventory holds, in short steps,
   * and reads the pictures of listings that have a look-alike by their words.
   */
  prepare(
    services: MatcherServices,
    found?: readonly (Listing | ListingFailure)[],
    options?: { signal?: AbortSignal; budgetMs?: number },
  ): Promise<void>
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
 * meanwhile is noticed at each call. A seller of one platform only pays for two short queries. `takenInUntil`: when
 * another matcher had taken in all there was, and anew what had changed; so that only what was made since is looked at.
 */
export function createMatcher(
  shop: { user_id: number; platform: PlatformSlug },
  { takenInUntil = null }: { takenInUntil?: string | null } = {},
): Matcher {
  let after = takenInUntil ? firstOrderedId('inv', Date.parse(takenInUntil) - clocksDifferMs) : ''
  let prepared = false

  /** Takes in the next items; false when there is nothing more. */
  const takeIn = async (queries: Queries): Promise<{ more: boolean; comparable: boolean }> => {
    const row = await queries.one<{ reached: string | null; newest: string | null; comparable: boolean }>(indexItems, {
      ...shop,
      after,
      since: firstOrderedId('inv', Date.now() - clocksDifferMs),
      other_platforms: platforms.map(({ slug }) => slug).filter((slug) => slug !== shop.platform),
      limit: limits.step,
    })
    after = row.reached ?? row.newest ?? after
    return { more: row.reached !== null, comparable: row.comparable }
  }
  const takeAll = async (queries: Queries) => {
    if (prepared) return
    if (!takenInUntil) await queries.none(forgetChanged, shop)
    while ((await takeIn(queries)).more) {}
    prepared = true
  }
  const candidatesOf = async (queries: Queries, listings: readonly Listing[]): Promise<CandidateRow[]> => {
    if (listings.length === 0) return []
    await takeAll(queries)
    const { comparable } = await takeIn(queries)
    if (!comparable) return []
    const rows = listings.map(({ listing_id, title, brand }) => ({ listing_id, text: `${title} ${brand ?? ''}` }))
    return queries.any<CandidateRow>(findCandidates, { ...shop, ...limits, rows: JSON.stringify(rows) })
  }

  return {
    async prepare({ db, readPhoto }, found = [], options = {}) {
      await takeAll(db)
      if (!readPhoto) return
      const listings = found.filter(isListing)
      const candidates = await candidatesOf(db, listings)
      const alikes = lookAlikes(listings, candidates, new Map())
      const urls = candidates
        .filter(({ listing_id, uid }) => alikes.get(listing_id)?.some(({ item }) => item.uid === uid))
        .flatMap(({ images }) => images.slice(0, photosCompared))
      const own = listings.filter(({ listing_id }) => alikes.has(listing_id)).flatMap(photosOf)
      await readMissing(db, shop.user_id, [...own, ...urls], readPhoto, options)
    },

    async find(queries, found) {
      const listings = found.filter(isListing)
      const candidates = await candidatesOf(queries, listings)
      if (candidates.length === 0) return new Map()
      const asked = new Set(candidates.map(({ listing_id }) => listing_id))
      const urls = [
        ...listings.filter(({ listing_id }) => asked.has(listing_id)).flatMap(photosOf),
        ...candidates.flatMap(({ images }) => images.slice(0, photosCompared)),
      ]
      return lookAlikes(listings, candidates, await knownPrints(queries, shop.user_id, urls))
    },
  }
}

function lookAlikes(
  listings: readonly Listing[],
  candidates: readonly CandidateRow[],
  prints: Prints,
): Map<string, LookAlike[]> {
  const printsOf = (urls: readonly string[]) => urls.flatMap((url) => prints.get(url) ?? [])
  const features = new Map<string, Features>()
  const byId = new Map(listings.map((listing) => [listing.listing_id, listing]))
  const result = new Map<string, LookAlike[]>()
  for (const { listing_id, attributes, price_minor, currency, images, ...item } of candidates) {
    const listing = byId.get(listing_id)
    if (!listing) continue
    const ours = features.get(listing_id) ?? featuresOf({ ...listing, photos: printsOf(photosOf(listing)) })
    features.set(listing_id, ours)
    const photos = printsOf(images.slice(0, photosCompared))
    const theirs = featuresOf({ ...attributes, title: item.title, price_minor, currency, photos })
    const { likeness, reasons } = compare(ours, theirs)
    if (likeness === 'different') continue
    result.set(listing_id, [...(result.get(listing_id) ?? []), { item, verdict: likeness, reasons }])
  }
  for (const alikes of result.values()) alikes.sort((one, other) => rank(other) - rank(one))
  return result
}

/** Listings as they are kept name their pictures in the form of the record. */
const photosOf = ({ images }: Listing) => images.slice(0, photosCompared).flatMap((url) => httpUri(url) ?? [])
const isListing = (found: Listing | ListingFailure): found is Listing => !('error_code' in found) && found.title !== ''
const rank = (alike: LookAlike) => (alike.verdict === 'surely' ? 10 : 0) + alike.reasons.length
