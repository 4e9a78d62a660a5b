import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { checkInvariants } from '#e2e/harness/campaigns/invariants.ts'
import { buildListing } from '#e2e/harness/listing.ts'
import { orderFor, placeOrder } from '#server/selling/sales/testing/sell.ts'
import type { Listing } from '#shared/listing.ts'
import { type ImportHarness, type Seller, startImportHarness } from '../testing/harness.ts'

/** An item on eBay and Poshmark sells while its seller still has to answer whether both are one. */
let harness: ImportHarness
let seller: Seller
let shops = 0
let username: string
let mine: Listing
let theirs: Listing
let item_uid: string
beforeAll(async () => {
  harness = await startImportHarness()
})
afterAll(() => harness?.close())
beforeEach(async () => {
  seller = await harness.seller()
  username = `Answer_${++shops}`
  mine = buildListing({ sku: 'ONE', title: 'Mine' })
  theirs = buildListing({ sku: 'ONE', title: 'The same there' })
  theirs.url = `https://poshmark.com/listing/${theirs.listing_id}`
  harness.ebay.shop = [mine]
  await seller.import()
  item_uid = (await seller.inventory())[0].uid
})

const db = () => harness.server.services.db
const begin = async (): Promise<string> => {
  const shop = { username, url: `https://poshmark.com/closet/${username}` }
  return (await seller.call('POST', '/api/v1/extension/imports/', { platform: 'poshmark', shop })).body.id
}
const send = (job: string, listings: Listing[], batch_id = 'a') =>
  seller.call('POST', `/api/v1/extension/imports/${job}/batches/`, { batch_id, listings })
const finish = (job: string) => seller.call('POST', `/api/v1/extension/imports/${job}/complete/`)
const report = (listing_id = theirs.listing_id) =>
  seller.call('POST', '/api/v1/extension/sales/', {
    platform: 'poshmark',
    shop: { username },
    listing_ids: [listing_id],
  })

/** Sends the closet. Returns the path of its only import item. */
async function read(given: Partial<Listing> = {}) {
  const job = await begin()
  await send(job, [{ ...theirs, ...given }])
  await finish(job)
  const [item] = await seller.items(job)
  return { job, path: `/api/v1/marketplace/import/jobs/${job}/items/${item!.id}/`, item: item! }
}
/** Answers a conflict of the import that asked. */
const answer = (path: string, resolution: string, given: object = {}) =>
  seller.call('POST', `${path}resolve/`, { resolution, ...given })
const ask = async () => {
  const asked = await read()
  expect(asked.item).toMatchObject({ status: 'conflict', conflict_type: 'duplicate_sku' })
  return asked
}
const stateOf = async (uid = item_uid) =>
  (await seller.call('GET', `/api/v1/inventory/${uid}/`)).body.record.lifecycle.state
const comingDown = () =>
  db().any<{ listing_id: string }>(
    "select listing_id from listing_operation where user_id = $1 and kind = 'delist' and state = 'open'",
    [seller.account.user_id],
  )
/** Listings with an open delist task on Poshmark. */
const tasks = async () =>
  (await seller.call('GET', '/api/v1/extension/tasks/')).body.results.filter(
    ({ platform }: { platform: string }) => platform === 'poshmark',
  )
/** Open alerts, except that this harness's eBay cannot delist. */
const alerts = async () =>
  (await seller.call('GET', '/api/v1/alarms/')).body.results.filter(
    ({ kind }: { kind: string }) => kind !== 'delist_overdue',
  )
const sales = () =>
  db().any('select platform, item_uid from sale where user_id = $1 and not cancelled', [seller.account.user_id])

