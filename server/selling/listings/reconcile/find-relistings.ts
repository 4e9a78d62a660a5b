import { withShopAccess } from '#server/integrations/connections/with-shop-access.ts'
import { PlatformError } from '#server/integrations/errors.ts'
import type { PlatformOrderLine, Relisting } from '#server/integrations/port.ts'
import { toReportedOrder } from '#server/selling/orders/to-reported-order.ts'
import { type ObservedSale, saleOfListing } from '#server/selling/sales/observed-sale.ts'
import type { Services } from '#server/services.ts'
import { newId } from '#shared/identity.ts'
import { platformOf } from '#shared/platforms.ts'
import { joinRelisting, type NewListing } from './join-relisting.ts'
import { type ComparedListing, type EarlierListing, matchRelisting } from './match-relisting.ts'
import * as sql from './queries.ts'
import { readLive } from './read-live.ts'
import type { Shop } from './visit-due-shops.ts'

/** Unknown listings read in a run. */
const readAtOnce = 25

/** Reads the listings of one shop. */
interface Reader {
  services: Services
  shop: Shop
  signal: AbortSignal | undefined
  /** The listing that a listing of this id replaces, where only the old one says so. */
  replaces?: ReadonlyMap<string, string>
}

interface Earlier extends EarlierListing {
  item_uid: string
  listing_id: string
  image: string | null
  undone: ObservedSale | null
}

/** Live listings of a shop, each with the time when it began. */
export type LiveListings = ReadonlyMap<string, string | null>

/** Joins what the live listings of a shop replace. `live`: all of them. */
export async function findRelistings(
  services: Services,
  shop: Shop,
  live: LiveListings,
  signal?: AbortSignal,
): Promise<void> {
  await services.db.none(sql.forgetEnded({ ...shop, live: [...live.keys()] }))
  await joinRelistings(services, shop, live, { signal, with_ordered: true })
}

/**
 * Reads the unknown ones of these listings of a shop, each once, and gives each to the item whose ended listing it
 * replaces. The seller is asked where that is not certain. `with_ordered`: also what orders without an item name.
 */
export async function joinRelistings(
  services: Services,
  shop: Shop,
  listings: LiveListings,
  { signal, with_ordered = false }: { signal?: AbortSignal | undefined; with_ordered?: boolean } = {},
): Promise<void> {
  if (!services.platforms.get(shop.platform)?.imports.readRelisting) return
  const given = { listing_ids: [...listings.keys()], began: [...listings.values()], with_ordered }
  const unread = await services.db.any(sql.findUnread({ ...shop, ...given, limit: readAtOnce }))
  for (const { listing_id } of unread) await readNew({ services, shop, signal }, listing_id)
}

/**
 * Finds the items of unknown listings that buyers ordered. The order itself asks where that is not certain, and one that
 * cannot be read now is read within the hour.
 */
export async function findRelistedOrdered(
  services: Services,
  shop: Shop,
  lines: readonly Pick<PlatformOrderLine, 'listing_id' | 'cancelled'>[],
  signal?: AbortSignal,
): Promise<void> {
  const ordered = lines.filter(({ listing_id, cancelled }) => !cancelled && listing_id !== '')
  if (ordered.length === 0) return
  try {
    await joinRelistings(services, shop, new Map(ordered.map(({ listing_id }) => [listing_id, null])), { signal })
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    services.log.info({ err: error, seller_account: shop.seller_account_uid }, 'an ordered listing could not be read')
  }
}

/**
 * Finds the listing that replaces an ended one: by the id that the marketplace names, else among the unknown live
 * listings. Returns whether the marketplace names one; null where a relisted listing keeps its id.
 */
export async function findReplacement(
  services: Services,
  shop: Shop,
  listing_id: string,
  signal?: AbortSignal,
): Promise<boolean | null> {
  const isNamed = await findNamedReplacement(services, shop, listing_id, signal)
  const live = isNamed === false ? await readLive(services, shop, signal) : null
  if (live) await findRelistings(services, shop, live, signal)
  return isNamed
}

/** Finds the listing that replaces an ended one by the id that the marketplace names, in one call if there is none. */
export async function findNamedReplacement(
  services: Services,
  shop: Shop,
  listing_id: string,
  signal?: AbortSignal,
): Promise<boolean | null> {
  if (!services.platforms.get(shop.platform)?.imports.readRelisting) return null
  const reader = { services, shop, signal }
  const old = await read(reader, listing_id)
  if (!old?.relisted_as) return false
  const [unknown] = await services.db.any(
    sql.findUnread({ ...shop, listing_ids: [old.relisted_as], began: [null], with_ordered: false, limit: 1 }),
  )
  if (unknown) await readNew({ ...reader, replaces: new Map([[old.relisted_as, listing_id]]) }, old.relisted_as)
  return true
}

