import { describe, expect, it } from 'vitest'
import { compareSales, findSale, type ToldSale } from './compare-sales.ts'

/** A row of a file: Vendoo tells no id of an order or a listing. */
const row: ToldSale = {
  platform: 'ebay',
  order_id: null,
  listing_id: null,
  sku: null,
  title: 'Green wool coat',
  price_minor: 8_500,
  currency: 'USD',
  sold_at: '2026-03-08T12:00:00Z',
}
const order: ToldSale = { ...row, order_id: '03-1', listing_id: '1100', sold_at: '2026-03-08T23:10:00Z' }
const long = 'Spring Street bootcut dress pants, black, minimalist workwear with a high waist and long legs'

describe('two reports of a sale', () => {
  it.each<[string, Partial<ToldSale>, Partial<ToldSale>, 'same' | 'unclear' | 'other']>([
    ['title, price and day', {}, {}, 'same'],
    ['a title in other letters and marks', { title: 'GREEN wool-coat!' }, {}, 'same'],
    ['a title that the marketplace has cut', { title: long }, { title: long.slice(0, 80) }, 'same'],
    ['the SKU, price and day', { sku: 'C-1', title: null }, { sku: 'c1' }, 'same'],
    ['a day before, in another zone', { sold_at: '2026-03-07T12:00:00Z' }, {}, 'same'],
    ['the same on another marketplace', {}, { platform: 'etsy' }, 'other'],
    ['another title, price and day alike', { title: 'Brown hat' }, {}, 'other'],
    ['another price', { price_minor: 8_000 }, {}, 'unclear'],
    ['another currency', { currency: 'EUR' }, {}, 'unclear'],
    ['a week apart', { sold_at: '2026-03-01T12:00:00Z' }, {}, 'unclear'],
    ['two months apart', { sold_at: '2026-01-08T12:00:00Z' }, {}, 'other'],
    ['the SKU and another title, as of a shelf', { sku: 'A3', title: 'Brown hat' }, { sku: 'A3' }, 'unclear'],
    ['a shelf, a title and a price', { sku: 'A3', title: 'Brown hat', price_minor: 900 }, { sku: 'A3' }, 'other'],
    ['the title and another SKU', { sku: 'C-1' }, { sku: 'C-2' }, 'unclear'],
    ['the title, another SKU and price', { sku: 'C-1', price_minor: 900 }, { sku: 'C-2' }, 'other'],
    ['neither SKU nor title', { title: null }, { sku: 'C-1', title: null }, 'other'],
    ['the id of the listing', { listing_id: '1100', title: 'Coat', price_minor: 1 }, {}, 'same'],
    ['the id of another listing', { listing_id: '1200' }, {}, 'other'],
    ['the id of the order', { order_id: '03-1', price_minor: 1 }, {}, 'same'],
    ['the id of the order, and another title', { order_id: '03-1', title: 'Brown hat' }, {}, 'unclear'],
    ['the id of another order', { order_id: '03-2' }, {}, 'other'],
  ])('that share %s', (_, ofRow, ofOrder, verdict) => {
    const [one, other] = [
      { ...row, ...ofRow },
      { ...order, ...ofOrder },
    ]
    expect([compareSales(one, other), compareSales(other, one)]).toEqual([verdict, verdict])
  })
})

describe('a sale among known ones', () => {
  it('is the nearest in time of several that are equal', () => {
    const known = ['01', '10', '07'].map((day) => ({ ...order, order_id: day, sold_at: `2026-03-${day}T09:00:00Z` }))
    expect(findSale(row, known)).toMatchObject({ is: 'same', sale: { order_id: '07' } })
  })

  it('may be each of those that fit by half', () => {
    const known = [
      { ...order, price_minor: 1 },
      { ...order, title: 'Brown hat' },
      { ...order, price_minor: 2 },
    ]
    expect(findSale(row, known)).toMatchObject({ is: 'unclear', sales: [{ price_minor: 1 }, { price_minor: 2 }] })
    expect(findSale(row, [known[1]!])).toEqual({ is: 'other' })
  })
})
