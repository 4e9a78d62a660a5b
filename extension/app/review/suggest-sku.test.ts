import { describe, expect, it } from 'vitest'
import type { Comparison } from '#extension/messaging/protocol.ts'
import { suggestSku } from './suggest-sku.ts'

const about = (conflict_type: string, external_sku: string, mine: string | null) =>
  suggestSku({ item: { conflict_type, external_sku }, mine: mine === null ? null : { sku: mine } } as Comparison)

describe('the SKU that a second item is offered', () => {
  it.each([
    ['duplicate_sku', 'A-1', 'A-1', { sku: 'A-1-2', needed: true }],
    // The thing was sold, and its SKU stands on a live listing of another.
    ['sold_elsewhere', 'A-1', 'A-1', { sku: 'A-1-2', needed: true }],
    ['sold_elsewhere', 'A-1', 'B-7', { sku: 'A-1', needed: false }],
    ['sold_elsewhere', '', null, { sku: '', needed: false }],
    ['possible_duplicate', 'A-1', null, { sku: 'A-1', needed: false }],
    ['missing_sku', '', null, { sku: '', needed: true }],
  ])('in a conflict of %s about "%s", mine being "%s"', (type, theirs, mine, expected) => {
    expect(about(type, theirs, mine)).toEqual(expected)
  })
})
