import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Listing } from '#shared/listing.ts'
import { parseJsonLd } from '../json-ld.ts'
import { PageChanged } from '../port.ts'
import { type Known, normaliseProduct, titleOf } from './normalise.ts'
import { parseProductLinks, type RawProduct, rawProduct } from './parse.ts'

const raw = JSON.parse(readFileSync(new URL('./fixtures/product.json', import.meta.url), 'utf8'))
const product = (changes: object = {}): RawProduct => rawProduct({ ...raw, ...changes })!
const known = (changes: object = {}, more: Partial<Known> = {}): Known => ({
  id: String(raw.id),
  slug: raw.slug,
  username: 'sample_shop',
  product: product(changes),
  entry: null,
  page: () => null,
  gone: false,
  sold: false,
  ...more,
})
const listing = (changes: object) => normaliseProduct(known(changes)).listing
const pricing = (changes: object) => ({ pricing: { ...raw.pricing, ...changes } })

/** Returns the field for which a product is rejected, or null. */
function changedField(given: Known): string | null {
  try {
    normaliseProduct(given)
    return null
  } catch (error) {
    if (error instanceof PageChanged) return error.field
    throw error
  }
}

describe('normaliseProduct', () => {
  it('reads every field', () => {
    expect(normaliseProduct(known()).listing).toEqual({
      listing_id: '7654321004',
      url: 'https://www.depop.com/products/sample_shop-knitted-vest-5-a004/',
      title: 'Vintage knitted vest, no. 5',
      description: 'Vintage knitted vest, no. 5\n\nWorn twice, "like new" & <clean>.\n#vintage #vest',
      price_minor: 3600,
      currency: 'USD',
      state: 'available',
      images: [0, 1, 2].map((n) => expect.stringMatching(new RegExp(`/7654321004${n}_[0-9a-f]+/P0\\.jpg$`))),
      format: 'fixed_price',
      condition: 'used_fair',
      category: 'Womenswear > Outerwear',
      colors: ['navy', 'black'],
      size: 'M',
      quantity: 1,
      seller_url: 'https://www.depop.com/sample_shop/',
    })
  })

  it('reads the exact price without shipping', () => {
    const amount = (text: string) => ({ total_price: '99.99', price_breakdown: { price: { amount: text } } })
    const withShipping = { buyer_fee: false, shipping_price: true, tax: false }
    const price = (changes: object) => {
      const { terms, price_minor } = listing(
        pricing({ total_price_components: withShipping, is_reduced: true, ...changes }),
      )
      return terms?.sale?.price_minor ?? price_minor
    }
    expect(price({ final_price_key: 'current_price', current_price: amount('0.29') })).toBe(29)
    expect(price({ final_price_key: 'discounted_price', discounted_price: amount('7.5') })).toBe(750)
    expect(
      price({ final_price_key: 'original_price', original_price: { total_price: '12.00' }, is_reduced: false }),
    ).toBe(1200)
  })

  it('reads reduced and full prices in the seller’s own view', () => {
    const own = {
      original_price: { total_price: '100.00' },
      discounted_price: { total_price: '75.00' },
      final_price_key: undefined,
    }
    expect(listing(pricing({ ...own, is_reduced: false })).price_minor).toBe(10_000)
    const discounted = { price_minor: 10_000, terms: { sale: { price_minor: 7_500, currency: 'USD' } } }
    expect(listing(pricing({ ...own, is_reduced: true }))).toMatchObject(discounted)
  })

  // As public reports of 2026 have it, with made-up values; the others from public readers of the site.
  it('reads the price that the site displays', () => {
    const shown = JSON.parse(readFileSync(new URL('./fixtures/display-price.json', import.meta.url), 'utf8'))
    const given = known({}, { product: rawProduct(shown)! })
    const { listing: read } = normaliseProduct(given)
    expect(read).toMatchObject({ price_minor: 3_000, currency: 'USD', terms: { sale: { price_minor: 2_100 } } })
  })

  const amount = (text: string) => ({ price_breakdown: { price: { amount: text } } })
  it.each([
    [
      'by the name of its currency',
      { currency_name: 'USD', final_price_key: 'original_price', original_price: amount('9.50') },
      950,
    ],
    [
      'without a key, reduced',
      { currency_name: 'USD', original_price: amount('20.00'), discounted_price: amount('15.00') },
      2_000,
    ],
    ['without a key', { currency_name: 'USD', original_price: amount('20.00') }, 2_000],
    ['in the currency of the display', { display_price: { headline_price: { amount: '8.00', currency: 'USD' } } }, 800],
    [
      'as what is struck through',
      {
        currency: 'USD',
        display_price: { headline_price: { amount: '8.00' }, strikethrough_price: { amount: '10.00' } },
      },
      1_000,
    ],
    [
      'as plain texts',
      { currency: 'USD', original_price: '130.00', discounted_price: '97.50', is_reduced: true },
      13_000,
    ],
    [
      'by its key where the display has fees',
      {
        currency: 'USD',
        final_price_key: 'original_price',
        original_price: amount('9.50'),
        display_price: { headline_price: { amount: '10.92', currency: 'USD' } },
      },
      950,
    ],
  ])('reads a price %s', (_, pricing, price_minor) => {
    expect(listing({ pricing })).toMatchObject({ price_minor, currency: 'USD' })
  })

  it.each([
    [
      'in another currency',
      { currency: 'GBP', display_price: { headline_price: { amount: '8.00', currency: 'USD' } } },
    ],
    [
      'with fees in it',
      {
        currency: 'USD',
        total_price_components: { buyer_fee: true },
        display_price: { headline_price: { amount: '8.00' } },
      },
    ],
    ['as a sentence', { currency: 'USD', display_price: { headline_price: { amount: 'from 8.00' } } }],
  ])('does not take a displayed price %s', (_, pricing) => {
    expect(changedField(known({ pricing }))).toBe('price')
  })

  it('converts each currency by its own minor unit', () => {
    expect(listing(pricing({ currency: 'GBP' }))).toMatchObject({ currency: 'GBP', price_minor: 3600 })
  })

  it.each([
    ['First line\nsecond', 'First line'],
    ['\n  \n  Padded  \nx', 'Padded'],
    ['#only #tags\nThen words #tag', 'Then words #tag'],
    ['', 'Knitted vest 5'],
    ['#only #tags', 'Knitted vest 5'],
    ['★★★★★\nWool coat', 'Wool coat'],
    ['* * * * *\n----\n⭐️ 100% ⭐️\nSilk scarf, 90 cm\n****', 'Silk scarf, 90 cm'],
    ['✨ Y2K mesh top ✨\n★★★', '✨ Y2K mesh top ✨'],
    ['★★★★\n#vintage', 'Knitted vest 5'],
    ['☆☆☆\n古着 Tシャツ', '古着 Tシャツ'],
  ])('makes the description %j the title %j', (description, title) => {
    expect(titleOf(description, 'sample_shop-knitted-vest-5-a004', 'sample_shop')).toBe(title)
  })

  it.each(['*** *** ***', '————', '1998', '🧥🧥', '#vintage'])('takes no title from the line %s', (line) => {
    expect(titleOf(`${line}\nRed coat`, 'sample_shop-coat-a004', 'sample_shop')).toBe('Red coat')
  })

  it('removes the shop’s name from a slug in both spellings', () => {
    expect(titleOf('', 'my-shop-red-coat-0f3a', 'My_Shop')).toBe('Red coat')
    expect(titleOf('', 'red-coat-0f3a', 'my_shop')).toBe('Red coat')
  })

  it.each([
    ['STATUS_ONSALE', 'available', 1],
    ['STATUS_PURCHASED', 'sold', 0],
    ['STATUS_DRAFT', 'removed', 0],
    ['STATUS_PAUSED', 'removed', 0],
  ])('reads the state %s as %s with %i on offer', (status, state, quantity) => {
    expect(listing({ status })).toMatchObject({ state, quantity })
  })

  it.each(['inactive', 'paused', 'draft', 'hidden'])(
    'does not offer a product for sale that is %s',
    (active_status) => {
      expect(listing({ active_status }).state).toBe('removed')
      expect(listing({ active_status, status: 'STATUS_PURCHASED' }).state).toBe('sold')
    },
  )

  it('adds up the units of all sizes', () => {
    const variants_all = [
      { variant: 'S', quantity: 1 },
      { variant: 'M', quantity: 2 },
    ]
    expect(listing({ variants_all })).toMatchObject({ quantity: 3, size: 'S, M' })
    const sold = { variant: 'S', quantity: 1, status: 'STATUS_PURCHASED' }
    expect(listing({ variants_all: [sold, { variant: 'M', quantity: 1, status: 'STATUS_ONSALE' }] })).toMatchObject({
      quantity: 1,
      size: 'M',
    })
    expect(listing({ variants_all: undefined, sizes: undefined, variants: { '3': 1, '4': 1 } })).toMatchObject({
      quantity: 2,
    })
    expect(listing({ variants_all: [], sizes: [], listed_quantity: 5 })).toMatchObject({ quantity: 5 })
  })

  it.each([
    [
      'the one that is left',
      [
        { variant: 'S', quantity: 0 },
        { variant: 'M', quantity: 1 },
      ],
      'M',
    ],
    [
      'those that are left',
      [
        { variant: 'S', quantity: 1 },
        { variant: 'M', quantity: 0 },
        { variant: 'L', quantity: 2 },
      ],
      'S, L',
    ],
    ['that of a sold product', [{ variant: 'M', quantity: 0 }], 'M'],
    ['those without a count', [{ variant: 'S' }, { variant: 'M', quantity: 0 }], 'S'],
    ['plain words', ['S', 'M'], 'S, M'],
  ])('shows as size %s', (_, sizes, size) => {
    expect(listing({ variants_all: undefined, sizes }).size).toBe(size)
  })

  it('leaves out the brand "Other" and empty fields', () => {
    expect(listing({ brand_name: 'Other', attributes: {} }).brand).toBeUndefined()
    expect(listing({ brand_name: 'Nike', attributes: { brand: 'unbranded' } }).brand).toBeUndefined()
    expect(listing({ brand_name: 'Nike', attributes: { brand: 'nike' } }).brand).toBe('Nike')
    const { colors, condition, sku } = listing({ attributes: { colour: [] }, sku: '' })
    expect({ colors, condition, sku }).toEqual({})
    expect(listing({ sku: 'A-1' }).sku).toBe('A-1')
  })

  it('removes U+0000 and lone surrogates', () => {
    expect(listing({ description: 'a\u0000b\ud800c' })).toMatchObject({ title: 'ab\ufffdc', description: 'ab\ufffdc' })
  })

  it('reads JSON-LD with numbers and lists', () => {
    const page = (about: object) =>
      parseJsonLd(`<script type="application/ld+json">${JSON.stringify({ '@graph': [about] })}</script>`)
    expect(
      page({
        '@type': 'Product',
        description: 'A',
        image: { url: 'https://pictures.test/1' },
        offers: [{ price: 12.5, priceCurrency: 'USD', availability: 'http://schema.org/InStock' }],
      }),
    ).toEqual({ description: 'A', price: '12.5', currency: 'USD', sold: false, images: ['https://pictures.test/1'] })
    expect(page({ '@type': 'Organization' })).toBeNull()
    expect(parseJsonLd('<script type="application/ld+json">{</script>')).toBeNull()
  })

  it('collects links to products only', () => {
    const html = [
      '/products/create/',
      '/products/a-b-0f3a/',
      'https://www.depop.com/fr/products/a-b-0f3a/manage/',
      '/products/x/',
    ]
      .map((href) => `<a href="${href}">x</a>`)
      .join('')
    expect(parseProductLinks(html)).toEqual(['a-b-0f3a'])
  })

  it.each([
    ['description', known({ description: undefined })],
    ['price', known({ pricing: undefined }, { product: product({ pricing: { currency: 'USD' } }) })],
    ['price', known(pricing({ final_price_key: 'toString' }))],
    ['price', known(pricing({ final_price_key: 'vip_price' }))],
    ['price', known(pricing({ original_price: null, is_reduced: true, final_price_key: 'current_price' }))],
    ['price', known(pricing({ original_price: { total_price: '9.00', price_breakdown: {} } }))],
    ['price', known(pricing({ original_price: { total_price: 9 } }))],
    ['price', known(pricing({ original_price: { total_price: 'free' } }))],
    ['currency', known({ pricing: undefined })],
    ['currency', known(pricing({ currency: '$' }))],
    ['state', known({ status: undefined })],
    ['state', known({ status: 'STATUS_RESERVED' })],
    ['state', known({ status: 'toString' })],
    ['state', known({ active_status: 'marked_as_sold' })],
    ['images', known({ pictures: undefined })],
    ['images', known({ pictures: [] })],
    ['images', known({ pictures: [{ url: 'https://pictures.test/1' }, { src: 'x' }] })],
    ['images', known({ pictures: [{ url: 'javascript:alert(1)' }] })],
    ['title', known({ description: '' }, { slug: '-a004' })],
  ] as [string, Known][])('names %s if it is missing or malformed', (field, given) => {
    expect(changedField(given)).toBe(field)
  })

  it('reads the state from the page only if the list agrees', () => {
    const page = { price: '36.00', currency: 'USD', sold: true, images: ['https://pictures.test/1'] }
    expect(changedField(known({ status: undefined }, { page: () => page }))).toBe('state')
    expect(changedField(known({ status: undefined }, { page: () => page, sold: true }))).toBeNull()
  })

  it('never returns a listing that the schema rejects', () => {
    expect(changedField(known({ description: 'x'.repeat(10_001) }))).toBe('title')
    expect(Listing.safeParse(normaliseProduct(known()).listing).success).toBe(true)
  })
})
