import { expect, it } from 'vitest'
import { everything, newestFirst } from './filter-rows.ts'
import { filterOf, isPlain, isSameView } from './saved-views.ts'

const stale = { filter: { on: 'ebay' as const, query: 'coat' }, columns: ['cost' as const], sort: newestFirst }

it('drops conditions that do not restrict', () => {
  const filter = { query: ' coat ', brand: '', state: undefined, lacks: [], price_from: 0 }
  expect(filterOf(filter)).toEqual({ query: 'coat', price_from: 0 })
})

it.each([
  [{ ...stale, filter: { query: 'coat ', on: 'ebay' as const, lacks: [] } }, true],
  [{ ...stale, filter: { ...stale.filter, off: 'etsy' as const } }, false],
  [{ ...stale, columns: ['cost' as const, 'sku' as const] }, false],
  [{ ...stale, sort: { by: 'price' as const, down: true } }, false],
])('tells whether %o is the same view', (view, expected) => {
  expect(isSameView(view, stale)).toBe(expected)
})

it('needs no name for everything in the usual order', () => {
  expect(isPlain({ filter: everything, columns: ['cost'], sort: newestFirst })).toBe(true)
  expect(isPlain({ filter: everything, columns: [], sort: { by: 'cost', down: true } })).toBe(false)
})
