import { PlatformError } from '../errors.ts'
import type { ShopAccess } from '../port.ts'
import type { Fields, Trading } from './client.ts'
import { pageOutOfRange } from './errors.ts'
import { GetSellerListAnswer } from './wire.ts'

/** Listings that end from now on, which are all that are on offer, or those that have ended. */
export type Window = 'active' | 'past'

/** eBay allows no more entries, and counts the page as one call. */
export const pageSize = 200

/** How far back listings that have ended are read: as far as "My eBay" keeps them. */
const daysBack = 60
/** eBay's longest range. A listing ends within it: one that is good till cancelled is renewed every calendar month. */
const daysAhead = 119
/** A listing that is about to end counts as on offer although our clock is ahead of eBay's. */
const clockSkewMs = 10 * 60_000

/** Pages into which one is split whose answer is too large or too slow; descriptions may have 500,000 characters. */
const smaller: Record<number, number> = { [pageSize]: 25, 25: 5, 5: 1 }

/** How long smaller pages are asked for after one came too slowly. */
const slowMs = 600_000

export interface SellerPage {
  /** Items in the order of their end, as sent. */
  items: unknown[]
  hasMore: boolean
  /** Items that eBay counts and that this page should have shown, and the count; null: none. */
  short: { missing: number; count: number } | null
}

interface Range {
  window: Window
  /** When the import began: the window must not move between pages. */
  at: string
  page: number
}

interface Part {
  size: number
  page: number
  detailed: boolean
}

export interface SellerList {
  /** Reads a page with all that GetSellerList has of its listings: everything but the item specifics. */
  readPage(access: ShopAccess, range: Range): Promise<SellerPage>
  /** Reads the ids of a page, at the cost of one small answer. */
  readIds(access: ShopAccess, range: Range): Promise<unknown[]>
}

/** Reads the listings of sellers by GetSellerList. `clock`: monotonic milliseconds. */
export function createSellerList(trading: Trading, clock: () => number = () => performance.now()): SellerList {
  let slowUntil = Number.NEGATIVE_INFINITY

  return {
    async readPage(access, range) {
      const { items, count } = await readRange(access, range, { size: pageSize, page: range.page, detailed: true })
      const left = Math.max(0, (count ?? 0) - (range.page - 1) * pageSize)
      const expected = Math.min(pageSize, left)
      return {
        items,
        hasMore: count === null ? items.length >= pageSize : left > pageSize,
        short: count !== null && items.length < expected ? { missing: expected - items.length, count } : null,
      }
    },

    async readIds(access, range) {
      return (await readRange(access, range, { size: pageSize, page: range.page, detailed: false })).items
    },
  }

  /** `count`: items in the whole window; null when eBay does not say. */
  async function readRange(access: ShopAccess, range: Range, part: Part): Promise<Read> {
    const isSlow = part.detailed && part.size === pageSize && clock() < slowUntil
    if (isSlow) return readParts(access, range, part, smaller[part.size]!)
    try {
      return await readPart(trading, access, range, part)
    } catch (error) {
      const code = error instanceof PlatformError ? error.platformCode : null
      // The same page is read again when its import is tried again.
      if (code === 'timeout' && part.detailed) slowUntil = clock() + slowMs
      const size = smaller[part.size]
      if (code !== 'too_large' || !size) throw error
      return readParts(access, range, part, size)
    }
  }

  async function readParts(access: ShopAccess, range: Range, part: Part, size: number): Promise<Read> {
    const ratio = part.size / size
    const items: unknown[] = []
    for (let page = (part.page - 1) * ratio + 1; ; page++) {
      const read = await readRange(access, range, { ...part, size, page })
      items.push(...read.items)
      const isLast =
        page === part.page * ratio || (read.count === null ? read.items.length < size : page * size >= read.count)
      if (isLast) return { items, count: read.count }
    }
  }
}

interface Read {
  items: unknown[]
  count: number | null
}

async function readPart(trading: Trading, access: ShopAccess, { window, at }: Range, part: Part): Promise<Read> {
  const { accessToken, signal } = access
  let root: unknown
  try {
    root = await trading({ name: 'GetSellerList', accessToken, signal, fields: fieldsOf(window, at, part) })
  } catch (error) {
    const isPastTheEnd = error instanceof PlatformError && error.platformCode === pageOutOfRange && part.page > 1
    if (isPastTheEnd) return { items: [], count: 0 }
    throw error
  }
  const answer = GetSellerListAnswer.safeParse(root)
  if (!answer.success) {
    const field = answer.error.issues[0]?.path.join('/')
    throw new PlatformError('ebay', 'malformed', `eBay's list of listings is not understood: ${field}.`)
  }
  const entries = answer.data.PaginationResult?.TotalNumberOfEntries
  const count = entries !== undefined && /^\s*\d{1,9}\s*$/.test(entries) ? Number(entries) : null
  return { items: answer.data.ItemArray?.Item ?? [], count }
}

/** In the order of eBay's schema. Sorted by end: what is sold, ended or listed meanwhile only moves others back. */
function fieldsOf(window: Window, at: string, { size, page, detailed }: Part): Fields {
  const time = (ms: number) => new Date(Date.parse(at) + ms).toISOString()
  const days = (count: number) => count * 86_400_000
  return {
    DetailLevel: detailed ? 'ReturnAll' : undefined,
    EndTimeFrom: window === 'active' ? time(-clockSkewMs) : time(-days(daysBack)),
    EndTimeTo: window === 'active' ? time(days(daysAhead)) : time(0),
    Sort: 2,
    Pagination: { EntriesPerPage: size, PageNumber: page },
    IncludeVariations: detailed ? true : undefined,
  }
}
