import { describe, expect, it } from 'vitest'
import { checkInvariants } from '#e2e/harness/campaigns/invariants.ts'
import { buildListing } from '#e2e/harness/listing.ts'
import { useListingHarness } from '#server/selling/listings/testing/harness.ts'
import { orderFor, placeOrder } from '#server/selling/sales/testing/sell.ts'
import type { Listing } from '#shared/listing.ts'

const harness = useListingHarness()
const { api, newItem, list, openTasks } = harness
let made = 0

/** The seller listed an item on Depop by form, and an import read the listing before its task was completed. */
describe('a listing imported before its list task was completed', () => {
  const get = (path: string) => api('GET', path, { headers: harness.seller.key })
  const post = (path: string, body: object = {}) => api('POST', path, { headers: harness.seller.key, body })
  const shopName = () => `ada_${harness.seller.user_id}`
  const itemOf = async (uid: string) => (await get(`/api/v1/inventory/${uid}/`)).body
  const stateOf = async (uid: string) => (await itemOf(uid)).record.lifecycle.state

  /** Imports the Depop shop. Returns the uid of the item made from the listing, and the job. */
  async function importIt(listing: Listing) {
    const username = shopName()
    const shop = { username, url: `https://www.depop.com/${username}/` }
    const { id } = (await post('/api/v1/extension/imports/', { platform: 'depop', shop })).body
    await post(`/api/v1/extension/imports/${id}/batches/`, {
      batch_id: 'a',
      listings: [listing],
    })
    await post(`/api/v1/extension/imports/${id}/complete/`)
    const path = `/api/v1/marketplace/import/jobs/${id}/items/`
    const items = async () => (await get(path)).body.results
    const [item] = await items()
    const resolve = (body: object) => post(`${path}${item.id}/resolve/`, body)
    return { item, items, read: () => get(`${path}${item.id}/`), resolve }
  }

  /** Builds an item that is live on eBay, with a task to list it on Depop and the seller's listing there. */
  async function listedByForm(given: Partial<Listing> = {}) {
    const item_uid = await newItem()
    const { listing_id: on_ebay } = (await list(item_uid)).body as {
      listing_id: string
    }
    await list(item_uid, 'depop')
    const task = (await openTasks()).find((one: Record<string, string>) => one.inventory_item_uid === item_uid)
    const listing_id = `d-twin-${++made}`
    const url = `https://www.depop.com/products/${listing_id}/`
    const listing = {
      ...buildListing({ title: `Only there ${listing_id}`, ...given }),
      listing_id,
      url,
    } as Listing
    const complete = () =>
      post(`/api/v1/extension/tasks/${task.uid}/complete/`, {
        listing_id,
        listing_url: url,
      })
    return { item_uid, on_ebay, listing, listing_id, complete }
  }
  /** The same after an import has made a second item of the listing. */
  async function twins(given: Partial<Listing> = {}) {
    const listed = await listedByForm(given)
    const { item, items } = await importIt(listed.listing)
    expect(item.status).toBe('imported')
    return {
      ...listed,
      items,
      twin: item.created_inventory_item_uid as string,
    }
  }
  const sell = (item_uid: string, listing_id: string) =>
    placeOrder(
      harness.db,
      harness.seller.user_id,
      orderFor(
        {
          user_id: harness.seller.user_id,
          item_uid,
          shops: { ebay: harness.shop },
        },
        'ebay',
        {
          id: `order-${listing_id}`,
          listing_id,
        },
      ),
    )
  const comingDown = (item_uid: string) =>
    harness.db.map(
      "select listing_id from listing_operation where item_uid = $1 and kind = 'delist' order by 1",
      [item_uid],
      (row: { listing_id: string }) => row.listing_id,
    )
  const liveOn = async (uid: string, platform: string) =>
    (await itemOf(uid)).listings.filter(
      (one: Record<string, string>) => one.platform === platform && one.state === 'available',
    )

  it("belongs to the task's item, and the second item redirects", async () => {
    const { item_uid, listing_id, listing, twin, complete, items } = await twins({ sku: `TWIN-${made + 1}` })
    const done = await complete()
    expect(done).toMatchObject({
      status: 200,
      body: { status: 'completed', listing_id },
    })
    expect((await complete()).body).toEqual(done.body)
    expect(await liveOn(item_uid, 'depop')).toMatchObject([{ listing_id }])
    const [kept, gone] = [await itemOf(item_uid), await itemOf(twin)]
    expect(kept).toMatchObject({
      sku: listing.sku,
      record: { lifecycle: { state: 'available' } },
    })
    expect(gone).toMatchObject({
      ...{
        sku: null,
        listings: [],
        record: { title: listing.title, images: listing.images },
      },
      record: {
        lifecycle: { state: 'withdrawn' },
        redirect_target: kept.record.canonical_url,
      },
    })
    expect(await items()).toMatchObject([{ status: 'imported', created_inventory_item_uid: item_uid }])
    const shown = (await get('/api/v1/inventory/?page_size=100')).body.results
    expect(shown.map(({ uid }: { uid: string }) => uid)).toEqual([item_uid])
    const products = (await get('/api/v1/products/')).body.results
    expect(products.reduce((sum: number, { items }: { items: number }) => sum + items, 0)).toBe(1)
    const page = await fetch(`${harness.server.url}/items/${twin}`, {
      redirect: 'manual',
    })
    expect([page.status, page.headers.get('location')]).toEqual([308, kept.record.canonical_url])
    await checkInvariants(harness.db)
  })

  it('leaves the second item unlisted, unsold and not on offer', async () => {
    const { item_uid, twin, complete } = await twins()
    await complete()
    const change = (body: object) =>
      api('PATCH', `/api/v1/inventory/${twin}/`, {
        headers: harness.seller.key,
        body,
      })
    expect((await change({ state: 'available' })).status).toBe(409)
    expect((await change({ title: 'Another' })).status).toBe(409)
    expect((await list(twin)).status).toBe(409)
    expect((await post(`/api/v1/inventory/${twin}/mark-sold/`)).status).toBe(409)
    const history = (await get(`/api/v1/inventory/${twin}/history/`)).body
    expect(JSON.stringify(history)).toContain(item_uid)
  })

  it("sells the task's item and takes it down everywhere", async () => {
    const { item_uid, on_ebay, listing_id, complete } = await twins()
    await complete()
    const sales = await post('/api/v1/extension/sales/', {
      ...{
        platform: 'depop',
        shop: { username: shopName() },
        listing_ids: [listing_id],
      },
    })
    expect(sales.body.results).toMatchObject([{ state: 'sold' }])
    expect(await stateOf(item_uid)).toBe('sold')
    expect(await comingDown(item_uid)).toEqual([on_ebay])
    await checkInvariants(harness.db)
  })

  it("brings the second item's other listings along", async () => {
    const { item_uid, on_ebay, twin, complete } = await twins()
    const { listing_id: twins_own } = (await list(twin)).body as {
      listing_id: string
    }
    await list(twin, 'mercari')
    await complete()
    expect((await liveOn(item_uid, 'ebay')).length).toBe(2)
    expect(await openTasks()).toEqual([])
    // When one of them sells, the item is sold and its own listing comes down.
    await sell(twin, twins_own)
    expect(await stateOf(item_uid)).toBe('sold')
    expect(await comingDown(item_uid)).toContain(on_ebay)
    await checkInvariants(harness.db)
  })

  it("sells the task's item if the second item was sold", async () => {
    const { item_uid, on_ebay, listing_id, twin, complete } = await twins()
    const { listing_id: twins_own } = (await list(twin)).body as {
      listing_id: string
    }
    await sell(twin, twins_own)
    expect((await complete()).status).toBe(200)
    expect(await stateOf(item_uid)).toBe('sold')
    expect(await stateOf(twin)).toBe('withdrawn')
    expect(await comingDown(item_uid)).toContain(on_ebay)
    expect((await openTasks()).map((one: Record<string, string>) => [one.listing_id, one.inventory_item_uid])).toEqual([
      [listing_id, item_uid],
    ])
    const { results } = (await get('/api/v1/orders/')).body
    expect(results).toMatchObject([{ lines: [{ inventory_item_uid: item_uid, state: 'sold' }] }])
    await checkInvariants(harness.db)
  })

  it('is an oversell if both items were sold', async () => {
    const { item_uid, on_ebay, twin, complete } = await twins()
    const { listing_id: twins_own } = (await list(twin)).body as {
      listing_id: string
    }
    await sell(item_uid, on_ebay)
    await sell(twin, twins_own)
    expect((await complete()).status).toBe(200)
    const { results } = (await get('/api/v1/orders/?state=oversell')).body
    expect(results).toMatchObject([{ external_order_id: `order-${twins_own}` }])
    const alerts = (await get('/api/v1/alarms/')).body.results
    expect(alerts).toMatchObject([
      { kind: 'oversell', inventory_item_uid: item_uid },
      { kind: 'delist_overdue', inventory_item_uid: item_uid },
    ])
    await checkInvariants(harness.db)
  })

  it('answers a conflict about the second item for the first', async () => {
    const { item_uid, twin, listing, complete } = await twins()
    const changed = await importIt({
      ...listing,
      price_minor: listing.price_minor + 500,
    })
    expect(changed.item).toMatchObject({
      status: 'conflict',
      conflict_type: 'price_mismatch',
    })
    await complete()
    expect((await changed.read()).body.existing_inventory_item_uid).toBe(item_uid)
    for (const again of [1, 2]) {
      const answered = await changed.resolve({
        resolution: 'link_existing',
        inventory_item_uid: twin,
      })
      expect([again, answered.status, answered.body.created_inventory_item_uid]).toEqual([again, 200, item_uid])
    }
    await checkInvariants(harness.db)
  })

  it('is refused if the seller said what the listing is', async () => {
    const { item_uid, listing, listing_id } = await listedByForm()
    await importIt({ ...listing, listing_id: 'another', sku: 'SAME' })
    const { item, resolve } = await importIt({ ...listing, sku: 'SAME' })
    expect(item).toMatchObject({
      status: 'conflict',
      conflict_type: 'duplicate_sku',
    })
    const task = (await openTasks()).find((one: Record<string, string>) => one.inventory_item_uid === item_uid)
    expect((await resolve({ resolution: 'create_new', sku: 'OTHER' })).status).toBe(200)
    const reported = { listing_id, listing_url: listing.url }
    const answer = await post(`/api/v1/extension/tasks/${task.uid}/complete/`, reported)
    expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } })
    await checkInvariants(harness.db)
  })

  it('sells once when a sale races the completion', async () => {
    for (let round = 0; round < 8; round++) {
      const { item_uid, on_ebay, twin, complete } = await twins()
      const { listing_id: twins_own } = (await list(twin)).body as {
        listing_id: string
      }
      const [done] = await Promise.all([complete(), sell(twin, twins_own)])
      expect(done.status).toBe(200)
      expect(await stateOf(item_uid)).toBe('sold')
      expect(await comingDown(item_uid)).toContain(on_ebay)
      await checkInvariants(harness.db)
    }
  })
})
