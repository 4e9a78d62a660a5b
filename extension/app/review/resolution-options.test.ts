import { describe, expect, it } from 'vitest'
import { inventoryItem } from '#extension/testing/inventory-item.ts'
import { sampleListing } from '#extension/testing/sample-listing.ts'
import type { ConflictType, ImportItem } from '#shared/contract/catalog/imports.ts'
import type { Availability } from '#shared/item/inventory-record.ts'
import type { ListingState } from '#shared/listing.ts'
import { compareRows } from './compare-rows.ts'
import { resolutionOptions } from './resolution-options.ts'

/** A conflict of a listing in state `theirs` with an item in state `mine`. */
function conflict(type: ConflictType, theirs: ListingState, mine: Availability) {
  const listing = sampleListing(1, { state: theirs, sku: 'A-1' })
  const item = inventoryItem('ebay', sampleListing(2, { sku: 'A-1' }))
  item.record.lifecycle.state = mine
  const { listing_id, title } = listing
  return {
    item: {
      conflict_type: type,
      conflict_details: 'Why.',
      external_listing_id: listing_id,
      external_sku: 'A-1',
      listing_title: title,
      listing_price: '10.01',
    } as ImportItem,
    listing,
    since: null as ListingState | null,
    url: listing.url,
    mine: item,
  }
}

const labels = (comparison: Parameters<typeof resolutionOptions>[0]) => {
  const { main, other } = resolutionOptions(comparison, 'poshmark')
  return [main, other].map((option) => option && [option.resolution, option.label])
}

describe('the buttons of a conflict', () => {
  it('takes an item that sold there down everywhere by default', () => {
    for (const type of ['sold_elsewhere', 'possible_duplicate'] as const) {
      expect(labels(conflict(type, 'sold', 'available'))).toEqual([
        ['overwrite', 'conflict.sold'],
        ['link_existing', 'conflict.link_on_offer'],
      ])
    }
  })

  it('says that linking a sold listing sells the item', () => {
    for (const type of ['duplicate_sku', 'possible_duplicate'] as const) {
      expect(labels({ ...conflict(type, 'sold', 'available'), since: 'sold' })).toEqual([
        ['link_existing', 'conflict.same_sold'],
        ['overwrite', 'conflict.overwrite_sold'],
      ])
    }
  })

  it.each(['reserved', 'withdrawn'] as const)('what is %s here is not said to be on offer', (mine) => {
    expect(labels(conflict('sold_elsewhere', 'sold', mine))).toEqual([
      ['overwrite', 'conflict.sold'],
      ['link_existing', 'conflict.link_as_it_is'],
    ])
  })

  it.each(['available', 'reserved'] as const)(
    'a listing that is %s, of a thing that is sold, is said to come down, whichever way it is joined',
    (theirs) => {
      for (const type of ['sold_elsewhere', 'possible_duplicate'] as const) {
        expect(labels(conflict(type, theirs, 'sold'))).toEqual([
          ['link_existing', 'conflict.link_down'],
          ['overwrite', 'conflict.overwrite_down'],
        ])
      }
    },
  )

  it.each([
    ['duplicate_sku', 'available', 'available'],
    ['possible_duplicate', 'removed', 'sold'],
    ['duplicate_sku', 'sold', 'sold'],
  ] as const)('%s, %s there and %s here: nothing comes down, and nothing is said to', (type, theirs, mine) => {
    expect(labels(conflict(type, theirs, mine))).toEqual([
      ['link_existing', 'conflict.link'],
      ['overwrite', 'conflict.overwrite'],
    ])
  })

  it('offers no link without an item to compare with', () => {
    expect(labels({ ...conflict('missing_sku', 'available', 'available'), mine: null })).toEqual([null, null])
  })
})

