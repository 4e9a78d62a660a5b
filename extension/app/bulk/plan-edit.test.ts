import { describe, expect, it } from 'vitest'
import { sampleItem } from '#extension/testing/sample-inventory.ts'
import type { EditForm } from './plan-edit.ts'
import { actsOf, planEdit, readEdit } from './plan-edit.ts'

const form = (given: Partial<EditForm>): EditForm => ({ field: 'title', act: 'set', find: '', value: '', ...given })
const edit = (given: Partial<EditForm>) => {
  const read = readEdit(form(given), 'USD')
  return 'edit' in read ? read.edit : read.wrong
}

describe('an edit as typed', () => {
  it.each([
    [
      { act: 'add_after', value: '1960s' },
      { act: 'add_after', field: 'title', value: ' 1960s' },
    ],
    [
      { act: 'add_before', field: 'sku', value: 'B7-' },
      { act: 'add_before', field: 'sku', value: 'B7-' },
    ],
    [
      { act: 'replace', find: 'coat', value: '' },
      { act: 'replace', field: 'title', find: 'coat', value: '' },
    ],
    [
      { act: 'clear', field: 'brand' },
      { act: 'clear', field: 'brand' },
    ],
    [
      { field: 'cost_minor', value: '12.5' },
      { act: 'set', field: 'cost_minor', value: 1_250, currency: 'USD' },
    ],
    [
      { field: 'parcel', value: '300 x 200 × 100 mm' },
      { act: 'set', field: 'parcel', value: { length_mm: 300, width_mm: 200, height_mm: 100 } },
    ],
    [
      { field: 'weight_grams', value: '450 g' },
      { act: 'set', field: 'weight_grams', value: 450 },
    ],
    [{ value: ' ' }, null],
    [{ act: 'replace', value: 'x' }, null],
    [
      { field: 'weight_grams', value: '20' },
      { act: 'set', field: 'weight_grams', value: 567 },
    ],
    [{ field: 'weight_grams', value: 'heavy' }, 'Enter a weight, such as 1 lb 4 oz.'],
    [{ field: 'parcel', value: '12 x 8' }, 'Enter three sizes, such as 12 in x 8 in x 4 in.'],
    [{ act: 'number', field: 'sku', value: 'COAT' }, 'Put the first number in braces, such as COAT-{001}.'],
  ] as const)('%o', (given, expected) => {
    expect(edit(given)).toEqual(expected)
  })

  it('never clears what an item needs', () => {
    expect(actsOf('title')).not.toContain('clear')
    expect(actsOf('condition')).not.toContain('clear')
    expect(actsOf('parcel')).toEqual(['set', 'clear'])
  })
})

describe('the preview of an edit', () => {
  const items = ['Wool coat', 'Silk scarf', 'coat'].map((title, n) => {
    const item = sampleItem(n)
    return { ...item, sku: null, record: { ...item.record, title } }
  })

  it('says before and after, what stays, and what is left out', () => {
    const plan = planEdit(items, { act: 'replace', field: 'title', find: 'coat', value: '' })
    expect(plan.changes.map(({ from, to }) => [from, to])).toEqual([['Wool coat', 'Wool']])
    expect(plan.leftOut.map(({ from, reason }) => [from, reason])).toEqual([['coat', 'empty']])
    expect(plan.same).toBe(1)
  })

  it.each([
    ['eBay, past its 80 characters', ['ebay'], 81, { platform: 'eBay', max: 80 }],
    ['eBay, with 80 characters', ['ebay'], 80, null],
    ['Etsy, which takes 140', ['etsy'], 81, null],
    ['Depop, which has no title', ['depop'], 200, null],
    ['Etsy and eBay', ['etsy', 'ebay'], 81, { platform: 'eBay', max: 80 }],
  ] as const)('says which marketplace cuts a new title: on %s', (_, platforms, length, cut) => {
    const listings = platforms.map((platform) => ({
      ...{ platform, listing_id: '1', url: `https://www.${platform}.com/1` },
      ...{ state: 'available' as const, price_minor: 100, currency: 'USD' },
    }))
    const edit = { act: 'set', field: 'title', value: 'x'.repeat(length) } as const
    expect(planEdit([{ ...items[0]!, listings }], edit).changes[0]?.cut).toEqual(cut)
    const ended = listings.map((listing) => ({ ...listing, state: 'removed' as const }))
    expect(planEdit([{ ...items[0]!, listings: ended }], edit).changes[0]?.cut).toBeNull()
  })

  it('numbers SKUs in the order of the items, and gives none twice', () => {
    const numbered = planEdit(items, { act: 'number', field: 'sku', value: 'C-{09}' })
    expect(numbered.changes.map(({ to }) => to)).toEqual(['C-09', 'C-10', 'C-11'])
    const same = planEdit(items, { act: 'set', field: 'sku', value: 'ONE' })
    expect([same.changes.length, same.leftOut.map(({ reason }) => reason)]).toEqual([1, ['sku_in_use', 'sku_in_use']])
  })

  it('shows amounts with their currency', () => {
    const [change] = planEdit(items, { act: 'set', field: 'cost_minor', value: 1_250 }).changes
    expect(change?.to).toBe('12.50 USD')
  })
})
