import type { ListingRef, ScrapePlatform } from '#extension/platforms/port.ts'
import type { CachedListing, ScrapeSession, SeenSale } from '#extension/storage/import-queue/database.ts'
import { storeUnread } from '#extension/storage/import-queue/unread-listings.ts'
import { markUnsent } from '../upload/mark-unsent.ts'
import { checkMissing, isOpen } from './check.ts'
import { afterPage, type Deps, type Page, unseen } from './store-page.ts'

/** Records the sales that a page shows, and returns a check after it. */
export async function storeCheck(
  deps: Deps,
  platform: ScrapePlatform,
  page: Page,
  isLast: boolean,
): Promise<ScrapeSession> {
  const { importQueue } = deps
  const { result, counted, read, known, failures } = page
  await recordSeen(deps, counted, result.seen ?? [])
  const gone = await recordUnread(deps, counted, failures, result.gone ?? [])
  const wasOpen = read.filter((_, index) => known[index] && isOpen(known[index]))
  const sold = wasOpen.filter(({ listing }) => listing.state === 'sold')
  const removed = wasOpen.filter(({ listing }) => listing.state === 'removed')
  await importQueue.sales.bulkPut([
    ...sold.map((one) => saleOf(one)),
    ...[...gone, ...removed].map((one) => ({ ...saleOf(one), key: `${one.key}:ended`, ended: true as const })),
  ])
  // Report the sale instead. If the buyer cancels, the listing would look unchanged.
  await markUnsent(
    importQueue,
    sold.map(({ key }) => key),
  )
  await recordOnOffer(deps, counted, [
    ...(result.seen ?? []),
    ...read.filter(({ listing }) => listing.state === 'available'),
  ])
  const moved = { ...afterPage(page, failures), sold: (counted.sold ?? 0) + sold.length }
  return advanceCheck(deps, platform, moved, isLast)
}

/** Advances a check after an answer. Lists that were not understood say nothing about missing listings. */
async function advanceCheck(
  deps: Deps,
  platform: ScrapePlatform,
  scrape: ScrapeSession,
  isLast: boolean,
): Promise<ScrapeSession> {
  if (!isLast) return scrape
  if (scrape.looking && scrape.failed > 0) {
    const message = 'The list of active listings could not be read.'
    return { ...scrape, state: 'stopped', stop: { reason: 'page_changed', message }, driver: null }
  }
  // Checking one listing reads no lists, so none are missing.
  const more = scrape.looking || scrape.asked !== undefined ? await checkMissing(deps, platform, scrape) : null
  return more ? { ...scrape, ...more, looking: false } : { ...scrape, state: 'sent', looking: false, driver: null }
}

/** Records listings that a list shows. Their absence counts from now on. */
async function recordSeen({ importQueue, now }: Deps, scrape: ScrapeSession, refs: ListingRef[]): Promise<void> {
  await unseen(importQueue, scrape, refs)
  const known = await importQueue.listings.bulkGet(refs.map(({ listing_id }) => `${scrape.platform}:${listing_id}`))
  const back = known.flatMap((one) => (one?.gone ? [{ ...one, gone: 0 }] : []))
  await importQueue.listings.bulkPut(back)
  if (!scrape.ours_only)
    await storeUnread(importQueue, { platform: scrape.platform, shop: scrape.username, now: now() }, refs)
}

/** Records listings that are on offer although they hold their items. Nothing of this answer was read before `updated_at`. */
async function recordOnOffer(
  { importQueue, held }: Deps,
  { platform, username: shop, updated_at: seen_at }: ScrapeSession,
  shown: readonly { listing_id: string }[],
): Promise<void> {
  const ids = new Set(shown.map(({ listing_id }) => listing_id).filter((id) => held?.has(id)))
  const row = { platform, shop, seen_at, on_offer: true as const }
  await importQueue.sales.bulkPut(
    [...ids].map((listing_id) => ({ ...row, listing_id, key: `${platform}:${listing_id}:on_offer` })),
  )
}

/**
 * Moves unread listings to the end of the queue. A listing that is gone is not sold; if it returns, it is sent again.
 * Returns those that are gone and were for sale.
 */
async function recordUnread(
  { importQueue, now }: Deps,
  scrape: ScrapeSession,
  failures: readonly { listing_id: string }[],
  gone: readonly string[],
): Promise<CachedListing[]> {
  const ids = [...new Set([...failures.map(({ listing_id }) => listing_id), ...gone])]
  const known = await importQueue.listings.bulkGet(ids.map((id) => `${scrape.platform}:${id}`))
  const tried = known.flatMap((one) => {
    if (!one) return []
    const read_at = now()
    return gone.includes(one.listing_id)
      ? [{ ...one, read_at, sent_hash: null, gone: (one.gone ?? 0) + 1 }]
      : [{ ...one, read_at }]
  })
  await importQueue.listings.bulkPut(tried)
  return tried.filter((one) => gone.includes(one.listing_id) && isOpen(one))
}

function saleOf({ key, platform, shop, listing_id, read_at }: CachedListing): SeenSale {
  return { key, platform, shop, listing_id, seen_at: read_at }
}
