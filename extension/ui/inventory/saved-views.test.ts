import { expect, it } from 'vitest'
import { everything } from './filter-rows.ts'
import { isSameFilter, withFilter } from './saved-filters.ts'

const onEbay = { name: 'On eBay', filter: { ...everything, on: 'ebay' as const } }
const coats = { name: 'Coats', filter: { ...everything, query: 'coat' } }

it('replaces a saved filter of the same name in its place', () => {
  const changed = { ...onEbay, filter: { ...onEbay.filter, off: 'etsy' as const } }
  expect(withFilter([onEbay, coats], changed)).toEqual([changed, coats])
  expect(withFilter([onEbay], coats)).toEqual([onEbay, coats])
})

it.each([
  [{ ...everything, query: ' coat ' }, true],
  [{ ...everything, query: 'coats' }, false],
  [{ ...coats.filter, state: 'sold' as const }, false],
  [{ ...coats.filter, off: 'depop' as const }, false],
])('tells whether %o shows the same rows', (filter, expected) => {
  expect(isSameFilter(filter, coats.filter)).toBe(expected)
})
