import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { buildListing } from '#e2e/harness/listing.ts'
import { conditionNotStated } from '#shared/item/placeholders.ts'
import type { Listing, ListingFailure } from '#shared/listing.ts'
import type { LookAlike } from '../matching/look-alike.ts'
import {
  type Decision,
  type DecisionContext,
  decideListing,
  describeFound,
  type Existing,
  type KnownListing,
} from './decide-listing.ts'
import { decideListings } from './decide-listings.ts'

const context: DecisionContext = {
  platform: 'ebay',
  public_url: 'https://hapax.example',
  observed_at: '2026-05-04T10:00:00.000Z',
  shop_url: 'https://www.ebay.com/usr/vera',
  shipping_policy_url: 'https://vera.example/shipping',
  returns_policy_url: 'https://vera.example/returns',
  sku_required: false,
}
const nothing: Existing = { listing: null, sku: null, lookAlikes: [], ownListing: null, skip: null }
const uid = 'inv_0000000000000000000000'
const item = (state: 'available' | 'reserved' | 'sold' | 'withdrawn') => ({ uid: 'inv_mine', title: 'Mine', state })

function decideWith(
  given: Partial<Listing>,
  existing: Partial<Existing> = {},
  more: Partial<DecisionContext> = {},
): Decision {
  return decideListing(buildListing(given), { ...nothing, ...existing }, { ...context, ...more }, uid)
}

/** Builds what is known of a listing imported as it is. */
function knownAs(listing: Listing, more: Partial<KnownListing['item']> = {}): KnownListing {
  return {
    price_minor: listing.price_minor,
    currency: listing.currency,
    state: 'available',
    sku: listing.sku ?? null,
    item: {
      uid: 'inv_mine',
      sku: listing.sku ?? null,
      condition_label: listing.condition ?? conditionNotStated,
      attributes: {
        ...(listing.brand ? { brand: listing.brand } : {}),
        ...(listing.size ? { size: listing.size } : {}),
      },
      title: listing.title,
      state: 'available',
      images: listing.images,
      description_md5: createHash('md5').update(listing.description).digest('hex'),
      ...more,
    },
  }
}

describe('a valid listing', () => {
  it.each([
    ['on offer', { state: 'available' }, 'available'],
    ['held for a buyer', { state: 'reserved' }, 'reserved'],
    ['sold', { state: 'sold' }, 'sold'],
    ['taken down', { state: 'removed' }, 'withdrawn'],
    ['without stock', { state: 'available', quantity: 0 }, 'withdrawn'],
    ['in a running auction', { state: 'available', format: 'auction' }, 'reserved'],
  ] as const)('%s becomes %s, never available unless it is', (_name, given, state) => {
    expect(decideWith(given)).toMatchObject({ status: 'imported', item_uid: uid, content: { state } })
  })

  it('without a SKU is imported, with the item as its product', () => {
    expect(decideWith({})).toMatchObject({ status: 'imported', content: { sku: null, product_id: uid } })
    expect(decideWith({ sku: '  ' })).toMatchObject({ status: 'imported', content: { sku: null } })
  })

  it('keeps its text and the order of its pictures', () => {
    const images = ['https://i.example/2.jpg', 'https://i.example/1.jpg', 'https://i.example/2.jpg?x=1']
    const description = '<b>Größe "M"</b> 🧥 =HYPERLINK("x")'
    expect(decideWith({ images, description })).toMatchObject({ content: { images, description } })
  })
})

describe('an invalid listing fails with a code', () => {
  it.each<[string, Partial<Listing>, string]>([
    ['no title', { title: ' \n ' }, 'missing_title'],
    ['no picture', { images: [] }, 'missing_images'],
    ['a negative price', { price_minor: -1 }, 'invalid_price'],
    ['a fraction of a cent', { price_minor: 12.5 }, 'invalid_price'],
    ['an absurd price', { price_minor: 1e30 }, 'invalid_price'],
    ['a currency in small letters', { currency: 'usd' }, 'unsupported_currency'],
    ['a currency that is none', { currency: 'XYZ' }, 'unsupported_currency'],
    ['no address', { url: '' }, 'invalid_url'],
    ['a script as address', { url: 'javascript:alert(1)' }, 'invalid_url'],
    ['a password in the address', { url: 'https://a:b@shop.example/' }, 'invalid_url'],
    [
      'one bad picture among good ones',
      { images: ['https://i.example/1.jpg', 'data:image/png;base64,AA'] },
      'invalid_url',
    ],
    ['an endless title', { title: 'x'.repeat(1_001) }, 'record_invalid'],
  ])('%s', (_name, given, error_code) => {
    expect(decideWith(given)).toMatchObject({
      status: 'failed',
      error_code,
      error_message: expect.stringMatching(/\w/),
    })
  })

  it("an unreadable listing keeps the adapter's reason and field", () => {
    const failure: ListingFailure = {
      listing_id: '1',
      error_code: 'page_changed',
      error_message: 'The page has no price',
      field: 'price_amount',
    }
    const decision = decideListing(failure, nothing, context, uid)
    expect(decision).toEqual({
      status: 'failed',
      error_code: 'page_changed',
      error_message: 'The page has no price (price_amount)',
    })
  })

  it('a fault comes before any conflict', () => {
    expect(decideWith({ title: '', sku: 'A', quantity: 3 }, { sku: item('available') })).toMatchObject({
      status: 'failed',
    })
  })
})

