import { PlatformError } from '#server/integrations/errors.ts'
import type { ShopAccess } from '#server/integrations/port.ts'
import type { Fields, Trading } from '../client.ts'
import { pageOutOfRange } from '../errors.ts'
import { GetSellerListAnswer, WireItem } from '../wire.ts'

/** `active`: listings that end in the future, which includes all for sale. `past`: listings that have ended. */
export type Window = 'active' | 'past'

/** eBay's maximum. A page counts as one call. */
const pageSize = 200

/** Age of the oldest ended listings that are read; "My eBay" keeps them as long. */
const daysBack = 60
/** eBay's longest range. Every listing ends within it, because good-till-cancelled ones are renewed monthly. */
const daysAhead = 119
/** Tolerance for a clock ahead of eBay's, so that a listing about to end is still read. */
const clockSkewMs = 10 * 60_000

/** Page sizes to split a page into if its answer is too large or too slow. Descriptions may have 500,000 characters. */
const smaller: Record<number, number> = { [pageSize]: 25, 25: 5, 5: 1 }

/** Time to keep using smaller pages after a timeout. */
const slowMs = 600_000

interface SellerPage {
  /** Raw items in order of their end. */
  items: unknown[]
  hasMore: boolean
  /** Number of items missing from this page, and eBay's count; null if none is missing. */
  short: { missing: number; count: number } | null
}

interface Range {
  window: Window
  /** Start of the import, so that the window does not move between pages. */
  at: string
  page: number
}

interface Part {
  size: number
  page: number
  detailed: boolean
}

interface SellerList {
  /** Reads a page of listings with everything except item specifics. */
  readPage(access: ShopAccess, range: Range): Promise<SellerPage>
  /** Reads only the ids of a page. */
  readIds(access: ShopAccess, range: Range): Promise<unknown[]>
}

/** Creates the reader of GetSellerList. `clock` returns monotonic milliseconds. */
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

  /** Reads one page, in parts if necessary. `count` is eBay's count of the whole window; null if eBay gives none. */
  async function readRange(access: ShopAccess, range: Range, part: Part): Promise<Read> {
    const isSlow = part.detailed && part.size === pageSize && clock() < slowUntil
    if (isSlow) return readParts(access, range, part, smaller[part.size]!)
    try {
      return await readPart(trading, access, range, part)
    } catch (error) {
      const code = error instanceof PlatformError ? error.platformCode : null
      // The page is read again when the import retries.
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

/** Finds the seller's live listing of a SKU in one call; null without one. */
export async function findLiveBySku(
  trading: Trading,
  { accessToken, signal }: ShopAccess,
  sku: string,
  now: Date,
): Promise<string | null> {
  const fields = fieldsOf('active', now.toISOString(), { size: smaller[pageSize]!, page: 1, detailed: true })
  const answer = await trading({
    name: 'GetSellerList',
    accessToken,
    signal,
    fields: { ...fields, IncludeVariations: undefined, SKUArray: { SKU: sku } },
  })
  const items = (GetSellerListAnswer.parse(answer).ItemArray?.Item ?? []).map((raw) => WireItem.safeParse(raw).data)
  return items.find((item) => item?.SKU === sku && item.SellingStatus?.ListingStatus === 'Active')?.ItemID ?? null
}

/**
 * Returns the request's fields in the order of eBay's schema. Listings are sorted by end, so a sale, an end or a new
 * listing during paging only moves others back.
 */
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
