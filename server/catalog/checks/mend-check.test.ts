import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { apiOf } from '#e2e/harness/api.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { insertShop } from '#server/selling/listings/testing/build-item.ts'
import { listingOf, orderFor, placeOrder, type TestSeller } from '#server/selling/sales/testing/sell.ts'
import type { Check } from '#shared/contract/catalog/checks.ts'
import { newId } from '#shared/identity.ts'
import { platforms } from '#shared/platforms.ts'
import { runCheck } from './run-check.ts'
import { addresses, plantItem, plantPriceRule, plantQuestion } from './testing/plant.ts'

let server: TestServer
let seller: TestSeller
let key: { 'x-api-key': string }
beforeAll(async () => {
  server = await startTestServer({ works: false })
})
afterAll(() => server?.close())
beforeEach(async () => {
  const account = await buildAccount(server.services.db)
  const shops: Record<string, string> = {}
  for (const { slug } of platforms) shops[slug] = await insertShop(server.services.db, account.user_id, slug)
  seller = { user_id: account.user_id, shops }
  key = account.key
})

const call = (method: string, path: string, body?: unknown) =>
  apiOf(server.url)(method, `/api/v1/checks/${path}`, { headers: key, body })
const list = async (): Promise<Check[]> => (await call('GET', '?page_size=100')).body.results
const mend = async (uid: string, body: object = {}) => (await call('POST', `${uid}/mend/`, body)).body
const operations = () =>
  server.services.db.any(
    'select kind, platform, listing_id, fields, price_minor from listing_operation where user_id = $1 order by platform, listing_id',
    [seller.user_id],
  )

/** Checks the inventory and returns the one finding. */
async function found(): Promise<Check> {
  await runCheck(server.services, seller.user_id)
  const results = await list()
  expect(results).toHaveLength(1)
  return results[0]!
}

it('takes a sold item down where it is live', async () => {
  const { db } = server.services
  const { item_uid } = await plantItem(db, seller, { depop: { state: 'sold' }, ebay: {} }, { state: 'sold' })
  const check = await found()
  expect(check).toMatchObject({
    kind: 'sold_live',
    message: 'Sold on Depop, and still live on eBay.',
    sold_on: 'depop',
    action: 'take_down',
    manual: [],
    listings: [{ marketplace: 'ebay', to_mend: true }],
  })
  expect(await mend(check.uid)).toEqual({ status: 'started', manual: [] })
  expect(await operations()).toMatchObject([
    { kind: 'delist', platform: 'ebay', listing_id: listingOf('ebay', item_uid) },
  ])
  // Hapax is ending it, which is no fault.
  expect(await list()).toEqual([])
  expect(await mend(check.uid)).toEqual({ status: 'gone', manual: [] })
})

it('opens the task where only the seller can end a listing', async () => {
  const { item_uid } = await plantItem(
    server.services.db,
    seller,
    { ebay: { state: 'sold' }, depop: {} },
    { state: 'sold' },
  )
  const check = await found()
  const manual = [{ marketplace: 'depop', url: `https://example.com/${listingOf('depop', item_uid)}` }]
  expect(check).toMatchObject({ manual, task_uid: null, alert_uid: null })
  expect(await mend(check.uid)).toEqual({ status: 'manual', manual })
  const [after] = await list()
  expect(after).toMatchObject({
    uid: check.uid,
    task_uid: expect.stringMatching(/^tsk_/),
    alert_uid: expect.stringMatching(/^alm_/),
  })
})

it('leaves the listing that a buyer holds', async () => {
  const places = { poshmark: { state: 'reserved' }, etsy: {} } as const
  await plantItem(server.services.db, seller, places, { state: 'reserved' })
  const check = await found()
  expect(check.message).toBe('Held for a buyer on Poshmark, and still live on Etsy.')
  await mend(check.uid)
  expect(await operations()).toMatchObject([{ kind: 'delist', platform: 'etsy' }])
  expect(await list()).toEqual([])
})

it('records the sale that an import asks about', async () => {
  const { db } = server.services
  const { item_uid } = await plantItem(db, seller, { etsy: {} })
  const asked = {
    item_uid,
    platform: 'depop',
    listing_id: 'd-1',
    conflict_type: 'sold_elsewhere',
    state: 'sold',
  } as const
  const conflict = await plantQuestion(db, seller, asked)
  const check = await found()
  expect(check).toMatchObject({ kind: 'sold_live', sold_on: 'depop', action: 'record_sale', conflict })
  expect(await mend(check.uid)).toMatchObject({ status: 'started' })
  expect(await db.one('select state from inventory_item where uid = $1', [item_uid])).toEqual({ state: 'sold' })
  expect(await operations()).toMatchObject([{ kind: 'delist', platform: 'etsy' }])
  expect(await list()).toEqual([])
})

