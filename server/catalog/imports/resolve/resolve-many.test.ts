import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildListing } from '#e2e/harness/listing.ts'
import type { ImportJob } from '#shared/contract/catalog/imports.ts'
import type { Listing } from '#shared/listing.ts'
import { type ImportHarness, type Seller, startImportHarness } from '../testing/harness.ts'

let harness: ImportHarness
let seller: Seller
let onEtsy: Seller
beforeAll(async () => {
  harness = await startImportHarness()
})
afterAll(() => harness?.close())
beforeEach(async () => {
  harness.reset()
  seller = await harness.seller()
  onEtsy = await harness.etsyOf(seller)
})

const conflicts = '/api/v1/marketplace/import/conflicts/'
const titles = ['Pendleton wool coat green', 'Leica M3 film camera', 'Handwoven willow basket', 'Brass desk lamp round']
const onPlatform = (given: Partial<Listing>) => {
  const listing = buildListing(given)
  return { ...listing, url: `https://www.etsy.com/listing/${listing.listing_id}` }
}

/** Imports four listings from eBay, then the same from Etsy: three with their SKU, and one that is only similar. */
async function importTwice(): Promise<ImportJob> {
  harness.ebay.shop = titles.map((title, n) => buildListing({ title, sku: `S-${n}`, price_minor: 9_000 + n * 1_000 }))
  await seller.import()
  harness.etsy.shop = titles.map((title, n) =>
    onPlatform(n === 3 ? { title, price_minor: 11_000 } : { title, sku: `S-${n}`, price_minor: 9_000 + n * 1_000 }),
  )
  return onEtsy.import()
}

const list = async (query = '') => (await seller.call('GET', `${conflicts}?page_size=100${query}`)).body
const resolve = (body: object) => seller.call('POST', `${conflicts}resolve/`, body)

describe('open conflicts', () => {
  it('are listed with both sides, the most certain first', async () => {
    await importTwice()
    const { count, groups, results } = await list()
    expect({ count, groups }).toEqual({ count: 4, groups: { certain: 3, likely: 1, unsure: 0, other: 0 } })
    expect(results[0]).toMatchObject({
      marketplace: 'etsy',
      item: {
        listing_title: titles[0],
        match: { certainty: 'certain', reasons: expect.arrayContaining(['same_sku', 'same_title', 'same_price']) },
      },
      listing: { image: expect.stringContaining('https://'), price_minor: 9_000, currency: 'USD' },
      existing: { title: titles[0], price_minor: 9_000, sku: 'S-0', state: 'available', platforms: ['ebay'] },
    })
    expect(results[3]).toMatchObject({ item: { match: { certainty: 'likely' } } })
    expect(await list('&certainty=likely')).toMatchObject({ count: 1, groups, results: [results[3]] })
  })

  it('are those of the asked import', async () => {
    const job = await importTwice()
    expect(await list(`&job_uid=${job.id}`)).toMatchObject({ count: 4 })
    harness.etsy.shop = []
    const empty = await onEtsy.import()
    expect(await list(`&job_uid=${empty.id}`)).toMatchObject({ count: 0, results: [] })
    const another = await harness.seller()
    expect(await another.call('GET', `${conflicts}?job_uid=${job.id}`)).toMatchObject({ status: 404 })
  })
})

