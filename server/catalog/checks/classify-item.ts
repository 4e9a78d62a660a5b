import type { RowOf } from '#server/infra/db/statement.ts'
import type { SalePlace } from '#server/selling/sales/observed-sale.ts'
import type { Check } from '#shared/contract/catalog/checks.ts'
import type { ListingState } from '#shared/listing.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import { type Money, priceOnPlatform } from '#shared/price-change.ts'
import type { PriceRules } from '#shared/price-schemas.ts'
import type * as sql from './queries.ts'

/** Kinds of faults that a check of the whole inventory finds. */
export type FaultKind = 'sold_live' | 'listed_twice' | 'price_differs'

/** A listing of an item, as it was last read. */
export interface ListingFacts extends Money {
  platform: PlatformSlug
  seller_account_uid: string
  listing_id: string
  url: string
  state: ListingState
  /** A second live listing of the item on its platform. */
  extra: boolean
  price_difference: string | null
  /** A sale of this listing was cancelled, so that it being sold says nothing. */
  is_cancelled: boolean
  /** Hapax is ending it. */
  is_ending: boolean
  /** Fields that Hapax is sending to it. */
  sending: string[]
  alert_uid: string | null
  task_uid: string | null
  listed_at: string
}

/** A question of an import about a listing of an item that was sold, there or elsewhere. */
export interface ConflictFacts extends Money {
  job_uid: string
  item_uid: string
  platform: PlatformSlug
  seller_account_uid: string
  listing_id: string
  state: ListingState
  quantity: number | null
  url: string
  at: string
}

/** The order line that has an item. */
export interface Holder {
  platform: SalePlace
  listing_id: string
  /** The source of its order. */
  source: string
  order_uid: string
  at: string
}

export type ItemFacts = RowOf<typeof sql.readFacts>

/** A listing in a fault. */
export type FaultListing = ListingFacts & {
  item_uid: string | null
  to_mend: boolean
  /** The price in minor units that mending gives it. Only of a price below its rule. */
  new_price_minor?: number
}

/** A fault of an item. Its kind, item and reference name it. */
export interface Fault {
  kind: FaultKind
  /** The platform, the question of an import, or the other item; empty for one that is about all listings. */
  reference: string
  action: Check['action']
  listings: FaultListing[]
  since: string | null
  sold_on: SalePlace | null
  conflict: Check['conflict']
  /** The seller may accept it. */
  can_dismiss: boolean
}

export const isForSale = ({ state }: Pick<ListingFacts, 'state'>) => state === 'available' || state === 'reserved'

/** Returns the faults of an item. Pure. */
export function classifyItem(item: ItemFacts, rules: PriceRules): Fault[] {
  // A listing that Hapax is ending is no fault, until an alert says that it takes too long.
  const live = item.listings.filter((listing) => isForSale(listing) && (!listing.is_ending || listing.alert_uid))
  return [
    ...soldLive(item, live),
    ...item.conflicts.flatMap((asked) => askedFault(item, live, asked)),
    ...(item.state === 'sold' ? [] : [...listedTwice(item, live), ...belowRule(item, live, rules)]),
  ]
}

/** Checks an item that a buyer has, or that one of its listings shows as sold, by its other listings. */
function soldLive(item: ItemFacts, live: readonly ListingFacts[]): Fault[] {
  const { holder } = item
  const isHolder = ({ platform, listing_id }: ListingFacts) =>
    holder?.platform === platform && holder.listing_id === listing_id
  if (item.state === 'sold') {
    const sold = item.listings.find(({ state, is_cancelled }) => state === 'sold' && !is_cancelled)
    return soldFault(item, live, holder?.platform ?? sold?.platform ?? null, 'take_down', holder?.at ?? item.moved_at)
  }
  const onOffer = live.filter(({ state }) => state === 'available')
  if (holder)
    return soldFault(
      item,
      onOffer.filter((one) => !isHolder(one)),
      holder.platform,
      'take_down',
      holder.at,
    )
  const held = live.find(({ state }) => state === 'reserved')
  if (held) return soldFault(item, onOffer, held.platform, 'take_down', item.moved_at)
  // Nothing has said yet that the item is gone.
  const sold = item.listings.find(({ state, is_cancelled }) => state === 'sold' && !is_cancelled)
  return sold ? soldFault(item, [...onOffer, sold], sold.platform, 'record_sale', null) : []
}

function soldFault(
  item: ItemFacts,
  those: readonly ListingFacts[],
  sold_on: SalePlace | null,
  action: 'take_down' | 'record_sale',
  /** When it came to its state. */
  moved_at: string | null,
): Fault[] {
  const onOffer = those.filter(isForSale)
  if (onOffer.length === 0) return []
  const since = latest([moved_at, ...onOffer.map(({ listed_at }) => listed_at)])
  return [
    fault('sold_live', '', action, item, those, isForSale, { since, sold_on, can_dismiss: action === 'record_sale' }),
  ]
}

/**
 * Checks a question of an import about a sale: its listing may be the fault although no item has it yet. A listing that may
 * be live twice is only asked about by the import.
 */
