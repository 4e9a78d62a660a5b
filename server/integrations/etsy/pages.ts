import type { PlatformError } from '../errors.ts'
import type { ShopAccess } from '../port.ts'
import type { Etsy } from './client.ts'
import type { EtsyState, Position } from './cursor.ts'
import { ListingsAnswer, NamedListing } from './wire.ts'

/** Listings of a page, the most that Etsy gives. */
export const pageSize = 100

/** How far a page reaches back into the one before it: as many listings may leave between two pages at no cost. */
const overlap = 4

/** How often a place may be lost in a row before the reading just goes on: a shop that changes that fast has no end. */
const lostLimit = 3

/** How often a page that brings nothing new is asked for again. */
const repeatLimit = 2

export interface Page {
  /** As sent, unjudged. */
  results: unknown[]
  /** Ids of the results that have one. */
  ids: string[]
  /** Times of the results' listing or renewal, epoch seconds. */
  times: number[]
  /** How many the state has in all. */
  count: number
  /** Listings of which Etsy gives no more than their place in the list, and why. */
  unread: ReadonlyMap<string, PlatformError>
}

/** One page of a state's list, with its pictures unless `includes` is false. Inventories are read apart. */
export async function fetchPage(
  etsy: Etsy,
  { accessToken, shop, signal }: ShopAccess,
  { state, offset }: { state: EtsyState; offset: number },
  { includes }: { includes: boolean } = { includes: true },
): Promise<Page> {
  const answer = await etsy(
    {
      call: 'the list of listings',
      path: `/shops/${encodeURIComponent(shop.external_id)}/listings`,
      query: { state, limit: pageSize, offset, ...(includes ? { includes: ['Images'] } : {}) },
      accessToken,
      signal,
    },
    ListingsAnswer,
  )
  const named = answer.results.flatMap((raw) => NamedListing.safeParse(raw).data ?? [])
  return {
    results: answer.results,
    ids: named.map(({ listing_id }) => listing_id),
    times: named.flatMap(({ created_timestamp }) => created_timestamp ?? []),
    count: answer.count,
    unread: new Map(),
  }
}

/** The id of a listing as sent; null where it has none. */
export function idOf(raw: unknown): string | null {
  return NamedListing.safeParse(raw).data?.listing_id ?? null
}

/** How many listings a state has. */
export async function countListings(
  etsy: Etsy,
  { accessToken, shop, signal }: ShopAccess,
  state: EtsyState,
): Promise<number> {
  const { count } = await etsy(
    {
      call: 'the number of listings',
      path: `/shops/${encodeURIComponent(shop.external_id)}/listings`,
      query: { state, limit: 1, offset: 0 },
      accessToken,
      signal,
    },
    ListingsAnswer,
  )
  return count
}

/** Where to read for a position. */
export function offsetOf(position: Position): number {
  if (position.phase !== 'forward' || position.seen.length === 0) return position.offset
  return Math.max(0, position.offset - overlapOf(position.seen.length))
}

/** A short page has a short overlap, so that the next one always gets further. */
function overlapOf(pageLength: number): number {
  return Math.min(overlap, Math.floor(pageLength / 2))
}

/**
 * Reads the page of a position with `read`, again where it brings nothing new although there is more: Etsy then repeated
 * a page or left one empty, and going on would leave out what belongs here.
 */
export async function readPageOf(position: Position, read: (offset: number) => Promise<Page>): Promise<Page> {
  const offset = offsetOf(position)
  for (let again = 0; ; again++) {
    const page = await read(offset)
    const isMoreThere = page.count > position.offset
    const bringsNew = page.ids.some((id) => !position.seen.includes(id))
    if (position.phase !== 'forward' || !isMoreThere || bringsNew || again === repeatLimit) return page
  }
}

/**
 * Returns the position after a page; null when the state is read to its end. Pure.
 *
 * Etsy pages by offset, newest first, while the seller continues to sell. A listing that leaves moves the rest forward,
 * where the next offset would skip one. So each page overlaps the one before, and when the overlap shows nothing known,
 * reading goes back until it does. A listing that joins or is renewed goes to the front. So the front is read once more
 * at the end, until it reaches listings from the beginning of the reading. Reading a listing twice is harmless.
 */
export function nextPosition(position: Position, page: Page): Position | null {
  const { phase, seen, front } = position
  const offset = offsetOf(position)
  const length = page.results.length
  const end = offset + length
  const isAtEnd = end >= page.count && length < pageSize
  if (phase === 'front') {
    if (isAtEnd || length === 0 || isOldFromHere(position, page)) return null
    return { ...position, offset: end - overlapOf(length) }
  }

  const reachesBack = offset > 0 && (phase === 'back' || overlapOf(seen.length) > 0)
  const isPlaceLost = reachesBack && !page.ids.some((id) => seen.includes(id))
  if (isPlaceLost && (phase === 'back' || position.lost < lostLimit)) {
    const lost = phase === 'back' ? position.lost : position.lost + 1
    return { ...position, phase: 'back', offset: Math.max(0, Math.min(offset, page.count) - pageSize + overlap), lost }
  }

  const isFirst = offset === 0 && front.length === 0
  const first = isFirst ? { front: page.ids, newest: page.times.length > 0 ? Math.max(...page.times) : null } : {}
  const forward = { ...position, ...first, phase: 'forward' as const }
  // An empty page in the middle of a list: what it should have held is not to be had.
  if (length === 0 && offset + pageSize < page.count) return { ...forward, offset: offset + pageSize, seen: [] }
  if (length > 0 && !isAtEnd) {
    if (phase === 'back') return { ...forward, offset: end, seen: page.ids }
    return { ...forward, offset: Math.max(end, position.offset + 1), seen: page.ids, lost: 0 }
  }
  return isFirst ? null : { ...position, phase: 'front', offset: 0, seen: [], lost: 0 }
}

/** True for a page of the front that reaches what stood there when the reading began. */
function isOldFromHere({ front, newest }: Position, { ids, times }: Page): boolean {
  return newest === null ? ids.some((id) => front.includes(id)) : times.some((time) => time <= newest)
}
