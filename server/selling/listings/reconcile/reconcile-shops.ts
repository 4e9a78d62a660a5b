import { transaction } from '#server/infra/db/transaction.ts'
import { withShopAccess } from '#server/integrations/connections/with-shop-access.ts'
import type { LiveState } from '#server/integrations/port.ts'
import { resolveSeenDown } from '#server/selling/alerts/say-ended.ts'
import { saleContention } from '#server/selling/sales/contention.ts'
import { listUnpaidPurchases, type Purchase, recordUnpaidPurchase } from '#server/selling/sales/unpaid-purchases.ts'
import type { Services } from '#server/services.ts'
import { newId } from '#shared/identity.ts'
import { platformOf } from '#shared/platforms.ts'
import { emitListingEvent } from '../operations/listing-events.ts'
import * as listingsSql from '../queries.ts'
import { findRelistings, type LiveListings } from './find-relistings.ts'
import * as sql from './queries.ts'
import { readLive } from './read-live.ts'
import { findRelisted, recordRelisted } from './record-relisted.ts'
import { type Shop, visitDueShops } from './visit-due-shops.ts'

interface LiveRow extends Purchase {
  item_uid: string
  url: string
  /** An order that held it is over, and the item is free. */
  is_left_over: boolean
}

/** Our ids compared in one step. */
const atATime = 2_000

/** Listings read one by one in a run. The rest waits an hour. */
const lookedAt = 100

/**
 * Compares our listings with what the platforms show, each shop once an hour. A listing that its seller ended on the
 * platform is recorded as ended, and a relisted one as live, under its new id where it has one. Each difference is verified by reading the listing. A
 * listing sold without an order holds its item. A listing with an open operation is left to that. Returns how many
 * shops were read.
 *
 * With so many shops that this would take more than a third of a platform's calls, the interval grows beyond an hour.
 */
export async function reconcileShops(
  services: Services,
  { limit, signal }: { limit: number; signal?: AbortSignal },
): Promise<number> {
  const platforms = [...services.platforms.values()].map(({ slug }) => slug)
  const due = { claim: sql.claimShopsToReconcile, platforms, limit, problem: 'a shop could not be reconciled', signal }
  return visitDueShops(services, due, (shop) => reconcileShop(services, shop, signal))
}

async function reconcileShop(services: Services, shop: Shop, signal?: AbortSignal): Promise<void> {
  if (!(await services.db.oneOrNone(sql.holdsAnyListing(shop)))) return
  // Listings that change while the platform is read are not compared.
  const { asked_at } = await services.db.one<{ asked_at: string }>('select now() as asked_at')
  const live = await readLive(services, shop, signal)
  if (!live) return
  await recordVacation(services, shop, signal)
  const missing = await findMissing(services, shop, asked_at, live)
  const stateOf = (listing_id: string) => readState(services, shop, listing_id, signal)
  for (const listing of missing) {
    const state = await stateOf(listing.listing_id)
    if (state === 'ended' || state === 'missing' || (state === 'sold' && listing.is_left_over))
      await recordEnded(services, shop, listing)
    else if (state === 'expired') await recordEnded(services, shop, listing, 'expired')
    else if (state === 'sold') await recordUnpaidPurchase(services, shop, listing, 'pending')
  }
  for (const held of await listUnpaidPurchases(services.db, shop)) {
    const state = live.has(held.listing_id) ? 'live' : await stateOf(held.listing_id)
    if (state !== null && state !== 'sold') await recordUnpaidPurchase(services, shop, held, 'cancelled')
  }
  const on_offer = [...live.keys()]
  await resolveSeenDown(services.db, { ...shop, read_since: asked_at, on_offer })
  const seen = { ...shop, job_uid: null }
  for (const { listing_id } of (await findRelisted(services.db, seen, on_offer)).slice(0, lookedAt)) {
    if ((await stateOf(listing_id)) === 'live') {
      await transaction(services.db, 'record-relisted', (tx) => recordRelisted(tx, seen, [listing_id]), saleContention)
    } else {
      await services.db.none(sql.recordStillEnded({ ...shop, listing_id }))
    }
  }
  if (services.platforms.get(shop.platform)?.imports.readRelisting) await findRelistings(services, shop, live, signal)
}

/** Finds listings that are live here and missing there, at most one run's worth, in steps for large shops. */
async function findMissing(services: Services, shop: Shop, asked_at: string, live: LiveListings): Promise<LiveRow[]> {
  const missing: LiveRow[] = []
  for (let after = ''; missing.length < lookedAt; ) {
    const page = await services.db.any(
      sql.listLiveIds({
        ...shop,
        asked_at,
        after,
        limit: atATime,
      }),
    )
    const listing_ids = page.map(({ listing_id }) => listing_id).filter((id) => !live.has(id))
    if (listing_ids.length > 0) missing.push(...(await services.db.any(sql.findLiveOfShop({ ...shop, listing_ids }))))
    if (page.length < atATime) break
    after = page.at(-1)!.listing_id
  }
  return missing.slice(0, lookedAt)
}

/** Reads the state of one listing. Null where it cannot be read. */
function readState(
  services: Services,
  shop: Shop,
  listing_id: string,
  signal?: AbortSignal,
): Promise<LiveState | null> {
  return withShopAccess(
    services,
    shop,
    async (access, { listings }) => (listings ? listings.readState(access, listing_id) : null),
    signal,
  )
}

/** Records whether the shop is on vacation, where the platform says that. */
async function recordVacation(services: Services, shop: Shop, signal?: AbortSignal): Promise<void> {
  const on_vacation = await withShopAccess(
    services,
    shop,
    async (access, { imports }) => (await imports.readVacation?.(access)) ?? null,
    signal,
  )
  if (on_vacation !== null) await services.db.none(sql.recordVacation({ ...shop, on_vacation }))
}

/** Records that a listing has ended on the platform. The seller is told of an expired one. */
async function recordEnded(services: Services, shop: Shop, listing: LiveRow, reason?: 'expired'): Promise<void> {
  await transaction(services.db, 'record-ended-outside', async (tx) => {
    const ended = await tx.oneOrNone(sql.endOutside({ ...shop, ...listing }))
    if (!ended) return
    await tx.none(listingsSql.touchItem({ ...shop, item_uid: listing.item_uid }))
    const about = {
      ...shop,
      ...listing,
      id: '',
      listing_url: listing.url,
      cause: 'reconcile' as const,
      cause_ref: null,
    }
    if (reason) {
      const where = `expired on ${platformOf(shop.platform).name} after four months`
      const question = 'Renew it there, or list it again here, for $0.20?'
      await tx.none(sql.alertExpired({ ...shop, ...listing, uid: newId('alm'), words: `" ${where}. ${question}` }))
    }
    await emitListingEvent(tx, 'listing.delisted', about, reason ? { reason } : {})
  })
}
