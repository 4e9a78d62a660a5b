import { isDeepStrictEqual } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { buildListing } from '#e2e/harness/listing.ts'
import { until } from '#e2e/harness/until.ts'
import { useListingHarness } from '#server/selling/listings/testing/harness.ts'
import { recordSale } from '#server/selling/sales/record-sale.ts'
import { orderFor } from '#server/selling/sales/testing/sell.ts'
import { type Receiver, startReceiver } from '#server/webhooks/testing/receiver.ts'
import { startEventWorker } from '#server/webhooks/worker.ts'
import type { InventoryItem } from '#shared/contract/catalog/inventory.ts'
import type { Event } from '#shared/contract/events.ts'
import type { Listing } from '#shared/listing.ts'

const harness = useListingHarness({ SANDBOX: 'on' })
let receiver: Receiver
let stop: () => Promise<void>
beforeEach(async () => {
  receiver = await startReceiver()
  const worker = startEventWorker(harness.server.services, { pollMs: 20, post: { sandbox: true } })
  stop = () => worker.stop(1_000)
})
afterEach(async () => {
  await stop()
  await receiver.close()
})

const call = (method: string, path: string, body?: unknown) =>
  harness.api(method, path, { headers: harness.seller.key, body })

/** A mirror keeps of each item: it reads deliveries and nothing else. */
function mirrorOf(events: readonly Event[]): Map<string, unknown> {
  const mirror = new Map<string, unknown>()
  for (const { type, inventory_item_uid: uid, data } of events) {
    if (!uid) continue
    if (type === 'item.deleted' || type === 'item.merged') mirror.delete(uid)
    else if (data.item) mirror.set(uid, { sku: data.sku, ...(data.item as object) })
  }
  return mirror
}

/** The same members of what the API answers. */
function stockOf({ sku, version, record, listings }: InventoryItem): unknown {
  const { price_minor, currency } = record.offer
  return { sku, version, title: record.title, state: record.lifecycle.state, price_minor, currency, listings }
}

async function inventory(): Promise<Map<string, unknown>> {
  const { results } = (await call('GET', '/api/v1/inventory/?page_size=100')).body
  return new Map(results.map((item: InventoryItem) => [item.uid, stockOf(item)]))
}

async function expectSame(): Promise<void> {
  const events = () => receiver.received.map(({ event }) => event)
  const same = async () => isDeepStrictEqual(mirrorOf(events()), await inventory())
  // Not for ever, so that a failure shows what differs.
  for (let tries = 0; tries < 500 && !(await same()); tries++) await new Promise((resolve) => setTimeout(resolve, 20))
  expect(mirrorOf(events())).toEqual(await inventory())
}

const create = async (sku: string) =>
  (
    await call('POST', '/api/v1/inventory/', {
      sku,
      title: `Coat ${sku}`,
      images: ['https://pictures.example/1.jpg'],
      condition: { label: 'Used' },
      offer: { price_minor: 5_000, currency: 'USD' },
    })
  ).body.uid as string

const depop = (given: Partial<Listing> = {}): Listing => {
  const listing = buildListing(given)
  return { ...listing, url: `https://www.depop.com/products/${listing.listing_id}/` }
}

/** Imports a Depop shop; returns the item that each listing became, if any, and a way to answer its question. */
async function bring(listings: Listing[]) {
  const username = `ada_${harness.seller.user_id}`
  const shop = { username, url: `https://www.depop.com/${username}/` }
  const { id } = (await call('POST', '/api/v1/extension/imports/', { platform: 'depop', shop })).body
  await call('POST', `/api/v1/extension/imports/${id}/batches/`, { batch_id: 'a', listings })
  await call('POST', `/api/v1/extension/imports/${id}/complete/`)
  const path = `/api/v1/marketplace/import/jobs/${id}/items/`
  const { results } = (await call('GET', `${path}?page_size=100`)).body
  return listings.map(({ listing_id }) => {
    const item = results.find((each: { external_listing_id: string }) => each.external_listing_id === listing_id)
    return {
      uid: item.created_inventory_item_uid as string,
      resolve: (body: object) => call('POST', `${path}${item.id}/resolve/`, body),
    }
  })
}

