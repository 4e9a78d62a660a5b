import { shortfall } from '#shared/import-issues.ts'
import type { ImportState, Listing, ListingFailure } from '#shared/listing.ts'
import type { ImportPort, ListingPage, ShopAccess } from '../port.ts'
import type { Trading } from './client.ts'
import { cursorOf, type Position, positionOf } from './cursor.ts'
import { type Entry, readItems, readOneItem } from './items.ts'
import { isFailure, offeredAs, type SellingList } from './normalise.ts'
import { readSellingPage } from './selling.ts'
import { WireItemLeft, WireItemName } from './wire.ts'

/** Where eBay keeps the listings of a state; it has no inactive ones. */
const lists = { active: 'ActiveList', sold: 'SoldList', ended: 'UnsoldList' } satisfies Partial<
  Record<ImportState, SellingList>
>
const states = ['active', 'sold', 'ended'] as const

/** How far back a page looks for listings that moved forward since it was read. */
const pagesBack = 5

/**
 * Reading a shop (spec 4.14, platforms 1.2): the lists of "My eBay" page by page, and each listing by GetItem, since
 * the lists have no description and one picture at most. The cursor names the list and the page.
 */
export function createListings(trading: Trading): ImportPort {
  return {
    states,

    async readPage(access, request): Promise<ListingPage> {
      const wanted = states.filter((state) => request.states.includes(state))
      const [firstState] = wanted
      if (!firstState) return { listings: [], failures: [], nextCursor: null, total: 0 }
      const start: Position = { state: firstState, page: 1, seen: [], total: null }
      const position = request.cursor === null ? start : positionOf(request.cursor, wanted)
      const list = lists[position.state]

      const counted = request.cursor === null ? wanted.map((state) => lists[state]) : []
      const page = await readSellingPage(trading, access, list, position.page, counted)
      const total = request.cursor === null ? page.total : position.total
      const here = entriesOfPage(page.entries, list, position.page)
      const moved = await readMoved(access, list, position)
      const entries = distinct([...moved, ...here.entries])

      const results = await readItems(trading, access, entries)
      const state = page.hasMore ? position.state : wanted[wanted.indexOf(position.state) + 1]
      const next: Position | null = state
        ? {
            state,
            page: page.hasMore ? position.page + 1 : 1,
            seen: page.hasMore ? here.entries.map((entry) => entry.listing_id) : [],
            total,
          }
        : null
      return {
        listings: results.filter((result): result is Listing => !isFailure(result) && belongs(result, list)),
        failures: [...results.filter(isFailure), ...here.failures, ...(page.short ? [shortPage(page.short)] : [])],
        nextCursor: next && cursorOf(next),
        total,
      }
    },

    readOne: (access, listingId) => readOneItem(trading, access, { listing_id: listingId, list: null }),

    async readLiveIds(access, cursor) {
      const page = Number(cursor ?? 1)
      const { entries, hasMore } = await readSellingPage(trading, access, 'ActiveList', page)
      const ids = entriesOfPage(entries.filter(isOnOffer), 'ActiveList', page).entries.map(
        ({ listing_id }) => listing_id,
      )
      return { ids, nextCursor: hasMore ? String(page + 1) : null }
    },
  }

  /**
   * Listings that left the list since the page before was read (sold, ended) let the later ones move forward, onto a
   * page that is not read any more. They stand there, unseen, behind those that were seen: looking back until
   * something seen turns up finds them all.
   */
  async function readMoved(access: ShopAccess, list: SellingList, position: Position): Promise<Entry[]> {
    const moved: Entry[] = []
    if (position.seen.length === 0) return moved
    for (let back = position.page - 1; back >= 1 && back >= position.page - pagesBack; back--) {
      const { entries } = await readSellingPage(trading, access, list, back)
      const there = entriesOfPage(entries, list, back).entries
      const unseen = there.filter((entry) => !position.seen.includes(entry.listing_id))
      moved.unshift(...unseen)
      if (unseen.length < there.length) break
    }
    return moved
  }
}

/**
 * A listing of several that was sold once is in the sold list and still on offer: it belongs to the active list alone,
 * and a seller who asked for what is sold did not ask for it.
 */
function belongs(listing: Listing, list: SellingList): boolean {
  return list === 'ActiveList' || listing.state !== 'available'
}

function shortPage({ missing, count }: { missing: number; count: number }): ListingFailure {
  return shortfall({ platform: 'eBay', what: 'answers' }, { found: count - missing, total: count })
}

/** eBay keeps a good-til-cancelled listing with nothing left among the active ones. */
function isOnOffer(raw: unknown): boolean {
  const item = WireItemLeft.safeParse(raw)
  return !item.success || item.data.QuantityAvailable?.trim() !== '0'
}

/** The entries of a page as ids to ask for. One that names no id is a failure in its place, under its place's name. */
function entriesOfPage(raw: unknown[], list: SellingList, page: number) {
  const entries: Entry[] = []
  const failures: ListingFailure[] = []
  for (const [index, item] of raw.entries()) {
    const parsed = WireItemName.safeParse(item)
    if (parsed.success) {
      const { ItemID, Title, ListingDetails } = parsed.data
      entries.push({
        listing_id: ItemID.trim(),
        list,
        title: Title,
        url: ListingDetails?.ViewItemURL,
        offered: offeredAs(item),
      })
      continue
    }
    failures.push({
      listing_id: `${list}-${page}-${index + 1}`,
      error_code: 'page_changed',
      error_message: 'eBay named a listing in a form that is not known here.',
      field: parsed.error.issues[0]?.path.join('/') || 'Item',
    })
  }
  return { entries: distinct(entries), failures }
}

function distinct(entries: Entry[]): Entry[] {
  return [...new Map(entries.map((entry) => [entry.listing_id, entry])).values()]
}
