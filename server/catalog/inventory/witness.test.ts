import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#e2e/harness/database/database.ts'
import { moveItem } from '#server/selling/listings/testing/build-item.ts'
import type { Evidence } from '#server/selling/sales/observed-sale.ts'
import { saleOfListing } from '#server/selling/sales/observed-sale.ts'
import { recordSale } from '#server/selling/sales/record-sale.ts'
import {
  buildListedItem,
  buildSeller,
  listingOf,
  orderFor,
  type TestSeller,
} from '#server/selling/sales/testing/sell.ts'
import { newId } from '#shared/identity.ts'
import { listHistory } from './list-history.ts'

let database: TestDatabase
let seller: TestSeller
beforeAll(async () => {
  database = await createTestDatabase()
  seller = await buildSeller(database.db, ['ebay', 'etsy', 'poshmark', 'depop'])
})
afterAll(() => database?.drop())

const newest = async (uid: string) =>
  (await listHistory(database.db, { user_id: seller.user_id, uid })).find(
    ({ from_state, to_state }) => from_state !== to_state,
  )!

it.each([
  ['push', 'api'],
  ['poll', 'api'],
  ['seller', 'seller'],
] as const)('names the witness of a sale told by %s', async (by, witness) => {
  const item = await buildListedItem(database.db, seller)
  const evidence: Evidence = { by, seen_at: new Date().toISOString() }
  await recordSale(database.db, seller.user_id, { order: orderFor(item, 'ebay', { id: newId('ord') }), evidence })
  const marketplace = witness === 'seller' ? null : 'ebay'
  expect(await newest(item.item_uid)).toMatchObject({
    ...{ to_state: 'sold', witness, marketplace },
    ordered_at: '2026-01-05T10:00:00.000Z',
  })
})

it('names the page and the API as witnesses of a listing seen as sold', async () => {
  for (const [platform, by, witness] of [
    ['poshmark', 'extension', 'page'],
    ['poshmark', 'import', 'page'],
    ['etsy', 'import', 'api'],
  ] as const) {
    const item = await buildListedItem(database.db, seller)
    const listing = {
      ...{ platform, seller_account_uid: item.shops[platform]!, listing_id: listingOf(platform, item.item_uid) },
      ...{ price_minor: 4_250, currency: 'USD', observed_at: new Date().toISOString(), by },
    }
    await recordSale(database.db, seller.user_id, saleOfListing(listing))
    expect(await newest(item.item_uid)).toMatchObject({ witness, marketplace: platform })
  }
})

it('keeps the witness of a move when its order has another source later', async () => {
  const { db } = database
  const item = await buildListedItem(db, seller)
  // Sale mails are no evidence yet.
  const evidence = { by: 'mail', seen_at: new Date().toISOString() } as unknown as Evidence
  const id = newId('ord')
  await recordSale(db, seller.user_id, { order: orderFor(item, 'ebay', { id, status: 'pending' }), evidence })
  await recordSale(db, seller.user_id, {
    order: orderFor(item, 'ebay', { id, at: 1 }),
    evidence: { ...evidence, by: 'poll' },
  })
  const history = await listHistory(db, { user_id: seller.user_id, uid: item.item_uid })
  expect(history.map(({ to_state, witness }) => [to_state, witness])).toEqual([
    ['sold', 'api'],
    ['reserved', 'mail'],
    ['available', 'seller'],
  ])
})

it('tells the witness of entries that were written without one', async () => {
  const { db } = database
  const item = await buildListedItem(db, seller)
  const evidence: Evidence = { by: 'push', seen_at: new Date().toISOString() }
  await recordSale(db, seller.user_id, { order: orderFor(item, 'ebay', { id: newId('ord') }), evidence })
  await db.none('update inventory_history set witness = null where item_uid = $1', [item.item_uid])
  expect(await newest(item.item_uid)).toMatchObject({ witness: 'api', marketplace: 'ebay' })
  const withdrawn = await buildListedItem(db, seller)
  await moveItem(db, withdrawn.item_uid, 'withdrawn')
  expect(await newest(withdrawn.item_uid)).toMatchObject({ witness: 'seller', marketplace: null })
})

it('tells what followed a sale on each marketplace, with times', async () => {
  const { db } = database
  const item = await buildListedItem(db, seller)
  const evidence: Evidence = { by: 'push', seen_at: new Date().toISOString() }
  await recordSale(db, seller.user_id, { order: orderFor(item, 'ebay', { id: newId('ord') }), evidence })
  await db.none(
    `update listing_operation set state = 'done', accepted_at = created_at, finished_at = created_at + interval '4 seconds',
       confirmed_at = created_at + interval '3 seconds' where item_uid = $1`,
    [item.item_uid],
  )
  await db.none(
    `update extension_task set status = 'completed', finished_at = created_at + interval '90 seconds'
     where item_uid = $1 and platform = 'poshmark'`,
    [item.item_uid],
  )
  await db.none(
    "update channel_listing set state = 'removed' where item_uid = $1 and platform in ('etsy', 'poshmark')",
    [item.item_uid],
  )
  const { at, followed } = await newest(item.item_uid)
  const after = (seconds: number) => new Date(Date.parse(at) + seconds * 1_000).toISOString()
  expect(followed).toEqual([
    {
      ...{ marketplace: 'etsy', listing_id: listingOf('etsy', item.item_uid) },
      by: 'api',
      state: 'ended',
      asked_at: at,
      ended_at: after(3),
    },
    {
      ...{ marketplace: 'poshmark', listing_id: listingOf('poshmark', item.item_uid) },
      by: 'seller',
      state: 'ended',
      asked_at: at,
      ended_at: after(90),
    },
    {
      ...{ marketplace: 'depop', listing_id: listingOf('depop', item.item_uid) },
      by: 'seller',
      state: 'ending',
      asked_at: at,
      ended_at: null,
    },
  ])
})
