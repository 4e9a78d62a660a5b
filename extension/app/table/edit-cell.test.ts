import { describe, expect, it } from 'vitest'
import { rowOf } from '#extension/storage/inventory-cache/row.ts'
import { sampleItem } from '#extension/testing/sample-inventory.ts'
import { cellFields, nextCell, readCell } from './edit-cell.ts'

const row = {
  ...rowOf(sampleItem(0), 1),
  ...{ price_minor: 2_450, currency: 'USD', sku: 'A-1', location: null, cost_minor: 900 },
}

describe('a typed cell', () => {
  it.each([
    ['price', ' 24.50 ', null],
    ['price', '30', { price: { by: 'price', price_minor: 3_000, currency: 'USD' } }],
    ['price', '', { problem: 'amount' }],
    ['price', 'ten', { problem: 'amount' }],
    ['price', '0', { problem: 'above_zero' }],
    ['cost', '', { edit: { act: 'clear', field: 'cost_minor' } }],
    ['cost', '0', { edit: { act: 'set', field: 'cost_minor', value: 0, currency: 'USD' } }],
    ['cost', '-1', { problem: 'amount' }],
    ['location', '', null],
    ['location', ' Shelf 4 ', { edit: { act: 'set', field: 'storage_location', value: 'Shelf 4' } }],
    ['location', 'x'.repeat(201), { problem: 'too_long' }],
    ['sku', 'A-2', { edit: { act: 'set', field: 'sku', value: 'A-2' } }],
    ['sku', '', { edit: { act: 'clear', field: 'sku' } }],
  ] as const)('of %s that says %j', (field, typed, change) => {
    expect(readCell(row, field, typed)).toEqual(change)
  })
})

describe('the next cell', () => {
  it.each([
    [0, 'price', 'down', { index: 1, field: 'price' }],
    [1, 'price', 'down', null],
    [0, 'price', 'right', { index: 0, field: 'cost' }],
    [0, 'sku', 'right', { index: 1, field: 'price' }],
    [1, 'sku', 'right', null],
    [1, 'price', 'left', { index: 0, field: 'sku' }],
    [0, 'price', 'left', null],
  ] as const)('from row %i, %s, %s', (index, field, move, next) => {
    expect(nextCell({ index, field }, move, cellFields, 2)).toEqual(next)
  })
})
