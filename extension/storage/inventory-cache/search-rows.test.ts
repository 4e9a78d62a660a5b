import { describe, expect, it } from 'vitest'
import { sampleInventory } from '#extension/testing/sample-inventory.ts'
import { rowOf } from './row.ts'
import { searchRows } from './search-rows.ts'

const rows = sampleInventory(10_000).map((item) => rowOf(item, 1))
const titles = (query: string, limit?: number) => searchRows(rows, query, limit).map((row) => row.title)

describe('searchRows', () => {
  it('finds rows with every word in any order and case', () => {
    const found = titles('GREEN wool')
    expect(found.length).toBeGreaterThan(100)
    for (const title of found) expect(title.toLowerCase()).toMatch(/(?=.*wool)(?=.*green)/)
  })

  it('finds by SKU, brand and size as well', () => {
    expect(searchRows(rows, 'hx-00042').map((row) => row.sku)).toEqual(['HX-00042'])
    expect(titles('tamsin').length).toBe(2_000)
  })

  it('finds "Café" by "cafe"', () => {
    expect(titles('cafe').length).toBe(1_000)
  })

  it.each([
    ['levis', 'an apostrophe'],
    ['levi’s', 'a curly apostrophe'],
    ['CAFÉ racer', 'an accent in the search'],
    ['mat124g', 'a hyphen in the SKU'],
    ['MAT-124G', 'the SKU as it is'],
    ['tshirt', 'a hyphen left out'],
    ['t-shirt', 'a hyphen in the title'],
    ['294', 'the price in full units'],
    ['294.9', 'the price while it is typed'],
    ['$294.99 levis', 'the price with its sign'],
    ['294,99€ levis', 'the price with a decimal comma'],
  ])('finds %j, whatever %s', (query) => {
    const [item] = sampleInventory(1)
    const row = rowOf(
      {
        ...item!,
        sku: 'MAT-124G',
        attributes: { ...item!.attributes, brand: 'Levi’s' },
        record: {
          ...item!.record,
          title: "Cafe racer T-shirt, Levi's",
          offer: { ...item!.record.offer, price_minor: 29_499, currency: 'USD' },
        },
      },
      1,
    )
    expect(searchRows([row], query)).toEqual([row])
    expect(searchRows([row], '94.99')).toEqual([])
    expect(searchRows([row], '29')).toEqual([])
  })

  it('ranks matches at the start of a word first', () => {
    const priced = { price_minor: 100, currency: 'USD' }
    const found = searchRows(
      [
        { ...priced, words: 'overcoat' },
        { ...priced, words: 'wool coat' },
      ],
      'coat',
    )
    expect(found.map((row) => row.words)).toEqual(['wool coat', 'overcoat'])
  })

  it('treats pattern characters literally', () => {
    expect(titles('.*')).toEqual([])
    expect(titles('(')).toEqual([])
  })

  it('stops at the limit', () => {
    expect(titles('coat', 50)).toHaveLength(50)
    expect(searchRows(rows, '  ', 3)).toEqual(rows.slice(0, 3))
  })
})
