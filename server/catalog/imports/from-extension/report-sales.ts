import { requireOpenAccount } from '#server/http/lock-user.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { saleContention } from '#server/selling/sales/contention.ts'
import { type SoldListing, saleOfListing } from '#server/selling/sales/observed-sale.ts'
import { recordSaleIn } from '#server/selling/sales/record-sale.ts'
import type { Services } from '#server/services.ts'
import type { ReportedSale } from '#shared/contract/extension.ts'
import type { ExtensionSlug } from '#shared/platforms.ts'
import { lockInventory } from '../deciding/move-listings.ts'
import * as sql from './queries.ts'
import { recordOnOffer } from './record-on-offer.ts'
import { recordSeenDown } from './record-seen-down.ts'

interface ListedRow {
  listing_id: string
  price_minor: number
  currency: string
  seller_account_uid: string
  platform: ExtensionSlug
  news: boolean
}

interface SalesReport {
  user_id: number
  platform: ExtensionSlug
  shop: { username: string }
  listing_ids: readonly string[]
  state?: 'sold' | 'on_offer' | 'ended'
  /** When their pages were read (ISO). */
  seen_at?: string
}

/**
 * Records listings that the extension saw as sold between imports, each in its own transaction. Repeating
 * a report changes nothing. A sale that the seller or an import reported before is `known`. A listing without an item
 * is `unmatched` and stored, because it may get its item later, and the seller is asked which item sold. Listings that are
 * on offer free the items that only their own sale holds. Listings that have ended end the tasks and alerts that ask for it.
 */
export async function reportSales(services: Services, report: SalesReport): Promise<{ results: ReportedSale[] }> {
  const listing_ids = [...new Set(report.listing_ids)]
  const { user_id, platform } = report
  if (report.state === 'on_offer' || report.state === 'ended') {
    const now = services.now().toISOString()
    const read_since = report.seen_at !== undefined && new Date(report.seen_at) < new Date(now) ? report.seen_at : now
    const reading = { user_id, platform, seller_account_uid: null, read_since }
    if (report.state === 'ended') await recordSeenDown(services, reading, listing_ids)
    const freed = report.state === 'ended' ? new Set() : await recordOnOffer(services, reading, listing_ids)
    return { results: listing_ids.map((id) => ({ listing_id: id, state: freed.has(id) ? 'freed' : 'known' })) }
  }
  const asked = { user_id, platform, username: report.shop.username }
  const listed = new Map<string, ListedRow>()
  const note = (rows: ListedRow[]) => {
    for (const row of rows) listed.set(row.listing_id, row)
  }
  note(await services.db.any(sql.findListed({ ...asked, listing_ids })))
  const others = listing_ids.filter((id) => !listed.has(id))
  if (others.length > 0) note(await keep(services, { ...asked, listing_ids: others }))
  const results: ReportedSale[] = []
  for (const listing_id of listing_ids) {
    const row = listed.get(listing_id)
    const state = !row ? 'unmatched' : row.news ? await record(services, user_id, row) : 'known'
    results.push({ listing_id, state })
  }
  const unmatched = results.filter(({ state }) => state === 'unmatched').map((one) => one.listing_id)
  if (unmatched.length === 0) return { results }
  const read = await services.db.any(sql.findRead({ ...asked, listing_ids: unmatched }))
  for (const row of read) await record(services, user_id, { ...row, platform, title: row.title ?? undefined })
  return { results }
}

/**
 * Stores reports of listings without an item, and returns those that have got one meanwhile. Giving items to listings
 * takes the same lock.
 */
function keep(
  services: Services,
  asked: {
    user_id: number
    platform: ExtensionSlug
    username: string
    listing_ids: string[]
  },
): Promise<ListedRow[]> {
  return transaction(
    services.db,
    'keep-reports',
    async (tx) => {
      await requireOpenAccount(tx, asked.user_id)
      await lockInventory(tx, asked.user_id)
      const rows = await tx.any(sql.findListed(asked))
      const listed = new Set(rows.map(({ listing_id }) => listing_id))
      await tx.none(sql.storeReports({ ...asked, listing_ids: asked.listing_ids.filter((id) => !listed.has(id)) }))
      return rows
    },
    saleContention,
  )
}

async function record(
  services: Services,
  user_id: number,
  row: Omit<SoldListing, 'observed_at'>,
): Promise<ReportedSale['state']> {
  const { lines } = await transaction(
    services.db,
    'reported-sale',
    (tx) => recordSaleIn(tx, user_id, saleOfListing({ ...row, observed_at: services.now().toISOString() })),
    saleContention,
  )
  const outcome = lines[0]?.outcome
  return outcome === 'sold' || outcome === 'oversell' ? outcome : 'known'
}