describe('a conflicting listing', () => {
  it.each<[string, Partial<Listing>, Partial<Existing>, string, string | null]>([
    ['a SKU that another item has', { sku: 'A' }, { sku: item('available') }, 'duplicate_sku', 'inv_mine'],
    ['a SKU of a sold item, and it is on offer', { sku: 'A' }, { sku: item('sold') }, 'sold_elsewhere', 'inv_mine'],
    [
      'sold, and the item with its SKU is not',
      { sku: 'A', state: 'sold' },
      { sku: item('available') },
      'sold_elsewhere',
      'inv_mine',
    ],
    ['sold both here and there', { sku: 'A', state: 'sold' }, { sku: item('sold') }, 'duplicate_sku', 'inv_mine'],
    ['three pieces', { quantity: 3 }, {}, 'quantity_above_one', null],
    [
      'looks like another',
      {},
      {
        lookAlikes: [
          { item: item('available'), verdict: 'possibly', reasons: ['title', 'price'], agreeing: ['same_title'] },
        ],
      },
      'possible_duplicate',
      'inv_mine',
    ],
  ])('%s', (_name, given, existing, conflict_type, existing_item_uid) => {
    const decision = decideWith(given, existing)
    expect(decision).toMatchObject({ status: 'conflict', conflict_type, existing_item_uid })
  })

  it('needs a SKU only if the seller requires one', () => {
    expect(decideWith({}, {}, { sku_required: true })).toMatchObject({
      status: 'conflict',
      conflict_type: 'missing_sku',
    })
    expect(decideWith({ sku: 'A' }, {}, { sku_required: true })).toMatchObject({ status: 'imported' })
  })

  it('says why it looks like another', () => {
    const lookAlikes: LookAlike[] = [
      {
        item: item('available'),
        verdict: 'surely',
        reasons: ['same photo', 'same size'],
        agreeing: ['same_photo', 'same_size'],
      },
    ]
    expect(decideWith({}, { lookAlikes })).toMatchObject({
      conflict_details: 'It is surely the same as "Mine" (inv_mine): same photo, same size.',
      match: { certainty: 'certain', reasons: ['same_photo', 'same_size'] },
    })
  })

  const alike = (uid: string, verdict: LookAlike['verdict'], ...agreeing: LookAlike['agreeing']): LookAlike => ({
    ...{ item: { ...item('available'), uid }, verdict, reasons: [], agreeing },
  })

  it.each<[string, LookAlike[], string]>([
    ['certain of the only item with its photo and size', [alike('inv_1', 'surely', 'same_photo')], 'certain'],
    [
      'only likely where a second item is nearly as like',
      [alike('inv_1', 'surely', 'same_photo', 'same_price'), alike('inv_2', 'surely', 'same_photo')],
      'likely',
    ],
    [
      'not likely where a second item is as like',
      [alike('inv_1', 'surely', 'same_photo'), alike('inv_2', 'surely', 'same_photo')],
      'unsure',
    ],
    ['likely by title and price', [alike('inv_1', 'possibly', 'same_title', 'same_price')], 'likely'],
    [
      'unsure by words and a price that is near',
      [alike('inv_1', 'possibly', 'similar_title', 'similar_price')],
      'unsure',
    ],
  ])('is %s', (_name, lookAlikes, certainty) => {
    expect(decideWith({}, { lookAlikes })).toMatchObject({ match: { certainty } })
  })

  it.each<[string, string, LookAlike[], string]>([
    ['certain with a SKU and looks', 'Another title', [alike('inv_mine', 'possibly', 'similar_title')], 'certain'],
    ['likely with a SKU and the title', 'Mine', [], 'likely'],
    ['unsure with a SKU alone', 'Another title', [alike('inv_other', 'possibly', 'same_title')], 'unsure'],
  ])('is %s', (_name, title, lookAlikes, certainty) => {
    const decision = decideWith({ sku: 'A', title }, { sku: item('available'), lookAlikes })
    expect(decision).toMatchObject({ conflict_type: 'duplicate_sku', match: { certainty } })
  })

  it('has no certainty where it is not about a match', () => {
    expect(decideWith({ quantity: 3 })).toMatchObject({ status: 'conflict', match: null })
  })
})

