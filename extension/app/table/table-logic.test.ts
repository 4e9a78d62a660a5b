import { describe, expect, it } from 'vitest'
import { listingsOf, livePlatforms, rowOf } from '#extension/storage/inventory-cache/row.ts'
import { sampleInventory, sampleItem } from '#extension/testing/sample-inventory.ts'
import { planBulk, uidsOf } from '../bulk/plan-bulk.ts'
import { toCsv } from '../common/csv.ts'
import { everything, filterRows, type SortBy, sortRows } from './filter-rows.ts'

const rows = sampleInventory(500).map((item) => rowOf(item, 1))

describe('filters', () => {
  it('"available, on eBay, not on Etsy" shows exactly those', () => {
    const found = filterRows(rows, { state: 'available', on: 'ebay', off: 'etsy' })
    const expected = rows.filter(
      (row) => row.state === 'available' && livePlatforms(row).includes('ebay') && !livePlatforms(row).includes('etsy'),
    )
    expect(expected.length).toBeGreaterThan(10)
    expect(found).toEqual(expected)
  })

  it('"listed nowhere" includes what has ended everywhere', () => {
    const found = filterRows(rows, { ...everything, on: 'nowhere' })
    expect(found.some((row) => row.listings.length > 0)).toBe(true)
    expect(found.every((row) => livePlatforms(row).length === 0)).toBe(true)
  })

  const day = 86_400_000
  const now = Date.parse('2026-11-27T00:00:00.000Z')
  const shelf = [
    { uid: 'coat', price_minor: 2_000, currency: 'USD', listed_at: now - 90 * day, brand: "Levi's", cost_minor: 0 },
    {
      uid: 'scarf',
      price_minor: 1_999,
      currency: 'USD',
      listed_at: now - 90 * day + 1,
      brand: 'LEVI’S',
      cost_minor: null,
    },
    { uid: 'vase', price_minor: 5_000, currency: 'JPY', listed_at: null, brand: null, cost_minor: null },
  ].map((given, n) => ({ ...rows[n]!, sku: n === 1 ? 'S-1' : null, category: n === 2 ? null : 'Coats', ...given }))

  it.each([
    ['a lowest price', { price_from: 20 }, ['coat', 'vase']],
    ['a highest price', { price_to: 20 }, ['coat', 'scarf']],
    ['both', { price_from: 19.99, price_to: 19.99 }, ['scarf']],
    ['days, which nothing unlisted has', { listed_days: 90 }, ['coat']],
    ['no days', { listed_days: 0 }, ['coat', 'scarf']],
    ['a brand, however it is written', { brand: ' levis' }, ['coat', 'scarf']],
    ['a category', { category: 'coats' }, ['coat', 'scarf']],
    ['a part of a brand', { brand: 'lev' }, []],
    ['a missing cost, which zero is not', { lacks: ['cost' as const] }, ['scarf', 'vase']],
    ['all that is missing', { lacks: ['cost' as const, 'sku' as const, 'brand' as const] }, ['vase']],
  ])('by %s', (_, filter, expected) => {
    expect(filterRows(shelf, filter, now).map(({ uid }) => uid)).toEqual(expected)
  })

  it('words and order work together', () => {
    const found = sortRows(filterRows(rows, { ...everything, query: 'coat' }), { by: 'price', down: true })
    const prices = found.map((row) => row.price_minor)
    expect(prices.length).toBeGreaterThan(10)
    expect(prices).toEqual([...prices].sort((one, other) => other - one))
  })
})

