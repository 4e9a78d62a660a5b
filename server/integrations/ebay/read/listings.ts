import type { ImportPort, ListingPage, ShopAccess } from '#server/integrations/port.ts'
import { shortfall } from '#shared/import-issues.ts'
import type { ImportState, Listing, ListingFailure } from '#shared/listing.ts'
import { isListingFailure } from '#shared/listing.ts'
import type { Trading } from '../client.ts'
import { WireItemLeft, WireItemName, WireItemOffer } from '../wire.ts'
import { cursorOf, type Position, positionOf } from './cursor.ts'
import { type Entry, readItems, readOneItem } from './items.ts'
import { normalizeItem, offeredAs, type SellingList } from './normalize.ts'
import { readRelisting } from './relisting.ts'
import { createSellerList, type Window } from './seller-list.ts'
import { readCount, readSellingPage, readUnpaid } from './selling.ts'

/** The list of "My eBay" for each state. eBay has no inactive listings. */
const lists = { active: 'ActiveList', sold: 'SoldList', ended: 'UnsoldList' } satisfies Partial<
  Record<ImportState, SellingList>
>
const states = ['active', 'sold', 'ended'] as const
type State = (typeof states)[number]

/** Maximum earlier pages to search for listings that moved forward. */
const pagesBack = 5

interface ListingsOptions {
  now?: (() => Date) | undefined
}

/**
 * Creates the reader of a shop's listings. GetSellerList returns each listing without its
 * item specifics (brand, size, color), which only GetItem has. Listings that are not sold are therefore read by GetItem
 * too, until the day's calls are used up. The cursor names the window and the page.
 */
export function createListings(trading: Trading, { now = () => new Date() }: ListingsOptions = {}): ImportPort {
  const sellerList = createSellerList(trading)

  return {
    states,

    async readPage(access, request): Promise<ListingPage> {
      const wanted = states.filter((state) => request.states.includes(state))
      const windows = windowsOf(wanted)
      const [firstWindow] = windows
      if (!firstWindow) return { listings: [], failures: [], nextCursor: null, total: 0 }
      const resumed = request.cursor === null ? null : positionOf(request.cursor, windows)
      const position = resumed ?? (await begin(access, firstWindow, wanted))
      const { window } = position

      const page = await sellerList.readPage(access, position)
      const here = entriesOfPage(page.items, window, position.page)
      const moved = await readMoved(access, position)
      const entries = distinct([...moved, ...here.entries])
        .filter(({ item }) => isWanted(item, window, wanted))
        .map((entry) => ({ ...entry, listed: listedOf(entry, window, access, now()) }))
        .filter(({ listed }) => !listed || belongs(listed.listing, window, wanted))
      const results = await readItems(trading, access, entries)
      const following = page.hasMore ? window : windows[windows.indexOf(window) + 1]
      const next: Position | null = following
        ? {
            ...position,
            window: following,
            page: page.hasMore ? position.page + 1 : 1,
            seen: page.hasMore ? here.entries.map((entry) => entry.listing_id) : [],
          }
        : null
      return {
        listings: results.filter(
          (result): result is Listing => !isListingFailure(result) && belongs(result, window, wanted),
        ),
        failures: [
          ...results.filter(isListingFailure),
          ...here.failures,
          ...(page.short ? [shortPage(page.short)] : []),
        ],
        nextCursor: next && cursorOf(next),
        total: position.total,
      }
    },

    readOne: (access, listingId) => readOneItem(trading, access, { listing_id: listingId, list: null, listed: null }),

    async readLiveIds(access, cursor) {
      const page = Number(cursor ?? 1)
      const { entries, hasMore } = await readSellingPage(trading, access, page)
      const onOffer = entriesOfPage(entries.filter(isOnOffer), 'active', page).entries
      return {
        ids: onOffer.map(({ listing_id }) => listing_id),
        began: onOffer.map(({ item }) => WireItemName.parse(item).ListingDetails?.StartTime?.trim() ?? null),
        nextCursor: hasMore ? String(page + 1) : null,
      }
    },

    readRelisting: (access, listingId) => readRelisting(trading, access, listingId),

    async readUnpaidIds(access) {
      return entriesOfPage(await readUnpaid(trading, access), 'past', 1).entries.map(({ listing_id }) => listing_id)
    },
  }

  async function begin(access: ShopAccess, window: Window, wanted: readonly State[]): Promise<Position> {
    const at = now().toISOString()
    const total = await readCount(
      trading,
      access,
      wanted.map((state) => lists[state]),
    )
    return { window, page: 1, at, seen: [], total }
  }

  /**
   * Returns listings that moved forward onto a page that was already read. This happens when earlier ones are deleted
   * or renewed for another month. Reads pages backwards until one has a listing that was seen before.
   */
  async function readMoved(access: ShopAccess, position: Position): Promise<ListedEntry[]> {
    const moved: ListedEntry[] = []
    if (position.seen.length === 0) return moved
    for (let back = position.page - 1; back >= 1 && back >= position.page - pagesBack; back--) {
      const items = await sellerList.readIds(access, { ...position, page: back })
      const there = entriesOfPage(items, position.window, back).entries
      const unseen = there.filter((entry) => !position.seen.includes(entry.listing_id))
      // These pages have ids only.
      moved.unshift(...unseen.map((entry) => ({ ...entry, item: null })))
      if (unseen.length < there.length) break
    }
    return moved
  }
}

