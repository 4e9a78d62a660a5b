import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parallel, type Reply, statuses } from '#e2e/harness/api.ts'
import { buildListing } from '#e2e/harness/listing.ts'
import { recordSale } from '#server/selling/sales/record-sale.ts'
import { newId } from '#shared/identity.ts'
import type { Listing } from '#shared/listing.ts'
import { type ImportHarness, type Seller, startImportHarness } from '../testing/harness.ts'

const imports = '/api/v1/extension/imports/'

let harness: ImportHarness
let seller: Seller
let shops = 0
let shop: { username: string; url: string }
beforeAll(async () => {
  harness = await startImportHarness({ works: false })
})
afterAll(() => harness?.close())
beforeEach(async () => {
  seller = await harness.seller()
  const username = `Closet_${++shops}`
  shop = { username, url: `https://poshmark.com/closet/${username}` }
})

const begin = (given: object = {}) => seller.call('POST', imports, { platform: 'poshmark', shop, ...given })
const send = (id: string, batch: object): Promise<Reply> => seller.call('POST', `${imports}${id}/batches/`, batch)
const finish = (id: string) => seller.call('POST', `${imports}${id}/complete/`)

const posh = (given: Partial<Listing> = {}): Listing => {
  const listing = buildListing(given)
  return { ...listing, url: `https://poshmark.com/listing/${listing.listing_id}` }
}

