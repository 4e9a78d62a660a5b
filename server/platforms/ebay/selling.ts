import { PlatformError } from '../errors.ts'
import type { Fields, Trading } from './client.ts'
import { pageOutOfRange } from './errors.ts'
import type { SellingList } from './normalise.ts'
import { GetMyeBaySellingAnswer } from './wire.ts'

/**
 * Entries of a page. Each entry costs a GetItem call: 100 make a unit of some seconds, little enough to do again after
 * an accident. (eBay allows 200 entries, and 300 of these calls in 15 seconds: pages of 50 came near that.)
 */
export const pageSize = 100

/** eBay keeps sold and unsold listings in these lists for 60 days at most. */
const daysBack = 60

/** The lists in an order in which what is new comes last, so that pages move as little as possible. */
const sorts: Record<SellingList, string> = { ActiveList: 'StartTime', SoldList: 'EndTime', UnsoldList: 'EndTime' }

export interface SellingPage {
  /** Entries in order, as sent; a listing sold in several orders stands here several times. */
  entries: unknown[]
  hasMore: boolean
  /** Listings that eBay counts in the list and that this page should have shown, and the list's count; null: none. */
  short: { missing: number; count: number } | null
}

interface Access {
  accessToken: string
  signal?: AbortSignal
}

/** One page of a list of "My eBay", and the number of entries of the lists named in `counted`, null where unknown. */
export async function readSellingPage(
  trading: Trading,
  access: Access,
  list: SellingList,
  page: number,
  counted: SellingList[] = [],
): Promise<SellingPage & { total: number | null }> {
  const fields: Fields = {}
  // In the order of eBay's schema.
  for (const one of ['ActiveList', 'SoldList', 'UnsoldList'] as const) {
    if (one === list) fields[one] = listFields(list, pageSize, page)
    else if (counted.includes(one)) fields[one] = listFields(one, 1, 1)
  }
  fields.HideVariations = true
  let root: unknown
  try {
    root = await trading({ name: 'GetMyeBaySelling', ...access, fields })
  } catch (error) {
    const isPastTheEnd = error instanceof PlatformError && error.platformCode === pageOutOfRange && page > 1
    if (isPastTheEnd) return { entries: [], hasMore: false, short: null, total: null }
    throw error
  }
  const answer = GetMyeBaySellingAnswer.safeParse(root)
  if (!answer.success) {
    const field = answer.error.issues[0]?.path.join('/')
    throw new PlatformError('ebay', 'malformed', `eBay's list of listings is not understood: ${field}.`)
  }
  return { ...pageOf(answer.data, list, page), total: sumOf(counted.map((name) => countOf(answer.data, name))) }
}

function listFields(list: SellingList, entriesPerPage: number, page: number): Fields {
  return {
    Include: true,
    Sort: sorts[list],
    DurationInDays: list === 'ActiveList' ? undefined : daysBack,
    Pagination: { EntriesPerPage: entriesPerPage, PageNumber: page },
  }
}

/** The entries of a list, whatever its shape; eBay leaves out a list that is empty. */
export function entriesOf(answer: GetMyeBaySellingAnswer, list: SellingList): unknown[] {
  if (list !== 'SoldList') return answer[list]?.ItemArray?.Item ?? []
  const orders = answer.SoldList?.OrderTransactionArray?.OrderTransaction ?? []
  return orders.flatMap(({ Transaction, Order }) =>
    [...(Transaction ? [Transaction] : []), ...(Order?.TransactionArray?.Transaction ?? [])].map(({ Item }) => Item),
  )
}

function pageOf(answer: GetMyeBaySellingAnswer, list: SellingList, page: number): SellingPage {
  const entries = entriesOf(answer, list)
  const pages = numberOf(answer[list]?.PaginationResult?.TotalNumberOfPages)
  const hasMore = pages === null ? entries.length >= pageSize : page < pages
  return { entries, hasMore, short: shortOf(answer, list, page, { entries: entries.length, hasMore }) }
}

/**
 * Compares a page with the count in the same answer, so that what is sold or listed meanwhile makes no difference. The
 * sold list counts orders, of which one may hold several listings: there only an empty page tells.
 */
function shortOf(
  answer: GetMyeBaySellingAnswer,
  list: SellingList,
  page: number,
  read: { entries: number; hasMore: boolean },
): SellingPage['short'] {
  const count = countOf(answer, list)
  if (count === null) return null
  const left = Math.max(0, count - (page - 1) * pageSize)
  const expected = read.hasMore ? Math.min(pageSize, left) : left
  if (list === 'SoldList' && read.entries > 0) return null
  return read.entries < expected ? { missing: expected - read.entries, count } : null
}

/** Entries of a list in all; none when eBay leaves the list out, null when it does not count them. */
function countOf(answer: GetMyeBaySellingAnswer, list: SellingList): number | null {
  const container = answer[list]
  return container ? numberOf(container.PaginationResult?.TotalNumberOfEntries) : 0
}

function sumOf(counts: (number | null)[]): number | null {
  return counts.reduce((sum, count) => (sum === null || count === null ? null : sum + count), 0 as number | null)
}

function numberOf(text: string | undefined): number | null {
  return text !== undefined && /^\s*\d{1,9}\s*$/.test(text) ? Number(text) : null
}
