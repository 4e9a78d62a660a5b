import { PlatformError } from '#server/integrations/errors.ts'
import type { Fields, Trading } from '../client.ts'
import { pageOutOfRange } from '../errors.ts'
import { GetMyeBaySellingAnswer } from '../wire.ts'
import type { SellingList } from './normalize.ts'

/** Entries of a page, eBay's maximum. */
const pageSize = 200

/** eBay keeps sold and unsold listings in these lists for 60 days. */
const daysBack = 60
/** Most pages of unpaid purchases: no shop has 10,000 of them at a time. */
const mostUnpaidPages = 50

interface SellingPage {
  /** Raw entries in order. */
  entries: unknown[]
  hasMore: boolean
}

interface Access {
  accessToken: string
  signal?: AbortSignal
}

/** Returns a page of a seller's active listings, newest last. */
export const readSellingPage = (trading: Trading, access: Access, page: number): Promise<SellingPage> =>
  readListPage(trading, access, page, 'ActiveList', { Sort: 'StartTime' })

async function readListPage(
  trading: Trading,
  access: Access,
  page: number,
  list: 'ActiveList' | 'SoldList',
  asked: { Sort?: string; DurationInDays?: number; OrderStatusFilter?: string },
): Promise<SellingPage> {
  const { OrderStatusFilter, ...first } = asked
  // In the order of eBay's schema.
  const Pagination = { EntriesPerPage: pageSize, PageNumber: page }
  try {
    const answer = await readSelling(trading, access, {
      [list]: { Include: true, ...first, Pagination, OrderStatusFilter },
    })
    const entries = entriesOf(answer, list)
    const pages = numberOf(answer[list]?.PaginationResult?.TotalNumberOfPages)
    return { entries, hasMore: pages === null ? entries.length >= pageSize : page < pages }
  } catch (error) {
    const isPastTheEnd = error instanceof PlatformError && error.platformCode === pageOutOfRange && page > 1
    if (isPastTheEnd) return { entries: [], hasMore: false }
    throw error
  }
}

/** Returns the number of listings in these lists; null if eBay gives none. */
export async function readCount(
  trading: Trading,
  access: Access,
  lists: readonly SellingList[],
): Promise<number | null> {
  const fields: Fields = {}
  // In the order of eBay's schema.
  for (const list of ['ActiveList', 'SoldList', 'UnsoldList'] as const) {
    if (!lists.includes(list)) continue
    const DurationInDays = list === 'ActiveList' ? undefined : daysBack
    fields[list] = { Include: true, DurationInDays, Pagination: { EntriesPerPage: 1, PageNumber: 1 } }
  }
  const answer = await readSelling(trading, access, fields)
  return sumOf(lists.map((list) => countOf(answer, list)))
}

/**
 * Returns unpaid purchases: accepted offers and auctions, for which eBay creates orders only after payment. Throws
 * PlatformError `malformed` for a list without an end.
 */
export async function readUnpaid(trading: Trading, access: Access): Promise<unknown[]> {
  const asked = { DurationInDays: daysBack, OrderStatusFilter: 'AwaitingPayment' }
  const unpaid: unknown[] = []
  for (let page = 1; page <= mostUnpaidPages; page++) {
    const { entries, hasMore } = await readListPage(trading, access, page, 'SoldList', asked)
    unpaid.push(...entries)
    if (!hasMore) return unpaid
  }
  throw new PlatformError('ebay', 'malformed', 'The list of unpaid purchases does not end.')
}

async function readSelling(trading: Trading, access: Access, lists: Fields): Promise<GetMyeBaySellingAnswer> {
  const { accessToken, signal } = access
  const fields = { ...lists, HideVariations: true }
  const answer = GetMyeBaySellingAnswer.safeParse(
    await trading({ name: 'GetMyeBaySelling', accessToken, signal, fields }),
  )
  if (answer.success) return answer.data
  const field = answer.error.issues[0]?.path.join('/')
  throw new PlatformError('ebay', 'malformed', `eBay's list of listings is not understood: ${field}.`)
}

/** Returns the raw entries of a list in either of its shapes. eBay omits an empty list. */
export function entriesOf(answer: GetMyeBaySellingAnswer, list: SellingList): unknown[] {
  if (list !== 'SoldList') return answer[list]?.ItemArray?.Item ?? []
  const orders = answer.SoldList?.OrderTransactionArray?.OrderTransaction ?? []
  return orders.flatMap(({ Transaction, Order }) =>
    [...(Transaction ? [Transaction] : []), ...(Order?.TransactionArray?.Transaction ?? [])].map(({ Item }) => Item),
  )
}

/** Returns the total entries of a list; 0 if eBay omits the list, null if eBay gives no count. */
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
