import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#e2e/harness/database/database.ts'
import { buildListedItem, buildSeller, listingOf, orderFor, placeOrder } from '#server/selling/sales/testing/sell.ts'
import { recordRelisted } from './record-relisted.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

it('a listing relisted in its shop resolves the relist offer', async () => {
  const { db } = database
  const item = await buildListedItem(db, await buildSeller(db, ['ebay']))
  const { user_id, item_uid } = item
  await placeOrder(db, user_id, orderFor(item, 'ebay'))
  await placeOrder(db, user_id, orderFor(item, 'ebay', { status: 'cancelled', at: 1 }))
  const offers = () =>
    db.map("select state from alert where user_id = $1 and kind = 'relist_offer'", [user_id], ({ state }) => state)
  expect(await offers()).toEqual(['open'])

  await db.none("update channel_listing set updated_at = now() - interval '1 hour' where user_id = $1", [user_id])
  const shop = { user_id, seller_account_uid: item.shops.ebay!, platform: 'ebay', job_uid: null } as const
  expect(await db.tx((tx) => recordRelisted(tx, shop, [listingOf('ebay', item_uid)]))).toBe(1)
  expect(await offers()).toEqual(['resolved'])
})
