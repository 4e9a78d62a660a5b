import { expect, it } from 'vitest'
import type { ImportedFile, ImportedRow } from '#shared/contract/catalog/inventory-files.ts'
import { type Answer, planImport } from './file-answers.ts'

const row = (number: number, ...codes: string[]): ImportedRow => ({
  ...{ row: number, action: 'ask', uid: null, sku: null, title: 'A coat' },
  errors: codes.map((code) => ({ field: '', code, message: '' })),
  listings: codes
    .filter((code) => code === 'confirm_live_price' || code === 'confirm_end_listing')
    .map((code) => {
      const to = code === 'confirm_end_listing' ? null : '45.00'
      return { platform: 'ebay', url: null, from: '42.50', to, currency: 'USD' }
    }),
})
const file = (...results: ImportedRow[]): ImportedFile => ({
  ...{ dry_run: true, format: 'hapax', ignored_columns: [], results, preview: 'AAAAAA' },
  ...{ created: 3, updated: 1, unchanged: 0, failed: 0, asked: results.length },
})
const live = 'confirm_live_price'
const large = 'confirm_large_price_change'
const same = 'confirm_same_item'

it('counts ordinary live prices, and leaves what is not answered', () => {
  const asked = file(row(1, live), row(2, live, large), row(3, same), row(4, 'confirm_end_listing'))
  expect(planImport(asked, new Map(), true)).toEqual({
    ...{ items: 5, prices: 1, ends: 0, query: { preview: 'AAAAAA', confirm_prices: 'true' } },
  })
  expect(planImport(asked, new Map(), false)).toMatchObject({ items: 4, prices: 0, query: { confirm_prices: 'false' } })
})

it('sends answers row by row', () => {
  const asked = file(
    ...[row(1, live, large), row(2, large), row(3, large), row(5, same), row(6, same), row(7, same)],
    ...[row(8, same, live), row(9, same, large), row(10, 'confirm_end_listing')],
  )
  const answers: Record<number, Answer> = {
    ...{ 1: { isConfirmed: true }, 2: { isConfirmed: true }, 3: { isConfirmed: true }, 10: { isConfirmed: true } },
    ...{ 5: { item: 'new' }, 6: { item: 'new' }, 7: { item: 'skip', isConfirmed: true } },
    ...{ 8: { item: 'same' }, 9: { item: 'same' } },
  }
  const given = new Map(Object.entries(answers).map(([number, answer]) => [Number(number), answer]))
  expect(planImport(asked, given, true)).toEqual({
    ...{ items: 4 + 3 + 2 + 1 + 1, prices: 2, ends: 1 },
    query: { preview: 'AAAAAA', confirm_prices: 'true', confirm: '1-3,10', same: '8-9', new: '5-6' },
  })
})
