import type { ScrapePlatform, Shop } from '#extension/platforms/port.ts'
import type { CachedListing, ImportQueue, ScrapeSession } from '#extension/storage/import-queue/database.ts'
import { findCheck, findImport, newScrape } from '#extension/storage/import-queue/scrapes.ts'

/** Minimum time between two checks during visits, and before a listing is read again, in ms. */
const visitEveryMs = 5 * 60_000

/** Missing listings that one check reads individually, in total and per step. */
const maxMissing = 500
const missingAtATime = 100

/** A listing that is gone is retried with growing delays: it may be deleted, or held for a buyer and then sold. */
const maxLooks = 5
const lookAgainMs = 60 * 60_000

interface CheckDeps {
  importQueue: ImportQueue
  now: () => number
}

/** A visit to a platform's page, as far as checks need it. */
export interface Visit {
  platform: ScrapePlatform
  /** User who is signed in. */
  account: string
  /** Their shop, or null if the page does not show it. */
  shop: Shop | null
  url: string
  /** The page is the seller's own shop. */
  ownShop: boolean
}

/**
 * Starts a check if one is due: of the shop during a visit or after `everyMs`, or of one listing when its page is
 * visited. `everyMs` null: never scheduled. Covers shops imported here and listings made here, and never runs beside an
 * import. Returns undefined if nothing is due.
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
    // Do not restart a check that the platform stopped at every click.
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
      // Reading one listing does not delay the shop's check.
      started_at: shopIsDue ? now : (before?.started_at ?? basis.since),
    }
    await importQueue.scrapes.add(check)
    return check
  })
}

/** Returns ms until the next scheduled check, or null if there is none. */
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

/** Returns the shop to check and since when: from its import, else from listings made here. Null: nothing to check. */
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
 * Continues a check whose lists are read: returns a cursor for open listings that appeared in no list. Null: none are
 * left. Runs in the caller's transaction.
 */
export async function checkMissing(
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

/** Returns true if the listing was for sale when last read. */
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

/** Returns the page's listing if it belongs to this shop and was for sale. */
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
