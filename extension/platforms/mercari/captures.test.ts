import { describe, expect, it } from 'vitest'
import {
  capturesIn,
  parseItemAnswer,
  readEntry,
  readItem,
  readText,
  searchEntries,
} from '#extension/testing/captured.ts'
import type { Listing } from '#shared/listing.ts'
import { parseItemElements, parseList, parseListLinks } from './parse.ts'

const folder = new URL('./fixtures/captured/', import.meta.url)
const items = capturesIn<Listing>(folder)
const sellerOf = ({ seller_url }: Listing) => /\/u\/(\d+)\//.exec(seller_url ?? '')![1]!

describe('pages and answers shaped like captures of Mercari', () => {
  it.each(items)('$name: exactly the expected fields', ({ text, expected }) => {
    const listing = readItem(text, expected.listing_id, sellerOf(expected), expected.state)
    expect(JSON.parse(JSON.stringify(listing))).toEqual(expected)
  })

  it.each(items.filter(({ name }) => name.endsWith('.html')))(
    '$name without its state: elements only',
    ({ text, expected }) => {
      const shown = parseItemElements(text.replace('__NEXT_DATA__', 'gone'), expected.listing_id)
      expect(shown).toMatchObject({
        title: expected.title,
        price: `$${(expected.price_minor / 100).toFixed(2)}`,
        description: expected.description,
        condition: expected.condition,
        brand: expected.brand,
        images: expected.images,
        sold: false,
      })
    },
  )

  it.each([
    ['search-clothing.json', ['on_sale', 'on_sale']],
    ['search-with-sold.json', ['on_sale', 'on_sale', 'trading']],
  ])('%s: list entries', (name, statuses) => {
    const entries = searchEntries(readText(folder, name))
    expect(entries.map((entry) => entry.status)).toEqual(statuses)
    for (const entry of entries) {
      expect(() => readEntry(entry, false)).toThrow('page changed: description')
      expect(readEntry(entry, true)).toMatchObject({
        title: entry.name,
        price_minor: entry.price,
        state: entry.status === 'on_sale' ? 'available' : 'sold',
        images: [expect.stringContaining(`/photos/${entry.id}_1.jpg`)],
        condition: expect.any(String),
        category: expect.stringContaining(' > '),
      })
    }
  })

  it('search-rendered-cards.html: the linked items, in order', () => {
    const links = parseListLinks(readText(folder, 'search-rendered-cards.html'))
    expect(links).toEqual(['m47990696376', 'm66065494201'])
  })

  it.each(['japan-item.json', 'japan-items.json', 'japan-search.json'])('%s: ignores Mercari Japan', (name) => {
    const text = readText(folder, name)
    expect([parseItemAnswer(text), parseList(text)]).toEqual([null, null])
  })
})
