import type { PlatformError } from '#server/integrations/errors.ts'
import type { ShopAccess } from '#server/integrations/port.ts'
import type { Etsy } from '../client.ts'
import { ListingsAnswer, NamedListing } from '../wire.ts'
import type { EtsyState, Position } from './cursor.ts'

/** Listings of a page, Etsy's maximum. */
export const pageSize = 100

/** Listings that two pages share. As many may leave between two pages without extra calls. */
const overlap = 4

/** Number of times in a row that the position may be lost. Then reading continues anyway, so that it ends. */
const lostLimit = 3

/** Maximum retries of a page without new listings. */
const repeatLimit = 2

export interface Page {
  /** Raw, not yet parsed. */
  results: unknown[]
  /** Ids of the results that have one. */
  ids: string[]
  /** Times of the results' listing or renewal, epoch seconds. */
  times: number[]
  /** Total listings of the state. */
  count: number
  /** Listings that are only readable in the plain list, with their errors. */
  unread: ReadonlyMap<string, PlatformError>
}

/** Fetches one page of a state's list, with pictures unless `includes` is false. Inventories need other calls. */
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

/** Returns the id of a raw listing; null if it has none. */
export function idOf(raw: unknown): string | null {
  return NamedListing.safeParse(raw).data?.listing_id ?? null
}

/** Returns the number of listings of a state. */
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

/** Returns the offset to read for a position. */
export function offsetOf(position: Position): number {
  if (position.phase !== 'forward' || position.seen.length === 0) return position.offset
  return Math.max(0, position.offset - overlapOf(position.seen.length))
}

/** Returns the overlap after a page; half of a short page at most, so that reading always advances. */
function overlapOf(pageLength: number): number {
  return Math.min(overlap, Math.floor(pageLength / 2))
}

/**
 * Reads the page of a position with `read`. If it has nothing new although the count promises more, Etsy repeated a
 * page or left it empty, so it is read again.
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
 * so the next offset would skip one. Each page therefore overlaps the previous one. If the overlap shows no known
 * listing, reading goes back until it does. New and renewed listings go to the front, so the front is read again at
 * the end. Reading a listing twice is harmless.
 */
export function nextPosition(position: Position, page: Page): Position | null {
  const { phase, seen, front } = position
  const offset = offsetOf(position)
  const length = page.results.length
  const end = offset + length
  const isAtEnd = end >= page.count && length < pageSize
  if (phase === 'front') {
    if (isAtEnd || length === 0 || reachesImportStart(position, page)) return null
    return { ...position, offset: end - overlapOf(length) }
  }

  const reachesBack = offset > 0 && (phase === 'back' || overlapOf(seen.length) > 0)
  const isPositionLost = reachesBack && !page.ids.some((id) => seen.includes(id))
  if (isPositionLost && (phase === 'back' || position.lost < lostLimit)) {
    const lost = phase === 'back' ? position.lost : position.lost + 1
    return { ...position, phase: 'back', offset: Math.max(0, Math.min(offset, page.count) - pageSize + overlap), lost }
  }

  const isFirst = offset === 0 && front.length === 0
  const first = isFirst ? { front: page.ids, newest: page.times.length > 0 ? Math.max(...page.times) : null } : {}
  const forward = { ...position, ...first, phase: 'forward' as const }
  // The listings of an empty page in the middle cannot be read, so skip them.
  if (length === 0 && offset + pageSize < page.count) return { ...forward, offset: offset + pageSize, seen: [] }
  if (length > 0 && !isAtEnd) {
    if (phase === 'back') return { ...forward, offset: end, seen: page.ids }
    return { ...forward, offset: Math.max(end, position.offset + 1), seen: page.ids, lost: 0 }
  }
  return isFirst ? null : { ...position, phase: 'front', offset: 0, seen: [], lost: 0 }
}

/** Returns true if a page of the front reaches listings from the start of the import. */
function reachesImportStart({ front, newest }: Position, { ids, times }: Page): boolean {
  return newest === null ? ids.some((id) => front.includes(id)) : times.some((time) => time <= newest)
}
