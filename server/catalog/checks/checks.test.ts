import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { apiOf } from '#e2e/harness/api.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { until } from '#e2e/harness/until.ts'
import { insertShop } from '#server/selling/listings/testing/build-item.ts'
import { orderFor, placeOrder, type TestSeller } from '#server/selling/sales/testing/sell.ts'
import type { Check, CheckKind } from '#shared/contract/catalog/checks.ts'
import { newId } from '#shared/identity.ts'
import { type PlatformSlug, platforms } from '#shared/platforms.ts'
import { checkDue, runCheck } from './run-check.ts'
import { addresses, plantItem, plantListing, plantPriceRule, plantQuestion } from './testing/plant.ts'

const slugs = platforms.map(({ slug }) => slug)
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
  for (const slug of slugs) shops[slug] = await insertShop(server.services.db, account.user_id, slug)
  seller = { user_id: account.user_id, shops }
  key = account.key
})

const call = async (method: string, path: string, body?: unknown) =>
  apiOf(server.url)(method, `/api/v1/checks/${path}`, { headers: key, body })
const list = async (): Promise<{
  count: number
  results: Check[]
  counts: Record<string, number>
  checked_at: string
}> => (await call('GET', '?page_size=100')).body
const check = () => runCheck(server.services, seller.user_id)

/** Plants inventory that is as it should be, in every state that a seller's inventory has. */
async function plantHealthy(): Promise<void> {
  const { db } = server.services
  const { user_id } = seller
  const everywhere = (listing: object) => Object.fromEntries(slugs.map((slug) => [slug, listing]))
  await plantPriceRule(db, seller)
  for (let n = 0; n < 5; n++) await plantItem(db, seller, everywhere({}))
  // At the price of the rule, above it, without a rule, in another currency, and nowhere.
  await plantItem(db, seller, { ebay: {}, etsy: { price_minor: 3_825 } })
  await plantItem(db, seller, {
    ebay: { price_minor: 3_900 },
    etsy: { price_minor: 9_900 },
    depop: { price_minor: 100 },
  })
  await plantItem(db, seller, { ebay: {}, etsy: { price_minor: 3_400, currency: 'GBP' } })
  await plantItem(db, seller, {})
  // Fewer photos than the item has.
  await plantItem(db, seller, { ebay: { photos: 1 }, poshmark: { photos: 0 } })
  // Sold, held, withdrawn, with all others down; one listing sold and relisted under a new id after a cancellation.
  for (const slug of slugs) {
    const others = Object.fromEntries(
      slugs.map((other) => [other, { state: other === slug ? 'available' : 'removed' } as const]),
    )
    const item = await plantItem(db, seller, others)
    const status = slug === 'ebay' ? 'pending' : 'paid'
    await placeOrder(db, user_id, orderFor(item, slug, { id: newId('ord'), status }))
  }
  await plantItem(db, seller, everywhere({ state: 'removed' }), { state: 'withdrawn' })
  await plantItem(db, seller, { ebay: {}, depop: {} }, { state: 'reserved' })
  const cancelled = await plantItem(db, seller, { ebay: {}, etsy: { state: 'removed' } })
  const id = newId('ord')
  await placeOrder(db, user_id, orderFor(cancelled, 'ebay', { id }))
  await placeOrder(db, user_id, orderFor(cancelled, 'ebay', { id, status: 'cancelled', at: 2 }))
  await plantListing(db, seller, cancelled.item_uid, 'poshmark', {})
  await plantItem(db, seller, { ebay: [{ state: 'removed', listing_id: newId('inv') }, {}] })
  // Two of a kind under SKUs of their own, and a listing that an import asks about.
  for (const sku of ['A-1', 'A-2']) {
    await plantItem(db, seller, { poshmark: {} }, { title: 'Blue mug', sku, images: addresses('mug', 2) })
  }
  const asked = await plantItem(db, seller, { ebay: {} })
  await plantQuestion(db, seller, {
    ...{ item_uid: asked.item_uid, platform: 'ebay', listing_id: 'e-9', conflict_type: 'possible_duplicate' },
    ...{ state: 'available', certainty: 'likely' },
  })
}

