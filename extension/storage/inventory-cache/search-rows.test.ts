import { describe, expect, it } from 'vitest'
import { sampleInventory } from '#extension/testing/sample-inventory.ts'
import { rowOf } from './row.ts'
import { searchRows } from './search-rows.ts'

const rows = sampleInventory(10_000).map((item) => rowOf(item, 1))
const titles = (query: string, limit?: number) => searchRows(rows, query, limit).map((row) => row.title)

describe('searching the inventory', () => {
  it('finds the rows that hold every word, in any order and case', () => {
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

  it('puts rows first where a word begins so', () => {
    const found = searchRows([{ words: 'overcoat' }, { words: 'wool coat' }], 'coat')
    expect(found.map((row) => row.words)).toEqual(['wool coat', 'overcoat'])
  })

  it('takes characters of patterns as themselves', () => {
    expect(titles('.*')).toEqual([])
    expect(titles('(')).toEqual([])
  })

  it('stops at the limit, and an empty query shows the newest', () => {
    expect(titles('coat', 50)).toHaveLength(50)
    expect(searchRows(rows, '  ', 3)).toEqual(rows.slice(0, 3))
  })
})
