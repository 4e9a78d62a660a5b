import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Listing } from '#shared/listing.ts'
import { PageChanged } from '../port.ts'
import { type Known, normaliseItem } from './normalise.ts'
import { parseItemElements, parseItemState, type RawItem } from './parse.ts'

const html = readFileSync(new URL('./fixtures/item.html', import.meta.url), 'utf8')
const id = 'm00171000037'
const state = (changes: object = {}): RawItem => ({ ...parseItemState(html, id)!, ...changes })
const known = (changes: Partial<Known> = {}): Known => ({
  id,
  seller: '910000017',
  listed: 'available',
  state: state(),
  summary: null,
  elements: () => null,
  shownPrice: null,
  gone: false,
  ...changes,
})
const listing = (changes: object) => normaliseItem(known({ state: state(changes) })).listing

/** Returns the field for which an item is rejected, or null. */
function changedField(given: Known): string | null {
  try {
    normaliseItem(given)
    return null
  } catch (error) {
    if (error instanceof PageChanged) return error.field
    throw error
  }
}

describe('normaliseItem', () => {
  it('reads every field', () => {
    expect(normaliseItem(known()).listing).toEqual({
      listing_id: id,
      url: `https://www.mercari.com/us/item/${id}/`,
      title: 'Handheld console, no. 2',
      description: 'Handheld console from a smoke-free home.\n\nNumber 2: "barely used" & <clean>.',
      price_minor: 2032,
      currency: 'USD',
      state: 'available',
      images: [1, 2].map((n) => `https://u-mercari-images.mercdn.net/photos/${id}_${n}.jpg?1780003600`),
      format: 'fixed_price',
      brand: 'Marlowe',
      condition: 'Like new',
      category: 'Men > Shoes > Athletic',
      listed_at: '2026-05-28T21:26:40.000Z',
      quantity: 1,
      seller_url: 'https://www.mercari.com/u/910000017/',
    })
  })

  it('reads the price, not the original price or buyer’s total', () => {
    expect(listing({ price: 1710, originalPrice: 2000, priceSummary: { totalPrice: 2597 } }).price_minor).toBe(1710)
    expect(listing({ price: 0 }).price_minor).toBe(0)
    // Public readers of the site's search take its prices as texts.
    expect(listing({ price: '1710' }).price_minor).toBe(1710)
  })

  it.each([
    ['on_sale', 'available', 1],
    ['trading', 'sold', 0],
    ['sold_out', 'sold', 0],
    ['inactive', 'removed', 0],
    ['paused', 'removed', 0],
    ['draft', 'removed', 0],
  ])('reads the state %s as %s with %i on offer', (status, word, quantity) => {
    expect(listing({ status })).toMatchObject({ state: word, quantity })
  })

  it('leaves out the brand {id: 0, name: null} and empty fields', () => {
    const { brand, size, colors, sku } = listing({ brand: { id: 0, name: null }, itemSize: null, color: null })
    expect({ brand, size, colors, sku }).toEqual({})
    for (const none of [null, { id: 0, name: 'No brand / Not sure' }])
      expect(listing({ brand: none }).brand).toBeUndefined()
  })

  it('names a condition by its id when the name is missing', () => {
    expect([1, 2, 3, 4, 5].map((n) => listing({ itemCondition: { id: n } }).condition)).toEqual([
      'New',
      'Like new',
      'Good',
      'Fair',
      'Poor',
    ])
  })

  it('reads the last category alone when the others are missing', () => {
    expect(listing({ itemCategoryHierarchy: undefined }).category).toBe('Athletic')
    expect(listing({ itemCategoryHierarchy: [{ id: 1 }], itemCategory: null }).category).toBe('Athletic Shoes for Men')
  })

  it('removes U+0000 and lone surrogates', () => {
    expect(listing({ name: 'a\u0000b\ud800c', description: 'x\u0000' })).toMatchObject({
      title: 'ab\ufffdc',
      description: 'x',
    })
  })

  it('finds moved state by the item’s id', () => {
    const moved = html.replace('"serverState"', '"apolloState"').replace('"ItemDetail:', '"ItemFull:')
    expect(parseItemState(moved, id)).toMatchObject({ id, name: 'Handheld console, no. 2', brand: { name: 'Marlowe' } })
    const older = `<script id="__NEXT_DATA__" type="application/json">${JSON.stringify({
      props: { pageProps: { item: { id, name: 'Old page', price: 100 } } },
    })}</script>`
    expect(parseItemState(older, id)).toMatchObject({ name: 'Old page' })
  })

  it('ignores the state of another item and a stub', () => {
    expect(parseItemState(html, 'm1')).toBeNull()
    expect(parseItemState('<script id="__NEXT_DATA__">{"props":{"pageProps":{}}}</script>', id)).toBeNull()
  })

  it('resolves an entry that refers to itself', () => {
    const cache = { [`ItemDetail:${id}`]: { id, brand: { __ref: `ItemDetail:${id}` } } }
    const page = `<script id="__NEXT_DATA__">${JSON.stringify({ props: { pageProps: { serverState: cache } } })}</script>`
    expect(parseItemState(page, id)).toMatchObject({ id })
  })

  it('reads unique elements independently of class names', () => {
    const renamed = html.replace(/class="[^"]*"/g, 'class="zz"')
    expect(parseItemElements(renamed, id)).toMatchObject({
      title: 'Handheld console, no. 2',
      price: '$20.32',
      condition: 'Like new',
      brand: 'Marlowe',
      sold: false,
    })
    expect(
      parseItemElements('<p data-testid="ItemPrice">$1</p><p data-testid="ItemPrice">$2</p>', id).price,
    ).toBeUndefined()
  })

  it.each([
    ['title', known({ state: state({ name: undefined }) })],
    ['title', known({ state: state({ name: ' ' }) })],
    ['description', known({ state: state({ description: null }) })],
    ['price', known({ state: state({ price: undefined }) })],
    ['price', known({ state: state({ price: 20.32 }) })],
    ['price', known({ state: state({ price: '$20.32' }) })],
    ['price', known({ state: state({ price: -1 }) })],
    ['price', known({ state: state({ price: 20 }), summary: state({ price: 2000 }) })],
    ['price', known({ shownPrice: 203_200 })],
    ['state', known({ state: state({ status: undefined }) })],
    ['state', known({ state: state({ status: 'vacation' }) })],
    ['state', known({ state: state({ status: 'toString' }) })],
    ['images', known({ state: state({ photos: [] }) })],
    ['images', known({ state: state({ photos: [{ imageUrl: 'https://pictures.test/1' }, { src: 'x' }] }) })],
    ['images', known({ state: state({ photos: [{ imageUrl: 'javascript:alert(1)' }] }) })],
  ] as [string, Known][])('names %s if it is missing or malformed', (field, given) => {
    expect(changedField(given)).toBe(field)
  })

  it('never returns a listing that the schema rejects', () => {
    expect(changedField(known({ state: state({ name: 'x'.repeat(10_001) }) }))).toBe('title')
    expect(Listing.safeParse(normaliseItem(known()).listing).success).toBe(true)
  })
})
