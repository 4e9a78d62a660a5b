import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#e2e/harness/database/database.ts'
import { saleOfListing } from '#server/selling/sales/observed-sale.ts'
import { recordSale } from '#server/selling/sales/record-sale.ts'
import {
  buildListedItem,
  buildSeller,
  listingOf,
  orderFor,
  placeOrder,
  type TestSeller,
} from '#server/selling/sales/testing/sell.ts'
import type { Check } from '#shared/contract/catalog/checks.ts'
import { newId } from '#shared/identity.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import { findCheck } from './list-checks.ts'
import { witnessChecks } from './witness-checks.ts'

let database: TestDatabase
let seller: TestSeller
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())
beforeEach(async () => {
  seller = await buildSeller(database.db, ['ebay', 'etsy', 'poshmark'])
})

const list = (): Promise<Check[]> => witnessChecks(database.db, seller.user_id)
const ago = (text: string) =>
  database.db.none(`update order_line set recorded_at = now() - interval '${text}' where user_id = $1`, [
    seller.user_id,
  ])

/** Records that an item's listing was seen as sold. */
async function seeSold(platform: PlatformSlug, by: 'import' | 'extension') {
  const item = await buildListedItem(database.db, seller)
  const listing = {
    ...{ platform, seller_account_uid: item.shops[platform]!, listing_id: listingOf(platform, item.item_uid) },
    ...{ price_minor: 4_250, currency: 'USD', observed_at: new Date().toISOString(), by },
  }
  await recordSale(database.db, seller.user_id, saleOfListing(listing))
  return item
}

it('tells of a sale that a listing shows and no order confirms, with what is held', async () => {
  const { item_uid } = await seeSold('ebay', 'import')
  expect(await list()).toEqual([])
  await ago('1 hour')
  await database.db.none(
    `insert into order_sync (user_id, seller_account_uid, platform, last_success_at) values ($1, $2, 'ebay', now())`,
    [seller.user_id, seller.shops.ebay],
  )
  const [check] = await list()
  expect(check).toMatchObject({
    kind: 'sale_unconfirmed',
    message: 'Sold on eBay, told by the listing; no order there.',
    ...{ inventory_item_uid: item_uid, item_state: 'sold', sold_on: 'ebay', witness: 'api', taking_down: ['etsy'] },
  })
  expect(await findCheck(database.db, seller.user_id, check!.uid)).toMatchObject({ check: { uid: check!.uid } })
})

it('tells of a sale by mail that no page shows, with what is held and what waits', async () => {
  const item = await buildListedItem(database.db, seller)
  const listing = {
    ...{ platform: 'poshmark' as const, seller_account_uid: item.shops.poshmark!, price_minor: 4_250, currency: 'USD' },
    ...{ listing_id: listingOf('poshmark', item.item_uid), observed_at: new Date().toISOString(), by: 'mail' as const },
  }
  await recordSale(database.db, seller.user_id, saleOfListing({ ...listing, status: 'pending' }))
  await ago('1 hour')
  await database.db.none(
    "update seller_account set last_seen_at = '2026-01-06T10:00:00Z' where user_id = $1 and platform = 'poshmark'",
    [seller.user_id],
  )
  const [check] = (await list()).filter(({ kind }) => kind === 'sale_unconfirmed')
  expect(check).toMatchObject({
    message: 'Sold on Poshmark, told by mail; page not read since 2026-01-06.',
    ...{ inventory_item_uid: item.item_uid, item_state: 'reserved', witness: 'mail', can_free: true },
    ...{ waiting_on: [], ended_on: [] },
  })
  expect(check!.taking_down.toSorted()).toEqual(['ebay', 'etsy'])
  const observed_at = new Date(Date.now() + 1_000).toISOString()
  await recordSale(database.db, seller.user_id, saleOfListing({ ...listing, observed_at, by: 'extension' }))
  expect((await list()).filter(({ kind }) => kind === 'sale_unconfirmed')).toEqual([])
})

it('tells since when the orders were not read', async () => {
  await seeSold('ebay', 'import')
  await ago('1 hour')
  await database.db.none(
    `insert into order_sync (user_id, seller_account_uid, platform, last_success_at)
     values ($1, $2, 'ebay', '2026-01-06T10:00:00Z')`,
    [seller.user_id, seller.shops.ebay],
  )
  expect((await list())[0]!.message).toBe('Sold on eBay, told by the listing; orders not read since 2026-01-06.')
})

it('tells nothing of sales that need no second witness', async () => {
  await seeSold('poshmark', 'extension')
  const item = await buildListedItem(database.db, seller)
  await placeOrder(database.db, seller.user_id, orderFor(item, 'etsy', { id: newId('ord') }))
  await ago('1 day')
  expect(await list()).toEqual([])
})

it('tells of a shop with live listings whose page was not read for days', async () => {
  await buildListedItem(database.db, seller)
  const seen = (at: string) =>
    database.db.none('update seller_account set connected_at = $2, last_seen_at = $2 where user_id = $1', [
      seller.user_id,
      at,
    ])
  await seen(new Date().toISOString())
  expect(await list()).toEqual([])
  await seen('2026-01-06T10:00:00Z')
  expect(await list()).toMatchObject([
    {
      kind: 'shop_unread',
      message: 'Poshmark has not been read since 2026-01-06, and 1 listing is live there. A sale would not be seen.',
      since: '2026-01-06T10:00:00.000Z',
      manual: [{ marketplace: 'poshmark' }],
    },
  ])
  await database.db.none("update channel_listing set state = 'removed' where user_id = $1", [seller.user_id])
  expect(await list()).toEqual([])
})
