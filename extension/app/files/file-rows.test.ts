import { describe, expect, it } from 'vitest'
import type { ImportedRow } from '#shared/contract/catalog/inventory-files.ts'
import { newPrice, outcomeText, shownChanges, shownRows } from './file-rows.ts'

const row = (given: Partial<ImportedRow>): ImportedRow => ({
  ...{ row: 1, action: 'create', uid: null, sku: null, title: 'A coat', errors: [] },
  ...given,
})

describe('rows of a file', () => {
  it('show problems first, and at most 200', () => {
    const rows = Array.from({ length: 300 }, (_, index) =>
      row({ row: index + 1, action: index === 250 ? 'fail' : 'create' }),
    )
    const shown = shownRows(rows)
    expect(shown).toHaveLength(200)
    expect(shown.slice(0, 2).map((one) => one.row)).toEqual([251, 1])
  })

  it.each([
    ['images.0', 'must be a URL', 'Photo 1 must be a URL'],
    ['offer.price_minor', 'is needed', 'Price is needed'],
    ['condition.label', 'is needed', 'Condition is needed'],
    ['sku', 'is that of row 1', 'SKU is that of row 1'],
    ['', 'This SKU is in use.', 'This SKU is in use.'],
  ])('name the field %s in words', (field, message, sentence) => {
    expect(outcomeText(row({ action: 'fail', errors: [{ field, code: 'x', message }] }), true)).toBe(sentence)
  })

  it('say why a row is left out', () => {
    const errors = [{ field: '', code: 'left_out', message: 'is sold there' }]
    expect(outcomeText(row({ action: 'fail', errors }), false)).toBe('Left out, since it is sold there')
  })

  it('say why a sold item of an export is left as it is', () => {
    const errors = [{ field: 'state', code: 'left_out', message: 'is sold there' }]
    expect(outcomeText(row({ action: 'none', errors }), true)).toBe('Left out, since it is sold there')
  })

  it('show old and new values, and photos by their number', () => {
    const changes = [
      { field: 'price', from: '30.00', to: '45.00' },
      { field: 'storage_location', from: 'Shelf 3', to: null },
      { field: 'images', from: 'https://a.example/1', to: 'https://a.example/1\nhttps://a.example/2' },
    ]
    expect(shownChanges(row({ action: 'update', changes }))).toEqual([
      { name: 'Price', from: '30.00', to: '45.00' },
      { name: 'Storage location', from: 'Shelf 3', to: 'None' },
      { name: 'Photos', from: '1', to: '2' },
    ])
    const other = [{ field: 'images', from: 'https://a.example/1', to: 'https://a.example/2' }]
    expect(shownChanges(row({ action: 'update', changes: other }))).toMatchObject([{ from: '1', to: '1 other photo' }])
  })

  it('show the price of a new item with its currency', () => {
    const changes = [
      { field: 'price', from: null, to: '45.00' },
      { field: 'currency', from: null, to: 'EUR' },
    ]
    expect(newPrice(row({ changes }))).toBe('€45.00')
    expect(newPrice(row({}))).toBeNull()
  })
})
