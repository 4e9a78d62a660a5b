import { describe, expect, it } from 'vitest'
import { buildListing } from '#e2e/harness/listing.ts'
import { type Comparable, compareListing, hashOf, valuesOfListing } from './compare-listing.ts'

const listing = buildListing({ title: 'Brass sextant', description: 'Old and fine.', price_minor: 9_000 })
const price = { price_minor: 9_000, currency: 'USD' }
const equal: Comparable = {
  ...{ title: listing.title, description: listing.description, photos: listing.images },
  ...{ price, listingPrice: price, is_source: true, is_own: false, stored: {}, sent: [] },
  titleThere: (title) => title,
}
const compare = (given: Partial<Parameters<typeof buildListing>[0]>, mine: Partial<Comparable> = {}) =>
  compareListing(valuesOfListing({ ...listing, ...given }), { ...equal, ...mine }).map(({ field, state }) => [
    field,
    state,
  ])

describe('comparing a listing with its item', () => {
  it('finds nothing where they agree', () => {
    expect(compare({})).toEqual([])
    expect(compare({ description: '<div>Old &amp; fine.</div>' }, { description: 'Old & fine.' })).toEqual([])
  })

  it('takes the title as the platform cuts it', () => {
    const mine = { title: 'Brass sextant in a mahogany box', titleThere: (title: string) => title.slice(0, 13) }
    expect(compare({}, mine)).toEqual([])
    expect(compare({ title: 'Brass' }, mine)).toEqual([['title', 'open']])
  })

  it('takes a price that Hapax sent or the seller agreed to', () => {
    const rule = { price_minor: 9_900, currency: 'USD' }
    expect(compare({ price_minor: 9_900 }, { price: rule })).toEqual([])
    expect(compare({ price_minor: 9_500 }, { price: rule, listingPrice: { ...rule, price_minor: 9_500 } })).toEqual([])
    expect(compare({ price_minor: 9_400 }, { price: rule })).toEqual([['price', 'open']])
    expect(compare({ currency: 'EUR' })).toEqual([['price', 'open']])
  })

  it('ignores the price of an auction and a description that was not read', () => {
    expect(compare({ price_minor: 100, format: 'auction' })).toEqual([])
    expect(compare({ description: '', details_unread: true })).toEqual([])
    expect(compare({ description: '' })).toEqual([['description', 'open']])
  })

  it('takes the form in which a platform first shows what Hapax sent', () => {
    const own = { is_source: false, is_own: true }
    const images = ['https://i.example/there.jpg']
    expect(compare({ description: 'Old and fine. Condition: used.', images }, own)).toEqual([
      ['description', 'same'],
      ['photos', 'same'],
    ])
    const stored = { photos: { hash: hashOf('photos', images), state: 'same' as const } }
    expect(compare({ images }, { ...own, stored })).toEqual([])
    expect(compare({ images: ['https://i.example/other.jpg'] }, { ...own, stored })).toEqual([['photos', 'open']])
    expect(compare({ title: 'Sextant' }, own)).toEqual([['title', 'open']])
  })

  it('leaves fields alone that an update is sending', () => {
    expect(compare({ title: 'Sextant', images: ['https://i.example/2.jpg'] }, { sent: ['title', 'images'] })).toEqual(
      [],
    )
  })

  it('asks again only about another value', () => {
    const ignored = (title: string) => ({
      stored: { title: { hash: hashOf('title', title), state: 'ignored' as const } },
    })
    expect(compare({ title: 'Sextant' }, ignored('Sextant'))).toEqual([])
    expect(compare({ title: 'Sextant' }, ignored('Octant'))).toEqual([['title', 'open']])
    expect(compare({}, ignored('Octant'))).toEqual([['title', undefined]])
  })
})
