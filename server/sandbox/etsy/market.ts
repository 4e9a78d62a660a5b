import { createMarket as createEbayWorld } from '../ebay/market.ts'
import { createDice, type ItemKind } from '../ebay/shop.ts'
import { shopsAbroad } from './abroad.ts'
import { edgeCaseListings } from './edge-cases.ts'
import { plainListing, type SandboxListing, type SandboxShop, unitsLeft } from './listing.ts'
import { createReceipts, type ReceiptStatus, type SandboxReceipt } from './receipt.ts'
import { generateShop, listOnEtsy } from './shop.ts'

/** Changes since the market was built, as saved in the state file. */
export interface MarketChanges {
  /** Whole listings by id, with their shop; null for removed listings. */
  listings: Record<string, { shopId: number; listing: SandboxListing } | null>
  /** Absent before the first purchase. */
  receipts?: SandboxReceipt[]
}

/** An Etsy account, with or without a shop. */
export interface SandboxUser {
  userId: number
  name: string
  about: string
  shop: SandboxShop | null
}

/** A shop to add; an American one by default. */
type NewShop = Pick<SandboxShop, 'shopName'> &
  Partial<Pick<SandboxShop, 'currency' | 'country' | 'language' | 'about'>> & { listings?: SandboxListing[] }

/** Users, shops and listings of the sandbox Etsy, and the events that can happen to them. */
export interface EtsyMarket {
  users(): SandboxUser[]
  user(userId: number): SandboxUser | undefined
  shop(shopId: number): SandboxShop | undefined
  shopNamed(name: string): SandboxShop | undefined
  /** Returns a shop's listings of every state, newest first, as Etsy pages them. */
  listingsOf(shopId: number): SandboxListing[]
  find(listingId: number): { shopId: number; listing: SandboxListing } | undefined
  /** Returns a listing as it was `lagMs` ago. */
  seen(listingId: number, lagMs: number): { shopId: number; listing: SandboxListing } | undefined
  addShop(shop: NewShop): SandboxShop
  /** Begins or ends the vacation of a shop; a restart ends it, too. */
  setVacation(shopId: number, isOnVacation: boolean): void
  /** Lists an item; fields that are left out are plain. */
  add(shopId: number, listing: Partial<SandboxListing>): SandboxListing
  /** Edits a listing as its seller would. */
  change(listingId: number, changes: Partial<Omit<SandboxListing, 'listingId'>>): SandboxListing
  /**
   * Buys a listing, and with `and` further ones of the shop, and returns the receipt. `paid` false: the payment is
   * still processing. `status`: instead of the usual one. Throws when too few units are left.
   */
  buy(
    listingId: number,
    options?: { quantity?: number; paid?: boolean; and?: number[]; status?: ReceiptStatus },
  ): SandboxReceipt
  /** Changes a receipt. Cancelled and refunded items do not go back on sale. */
  pay(receiptId: number): SandboxReceipt
  ship(receiptId: number, parcel?: { carrier: string; tracking: string } | null): SandboxReceipt
  unship(receiptId: number): SandboxReceipt
  /** Sets what the buyer wrote with the order. */
  write(receiptId: number, note: string | null): SandboxReceipt
  cancel(receiptId: number): SandboxReceipt
  /** Refunds the amount given, or all of it. */
  refund(receiptId: number, amount?: number): SandboxReceipt
  /** Changes the date to ship by, in epoch seconds. */
  postpone(receiptId: number, shipBy: number): SandboxReceipt
  /** Changes the receipt's update time only. */
  touch(receiptId: number): SandboxReceipt
  receipt(receiptId: number): SandboxReceipt | undefined
  /** Returns a shop's receipts as they were `lagMs` ago. */
  receiptsOf(shopId: number, lagMs?: number): SandboxReceipt[]
  /** Sells units without a receipt. The listing is sold out when no unit is left. */
  sell(listingId: number, units?: number): SandboxListing
  /** Takes a listing off sale; `activate` puts it back. */
  deactivate(listingId: number): SandboxListing
  activate(listingId: number): SandboxListing
  expire(listingId: number): SandboxListing
  /** Renews a listing, which Etsy then shows first. */
  renew(listingId: number): SandboxListing
  /** Deletes a listing: every call about it then answers 404. */
  remove(listingId: number): void
  /** Counts down a listing's failures. Returns true when this call must fail. */
  takeFailure(listingId: number): boolean
  /** Returns listings that are the same physical items as on the sandbox eBay: [listing id, item id]. */
  twins(): [number, string][]
}

export interface MarketOptions {
  clock: () => Date
  changes?: MarketChanges
  /** Runs after each change, with all changes. */
  onChange?: (changes: MarketChanges) => void
  /** Shops besides, or instead of, the usual ones. */
  shops?: NewShop[]
  /** False: no usual shops. */
  usual?: boolean
}

