import { createHash } from 'node:crypto'
import { sellersAbroad } from './abroad.ts'
import { auctionItems, edgeCaseItems } from './edge-cases.ts'
import { type SandboxItem, type SandboxSeller, unitsLeft } from './item.ts'
import { createOrderBook, type OrderChange, type SandboxOrder } from './orders.ts'
import { generateItems, type ItemKind, plainItem } from './shop.ts'

/** Changes since the market was built, as saved in the state file. */
export interface MarketChanges {
  /** Whole items by id, with their seller; null for removed items. */
  items: Record<string, { seller: string; item: SandboxItem } | null>
  /** Every order, by id. */
  orders?: Record<string, SandboxOrder>
}

/** A seller to add; one of eBay US by default. */
type NewSeller = Pick<SandboxSeller, 'username'> &
  Partial<Pick<SandboxSeller, 'about' | 'marketplaceId' | 'relistsCanceled'>> & { items?: SandboxItem[] }

/** Sellers and items of the sandbox eBay, and the events that can happen to them. */
export interface EbayMarket {
  sellers(): SandboxSeller[]
  seller(username: string): SandboxSeller | undefined
  /** Returns a seller's items of every status, in order of listing. */
  itemsOf(username: string): SandboxItem[]
  find(itemId: string): { seller: string; item: SandboxItem } | undefined
  /** Returns an item as it was `lagMs` ago. */
  seen(itemId: string, lagMs: number): { seller: string; item: SandboxItem } | undefined
  addSeller(seller: NewSeller): SandboxSeller
  /** Lists an item; fields that are left out are plain. */
  add(username: string, item: Partial<SandboxItem>): SandboxItem
  /** Edits a listing as its seller would. */
  change(itemId: string, changes: Partial<Omit<SandboxItem, 'itemId'>>): SandboxItem
  /** Sells units with a paid order. The listing completes when no unit is left. */
  sell(itemId: string, units?: number): SandboxItem
  /** Sells units and returns the order. `also`: further items of the seller in the same order, one unit each. */
  buy(itemId: string, given?: { quantity?: number; also?: string[]; payment?: SandboxOrder['payment'] }): SandboxOrder
  /** Sells a unit by an accepted offer or an auction: there is no order until the buyer pays. */
  acceptOffer(itemId: string): SandboxItem
  /** Pays for an item sold by `acceptOffer`, which creates the order. */
  pay(itemId: string): SandboxOrder
  /** Returns a seller's orders as they were `lagMs` ago, newest first. */
  ordersOf(username: string, lagMs?: number): SandboxOrder[]
  order(orderId: string, lagMs?: number): SandboxOrder | undefined
  /** Marks an order paid, refunded or shipped. */
  changeOrder(orderId: string, change: OrderChange): SandboxOrder
  /**
   * Cancels and refunds an order. eBay relists the single piece of an order by itself, unless the seller has switched
   * that off (the box is ticked since May 2019: Spring Seller Update).
   */
  cancelOrder(orderId: string): SandboxOrder
  /** Refunds a returned order. eBay relists its single piece "once a returned item is marked as received" (Post-Order 2.8.0, RelistStatusEnum). */
  returnOrder(orderId: string): SandboxOrder
  /** Cancels a purchase that was never paid, which has no order. eBay relists the listing as after a cancellation. */
  cancelUnpaid(itemId: string): SandboxItem
  /**
   * Relists an ended listing under a new id ("each call results in a new listing with a different item ID", RelistItem),
   * which names the old one as RelistParentID and is its ListingDetails.RelistedItemID.
   */
  relist(itemId: string, changes?: Partial<Omit<SandboxItem, 'itemId'>>): SandboxItem
  /** Sets the preference "Automatically relist canceled items". */
  setRelisting(username: string, relistsCanceled: boolean): void
  /** Ends a listing unsold. */
  end(itemId: string): SandboxItem
  /** Deletes a listing: every call about it then fails with error 17. */
  remove(itemId: string): void
  /** Counts down an item's failures. Returns true when this call must fail. */
  takeFailure(itemId: string): boolean
}

export interface MarketOptions {
  clock: () => Date
  changes?: MarketChanges
  /** Runs after each change, with all changes. */
  onChange?: (changes: MarketChanges) => void
  /** Sellers besides, or instead of, the usual ones. */
  sellers?: NewSeller[]
  /** False: no usual sellers. */
  usual?: boolean
}

/**
 * Builds the market: vintage_vera (271 active listings), camera_carl (30), bidding_ben (3), empty_eve and no_policies_ned, the same at
 * every start but for the ends of auctions.
 */