describe('a listing that a check sees as sold during its conflict', () => {
  const observe = () => report()

  it.each(['link_existing', 'overwrite'])('sells the item that %s names', async (resolution) => {
    const { path } = await ask()
    await observe()
    expect((await seller.call('GET', path)).body).toMatchObject({ listing: { state: 'available' }, state_now: 'sold' })
    expect(await stateOf()).toBe('available')
    expect((await answer(path, resolution)).status).toBe(200)
    expect(await stateOf()).toBe('sold')
    expect(await comingDown()).toEqual([{ listing_id: mine.listing_id }])
    expect(await sales()).toEqual([{ platform: 'poshmark', item_uid }])
    expect(await tasks()).toEqual([])
    // A slower second report of it is known.
    expect((await report()).body.results).toMatchObject([{ state: 'known' }])
    expect(await alerts()).toEqual([])
    await checkInvariants(db())
  })

  it('asks at once which item sold, and sells the one named', async () => {
    await ask()
    await observe()
    const [alert, ...others] = await alerts()
    expect(others).toEqual([])
    expect(alert).toMatchObject({
      kind: 'sale_unclear',
      platform: 'poshmark',
      sold: { title: theirs.title, price_minor: theirs.price_minor, currency: 'USD' },
      candidates: [{ inventory_item_uid: item_uid, title: mine.title }],
    })
    const named = await seller.call('POST', `/api/v1/alarms/${alert.uid}/answer/`, { item_uid })
    expect(named).toMatchObject({ status: 200 })
    expect(await stateOf()).toBe('sold')
    expect(await comingDown()).toEqual([{ listing_id: mine.listing_id }])
    expect(await alerts()).toEqual([])
    await checkInvariants(db())
  })

  it('asks no more once it is on offer again', async () => {
    await ask()
    await observe()
    expect(await alerts()).toHaveLength(1)
    await read()
    expect(await alerts()).toEqual([])
    expect(await stateOf()).toBe('available')
    await checkInvariants(db())
  })

  it('becomes no item on offer', async () => {
    const { path } = await ask()
    await observe()
    const { body } = await answer(path, 'create_new', { sku: 'TWO' })
    expect(await stateOf(body.created_inventory_item_uid)).toBe('sold')
    expect(await stateOf()).toBe('available')
    await checkInvariants(db())
  })

  it('sells nothing if skipped, and sells when answered anew', async () => {
    const { path, job } = await ask()
    await observe()
    expect((await answer(path, 'skip')).status).toBe(200)
    await seller.call('POST', `/api/v1/marketplace/import/jobs/${job}/skip-all-conflicts/`)
    expect(await stateOf()).toBe('available')
    const again = await read({ state: 'sold' })
    expect(again.item).toMatchObject({ status: 'conflict', conflict_type: 'sold_elsewhere' })
    await answer(again.path, 'overwrite')
    expect(await stateOf()).toBe('sold')
    await checkInvariants(db())
  })

  it('is an oversell if the item has a buyer on eBay', async () => {
    const { path } = await ask()
    await observe()
    const item = { user_id: seller.account.user_id, item_uid, shops: { ebay: seller.shop } }
    const ordered_at = new Date().toISOString()
    await placeOrder(db(), item.user_id, orderFor(item, 'ebay', { listing_id: mine.listing_id, ordered_at }))
    await answer(path, 'link_existing')
    expect(await alerts()).toMatchObject([{ kind: 'oversell', platform: 'poshmark' }])
    expect(await sales()).toEqual([{ platform: 'ebay', item_uid }])
    await checkInvariants(db())
  })

  it("is no second sale after the seller's own report", async () => {
    const { path } = await ask()
    await observe()
    await seller.call('POST', `/api/v1/inventory/${item_uid}/mark-sold/`, {})
    await answer(path, 'link_existing')
    expect(await sales()).toEqual([{ platform: 'outside', item_uid }])
    expect(await alerts()).toEqual([])
    expect(await tasks()).toEqual([])
    await checkInvariants(db())
  })

  it('is on offer if a later import shows it', async () => {
    await ask()
    await observe()
    const again = await read()
    expect((await seller.call('GET', again.path)).body.state_now).toBeNull()
    await answer(again.path, 'link_existing')
    expect(await stateOf()).toBe('available')
    expect(await sales()).toEqual([])
    await checkInvariants(db())
  })
})

