import { z } from 'zod'
import { PlatformError } from '../errors.ts'
import type { OrderPage, OrderPort, PlatformOrder, ShopAccess } from '../port.ts'
import type { Etsy } from './client.ts'
import { readReceipt } from './read-receipt.ts'
import { NamedReceipt, ReceiptsAnswer } from './receipt-wire.ts'

const pageLimit = 100
/** So many receipts of the page before are asked for again, where only an offset leads on. */
const overlap = 25
/** So often in a row the place may be lost before the list is said to be too lively to read. */
const mostLost = 3
/** Etsy knows no earlier time (2000-01-01). */
const earliest = 946_684_800

/** Where a reading of changed receipts stands. */
const Place = z.strictObject({
  /** Receipts that changed at this second or later (epoch seconds), from the one at `offset` on. */
  since: z.int(),
  offset: z.int().min(0),
  /** The last ids before: one of them must be seen again where an offset leads on. */
  tail: z.array(z.string()).max(overlap),
  lost: z.int().min(0),
  /** Receipts that could not be understood, each with the field, by the time the list ends. */
  unread: z.array(z.string()).max(20),
  /** All pages are read; what is left to say is `unread`. */
  ended: z.boolean(),
})
type Place = z.infer<typeof Place>

/**
 * A shop's orders by getShopReceipts and getShopReceipt (platforms 2.3).
 *
 * The list is read by the time of change, oldest first. A receipt that changes while it is read moves to the end, and all
 * behind it move up by one: by offset alone, one would be skipped for each. So the next page begins at the last time of
 * this one, and repeats what has that same time; and only where a whole page has the same time, or Etsy did not sort as
 * asked, does an offset lead on, with an overlap in which something of the page before must be seen again.
 *
 * A receipt that is not understood does not keep the others from being told: they come first, and then the reading fails
 * by the name of it (`malformed`), so that nobody takes the orders for read.
 */
export function createOrderPort(etsy: Etsy): OrderPort {
  return {
    async readChanged(access, { modifiedSince, cursor }) {
      const place = cursor === null ? firstPlace(modifiedSince) : placeOf(cursor)
      if (place.ended) throw notUnderstood(place.unread)
      const answer = await etsy(
        {
          call: 'the list of orders',
          path: `/shops/${access.shop.external_id}/receipts`,
          query: {
            min_last_modified: place.since,
            sort_on: 'updated',
            sort_order: 'asc',
            limit: pageLimit,
            offset: place.offset,
          },
          accessToken: access.accessToken,
          signal: access.signal,
        },
        ReceiptsAnswer,
      )
      return pageOf(place, answer)
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

/** The orders of an answer, and where to go on. */
function pageOf(place: Place, { count, results }: ReceiptsAnswer): OrderPage {
  const orders: PlatformOrder[] = []
  const unread = new Set(place.unread)
  const entries = results.map((raw) => {
    const named = NamedReceipt.safeParse(raw)
    const read = readReceipt(raw)
    const id = named.success ? named.data.receipt_id : 'unknown'
    if ('order' in read) orders.push(read.order)
    else unread.add(`${id} (${read.field})`)
    const updatedMs = named.success ? (named.data.updated_timestamp ?? named.data.update_timestamp) : null
    return { id, updated: updatedMs == null ? null : updatedMs / 1_000 }
  })
  const next = nextPlace({ ...place, unread: [...unread].slice(0, 20) }, count, entries)
  return { orders, nextCursor: next && JSON.stringify(next) }
}

/**
 * Returns the place after a page with these receipts; null after the last. Throws PlatformError when the place is lost
 * for good.
 */
function nextPlace(place: Place, count: number, entries: { id: string; updated: number | null }[]): Place | null {
  const ids = entries.map(({ id }) => id)
  const isLost = place.tail.length > 0 && !ids.some((id) => place.tail.includes(id))
  if (isLost) {
    // Receipts between may have moved to before the offset. Start again at this second, or at the whole list.
    if (place.lost >= mostLost) throw tooLively()
    return { ...place, offset: 0, tail: [], lost: place.lost + 1 }
  }
  // A full page is looked behind even where the count says that it is the last.
  if (entries.length < pageLimit && place.offset + entries.length >= count) {
    return place.unread.length > 0 ? { ...place, ended: true } : null
  }
  // More is said to come than was shown, but nothing leads there.
  if (entries.length === 0) throw tooLively()
  const newest = sortedUpTo(place.since, entries)
  if (newest !== null && newest > place.since) return { ...place, since: newest, offset: 0, tail: [], lost: 0 }
  const step = Math.max(1, entries.length - overlap)
  return { ...place, offset: place.offset + step, tail: ids.slice(step).slice(-overlap) }
}

/** The last time of a page that is sorted as asked; null for any other. */
function sortedUpTo(since: number, entries: { updated: number | null }[]): number | null {
  let last = since
  for (const { updated } of entries) {
    if (updated === null || updated < last) return null
    last = updated
  }
  return last
}

function firstPlace(modifiedSince: string): Place {
  const seconds = Math.floor(Date.parse(modifiedSince) / 1_000)
  return { since: Math.max(earliest, seconds), offset: 0, tail: [], lost: 0, unread: [], ended: false }
}

function placeOf(cursor: string): Place {
  return Place.parse(JSON.parse(cursor))
}

function tooLively(): PlatformError {
  return new PlatformError('etsy', 'unavailable', 'Etsy’s list of orders changes faster than it can be read.', {
    platformCode: 'moving_list',
  })
}

function notUnderstood(unread: string[]): PlatformError {
  const names = unread.slice(0, 3).join(', ')
  return new PlatformError('etsy', 'malformed', `Etsy's answer about an order is not understood: ${names}.`)
}
