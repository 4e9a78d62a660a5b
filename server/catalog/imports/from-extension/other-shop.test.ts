import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Reply } from '#e2e/harness/api.ts'
import { buildListing } from '#e2e/harness/listing.ts'
import { insertAddress, insertItem } from '#server/selling/listings/testing/build-item.ts'
import type { ImportItem } from '#shared/contract/catalog/imports.ts'
import type { Listing } from '#shared/listing.ts'
import { type ImportHarness, type Seller, startImportHarness } from '../testing/harness.ts'

let harness: ImportHarness
let seller: Seller
let shops = 0
beforeAll(async () => {
  harness = await startImportHarness({ works: false })
})
afterAll(() => harness?.close())
beforeEach(async () => {
  seller = await harness.seller()
  await insertAddress(harness.server.services.db, seller.account.user_id)
})

/** Shop names that no other test uses. */
const newName = (name: string) => `${name}_${++shops}`

const onDepop = (given: Partial<Listing> = {}): Listing => {
  const listing = buildListing({ price_minor: 4_250, ...given })
  return { ...listing, url: `https://www.depop.com/products/${listing.listing_id}/` }
}

const begin = async (username: string) => {
  const shop = { username, url: `https://www.depop.com/${username}/` }
  return (await seller.call('POST', '/api/v1/extension/imports/', { platform: 'depop', shop })).body.id as string
}

const send = (job: string, batch_id: string, listings: Listing[]): Promise<Reply> =>
  seller.call('POST', `/api/v1/extension/imports/${job}/batches/`, { batch_id, listings })

/** Sends a Depop shop with exactly these listings. */
async function read(username: string, ...listings: Listing[]): Promise<ImportItem[]> {
  const job = await begin(username)
  await send(job, 'a', listings)
  const done = await seller.call('POST', `/api/v1/extension/imports/${job}/complete/`)
  expect(done.body).toMatchObject({ status: 'completed', total_listings_found: listings.length })
  return seller.items(job)
}

const report = (username: string, ...listing_ids: string[]) =>
  seller.call('POST', '/api/v1/extension/sales/', { platform: 'depop', shop: { username }, listing_ids })

/** Builds an item with the task to list it on Depop. */
async function toList(title: string) {
  const item_uid = await insertItem(harness.server.services.db, seller.account.user_id, { title })
  const asked = await seller.call('POST', `/api/v1/inventory/${item_uid}/platforms/depop/list/`, { price: '42.50' })
  expect(asked.body.status).toBe('manual')
  const task = (await tasks()).find((one) => one.inventory_item_uid === item_uid)!
  const complete = ({ listing_id, url }: Listing) =>
    seller.call('POST', `/api/v1/extension/tasks/${task.uid}/complete/`, { listing_id, listing_url: url })
  return { item_uid, complete }
}

/** Completes that task. */
async function listByForm(listing: Listing): Promise<string> {
  const { item_uid, complete } = await toList(listing.title)
  expect((await complete(listing)).status).toBe(200)
  return item_uid
}

const tasks = async (): Promise<{ uid: string; inventory_item_uid: string; kind: string; listing_id: string }[]> =>
  (await seller.call('GET', '/api/v1/extension/tasks/')).body.results
const depopShops = async (): Promise<{ uid: string; external_name: string }[]> =>
  (await seller.call('GET', '/api/v1/seller-accounts/')).body.filter(
    ({ platform }: { platform: string }) => platform === 'depop',
  )
const stateOf = async (uid: string) =>
  (await seller.call('GET', `/api/v1/inventory/${uid}/`)).body.record.lifecycle.state as string
/** Returns each listing's shop name and item. */
const filed = (listing_id: string): Promise<{ shop: string; item_uid: string; state: string }[]> =>
  harness.server.services.db.any(
    `select shop.external_name as shop, listing.item_uid, listing.state
     from channel_listing listing
     join seller_account shop on shop.user_id = listing.user_id and shop.uid = listing.seller_account_uid
     where listing.user_id = $1 and listing.listing_id = $2`,
    [seller.account.user_id, listing_id],
  )

