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
  it('takes those with all of the words, wherever in the path, else those with the most', () => {
    expect(ids('womens coats')).toEqual(['2'])
    expect(ids('wooden coat')).toEqual(['3'])
    expect(ids('blue rug')).toEqual(['4'])
    expect(ids('violin')).toEqual([])
    expect(ids('of the')).toEqual([])
  })

  it('takes the beginning of a word, and one thing for many; the last name of a path counts most', () => {
    expect(ids('coa')).toEqual(['2', '3'])
    expect(ids('coat')).toEqual(ids('coats'))
    expect(ids('CLOTHING')).toEqual(['1', '3', '2'])
  })

  it('gives 20 at most', () => {
    const many = new Map(Array.from({ length: 50 }, (_, n) => [n, `Coats > ${n}`]))
    expect(findCategories(many, 'coat')).toHaveLength(20)
  })

  it('says that Etsy does not tell its categories, which is not the same as none like these words', () => {
    expect(() => findCategories(new Map(), 'coat')).toThrow(expect.objectContaining({ failure: 'unavailable' }))
  })
})
