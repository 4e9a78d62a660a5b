import { describe, expect, it } from 'vitest'
import { besideOf } from './beside-of.ts'

describe('the items beside one', () => {
  it.each([
    ['a', null, 'b', 1],
    ['b', 'a', 'c', 2],
    ['c', 'b', null, 3],
    ['x', null, null, 0],
  ])('of %s', (uid, previous, next, at) => {
    expect(besideOf(['a', 'b', 'c'], uid)).toEqual({ previous, next, at, total: 3 })
  })
})
