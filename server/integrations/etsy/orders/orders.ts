import { z } from 'zod'
import { PlatformError } from '#server/integrations/errors.ts'
import type { OrderPage, OrderPort, PlatformOrder, ShopAccess } from '#server/integrations/port.ts'
import type { Etsy } from '../client.ts'
import { readReceipt } from './read-receipt.ts'
import { NamedReceipt, ReceiptsAnswer } from './receipt-wire.ts'

const pageLimit = 100
/** Receipts that two pages share when reading by offset. */
const overlap = 25
/** Number of times in a row that the position may be lost before reading fails. */
const maxLost = 3
/** Etsy's earliest time (2000-01-01). */
const earliest = 946_684_800

/** Lists of receipts: the time that each goes by, and what else picks its receipts. */
const lists = {
  changed: { by: 'updated', from: 'min_last_modified', also: {} },
  made: { by: 'created', from: 'min_created', also: {} },
  unshipped: { by: 'created', from: 'min_created', also: { was_paid: 'true', was_shipped: 'false' } },
} as const

/** Names of the times in older answers. */
const olderNames = { updated: 'update_timestamp', created: 'create_timestamp' } as const

/** Position in a list of receipts. */
const Position = z.strictObject({
  list: z.enum(['changed', 'made', 'unshipped']),
  /** Receipts of this second or later (epoch seconds), starting at `offset`. */
  since: z.int(),
  offset: z.int().min(0),
  /** The last ids of the previous page. One of them must reappear when reading by offset. */
  tail: z.array(z.string()).max(overlap),
  lost: z.int().min(0),
  /** Receipts that could not be read so far, each with its field. */
  unread: z.array(z.string()).max(20),
  /** True after the last page, if `unread` is still to be reported. */
  ended: z.boolean(),
})
type Position = z.infer<typeof Position>

/**
 * Creates the reader of orders: getShopReceipts and getShopReceipt.
 *
 * Neither a refund nor a later date to ship by is a change to Etsy (github.com/etsy/open-api, issues 513 and 232), so
 * receipts are also read again by the time at which they were made.
 *
 * The list is read by time of change, oldest first. A receipt that changes meanwhile moves to the end and all behind it
 * move up, so reading by offset would skip one. Instead, the next page starts at the last time of this one and repeats
 * receipts of that second. If a whole page has the same time, or is not sorted, reading continues by offset. Pages then
 * overlap, and the overlap must show a known receipt.
 *
 * After an unreadable receipt all others are still returned. The call after the last page then fails (`malformed`) and
 * names it, so that no order is skipped silently.
 */
export function createOrderPort(etsy: Etsy): OrderPort {
  return {
    readChanged: (access, { modifiedSince, cursor }) =>
      readPage(etsy, access, cursor === null ? firstPosition('changed', modifiedSince) : parseCursor(cursor)),

    readAgain(access, { orderedSince, cursor }) {
      const first = () => (orderedSince ? firstPosition('made', orderedSince) : firstPosition('unshipped', 0))
      return readPage(etsy, access, cursor === null ? first() : parseCursor(cursor))
    },

    async readOrder(access, externalOrderId) {
      // Only a number can be a receipt, so nothing else from a push reaches the path.
      if (!/^[1-9]\d{0,17}$/.test(externalOrderId)) return null
      const raw = await fetchReceipt(etsy, access, externalOrderId)
      if (raw === null) return null
      const read = readReceipt(raw)
      if ('field' in read) throw notUnderstood([`${externalOrderId} (${read.field})`])
      if (read.order.external_order_id === externalOrderId) return read.order
      throw notUnderstood([`${externalOrderId} (receipt_id)`])
    },
  }
}

