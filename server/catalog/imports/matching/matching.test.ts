import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildListing } from '#e2e/harness/listing.ts'
import { insertItem } from '#server/selling/listings/testing/build-item.ts'
import { firstOrderedId } from '#shared/identity.ts'
import type { Listing } from '#shared/listing.ts'
import { type ImportHarness, type Seller, startImportHarness } from '../testing/harness.ts'
import { compare } from './compare.ts'
import { type Described, featuresOf } from './features.ts'
import { createMatcher } from './matcher.ts'

describe('two descriptions', () => {
  const coat: Described = {
    title: 'Vintage Pendleton wool coat, forest green',
    brand: 'Pendleton',
    size: 'M',
    price_minor: 8_500,
    currency: 'USD',
  }
  const likeness = (given: Partial<Described>) => compare(featuresOf(coat), featuresOf({ ...coat, ...given })).likeness

  it.each<[string, Partial<Described>, string]>([
    ['in other words', { title: 'Green woolen? Pendleton wool coats size Medium', size: 'Medium' }, 'possibly'],
    ['without brand and size', { brand: undefined, size: undefined }, 'possibly'],
    ['another size', { size: 'L' }, 'different'],
    ['another brand', { brand: 'Woolrich', title: 'Vintage Woolrich wool coat, forest green' }, 'different'],
    ['another colour', { title: 'Vintage Pendleton wool coat, red' }, 'different'],
    ['another price altogether', { price_minor: 40_000, title: 'Pendleton coat' }, 'different'],
    ['another thing of the brand', { title: 'Pendleton flannel shirt, green' }, 'different'],
  ])('%s', (_name, given, expected) => {
    expect(likeness(given)).toBe(expected)
  })

  it.each(['Unbranded', 'Markenlos', 'sans marque', 'Senza marca', 'Bez marki'])('have no brand in %s', (brand) => {
    expect(featuresOf({ ...coat, brand }).brand).toEqual([])
  })

  it('are never surely the same by words or a photo alone', () => {
    const photos = [{ whole: 0x123456789abcdefn, cuts: [] }]
    expect(likeness({})).toBe('possibly')
    const sameWords = compare(featuresOf({ ...coat, photos }), featuresOf({ ...coat, photos }))
    expect(sameWords).toEqual({ likeness: 'surely', reasons: ['title', 'price', 'brand', 'size', 'photo'] })
    const photoAlone = { title: 'Blue lamp', price_minor: 1_000, currency: 'USD', photos }
    expect(compare(featuresOf({ ...coat, photos }), featuresOf(photoAlone)).likeness).not.toBe('surely')
  })

  it.each([
    ['W32 L30', '32x30', true],
    ['Medium (M)', 'm', true],
    ['US 9.5', '9.5', true],
    ['X-Large', 'XL', true],
    ['10', '12', false],
  ])('sizes %s and %s agree: %s', (one, other, agree) => {
    const reasons = compare(featuresOf({ ...coat, size: one }), featuresOf({ ...coat, size: other })).reasons
    expect(reasons.includes('size')).toBe(agree)
  })
})