/**
 * Builds the market: VintageVeraShop, shops of other countries, an empty shop and a user without one, the same at every
 * start.
 */
export function createMarket(options: MarketOptions): EtsyMarket {
  const { clock } = options
  const users = new Map<number, SandboxUser>()
  const shops = new Map<number, SandboxShop>()
  const listings = new Map<number, { shopId: number; listing: SandboxListing }>()
  const changes: MarketChanges = { listings: { ...options.changes?.listings } }
  if (options.changes?.receipts) changes.receipts = options.changes.receipts
  const twins: [number, string][] = []
  // Cache: sorting ten thousand listings for each page would dominate the page's time.
  const sorted = new Map<number, SandboxListing[]>()

  /** Earlier versions of listings, for reads with a lag. */
  const past = new Map<number, { until: number; was: { shopId: number; listing: SandboxListing } | undefined }[]>()
  const remember = (listingId: number) => {
    const now = clock().getTime()
    const recent = (past.get(listingId) ?? []).filter(({ until }) => until > now - 600_000)
    past.set(listingId, [...recent, { until: now, was: listings.get(listingId) }])
  }
  const put = (shopId: number, listing: SandboxListing) => {
    remember(listing.listingId)
    listings.set(listing.listingId, { shopId, listing })
    sorted.delete(shopId)
  }
  const drop = (listingId: number) => {
    remember(listingId)
    sorted.delete(listings.get(listingId)?.shopId ?? 0)
    listings.delete(listingId)
  }
  const keep = (listingId: number) => {
    changes.listings[String(listingId)] = listings.get(listingId) ?? null
    options.onChange?.(changes)
  }
  const seconds = () => Math.floor(clock().getTime() / 1000)
  const receipts = createReceipts({
    clock,
    kept: options.changes?.receipts ?? [],
    onChange(kept) {
      changes.receipts = kept
      options.onChange?.(changes)
    },
  })

  const addShop: EtsyMarket['addShop'] = ({ shopName, listings: own, ...given }) => {
    const shopId = 31_000_001 + shops.size
    const american = { currency: 'USD', country: 'US', language: 'en-US', about: 'A sandbox shop.' }
    const shop = { shopId, userId: 88_000_001 + users.size, shopName, ...american, ...given }
    shops.set(shopId, shop)
    users.set(shop.userId, { userId: shop.userId, name: shopName, about: shop.about, shop })
    for (const listing of own ?? []) put(shopId, listing)
    return shop
  }

  if (options.usual !== false) {
    const vera = verasListings()
    twins.push(...vera.twins)
    addShop({
      shopName: 'VintageVeraShop',
      about: `The Etsy shop of vintage_vera: ${vera.listings.length} listings, many of them also on eBay.`,
      listings: vera.listings,
    })
    addShop({
      shopName: 'KyotoKanaCrafts',
      currency: 'JPY',
      country: 'JP',
      about: 'Twelve small things, priced in yen.',
      listings: kanasListings(),
    })
    addShop({ shopName: 'EmptyEveShop', about: 'Has not listed anything yet.' })
    for (const shop of shopsAbroad()) addShop(shop)
    users.set(88_900_001, { userId: 88_900_001, name: 'buyer_bo', about: 'Buys only: has no shop.', shop: null })
  }
  for (const shop of options.shops ?? []) addShop(shop)
  for (const [listingId, change] of Object.entries(changes.listings)) {
    if (change === null) drop(Number(listingId))
    else put(change.shopId, change.listing)
  }

  const existing = (listingId: number) => {
    const found = listings.get(listingId)
    if (!found) throw new Error(`The sandbox Etsy has no listing ${listingId}.`)
    return found
  }
  const revise = (listingId: number, revision: Partial<SandboxListing>): SandboxListing => {
    const { shopId, listing } = existing(listingId)
    const revised = { ...listing, updated: seconds(), ...revision }
    put(shopId, revised)
    keep(listingId)
    return revised
  }

  const sell = (listingId: number, units: number): SandboxListing => {
    const { listing } = existing(listingId)
    if (unitsLeft(listing) < units) throw new Error(`Listing ${listingId} has fewer than ${units} left.`)
    const products = takeUnits(listing, units)
    const isOver = unitsLeft({ ...listing, products }) === 0
    return revise(listingId, { products, ...(isOver ? { state: 'sold_out' } : {}) })
  }

  return {
    users: () => [...users.values()],
    user: (userId) => users.get(userId),
    shop: (shopId) => shops.get(shopId),
    shopNamed: (name) => [...shops.values()].find(({ shopName }) => shopName === name),

    listingsOf(shopId) {
      const known = sorted.get(shopId)
      if (known) return known
      const own = [...listings.values()].filter((entry) => entry.shopId === shopId).map(({ listing }) => listing)
      own.sort((a, b) => b.created - a.created || b.listingId - a.listingId)
      sorted.set(shopId, own)
      return own
    },

    find: (listingId) => listings.get(listingId),
    seen(listingId, lagMs) {
      const at = clock().getTime() - lagMs
      const later = lagMs > 0 ? past.get(listingId)?.find(({ until }) => until > at) : undefined
      return later ? later.was : listings.get(listingId)
    },
    addShop,
    setVacation(shopId, isOnVacation) {
      const shop = shops.get(shopId)
      if (!shop) throw new Error(`The sandbox Etsy has no shop ${shopId}.`)
      shop.isOnVacation = isOnVacation
    },

    add(shopId, listing) {
      if (!shops.has(shopId)) throw new Error(`The sandbox Etsy has no shop ${shopId}.`)
      const highest = [...listings.keys()].reduce((high, id) => Math.max(high, id), 1_900_000_000)
      const added = plainListing({ listingId: highest + 1, originalCreated: seconds(), ...listing })
      put(shopId, added)
      keep(added.listingId)
      return added
    },

    change: (listingId, revision) => revise(listingId, revision),

    buy(listingId, { quantity = 1, paid = true, and = [], status } = {}) {
      const wanted = [{ listingId, quantity }, ...and.map((other) => ({ listingId: other, quantity: 1 }))]
      const { shopId } = existing(listingId)
      const purchases = wanted.map((want) => {
        const { listing, shopId: owner } = existing(want.listingId)
        if (owner !== shopId) throw new Error(`Listing ${want.listingId} is of another shop.`)
        if (shops.get(shopId)?.isOnVacation) throw new Error(`Shop ${shopId} is on vacation.`)
        if (listing.state !== 'active') throw new Error(`Listing ${want.listingId} is ${listing.state}.`)
        sell(want.listingId, want.quantity)
        return { listing, quantity: want.quantity }
      })
      return receipts.make(shopId, purchases, { isPaid: paid, status })
    },
    receipt: receipts.find,
    pay: receipts.pay,
    ship: receipts.ship,
    unship: receipts.unship,
    write: receipts.write,
    cancel: receipts.cancel,
    refund: receipts.refund,
    postpone: receipts.postpone,
    touch: receipts.touch,
    receiptsOf: (shopId, lagMs = 0) => receipts.ofShop(shopId, lagMs),
    sell: (listingId, units = 1) => sell(listingId, units),

    deactivate: (listingId) => revise(listingId, { state: 'inactive' }),
    activate: (listingId) => revise(listingId, { state: 'active' }),
    expire: (listingId) => revise(listingId, { state: 'expired' }),
    renew: (listingId) => revise(listingId, { state: 'active', created: seconds() }),

    remove(listingId) {
      existing(listingId)
      drop(listingId)
      keep(listingId)
    },

    takeFailure(listingId) {
      const { listing } = existing(listingId)
      if (listing.failures === 'always') return true
      if (listing.failures === 0) return false
      revise(listingId, { failures: listing.failures - 1 })
      return true
    },

    twins: () => twins,
  }
}