describe('a listing made by form before its shop was imported', () => {
  it('is known at the first import, which names its shop', async () => {
    const listings = [onDepop(), onDepop()]
    const uids = [await listByForm(listings[0]!), await listByForm(listings[1]!)]
    const [nameless] = await depopShops()
    const name = newName('Vera')
    const items = await read(name, ...listings, onDepop())
    expect(items.map(({ status }) => status).sort()).toEqual(['imported', 'skipped', 'skipped'])
    expect(await seller.inventory()).toHaveLength(3)
    expect(await depopShops()).toMatchObject([{ uid: nameless!.uid, external_name: name }])
    // A second shop there is a shop of its own.
    await read(newName('Anna'), onDepop())
    expect(await depopShops()).toHaveLength(2)
    for (const [index, uid] of uids.entries()) {
      expect(await filed(listings[index]!.listing_id)).toEqual([{ shop: name, item_uid: uid, state: 'available' }])
    }
  })

  it('sells its item when an import shows it as sold', async () => {
    const listing = onDepop()
    const uid = await listByForm(listing)
    await read(newName('Vera'), { ...listing, state: 'sold' })
    expect(await stateOf(uid)).toBe('sold')
    expect(await seller.inventory()).toHaveLength(1)
  })

  it('sells its item when a check reports it, imported or not', async () => {
    const [first, second] = [onDepop(), onDepop()]
    const uids = [await listByForm(first), await listByForm(second)]
    const name = newName('Vera')
    expect((await report(name, first.listing_id, 'unheard-of')).body.results).toEqual([
      { listing_id: first.listing_id, state: 'sold' },
      { listing_id: 'unheard-of', state: 'unmatched' },
    ])
    await read(name, { ...first, state: 'sold' }, second)
    expect((await report(name, first.listing_id, second.listing_id)).body.results).toEqual([
      { listing_id: first.listing_id, state: 'known' },
      { listing_id: second.listing_id, state: 'sold' },
    ])
    expect(await Promise.all(uids.map(stateOf))).toEqual(['sold', 'sold'])
    expect(await seller.inventory()).toHaveLength(2)
  })

  it('belongs to one shop when import and report race', async () => {
    for (let round = 0; round < 8; round++) {
      seller = await harness.seller()
      await insertAddress(harness.server.services.db, seller.account.user_id)
      const listing = onDepop()
      const { item_uid, complete } = await toList(listing.title)
      const name = newName('Vera')
      const replies = await Promise.all([complete(listing), read(name, onDepop()), begin(name.toUpperCase())])
      expect(replies[0].status).toBe(200)
      expect(await depopShops()).toHaveLength(1)
      expect(await read(name, listing)).toMatchObject([{ status: 'skipped' }])
      expect(await filed(listing.listing_id)).toMatchObject([{ item_uid }])
    }
  })
})

describe('two shops on one platform', () => {
  it('move a listing with its task and sale to its real shop', async () => {
    const [vera, anna] = [newName('Vera'), newName('Anna')]
    await read(vera, onDepop())
    await read(anna, onDepop())
    const [down, sold] = [onDepop(), onDepop()]
    const [downUid, soldUid] = [await listByForm(down), await listByForm(sold)]
    expect(await filed(down.listing_id)).toMatchObject([{ shop: anna }])
    // Its delist task was opened before its shop was read.
    await seller.call('POST', `/api/v1/inventory/${downUid}/mark-sold/`, { note: 'at the fair' })
    expect((await report(vera, sold.listing_id)).body.results).toMatchObject([{ state: 'sold' }])
    expect(await read(vera, down, { ...sold, state: 'sold' })).toHaveLength(2)
    expect(await seller.inventory()).toHaveLength(4)
    expect(await filed(down.listing_id)).toEqual([{ shop: vera, item_uid: downUid, state: 'available' }])
    expect(await filed(sold.listing_id)).toEqual([{ shop: vera, item_uid: soldUid, state: 'sold' }])
    const [task] = await tasks()
    expect(task).toMatchObject({ kind: 'delist', listing_id: down.listing_id })
    await seller.call('POST', `/api/v1/extension/tasks/${task!.uid}/complete/`, {})
    expect(await filed(down.listing_id)).toEqual([{ shop: vera, item_uid: downUid, state: 'removed' }])
    // On offer again, which cancels that sale in the shop that shows it.
    await read(vera, sold)
    expect(await stateOf(soldUid)).toBe('available')
    expect(await tasks()).toEqual([])
  })

  it('move a listing with its differences', async () => {
    const [vera, anna] = [newName('Vera'), newName('Anna')]
    await read(vera, onDepop())
    await read(anna, onDepop())
    const listing = onDepop()
    await listByForm(listing)
    const { db } = harness.server.services
    const owner = [seller.account.user_id, listing.listing_id]
    await db.none(
      `insert into listing_difference (user_id, uid, seller_account_uid, listing_id, field, theirs, theirs_hash, state, noticed_at)
       select user_id, 'dif_' || $2, seller_account_uid, listing_id, 'category', '1', 'x', 'ignored', now()
       from channel_listing where user_id = $1 and listing_id = $2`,
      owner,
    )
    await read(vera, listing)
    expect(await filed(listing.listing_id)).toMatchObject([{ shop: vera }])
    const shops = await db.any(
      `select shop.external_name as shop from listing_difference difference
       join seller_account shop on shop.user_id = difference.user_id and shop.uid = difference.seller_account_uid
       where difference.user_id = $1 and difference.listing_id = $2 and difference.field = 'category'`,
      owner,
    )
    expect(shops).toEqual([{ shop: vera }])
  })

  it('keep one listing when a report races a batch', async () => {
    const [vera, anna] = [newName('Vera'), newName('Anna')]
    await read(vera, onDepop())
    await read(anna, onDepop())
    const job = await begin(vera)
    for (let round = 0; round < 10; round++) {
      const listing = onDepop()
      const { item_uid, complete } = await toList(listing.title)
      const [reported, taken] = await Promise.all([complete(listing), send(job, `b${round}`, [listing])])
      expect([reported.status, taken.status]).toEqual([200, 200])
      expect(await filed(listing.listing_id)).toMatchObject([{ item_uid }])
    }
  })

  it('answer a conflict by what the listing became meanwhile', async () => {
    const [vera, anna] = [newName('Vera'), newName('Anna')]
    await read(anna, onDepop())
    const listing = onDepop({ sku: 'TWICE' })
    const { item_uid, complete } = await toList('Something')
    await insertItem(harness.server.services.db, seller.account.user_id, { sku: 'TWICE' })
    const job = await begin(vera)
    await send(job, 'a', [listing])
    const [conflict] = await seller.items(job)
    expect(conflict).toMatchObject({ status: 'conflict', conflict_type: 'duplicate_sku' })
    await harness.server.services.db.none('update seller_account set connected_at = now() where external_name = $1', [
      anna,
    ])
    await complete(listing)
    expect(await filed(listing.listing_id)).toMatchObject([{ shop: anna }])
    const answer = { resolution: 'create_new', sku: 'OTHER' }
    const resolve = `/api/v1/marketplace/import/jobs/${job}/items/${conflict!.id}/resolve/`
    expect((await seller.call('POST', resolve, answer)).status).toBe(409)
    const link = { resolution: 'link_existing', inventory_item_uid: item_uid }
    expect((await seller.call('POST', resolve, link)).status).toBe(200)
    expect(await filed(listing.listing_id)).toMatchObject([{ shop: vera, item_uid }])
  })
})

