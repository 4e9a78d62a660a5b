import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { randomFrom } from '#e2e/harness/campaigns/random.ts'
import { identifyItem, type Offer, type OfferedListing, type SoldThing } from './identify-item.ts'

const shop = 'sel_1'
const title = 'Pendleton wool shirt, plaid'
const thing = (given: Partial<SoldThing> = {}): SoldThing => ({
  ...{ listing_id: null, seller_account_uid: null, sku: null, title: null, isCut: false, size: null },
  ...{ price_minor: null, currency: null, sold_at: '2026-11-28T10:00:00.000Z' },
  ...given,
})
const live = (given: Partial<OfferedListing> = {}): OfferedListing => ({
  ...{ listing_id: 'known', seller_account_uid: shop, state: 'available', price_minor: 4_000, currency: 'USD' },
  ...{ for_sale_since: '2026-11-01T10:00:00.000Z', is_recent: true },
  ...given,
})
const offer = (given: Partial<Offer> = {}): Offer => ({
  ...{ item_uid: 'inv_1', skus: [], title, description: 'Warm.', size: null, price_minor: 4_000, currency: 'USD' },
  ...{ listing: live() },
  ...given,
})
const other = (given: Partial<Offer> = {}) =>
  offer({ item_uid: 'inv_2', title: 'Leather belt', listing: live({ listing_id: 'other' }), ...given })
const usd = (price_minor: number) => ({ price_minor, currency: 'USD' })
const unknown = { listing_id: 'unknown', seller_account_uid: shop }
const sku = 'A04'
const shelf = offer({ skus: [sku] })

/** The rows of docs/sold-items.md. `one` is the first offer. */
const cases: Record<string, [SoldThing, Offer[]]> = {
  'the id of a known listing, whatever else it tells': [
    thing({ listing_id: 'known', sku, title: 'Leather belt', ...usd(9_000) }),
    [offer(), other({ skus: [sku] })],
  ],
  'a SKU alone, and one item has it': [thing({ sku: 'a-04' }), [shelf, other()]],
  'a SKU, and the title agrees': [thing({ sku, title }), [shelf, other()]],
  'a SKU, and the title is another': [thing({ sku, title: 'Silk blouse' }), [shelf]],
  'a SKU, and the size is another': [thing({ sku, size: 'Medium' }), [offer({ skus: [sku], size: 'L' })]],
  'a SKU, and the title says another number': [
    thing({ sku, title: `${title} 28x30` }),
    [offer({ skus: [sku], listing: live({ state: 'removed' }) })],
  ],
  'a SKU of the same letters and digits in another order': [thing({ sku: '1-11' }), [offer({ skus: ['11-1'] })]],
  'a SKU, and the price is above the asking price': [thing({ sku, ...usd(4_001) }), [shelf]],
  'a SKU and an unknown listing, and the item has a live listing of its own in that shop': [
    thing({ sku, title, ...unknown }),
    [shelf],
  ],
  'a SKU and an unknown listing, and the item has a live listing of its own in another shop': [
    thing({ sku, ...unknown, seller_account_uid: 'sel_2' }),
    [shelf],
  ],
  'a SKU and an unknown listing, and the item was on sale in that shop before': [
    thing({ sku, title, ...unknown }),
    [offer({ skus: [sku], listing: live({ state: 'removed' }) })],
  ],
  'a SKU, and a file tells that its item was sold before': [
    thing({ sku, title }),
    [offer({ skus: [sku], listing: null, hasPastSale: true })],
  ],
  'a SKU that two items have': [thing({ sku }), [shelf, other({ skus: [sku] })]],
  'a SKU that two items have, and the title of one': [thing({ sku, title }), [shelf, other({ skus: [sku] })]],
  'the SKU of one item, and the title of another that is live there': [
    thing({ sku, title }),
    [offer(), other({ skus: [sku] })],
  ],
  'a title, and one live listing has it': [thing({ title }), [offer(), other()]],
  'a title, at less than the asking price': [thing({ title, ...usd(100) }), [offer()]],
  'a title, at more than the asking price': [thing({ title, ...usd(4_100) }), [offer()]],
  'a title in other letters and marks': [thing({ title: ' PENDLETON “wool” Shirt - plaid ' }), [offer()]],
  'a title with other numbers, signs or points': [
    thing({ title: 'Reading glasses +2.50' }),
    [offer({ title: 'Reading glasses -2.50' })],
  ],
  'a title that is like one, but not the same': [thing({ title: `${title} NWT` }), [offer()]],
  'a title that two live listings have': [
    thing({ title, ...usd(4_000) }),
    [offer(), other({ title, listing: live({ listing_id: 'other', price_minor: 5_000 }) })],
  ],
  'a title that two live listings have, and the size of one': [
    thing({ title, size: 'L' }),
    [offer({ size: 'Large' }), other({ title, size: 'S' })],
  ],
  'a title, and another size of the same number': [thing({ title, size: '34B' }), [offer({ size: '34D' })]],
  'a title that two live listings have, and more than one of them asks': [
    thing({ title, ...usd(4_500) }),
    [offer({ listing: live({ price_minor: 4_500 }) }), other({ title })],
  ],
  'a title, and its listing was seen as sold just now': [
    thing({ title }),
    [offer({ listing: live({ state: 'sold' }) })],
  ],
  'a title, and its listing was sold long ago': [
    thing({ title }),
    [offer({ listing: live({ state: 'sold', is_recent: false }) })],
  ],
  'a title, and its item is listed elsewhere only': [
    thing({ title, seller_account_uid: shop }),
    [offer({ listing: null })],
  ],
  'a title and the id of an unknown listing': [thing({ title, ...unknown }), [offer()]],
  'the beginning of a title, of 15 characters or more': [thing({ title: 'Pendleton wool sh', isCut: true }), [offer()]],
  'the beginning of a title, of fewer characters': [thing({ title: 'Pendleton', isCut: true }), [offer()]],
  'a whole title that is the beginning of a longer one': [
    thing({ title: 'Vintage Levis 501 Jeans Mens Straight Leg Blue' }),
    [offer({ title: 'Vintage Levis 501 Jeans Mens Straight Leg Blue Size 34x32' })],
  ],
  'a title of which a marketplace takes the first 80 characters': [
    thing({ title: `${title} ${'from the mill in Oregon '.repeat(3)}`.slice(0, 80) }),
    [offer({ title: `${title} ${'from the mill in Oregon '.repeat(3)}, with its box` })],
  ],
  'an order from before the listing was on sale': [
    thing({ sku, ...unknown, sold_at: '2026-10-01T10:00:00.000Z' }),
    [shelf],
  ],
  'nothing that any item has': [thing({ sku: 'B-9', title: 'Copper kettle' }), [offer(), other()]],
}