describe('a listing that was imported before', () => {
  const listing = buildListing({ sku: 'A' })

  it('is skipped, although it holds its own SKU', () => {
    const decision = decideListing(
      listing,
      { ...nothing, listing: knownAs(listing), sku: item('available') },
      context,
      uid,
    )
    expect(decision).toEqual({ status: 'skipped', details: null })
  })

  it('is skipped with its differences and overwrites nothing', () => {
    const known = knownAs(listing)
    const changed = { ...listing, title: 'New title', description: 'New text', images: ['https://i.example/new.jpg'] }
    expect(decideListing(changed, { ...nothing, listing: known }, context, uid)).toEqual({
      status: 'skipped',
      details: 'Already imported; different now: title, description, pictures.',
    })
  })

  it.each<[string, Partial<Listing>, string]>([
    ['another SKU', { sku: 'B' }, 'SKU'],
    ['no SKU any more', { sku: '' }, 'SKU'],
    ['another condition', { condition: 'Worn' }, 'condition'],
    ['another size and colours', { size: 'L', colors: ['Red'] }, 'size, colors'],
    ['another brand', { brand: 'Lee' }, 'brand'],
  ])('is skipped with its differences: %s', (_name, changes, differing) => {
    const before = buildListing({ sku: 'A', condition: 'Good', size: 'M', brand: 'Levi’s' })
    const decision = decideListing({ ...before, ...changes }, { ...nothing, listing: knownAs(before) }, context, uid)
    expect(decision).toEqual({ status: 'skipped', details: `Already imported; different now: ${differing}.` })
  })

  it("ignores the seller's SKU here and our own wording there", () => {
    const renamed = knownAs(listing, { sku: 'MY-OWN', condition_label: 'Hardly worn' })
    const ownListing = { item: item('available'), is_open: false }
    const decision = decideListing(
      { ...listing, condition: 'Used' },
      { ...nothing, listing: renamed, ownListing },
      context,
      uid,
    )
    expect(decision).toEqual({ status: 'skipped', details: null })
  })

  it('is a price_mismatch when its price has changed', () => {
    const changed = { ...listing, price_minor: 9_900 }
    expect(decideListing(changed, { ...nothing, listing: knownAs(listing) }, context, uid)).toMatchObject({
      conflict_type: 'price_mismatch',
      conflict_details: "The listing's price was 85.00 USD when it was last read and is 99.00 USD now.",
      existing_item_uid: 'inv_mine',
    })
  })

  it('is no price_mismatch during an auction', () => {
    const changed = { ...listing, price_minor: 9_900, format: 'auction' as const }
    expect(decideListing(changed, { ...nothing, listing: knownAs(listing) }, context, uid)).toMatchObject({
      status: 'skipped',
    })
  })

  it('is sold_elsewhere if only one of listing and item is sold', () => {
    expect(
      decideListing(listing, { ...nothing, listing: knownAs(listing, { state: 'sold' }) }, context, uid),
    ).toMatchObject({
      conflict_type: 'sold_elsewhere',
    })
    expect(
      decideListing({ ...listing, state: 'sold' }, { ...nothing, listing: knownAs(listing) }, context, uid),
    ).toMatchObject({ conflict_type: 'sold_elsewhere' })
    expect(
      decideListing(
        { ...listing, state: 'sold' },
        { ...nothing, listing: knownAs(listing, { state: 'sold' }) },
        context,
        uid,
      ),
    ).toMatchObject({ status: 'skipped' })
  })
})

describe('a batch', () => {
  const facts = { listings: new Map(), skus: new Map(), lookAlikes: new Map(), ownListing: new Map(), skips: new Map() }
  const candidate = (found: Listing, number: number) => ({
    uid: `itm_${number}`,
    item_uid: `inv_${number}`,
    observed_at: context.observed_at,
    found,
  })

  it('gives a shared SKU to the first listing only', () => {
    const candidates = [buildListing({ sku: 'A' }), buildListing({ sku: 'A' })].map(candidate)
    const decided = decideListings(candidates, facts, context, () => {})
    expect(decided.map((each) => each.decision)).toMatchObject([
      { status: 'imported' },
      { conflict_type: 'duplicate_sku', existing_item_uid: 'inv_0' },
    ])
  })

  it('continues after a listing that throws, and reports it', () => {
    const poison = buildListing()
    Object.defineProperty(poison, 'title', {
      get: () => {
        throw new Error('poison')
      },
    })
    const reported: unknown[] = []
    const decided = decideListings([candidate(poison, 0), candidate(buildListing(), 1)], facts, context, (error) => {
      reported.push(error)
    })
    expect(decided.map((each) => each.decision.status)).toEqual(['failed', 'imported'])
    expect(decided[0]?.decision).toMatchObject({ error_code: 'internal' })
    expect(reported).toHaveLength(1)
  })
})

describe('the listing shown by an import item', () => {
  it('has the price as decimal text, or none', () => {
    expect(describeFound(buildListing({ price_minor: 1_710 }))).toMatchObject({ listing_price: '17.10' })
    expect(describeFound(buildListing({ price_minor: 1_710, currency: 'JPY' }))).toMatchObject({
      listing_price: '1710',
    })
    expect(describeFound(buildListing({ price_minor: 1e30 }))).toMatchObject({ listing_price: null })
    expect(describeFound(buildListing({ currency: 'usd' }))).toMatchObject({ listing_price: null })
  })
})