it('ends the listing of a sold item that an import asks about', async () => {
  const { db } = server.services
  const { item_uid } = await plantItem(db, seller, { ebay: { state: 'sold' } }, { state: 'sold' })
  const asked = {
    item_uid,
    platform: 'etsy',
    listing_id: 'e-1',
    conflict_type: 'sold_elsewhere',
    state: 'available',
  } as const
  await plantQuestion(db, seller, asked)
  await mend((await found()).uid)
  expect(await operations()).toMatchObject([{ kind: 'delist', platform: 'etsy', listing_id: 'e-1' }])
})

it('keeps one of two listings, by default the item’s own', async () => {
  const { db } = server.services
  const { item_uid } = await plantItem(db, seller, { ebay: [{}, { extra: true, listing_id: 'second' }] })
  const check = await found()
  expect(check).toMatchObject({ kind: 'listed_twice', message: 'Live twice on eBay.', action: 'keep_one' })
  expect(check.listings.map(({ listing_id, to_mend }) => [listing_id, to_mend])).toEqual([
    ['second', true],
    [listingOf('ebay', item_uid), false],
  ])
  expect((await call('POST', `${check.uid}/mend/`, { keep_listing_id: 'third' })).body).toMatchObject({
    code: 'invalid_request',
    errors: [{ field: 'keep_listing_id', code: 'unknown' }],
  })
  await mend(check.uid, { keep_listing_id: 'second' })
  expect(await operations()).toMatchObject([{ kind: 'delist', listing_id: listingOf('ebay', item_uid) }])
  expect(await list()).toEqual([])
})

it('ends the younger of two items that are the same thing', async () => {
  const { db } = server.services
  const twin = { title: 'Silk scarf', images: addresses('scarf', 3) }
  const first = await plantItem(db, seller, { ebay: {} }, twin)
  const second = await plantItem(db, seller, { ebay: {} }, twin)
  const check = await found()
  expect(check).toMatchObject({ kind: 'listed_twice', inventory_item_uid: first.item_uid, can_dismiss: true })
  await mend(check.uid)
  expect(await operations()).toMatchObject([{ kind: 'delist', listing_id: listingOf('ebay', second.item_uid) }])
  expect(await list()).toEqual([])
})

it('sends the price by the rule to a listing below it', async () => {
  const { db } = server.services
  await plantPriceRule(db, seller)
  await plantItem(db, seller, { ebay: { price_minor: 3_000 }, etsy: { price_minor: 3_700 } })
  const check = await found()
  expect(check).toMatchObject({
    ...{ kind: 'price_differs', message: 'Below your price rule: 37.00 USD on Etsy.', action: 'set_price', manual: [] },
    listings: [{ marketplace: 'etsy', price_minor: 3_700, new_price_minor: 3_825 }],
  })
  expect(await mend(check.uid)).toEqual({ status: 'started', manual: [] })
  expect(await operations()).toMatchObject([{ kind: 'update', platform: 'etsy', price_minor: 3_825 }])
})

it('leaves a finding that the seller accepts, until it changes', async () => {
  const { db } = server.services
  await plantPriceRule(db, seller)
  const { item_uid } = await plantItem(db, seller, { etsy: { price_minor: 3_700 } })
  const check = await found()
  expect((await call('POST', `${check.uid}/dismiss/`)).status).toBe(204)
  expect((await call('POST', `${check.uid}/dismiss/`)).status).toBe(204)
  await runCheck(server.services, seller.user_id)
  expect(await list()).toEqual([])
  await db.none('update channel_listing set price_minor = 3500 where item_uid = $1', [item_uid])
  await runCheck(server.services, seller.user_id)
  expect(await list()).toMatchObject([{ uid: check.uid }])
})

it('does not accept that a sold item stays live', async () => {
  await plantItem(server.services.db, seller, { ebay: { state: 'sold' }, depop: {} }, { state: 'sold' })
  expect((await call('POST', `${(await found()).uid}/dismiss/`)).body).toMatchObject({ status: 409, code: 'conflict' })
})

it('names the difference and the alert that say the same', async () => {
  const { db } = server.services
  await plantPriceRule(db, seller)
  await plantItem(db, seller, { etsy: { read_price: { price_minor: 3_000, state: 'open' } } })
  expect((await found()).difference_uid).toMatch(/^dif_/)
  const sold = await plantItem(db, seller, { ebay: {}, depop: {} })
  await placeOrder(db, seller.user_id, orderFor(sold, 'ebay', { id: newId('ord') }))
  await runCheck(server.services, seller.user_id)
  expect((await list())[0]).toMatchObject({
    kind: 'sold_live',
    alert_uid: expect.stringMatching(/^alm_/),
    witness: 'api',
  })
})

it('is of its own seller only', async () => {
  await plantItem(server.services.db, seller, { ebay: [{}, { extra: true, listing_id: 'second' }] })
  const check = await found()
  const other = await buildAccount(server.services.db)
  const path = `/api/v1/checks/${check.uid}/mend/`
  expect((await apiOf(server.url)('POST', path, { headers: other.key, body: {} })).status).toBe(404)
})
