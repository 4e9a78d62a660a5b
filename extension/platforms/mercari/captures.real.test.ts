import { describe, expect, it } from 'vitest'
import { parseItemAnswer, readEntry, readItem, readText, searchEntries } from '#extension/testing/captured.ts'
import type { Listing } from '#shared/listing.ts'
import { parseItemElements, parseList, parseListLinks } from './parse.ts'

/** Real captures, stored outside the repository. */
const folder = new URL('../../../../shared/data/mercari-us/', import.meta.url)
const read = (name: string) => readText(folder, name)
const photo = (id: string, n: number, at: number) => `https://u-mercari-images.mercdn.net/photos/${id}_${n}.jpg?${at}`

const japan = new URL('../../../../shared/data/mercari-jp/', import.meta.url)

/** Expected fields per capture. All other fields must be absent. */
const expectations: Record<string, Partial<Listing>> = {
  'item-active-m14283608971.html': {
    listing_id: 'm14283608971',
    url: 'https://www.mercari.com/us/item/m14283608971/',
    title: 'LEGO Ideas 21343 Viking Village - Brand New Sealed NIB',
    description: expect.stringMatching(/^Brand new, factory-sealed LEGO Ideas.*\n\n\nBox has some light/),
    price_minor: 15_900,
    currency: 'USD',
    state: 'available',
    images: [1, 2].map((n) => photo('m14283608971', n, 1_788_035_429)),
    format: 'fixed_price',
    brand: 'LEGO',
    condition: 'New',
    category: 'Toys & Collectibles > Building Toys > LEGO Toys',
    listed_at: new Date(1_788_035_148_000).toISOString(),
    quantity: 1,
    seller_url: 'https://www.mercari.com/u/900000010/',
  },
  'item-active-m74693959349.html': {
    listing_id: 'm74693959349',
    url: 'https://www.mercari.com/us/item/m74693959349/',
    title: 'Nike Red and Black Sneakers Size Kids 6',
    description: 'Nike Red and Black Sneakers Size Kids 6. Worn once.',
    price_minor: 1_710,
    currency: 'USD',
    state: 'available',
    images: [1, 2].map((n) => photo('m74693959349', n, 1_788_719_954)),
    format: 'fixed_price',
    brand: 'Nike',
    size: '6 (39)',
    condition: 'Like new',
    category: 'Men > Shoes > Athletic',
    listed_at: new Date(1_788_719_954_000).toISOString(),
    quantity: 1,
    seller_url: 'https://www.mercari.com/u/900000005/',
  },
  'item-api-active-m45718142917.json': {
    listing_id: 'm45718142917',
    url: 'https://www.mercari.com/us/item/m45718142917/',
    title: 'Nintendo switch v1 bundle',
    description: expect.stringMatching(/^This listing is for a Nintendo Switch V1/),
    price_minor: 15_000,
    currency: 'USD',
    state: 'available',
    images: Array.from({ length: 12 }, (_, n) => photo('m45718142917', n + 1, 1_790_465_672)),
    format: 'fixed_price',
    brand: 'Nintendo',
    condition: 'Good',
    category: 'Electronics > Video games & consoles > Consoles',
    listed_at: new Date(1_790_461_236_000).toISOString(),
    quantity: 1,
    seller_url: 'https://www.mercari.com/u/900000001/',
  },
  'item-api-sold-m87013616167.json': {
    listing_id: 'm87013616167',
    url: 'https://www.mercari.com/us/item/m87013616167/',
    title: 'PowerA Enhanced Wireless Controller with Lumectra for Nintendo Switch - Black',
    description: expect.stringMatching(/^Hello, up for sale I have PowerA/),
    price_minor: 3_200,
    currency: 'USD',
    state: 'sold',
    images: [1, 2, 3, 4].map((n) => photo('m87013616167', n, 1_790_491_149)),
    format: 'fixed_price',
    brand: 'Power A',
    condition: 'New',
    category: 'Electronics > Video games & consoles > Accessories',
    listed_at: new Date(1_764_450_562_000).toISOString(),
    quantity: 0,
    seller_url: 'https://www.mercari.com/u/900000002/',
  },
}

function sellerOf(expected: Partial<Listing>): string {
  return /\/u\/(\d+)\//.exec(expected.seller_url ?? '')![1]!
}

describe('real Mercari captures', () => {
  it.each(Object.keys(expectations))('%s: exactly the expected fields', (name) => {
    const expected = expectations[name]!
    const listing = readItem(read(name), expected.listing_id!, sellerOf(expected), expected.state)
    expect(JSON.parse(JSON.stringify(listing))).toEqual(expectations[name])
  })

  it.each(['item-active-m14283608971.html', 'item-active-m74693959349.html'])(
    '%s without its state: elements only',
    (name) => {
      const expected = expectations[name]!
      const shown = parseItemElements(read(name).replace('__NEXT_DATA__', 'gone'), expected.listing_id!)
      expect(shown).toMatchObject({
        title: expected.title,
        price: `$${(expected.price_minor! / 100).toFixed(2)}`,
        description: expected.description,
        condition: expected.condition,
        brand: expected.brand,
        images: expected.images,
        sold: false,
      })
    },
  )

  it.each([
    ['search-payload-clothing.json', ['on_sale', 'on_sale']],
    ['search-payload-with-sold.json', ['on_sale', 'on_sale', 'trading']],
  ])('%s: list entries', (name, statuses) => {
    const entries = searchEntries(read(name))
    expect(entries.map((entry) => entry.status)).toEqual(statuses)
    for (const entry of entries) {
      expect(() => readEntry(entry, false)).toThrow('page changed: description')
      expect(readEntry(entry, true)).toMatchObject({
        title: entry.name,
        price_minor: entry.price,
        state: entry.status === 'on_sale' ? 'available' : 'sold',
        images: [expect.stringContaining(`/photos/${entry.id}_1.jpg`)],
        condition: expect.any(String),
        category: expect.stringContaining(' > '),
      })
    }
  })

  it('search-rendered-cards.html: the linked items, in order', () => {
    expect(parseListLinks(read('search-rendered-cards.html'))).toEqual(['m71344610988', 'm44688360101'])
  })
})

describe('real captures of Mercari Japan', () => {
  it.each(['item_0.json', 'items_0.json', 'search_fetch_next_page_0.json'])('%s: ignores Mercari Japan', (name) => {
    const body = JSON.stringify(JSON.parse(readText(japan, name)).body)
    expect([parseItemAnswer(body), parseList(body)]).toEqual([null, null])
  })
})