export function createMarket(options: MarketOptions): EbayMarket {
  const { clock } = options
  const sellers = new Map<string, SandboxSeller>()
  const items = new Map<string, { seller: string; item: SandboxItem }>()
  const changes: MarketChanges = { items: { ...options.changes?.items }, orders: { ...options.changes?.orders } }
  const book = createOrderBook({
    clock,
    kept: changes.orders ?? {},
    onChange(orders) {
      changes.orders = orders
      options.onChange?.(changes)
    },
  })

  /** Listings that end by themselves. */
  const auctions = new Set<string>()
  /** Earlier versions of items, for reads with a lag. */
  const past = new Map<string, { until: number; was: { seller: string; item: SandboxItem } | undefined }[]>()
  const put = (seller: string, item: SandboxItem) => {
    remember(item.itemId)
    items.set(item.itemId, { seller, item })
    if (item.endsAt !== undefined) auctions.add(item.itemId)
  }
  const remember = (itemId: string) => {
    const now = clock().getTime()
    const recent = (past.get(itemId) ?? []).filter(({ until }) => until > now - 600_000)
    past.set(itemId, [...recent, { until: now, was: items.get(itemId) }])
  }
  const keep = (itemId: string) => {
    changes.items[itemId] = items.get(itemId) ?? null
    options.onChange?.(changes)
  }
  const addSeller: EbayMarket['addSeller'] = ({ items: own = [], ...given }) => {
    const { username } = given
    const seller = { userId: userIdOf(username), about: 'A sandbox seller.', marketplaceId: 'EBAY_US', ...given }
    sellers.set(username, seller)
    for (const item of own) put(username, item)
    return seller
  }

  if (options.usual !== false) for (const seller of usualSellers(clock())) addSeller(seller)
  for (const seller of options.sellers ?? []) addSeller(seller)
  for (const [itemId, change] of Object.entries(changes.items)) {
    if (change === null) items.delete(itemId)
    else {
      items.set(itemId, change)
      if (change.item.endsAt !== undefined) auctions.add(itemId)
    }
  }

  /**
   * Ends the auctions whose time is over: with a bid they are sold to a buyer who has yet to pay. Unsold ones with
   * "Relist automatically" are relisted, up to eight times (eBay's help).
   */
  const settleAuctions = () => {
    const now = clock().toISOString()
    for (const itemId of [...auctions]) {
      const { status, endsAt = '', bids = 0 } = items.get(itemId)?.item ?? {}
      if (status === 'Active' && endsAt > now) continue
      auctions.delete(itemId)
      if (status !== 'Active') continue
      const sold = bids > 0 ? { quantitySold: 1, awaitsPayment: true } : {}
      const { relistsLeft = 0 } = revise(itemId, { status: 'Completed', endTime: endsAt, ...sold })
      if (bids > 0 || relistsLeft === 0) continue
      const next = new Date(Date.parse(endsAt) + 7 * 86_400_000).toISOString()
      relist(itemId, { startTime: endsAt, endsAt: next, relistsLeft: relistsLeft - 1 })
    }
  }
  const existing = (itemId: string) => {
    settleAuctions()
    const found = items.get(itemId)
    if (!found) throw new Error(`The sandbox eBay has no item ${itemId}.`)
    return found
  }
  const revise = (itemId: string, revision: Partial<SandboxItem>): SandboxItem => {
    const { seller, item } = items.get(itemId) ?? existing(itemId)
    const revised = { ...item, ...revision }
    put(seller, revised)
    keep(itemId)
    return revised
  }

  const take = (itemId: string, units: number): SandboxItem => {
    const { item } = existing(itemId)
    if (unitsLeft(item) < units) throw new Error(`Item ${itemId} has fewer than ${units} left.`)
    const sold = { ...item, quantitySold: item.quantitySold + units, variations: sellVariation(item, units) }
    const isOver = unitsLeft(sold) === 0
    return revise(itemId, { ...sold, ...(isOver ? { status: 'Completed', endTime: clock().toISOString() } : {}) })
  }
  const buy: EbayMarket['buy'] = (itemId, { quantity = 1, also = [], payment = 'PAID' } = {}) => {
    const { seller } = existing(itemId)
    if (also.some((other) => existing(other).seller !== seller)) throw new Error('An order is of one seller.')
    const units = [{ itemId, quantity }, ...also.map((other) => ({ itemId: other, quantity: 1 }))]
    const taken = units.map((unit) => ({ item: take(unit.itemId, unit.quantity), quantity: unit.quantity }))
    return book.place(seller, taken, { payment })
  }

  const add: EbayMarket['add'] = (username, item) => {
    if (!sellers.has(username)) throw new Error(`The sandbox eBay has no seller ${username}.`)
    const highest = Math.max(287_000_000_000, ...[...items.keys()].map(Number))
    const added = plainItem({ itemId: String(highest + 1), startTime: clock().toISOString(), ...item })
    put(username, added)
    keep(added.itemId)
    return added
  }
  const relist: EbayMarket['relist'] = (itemId, changes = {}) => {
    const { seller, item } = items.get(itemId) ?? existing(itemId)
    const { itemId: relistParentId, endTime: _end, relistedItemId: _next, ...copied } = item
    const fresh = {
      status: 'Active',
      quantitySold: 0,
      bids: 0,
      endTime: null,
      startTime: clock().toISOString(),
    } as const
    const picturesOf = item.picturesOf ?? itemId
    const added = add(seller, { ...copied, ...fresh, awaitsPayment: false, picturesOf, relistParentId, ...changes })
    revise(itemId, { relistedItemId: added.itemId })
    return added
  }
  /** Relists the single piece of a purchase that came to nothing. */
  const relistAfter = (itemId: string) => {
    const { seller, item } = existing(itemId)
    if (sellers.get(seller)!.relistsCanceled !== false && item.quantity === 1 && item.status === 'Completed')
      relist(itemId)
  }
  const giveBack = (orderId: string, change: OrderChange): SandboxOrder => {
    const order = book.change(orderId, { ...change, payment: 'FULLY_REFUNDED' })
    if (order.lines.length === 1) relistAfter(order.lines[0]!.itemId)
    return order
  }

  return {
    sellers: () => [...sellers.values()],
    seller: (username) => sellers.get(username),
    itemsOf(username) {
      settleAuctions()
      return [...items.values()]
        .filter(({ seller }) => seller === username)
        .map(({ item }) => item)
        .sort((a, b) => (`${a.startTime} ${a.itemId}` < `${b.startTime} ${b.itemId}` ? -1 : 1))
    },
    find(itemId) {
      settleAuctions()
      return items.get(itemId)
    },
    seen(itemId, lagMs) {
      settleAuctions()
      const at = clock().getTime() - lagMs
      const later = lagMs > 0 ? past.get(itemId)?.find(({ until }) => until > at) : undefined
      return later ? later.was : items.get(itemId)
    },
    addSeller,

    add,

    change: (itemId, revision) => revise(itemId, revision),

    sell(itemId, units = 1) {
      buy(itemId, { quantity: units })
      return existing(itemId).item
    },
    buy,
    acceptOffer(itemId) {
      take(itemId, 1)
      return revise(itemId, { awaitsPayment: true })
    },
    pay(itemId) {
      const { seller } = existing(itemId)
      return book.place(seller, [{ item: revise(itemId, { awaitsPayment: false }), quantity: 1 }], {})
    },
    ordersOf: book.ordersOf,
    order: book.order,
    changeOrder: book.change,
    cancelOrder: (orderId) => giveBack(orderId, { cancel: 'CANCELED' }),
    returnOrder: (orderId) => giveBack(orderId, {}),
    cancelUnpaid(itemId) {
      const canceled = revise(itemId, { awaitsPayment: false, quantitySold: 0 })
      relistAfter(itemId)
      return canceled
    },
    relist,
    setRelisting(username, relistsCanceled) {
      sellers.set(username, { ...sellers.get(username)!, relistsCanceled })
    },

    end: (itemId) => revise(itemId, { status: 'Ended', endTime: clock().toISOString() }),

    remove(itemId) {
      existing(itemId)
      remember(itemId)
      items.delete(itemId)
      keep(itemId)
    },

    takeFailure(itemId) {
      const { item } = existing(itemId)
      if (item.failures === 'always') return true
      if (item.failures === 0) return false
      revise(itemId, { failures: item.failures - 1 })
      return true
    },
  }
}