describe('a seller who changed the user name', () => {
  it('gets no duplicates of listings, sold or on offer', async () => {
    const [before, after] = [newName('Vera'), newName('VeraVintage')]
    const [kept, sold, freed] = [onDepop(), onDepop(), onDepop()]
    await read(before, kept, sold, freed)
    await read(before, kept, sold, { ...freed, state: 'sold' })
    const items = await read(after, kept, { ...sold, state: 'sold' }, freed)
    expect(items.map(({ status }) => status)).toEqual(['skipped', 'skipped', 'skipped'])
    const inventory = await seller.inventory()
    const states = inventory.map(({ record }) => record.lifecycle.state).sort()
    expect(states).toEqual(['available', 'available', 'sold'])
    // Reported under either name, the sale is known.
    for (const name of [before, after]) {
      expect((await report(name, sold.listing_id)).body.results).toMatchObject([{ state: 'known' }])
    }
    const orders = await harness.server.services.db.any(
      "select 1 as one from marketplace_order where user_id = $1 and status = 'paid'",
      [seller.account.user_id],
    )
    expect(orders).toHaveLength(1)
  })

  it('is not asked again about a skipped conflict', async () => {
    const [before, after] = [newName('Vera'), newName('VeraVintage')]
    await insertItem(harness.server.services.db, seller.account.user_id, { sku: 'TWICE' })
    const listing = onDepop({ sku: 'TWICE' })
    const job = await begin(before)
    await send(job, 'a', [listing])
    const [conflict] = await seller.items(job)
    const resolve = `/api/v1/marketplace/import/jobs/${job}/items/${conflict!.id}/resolve/`
    await seller.call('POST', resolve, { resolution: 'skip' })
    expect(await read(after, listing)).toMatchObject([{ status: 'skipped', resolution: 'skip' }])
  })

  it('changes no listing of another account with the same id', async () => {
    const listing = onDepop()
    await read(newName('Vera'), listing)
    const first = seller
    seller = await harness.seller()
    expect(await read(newName('Anna'), listing)).toMatchObject([{ status: 'imported' }])
    expect((await report('whoever', listing.listing_id)).body.results).toMatchObject([{ state: 'sold' }])
    seller = first
    expect(await seller.inventory()).toMatchObject([{ record: { lifecycle: { state: 'available' } } }])
  })
})