function read({ services, shop, signal }: Reader, listing_id: string): Promise<Relisting | null> {
  return withShopAccess(
    services,
    shop,
    async (access, { imports }) => (await imports.readRelisting?.(access, listing_id)) ?? null,
    signal,
  )
}

async function readNew(reader: Reader, listing_id: string): Promise<void> {
  const { services, shop, replaces } = reader
  const found = await read(reader, listing_id)
  if (found) {
    const { listing } = found
    const relist_of = replaces?.get(listing_id) ?? found.relist_of
    const match = matchRelisting(shown(listing), await readEarlier(reader, listing, relist_of))
    if (match.verdict === 'one') await joinRelisting(services, shop, listing, match.earlier)
    else if (match.verdict === 'several' && listing.state === 'available') await ask(reader, listing, match.candidates)
  }
  await services.db.none(sql.recordRead({ ...shop, listing_id }))
}

/** Reads what the marketplace shows of each listing that the new one may replace. */
async function readEarlier(
  reader: Reader,
  listing: Relisting['listing'],
  relist_of: string | null,
): Promise<Earlier[]> {
  const { services, shop } = reader
  const { sku = null, title } = listing
  const rows = await services.db.any(sql.findEarlier({ ...shop, relist_of, sku, title }))
  const earlier: Earlier[] = []
  for (const row of rows) {
    const old = await read(reader, row.listing_id)
    const isNamed = row.is_parent || old?.relisted_as === listing.listing_id
    const isLive = old ? old.listing.state === 'available' : row.is_live
    const undone = isNamed && !isLive ? await readUndone(reader, row) : null
    const shownNow = old ? shown(old.listing) : { ...row, images: row.images }
    const { item_uid, listing_id, images } = row
    earlier.push({
      ...{ ...shownNow, sku: shownNow.sku ?? row.sku, item_uid, listing_id, image: images[0] ?? null },
      ...{ isNamed, isLive, isSold: row.bought_by !== null && undone === null, undone },
    })
  }
  return earlier
}

/**
 * Returns the end of the purchase by which a buyer has the item of a listing that the marketplace replaced: its order was
 * canceled or refunded, or it was never paid. Null where there is none.
 */
async function readUndone(
  { services, shop, signal }: Reader,
  row: { listing_id: string; bought_by: string | null; bought_source: string | null; bought_line: string | null } & {
    price_minor: number
    currency: string
  },
): Promise<ObservedSale | null> {
  if (row.bought_by === null) return null
  const seen_at = services.now().toISOString()
  if (row.bought_source !== 'platform') {
    return saleOfListing({ ...shop, ...row, observed_at: seen_at, status: 'cancelled', by: 'poll' })
  }
  const external_order_id = row.bought_by
  const order = await withShopAccess(
    services,
    shop,
    async (access, { orders }) => (await orders?.readOrder(access, external_order_id)) ?? null,
    signal,
  )
  const line = order?.lines.find((one) => one.external_line_id === row.bought_line)
  if (!order || !line || !(line.refunded || line.cancelled || order.status === 'cancelled')) return null
  const reported = toReportedOrder(shop, order)
  const lines = reported.lines.filter((one) => one.external_line_id === row.bought_line)
  return {
    order: { ...reported, lines: lines.map(({ refunded: _, ...one }) => ({ ...one, status: 'cancelled' })) },
    evidence: { by: 'poll', seen_at, note: 'it was listed again' },
  }
}

async function ask(
  { services, shop }: Reader,
  { title, ...listing }: Relisting['listing'],
  candidates: readonly ComparedListing<Earlier>[],
): Promise<void> {
  const { name } = platformOf(shop.platform)
  const { listing_id, url, price_minor, currency, sku, state, listed_at, terms, format } = listing
  const kept: NewListing = { listing_id, url, price_minor, currency, sku, state, listed_at, terms, format }
  const data = {
    ...{ listing_id, listing_url: url, seller_account_uid: shop.seller_account_uid },
    ...{ sold: { title, price_minor, currency }, relisting: kept },
    candidates: candidates.map(({ earlier, agrees, differs }) => ({
      ...{ inventory_item_uid: earlier.item_uid, title: earlier.title, image: earlier.image },
      ...{ price_minor: earlier.price_minor, currency: earlier.currency },
      agrees: agrees.filter((fact) => fact === 'title' || fact === 'sku'),
      differs: differs.filter((fact) => fact === 'title' || fact === 'price' || fact === 'other_listing'),
    })),
  }
  const which = candidates.length > 1 ? `${candidates.length} of your items` : `"${candidates[0]!.earlier.title}"`
  const message = `"${title}" is on ${name} under a new number, and may be ${which}. It is not ended when the item sells until you answer.`
  await services.db.none(
    sql.alertUnclear({ ...shop, uid: newId('alm'), listing_id, message, data: JSON.stringify(data) }),
  )
}

function shown({ title, price_minor, currency, sku, images }: Relisting['listing']) {
  return { title, price_minor, currency, sku: sku ?? null, images }
}