/** Takes units from the first variations that have some. */
function sellVariation(item: SandboxItem, units: number): SandboxItem['variations'] {
  let open = units
  return item.variations.map((variation) => {
    const taken = Math.min(open, variation.quantity - variation.quantitySold)
    open -= taken
    return { ...variation, quantitySold: variation.quantitySold + taken }
  })
}

/** Returns eBay's immutable user id, derived from the name. */
function userIdOf(username: string): string {
  return createHash('sha256').update(username).digest('base64url').slice(0, 12)
}

function usualSellers(now: Date): NewSeller[] {
  const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000).toISOString()
  const over = (items: SandboxItem[], sold: boolean) =>
    items.map((item, index) => ({
      ...item,
      status: 'Completed' as const,
      quantitySold: sold ? 1 : 0,
      startTime: daysAgo(90 - index),
      endTime: daysAgo(3 + index * 3),
    }))
  const shop = (count: number, firstId: number, seed: number, skuPrefix: string, kinds: ItemKind[]) =>
    generateItems({ count, firstId, seed, skuPrefix, kinds })
  const mixed: ItemKind[] = ['clothing', 'clothing', 'clothing', 'camera', 'book']
  return [
    {
      username: 'vintage_vera',
      about: 'Clothes, cameras and books: 271 listings, some of them awkward.',
      items: [
        ...shop(244, 276_100_000_001, 11, 'VV', mixed),
        ...edgeCaseItems(now),
        ...over(shop(14, 276_200_000_001, 12, 'VS', mixed), true),
        ...over(shop(9, 276_300_000_001, 13, 'VU', mixed), false),
      ],
    },
    {
      username: 'camera_carl',
      about: 'Thirty cameras.',
      items: shop(30, 277_100_000_001, 21, 'CC', ['camera']),
    },
    { username: 'bidding_ben', about: 'Auctions with bids, one of them in its last hours.', items: auctionItems(now) },
    { username: 'empty_eve', about: 'Has not listed anything yet.', items: [] },
    { username: 'no_policies_ned', about: 'Uses no business policies.', items: [] },
    ...sellersAbroad(),
  ]
}