function askedFault(item: ItemFacts, live: readonly ListingFacts[], asked: ConflictFacts): Fault[] {
  const known = item.listings.find((one) => one.platform === asked.platform && one.listing_id === asked.listing_id)
  const isSold = asked.state === 'sold'
  const isLive = isForSale(asked) && asked.quantity !== 0
  const others = live.filter((one) => one !== known)
  const conflict = { job_uid: asked.job_uid, item_uid: asked.item_uid }
  const listing: ListingFacts = {
    ...asked,
    ...{ extra: true, price_difference: null, listed_at: asked.at, is_cancelled: false, is_ending: false },
    ...{ sending: [], alert_uid: null, task_uid: null },
  }
  const more = { conflict, since: asked.at }
  if (isLive && item.state === 'sold') {
    // On the platform where the item sold it may be another thing under the same SKU, or that sale was cancelled.
    const soldThere = [
      item.holder?.platform,
      ...item.listings.filter(({ state }) => state === 'sold').map(({ platform }) => platform),
    ]
    if (soldThere.includes(asked.platform)) return []
    const sold_on = soldThere.find((place) => place !== undefined) ?? null
    return [fault('sold_live', asked.item_uid, 'take_down', item, [listing], () => true, { ...more, sold_on })]
  }
  if (isSold && item.state !== 'sold') {
    const elsewhere = others.filter(({ platform }) => platform !== asked.platform)
    if (elsewhere.length === 0) return []
    const those = [...elsewhere, listing]
    const about = { ...more, sold_on: asked.platform }
    return [fault('sold_live', asked.item_uid, 'record_sale', item, those, isForSale, about)]
  }
  return []
}

function listedTwice(item: ItemFacts, live: readonly ListingFacts[]): Fault[] {
  const platforms = [...new Set(live.map(({ platform }) => platform))]
  return platforms.flatMap((platform) => {
    const those = live.filter((one) => one.platform === platform)
    if (those.length < 2) return []
    const kept = listingToKeep(those)
    const since = latest(those.map(({ listed_at }) => listed_at))
    return [fault('listed_twice', platform, 'keep_one', item, those, (one) => one !== kept, { since })]
  })
}

/** Returns the listing that stays: one that a buyer holds, else the item's own, else the oldest. */
function listingToKeep(those: readonly ListingFacts[]): ListingFacts {
  return those.find(({ state }) => state === 'reserved') ?? those.find(({ extra }) => !extra) ?? those[0]!
}

/** Returns the fault of two items that are live on one platform and are the same thing by all that is known. */
export function twinFault(first: ItemFacts, second: ItemFacts, platform: PlatformSlug): Fault | null {
  const liveThere = (item: ItemFacts) =>
    item.listings
      .filter((one) => one.platform === platform && isForSale(one) && (!one.is_ending || one.alert_uid))
      .map((one) => ({ ...one, item_uid: item.uid, to_mend: item === second }))
  const listings = [...liveThere(second), ...liveThere(first)]
  if (!listings.some(({ to_mend }) => to_mend) || listings.every(({ to_mend }) => to_mend)) return null
  const about = { since: latest(listings.map(({ listed_at }) => listed_at)), can_dismiss: true }
  const made = fault('listed_twice', second.uid, 'keep_one', first, [], () => true, about)
  return { ...made, listings }
}

/** Checks the listings that are cheaper than the rule of their platform says. Any other price is the seller's choice. */
function belowRule(item: ItemFacts, live: readonly ListingFacts[], rules: PriceRules): Fault[] {
  if (item.is_auction || item.state === 'withdrawn' || item.price_minor <= 0) return []
  const priceOf = ({ platform }: ListingFacts) => (rules[platform] ? priceOnPlatform(item, rules[platform]) : 0)
  const isBelow = (one: ListingFacts) =>
    one.currency === item.currency && !one.sending.includes('price') && one.price_minor < priceOf(one)
  const those = live.filter(isBelow)
  if (those.length === 0) return []
  const found = fault('price_differs', '', 'set_price', item, those, isBelow, { can_dismiss: true })
  return [{ ...found, listings: found.listings.map((one) => ({ ...one, new_price_minor: priceOf(one) })) }]
}

function fault(
  kind: FaultKind,
  reference: string,
  action: Fault['action'],
  item: ItemFacts,
  those: readonly ListingFacts[],
  isToMend: (listing: ListingFacts) => boolean,
  about: Partial<Pick<Fault, 'since' | 'sold_on' | 'conflict' | 'can_dismiss'>>,
): Fault {
  const listings = those.map((one) => ({
    ...one,
    item_uid: item.listings.some(({ listing_id }) => listing_id === one.listing_id) ? item.uid : null,
    to_mend: isToMend(one),
  }))
  return {
    ...{ kind, reference, action, since: null, sold_on: null, conflict: null, can_dismiss: false, ...about },
    listings: [...listings.filter(({ to_mend }) => to_mend), ...listings.filter(({ to_mend }) => !to_mend)],
  }
}

/** Returns the facts of a fault as text. While they stay the same, it is the fault that the seller accepted. */
export function factsOf({ action, listings }: Fault): string {
  const parts = listings.map((one) => [one.platform, one.listing_id, one.price_minor, one.currency].join(' '))
  return [action, ...parts.sort()].join('\n')
}

/** Returns the latest of some instants, whose form is the same. */
const latest = (instants: readonly (string | null)[]): string | null =>
  instants.reduce(
    (one, other) => (other !== null && (one === null || Date.parse(other) > Date.parse(one)) ? other : one),
    null,
  )
