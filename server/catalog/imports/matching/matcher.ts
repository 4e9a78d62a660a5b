import { httpUri } from '#server/catalog/inventory/clean.ts'
import type { Queries } from '#server/infra/db/index.ts'
import type { Services } from '#server/services.ts'
import type { Attributes } from '#shared/contract/catalog/inventory.ts'
import { firstOrderedId } from '#shared/identity.ts'
import type { Listing, ListingFailure } from '#shared/listing.ts'
import { type PlatformSlug, platforms } from '#shared/platforms.ts'
import { matchReasons } from './certainty.ts'
import { compare } from './compare.ts'
import { type Features, featuresOf } from './features.ts'
import { type KnownItem, type LookAlike, rankOf } from './look-alike.ts'
import { knownHashes, type PhotoHashes, type ReadingOptions, readMissing } from './photo-hash-cache.ts'
import * as sql from './queries.ts'

/**
 * `most`: words in more items than this are ignored. `few`: a listing is compared with this many best candidates.
 * `step`: items indexed at once.
 */
const limits = { most: 300, few: 8, step: 5_000 }

/** How far workers' clocks may differ, because item uids contain their time. */
const clocksDifferMs = 60_000

/** Pictures compared on each side. Sellers show the item itself first. */
const photosCompared = 2

type MatcherServices = Pick<Services, 'db' | 'readPhoto'>

/** Finds items of other platforms that may be the same thing as a listing (possible_duplicate). */
export interface Matcher {
  /**
   * Indexes the inventory in short steps, and reads the pictures of listings with look-alikes. Call before the deciding
   * transaction, so that nothing waits for it. Returns how many pictures became known.
   */
  prepare(
    services: MatcherServices,
    found?: readonly (ComparedListing | ListingFailure)[],
    options?: ReadingOptions,
  ): Promise<number>
  /**
   * Finds look-alikes by listing id, best first. Call in the deciding transaction, so that it sees everything.
   * `readsPhotos`: look-alikes whose pictures are not known yet are to be compared later.
   */
  find(
    queries: Queries,
    found: readonly (ComparedListing | ListingFailure)[],
    readsPhotos?: boolean,
  ): Promise<Map<string, LookAlike[]>>
}

/** A listing as far as it is compared. */
type ComparedListing = Pick<
  Listing,
  'listing_id' | 'title' | 'brand' | 'size' | 'colors' | 'price_minor' | 'currency' | 'images'
>

interface CandidateRow extends KnownItem {
  listing_id: string
  attributes: Attributes
  price_minor: number
  currency: string
  images: string[]
}

/**
 * Creates a matcher for one user's imports of one platform during one run, or of a file, which is of no platform. The index
 * is kept, and each call adds what is new. Sellers of one platform only pay for two short queries. `indexedUntil`: another matcher had indexed
 * everything by then, so only newer items are read.
 */
