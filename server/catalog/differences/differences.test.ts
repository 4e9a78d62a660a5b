import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildListing } from '#e2e/harness/listing.ts'
import { until } from '#e2e/harness/until.ts'
import type { ListingPort } from '#server/integrations/port.ts'
import type { Difference } from '#shared/contract/catalog/differences.ts'
import type { Listing } from '#shared/listing.ts'
import { type ImportHarness, type Seller, startImportHarness } from '../imports/testing/harness.ts'

let harness: ImportHarness
let seller: Seller
beforeAll(async () => {
  harness = await startImportHarness({
    prepare: async ({ platforms }) => {
      // Updates change the shop that imports read.
      const port: Partial<ListingPort> = {
        async changePrice(_access, { listing_id, price_minor, currency }) {
          change({ price_minor, currency }, listing_id)
        },
        async updateContent(_access, { listing_id }, { fields, ...content }) {
          change(Object.fromEntries(fields.map((field) => [field, content[field]])), listing_id)
        },
      }
      Object.assign(platforms.get('ebay')!, { listings: port })
    },
  })
})
afterAll(() => harness?.close())
beforeEach(async () => {
  harness.reset()
  seller = await harness.seller()
})

const base = '/api/v1/differences/'
const list = async (query = ''): Promise<{ count: number; results: Difference[] }> =>
  (await seller.call('GET', `${base}?${query}`)).body
const decide = async (action: string, differences: string[], by = seller) =>
  (await by.call('POST', `${base}decide/`, { action, differences })).body
const undo = (change: { uid: string }) => seller.call('POST', `/api/v1/changes/${change.uid}/undo/`)

/** Changes a listing on eBay. */
function change(given: Partial<Listing>, listing_id = '1'): void {
  harness.ebay.shop = harness.ebay.shop.map((each) =>
    each.listing_id === listing_id ? ({ ...each, ...given } as Listing) : each,
  )
}

const mine = {
  title: 'Brass sextant',
  description: 'Old and fine.',
  price_minor: 9_000,
  images: ['https://i.example/1.jpg'],
}

/** Imports a listing, changes it on eBay and imports it again. */
async function drift(theirs: Partial<Listing>): Promise<Difference[]> {
  harness.ebay.shop = [buildListing({ listing_id: '1', ...mine })]
  await seller.import()
  change(theirs)
  await seller.import()
  return (await list()).results
}

const itemNow = async () => (await seller.inventory())[0]
const updatesDone = () =>
  until(
    () =>
      harness.server.services.db.any("select 1 from listing_operation where state = 'open' and user_id = $1", [
        seller.account.user_id,
      ]),
    ({ length }) => length === 0,
  )

describe('a listing that is read again', () => {
  it('shows each field that changed there once, and changes no item', async () => {
    const images = ['https://i.example/2.jpg', 'https://i.example/3.jpg']
    const results = await drift({ title: 'Sextant', description: 'New words', price_minor: 8_500, images })
    const byField = Object.fromEntries(results.map((each) => [each.field, each]))
    expect(Object.keys(byField).sort()).toEqual(['description', 'photos', 'price', 'title'])
    expect(byField.title).toMatchObject({ mine: mine.title, theirs: 'Sextant', can_overwrite: true, state: 'open' })
    expect(byField.price).toMatchObject({ mine: '90.00', theirs: '85.00', theirs_currency: 'USD', mine_photos: null })
    expect(byField.photos).toMatchObject({ mine: '1', theirs: '2', theirs_photos: images, mine_photos: mine.images })
    expect((await itemNow()).record.title).toBe(mine.title)
    await seller.import()
    expect((await list()).results).toEqual(results)
    expect((await list(`item=${results[0]!.inventory_item_uid}`)).count).toBe(4)
    expect((await list('marketplace=etsy')).count).toBe(0)
  })

  it('shows nothing where only white space or markup differ', async () => {
    expect(await drift({ title: ` ${mine.title} `, description: '<p>Old  and fine.</p>' })).toEqual([])
  })

  it('shows nothing any more when it agrees again', async () => {
    expect(await drift({ title: 'Sextant' })).toHaveLength(1)
    change({ title: mine.title })
    await seller.import()
    expect((await list()).count).toBe(0)
  })

  it('shows nothing any more when the item takes the value', async () => {
    await drift({ title: 'Sextant' })
    const { uid, version } = await itemNow()
    await seller.call('PATCH', `/api/v1/inventory/${uid}/`, { version, title: 'Sextant' })
    expect((await list()).count).toBe(0)
  })

  it('shows nothing once it is over', async () => {
    const [difference] = await drift({ title: 'Sextant' })
    await harness.server.services.db.none("update channel_listing set state = 'removed' where user_id = $1", [
      seller.account.user_id,
    ])
    expect((await list()).count).toBe(0)
    expect(await decide('adopt', [difference!.uid])).toEqual({
      ...{ change: null, done: 0 },
      left: [{ uid: difference!.uid, reason: 'ended' }],
    })
  })

  it('shows an edit that was not sent to it', async () => {
    harness.ebay.shop = [buildListing({ listing_id: '1', ...mine })]
    await seller.import()
    const { uid, version } = await itemNow()
    await seller.call('PATCH', `/api/v1/inventory/${uid}/`, { version, title: 'Ship’s sextant' })
    await seller.import()
    expect((await list()).results).toMatchObject([{ mine: 'Ship’s sextant', theirs: mine.title }])
  })

  it('shows no price and no text that Hapax sent', async () => {
    harness.ebay.shop = [buildListing({ listing_id: '1', ...mine })]
    await seller.import()
    const { uid, version } = await itemNow()
    await seller.call('PATCH', `/api/v1/inventory/${uid}/`, {
      ...{ version, title: 'Ship’s sextant', offer: { price_minor: 7_000 } },
      update_listings: ['ebay'],
    })
    await updatesDone()
    await seller.import()
    expect((await list()).count).toBe(0)
    expect(harness.ebay.shop).toMatchObject([{ title: 'Ship’s sextant', price_minor: 7_000 }])
  })
})

