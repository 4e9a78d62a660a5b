import { describe, expect, it } from 'vitest'
import { hintLine } from '../reading/hint.ts'
import { type ListingRow, matchLine } from './match-line.ts'

let made = 0
const listing = (given: Partial<ListingRow> = {}): ListingRow => ({
  listing_id: `m${++made}`,
  seller_account_uid: 'sel_1',
  item_uid: `inv_${made}`,
  state: 'available',
  price_minor: 3_000,
  currency: 'USD',
  sku: null,
  title: 'Striped knit sweater in blue and cream, soft and warm',
  description: '',
  size: null,
  is_recent: true,
  ...given,
})
const line = (given: Parameters<typeof hintLine>[0]) =>
  hintLine({
    title: 'Striped knit sweater in blue and cream, soft and warm',
    price_minor: 3_000,
    currency: 'USD',
    ...given,
  })
const idsOf = (found: ListingRow[]) => found.map(({ listing_id }) => listing_id)

describe('a line of a sale', () => {
  it('names its listing by id in any state, then by SKU, then by title', () => {
    const [one, two] = [listing({ state: 'removed' }), listing({ sku: 'A-1', title: 'Another' })]
    expect(matchLine(line({ listing_id: one.listing_id, sku: 'A-1' }), [one, two])).toEqual([one])
    expect(matchLine(line({ listing_id: 'm0', sku: 'a-1' }), [one, two])).toEqual([two])
    expect(matchLine(line({ sku: 'B-2' }), [listing({ sku: 'C' }), two])).toHaveLength(1)
  })

  it('names all listings that fit equally', () => {
    expect(matchLine(line({}), [listing(), listing()])).toHaveLength(2)
  })

  it('needs the whole title and the same price', () => {
    expect(matchLine(line({ title: 'Striped knit sweater' }), [listing()])).toEqual([])
    expect(matchLine(line({ price_minor: 2_999 }), [listing()])).toEqual([])
    expect(matchLine(line({ currency: 'GBP' }), [listing()])).toEqual([])
    expect(matchLine(line({ price_minor: null, currency: null }), [listing()])).toHaveLength(1)
    expect(
      matchLine(line({ title: 'STRIPED knit sweater in blue and cream, soft and warm' }), [listing()]),
    ).toHaveLength(1)
  })

  it('prefers live listings to those that were lately sold', () => {
    const [live, sold] = [listing(), listing({ state: 'sold' })]
    expect(matchLine(line({}), [live, sold])).toEqual([live])
    expect(matchLine(line({}), [sold])).toEqual([sold])
    expect(matchLine(line({}), [listing({ state: 'sold', is_recent: false }), listing({ state: 'removed' })])).toEqual(
      [],
    )
  })

  it('tells sizes apart where both are known', () => {
    const [small, medium] = [listing({ size: 'S' }), listing({ size: 'M' })]
    expect(idsOf(matchLine(line({ size: 's' }), [small, medium]))).toEqual([small.listing_id])
    expect(matchLine(line({ size: 'S' }), [listing()])).toHaveLength(1)
  })

  it('may name only a beginning of at least 15 characters', () => {
    const cut = (title: string, given: Partial<ListingRow> = {}) =>
      matchLine(line({ title, isCut: true }), [listing(given)])
    expect(cut('Striped knit sweater in blue and cream')).toHaveLength(1)
    expect(cut('Striped knit sw')).toHaveLength(1)
    expect(cut('Striped knit s')).toEqual([])
    expect(cut('Worn twice, smoke-free', { description: 'Worn twice, smoke-free home.' })).toHaveLength(1)
    expect(cut('Knit vest Worn twice', { title: 'Knit vest', description: 'Worn twice' })).toHaveLength(1)
  })
})