/** Takes units from the first products that have some. */
function takeUnits(listing: SandboxListing, units: number): SandboxListing['products'] {
  let open = units
  return listing.products.map((product) => {
    const taken = product.isEnabled ? Math.min(open, product.quantity) : 0
    open -= taken
    return { ...product, quantity: product.quantity - taken }
  })
}

/** Returns every second item of vintage_vera as listed on Etsy, items of her own, and the edge cases. */
function verasListings(): { listings: SandboxListing[]; twins: [number, string][] } {
  const dice = createDice(77)
  const onEbay = createEbayWorld({ clock: () => new Date(0) })
    .itemsOf('vintage_vera')
    .filter(({ itemId, status }) => itemId.startsWith('2761') && status === 'Active')
    .filter((_, index) => index % 2 === 0)
    .slice(0, 112)
  const twins: [number, string][] = []
  const same = onEbay.map((item, index) => {
    const listingId = 1_600_000_000 + index * 53
    twins.push([listingId, item.itemId])
    const sku = dice.chance(0.5) ? `ETSY-${String(index + 1).padStart(3, '0')}` : ''
    return listOnEtsy(item, { listingId, sku, dice })
  })
  const kinds: ItemKind[] = ['clothing', 'camera', 'book']
  const own = generateShop({ count: 42, seed: 91, firstId: 1_620_000_000, skuPrefix: 'VEX', kinds })
  return { listings: [...same, ...own, ...edgeCaseListings()], twins }
}

function kanasListings(): SandboxListing[] {
  return generateShop({ count: 12, seed: 31, firstId: 1_630_000_000, skuPrefix: 'KANA' }).map((listing) => ({
    ...listing,
    currency: 'JPY',
    divisor: 1,
    products: listing.products.map((product) => ({ ...product, amount: Math.round(product.amount * 1.5) })),
  }))
}
