import type { ScrapePlatform, Shop } from '#extension/platforms/port.ts'
import type { CachedListing, ImportQueue, ScrapeSession } from '#extension/storage/import-queue/database.ts'
import { findCheck, findImport, newScrape } from '#extension/storage/import-queue/scrapes.ts'

/** Time between two checks while the seller is at their own shop, and before one listing is looked at again. */
const visitEveryMs = 5 * 60_000

/**
 * How many listings that are missing from the lists a check reads by themselves, and how many of them at a time; the rest
 * is for the next one.
 */
const maxMissing = 500
const missingAtATime = 100

/**
 * A listing that is not there any more is looked for again so often, after an hour first, then four times as long each
 * time: one that was deleted stays away, one that was held back for a buyer may turn up sold.
 */
const maxLooks = 5
const lookAgainMs = 60 * 60_000

export interface CheckDeps {
  importQueue: ImportQueue
  now: () => number
}

/** Where a page is, as far as checks go. */
export interface Visit {
  platform: ScrapePlatform
  /** Who is signed in there. */
  account: string
  /** Their shop; null: it cannot be told from here. */
  shop: Shop | null
  url: string
  /** The page is the seller's own shop. */
  ownShop: boolean
}

/**
 * Begins a check where one is due: of the shop at a visit to it, and everywhere on the platform when `everyMs` have gone
 * by (null: never on a schedule); of a single listing at a visit to its page. Only of a shop that was imported from
 * this browser, or of what was listed there from here, and never beside its import. Undefined: nothing is due.
 */
export async function beginDueCheck(
  deps: CheckDeps,
  visit: Visit,
  everyMs: number | null,
): Promise<ScrapeSession | undefined> {
  const { importQueue } = deps
  const { platform, account } = visit
  return importQueue.transaction('rw', [importQueue.scrapes, importQueue.listings, importQueue.seen], async () => {
    const imported = await findImport(importQueue, platform, { username: account })
    const before = await findCheck(importQueue, platform, { username: account })
    if (before?.state === 'reading') return undefined
    const basis = await basisOf(importQueue, visit, imported)
    if (basis === null) return undefined
    const listing = await listingAt(importQueue, visit)
    const now = deps.now()
    // One that the platform stopped is not begun again at every step of the seller's.
    const afterMs = before?.state === 'stopped' ? (everyMs ?? Number.POSITIVE_INFINITY) : dueAfterMs(visit, everyMs)
    const shopIsDue = now - (before?.started_at ?? basis.since) >= afterMs
    const listingIsDue = listing !== undefined && now - listing.read_at >= visitEveryMs
    if (!shopIsDue && !listingIsDue) return undefined
    if (before) {
      await importQueue.seen.where({ scrape_id: before.id }).delete()
      await importQueue.scrapes.delete(before.id)
    }
    const { shop } = basis
    const check: ScrapeSession = {
      ...newScrape(platform, shop, null, now),
      kind: 'check',
      ours_only: imported === undefined,
      looking: shopIsDue,
      sold: 0,
      cursor: shopIsDue ? platform.beginCheck(shop) : platform.beginListings(shop, [listing!.listing]),
      // A look at one listing puts off no check of the shop.
      started_at: shopIsDue ? now : (before?.started_at ?? basis.since),
    }
    await importQueue.scrapes.add(check)
    return check
  })
}

/** Milliseconds until the next scheduled check of a shop; null: there will be none. */
export async function nextCheckInMs(deps: CheckDeps, visit: Visit, everyMs: number | null): Promise<number | null> {
  const { platform, account } = visit
  const basis = await basisOf(
    deps.importQueue,
    visit,
    await findImport(deps.importQueue, platform, { username: account }),
  )
  if (basis === null || everyMs === null) return null
  const before = await findCheck(deps.importQueue, platform, { username: account })
  return Math.max(0, (before?.started_at ?? basis.since) + everyMs - deps.now())
}

/**
 * The shop that checks are of, and since when there is something to check: its import, else what was listed there from
 * here. Null: there is nothing.
 */
async function basisOf(
  importQueue: ImportQueue,
  { platform, account, shop }: Visit,
  imported: ScrapeSession | undefined,
): Promise<{ shop: Shop; since: number } | null> {
  if (imported) return imported.state === 'sent' ? { shop: shopOf(imported), since: imported.updated_at } : null
  if (shop === null) return null
  const ours = await importQueue.listings.where({ platform: platform.slug, shop: account.toLowerCase() }).toArray()
  const open = ours.filter((one) => isOpen(one) && looks(one) < maxLooks)
  return open.length > 0 ? { shop, since: Math.min(...open.map(({ read_at }) => read_at)) } : null
}

/**
 * What a check goes on with when its lists are read: listings that were for sale, are in none of them and were not asked
 * for in it, those first that were there the last time. Null: there is nothing to go on with. Within the caller's
 * transaction.
 */
export async function goOnWithMissing(
  { importQueue, now }: CheckDeps,
  platform: ScrapePlatform,
  scrape: ScrapeSession,
): Promise<Pick<ScrapeSession, 'cursor' | 'asked'> | null> {
  const asked = scrape.asked ?? 0
  const known = await importQueue.listings.where({ platform: scrape.platform, shop: scrape.username }).toArray()
  const open = known.filter((one) => isOpen(one) && isWorthALook(one, now()))
  const seen = await importQueue.seen.bulkGet(open.map(({ listing_id }) => `${scrape.id}:${listing_id}`))
  const listings = open
    .filter((_, index) => seen[index] === undefined)
    .sort((one, other) => looks(one) - looks(other) || one.read_at - other.read_at)
    .slice(0, Math.min(missingAtATime, maxMissing - asked))
    .map(({ listing }) => listing)
  if (listings.length === 0) return null
  const cursor = platform.beginListings(shopOf(scrape), listings)
  return platform.nextRequest(cursor) === null ? null : { cursor, asked: asked + listings.length }
}

/** True for a listing that was for sale when it was last read. */
export function isOpen({ listing }: CachedListing): boolean {
  return listing.state === 'available' || listing.state === 'reserved'
}

const looks = ({ gone = 0 }: CachedListing) => gone

function isWorthALook(one: CachedListing, now: number): boolean {
  const gone = looks(one)
  return gone === 0 || (gone < maxLooks && now - one.read_at >= lookAgainMs * 4 ** (gone - 1))
}

function dueAfterMs({ ownShop }: Visit, everyMs: number | null): number {
  return ownShop ? Math.min(visitEveryMs, everyMs ?? visitEveryMs) : (everyMs ?? Number.POSITIVE_INFINITY)
}

/** The listing of the page, when it is one of this shop that was for sale. */
async function listingAt(
  importQueue: ImportQueue,
  { platform, account, url }: Visit,
): Promise<CachedListing | undefined> {
  const at = platform.listingAt(url)
  if (!at) return undefined
  const cached =
    'id' in at
      ? await importQueue.listings.get(`${platform.slug}:${at.id}`)
      : await importQueue.listings.where('listing.url').equals(at.url).first()
  return cached && cached.shop === account.toLowerCase() && isOpen(cached) ? cached : undefined
}

function shopOf(scrape: ScrapeSession): Shop {
  return { username: scrape.username, url: scrape.shop_url, ...(scrape.shop_id ? { id: scrape.shop_id } : {}) }
}
