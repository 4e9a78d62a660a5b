import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Reply } from '#e2e/harness/api.ts'
import { buildListing } from '#e2e/harness/listing.ts'
import type { ImportItem } from '#shared/contract/catalog/imports.ts'
import { newId } from '#shared/identity.ts'
import { InventoryRecord } from '#shared/item/inventory-record.ts'
import { type ImportHarness, type Seller, startImportHarness } from '../testing/harness.ts'

let harness: ImportHarness
let seller: Seller
beforeAll(async () => {
  harness = await startImportHarness()
})
afterAll(() => harness?.close())
beforeEach(async () => {
  seller = await harness.seller()
})

const mine = buildListing({ sku: 'TWICE', title: 'Mine' })
const theirs = buildListing({ sku: 'TWICE', title: 'The other one', price_minor: 4_200 })

/** Raises a conflict between two listings with one SKU. */
async function duplicate(): Promise<{
  resolve: (answer: object) => Promise<Reply>
  item: ImportItem
  existing: string
}> {
  harness.ebay.shop = [mine, theirs]
  const job = await seller.import()
  const [first, item] = await seller.items(job.id)
  return {
    item: item!,
    existing: first!.created_inventory_item_uid!,
    resolve: (answer) =>
      seller.call('POST', `/api/v1/marketplace/import/jobs/${job.id}/items/${item!.id}/resolve/`, answer),
  }
}

