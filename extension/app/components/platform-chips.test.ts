import { expect, it } from 'vitest'
import type { RowListing } from '#extension/storage/inventory-cache/row.ts'
import { chipsOf } from './platform-chips.tsx'

it('shows the marketplaces of every item in one order', () => {
  const listings = (['etsy', 'depop', 'ebay'] as const).map(
    (platform) => ({ platform, state: 'available' }) as RowListing,
  )
  const row = { listings, state: 'available' } as const
  const chips = chipsOf(row, [{ kind: 'list', platform: 'poshmark' }])
  expect(chips.map(({ platform }) => platform)).toEqual(['ebay', 'etsy', 'poshmark', 'depop'])
})
