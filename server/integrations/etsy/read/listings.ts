import { z } from 'zod'
import { PlatformError } from '#server/integrations/errors.ts'
import type { ImportPort, ListingPage, ShopAccess } from '#server/integrations/port.ts'
import { shortfall } from '#shared/import-issues.ts'
import type { ImportState, Listing, ListingFailure } from '#shared/listing.ts'
import { isListingFailure } from '#shared/listing.ts'
import type { Etsy } from '../client.ts'
import { createShopReader, readVacation } from '../shop.ts'
import { createTaxonomy } from '../taxonomy.ts'
import { cursorOf, type EtsyState, type Position, positionOf, startOf } from './cursor.ts'
import { withInventories } from './inventories.ts'
import { normalizeListing } from './normalize.ts'
import { countListings, fetchPage, idOf, nextPosition, offsetOf, type Page, pageSize, readPageOf } from './pages.ts'
import { isPageFault, readIndividually } from './read-individually.ts'

/**
 * Etsy's states in reading order, each with the import state that includes it. Listings that may go on sale are read
 * first and sold ones last. A listing that changes its state meanwhile is then read twice instead of never.
 */
const stateOrder: [EtsyState, ImportState][] = [
  ['draft', 'inactive'],
  ['inactive', 'inactive'],
  ['expired', 'ended'],
  ['active', 'active'],
  ['sold_out', 'sold'],
]

/**
 * Creates the reader of a shop's listings. It reads 100 listings per page, state by state.
 */
export function createListings(etsy: Etsy): ImportPort {
  const categories = createTaxonomy(etsy)
  const readShop = createShopReader(etsy)
  return {
    states: ['active', 'inactive', 'sold', 'ended'],

    async readPage(access, request): Promise<ListingPage> {
      const states = stateOrder.filter(([, included]) => request.states.includes(included)).map(([state]) => state)
      const [firstState] = states
      if (!firstState) return { listings: [], failures: [], nextCursor: null, total: 0 }
      const position = request.cursor === null ? startOf(firstState, null) : positionOf(request.cursor, states)

      const page = await readPageOf(position, (offset) => readWhole(access, { state: position.state, offset }))
      const total = request.cursor === null ? await totalOf(access, states, page.count) : position.total
      const results = await normalizeAll(access, page, position)
      const next = followOf({ ...position, total }, nextPosition({ ...position, total }, page), states)
      return {
        listings: results.filter((result): result is Listing => !isListingFailure(result)),
        failures: [...results.filter(isListingFailure), ...shortPage(position, page)],
        nextCursor: next && cursorOf(next),
        total,
      }
    },

    async readOne(access, listingId) {
      try {
        return await readListing(access, listingId)
      } catch (error) {
        if (!(error instanceof PlatformError) || !concernsOneListing(error)) throw error
        const error_code = error.failure === 'malformed' ? 'page_changed' : 'fetch_failed'
        return { listing_id: listingId, error_code, error_message: error.message }
      }
    },

    async readLiveIds(access, cursor) {
      const offset = Number(cursor ?? 0)
      const page = await fetchPage(etsy, access, { state: 'active', offset }, { includes: false })
      const next = offset + page.results.length
      return { ids: page.ids, nextCursor: page.results.length > 0 && next < page.count ? String(next) : null }
    },

    readVacation: (access) => readVacation(readShop, access),
  }

  /** Returns the count of all states. The first one's comes with its page; each other costs a call. */
  async function totalOf(access: ShopAccess, [, ...others]: EtsyState[], first: number): Promise<number> {
    let total = first
    for (const state of others) total += await countListings(etsy, access, state)
    return total
  }

  /** Reads a page with inventories. If Etsy fails on the whole page, reads its listings individually. */
  async function readWhole(access: ShopAccess, position: { state: EtsyState; offset: number }): Promise<Page> {
    const page = await fetchPage(etsy, access, position).catch((error: unknown) => {
      if (isPageFault(error)) return readIndividually(etsy, access, position)
      throw error
    })
    // A listing that could not be read needs no inventory.
    const isRead = (raw: unknown) => !page.unread.has(idOf(raw) ?? '')
    const whole = await withInventories(etsy, access, page.results.filter(isRead))
    const byId = new Map(whole.map((raw) => [idOf(raw), raw]))
    return { ...page, results: page.results.map((raw) => byId.get(idOf(raw)) ?? raw) }
  }

  async function normalizeAll(access: ShopAccess, page: Page, position: Position) {
    const context = {
      shopId: access.shop.external_id,
      sellerUrl: access.shop.url,
      categories: await categoriesFor(page.results),
    }
    // Listings of the previous or the first page are already read.
    const known = new Set(position.phase === 'front' ? position.front : position.seen)
    const offset = offsetOf(position)
    return distinct(
      page.results.flatMap((raw, index) => {
        const id = idOf(raw) ?? ''
        if (known.has(id)) return []
        const error = page.unread.get(id)
        if (error) return unreadListing(raw, id, error)
        return normalizeListing(raw, { ...context, listingId: `${position.state}-${offset + index + 1}` })
      }),
    )
  }

  async function readListing(access: ShopAccess, listingId: string): Promise<Listing | ListingFailure> {
    // The path under /shops answers 404.
    const raw = await etsy(
      {
        call: 'a listing',
        path: `/listings/${encodeURIComponent(listingId)}`,
        query: { includes: ['Images'] },
        accessToken: access.accessToken,
        signal: access.signal,
      },
      z.unknown(),
    )
    const [whole] = await withInventories(etsy, access, [raw])
    return normalizeListing(whole, {
      listingId,
      shopId: access.shop.external_id,
      sellerUrl: access.shop.url,
      categories: await categoriesFor([raw]),
    })
  }

  /** Reads the categories if any listing has one. */
  async function categoriesFor(raws: unknown[]) {
    const hasOne = raws.some(
      (raw) => typeof raw === 'object' && raw !== null && 'taxonomy_id' in raw && raw.taxonomy_id,
    )
    return hasOne ? categories() : undefined
  }
}

/** Returns the next position in this state, or else the start of the next state; null at the end. */
function followOf(position: Position, next: Position | null, states: EtsyState[]): Position | null {
  if (next) return next
  const state = states[states.indexOf(position.state) + 1]
  return state ? startOf(state, position.total) : null
}

/**
 * Returns a failure if a page has fewer listings than its own count implies. The page was already read again.
 * Concurrent sales cannot explain a difference within one answer.
 */
function shortPage(position: Position, { results, count }: Page): ListingFailure[] {
  const expected = Math.min(pageSize, Math.max(0, count - offsetOf(position)))
  if (position.phase !== 'forward' || results.length >= expected) return []
  const found = count - (expected - results.length)
  return [shortfall({ platform: 'Etsy', what: 'answers' }, { found, total: count })]
}

/** Returns the failure of a listing that was only readable in the plain list. */
function unreadListing(raw: unknown, listing_id: string, { message }: PlatformError): ListingFailure {
  const { title, url, price_minor, currency, sku } = normalizeListing(raw)
  return { listing_id, url, title, price_minor, currency, sku, error_code: 'fetch_failed', error_message: message }
}

function concernsOneListing(error: PlatformError): boolean {
  return error.failure === 'not_found' || error.failure === 'refused' || error.failure === 'malformed'
}

function distinct(results: (Listing | ListingFailure)[]): (Listing | ListingFailure)[] {
  return [...new Map(results.map((result) => [result.listing_id, result])).values()]
}