async function readPage(etsy: Etsy, access: ShopAccess, position: Position): Promise<OrderPage> {
  if (position.ended) throw notUnderstood(position.unread)
  const { by, from, also } = lists[position.list]
  const { since, offset } = position
  const answer = await etsy(
    {
      call: 'the list of orders',
      path: `/shops/${access.shop.external_id}/receipts`,
      query: { ...also, [from]: since, sort_on: by, sort_order: 'asc', limit: pageLimit, offset },
      accessToken: access.accessToken,
      signal: access.signal,
    },
    ReceiptsAnswer,
  )
  return pageOf(position, answer)
}

async function fetchReceipt(etsy: Etsy, access: ShopAccess, receiptId: string): Promise<unknown> {
  try {
    return await etsy(
      {
        call: 'an order',
        path: `/shops/${access.shop.external_id}/receipts/${receiptId}`,
        accessToken: access.accessToken,
        signal: access.signal,
      },
      z.unknown(),
    )
  } catch (error) {
    if (error instanceof PlatformError && error.failure === 'not_found') return null
    throw error
  }
}

/** Returns the orders of an answer, and the next position. */
function pageOf(position: Position, { count, results }: ReceiptsAnswer): OrderPage {
  const orders: PlatformOrder[] = []
  const unread = new Set(position.unread)
  const entries = results.map((raw) => {
    const named = NamedReceipt.safeParse(raw)
    const read = readReceipt(raw)
    const id = named.success ? named.data.receipt_id : 'unknown'
    if ('order' in read) orders.push(read.order)
    else unread.add(`${id} (${read.field})`)
    const { by } = lists[position.list]
    const timeMs = named.success ? (named.data[`${by}_timestamp`] ?? named.data[olderNames[by]]) : null
    return { id, at: timeMs == null ? null : timeMs / 1_000 }
  })
  const next = nextPosition({ ...position, unread: [...unread].slice(0, 20) }, count, entries)
  return { orders, nextCursor: next && JSON.stringify(next) }
}

/**
 * Returns the position after a page with these receipts; null after the last. Throws PlatformError if the position was
 * lost too often.
 */
function nextPosition(
  position: Position,
  count: number,
  entries: { id: string; at: number | null }[],
): Position | null {
  const ids = entries.map(({ id }) => id)
  const isLost = position.tail.length > 0 && !ids.some((id) => position.tail.includes(id))
  if (isLost) {
    // Receipts in between may have moved before the offset, so start again at this second.
    if (position.lost >= maxLost) throw changesTooFast()
    return { ...position, offset: 0, tail: [], lost: position.lost + 1 }
  }
  // After a full page, read on even if the count says that it is the last.
  if (entries.length < pageLimit && position.offset + entries.length >= count) {
    return position.unread.length > 0 ? { ...position, ended: true } : null
  }
  // The count promises more receipts, but the page is empty.
  if (entries.length === 0) throw changesTooFast()
  const newest = sortedUpTo(position.since, entries)
  if (newest !== null && newest > position.since) return { ...position, since: newest, offset: 0, tail: [], lost: 0 }
  const step = Math.max(1, entries.length - overlap)
  return { ...position, offset: position.offset + step, tail: ids.slice(step).slice(-overlap) }
}

/** Returns the last time of a sorted page; null for an unsorted one. */
function sortedUpTo(since: number, entries: { at: number | null }[]): number | null {
  let last = since
  for (const { at } of entries) {
    if (at === null || at < last) return null
    last = at
  }
  return last
}

function firstPosition(list: Position['list'], since: string | 0): Position {
  const seconds = Math.floor(new Date(since).getTime() / 1_000)
  return { list, since: Math.max(earliest, seconds), offset: 0, tail: [], lost: 0, unread: [], ended: false }
}

function parseCursor(cursor: string): Position {
  return Position.parse(JSON.parse(cursor))
}

function changesTooFast(): PlatformError {
  return new PlatformError('etsy', 'unavailable', 'Etsy’s list of orders changes faster than it can be read.', {
    platformCode: 'moving_list',
  })
}

function notUnderstood(unread: string[]): PlatformError {
  const names = unread.slice(0, 3).join(', ')
  return new PlatformError('etsy', 'malformed', `Etsy's answer about an order is not understood: ${names}.`)
}