/** Has the take-downs of an item end in an alert, or a task that the seller put aside. */
async function giveUp(item_uid: string): Promise<void> {
  const { db } = server.services
  await db.none(
    `with ended as (
       update listing_operation set state = 'cancelled', finished_at = now(), alerted_at = now() where item_uid = $1
     )
     update extension_task set status = 'dismissed', finished_at = now() where item_uid = $1`,
    [item_uid],
  )
}

/** An item that is live twice on eBay. */
const twice = () => ({ ebay: [{}, { extra: true, listing_id: newId('inv') }] })

/** Plants ten faults of each kind. Returns the items with a fault, by kind. */
async function plantFaults(): Promise<Record<string, string[]>> {
  const { db } = server.services
  const { user_id } = seller
  const planted: Record<string, string[]> = { sold_live: [], listed_twice: [], price_differs: [] }
  const add = (kind: CheckKind, { item_uid }: { item_uid: string }) => planted[kind]!.push(item_uid)
  const next = (slug: PlatformSlug) => slugs[(slugs.indexOf(slug) + 1) % slugs.length]!

  for (const slug of slugs) {
    const sold = await plantItem(db, seller, { [slug]: {}, [next(slug)]: {} })
    await placeOrder(db, user_id, orderFor(sold, slug, { id: newId('ord') }))
    await giveUp(sold.item_uid)
    add('sold_live', sold)

    const both = await plantItem(db, seller, { [slug]: [{}, { extra: true, listing_id: newId('inv') }] })
    add('listed_twice', both)

    add('price_differs', await plantItem(db, seller, { [slug]: {}, etsy: { price_minor: 3_700 } }))
  }

  add('sold_live', await plantItem(db, seller, { depop: { state: 'sold' }, ebay: {} }, { state: 'sold' }))
  const held = await plantItem(db, seller, { ebay: {}, poshmark: {} })
  await placeOrder(db, user_id, orderFor(held, 'ebay', { id: newId('ord'), status: 'pending' }))
  add('sold_live', held)
  add('sold_live', await plantItem(db, seller, { poshmark: { state: 'reserved' }, etsy: {} }, { state: 'reserved' }))
  const gone = await plantItem(db, seller, { ebay: { state: 'sold' } }, { state: 'sold' })
  const asked = { conflict_type: 'sold_elsewhere', listing_id: newId('inv') }
  await plantQuestion(db, seller, { ...asked, item_uid: gone.item_uid, platform: 'mercari', state: 'available' })
  add('sold_live', gone)
  const soldThere = await plantItem(db, seller, { etsy: {} })
  await plantQuestion(db, seller, { ...asked, item_uid: soldThere.item_uid, platform: 'depop', state: 'sold' })
  add('sold_live', soldThere)

  const shop = await insertShop(db, user_id, 'ebay')
  add('listed_twice', await plantItem(db, seller, { ebay: [{}, { extra: true, listing_id: newId('inv'), shop }] }))
  const thrice = [{}, { extra: true, listing_id: newId('inv') }, { extra: true, listing_id: newId('inv') }]
  add('listed_twice', await plantItem(db, seller, { depop: thrice }, { state: 'reserved' }))
  add('listed_twice', await plantItem(db, seller, twice()))
  for (const [platform, twin] of [
    ['poshmark', { title: 'Silk scarf', images: addresses('scarf', 3) }],
    ['mercari', { title: 'Wool hat', description: 'A hat of wool, worn once.' }],
  ] as const) {
    add('listed_twice', await plantItem(db, seller, { [platform]: {} }, { ...twin }))
    await plantItem(db, seller, { [platform]: {} }, { ...twin })
  }

  for (const state of ['open', 'ignored'] as const) {
    const read_price = { price_minor: 3_000, state }
    add('price_differs', await plantItem(db, seller, { ebay: {}, etsy: { read_price } }))
  }
  add('price_differs', await plantItem(db, seller, { etsy: { price_minor: 3_824 } }))
  add('price_differs', await plantItem(db, seller, { etsy: { price_minor: 1 }, mercari: {} }, { state: 'reserved' }))
  const pounds = { price_minor: 3_000, currency: 'GBP' }
  add('price_differs', await plantItem(db, seller, { ebay: pounds, etsy: { price_minor: 3_000 } }))
  return planted
}

