import { describe, expect, it } from 'vitest'
import { type EditedItem, type EditField, editItem, editText, editValueOf, withEditValues } from './item-edit.ts'
import { ItemEdit } from './item-edit-schemas.ts'

const coat: EditedItem = {
  ...{ title: 'Wool coat', description: '', condition_label: 'Good', condition_notes: '', sku: 'A-1', currency: 'USD' },
  attributes: {
    ...{ brand: 'Acme', colors: ['Navy', 'White'], shelf: 'kept' },
    parcel: { width_mm: 2, height_mm: 1, length_mm: 3 },
  },
}
const box = { length_mm: 3, width_mm: 2, height_mm: 1 }
const edited = (edits: ItemEdit[], index = 0) => editItem(coat, edits, index)

describe('an edit of an item', () => {
  it.each([
    ['nothing that it has already', [{ act: 'set', field: 'title', value: 'Wool  coat ' }], {}],
    [
      'each place of the words',
      [{ act: 'replace', field: 'title', find: 'o', value: '$&' }],
      { title: 'W$&$&l c$&at' },
    ],
    ['a number with its digits', [{ act: 'number', field: 'sku', value: 'B-{0998}' }], { sku: 'B-1000' }],
    ['nothing for the same parcel', [{ act: 'set', field: 'parcel', value: box }], {}],
    ['colors', [{ act: 'set', field: 'colors', value: 'Red' }], { colors: 'Red' }],
    ['an empty text to none', [{ act: 'replace', field: 'brand', find: 'Acme', value: '' }], { brand: null }],
    [
      'steps in their order',
      [
        { act: 'clear', field: 'brand' },
        { act: 'add_after', field: 'brand', value: 'Zeta' },
      ],
      { brand: 'Zeta' },
    ],
  ] as [string, ItemEdit[], object][])('gives %s', (_, edits, values) => {
    expect(edited(edits, 2)).toEqual({ values })
  })

  it.each([
    ['empty', [{ act: 'replace', field: 'title', find: 'Wool coat', value: '' }]],
    ['too_long', [{ act: 'add_after', field: 'title', value: 'x'.repeat(1_000) }]],
    ['other_currency', [{ act: 'set', field: 'cost_minor', value: 1, currency: 'EUR' }]],
  ] as [string, ItemEdit[]][])('is refused as %s', (reason, edits) => {
    expect(edited(edits)).toEqual({ reason })
  })

  it('restores the former values, and keeps attributes that it does not know', () => {
    const { values = {} } = edited([
      { act: 'clear', field: 'brand' },
      { act: 'clear', field: 'colors' },
      { act: 'set', field: 'weight_grams', value: 450 },
    ]) as { values: object }
    const after = withEditValues(coat, values)
    expect(after.attributes).toEqual({ shelf: 'kept', parcel: box, weight_grams: 450 })
    const fields = Object.keys(values) as EditField[]
    const back = Object.fromEntries(fields.map((field) => [field, editValueOf(coat, field)]))
    expect(withEditValues(after, back)).toEqual(coat)
  })

  it('is read by a person', () => {
    expect(editText('cost_minor', 1_250, 'USD')).toBe('12.50 USD')
    expect(editText('parcel', { length_mm: 300, width_mm: 20, height_mm: 1 }, 'USD')).toBe('30 cm × 2 cm × 0.1 cm')
    expect([editText('weight_grams', 450, 'USD'), editText('brand', null, 'USD')]).toEqual(['450 g', null])
  })
})

it.each([
  { act: 'set', field: 'cost_minor', value: -1 },
  { act: 'set', field: 'parcel', value: 3 },
  { act: 'number', field: 'title', value: '{1}' },
  { act: 'number', field: 'sku', value: '{1234567890}' },
  { act: 'clear', field: 'condition' },
  { act: 'replace', field: 'title', find: '', value: 'x' },
])('the schema refuses %o', (edit) => {
  expect(ItemEdit.safeParse(edit).success).toBe(false)
})