const rows = [...readFileSync('docs/sold-items.md', 'utf8').matchAll(/^\| (.+) \| (one|question|none) \|$/gm)]
const verdictOf = (given: [SoldThing, Offer[]]) => {
  const found = identifyItem(...given)
  return found.verdict === 'one' ? `one: ${found.offer.item_uid}` : found.verdict === 'several' ? 'question' : 'none'
}

describe('the table of evidence', () => {
  it.each(rows.map(([, report, verdict]) => [report!, verdict!]))('%s: %s', (report, verdict) => {
    expect(verdictOf(cases[report]!)).toBe(verdict === 'one' ? 'one: inv_1' : verdict)
  })

  it('has a row for each case', () => {
    expect(rows.map(([, report]) => report).sort()).toEqual(Object.keys(cases).sort())
  })
})

it('puts the likeliest candidate first, with what speaks against it', () => {
  const given = thing({ title, ...usd(4_000) })
  const dearer = other({ title, listing: live({ listing_id: 'other', price_minor: 5_000 }) })
  const belt = other({ item_uid: 'inv_3', skus: [sku] })
  expect(identifyItem(given, [dearer, offer()])).toMatchObject({
    candidates: [{ offer: { item_uid: 'inv_1' } }, { offer: { item_uid: 'inv_2' } }],
  })
  expect(identifyItem(thing({ sku, title: 'Silk blouse' }), [belt])).toMatchObject({
    candidates: [{ agrees: ['sku'], objections: ['title'] }],
  })
})

it('offers none that is only like the title where SKU and title are the same', () => {
  const alike = other({ title: `${title}, checked`.replace('wool', 'cotton') })
  const given = thing({ sku, title, size: 'M' })
  expect(identifyItem(given, [alike, offer({ skus: [sku], size: 'S' })])).toMatchObject({
    verdict: 'several',
    candidates: [{ offer: { item_uid: 'inv_1' } }],
  })
})