describe('a listing that the extension reads', () => {
  it('shows what changed there, and cannot be overwritten', async () => {
    const { user_id } = seller.account
    const listing = {
      ...buildListing({ listing_id: 'p1', ...mine }),
      url: 'https://poshmark.com/listing/p1',
    }
    const send = async (given: Partial<Listing>) => {
      const { body: job } = await seller.call('POST', '/api/v1/extension/imports/', {
        platform: 'poshmark',
        shop: { username: `ada${user_id}`, url: `https://poshmark.com/closet/ada${user_id}` },
      })
      const path = `/api/v1/extension/imports/${job.id}`
      await seller.call('POST', `${path}/batches/`, { batch_id: 'one', listings: [{ ...listing, ...given }] })
      await seller.call('POST', `${path}/complete/`)
      await seller.settled(job.id)
    }
    await send({})
    await send({ title: 'Sextant', price_minor: 8_000 })
    const { results } = await list('marketplace=poshmark')
    expect(results.map(({ field, can_overwrite }) => [field, can_overwrite]).sort()).toEqual([
      ['price', false],
      ['title', false],
    ])
    const [{ uid }] = results as [Difference, Difference]
    expect((await decide('overwrite', [uid])).left).toEqual([{ uid, reason: 'no_api' }])
    expect(await decide('adopt', [uid])).toMatchObject({ done: 1, change: { marketplace: 'poshmark' } })
  })
})

describe('a linked listing', () => {
  it('is as the seller linked it until it changes there', async () => {
    harness.ebay.shop = [buildListing({ listing_id: '1', ...mine, sku: 'S-1' })]
    await seller.import()
    const onEtsy = await harness.etsyOf(seller)
    const theirs = buildListing({ title: 'Sextant on Etsy', sku: 'S-1' })
    harness.etsy.shop = [{ ...theirs, url: `https://www.etsy.com/listing/${theirs.listing_id}` }]
    const { id } = await onEtsy.import()
    const [item] = await onEtsy.items(id, 'status=conflict')
    const path = `/api/v1/marketplace/import/jobs/${id}/items/${item!.id}/resolve/`
    expect((await seller.call('POST', path, { resolution: 'link_existing' })).status).toBe(200)
    await onEtsy.import()
    expect((await list()).count).toBe(0)
    expect((await list('state=ignored')).results.map(({ field }) => field).sort()).toEqual(['description', 'title'])
    harness.etsy.shop = harness.etsy.shop.map(
      (each) => ({ ...each, title: 'Sextant again', images: mine.images }) as Listing,
    )
    await onEtsy.import()
    expect((await list()).results).toMatchObject([{ marketplace: 'etsy', field: 'title', theirs: 'Sextant again' }])
  })
})