describe('an import by the extension', () => {
  it('audits a newly named shop once', async () => {
    await begin()
    await begin()
    const { services } = harness.server
    await services.audit.flush()
    const entries = await services.db.any(
      "select key_id, target from audit_log where user_id = $1 and action = 'connection.made'",
      [seller.account.user_id],
    )
    expect(entries).toEqual([{ key_id: expect.stringMatching(/^key_/), target: expect.stringMatching(/^sel_/) }])
  })

  it('fills the inventory and is an ordinary import job', async () => {
    const opened = await begin({ expected_total: 5 })
    expect(opened).toMatchObject({
      status: 201,
      body: { marketplace: 'poshmark', status: 'pending', started_at: null },
    })
    const id = opened.body.id
    const first = await send(id, { batch_id: 'a', listings: [posh(), posh({ brand: 'Acme', size: 'M' }), posh()] })
    expect(first).toMatchObject({
      status: 200,
      body: { batch_id: 'a', accepted: 3, job: { status: 'in_progress', items_imported: 3, progress_percentage: 60 } },
    })
    await send(id, {
      batch_id: 'b',
      listings: [posh({ state: 'sold' })],
      failures: [{ listing_id: 'x', error_code: 'page_changed', error_message: 'no price', field: 'price' }],
    })
    const done = await finish(id)
    expect(done).toMatchObject({
      status: 200,
      body: {
        status: 'completed',
        items_imported: 4,
        items_failed: 1,
        total_listings_found: 5,
        progress_percentage: 100,
      },
    })
    expect((await seller.job(id)).id).toBe(id)
    const inventory = await seller.inventory()
    expect(inventory).toHaveLength(4)
    expect(inventory[0].record.offer).toMatchObject({ availability: 'sold', seller_url: shop.url })
    expect(inventory.find((item) => item.attributes.brand === 'Acme')).toMatchObject({ attributes: { size: 'M' } })
  })

  it('returns the live import when it is started again', async () => {
    const first = await begin()
    const second = await begin({ shop: { ...shop, username: shop.username.toUpperCase() } })
    expect(second).toMatchObject({ status: 200, body: { id: first.body.id } })
    await finish(first.body.id)
    expect((await begin()).status).toBe(201)
  })

  it('stays its owner’s when a stranger names the shop', async () => {
    const stranger = seller
    const squat = await begin()
    expect(squat.status).toBe(201)
    seller = await harness.seller()
    const owner = seller
    const listing = posh()
    const opened = await begin()
    expect(opened.status).toBe(201)
    await send(opened.body.id, { batch_id: 'a', listings: [listing] })
    await finish(opened.body.id)
    expect(await owner.inventory()).toHaveLength(1)

    seller = stranger
    expect(await stranger.inventory()).toEqual([])
    const reported = await stranger.call('POST', '/api/v1/extension/sales/', {
      platform: 'poshmark',
      shop: { username: shop.username },
      listing_ids: [listing.listing_id],
    })
    expect(reported.body.results).toEqual([{ listing_id: listing.listing_id, state: 'unmatched' }])
    await send(squat.body.id, { batch_id: 'a', listings: [{ ...listing, state: 'sold' }] })
    await finish(squat.body.id)
    expect(await owner.inventory()).toMatchObject([{ record: { lifecycle: { state: 'available' } } }])
  })

  it('does not reveal shops that other accounts named', async () => {
    await begin()
    seller = await harness.seller()
    const known = await begin()
    seller = await harness.seller()
    const unknown = await begin({ shop: { ...shop, username: 'nobody_has_this_one' } })
    const comparable = ({ status, body }: typeof known) => ({
      status,
      body: { ...body, id: '', created_at: '', started_at: '' },
    })
    expect(comparable(known)).toEqual(comparable(unknown))
  })

  it('answers a repeated batch as at first, also in parallel', async () => {
    const { id } = (await begin()).body
    const batch = { batch_id: 'a', listings: Array.from({ length: 50 }, () => posh()) }
    const replies = await parallel(12, () => send(id, batch))
    expect(statuses(replies)).toEqual({ 200: 12 })
    for (const reply of replies) expect(reply.body).toEqual(replies[0]!.body)
    const later = await send(id, { batch_id: 'b', listings: [posh()] })
    expect(later.body.job.items_imported).toBe(51)
    expect((await send(id, { batch_id: 'a', listings: [posh()] })).body).toEqual(replies[0]!.body)
    await finish(id)
    expect((await send(id, batch)).body).toEqual(replies[0]!.body)
    expect(await seller.inventory()).toHaveLength(51)
  })

  it('stores a listing once, whatever batch it is in', async () => {
    const { id } = (await begin()).body
    const listings = [posh(), posh()]
    await send(id, { batch_id: 'a', listings })
    const again = await send(id, { batch_id: 'b', listings: [...listings, posh(), listings[0]] })
    expect(again.body).toMatchObject({ accepted: 3, job: { total_listings_found: 3, items_imported: 3 } })
  })

  it('decides a failed listing anew when it comes again', async () => {
    const { id } = (await begin()).body
    const listing = posh()
    const failure = { listing_id: listing.listing_id, error_code: 'page_changed', error_message: 'no price' }
    await send(id, { batch_id: 'a', listings: [], failures: [failure] })
    const again = await send(id, { batch_id: 'b', listings: [listing] })
    expect(again.body.job).toMatchObject({ total_listings_found: 1, items_imported: 1, items_failed: 0 })
  })

  it('makes one SKU on two platforms a conflict', async () => {
    const { id } = (await begin()).body
    await send(id, { batch_id: 'a', listings: [posh({ sku: 'A' }), posh({ sku: 'A' })] })
    const issues = await seller.call('GET', `/api/v1/marketplace/import/jobs/${id}/issues/`)
    expect(issues.body).toMatchObject({ count: 1, results: [{ conflict_type: 'duplicate_sku' }] })
  })

  it('completes once and accepts nothing more', async () => {
    const { id } = (await begin()).body
    const replies = await parallel(8, () => finish(id))
    expect(statuses(replies)).toEqual({ 200: 8 })
    expect(await send(id, { batch_id: 'late', listings: [posh()] })).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    })
  })

  it.each<[string, object, number]>([
    ['101 listings', { batch_id: 'a', listings: Array.from({ length: 101 }, () => posh()) }, 400],
    [
      'listings and failures above 100',
      {
        batch_id: 'a',
        listings: Array.from({ length: 60 }, () => posh()),
        failures: Array.from({ length: 60 }, (_, n) => ({
          listing_id: `${n}`,
          error_code: 'internal',
          error_message: '',
        })),
      },
      400,
    ],
    ['no batch id', { listings: [] }, 400],
    ['a listing with an unknown member', { batch_id: 'a', listings: [{ ...posh(), cookie: 'x' }] }, 400],
    ['a listing with U+0000', { batch_id: 'a', listings: [posh({ title: 'a\0b' })] }, 400],
    ['a price that is text', { batch_id: 'a', listings: [{ ...posh(), price_minor: '12' }] }, 400],
  ])('refuses %s and stores nothing of it', async (_name, batch, status) => {
    const { id } = (await begin()).body
    expect((await send(id, batch)).status).toBe(status)
    expect((await seller.job(id)).total_listings_found).toBe(0)
  })

  it('is hidden from others, and pulled jobs take no batches', async () => {
    const { id } = (await begin()).body
    const other = await harness.seller()
    const batch = { batch_id: 'a', listings: [] }
    expect((await other.call('POST', `${imports}${id}/batches/`, batch)).status).toBe(404)
    expect((await other.call('POST', `${imports}${id}/complete/`)).status).toBe(404)
    expect((await send(newId('job'), batch)).status).toBe(404)
    const pulled = await seller.call('POST', '/api/v1/marketplace/ebay/import/')
    expect((await send(pulled.body.id, batch)).status).toBe(409)
    expect((await finish(pulled.body.id)).status).toBe(409)
  })

  it.each([
    [{ platform: 'ebay' }],
    [{ platform: 'nowhere' }],
    [{ shop: { username: '', url: 'https://poshmark.com/closet/x' } }],
    [{ shop: { username: 'x', url: 'javascript:alert(1)' } }],
    [{ expected_total: -1 }],
  ])('refuses to start with %o', async (given) => {
    expect((await begin(given)).status).toBe(400)
  })
})

