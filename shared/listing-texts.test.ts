import { describe, expect, it } from 'vitest'
import { kinds } from './item/kinds.ts'
import { fillText, textKinds } from './listing-texts.ts'

describe('fillText', () => {
  it('fills places and leaves out lines that stay empty', () => {
    const text = 'By {brand}, size {size}.\nMade of {material}.\n\nShips in a day. {unknown}'
    expect(fillText(text, { brand: 'Levi’s', size: '', material: '' })).toBe(
      'By Levi’s, size .\n\nShips in a day. {unknown}',
    )
  })

  it('does not fill what a value says', () => {
    expect(fillText('{brand}', { brand: '{size} $&', size: 'L' })).toBe('{size} $&')
  })

  it('has known kinds', () => {
    expect(textKinds.filter((kind) => !(kind in kinds))).toEqual([])
  })
})
