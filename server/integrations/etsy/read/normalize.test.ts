import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '#e2e/harness/campaigns/any-character.ts'
import { escapeHtml } from '#server/sandbox/etsy/responses.ts'
import { decimalFromMinor } from '#shared/money.ts'
import { unescapeHtml } from '../text.ts'
import { normalizeListing } from './normalize.ts'

const fixture = () => JSON.parse(readFileSync(new URL('../fixtures/listing.json', import.meta.url), 'utf8'))
const read = (changes: object = {}, context = {}) => normalizeListing({ ...fixture(), ...changes }, context)
const product = (sku: string, quantity: number, amount: number, rest: object = {}, offering: object = {}) => ({
  sku,
  offerings: [{ quantity, price: { amount, divisor: 100, currency_code: 'USD' }, ...offering }],
  property_values: [],
  ...rest,
})
const property = (property_id: number, property_name: string, ...values: string[]) => ({
  property_id,
  property_name,
  values,
})

describe('an Etsy listing', () => {
  it('is read with every field', () => {
    const categories = new Map([[77, 'Art & Collectibles > Collectibles']])
    expect(read({}, { sellerUrl: 'https://www.etsy.com/shop/Vera', categories, shopId: '31000001' })).toEqual({
      listing_id: '1234567890',
      url: 'https://www.etsy.com/listing/1234567890/grandmas-blue-teapot',
      title: `Grandma's "Blue" Teapot & Lid`,
      description: 'Height 11".\n\nTyped as seen: &lt; stays.',
      price_minor: 4250,
      currency: 'USD',
      state: 'available',
      images: [1, 2, 3].map((rank) => `https://i.etsystatic.com/1/il_fullxfull.${rank}.jpg`),
      sku: 'TEA-1',
      brand: 'Spode',
      size: undefined,
      condition: 'Vintage (1950s)',
      category: 'Art & Collectibles > Collectibles',
      colors: ['Blue'],
      listed_at: '2025-01-01T00:00:00.000Z',
      quantity: 1,
      format: 'fixed_price',
      seller_url: 'https://www.etsy.com/shop/Vera',
    })
  })

  it('has its text unescaped exactly once', () => {
    expect(read({ title: '&amp;amp; &lt;b&gt; &#x1F338; &apos;' })).toMatchObject({ title: "&amp; <b> 🌸 '" })
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        expect(unescapeHtml(escapeHtml(text))).toBe(text.replaceAll('\u0000', ''))
      }),
    )
  })

  it('contains nothing that PostgreSQL cannot store', () => {
    expect(read({ title: 'a\u0000b&#0;c\ud800d&#xD800;e' })).toMatchObject({ title: 'ab\uFFFDc\uFFFDd\uFFFDe' })
  })

  it.each([
    [{ amount: 48, divisor: 1, currency_code: 'USD' }, 4800],
    [{ amount: 18500, divisor: 1000, currency_code: 'USD' }, 1850],
    [{ amount: 3200, divisor: 1, currency_code: 'JPY' }, 3200],
    [{ amount: 320000, divisor: 100, currency_code: 'JPY' }, 3200],
    [{ amount: 0, divisor: 100, currency_code: 'EUR' }, 0],
    [{ amount: 900719925474099, divisor: 100, currency_code: 'USD' }, 900719925474099],
  ])('costs %o exactly %i minor units', (price, price_minor) => {
    expect(read({ price, inventory: null })).toMatchObject({ price_minor, currency: price.currency_code })
  })

  it('costs amount divided by divisor', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000 }), fc.constantFrom(1, 10, 100, 1000), (amount, divisor) => {
        const result = read({ price: { amount, divisor, currency_code: 'USD' }, inventory: null })
        if ('error_code' in result) expect((amount * 100) % divisor).not.toBe(0)
        else expect(Number(decimalFromMinor(result.price_minor, 'USD'))).toBeCloseTo(amount / divisor, 9)
      }),
    )
  })

  it.each([
    { amount: 12345, divisor: 1000, currency_code: 'USD' },
    { amount: 150, divisor: 100, currency_code: 'JPY' },
    { amount: 100, divisor: 0, currency_code: 'USD' },
    { amount: -100, divisor: 100, currency_code: 'USD' },
  ])('fails as invalid_price for %o', (price) => {
    expect(read({ price, inventory: null })).toMatchObject({ error_code: 'invalid_price', listing_id: '1234567890' })
  })

  it.each([
    ['active', 1, 'available', 1],
    ['active', 0, 'sold', 0],
    ['sold_out', 0, 'sold', 0],
    ['inactive', 1, 'removed', 0],
    ['draft', 1, 'removed', 0],
    ['expired', 1, 'removed', 0],
    ['edit', 1, 'removed', 0],
    ['removed', 1, 'removed', 0],
    ['unavailable', 1, 'removed', 0],
  ])('in state %s with %i left is %s with %i units', (state, left, ours, quantity) => {
    const result = read({ state, quantity: left, inventory: null })
    expect(result).toMatchObject({ state: ours, quantity })
  })

  it.each([
    ['inactive', 'removed'],
    ['draft', 'removed'],
    ['expired', 'removed'],
    ['sold_out', 'sold'],
  ])('needs no quantity in state %s', (state, ours) => {
    expect(read({ state, quantity: undefined, inventory: null })).toMatchObject({ state: ours, quantity: 0 })
  })

  it.each([
    ['state', { state: 'vacation' }],
    ['images', { images: null }],
    ['images', { images: undefined }],
    ['images.0.url_fullxfull', { images: [{ rank: 1 }] }],
    ['price', { price: undefined }],
    ['price.divisor', { price: { amount: 1, currency_code: 'USD' } }],
    ['title', { title: null }],
    ['quantity', { quantity: undefined, inventory: null }],
  ])('fails with %s if it is missing or malformed', (field, changes) => {
    expect(read(changes)).toMatchObject({ error_code: 'page_changed', listing_id: '1234567890', field })
  })

  it('fails under the requested id if it has none', () => {
    expect(normalizeListing('<html>', { listingId: '77' })).toMatchObject({
      listing_id: '77',
      error_code: 'page_changed',
    })
  })

  it('fails if it belongs to another shop', () => {
    expect(read({}, { shopId: '2' })).toMatchObject({ error_code: 'fetch_failed', field: 'shop_id' })
  })

  it('may have no pictures', () => {
    expect(read({ images: [] })).toMatchObject({ images: [] })
  })

  it.each([
    ['1950s', 'someone_else', 'Vintage (1950s)'],
    ['before_2007', 'someone_else', 'Vintage (before 2007)'],
    ['before_1700', 'i_did', 'Vintage (before 1700)'],
    ['2000_2006', 'someone_else', 'Vintage (2000-2006)'],
    ['2010_2019', 'someone_else', undefined],
    ['2020_2026', 'i_did', 'Handmade'],
    ['made_to_order', 'collective', 'Made to order'],
    [null, null, undefined],
  ])('made %s by %s has the condition "%s"', (when_made, who_made, condition) => {
    const result = read({ when_made, who_made })
    expect('condition' in result ? result.condition : 'failed').toBe(condition)
  })

  it('keeps a malformed URL and fills in a missing one', () => {
    expect(read({ url: 'nonsense' })).toMatchObject({ url: 'nonsense' })
    expect(read({ url: null })).toMatchObject({ url: 'https://www.etsy.com/listing/1234567890' })
  })
})