describe('a decision', () => {
  it('ignores until the value changes again there, and can be undone', async () => {
    const [difference] = await drift({ title: 'Sextant' })
    const { change: done } = await decide('ignore', [difference!.uid])
    expect(done).toMatchObject({ kind: 'ignore_difference', count: 1, marketplace: 'ebay', can_undo: true })
    await seller.import()
    expect([(await list()).count, (await list('state=ignored')).count]).toEqual([0, 1])
    expect((await decide('ignore', [difference!.uid])).left).toEqual([
      { uid: difference!.uid, reason: 'already_decided' },
    ])
    expect((await undo(done)).status).toBe(200)
    expect((await list()).count).toBe(1)
    await decide('ignore', [difference!.uid])
    change({ title: 'Sextant, restored' })
    await seller.import()
    expect((await list()).results).toMatchObject([{ theirs: 'Sextant, restored' }])
    // Nobody decides about a value that was not shown.
    expect((await decide('adopt', [difference!.uid])).left).toEqual([{ uid: difference!.uid, reason: 'not_found' }])
  })

  it('adopts values with their history, and can be undone', async () => {
    const images = ['https://i.example/2.jpg']
    const results = await drift({ title: 'Sextant', description: 'New words', price_minor: 8_500, images })
    const before = await itemNow()
    const answer = await decide(
      'adopt',
      results.map(({ uid }) => uid),
    )
    expect(answer).toMatchObject({ done: 4, left: [], change: { kind: 'adopt', count: 4 } })
    const { uid, version, record, description } = await itemNow()
    expect({
      version,
      description,
      title: record.title,
      price: record.offer.price_minor,
      images: record.images,
    }).toEqual({
      ...{ version: before.version + 1, description: 'New words', title: 'Sextant', price: 8_500 },
      images,
    })
    const history = (await seller.call('GET', `/api/v1/inventory/${uid}/history/`)).body
    const [entry] = Array.isArray(history) ? history : history.results
    expect(entry.reason).toMatch(/^Adopted from eBay: /)
    expect(entry.changes).toContainEqual({ field: 'price', from: '90.00 USD', to: '85.00 USD' })
    expect(
      (await seller.call('PATCH', `/api/v1/inventory/${uid}/`, { version: before.version, title: 'X' })).status,
    ).toBe(409)
    await seller.import()
    expect((await list()).count).toBe(0)

    expect((await undo(answer.change)).body).toMatchObject({ undone: 4, kept: 0 })
    const after = await itemNow()
    expect([after.record.title, after.record.offer.price_minor, after.record.images]).toEqual([
      ...[mine.title, 9_000],
      mine.images,
    ])
    expect((await list()).count).toBe(4)
  })

  it('is not undone where the item has changed since', async () => {
    const [difference] = await drift({ title: 'Sextant' })
    const { change: done } = await decide('adopt', [difference!.uid])
    const { uid, version } = await itemNow()
    await seller.call('PATCH', `/api/v1/inventory/${uid}/`, { version, title: 'Third title' })
    expect(await undo(done)).toMatchObject({ status: 409, body: { code: 'changed_since' } })
    expect((await itemNow()).record.title).toBe('Third title')
  })

  it('overwrites the listing, and undoing sends its former value', async () => {
    const results = await drift({ title: 'Sextant', price_minor: 8_500 })
    const answer = await decide(
      'overwrite',
      results.map(({ uid }) => uid),
    )
    expect(answer).toMatchObject({ done: 2, left: [], change: { kind: 'overwrite_listing' } })
    expect((await list()).count).toBe(0)
    await updatesDone()
    expect(harness.ebay.shop).toMatchObject([{ title: mine.title, price_minor: 9_000 }])
    await seller.import()
    expect((await list()).count).toBe(0)
    expect((await undo(answer.change)).body).toMatchObject({ undone: 2, kept: 0 })
    await updatesDone()
    expect(harness.ebay.shop).toMatchObject([{ title: 'Sextant', price_minor: 8_500 }])
    expect((await itemNow()).record.title).toBe(mine.title)
    expect((await list()).results).toMatchObject([{ field: 'title', mine: mine.title, theirs: 'Sextant' }])
  })

  it('settles the question that the import asks about the price', async () => {
    const [difference] = await drift({ price_minor: 8_500 })
    const conflicts = async () => (await seller.call('GET', '/api/v1/marketplace/import/conflicts/')).body.count
    expect(await conflicts()).toBe(1)
    await decide('ignore', [difference!.uid])
    expect(await conflicts()).toBe(0)
    await seller.import()
    expect(await conflicts()).toBe(0)
  })

  it('is nobody else’s', async () => {
    const [difference] = await drift({ title: 'Sextant' })
    const other = await harness.seller()
    expect(await decide('adopt', [difference!.uid], other)).toMatchObject({
      left: [{ uid: difference!.uid, reason: 'not_found' }],
    })
    expect((await other.call('GET', base)).body.count).toBe(0)
  })

  it('is made for 500 at once', async () => {
    const shop = Array.from({ length: 500 }, (_, n) =>
      buildListing({ ...mine, listing_id: String(n), title: `No. ${n}` }),
    )
    harness.ebay.shop = shop
    await seller.import()
    harness.ebay.shop = shop.map((each) => ({ ...each, title: `${each.title} there` }))
    await seller.import()
    const uids: string[] = []
    for (let page = 1; page <= 5; page++) {
      uids.push(...(await list(`page_size=100&page=${page}`)).results.map(({ uid }) => uid))
    }
    expect(new Set(uids).size).toBe(500)
    const { change: overwritten, ...rest } = await decide('overwrite', uids.slice(0, 250))
    expect([rest, overwritten.count]).toEqual([{ done: 250, left: [] }, 250])
    expect(await decide('adopt', uids.slice(250))).toMatchObject({ done: 250, change: { count: 250 } })
    expect((await list()).count).toBe(0)
  })
})
