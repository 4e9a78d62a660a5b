import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { normalisePost } from '#extension/testing/captured.ts'
import { Listing } from '#shared/listing.ts'
import { PageChanged } from '../port.ts'
import { type RawPost, rawPost } from './parse.ts'

const fixture = new URL('./fixtures/post.json', import.meta.url)
const raw = () => JSON.parse(readFileSync(fixture, 'utf8')).data
const post = (changes: object = {}): RawPost => rawPost({ ...raw(), ...changes })!
const without = (...names: string[]) => post(Object.fromEntries(names.map((name) => [name, undefined])))

/** Returns the field for which a post is rejected, or null. */
function changedField(given: RawPost): string | null {
  try {
    normalisePost(given)
    return null
  } catch (error) {
    if (error instanceof PageChanged) return error.field
    throw error
  }
}

describe('normalisePost', () => {
  it('reads every field', () => {
    expect(normalisePost(post())).toEqual({
      listing_id: post().id,
      url: `https://poshmark.com/listing/Cream-leather-boots-no-4-${post().id}`,
      title: 'Cream leather boots, no. 4',
      description: 'A leather boots in cream.\nKept folded, smoke-free home. Number 4.',
      price_minor: 3300,
      currency: 'USD',
      state: 'available',
      images: [0, 1, 2, 3].map((n) => expect.stringMatching(new RegExp(`/l_[0-9a-f]+100${n}\\.jpg$`))),
      format: 'fixed_price',
      sku: 'SKU-4',
      brand: 'Fennick',
      size: 'One Size',
      condition: 'nwt',
      category: 'Women > Jackets & Coats > Vests',
      colors: ['Cream'],
      listed_at: '2026-01-01T03:00:00-07:00',
      quantity: 1,
      seller_url: 'https://poshmark.com/closet/samplecloset',
    })
  })

  it('reads the exact price, not the original price', () => {
    const price = (val: unknown) =>
      normalisePost(post({ price_amount: { val, currency_code: 'USD' }, price: Number(val) })).price_minor
    expect(price('16.0')).toBe(1600)
    expect(price('0.29')).toBe(29)
    expect(price('1234.50')).toBe(123450)
    expect(price(85)).toBe(8500)
  })

  it('puts the cover first and removes repeated pictures', () => {
    const pictures = [{ url_large: 'https://pictures.test/2' }, { url_large: 'https://pictures.test/cover' }]
    const { images } = normalisePost(post({ cover_shot: { url_large: 'https://pictures.test/cover' }, pictures }))
    expect(images).toEqual(['https://pictures.test/cover', 'https://pictures.test/2'])
  })

  it('falls back to the middle size without a large picture', () => {
    expect(normalisePost(post({ cover_shot: { url: 'https://pictures.test/m' }, pictures: [] })).images).toEqual([
      'https://pictures.test/m',
    ])
  })

  it.each([
    ['available', 'available'],
    ['reserved', 'reserved'],
    ['sold_out', 'sold'],
    ['not_for_sale', 'removed'],
    ['coming_soon', 'removed'],
  ])('reads the state %s as %s', (status, state) => {
    expect(normalisePost(post({ inventory: { status } })).state).toBe(state)
  })

  it.each([
    ['draft', { status: 'draft' }],
    ['post that is not published yet', { status: 'pending' }],
    ['paused post', { active_item: false }],
    ['paused and reserved post', { active_item: false, inventory: { status: 'reserved' } }],
  ])('does not offer a %s for sale', (_name, given) => {
    expect(normalisePost(post(given)).state).toBe('removed')
  })

  it('keeps the sale of a paused post', () => {
    expect(normalisePost(post({ active_item: false, inventory: { status: 'sold_out' } })).state).toBe('sold')
  })

  it('adds up the units of all sizes', () => {
    const size_quantities = [{ quantity_available: 1 }, { quantity_available: 3 }]
    expect(normalisePost(post({ inventory: { status: 'available', size_quantities } })).quantity).toBe(4)
  })

  // A post with several sizes has the first one as its own, sold or not. The shape is that of real posts.
  const sizes = (...given: [string, number, number][]) => {
    const size_quantities = given.map(([id, quantity_available, quantity_sold]) => ({
      ...{ size_id: id, quantity_available, quantity_reserved: 0, quantity_sold },
      size_obj: { id, display: id === 'OS' ? 'One Size' : id },
    }))
    const [[size]] = given as [[string, number, number]]
    const inventory = { status: 'available', multi_item: true, size_quantities }
    return post({ size, size_obj: { id: size, display: size }, inventory })
  }
  it.each([
    ['the one that is left', sizes(['S', 0, 1], ['M', 1, 0]), 'M', 1],
    ['those that are left', sizes(['6', 0, 1], ['7', 1, 0], ['8', 2, 0]), '7, 8', 3],
    ['the words of the site', sizes(['S', 0, 2], ['OS', 1, 0]), 'One Size', 1],
    ['its own where none is left', sizes(['S', 0, 1], ['M', 0, 1]), 'S', 0],
  ])('shows as size %s', (_, given, size, quantity) => {
    expect(normalisePost(given)).toMatchObject({ size, quantity })
  })

  it('leaves out empty fields', () => {
    const listing = normalisePost(post({ brand: '', condition: null, colors: [], size: '', size_obj: null }))
    const { brand, condition, colors, size } = listing
    expect({ brand, condition, colors, size }).toEqual({})
  })

  it('keeps an emoji title and builds the URL from the id alone', () => {
    const listing = normalisePost(post({ title: '🧥' }))
    expect(listing).toMatchObject({ title: '🧥', url: `https://poshmark.com/listing/${post().id}` })
  })

  it('removes U+0000 and lone surrogates', () => {
    const listing = normalisePost(post({ title: 'a\u0000b\ud800c', brand: 'x\u0000' }))
    expect([listing.title, listing.brand]).toEqual(['ab\ufffdc', 'x'])
  })

  it.each([
    ['title', without('title')],
    ['description', without('description')],
    ['price', without('price_amount')],
    ['price', post({ price_amount: { val: 'on request', currency_code: 'USD' } })],
    ['price', post({ price_amount: { val: '-3', currency_code: 'USD' } })],
    ['currency', post({ price_amount: { val: '3', currency_code: '$' } })],
    ['state', without('inventory')],
    ['state', post({ inventory: { status: 'vacation_hold' } })],
    ['state', post({ inventory: { status: 'toString' } })],
    ['state', post({ status: 'sold_elsewhere' })],
    ['images', without('cover_shot')],
    ['images', without('pictures')],
    ['images', post({ pictures: [{ src: 'https://pictures.test/1' }] })],
  ])('names %s if it is missing or malformed', (field, given) => {
    expect(changedField(given)).toBe(field)
  })

  it('never returns a listing that the schema rejects', () => {
    expect(changedField(post({ title: 'x'.repeat(10_001) }))).toBe('title')
    expect(Listing.safeParse(normalisePost(post())).success).toBe(true)
  })
})
