import { expect, it } from 'vitest'
import { withPlainAmounts } from './amounts.ts'

it.each([
  ['25.00', '25.00', undefined],
  ['$1,234.50', '1234.50', undefined],
  ['1.234,50 €', '1234.50', 'EUR'],
  ['1.234,50\u00a0€', '1234.50', 'EUR'],
  ['1\u202f234,5', '1234.5', undefined],
  ['€ 12,00', '12.00', 'EUR'],
  ['£9.99', '9.99', 'GBP'],
  ['US$1,250', '1250', 'USD'],
  ['C$ 5', '5', 'CAD'],
  ['12.00 EUR', '12.00', 'EUR'],
  ["1'234.50", '1234.50', undefined],
  ['1.234.567', '1234567', undefined],
  ['1,234', '1234', undefined],
  ['1.234', '1.234', undefined],
  ['1,234,50', '1,234,50', undefined],
  ['12,345.678', '12,345.678', undefined],
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