export function createMatcher(
  shop: { user_id: number; platform: PlatformSlug | null },
  { indexedUntil = null }: { indexedUntil?: string | null } = {},
): Matcher {
  let after = indexedUntil ? firstOrderedId('inv', Date.parse(indexedUntil) - clocksDifferMs) : ''
  let prepared = false

  /** Indexes the next items. `more` is false when none are left. */
  const indexNext = async (queries: Queries): Promise<{ more: boolean; comparable: boolean }> => {
    const row = await queries.one(
      sql.indexItems({
        ...shop,
        after,
        since: firstOrderedId('inv', Date.now() - clocksDifferMs),
        other_platforms: platforms.map(({ slug }) => slug).filter((slug) => slug !== shop.platform),
        limit: limits.step,
      }),
    )
    after = row.reached ?? row.newest ?? after
    return { more: row.reached !== null, comparable: row.comparable }
  }
  const indexAll = async (queries: Queries) => {
    if (prepared) return
    if (!indexedUntil) await queries.none(sql.forgetChanged(shop))
    while ((await indexNext(queries)).more) {}
    prepared = true
  }
  const candidatesOf = async (queries: Queries, listings: readonly ComparedListing[]): Promise<CandidateRow[]> => {
    if (listings.length === 0) return []
    await indexAll(queries)
    const { comparable } = await indexNext(queries)
    if (!comparable) return []
    const rows = listings.map(({ listing_id, title, brand }) => ({ listing_id, text: `${title} ${brand ?? ''}` }))
    return queries.any(sql.findCandidates({ ...shop, ...limits, rows: JSON.stringify(rows) }))
  }

  return {
    async prepare({ db, readPhoto }, found = [], options = {}) {
      await indexAll(db)
      if (!readPhoto) return 0
      const listings = found.filter(isListing)
      const candidates = await candidatesOf(db, listings)
      const alikes = lookAlikes(listings, candidates, new Map())
      const urls = candidates
        .filter(({ listing_id, uid }) => alikes.get(listing_id)?.some(({ item }) => item.uid === uid))
        .flatMap(({ images }) => images.slice(0, photosCompared))
      const own = listings.filter(({ listing_id }) => alikes.has(listing_id)).flatMap(photosOf)
      return readMissing(db, shop.user_id, [...own, ...urls], readPhoto, options)
    },

    async find(queries, found, readsPhotos = false) {
      const listings = found.filter(isListing)
      const candidates = await candidatesOf(queries, listings)
      if (candidates.length === 0) return new Map()
      const asked = new Set(candidates.map(({ listing_id }) => listing_id))
      const urls = [
        ...listings.filter(({ listing_id }) => asked.has(listing_id)).flatMap(photosOf),
        ...candidates.flatMap(({ images }) => images.slice(0, photosCompared)),
      ]
      const hashes = await knownHashes(queries, shop.user_id, urls)
      return lookAlikes(listings, candidates, hashes, readsPhotos)
    },
  }
}

function lookAlikes(
  listings: readonly ComparedListing[],
  candidates: readonly CandidateRow[],
  hashes: PhotoHashes,
  readsPhotos = false,
): Map<string, LookAlike[]> {
  const hashesOf = (urls: readonly string[]) => urls.flatMap((url) => hashes.get(url) ?? [])
  const features = new Map<string, Features>()
  const byId = new Map(listings.map((listing) => [listing.listing_id, listing]))
  const result = new Map<string, LookAlike[]>()
  for (const { listing_id, attributes, price_minor, currency, images, ...item } of candidates) {
    const listing = byId.get(listing_id)
    if (!listing) continue
    const ours = features.get(listing_id) ?? featuresOf({ ...listing, photos: hashesOf(photosOf(listing)) })
    features.set(listing_id, ours)
    const urls = images.slice(0, photosCompared)
    const theirs = featuresOf({ ...attributes, title: item.title, price_minor, currency, photos: hashesOf(urls) })
    const { likeness, reasons } = compare(ours, theirs)
    if (likeness === 'different') continue
    const agreeing = matchReasons(reasons, listing, { title: item.title, price_minor, currency })
    const isCompared = !readsPhotos || agreeing.includes('same_photo')
    const photos = isCompared ? null : photosLeft([photosOf(listing), urls], hashes)
    result.set(listing_id, [...(result.get(listing_id) ?? []), { item, verdict: likeness, reasons, agreeing, photos }])
  }
  for (const alikes of result.values()) alikes.sort((one, other) => rankOf(other) - rankOf(one))
  return result
}

/** Returns what is left of comparing two sides by their pictures. Nothing is, where one side has none. */
function photosLeft(sides: readonly (readonly string[])[], hashes: PhotoHashes): LookAlike['photos'] {
  const urls = sides.flat()
  if (sides.some((side) => side.length === 0)) return null
  if (urls.some((url) => !hashes.has(url))) return 'comparing'
  return urls.some((url) => hashes.get(url) === null) ? 'unread' : null
}

/** Stored listings have their picture addresses in the record's form. */
const photosOf = ({ images }: ComparedListing) => images.slice(0, photosCompared).flatMap((url) => httpUri(url) ?? [])
const isListing = (found: ComparedListing | ListingFailure): found is ComparedListing =>
  !('error_code' in found) && found.title !== ''