describe('a listing that a batch shows as sold', () => {
  it('sells the item once and delists it elsewhere', async () => {
    harness.ebay.shop = [buildListing({ sku: 'A' })]
    const listing = posh({ sku: 'A' })
    const first = (await begin()).body.id
    await send(first, { batch_id: 'a', listings: [listing] })
    await finish(first)
    const second = (await begin()).body.id
    const sold = { ...listing, state: 'sold' }
    const replies = await parallel(4, (index) => send(second, { batch_id: `s${index % 2}`, listings: [sold] }))
    expect(statuses(replies)).toEqual({ 200: 4 })
    expect((await finish(second)).body).toMatchObject({ items_skipped: 1, items_conflicted: 0 })
    const [item] = await seller.inventory()
    expect(item.record.offer).toMatchObject({ availability: 'sold', quantity: 0 })
    const orders = await harness.server.services.db.any('select * from marketplace_order where user_id = $1', [
      seller.account.user_id,
    ])
    expect(orders).toHaveLength(1)
  })
})

describe('a live listing of a sold item', () => {
  /** Sends a closet with exactly these listings. */
  async function read(...listings: Listing[]) {
    const job = (await begin()).body.id
    await send(job, { batch_id: 'a', listings })
    await finish(job)
    return (await seller.items(job))[0]!
  }
  const tasks = async () => (await seller.call('GET', '/api/v1/extension/tasks/')).body.results
  const alerts = async () => (await seller.call('GET', '/api/v1/alarms/')).body.results
  const act = (task: { uid: string }, action: string) =>
    seller.call('POST', `/api/v1/extension/tasks/${task.uid}/${action}/`, {})

  it.each(['complete', 'dismiss'])('is delisted again after a task marked "%s"', async (action) => {
    const listing = posh()
    const item_uid = (await read(listing)).created_inventory_item_uid
    const sold = await seller.call('POST', `/api/v1/inventory/${item_uid}/mark-sold/`, { note: 'at the fair' })
    expect(sold.body).toMatchObject({ uid: item_uid, state: 'sold', taking_down: ['poshmark'] })
    const [task] = await tasks()
    expect(task).toMatchObject({ kind: 'delist', listing_id: listing.listing_id })
    await read(listing)
    expect(await tasks()).toHaveLength(1)

    await act(task, action)
    expect(await tasks()).toEqual([])
    // The page still shows it.
    expect(await read(listing)).toMatchObject({ status: 'conflict', conflict_type: 'sold_elsewhere' })
    expect(await tasks()).toMatchObject([{ kind: 'delist', listing_id: listing.listing_id }])
    const [item] = await seller.inventory()
    expect(item.record.offer.availability).toBe('sold')
    expect(item.record.channel_listings).toMatchObject([{ channel: 'poshmark', listing_id: listing.listing_id }])
  })

  it('cancels its own sale and offers to relist', async () => {
    const listing = posh()
    await read(listing)
    await read({ ...listing, state: 'sold' })
    expect((await seller.inventory())[0].record.offer.availability).toBe('sold')
    expect(await read(listing)).toMatchObject({ status: 'skipped' })
    const [item] = await seller.inventory()
    expect(item.record.offer).toMatchObject({ availability: 'available', quantity: 1 })
    expect(item.record.channel_listings).toMatchObject([{ listing_id: listing.listing_id }])
    expect(await alerts()).toMatchObject([{ kind: 'relist_offer', inventory_item_uid: item.uid }])
    expect(await tasks()).toEqual([])
    // It can be sold again.
    await read({ ...listing, state: 'sold' })
    expect((await seller.inventory())[0].record.offer.availability).toBe('sold')
  })

  it('stays sold in an import begun before the sale', async () => {
    const listing = posh()
    await read(listing)
    const old = (await begin()).body.id
    await seller.call('POST', '/api/v1/extension/sales/', {
      platform: 'poshmark',
      shop: { username: shop.username },
      listing_ids: [listing.listing_id],
    })
    await send(old, { batch_id: 'b', listings: [listing] })
    expect((await seller.inventory())[0].record.offer.availability).toBe('sold')
    expect(await alerts()).toEqual([])
  })

  it("stays down in an import begun before the seller's report", async () => {
    const listing = posh()
    const item_uid = (await read(listing)).created_inventory_item_uid
    const old = (await begin()).body.id
    await seller.call('POST', `/api/v1/inventory/${item_uid}/mark-sold/`, { note: 'at the fair' })
    const [task] = await tasks()
    await act(task, 'complete')
    await send(old, { batch_id: 'b', listings: [listing] })
    await finish(old)
    expect(await tasks()).toEqual([])
    const state = await harness.server.services.db.one('select state from channel_listing where user_id = $1', [
      seller.account.user_id,
    ])
    expect(state).toEqual({ state: 'removed' })
    // A new import still shows it.
    await read(listing)
    expect(await tasks()).toMatchObject([{ kind: 'delist', listing_id: listing.listing_id }])
  })

  it('is an oversell if another platform sold the item', async () => {
    const listing = posh()
    const item_uid = (await read(listing)).created_inventory_item_uid
    await recordSale(harness.server.services.db, seller.account.user_id, {
      order: {
        platform: 'ebay',
        seller_account_uid: seller.shop,
        external_order_id: 'order-1',
        source: 'platform',
        ordered_at: '2026-01-02T00:00:00.000Z',
        modified_at: '2026-01-02T00:00:00.000Z',
        lines: [
          {
            ...{ external_line_id: '1', listing_id: 'e-1', sku: null, quantity: 1, price_minor: 900, currency: 'USD' },
            ...{ status: 'paid', item_uid: item_uid! },
          },
        ],
      },
      evidence: { by: 'push', seen_at: '2026-01-02T00:00:00.000Z' },
    })
    await read({ ...listing, state: 'sold' })
    await read({ ...listing, state: 'sold' })
    expect(await alerts()).toMatchObject([{ kind: 'oversell', platform: 'poshmark' }])
  })
})