/** A listing of a page. `item` is eBay's raw item, or null if only its id is known. */
type ListedEntry = Omit<Entry, 'listed'> & { item: unknown }

/**
 * Returns the windows to read. Sold listings are in both, because a good-till-cancelled one stays active when sold out.
 */
function windowsOf(wanted: readonly State[]): Window[] {
  const active = wanted.includes('active') || wanted.includes('sold')
  const past = wanted.includes('sold') || wanted.includes('ended')
  return [...(active ? (['active'] as const) : []), ...(past ? (['past'] as const) : [])]
}

/** Returns true if an item may have a requested state. An item that does not say is read. */
function isWanted(item: unknown, window: Window, wanted: readonly State[]): boolean {
  const parsed = WireItemOffer.safeParse(item)
  const { ListingStatus, QuantitySold } = (parsed.success && parsed.data.SellingStatus) || {}
  if (window === 'active') return ListingStatus === undefined || ListingStatus === 'Active'
  if (QuantitySold === undefined) return true
  return wanted.includes(QuantitySold.trim() === '0' ? 'ended' : 'sold')
}

/** Returns true if a listing has a requested state. */
function belongs(listing: Listing, window: Window, wanted: readonly State[]): boolean {
  if (window === 'past') return listing.state !== 'available'
  return wanted.includes('active') || listing.state === 'sold'
}

/**
 * Returns the listing of a page's item, and whether it is whole. A sold listing needs no item specifics, because nobody
 * lists or compares it.
 */
function listedOf({ item, list }: ListedEntry, window: Window, { shop }: ShopAccess, now: Date): Entry['listed'] {
  if (item === null) return null
  const listing = normalizeItem(item, { list, sellerUrl: shop.url, now })
  if (isListingFailure(listing)) return null
  return { listing, isWhole: listing.state === 'sold' || (window === 'active' && listing.state !== 'available') }
}

function shortPage({ missing, count }: { missing: number; count: number }): ListingFailure {
  return shortfall({ platform: 'eBay', what: 'answers' }, { found: count - missing, total: count })
}

/** Returns false for a sold-out listing. eBay keeps a good-til-cancelled one among the active ones. */
function isOnOffer(raw: unknown): boolean {
  const item = WireItemLeft.safeParse(raw)
  return !item.success || item.data.QuantityAvailable?.trim() !== '0'
}

/** Returns the entries of a page. An entry without an id becomes a failure named by its position. */
function entriesOfPage(raw: unknown[], window: Window, page: number) {
  const list = window === 'active' ? 'ActiveList' : null
  const entries: ListedEntry[] = []
  const failures: ListingFailure[] = []
  for (const [index, item] of raw.entries()) {
    const parsed = WireItemName.safeParse(item)
    if (parsed.success) {
      const { ItemID, Title, ListingDetails } = parsed.data
      const url = ListingDetails?.ViewItemURL
      entries.push({ listing_id: ItemID.trim(), list, title: Title, url, offered: offeredAs(item), item })
      continue
    }
    failures.push({
      listing_id: `${window}-${page}-${index + 1}`,
      error_code: 'page_changed',
      error_message: 'eBay named a listing in a form that is not known here.',
      field: parsed.error.issues[0]?.path.join('/') || 'Item',
    })
  }
  return { entries: distinct(entries), failures }
}

function distinct<Named extends { listing_id: string }>(entries: Named[]): Named[] {
  return [...new Map(entries.map((entry) => [entry.listing_id, entry])).values()]
}