describe('the products of a listing', () => {
  const size = (value: string) => ({ property_values: [property(100, 'Size', value)] })

  it('are added up', () => {
    const products = [product('A', 2, 900), product('B', 1, 800)]
    expect(read({ quantity: undefined, inventory: { products }, skus: ['A', 'B'] })).toMatchObject({ quantity: 3 })
    const result = read({ quantity: 3, inventory: { products }, skus: ['A', 'B'] })
    expect(result).toMatchObject({ quantity: 3, price_minor: 4250 })
    expect('sku' in result && result.sku).toBeFalsy()
  })

  it('provide SKU, price and size of the last unit', () => {
    const products = [product('S', 0, 900, size('S')), product('L', 1, 950, size('L'))]
    expect(read({ inventory: { products }, skus: ['S', 'L'] })).toMatchObject({
      sku: 'L',
      price_minor: 950,
      size: 'L',
      quantity: 1,
    })
  })

  it('provide them while they alone are left', () => {
    const products = [product('S', 0, 900, size('S')), product('L', 3, 950, size('L'))]
    const expected = { sku: 'L', price_minor: 950, size: 'L', quantity: 3 }
    expect(read({ quantity: 3, inventory: { products }, skus: ['S', 'L'] })).toMatchObject(expected)
  })

  it('provide no colors that are sold', () => {
    const of = (color: string) => ({ property_values: [property(200, 'Primary color', color)] })
    const products = [
      product('A', 0, 900, of('Red')),
      product('B', 1, 900, of('Blue')),
      product('C', 1, 900, of('Tan')),
    ]
    expect(read({ quantity: 2, inventory: { products }, skus: [] })).toMatchObject({ colors: ['Blue', 'Tan'] })
  })

  it('do not count if disabled or deleted', () => {
    const products = [
      product('RED', 1, 700),
      product('BLUE', 4, 600, {}, { is_enabled: false }),
      product('OLD', 9, 500, { is_deleted: true }),
    ]
    expect(read({ quantity: undefined, inventory: { products } })).toMatchObject({ quantity: 1, sku: 'RED' })
  })

  it('provide colors under Etsy’s and the seller’s names', () => {
    const values = [
      property(513, 'Comfort Colors® Colors', 'Moss'),
      property(52047899002, 'Couleur secondaire', 'Gr&uuml;n', 'Red &amp; White'),
    ]
    const products = [product('A', 1, 900, { property_values: values })]
    expect(read({ inventory: { products } })).toMatchObject({ colors: ['Moss', 'Gr&uuml;n', 'Red & White'] })
  })

  it('are optional', () => {
    expect(read({ inventory: null })).toMatchObject({ sku: 'TEA-1', quantity: 1 })
    const result = read({ inventory: null, skus: ['', ' '] })
    expect('sku' in result && result.sku).toBeFalsy()
  })
})