describe('a listing reported as sold', () => {
  const report = (listing_ids: string[], of: Seller = seller) =>
    of.call('POST', '/api/v1/extension/sales/', {
      platform: 'poshmark',
      shop: { username: shop.username },
      listing_ids,
    })
  const orders = () =>
    harness.server.services.db.any('select platform from marketplace_order where user_id = $1', [
      seller.account.user_id,
    ])

  /** Imports a listing. Returns its import item. */
  async function bring(listing: Listing, given: object = {}) {
    const job = (await begin(given)).body.id
    await send(job, { batch_id: 'a', listings: [listing] })
    await finish(job)
    return { job, item: (await seller.items(job))[0]! }
  }

  it('is one sale, however often and in parallel it is reported', async () => {
    const listing = posh()
    await bring(listing)
    const replies = await parallel(6, () => report([listing.listing_id, listing.listing_id]))
    expect(statuses(replies)).toEqual({ 200: 6 })
    const states = replies.map(({ body }) => body.results)
    expect(states.flat().map(({ listing_id }: { listing_id: string }) => listing_id)).toEqual(
      Array(6).fill(listing.listing_id),
    )
    expect(states.flat().filter(({ state }: { state: string }) => state === 'sold')).toHaveLength(1)
    expect(states.flat().filter(({ state }: { state: string }) => state === 'known')).toHaveLength(5)
    expect(await seller.inventory()).toMatchObject([{ record: { offer: { availability: 'sold', quantity: 0 } } }])
    expect(await orders()).toEqual([{ platform: 'poshmark' }])
  })

  it('is no new sale after the seller took it back', async () => {
    const listing = posh()
    const uid = (await bring(listing)).item.created_inventory_item_uid
    const state = async () => (await seller.inventory())[0].record.offer.availability
    expect((await report([listing.listing_id])).body.results).toMatchObject([{ state: 'sold' }])
    expect((await seller.call('POST', `/api/v1/inventory/${uid}/mark-unsold/`, {})).body.state).toBe('available')
    expect((await report([listing.listing_id])).body.results).toMatchObject([{ state: 'known' }])
    await bring({ ...listing, state: 'sold' })
    expect(await state()).toBe('available')
    // On offer again and sold again, it is another sale.
    await bring(listing)
    expect((await report([listing.listing_id])).body.results).toMatchObject([{ state: 'sold' }])
    expect(await state()).toBe('sold')
  })

  it('comes down elsewhere', async () => {
    const listing = posh({ sku: 'TWICE' })
    const uid = (await bring(listing)).item.created_inventory_item_uid
    const twin = buildListing({ sku: 'TWICE', url: 'https://www.depop.com/products/twice/' })
    const shopThere = { username: shop.username, url: `https://www.depop.com/${shop.username}/` }
    const { job, item } = await bring(twin, { platform: 'depop', shop: shopThere })
    const resolve = `/api/v1/marketplace/import/jobs/${job}/items/${item.id}/resolve/`
    await seller.call('POST', resolve, { resolution: 'link_existing', inventory_item_uid: uid })
    expect((await report([listing.listing_id])).body.results).toMatchObject([{ state: 'sold' }])
    const tasks = await seller.call('GET', '/api/v1/extension/tasks/')
    expect(tasks.body.results).toMatchObject([
      { kind: 'delist', platform: 'depop', listing_id: twin.listing_id, inventory_item_uid: uid },
    ])
  })

  it('is known when the seller or the import said so before', async () => {
    const [mine, imported] = [posh(), posh({ state: 'sold' })]
    const job = (await begin()).body.id
    await send(job, { batch_id: 'a', listings: [mine, imported] })
    await finish(job)
    const item = (await seller.inventory()).find((one) => one.record.offer.availability === 'available')
    await seller.call('POST', `/api/v1/inventory/${item.uid}/mark-sold/`, {})
    const reply = await report([mine.listing_id, imported.listing_id])
    expect(reply.body.results.map(({ state }: { state: string }) => state)).toEqual(['known', 'known'])
    expect(await orders()).toEqual([{ platform: 'outside' }])
  })

  it('changes nothing for unknown shops and other accounts', async () => {
    const listing = posh()
    await bring(listing)
    expect((await report(['unheard-of'])).body.results).toEqual([{ listing_id: 'unheard-of', state: 'unmatched' }])
    const other = await harness.seller()
    expect((await report([listing.listing_id], other)).body.results).toMatchObject([{ state: 'unmatched' }])
    expect(await seller.inventory()).toMatchObject([{ record: { offer: { availability: 'available' } } }])
  })
})