it('mirrors a shop through imports, edits, deletions and sales', async () => {
  expect((await call('POST', '/api/v1/webhooks/', { url: receiver.url })).status).toBe(201)
  const [edited, deleted, sold, merged, linked] = [
    await create('EDIT'),
    await create('DELETE'),
    await create('SELL'),
    await create('MERGE'),
    await create('LINK'),
  ]
  await expectSame()

  const [bought] = await bring([depop({ sku: 'D-1' }), depop(), depop({ state: 'sold' })])
  const [twin] = await bring([depop({ sku: 'LINK' })])
  expect((await twin!.resolve({ resolution: 'link_existing', inventory_item_uid: linked })).status).toBe(200)
  await expectSame()

  await call('PATCH', `/api/v1/inventory/${edited}/`, { title: 'A better coat', offer: { price_minor: 6_000 } })
  await call('PATCH', `/api/v1/inventory/${linked}/`, { state: 'withdrawn' })
  expect((await call('DELETE', `/api/v1/inventory/${deleted}/`)).status).toBe(204)
  await expectSame()

  const onEbay = (await harness.list(sold, 'ebay')).body.listing_id as string
  await harness.list(sold, 'etsy')
  const live = await harness.list(edited, 'ebay')
  expect(live.status).toBe(200)
  await call('POST', `/api/v1/inventory/${edited}/platforms/ebay/price/`, { price: '77.00' })
  await expectSame()

  await harness.list(merged, 'depop')
  const listing = depop({ title: 'Only there' })
  const [second] = await bring([listing])
  expect(second!.uid).not.toBe(merged)
  const tasks = await harness.openTasks()
  const task = tasks.find((each: { inventory_item_uid: string }) => each.inventory_item_uid === merged)
  const done = { listing_id: listing.listing_id, listing_url: listing.url }
  expect((await call('POST', `/api/v1/extension/tasks/${task.uid}/complete/`, done)).status).toBe(200)
  await expectSame()

  const { db, user_id, shop } = { db: harness.db, user_id: harness.seller.user_id, shop: harness.shop }
  const order = orderFor({ user_id, item_uid: sold, shops: { ebay: shop } }, 'ebay', { listing_id: onEbay })
  await recordSale(db, user_id, { order, evidence: { by: 'poll', seen_at: new Date().toISOString() } })
  await call('POST', `/api/v1/inventory/${bought!.uid}/mark-sold/`, {})
  await until(
    () => harness.openOperations(sold),
    (open) => open.length === 0,
  )
  await expectSame()
  for (const task of await harness.openTasks()) {
    if (task.kind === 'delist') await call('POST', `/api/v1/extension/tasks/${task.uid}/complete/`, {})
  }
  await expectSame()

  const events = receiver.received.map(({ event }) => event)
  const about = (type: string, uid: string) => events.find((e) => e.type === type && e.inventory_item_uid === uid)?.data
  expect(about('item.created', bought!.uid)).toMatchObject({ sku: 'D-1', cause: 'import' })
  expect(about('item.created', edited)).toMatchObject({ sku: 'EDIT', cause: 'user', cause_ref: null })
  expect(about('item.deleted', deleted)).toEqual({ inventory_item_uid: deleted, sku: 'DELETE' })
  expect(about('item.merged', second!.uid)).toEqual({
    ...{ inventory_item_uid: second!.uid, sku: listing.sku ?? null, merged_into_uid: merged },
  })
  expect(about('sale.recorded', sold)).toMatchObject({ sku: 'SELL', platform: 'ebay' })
  expect(about('listing.updated', edited)).toMatchObject({ sku: 'EDIT', platform: 'ebay' })
  const named = events.filter((event) => event.inventory_item_uid).map(({ data }) => Object.hasOwn(data, 'sku'))
  expect(named).toEqual(named.map(() => true))
})
