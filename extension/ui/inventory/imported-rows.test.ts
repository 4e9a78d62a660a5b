import { describe, expect, it } from 'vitest'
import type { ImportedRow } from '#shared/contract/inventory-files.ts'
import { outcomeText, shownRows } from './imported-rows.ts'

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
})