describe('two hundred sales', () => {
  const random = randomFrom(45)
  const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)]!
  const brands = ["Levi's", 'Pendleton', 'Coach', 'Nikon', 'Le Creuset', 'Fiesta', 'Dr. Martens', 'Ektachrome']
  const things = [
    'denim jacket',
    'wool shirt',
    'leather tote',
    'F3 camera body',
    'dutch oven 24 cm',
    'signed first edition',
  ]
  const marks = ['blue', 'brown', 'rust, 1970s', 'size M', 'with box', 'as is']
  const sizes = ['S', 'M', 'L', '8', null]
  const platforms = ['ebay', 'etsy', 'poshmark', 'mercari', 'depop'] as const
  const titles = brands.flatMap((brand) => things.flatMap((what) => marks.map((mark) => `${brand} ${what} ${mark}`)))

  /** An inventory of eight items with titles of their own, three of them on one shelf. */
  function inventory(): Offer[] {
    const chosen = new Set<string>()
    while (chosen.size < 8) chosen.add(pick(titles))
    return [...chosen].map((title, index) => {
      const price_minor = 1_000 + Math.floor(random() * 9_000)
      const skus = index < 3 ? ['SHELF-1'] : index < 6 ? [`SKU-${index}`] : []
      const listing = live({ listing_id: `listing-${index}`, price_minor })
      const own = { item_uid: `inv_${index}`, title, description: `${title}. Worn with care.` }
      return offer({ ...own, skus, size: pick(sizes), price_minor, listing })
    })
  }

  /** Reports of one sale as each marketplace tells it. */
  const told = (item: Offer, platform: (typeof platforms)[number]): SoldThing => {
    const paid = usd(Math.floor(item.listing!.price_minor * (0.6 + random() * 0.4)))
    const named = { title: item.title.toUpperCase().replace(/'/g, '’'), ...paid }
    if (platform === 'ebay' || platform === 'etsy') {
      return thing({
        listing_id: item.listing!.listing_id,
        seller_account_uid: shop,
        sku: item.skus[0] ?? null,
        ...named,
      })
    }
    if (platform === 'mercari') return thing({ listing_id: item.listing!.listing_id, ...named })
    if (platform === 'poshmark') return thing({ sku: item.skus[0] ?? null, size: item.size ?? 'OS', ...named })
    return thing({ ...paid, title: item.description.slice(0, 45), isCut: true, size: item.size })
  }

  /** Sales of things that Hapax cannot know, told so that they look like an item. */
  const traps: ((items: Offer[], platform: (typeof platforms)[number]) => [SoldThing, Offer[]])[] = [
    // A shelf's SKU on a thing that is not in the inventory.
    (items) => [thing({ ...unknown, sku: 'SHELF-1', title: 'Silk blouse, cream', ...usd(900) }), items],
    // Another copy, which is only known to the marketplace.
    (items) => [thing({ ...unknown, title: items[4]!.title, ...usd(900) }), items],
    // The same title in another size.
    (items) => [thing({ title: items[5]!.title, size: 'XXL' }), [...items.slice(0, 5), { ...items[5]!, size: 'S' }]],
    // A dearer copy, told by title or SKU.
    (items) => [thing({ title: items[6]!.title, ...usd(items[6]!.listing!.price_minor + 500) }), items],
    (items) => [thing({ sku: 'SKU-3', ...usd(items[3]!.listing!.price_minor + 1) }), items],
    // Two copies of one title.
    (items) => [
      thing({ title: items[0]!.title, ...usd(900) }),
      [...items, { ...items[0]!, item_uid: 'inv_9', skus: [] }],
    ],
    // One word differs.
    (items) => [thing({ sku: 'SKU-4', title: items[4]!.title.replace(/\S+$/, 'replica') }), items],
  ]

  it.each(Array.from({ length: 200 }, (_, index) => index))(
    'names no wrong item, and asks where it is unsure: %i',
    (index) => {
      const items = inventory()
      const platform = platforms[index % platforms.length]!
      if (index % 3 === 0) {
        const [report, offers] = traps[(index / 3) % traps.length]!(items, platform)
        expect(verdictOf([report, offers])).toBe('question')
      } else {
        const item = pick(items)
        const verdict = verdictOf([told(item, platform), items])
        expect(verdict).toBe(`one: ${item.item_uid}`)
      }
    },
  )
})