describe('a conflict', () => {
  it('link_existing attaches the listing and keeps the item', async () => {
    const { resolve, existing } = await duplicate()
    const reply = await resolve({ resolution: 'link_existing' })
    expect(reply).toMatchObject({
      status: 200,
      body: { status: 'imported', resolution: 'link_existing', created_inventory_item_uid: existing },
    })
    const [item, ...others] = await seller.inventory()
    expect(others).toEqual([])
    expect(item.record).toMatchObject({ title: 'Mine', lifecycle: { version: '2' } })
    expect(item.record.channel_listings.map((listing: { listing_id: string }) => listing.listing_id)).toEqual([
      mine.listing_id,
      theirs.listing_id,
    ])
    expect(item.record.aliases).toContain(theirs.url)
    InventoryRecord.parse(item.record)
  })

  it('create_new makes a second item with the given SKU', async () => {
    const { resolve } = await duplicate()
    const reply = await resolve({ resolution: 'create_new', sku: 'OTHER' })
    expect(reply).toMatchObject({ status: 200, body: { status: 'imported', resolution: 'create_new' } })
    const [item, first] = await seller.inventory()
    expect(item).toMatchObject({ uid: reply.body.created_inventory_item_uid, sku: 'OTHER' })
    expect(item.record).toMatchObject({ title: 'The other one', product_id: 'OTHER' })
    expect(first).toMatchObject({ sku: 'TWICE' })
  })

  it("overwrite replaces the item's content", async () => {
    const { resolve, existing } = await duplicate()
    expect(await resolve({ resolution: 'overwrite' })).toMatchObject({
      status: 200,
      body: { status: 'imported', resolution: 'overwrite', created_inventory_item_uid: existing },
    })
    const [item, ...others] = await seller.inventory()
    expect(others).toEqual([])
    expect(item).toMatchObject({ uid: existing, sku: 'TWICE', version: 2 })
    expect(item.record).toMatchObject({ title: 'The other one', offer: { price_minor: 4_200 } })
  })

  it('overwrite keeps the cost and the storage location', async () => {
    const { resolve, existing } = await duplicate()
    const attributes = { cost_minor: 900, storage_location: 'Shelf B' }
    const patch = await seller.call('PATCH', `/api/v1/inventory/${existing}/`, { attributes })
    expect(patch.status).toBe(200)
    expect((await resolve({ resolution: 'overwrite' })).status).toBe(200)
    expect((await seller.inventory())[0].attributes).toMatchObject(attributes)
  })

  it('skip changes nothing', async () => {
    const { resolve } = await duplicate()
    const before = await seller.inventory()
    expect(await resolve({ resolution: 'skip' })).toMatchObject({
      status: 200,
      body: { status: 'skipped', resolution: 'skip', created_inventory_item_uid: null },
    })
    expect(await seller.inventory()).toEqual(before)
  })

  it.each([
    { resolution: 'link_existing' },
    { resolution: 'create_new', sku: 'OTHER' },
    { resolution: 'overwrite' },
    { resolution: 'skip' },
  ])('accepts the same answer %o again, and no other', async (answer) => {
    const { resolve } = await duplicate()
    const first = await resolve(answer)
    const again = await resolve(answer)
    expect(again).toMatchObject({ status: 200, body: first.body })
    for (const other of ['link_existing', 'overwrite', 'skip', 'create_new']) {
      if (other === answer.resolution) continue
      const reply = await resolve({ resolution: other, ...(other === 'create_new' ? { sku: 'X' } : {}) })
      expect(reply, other).toMatchObject({ status: 409, body: { code: 'already_resolved' } })
    }
  })

  it.each<[string, object, number, string]>([
    ['create_new without a SKU', { resolution: 'create_new' }, 400, 'invalid_request'],
    ['create_new with a SKU that is taken', { resolution: 'create_new', sku: 'TWICE' }, 409, 'sku_in_use'],
    ['an item that is not there', { resolution: 'link_existing', inventory_item_uid: newId('inv') }, 404, 'not_found'],
    ['an id of another kind', { resolution: 'overwrite', inventory_item_uid: newId('job') }, 400, 'invalid_request'],
    ['a way that is none', { resolution: 'shrug' }, 400, 'invalid_request'],
    ['nothing', {}, 400, 'invalid_request'],
    ['a SKU where none belongs', { resolution: 'skip', sku: 'X' }, 400, 'invalid_request'],
  ])('refuses %s, and stays open', async (_name, answer, status, code) => {
    const { resolve, item } = await duplicate()
    const before = await seller.inventory()
    expect(await resolve(answer)).toMatchObject({ status, body: { code } })
    expect(await seller.inventory()).toEqual(before)
    expect((await resolve({ resolution: 'skip' })).body).toMatchObject({ id: item.id, status: 'skipped' })
  })

  it('refuses items of others, and answers of others', async () => {
    const other = await harness.seller()
    harness.ebay.shop = [buildListing()]
    await other.import()
    const [theirItem] = await other.inventory()
    const { resolve, item } = await duplicate()
    const reply = await resolve({ resolution: 'link_existing', inventory_item_uid: theirItem.uid })
    expect(reply.status).toBe(404)
    const path = `/api/v1/marketplace/import/jobs/${newId('job')}/items/${item.id}/resolve/`
    expect((await other.call('POST', path, { resolution: 'skip' })).status).toBe(404)
  })

  it('of another job is not found under this one', async () => {
    const { item } = await duplicate()
    const another = await seller.import()
    const path = `/api/v1/marketplace/import/jobs/${another.id}/items/${item.id}/resolve/`
    expect((await seller.call('POST', path, { resolution: 'skip' })).status).toBe(404)
  })
})

describe('a second item', () => {
  it('counts a SKU with other white space as the same answer', async () => {
    const { resolve } = await duplicate()
    const answer = { resolution: 'create_new', sku: ' OTHER  1 ' }
    const first = await resolve(answer)
    expect(first.status).toBe(200)
    expect((await seller.inventory()).map(({ sku }) => sku)).toContain('OTHER 1')
    expect(await resolve(answer)).toMatchObject({ status: 200, body: first.body })
    expect(await resolve({ resolution: 'create_new', sku: 'OTHER 1' })).toMatchObject({ status: 200 })
    expect((await resolve({ resolution: 'create_new', sku: 'OTHER 2' })).status).toBe(409)
  })

  it('counts the same answer after the seller changed its SKU', async () => {
    const { resolve } = await duplicate()
    const answer = { resolution: 'create_new', sku: 'OTHER' }
    const first = await resolve(answer)
    const uid = first.body.created_inventory_item_uid
    expect(await seller.call('PATCH', `/api/v1/inventory/${uid}/`, { sku: 'SHELF 4' })).toMatchObject({ status: 200 })
    expect(await resolve(answer)).toMatchObject({ status: 200, body: { created_inventory_item_uid: uid } })
    expect((await resolve({ resolution: 'create_new', sku: 'SHELF 4' })).status).toBe(409)
  })

  it("needs another SKU than a sold item's", async () => {
    harness.ebay.shop = [mine]
    await seller.import()
    const [{ uid }] = await seller.inventory()
    await seller.call('POST', `/api/v1/inventory/${uid}/mark-sold/`, {})
    harness.ebay.shop = [theirs]
    const job = await seller.import()
    const [item] = await seller.items(job.id)
    expect(item).toMatchObject({ conflict_type: 'sold_elsewhere', external_sku: 'TWICE' })
    const path = `/api/v1/marketplace/import/jobs/${job.id}/items/${item!.id}/resolve/`
    expect(await seller.call('POST', path, { resolution: 'create_new' })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'sku', code: 'required' }] },
    })
    expect(await seller.call('POST', path, { resolution: 'create_new', sku: 'TWICE' })).toMatchObject({ status: 409 })
    expect((await seller.call('POST', path, { resolution: 'create_new', sku: 'TWICE-2' })).status).toBe(200)
  })
})