describe('an import of another platform', () => {
  let harness: ImportHarness
  let seller: Seller
  let onEtsy: Seller
  beforeAll(async () => {
    harness = await startImportHarness()
  })
  afterAll(() => harness?.close())
  beforeEach(async () => {
    seller = await harness.seller()
    onEtsy = await harness.etsyOf(seller)
  })

  const etsyListing = (given: Partial<Listing>) => {
    const listing = buildListing(given)
    return { ...listing, url: `https://www.etsy.com/listing/${listing.listing_id}` }
  }
  const things = [
    'Pendleton wool coat green',
    "Levi's 501 denim jeans blue",
    'Hermès silk scarf orange',
    'Leica M3 film camera',
  ]

  it('asks about possible duplicates and links none by itself', async () => {
    harness.ebay.shop = things.map((title, index) =>
      buildListing({ title, brand: title.split(' ')[0], price_minor: 9_000 + index }),
    )
    await seller.import()
    harness.etsy.shop = [
      etsyListing({ title: 'Green wool coat by Pendleton, vintage', price_minor: 9_500 }),
      etsyListing({ title: 'Handwoven basket' }),
      etsyListing({ title: 'Pendleton wool coat red', brand: 'Pendleton', price_minor: 9_000 }),
    ]
    const job = await onEtsy.import()
    expect(job).toMatchObject({ items_conflicted: 1, items_imported: 2 })
    const [conflict] = await onEtsy.items(job.id, 'status=conflict')
    expect(conflict).toMatchObject({
      conflict_type: 'possible_duplicate',
      conflict_details: expect.stringMatching(/may be the same as "Pendleton wool coat green".*title, price, brand/),
    })
    const before = await seller.inventory()
    const resolve = `/api/v1/marketplace/import/jobs/${job.id}/items/${conflict!.id}/resolve/`
    expect((await seller.call('POST', resolve, { resolution: 'link_existing' })).status).toBe(200)
    const after = await seller.inventory()
    expect(after).toHaveLength(before.length)
    const linked = after.find((item) => item.record.title === things[0])
    expect(linked.record.channel_listings.map((listing: { channel: string }) => listing.channel)).toEqual([
      'ebay',
      'etsy',
    ])
  })

  it('asks about no items of its platform, nor linked ones', async () => {
    harness.ebay.shop = [
      buildListing({ title: 'Pendleton wool coat', brand: 'Pendleton' }),
      buildListing({ title: 'Pendleton wool coat', brand: 'Pendleton' }),
    ]
    expect(await seller.import()).toMatchObject({ items_imported: 2, items_conflicted: 0 })
  })

  /** Imports a coat on both platforms as one item, then ends its eBay listing. Returns the item. */
  async function endedOnEbay(state: 'removed' | 'sold'): Promise<string> {
    harness.ebay.shop = [buildListing({ title: 'Pendleton wool coat', brand: 'Pendleton' })]
    await seller.import()
    harness.etsy.shop = [etsyListing({ title: 'Wool coat, Pendleton', brand: 'Pendleton' })]
    const job = await onEtsy.import()
    const [conflict] = await onEtsy.items(job.id)
    const path = `/api/v1/marketplace/import/jobs/${job.id}/items/${conflict!.id}/resolve/`
    expect((await seller.call('POST', path, { resolution: 'link_existing' })).status).toBe(200)
    await harness.server.services.db.none(
      "update channel_listing set state = $2 where user_id = $1 and platform = 'ebay'",
      [seller.account.user_id, state],
    )
    return (await seller.inventory())[0].uid
  }
  const relisted = () => [buildListing({ title: 'Pendleton wool coat', brand: 'Pendleton' })]

  it('asks about an item relisted here under another id', async () => {
    const uid = await endedOnEbay('removed')
    harness.ebay.shop = relisted()
    const job = await seller.import()
    expect(await seller.items(job.id)).toMatchObject([
      { conflict_type: 'possible_duplicate', conflict_details: expect.stringContaining(uid) },
    ])
    expect(await seller.inventory()).toHaveLength(1)
  })

  it('asks about it also if another platform sold the item', async () => {
    const uid = await endedOnEbay('removed')
    const sold = await seller.call('POST', `/api/v1/inventory/${uid}/mark-sold/`, {})
    expect(sold.body).toMatchObject({ state: 'sold' })
    harness.ebay.shop = relisted()
    const job = await seller.import()
    expect(await seller.items(job.id)).toMatchObject([{ conflict_type: 'possible_duplicate' }])
  })

  it('does not ask about an item that sold here', async () => {
    const uid = await endedOnEbay('sold')
    await seller.call('POST', `/api/v1/inventory/${uid}/mark-sold/`, {})
    harness.ebay.shop = relisted()
    expect(await seller.import()).toMatchObject({ items_imported: 1, items_conflicted: 0 })
  })

  it('notices what another import brought in meanwhile', async () => {
    harness.etsy.pageSize = 1
    harness.etsy.shop = [
      etsyListing({ title: 'Handwoven basket' }),
      etsyListing({ title: 'Pendleton wool coat', brand: 'Pendleton' }),
    ]
    harness.ebay.shop = [buildListing({ title: 'Wool coat, Pendleton', brand: 'Pendleton' })]
    harness.etsy.before = async (call) => {
      if (call.kind === 'page' && call.cursor === '1') await seller.import()
    }
    const job = await onEtsy.import()
    harness.etsy.before = () => {}
    expect(job).toMatchObject({ items_imported: 1, items_conflicted: 1 })
  })

  it('notices items of a worker whose clock is behind', async () => {
    const { db } = harness.server.services
    const { user_id } = seller.account
    const ahead = await insertItem(db, user_id, { title: 'Brass lamp' })
    // Created by a worker whose clock is half a minute ahead.
    const uid = firstOrderedId('inv', Date.now() + 30_000)
    await db.none('delete from inventory_history where item_uid = $1', [ahead])
    await db.none('delete from image_copy where item_uid = $1', [ahead])
    await db.none('update inventory_item set uid = $2 where uid = $1', [ahead, uid])
    await db.none(
      `insert into inventory_history (user_id, item_uid, version, actor, to_state, reason)
       values ($1, $2, 1, 'user', 'available', 'Made')`,
      [user_id, uid],
    )
    const matcher = createMatcher({ user_id, platform: 'etsy' })
    const listing = etsyListing({ title: 'Pendleton wool coat', brand: 'Pendleton' })
    expect([...(await matcher.find(db, [listing])).keys()]).toEqual([])
    harness.ebay.shop = [buildListing({ title: 'Wool coat, Pendleton', brand: 'Pendleton' })]
    await seller.import()
    expect([...(await matcher.find(db, [listing])).keys()]).toEqual([listing.listing_id])
  })

  it("compares with an item's current words", async () => {
    harness.ebay.shop = [buildListing({ title: 'Thing', brand: 'Pendleton' })]
    await seller.import()
    harness.etsy.shop = []
    await onEtsy.import()
    const [item] = await seller.inventory()
    await seller.call('PATCH', `/api/v1/inventory/${item.uid}/`, { title: 'Pendleton wool coat' })
    harness.etsy.shop = [etsyListing({ title: 'Wool coat, Pendleton', brand: 'Pendleton' })]
    expect(await onEtsy.import()).toMatchObject({ items_conflicted: 1 })
  })
})