describe('the buttons for a listing that the item already has', () => {
  /** The same conflict, the listing being one of the item's own. */
  function attached(...args: Parameters<typeof conflict>) {
    const comparison = conflict(...args)
    const { listing_id, url, price_minor, currency } = comparison.listing
    comparison.mine.listings!.push({
      platform: 'poshmark',
      listing_id,
      url,
      state: 'available',
      price_minor: price_minor + 500,
      currency,
    })
    return comparison
  }

  it('offers to keep or adopt a changed price', () => {
    expect(labels(attached('price_mismatch', 'available', 'available'))).toEqual([
      ['link_existing', 'conflict.keep_price'],
      ['overwrite', 'conflict.take_over'],
    ])
  })

  it.each([
    ['sold', 'available', 'conflict.sold', 'conflict.keep_on_offer'],
    ['sold', 'withdrawn', 'conflict.sold', 'conflict.keep_as_it_is'],
    ['available', 'sold', 'conflict.down', 'conflict.overwrite_down'],
  ] as const)('%s there and %s here, there is nothing to link either', (theirs, mine, main, other) => {
    expect(labels(attached('sold_elsewhere', theirs, mine)).map((option) => option?.[1])).toEqual([main, other])
  })

  it.each([
    // The item of these conflicts is live on eBay.
    ['possible_duplicate', 'available', 'ebay', true],
    ['duplicate_sku', 'available', 'ebay', true],
    ['possible_duplicate', 'reserved', 'ebay', true],
    ['possible_duplicate', 'available', 'etsy', false],
    ['possible_duplicate', 'removed', 'ebay', false],
    ['possible_duplicate', 'sold', 'ebay', false],
  ] as const)('knows two live listings on one platform: %s, %s on %s: %s', (type, theirs, platform, isTwin) => {
    expect(resolutionOptions(conflict(type, theirs, 'available'), platform).isTwin ?? false).toBe(isTwin)
  })

  it('takes an ended listing of the item there for no second one', () => {
    const one = conflict('possible_duplicate', 'available', 'available')
    for (const listing of one.mine.listings ?? []) listing.state = 'removed'
    expect(resolutionOptions(one, 'ebay').isTwin).toBeUndefined()
    expect(
      resolutionOptions({ ...conflict('possible_duplicate', 'available', 'available'), since: 'removed' }, 'ebay')
        .isTwin,
    ).toBeUndefined()
  })

  it('offers no second item, which the server would refuse', () => {
    expect(resolutionOptions(attached('price_mismatch', 'available', 'available'), 'poshmark').canSeparate).toBe(false)
    expect(resolutionOptions(attached('sold_elsewhere', 'sold', 'available'), 'poshmark').canSeparate).toBe(false)
    expect(resolutionOptions(conflict('sold_elsewhere', 'sold', 'available'), 'poshmark').canSeparate).toBe(true)
    expect(
      resolutionOptions({ ...conflict('quantity_above_one', 'available', 'available'), mine: null }, 'poshmark')
        .canSeparate,
    ).toBe(true)
  })
})

describe('the states of both sides', () => {
  const stateRow = (theirs: ListingState, mine: Availability) =>
    compareRows(conflict('sold_elsewhere', theirs, mine), 'Poshmark').find(({ name }) => name === 'state')

  it.each([
    ['sold', 'available', 'Sold', 'Available', true],
    ['available', 'sold', 'Available', 'Sold', true],
    ['sold', 'sold', 'Sold', 'Sold', false],
    // Two words for one thing: it is not on offer.
    ['removed', 'withdrawn', 'Paused', 'Paused', false],
  ] as const)('%s there and %s here', (theirs, mine, says, saysMine, differs) => {
    expect(stateRow(theirs, mine)).toEqual({ name: 'state', theirs: says, mine: saysMine, differs })
  })

  it('show a listing without stock as withdrawn', () => {
    const sought = conflict('possible_duplicate', 'available', 'sold')
    sought.listing.quantity = 0
    expect(compareRows(sought, 'Poshmark').find(({ name }) => name === 'state')).toMatchObject({ theirs: 'Paused' })
    expect(resolutionOptions(sought, 'poshmark').main?.label).toBe('conflict.link')
  })
})

describe('where both sides are live', () => {
  const live = (comparison: Parameters<typeof compareRows>[0]) => {
    const row = compareRows(comparison, 'Poshmark').find(({ name }) => name === 'live')
    return [row?.theirs, row?.mine]
  }

  it('links to the listing unless it has ended', () => {
    const seen = conflict('duplicate_sku', 'available', 'available')
    expect(live(seen)).toEqual(['Poshmark', 'eBay'])
    expect(live({ ...seen, since: 'sold' })).toEqual(['Nowhere', 'eBay'])
    expect(live(conflict('sold_elsewhere', 'sold', 'available'))).toEqual(['Nowhere', 'eBay'])
    expect(live({ ...seen, listing: null })).toEqual([null, 'eBay'])
  })

  it('does not count listings that were taken down', () => {
    const seen = conflict('duplicate_sku', 'available', 'available')
    seen.mine.listings![0]!.state = 'removed'
    expect(live(seen)).toEqual(['Poshmark', 'Nowhere'])
  })
})
