import { describe, expect, it } from 'vitest'
import { findCategories } from './find-categories.ts'

const categories = new Map([
  [1, 'Clothing'],
  [2, "Clothing > Women's Clothing > Jackets & Coats > Coats"],
  [3, 'Clothing > Coat Hangers > Wooden'],
  [4, 'Home > Rugs'],
])
const ids = (words: string) => findCategories(categories, words).map(({ id }) => id)

describe('searching Etsy’s categories', () => {
  it('returns the categories with the most matching words', () => {
    expect(ids('womens coats')).toEqual(['2'])
    expect(ids('wooden coat')).toEqual(['3'])
    expect(ids('blue rug')).toEqual(['4'])
    expect(ids('violin')).toEqual([])
    expect(ids('of the')).toEqual([])
  })

  it('matches word beginnings and plurals, last name first', () => {
    expect(ids('coa')).toEqual(['2', '3'])
    expect(ids('coat')).toEqual(ids('coats'))
    expect(ids('CLOTHING')).toEqual(['1', '3', '2'])
  })

  it('returns at most 20 categories', () => {
    const many = new Map(Array.from({ length: 50 }, (_, n) => [n, `Coats > ${n}`]))
    expect(findCategories(many, 'coat')).toHaveLength(20)
  })

  it('throws if Etsy’s categories are unavailable', () => {
    expect(() => findCategories(new Map(), 'coat')).toThrow(expect.objectContaining({ failure: 'unavailable' }))
  })
})