describe('a listing that no import has read and a check sees as sold', () => {
  const question = async () => {
    const open = await alerts()
    expect(open).toMatchObject([
      {
        kind: 'sale_unclear',
        platform: 'poshmark',
        message: `Listing ${theirs.listing_id} sold on Poshmark. Hapax knows no such listing. Its other listings stay live until you answer.`,
        sold: { title: null, price_minor: null, currency: null },
        candidates: [],
      },
    ])
    return open[0]
  }
  const answerWith = async (uid: string | null) =>
    seller.call('POST', `/api/v1/alarms/${(await question()).uid}/answer/`, { item_uid: uid })

  it('asks once which item sold, however often it is reported', async () => {
    for (let round = 0; round < 2; round++)
      expect((await report()).body.results).toMatchObject([{ state: 'unmatched' }])
    await question()
    expect(await stateOf()).toBe('available')
    await checkInvariants(db())
  })

  it('sells the item that the seller names, at its price', async () => {
    await report()
    expect(await answerWith(item_uid)).toMatchObject({ status: 200 })
    expect(await stateOf()).toBe('sold')
    expect(await comingDown()).toEqual([{ listing_id: mine.listing_id }])
    const { results } = (await seller.call('GET', '/api/v1/sales/')).body
    expect(results).toMatchObject([{ price_minor: mine.price_minor, currency: mine.currency }])
    expect(await alerts()).toEqual([])
    await checkInvariants(db())
  })

  it('is none of the items if the seller says so', async () => {
    await report()
    expect(await answerWith(null)).toMatchObject({ status: 200 })
    await report()
    expect(await alerts()).toEqual([])
    expect(await stateOf()).toBe('available')
  })

  it('asks no more once an import has read it, and is a sale', async () => {
    theirs = buildListing({ url: 'https://poshmark.com/listing/later' })
    const job = await begin()
    await report()
    await send(job, [theirs])
    const [item] = await seller.items(job)
    expect(await stateOf(item!.created_inventory_item_uid!)).toBe('sold')
    expect(await sales()).toEqual([{ platform: 'poshmark', item_uid: item!.created_inventory_item_uid }])
    expect(await alerts()).toEqual([])
    expect(await stateOf()).toBe('available')
    await checkInvariants(db())
  })

  it('asks no more once a later reading shows it on offer', async () => {
    await report()
    await ask()
    expect(await alerts()).toEqual([])
    await checkInvariants(db())
  })

  it('asks again if it sells after it was on offer', async () => {
    await report()
    await ask()
    await report()
    expect(await alerts()).toMatchObject([{ kind: 'sale_unclear', sold: { title: theirs.title } }])
    await checkInvariants(db())
  })

  it('asks until the import that doubts it is answered', async () => {
    await report()
    const { path } = await read({ state: 'sold' })
    await question()
    expect((await answer(path, 'link_existing')).body).toMatchObject({ status: 'imported' })
    expect(await stateOf()).toBe('sold')
    expect(await alerts()).toEqual([])
    await checkInvariants(db())
  })

  it('asks a seller whose shops were never imported, too', async () => {
    seller = await harness.seller()
    await report()
    await question()
  })
})

describe('a listing that the next import sees as sold during its conflict', () => {
  it('ends the earlier question, and is asked about as sold', async () => {
    const earlier = await ask()
    const again = await read({ state: 'sold' })
    expect(again.item).toMatchObject({ status: 'conflict', conflict_type: 'sold_elsewhere' })
    expect((await seller.call('GET', earlier.path)).body.item).toMatchObject({
      status: 'skipped',
      resolution: 'superseded',
    })
    expect((await answer(earlier.path, 'link_existing')).status).toBe(409)
    expect(await stateOf()).toBe('available')
    await checkInvariants(db())
  })

  it('sells the item that overwrite names', async () => {
    await ask()
    const { path } = await read({ state: 'sold' })
    expect((await answer(path, 'overwrite')).status).toBe(200)
    expect(await stateOf()).toBe('sold')
    expect(await comingDown()).toEqual([{ listing_id: mine.listing_id }])
    expect(await sales()).toEqual([{ platform: 'poshmark', item_uid }])
    expect((await report()).body.results).toMatchObject([{ state: 'known' }])
    await checkInvariants(db())
  })

  it('becomes no item on offer', async () => {
    await ask()
    const { path } = await read({ state: 'sold' })
    const { body } = await answer(path, 'create_new', { sku: 'TWO' })
    expect(await stateOf(body.created_inventory_item_uid)).toBe('sold')
    expect(await stateOf()).toBe('available')
    await checkInvariants(db())
  })
})

it('a reported sale outlasts an import begun before it', async () => {
  const alone = buildListing({ url: 'https://poshmark.com/listing/alone' })
  const job = await begin()
  expect((await report(alone.listing_id)).body.results).toMatchObject([{ state: 'unmatched' }])
  await send(job, [alone, theirs])
  await finish(job)
  const [first, second] = (await seller.items(job)).toSorted((one) => (one.status === 'imported' ? -1 : 1))
  expect(await stateOf(first!.created_inventory_item_uid!)).toBe('sold')
  expect(second).toMatchObject({ conflict_type: 'duplicate_sku' })
  await checkInvariants(db())
})

