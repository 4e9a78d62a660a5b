import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PlatformError } from '#server/platforms/errors.ts'
import type { LiveState } from '#server/platforms/port.ts'
import { recordOrder } from '#server/sales/record-order.ts'
import { byPoll, listingOf, orderFor } from '#server/sales/testing/sell.ts'
import { type OrderStand, startOrderStand } from './testing/stand.ts'
import { startOrderWorker } from './worker.ts'

let stand: OrderStand
/** What eBay says of a listing. */
let readState: () => Promise<LiveState>
beforeAll(async () => {
  stand = await startOrderStand()
  Object.assign(stand.services.platforms.get('ebay')!, { listings: { readState: () => readState() } })
})
afterAll(() => stand?.close())

/** Sells an item on eBay, and lets a worker look at its listing. */
async function sellAndLook() {
  const { db } = stand.services
  const seller = await stand.seller()
  const item = await seller.item()
  await recordOrder(db, seller.user_id, orderFor(item, 'ebay', { id: `order of ${item.item_uid}` }), byPoll)
  await db.none('update order_line set check_listing_at = now() where user_id = $1', [seller.user_id])
  const worker = startOrderWorker(stand.services, { pollMs: 10 })
  try {
    for (let round = 0; round < 500; round++) {
      const { due } = await db.one(
        'select coalesce(bool_or(check_listing_at <= now()), false) as due from order_line where user_id = $1',
        [seller.user_id],
      )
      if (!due) break
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  } finally {
    await worker.stop(2_000)
  }
  const intents = await db.map(
    'select platform from listing_intent where user_id = $1 order by 1',
    [seller.user_id],
    ({ platform }) => platform,
  )
  const listing = await db.one('select state from channel_listing where user_id = $1 and listing_id = $2', [
    seller.user_id,
    listingOf('ebay', item.item_uid),
  ])
  const line = await db.one('select check_listing_at from order_line where user_id = $1', [seller.user_id])
  return { intents, listing: listing.state, again: line.check_listing_at !== null }
}

describe('the listing that sold an item', () => {
  it('is left alone when the platform has ended it', async () => {
    readState = async () => 'sold'
    expect(await sellAndLook()).toEqual({ intents: ['etsy'], listing: 'sold', again: false })
  })

  it('I3: is taken down when it offers more than the one thing there was', async () => {
    readState = async () => 'live'
    expect(await sellAndLook()).toEqual({ intents: ['ebay', 'etsy'], listing: 'available', again: false })
  })

  it('is looked at again when the platform does not answer', async () => {
    readState = async () => {
      throw new PlatformError('ebay', 'unavailable', 'eBay did not answer.')
    }
    expect(await sellAndLook()).toEqual({ intents: ['etsy'], listing: 'sold', again: true })
  })
})
