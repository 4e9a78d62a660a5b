import { describe, expect, it } from 'vitest'
import { type EarlierListing, matchRelisting } from './match-relisting.ts'

const found = {
  title: 'Amber glass vase',
  price_minor: 2_000,
  currency: 'USD',
  sku: null,
  images: ['https://i.ebayimg.com/images/g/AbC/s-l1600.jpg'],
}
const earlier = (given: Partial<EarlierListing> = {}): EarlierListing => ({
  ...{ ...found, isNamed: false, isLive: false, isSold: false },
  ...given,
})
const other = { images: ['https://i.ebayimg.com/images/g/XyZ/s-l1600.jpg'] }
const verdictOf = (...all: EarlierListing[]) => matchRelisting(found, all).verdict

describe('the listing that a new one replaces', () => {
  it.each<[string, EarlierListing[], string]>([
    ['named, with everything the same', [earlier({ isNamed: true })], 'one'],
    ['named, at another price', [earlier({ isNamed: true, price_minor: 9_000 })], 'one'],
    ['named, with new pictures', [earlier({ isNamed: true, ...other })], 'one'],
    ['named, with another title', [earlier({ isNamed: true, title: 'Vase' })], 'one'],
    ['named, with another title and picture', [earlier({ isNamed: true, title: 'Oak chair', ...other })], 'several'],
    ['named, and still live', [earlier({ isNamed: true, isLive: true })], 'several'],
    [
      'the template of a live listing',
      [earlier({ isNamed: true, isLive: true, title: 'Oak chair', ...other })],
      'none',
    ],
    ['the template of a sold one', [earlier({ isNamed: true, isSold: true, title: 'Oak chair', ...other })], 'none'],
    ['named, beside one that looks the same', [earlier({ isNamed: true }), earlier()], 'one'],
    ['the same, not named', [earlier()], 'one'],
    [
      'the same picture in another size',
      [earlier({ images: ['https://i.ebayimg.com/images/g/AbC/s-l500.jpg'] })],
      'one',
    ],
    ['two that are the same', [earlier(), earlier()], 'several'],
    ['at another price', [earlier({ price_minor: 1_500 })], 'several'],
    ['with other pictures', [earlier(other)], 'several'],
    ['without pictures', [earlier({ images: [] })], 'several'],
    ['with another title', [earlier({ title: 'Amber glass vase, tall' })], 'several'],
    ['another title and picture', [earlier({ title: 'Amber glass vase, tall', ...other })], 'none'],
    ['live, with other pictures', [earlier({ isLive: true, ...other })], 'none'],
    ['sold, with other pictures', [earlier({ isSold: true, ...other })], 'none'],
    ['live, with the same picture', [earlier({ isLive: true })], 'several'],
  ])('%s', (_, all, verdict) => {
    expect(verdictOf(...all)).toBe(verdict)
  })

  it('an equal SKU replaces a picture, another one is asked about', () => {
    const mine = { ...found, sku: 'V-12' }
    expect(matchRelisting(mine, [earlier({ sku: 'v 12', images: [] })]).verdict).toBe('one')
    expect(matchRelisting(mine, [earlier({ sku: 'V-13' })]).verdict).toBe('several')
  })
})