describe('a check of the inventory', () => {
  it('finds nothing in a healthy inventory', async () => {
    await plantHealthy()
    await check()
    expect(await list()).toMatchObject({ count: 0, results: [], counts: {} })
  })

  it('finds thirty of thirty planted faults and nothing else', async () => {
    await plantHealthy()
    const planted = await plantFaults()
    await check()
    const { count, results } = await list()
    const found = (kind: CheckKind) => results.filter((one) => one.kind === kind).map((one) => one.inventory_item_uid)
    for (const [kind, uids] of Object.entries(planted)) {
      expect(uids).toHaveLength(10)
      expect(found(kind as CheckKind).sort(), kind).toEqual(uids.sort())
    }
    expect(count).toBe(30)
  })

  it('follows each import and each answer to its questions', async () => {
    const { db } = server.services
    await importShop('poshmark', [listing('p-1', 'sold'), listing('p-2'), listing('p-3', 'available', null)])
    expect(await waiting()).toBe(1)
    await importShop('mercari', [listing('p-1'), listing('p-2'), listing('m-3', 'available', null)])
    await check()
    const { results, checked_at } = await list()
    expect(results).toMatchObject([
      { kind: 'sold_live', sold_on: 'poshmark', conflict: { job_uid: expect.any(String) } },
    ])
    expect(Date.parse(checked_at)).toBeGreaterThan(Date.now() - 60_000)
    await db.none("delete from jobs.job where name = 'inventory-check'")
    const { job_uid, item_uid } = results[0]!.conflict!
    const path = `/api/v1/marketplace/import/jobs/${job_uid}/items/${item_uid}/resolve/`
    await apiOf(server.url)('POST', path, { headers: key, body: { resolution: 'link_existing' } })
    expect(await waiting()).toBe(1)
    await check()
    // The same finding by what the inventory holds now, with the task that the answer opened.
    expect((await list()).results).toMatchObject([{ kind: 'sold_live', conflict: null, task_uid: expect.any(String) }])
  })

  it('that began earlier does not write over a later one', async () => {
    const { db } = server.services
    await check()
    await plantItem(db, seller, twice())
    let early: Promise<number> | undefined
    await db.tx(async (tx) => {
      await tx.any('select from inventory_check where user_id = $1 for update', [seller.user_id])
      early = check()
      await until(
        () => db.any("select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"),
        (waiting) => waiting.length > 0,
      )
      await plantItem(tx, seller, twice())
    })
    expect(await early).toBe(2)
  })

  it('comes once a day', async () => {
    const { db } = server.services
    await checkDue(server.services)
    expect(await checkDue(server.services)).toBe(0)
    await db.none("update inventory_check set checked_at = now() - interval '25 hours' where user_id = $1", [
      seller.user_id,
    ])
    expect(await checkDue(server.services)).toBe(1)
    expect(Date.parse((await list()).checked_at)).toBeGreaterThan(Date.now() - 60_000)
  })

  it('is made when the seller asks', async () => {
    await plantItem(server.services.db, seller, twice())
    expect((await call('POST', 'run/')).body).toMatchObject({ found: 1, checked_at: expect.any(String) })
  })
})

const waiting = async () =>
  (
    await server.services.db.any(
      "select from jobs.job where name = 'inventory-check' and state = 'created' and group_id = $1",
      [String(seller.user_id)],
    )
  ).length

/** A listing whose SKU is the end of its id, so that both shops offer the same thing. */
function listing(listing_id: string, state = 'available', sku: string | null = listing_id): object {
  return {
    ...{ listing_id, url: `https://poshmark.com/listing/${listing_id}`, title: `Brass sextant ${listing_id}` },
    ...{
      description: 'Old.',
      price_minor: 4_250,
      currency: 'USD',
      state,
      images: [`https://example.com/${listing_id}.jpg`],
    },
    ...(sku && { sku }),
  }
}

async function importShop(platform: string, listings: object[]): Promise<void> {
  const post = async (path: string, body: object) => {
    const answer = await apiOf(server.url)('POST', `/api/v1/extension/imports/${path}`, { headers: key, body })
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
    return answer.body
  }
  const { id } = await post('', { platform, shop: { username: 'ada', url: 'https://poshmark.com/closet/ada' } })
  await post(`${id}/batches/`, { batch_id: '1', listings })
  await post(`${id}/complete/`, {})
}