describe('an item without a conflict', () => {
  it('cannot be resolved', async () => {
    harness.ebay.shop = [buildListing(), buildListing({ images: [] })]
    const job = await seller.import()
    for (const item of await seller.items(job.id)) {
      const path = `/api/v1/marketplace/import/jobs/${job.id}/items/${item.id}/resolve/`
      expect(await seller.call('POST', path, { resolution: 'skip' })).toMatchObject({
        status: 409,
        body: { code: 'conflict' },
      })
    }
  })
})

describe('other conflicts', () => {
  async function conflictOf(listing: ReturnType<typeof buildListing>) {
    harness.ebay.shop = [listing]
    const job = await seller.import({ states: ['active', 'sold', 'ended'] })
    const [item] = await seller.items(job.id)
    return {
      item: item!,
      resolve: (answer: object) =>
        seller.call('POST', `/api/v1/marketplace/import/jobs/${job.id}/items/${item!.id}/resolve/`, answer),
    }
  }

  it('create_new makes one item of several units, with its SKU', async () => {
    const { resolve, item } = await conflictOf(buildListing({ quantity: 3, sku: 'MANY' }))
    expect(item.conflict_type).toBe('quantity_above_one')
    expect(await resolve({ resolution: 'link_existing' })).toMatchObject({ status: 400 })
    expect((await resolve({ resolution: 'create_new' })).status).toBe(200)
    expect(await seller.inventory()).toMatchObject([{ sku: 'MANY', record: { offer: { quantity: 1 } } }])
  })

  it('link_existing keeps my price, overwrite takes theirs', async () => {
    const listing = buildListing()
    await conflictOf(listing)
    const first = await conflictOf(Object.assign(listing, { price_minor: 9_900 }))
    expect(first.item.conflict_type).toBe('price_mismatch')
    expect((await first.resolve({ resolution: 'link_existing' })).status).toBe(200)
    expect(await seller.inventory()).toMatchObject([{ record: { offer: { price_minor: 8_500 } } }])
    expect((await conflictOf(listing)).item).toMatchObject({ status: 'skipped' })
    const second = await conflictOf(Object.assign(listing, { price_minor: 7_000 }))
    expect(await second.resolve({ resolution: 'create_new', sku: 'X' })).toMatchObject({ status: 409 })
    expect((await second.resolve({ resolution: 'overwrite' })).status).toBe(200)
    expect(await seller.inventory()).toMatchObject([{ record: { offer: { price_minor: 7_000 } } }])
  })

  it('overwrite sells an item that sold there, with the reason', async () => {
    const listing = buildListing()
    await conflictOf(listing)
    const { item, resolve } = await conflictOf(Object.assign(listing, { state: 'sold' }))
    expect(item.conflict_type).toBe('sold_elsewhere')
    expect((await resolve({ resolution: 'overwrite' })).status).toBe(200)
    expect(await seller.inventory()).toMatchObject([
      { version: 3, record: { offer: { availability: 'sold', quantity: 0 }, lifecycle: { state: 'sold' } } },
    ])
  })
})
