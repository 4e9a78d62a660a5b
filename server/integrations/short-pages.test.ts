import { describe, expect, it } from 'vitest'
import type { ListingFailure } from '#shared/listing.ts'
import type { Trading } from './ebay/client.ts'
import { createSellerList } from './ebay/read/seller-list.ts'
import type { Etsy } from './etsy/client.ts'
import { createListings } from './etsy/read/listings.ts'
import type { ShopAccess } from './port.ts'

const access: ShopAccess = {
  accessToken: 'token',
  shop: { external_id: '1', external_name: 'shop', url: 'https://shop.test/' } as ShopAccess['shop'],
}

describe('a page of eBay listings', () => {
  const readPage = (items: number, count: number, page = 1) => {
    const trading = (async () => ({
      PaginationResult: { TotalNumberOfEntries: String(count) },
      ItemArray: { Item: Array.from({ length: items }, (_, n) => ({ ItemID: String(n + 1) })) },
    })) as unknown as Trading
    return createSellerList(trading).readPage(access, { window: 'active', at: new Date().toISOString(), page })
  }

  it('is short if it has fewer listings than the count implies', async () => {
    expect((await readPage(8, 22)).short).toEqual({ missing: 14, count: 22 })
    expect((await readPage(197, 450, 2)).short).toEqual({ missing: 3, count: 450 })
  })

  it('is complete if it has all of them', async () => {
    expect((await readPage(22, 22)).short).toBeNull()
    expect((await readPage(200, 450, 2)).short).toBeNull()
    expect((await readPage(50, 450, 3)).short).toBeNull()
    expect((await readPage(0, 0)).short).toBeNull()
  })
})

describe('a page of Etsy listings', () => {
  const failuresOf = async (shown: number, count: number): Promise<ListingFailure[]> => {
    const results = Array.from({ length: shown }, (_, n) => ({ listing_id: n + 1 }))
    const etsy = (async (_: unknown, schema: { parse(value: unknown): unknown }) =>
      schema.parse({ count, results })) as unknown as Etsy
    const page = await createListings(etsy).readPage(access, { states: ['active'], cursor: null })
    return page.failures.filter(({ listing_id }) => listing_id === 'shop:total')
  }

  it('fails if it has fewer listings than the count implies', async () => {
    expect(await failuresOf(8, 22)).toMatchObject([
      { error_code: 'page_changed', error_message: "8 of 22 listings could be read; Etsy's answers changed." },
    ])
  })

  it('is complete if it has all of them', async () => {
    expect(await failuresOf(22, 22)).toEqual([])
    expect(await failuresOf(0, 0)).toEqual([])
  })
})