describe('order', () => {
  const attributes = [
    { size: '10', cost_minor: 900 },
    {},
    { size: '8', cost_minor: 2_000, storage_location: 'Shelf 2' },
  ]
  const dates = ['2026-11-01T00:00:00.000Z', '2026-10-01T00:00:00.000Z', undefined]
  const mixed = attributes.map((given, n) => {
    const item = sampleItem(0, { uid: `inv_${n}`, attributes: given })
    const [listing] = item.listings!
    return rowOf({ ...item, listings: [{ ...listing!, listed_at: dates[n] }] }, 1)
  })
  const order = (by: SortBy, down: boolean) => sortRows(mixed, { by, down }).map(({ uid }) => Number(uid.slice(4)))

  it.each([
    ['size', false, [2, 0, 1]],
    ['size', true, [0, 2, 1]],
    ['cost', true, [2, 0, 1]],
    ['location', false, [2, 0, 1]],
    ['listed', true, [1, 0, 2]],
    ['listed', false, [0, 1, 2]],
  ] as const)('by %s, down %s, ends with rows without a value', (by, down, expected) => {
    expect(order(by, down)).toEqual(expected)
  })

  it('counts the days of live listings only', () => {
    const item = sampleItem(0)
    const [listing] = item.listings!
    const listings = [
      { ...listing!, state: 'removed' as const, listed_at: '2026-01-01T00:00:00.000Z' },
      { ...listing!, state: 'available' as const, listed_at: '2026-11-01T00:00:00.000Z' },
    ]
    expect(rowOf({ ...item, listings }, 1).listed_at).toBe(Date.parse('2026-11-01T00:00:00.000Z'))
    expect(rowOf({ ...item, listings: listings.slice(0, 1) }, 1).listed_at).toBeNull()
  })
})

describe('the table of results', () => {
  const row = (n: number, state: 'available' | 'sold', on: ('ebay' | 'depop')[]) =>
    rowOf(
      sampleItem(n, {
        uid: `inv_${n}`,
        listings: on.map((platform) => ({
          platform,
          listing_id: `${n}`,
          url: 'https://www.ebay.com/itm/1',
          state: 'available' as const,
          price_minor: 1,
          currency: 'USD',
        })),
        record: { ...sampleItem(n).record, lifecycle: { version: '1', state, updated_at: new Date().toISOString() } },
      }),
      1,
    )
  const chosen = [row(1, 'available', ['ebay']), row(2, 'available', []), row(3, 'sold', ['depop'])]

  it('lists only available items that are not there yet', () => {
    const plan = planBulk('list', chosen, ['ebay', 'depop'])
    expect(plan).toEqual({
      left_out: 1,
      platforms: [
        { platform: 'ebay', doing: ['inv_2'], already: 1 },
        { platform: 'depop', doing: ['inv_1', 'inv_2'], already: 0 },
      ],
    })
    expect(uidsOf(plan, ['ebay', 'depop']).sort()).toEqual(['inv_1', 'inv_2'])
  })

  it('takes down every live listing, sold or not', () => {
    const plan = planBulk('delist', chosen, ['ebay', 'depop'])
    expect(plan.platforms.map((one) => one.doing)).toEqual([['inv_1'], ['inv_3']])
    expect(plan.left_out).toBe(0)
  })
})

describe('the CSV file', () => {
  it.each(['=HYPERLINK("http://evil.test")', '+1', '-2+3', '@SUM(A1)', '\t=1', '\r=1', ' =1', '＝1'])(
    'has %j as text, not as a formula',
    (title) => expect(toCsv([[title]])).toContain(`"'${title.replaceAll('"', '""')}"`),
  )
})

describe('where an item is live', () => {
  it('is what its listings say', () => {
    const item = sampleItem(0)
    item.listings![0]!.state = 'removed'
    expect(livePlatforms({ listings: listingsOf(item) })).toEqual(['poshmark'])
  })

  it('uses the item’s state when the server sends no listing state', () => {
    const item = sampleItem(0, { listings: undefined })
    expect(livePlatforms({ listings: listingsOf(item) })).toEqual(['ebay'])
    item.record.lifecycle.state = 'sold'
    expect(livePlatforms({ listings: listingsOf(item) })).toEqual([])
  })
})