it('a report racing an answer sells the item', async () => {
  for (let round = 0; round < 6; round++) {
    const sku = `ROUND ${round}`
    const { body: item } = await seller.call('POST', '/api/v1/inventory/', {
      ...{ sku, title: sku, images: ['https://example.com/a.jpg'], condition: { label: 'Good', notes: '' } },
      offer: { price_minor: 1_000, currency: 'USD' },
    })
    theirs = { ...buildListing({ sku }), url: `https://poshmark.com/listing/${round}` }
    const { path } = await ask()
    await Promise.all([report(), answer(path, 'link_existing')])
    expect([round, await stateOf(item.uid)]).toEqual([round, 'sold'])
  }
  await checkInvariants(db())
})

it('a listing that ended during its conflict is not live', async () => {
  await ask()
  const { path } = await read({ state: 'removed' })
  await answer(path, 'link_existing')
  expect(await stateOf()).toBe('available')
  const [listing] = await db().any('select state from channel_listing where user_id = $1 and listing_id = $2', [
    seller.account.user_id,
    theirs.listing_id,
  ])
  expect(listing).toEqual({ state: 'removed' })
  await checkInvariants(db())
})

describe('an order of a listing during its conflict', () => {
  let etsy: Seller
  let path: string
  beforeEach(async () => {
    etsy = await harness.etsyOf(seller)
  })

  async function askThere(state: Listing['state']) {
    harness.etsy.shop = [{ ...theirs, state }]
    const job = await etsy.import({ states: ['active', 'sold'] })
    const [item] = await etsy.items(job.id)
    path = `/api/v1/marketplace/import/jobs/${job.id}/items/${item!.id}/`
  }
  /** A buyer of the Etsy listing, which has no item yet. */
  const buy = (status: 'pending' | 'paid' = 'paid') => {
    const item = { user_id: seller.account.user_id, item_uid, shops: { etsy: etsy.shop } }
    const ordered_at = new Date().toISOString()
    const order = orderFor(item, 'etsy', { listing_id: theirs.listing_id, ordered_at, status })
    return placeOrder(db(), item.user_id, order)
  }

  it.each([
    ['link_existing', 'available'],
    ['overwrite', 'available'],
    ['link_existing', 'sold'],
    ['overwrite', 'sold'],
  ] as const)('gets the item once %s names it (read as %s)', async (resolution, state) => {
    await askThere(state)
    expect((await buy()).lines).toMatchObject([{ state: 'unmatched' }])
    const now = state === 'sold' ? null : 'sold'
    expect((await seller.call('GET', path)).body).toMatchObject({ listing: { state }, state_now: now })
    await answer(path, resolution)
    expect(await stateOf()).toBe('sold')
    expect(await comingDown()).toEqual([{ listing_id: mine.listing_id }])
    expect(await sales()).toEqual([{ platform: 'etsy', item_uid }])
    // Reading the order again finds the same sale.
    expect((await buy()).lines).toMatchObject([{ state: 'sold' }])
    expect(await alerts()).toEqual([])
    await checkInvariants(db())
  })

  it('gets the item created from the listing', async () => {
    await askThere('available')
    await buy()
    const { body } = await answer(path, 'create_new', { sku: 'TWO' })
    expect(await stateOf(body.created_inventory_item_uid)).toBe('sold')
    expect(await stateOf()).toBe('available')
    expect(await sales()).toEqual([{ platform: 'etsy', item_uid: body.created_inventory_item_uid }])
    await checkInvariants(db())
  })

  it('holds the item while it is unpaid', async () => {
    await askThere('available')
    await buy('pending')
    expect((await seller.call('GET', path)).body.state_now).toBe('reserved')
    await answer(path, 'link_existing')
    expect(await stateOf()).toBe('reserved')
    expect(await comingDown()).toEqual([{ listing_id: mine.listing_id }])
    await checkInvariants(db())
  })
})

// Found by random requests: the price of a listing is any number, and one that is no amount fails its item.
it.each([7_210.5, -100, 1e300])(
  'a listing that was read with the price %s is asked about when it is sold',
  async (price_minor) => {
    await read({ price_minor })
    expect((await report()).status).toBe(200)
    expect(await alerts()).toMatchObject([{ kind: 'sale_unclear' }])
  },
)
