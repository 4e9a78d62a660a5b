import { describe, expect, it } from 'vitest'
import type { InventoryRow } from '#extension/storage/inventory-cache/row.ts'
import { planPrice, readPriceChange } from './plan-price.ts'

const read = (by: 'percent' | 'amount' | 'price', value: string, currency = 'USD') =>
  readPriceChange({ by, value, rounding: 'none' }, currency)

describe('the change that a seller types', () => {
  it.each([
    ['-20', -2_000],
    ['−20 %', -2_000],
    ['+5', 500],
    ['12.5', 1_250],
  ])('reads %s percent', (value, basis_points) => {
    expect(read('percent', value)).toEqual({ by: 'percent', basis_points, rounding: 'none' })
  })

  it.each([
    ['percent', '-99.5'],
    ['price', '−24'],
    ['price', '0'],
    ['amount', 'about 5'],
  ] as const)('takes no change by %s of %s', (by, value) => {
    expect(read(by, value)).toBe(null)
  })

  it('reads amounts and prices in the currency', () => {
    expect(read('amount', '-2.50')).toMatchObject({ amount_minor: -250, currency: 'USD' })
    expect(read('price', '24')).toEqual({ by: 'price', price_minor: 2_400, currency: 'USD' })
    expect(read('price', '1.234,50', 'EUR')).toMatchObject({ price_minor: 123_450 })
    expect(read('amount', '-2,5', 'EUR')).toMatchObject({ amount_minor: -250 })
    expect(read('price', '2400', 'JPY')).toMatchObject({ price_minor: 2_400 })
  })

  it.each([
    ['percent', ''],
    ['percent', 'much'],
    ['percent', '-100'],
    ['price', '0'],
    ['price', '-5'],
    // Fifteen hundred in one country, one and a half in another.
    ['price', '1.500'],
    ['price', '1,500'],
    ['percent', '1.200'],
  ] as const)('refuses %s %s', (by, value) => {
    expect(read(by, value)).toBeNull()
  })
})

const row = (uid: string, given: object): InventoryRow =>
  ({
    uid,
    state: 'available',
    price_minor: 1_000,
    currency: 'USD',
    listings: [],
    ...given,
  }) as unknown as InventoryRow
const listing = (platform: string, given: object = {}) => ({ platform, state: 'available', currency: 'USD', ...given })

it('leaves out items that get no price and says why', () => {
  const rows = [
    row('a', {}),
    row('b', { state: 'sold' }),
    row('c', { price_minor: 0 }),
    row('d', { currency: 'JPY' }),
    row('e', { listings: [listing('ebay', { auction: true }), listing('etsy', { state: 'removed' })] }),
  ]
  const plan = planPrice(rows, read('amount', '-2.50')!)
  expect(plan.changes.map(({ row, price_minor }) => [row.uid, price_minor])).toEqual([['a', 750]])
  expect(plan.leftOut.map(({ row, reason }) => [row.uid, reason])).toEqual([
    ['b', 'sold'],
    ['c', 'no_price'],
    ['d', 'other_currency'],
    ['e', 'auction'],
  ])
})

it('gives each live listing the price of its platform, or says why it keeps its own', () => {
  const rows = [
    row('a', {
      listings: [
        listing('ebay'),
        listing('etsy', { price_minor: 1_250 }),
        listing('poshmark'),
        listing('depop', { state: 'sold' }),
      ],
    }),
    row('b', { listings: [listing('ebay', { auction: true }), listing('etsy', { currency: 'EUR' })] }),
  ]
  const rules = { etsy: { basis_points: 1_000, rounding: 'none' as const } }
  expect(planPrice(rows, read('percent', '-20')!, rules).changes.map(({ listings }) => listings)).toEqual([
    [
      { platform: 'ebay', price_minor: 800, keeps: null },
      { platform: 'etsy', price_minor: 880, keeps: null, was: 1_250 },
      { platform: 'poshmark', price_minor: 800, keeps: 'by_hand' },
    ],
    [
      { platform: 'ebay', price_minor: 800, keeps: 'auction' },
      { platform: 'etsy', price_minor: 880, keeps: 'other_currency' },
    ],
  ])
})

it('says where a new price ends a sale event', () => {
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
  const sale = (ends_at?: string) => ({ sale: { price_minor: 700, currency: 'USD', ...(ends_at ? { ends_at } : {}) } })
  const rows = [
    row('a', { listings: [listing('ebay', sale(inHours(30))), listing('depop', sale())] }),
    row('b', { listings: [listing('ebay', sale(inHours(-1)))] }),
  ]
  const plan = planPrice(rows, read('percent', '-20')!)
  expect(plan.changes.map(({ listings }) => listings.map(({ endsSale }) => endsSale))).toEqual([
    [true, undefined],
    [undefined],
  ])
})
