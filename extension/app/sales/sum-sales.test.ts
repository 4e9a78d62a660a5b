import { expect, it } from 'vitest'
import { parseCsv, sampleSale } from '#extension/testing/sample-sale.ts'
import { salesCsv } from './sales-csv.ts'
import {
  costText,
  currenciesOf,
  daysToSell,
  feesText,
  groupSales,
  leftOutText,
  missingOf,
  profitOf,
  profitText,
  sumOf,
} from './sum-sales.ts'

const noon = (day: number) => new Date(2026, 10, day, 12).toISOString()
const sales = [
  sampleSale({ sold_at: noon(24), price_minor: 8_500, fee_minor: 1_196, shipping_minor: 700, cost_minor: 2_000 }),
  sampleSale({ sold_at: noon(24), platform: 'etsy', price_minor: 3_000, fee_minor: 330 }),
  sampleSale({ sold_at: noon(22), price_minor: 1_000, fee_minor: null }),
]

it('has a profit only where fee and cost are known', () => {
  expect(sales.map(profitOf)).toEqual([4_604, null, null])
  const outside = sampleSale({ platform: 'outside', price_minor: 900, fee_minor: null, cost_minor: 100 })
  expect(profitOf(outside)).toBe(800)
  expect(sumOf(sales)).toMatchObject({
    sales: 3,
    revenue: 12_500,
    fees: 1_526,
    unknown_fees: 1,
    shipping: 700,
    cost: 2_000,
    unknown_costs: 2,
    profit: 4_604,
    incomplete: 2,
  })
})

it('says which costs a profit lacks', () => {
  const [complete, withoutCost, withoutBoth] = sales
  expect(sales.map((sale) => missingOf(sale))).toEqual([[], ['cost'], ['fee', 'cost']])
  expect(profitText(sumOf([complete!]), 'USD')).toBe('$46.04')
  expect(profitText(sumOf(sales), 'USD')).toBe('$46.04')
  expect([complete!, withoutCost!].map((sale) => leftOutText(sumOf([sale])))).toEqual([null, null])
  expect(leftOutText(sumOf(sales))).toBe('2 sales left out')
  expect(profitText(sumOf([withoutCost!, withoutBoth!]), 'USD')).toBe('–')
  expect(costText(sumOf([withoutCost!]), 'USD')).toBe('–')
  expect(costText(sumOf(sales), 'USD')).toBe('-$20.00')
})

it('shows no amount for fees that are not known', () => {
  const unknown = sampleSale({ currency: 'EUR', fee_minor: null })
  const [none, some, all] = [[unknown], [unknown, sampleSale({ fee_minor: 330 })], [sampleSale({ fee_minor: 330 })]]
  expect([none, some, all].map((one) => feesText(sumOf(one), 'EUR'))).toEqual([
    ...['Not known here', '-€3.30, 1 not known', '-€3.30'],
  ])
})

it('adds up by the seller’s own day and by platform', () => {
  expect(groupSales(sales, 'day').map(({ key, revenue }) => [key, revenue])).toEqual([
    ['2026-11-24', 11_500],
    ['2026-11-22', 1_000],
  ])
  expect(groupSales(sales, 'platform').map(({ key, sales: n }) => [key, n])).toEqual([
    ['ebay', 2],
    ['etsy', 1],
  ])
})

it('counts the days from the first listing to the sale', () => {
  expect(daysToSell({ listed_at: noon(20), sold_at: noon(24) })).toBe(4)
  expect(daysToSell({ listed_at: null, sold_at: noon(24) })).toBeNull()
})

it('names the most frequent currency first', () => {
  expect(currenciesOf([...sales, sampleSale({ currency: 'EUR' })])).toEqual(['USD', 'EUR'])
})

it('writes a row for each sale with profit and kind of fee', () => {
  const [head, first, second] = parseCsv(salesCsv(sales))
  const column = (name: string) => head!.indexOf(name)
  expect(first![column('profit')]).toBe('46.04')
  expect(first![column('fee_source')]).toBe('estimated')
  expect([first, second].map((row) => row![column('missing_costs')])).toEqual(['', 'cost'])
  expect(second![column('profit')]).toBe('')
  expect([second![column('platform')], second![column('shipping')]]).toEqual(['Etsy', ''])
  expect(parseCsv(salesCsv([sampleSale({ title: '=SUM(A1)' })]))[1]![column('title')]).toBe("'=SUM(A1)")
})