describe('resolving many', () => {
  it('links all certain matches and leaves the others', async () => {
    const job = await importTwice()
    const reply = await resolve({ resolution: 'link_existing', certainty: 'certain' })
    expect(reply.status).toBe(200)
    expect(reply.body.results.map(({ outcome }: { outcome: string }) => outcome)).toEqual(Array(3).fill('resolved'))
    expect(reply.body.next).toBeNull()
    expect(await list()).toMatchObject({ count: 1, groups: { certain: 0, likely: 1 } })
    const items = await seller.inventory()
    expect(items).toHaveLength(4)
    expect(items.filter((item) => item.record.channel_listings.length === 2)).toHaveLength(3)
    expect(await seller.job(job.id)).toMatchObject({ items_imported: 3, items_conflicted: 1 })
    expect((await resolve({ resolution: 'link_existing', certainty: 'certain' })).body.results).toEqual([])
  })

  it('answers a repeated selection the same, and each by itself', async () => {
    await importTwice()
    const { results } = await list()
    const items = results.slice(0, 2).map(({ job_uid, item }: { job_uid: string; item: { id: string } }) => ({
      ...{ job_uid, item_uid: item.id },
    }))
    const first = await resolve({ resolution: 'skip', items })
    expect(first.body.results.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['resolved', 'resolved'])
    expect((await resolve({ resolution: 'skip', items })).body).toEqual(first.body)
    const unknown = { job_uid: items[0].job_uid, item_uid: 'itm_0000000000000000000000' }
    expect(await resolve({ resolution: 'link_existing', items: [items[0], unknown] })).toMatchObject({
      status: 200,
      body: {
        results: [
          { outcome: 'left', code: 'already_resolved' },
          { outcome: 'left', code: 'not_found' },
        ],
      },
    })
  })

  it('leaves two listings that match one item equally, until one of them is linked', async () => {
    harness.ebay.shop = [buildListing({ title: titles[0], sku: 'S-0' })]
    await seller.import()
    harness.etsy.shop = [onPlatform({ title: titles[0], sku: 'S-0' }), onPlatform({ title: titles[0], sku: 'S-0' })]
    await onEtsy.import()
    const proposed = async () =>
      (await list()).results.map((conflict: { proposed: string | null }) => conflict.proposed)
    expect(await proposed()).toEqual(['link_existing', 'link_existing'])
    expect(await list()).toMatchObject({ linkable: { certain: 0 } })
    const { body } = await resolve({ resolution: 'link_existing', certainty: 'certain' })
    const message = 'Another listing there looks like this item as much, or more. Compare them.'
    expect(body.results).toMatchObject(Array(2).fill({ outcome: 'left', code: 'conflict', message }))
    const [, { job_uid, item }] = (await list()).results
    await resolve({ resolution: 'link_existing', items: [{ job_uid, item_uid: item.id }] })
    // Two live listings on one platform are two items.
    expect(await proposed()).toEqual(['create_new'])
    expect((await resolve({ resolution: 'link_existing', certainty: 'certain' })).body.results).toMatchObject([
      { outcome: 'left', code: 'conflict', message: 'This item is already live on Etsy.' },
    ])
    expect((await seller.inventory())[0].record.channel_listings).toHaveLength(2)
  })

  it('links the better of two matches, whichever was read first', async () => {
    harness.ebay.shop = [buildListing({ title: titles[1], price_minor: 9_295 })]
    await seller.import()
    harness.etsy.shop = [8_600, 9_295].map((price_minor) => onPlatform({ title: titles[1], price_minor }))
    const job = await onEtsy.import()
    expect(await list()).toMatchObject({ groups: { likely: 2 }, linkable: { likely: 1 } })
    const { body } = await resolve({ resolution: 'link_existing', certainty: 'likely', job_uid: job.id })
    expect(body.results.map(({ outcome }: { outcome: string }) => outcome).sort()).toEqual(['left', 'resolved'])
    expect(await list()).toMatchObject({ results: [{ listing: { price_minor: 8_600 }, proposed: 'create_new' }] })
  })

  it('links to neither of two items that one listing matches equally', async () => {
    harness.ebay.shop = [1, 2].map(() => buildListing({ title: titles[1], price_minor: 9_295 }))
    await seller.import()
    harness.etsy.shop = [onPlatform({ title: titles[1], price_minor: 9_295 })]
    await onEtsy.import()
    expect(await list()).toMatchObject({ groups: { likely: 0, unsure: 1 } })
  })

  it('needs a selection or a certainty', async () => {
    expect(await resolve({ resolution: 'skip' })).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
  })

  it("touches no other seller's conflicts", async () => {
    await importTwice()
    const another = await harness.seller()
    const reply = await another.call('POST', `${conflicts}resolve/`, { resolution: 'skip', certainty: 'certain' })
    expect(reply.body.results).toEqual([])
    expect(await list()).toMatchObject({ count: 4 })
  })
})
