import { describe, expect, it } from 'vitest'
import { findUnclearAmounts, numberStyleOf, withPlainAmounts } from './amounts.ts'

it.each([
  ['25.00', '25.00', undefined],
  ['$1,234.50', '1234.50', undefined],
  ['1.234,50 €', '1234.50', 'EUR'],
  ['1.234,50\u00a0€', '1234.50', 'EUR'],
  ['1\u202f234,5', '1234.5', undefined],
  ['1 234.50', '1234.50', undefined],
  ['€ 12,00', '12.00', 'EUR'],
  ['£9.99', '9.99', 'GBP'],
  ['£12.5', '12.5', 'GBP'],
  ['US$1,250', '1250', 'USD'],
  ['C$ 5', '5', 'CAD'],
  ['R$ 45,00', '45.00', 'BRL'],
  ['12.00 EUR', '12.00', 'EUR'],
  ['EUR 45,00', '45.00', 'EUR'],
  ['45,00 Euro', '45.00', 'EUR'],
  ['45,-', '45', undefined],
  ['45,-- €', '45', 'EUR'],
  ['CHF 45.–', '45', 'CHF'],
  ['Fr. 45.50', '45.50', 'CHF'],
  ['kr 100', '100', undefined],
  ['$.99', '0.99', undefined],
  [',50 €', '0.50', 'EUR'],
  ["1'234.50", '1234.50', undefined],
  ['1’234,50', '1234.50', undefined],
  ['1.234.567', '1234567', undefined],
  ['1,234', '1234', undefined],
  ['1.234', '1.234', undefined],
  ['1,234,50', '1,234,50', undefined],
  ['12,345.678', '12,345.678', undefined],
  ['12 34', '12 34', undefined],
  ['10-20', '10-20', undefined],
  ['EUR 5 USD', 'EUR 5 USD', undefined],
  ['EUR $5', 'EUR $5', undefined],
  ['USD $45.00', '45.00', 'USD'],
  ['$ 45 USD', '45', 'USD'],
  ['US $45.00', '45.00', 'USD'],
  ['45,00 $ CA', '45.00', 'CAD'],
  ['¥4,500', '4500', undefined],
  ['JPY ¥4,500', '4500', 'JPY'],
  ['4,500円', '4500', 'JPY'],
  ['₹1,23,456.00', '123456.00', 'INR'],
  ['Rs. 450', '450', undefined],
  ['Rs.450/-', '450', undefined],
  ['INR 12,345', '12345', 'INR'],
  ["CHF 1'234.50", '1234.50', 'CHF'],
  ['1 234,50 zł', '1234.50', 'PLN'],
  ['KWD 1,234.500', '1234.500', 'KWD'],
  ['12 pcs', '12 pcs', undefined],
  ['cheap', 'cheap', undefined],
  ['-5', '-5', undefined],
  ['', '', undefined],
])('reads the price %s', (price, plain, currency) => {
  const cells = withPlainAmounts({ price, cost: price })
  expect([cells.price, cells.cost, cells.currency]).toEqual([plain, plain, currency])
})

it('keeps the currency that the row names', () => {
  expect(withPlainAmounts({ price: '5 €', currency: 'USD' })).toEqual({ price: '5', currency: 'USD' })
})

describe('how a file writes decimals', () => {
  it.each([
    [['1,234', '12.50'], ';', 'point'],
    [['1,234', '1,234.50'], ';', 'point'],
    [['1,234', '1,234,567'], ';', 'point'],
    [['1.234', '12,50'], ',', 'comma'],
    [['1.234', '1.234,50 €'], ',', 'comma'],
    [['1.234', '1.234.567'], ',', 'comma'],
    [['12,50', '12.50'], ';', null],
    [['12,50', '12.50'], ',', null],
    [['1,234', '5'], ',', 'point'],
    [['1,234', '5'], ';', null],
    [['1.234'], '\t', null],
    [[], ';', null],
  ] as const)('is told by %j with %j', (amounts, delimiter, style) => {
    expect(numberStyleOf(amounts, delimiter)).toBe(style)
  })

  it.each([
    ['1,234', 'point', '1234'],
    ['1.234', 'comma', '1234'],
    ['£1,234', null, '1234'],
    ['1.234.567', null, '1234567'],
    ['1.234,5', 'point', '1234.5'],
  ] as const)('decides %s with %s', (price, style, plain) => {
    expect(findUnclearAmounts({ price }, style)).toEqual([])
    expect(withPlainAmounts({ price }, style).price).toBe(plain)
  })

  it.each([
    ['1,234', null],
    ['1,234', 'comma'],
    ['1.234', null],
    ['1.234', 'point'],
    ['1.234 €', null],
  ] as const)('leaves %s unclear with %s', (price, style) => {
    expect(findUnclearAmounts({ price, cost: price }, style)).toMatchObject([
      { field: 'price', code: 'unclear_price' },
      { field: 'cost', code: 'unclear_price' },
    ])
  })

  it.each([
    ['¥4,500', 'JPY', '4500'],
    ['4,500', 'JPY', '4500'],
    ['12.800', 'KRW', '12800'],
    ['$45.990', 'CLP', '45990'],
    ['¥4,500', undefined, '4500'],
    ['R$ 1.234', undefined, '1234'],
    ['Rp 45.000', undefined, '45000'],
  ])('is told for %s in %s by the currency', (price, currency, plain) => {
    const cells = { price, ...(currency ? { currency } : {}) }
    expect(findUnclearAmounts(cells, null)).toEqual([])
    expect(withPlainAmounts(cells, null).price).toBe(plain)
  })

  it('is told by the currency of the heading', () => {
    expect(withPlainAmounts({ price: '4,500' }, null, 'JPY').price).toBe('4500')
  })

  it('is not told by groups of two digits alone', () => {
    expect(numberStyleOf(['1,234', '₹1,23,456'], ';')).toBe('point')
  })

  it.each([
    ['12.500', 'comma', '12500'],
    ['12,500', 'comma', '12.500'],
    ['12.500', null, '12.500'],
    ['12,500', null, '12,500'],
  ] as const)('reads %s dinars with %s as %s', (price, style, plain) => {
    expect(withPlainAmounts({ price, currency: 'KWD' }, style).price).toBe(plain)
  })

  it('leaves three decimals to currencies that have them', () => {
    expect(findUnclearAmounts({ price: '1.234', currency: 'KWD' }, 'point')).toEqual([])
    expect(withPlainAmounts({ price: '1.234', currency: 'KWD' }, 'point').price).toBe('1.234')
  })
})

it.each(['-5', '−5,00 €', '(12.00)', '$-5', '-$5.00', '5-', '($5)'])('refuses %s, which is negative', (price) => {
  expect(findUnclearAmounts({ price }, 'point')).toMatchObject([{ field: 'price', message: 'must not be negative' }])
})

it.each(['45,-', '45.-- €', 'CHF 45.–', '10-20', 'cheap'])('does not take %s for negative', (price) => {
  expect(findUnclearAmounts({ price }, 'point')).toEqual([])
})
