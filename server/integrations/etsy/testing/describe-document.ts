import { afterEach, describe, expect, it } from 'vitest'
import { edgeCases } from '#server/sandbox/etsy/edge-cases.ts'
import { plainListing, plainProduct } from '#server/sandbox/etsy/listing.ts'
import type { Published } from '#server/sandbox/kit/published.ts'
import { client, startEtsySandbox } from './etsy-sandbox.ts'

/**
 * Checks the Etsy sandbox and the adapter against a published document of Etsy: every request is allowed and every
 * answer is described.
 */
export function describeDocument(name: string, read: () => Published): void {
  const closing: (() => unknown)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
  })

  /** Starts a sandbox with one listing, to be bought. */
  async function startWithListing(document?: Published) {
    const listing = plainListing({ listingId: 101, products: [plainProduct({ quantity: 500, sku: 'A' })] })
    const running = await startEtsySandbox({
      usual: false,
      shops: [{ shopName: 'DocDinaShop', listings: [listing] }],
      document,
    })
    closing.push(() => running.sandbox.close())
    return running
  }

  describe(`${name}, on listings`, () => {
    it('allows every request of the adapter', async () => {
      const running = await startEtsySandbox({ document: read() })
      closing.push(() => running.sandbox.close())
      const access = running.accessOf('VintageVeraShop')
      const { imports, oauth } = running.adapter
      await oauth.identify(access.accessToken)
      let cursor: string | null = null
      do {
        const page = await imports.readPage(access, { states: imports.states, cursor })
        cursor = page.nextCursor
      } while (cursor !== null)
      await imports.readOne(access, String(edgeCases.emoji))
      const newest = running.sandbox.market.listingsOf(31_000_001).find(({ state }) => state === 'active')!
      running.sandbox.market.change(newest.listingId, { failures: 'always' })
      await imports.readPage(access, { states: ['active'], cursor: null })
      expect(running.sandbox.violations).toEqual([])
      for (const call of [
        'getMe',
        'getShop',
        'getListingsByShop',
        'getListing',
        'getListingsByListingIds',
        'getSellerTaxonomyNodes',
      ]) {
        expect(running.sandbox.faults.count(call), call).toBeGreaterThan(0)
      }
    })

    it('describes every answer of the sandbox', async () => {
      const document = read()
      const { sandbox, url } = await startEtsySandbox()
      closing.push(() => sandbox.close())
      const authorization = `Bearer ${sandbox.grant('VintageVeraShop').access_token}`
      const faultsAt = async (operation: string, path: string, key = `${client.clientId}:${client.clientSecret}`) => {
        const response = await fetch(`${url}/v3/application${path}`, { headers: { 'x-api-key': key, authorization } })
        return document.checkAnswer(operation, response.status, await response.json())
      }
      const includes = 'includes=Images,Shop'
      // Measured: Etsy sends null for videos that were not requested, where the document has a list.
      const measured = (faults: string[]) => faults.filter((fault) => !/\.videos is null$/.test(fault))
      for (const state of ['active', 'inactive', 'draft', 'sold_out', 'expired']) {
        const path = `/shops/31000001/listings?state=${state}&limit=100&${includes}`
        expect(measured(await faultsAt('getListingsByShop', path)), state).toEqual([])
      }
      for (const id of [edgeCases.entities, edgeCases.oneOfTwoProductsLeft, edgeCases.drafts[1]]) {
        expect(measured(await faultsAt('getListing', `/listings/${id}?${includes}`))).toEqual([])
        expect(await faultsAt('getListingInventory', `/listings/${id}/inventory`)).toEqual([])
        expect(await faultsAt('getListingImages', `/listings/${id}/images`)).toEqual([])
      }
      const batch = `/listings/batch?listing_ids=${edgeCases.emoji},${edgeCases.noPicture}&${includes}`
      expect(measured(await faultsAt('getListingsByListingIds', batch))).toEqual([])
      expect(await faultsAt('getMe', '/users/me')).toEqual([])
      expect(await faultsAt('getShop', '/shops/31000001')).toEqual([])
      expect(await faultsAt('getSellerTaxonomyNodes', '/seller-taxonomy/nodes')).toEqual([])
      expect(await faultsAt('getListing', '/listings/1')).toEqual([])
      expect(await faultsAt('getListingsByShop', '/shops/31000002/listings')).toEqual([])
      expect(await faultsAt('getListingsByShop', '/shops/31000001/listings?limit=101')).toEqual([])
    })

    it.each([
      ['/v3/application/shops/1/listings', 'limit=101', 'limit is above 100'],
      ['/v3/application/shops/1/listings', 'state=sold', 'state is "sold"'],
      ['/v3/application/shops/1/listings', 'includes=Pictures', 'includes.0 is "Pictures"'],
      ['/v3/application/shops/1/listings', 'page=2', 'page is no parameter of getListingsByShop'],
      ['/v3/application/shops/0/listings', '', 'shop_id is below 1'],
      ['/v3/application/listings/batch', '', 'listing_ids is missing'],
    ])('refuses GET %s?%s: %s', (path, query, fault) => {
      const document = read()
      expect(document.checkRequest({ method: 'GET', path, query: new URLSearchParams(query) })).toEqual([fault])
    })

    it('requires the same scopes as the sandbox', () => {
      const document = read()
      expect(document.scopesOf('getListingsByShop')).toEqual(['listings_r'])
      expect(document.scopesOf('getListingInventory')).toEqual(['listings_r'])
      expect(document.scopesOf('getMe')).toEqual(['shops_r'])
      for (const open of ['getListing', 'getShop', 'getListingsByListingIds', 'getListingImages']) {
        expect(document.scopesOf(open)).toEqual([])
      }
    })
  })

  describe(`${name}, on orders`, () => {
    it('allows every request of the adapter', async () => {
      const { sandbox, adapter, accessOf } = await startWithListing(read())
      const access = accessOf('DocDinaShop')
      const ids = Array.from({ length: 130 }, () => sandbox.market.buy(101).receiptId)
      let cursor: string | null = null
      do {
        const page = await adapter.orders!.readChanged(access, { modifiedSince: '1970-01-01T00:00:00Z', cursor })
        cursor = page.nextCursor
      } while (cursor !== null)
      for (const orderedSince of [null, '2026-01-01T00:00:00Z']) {
        await adapter.orders!.readAgain!(access, { orderedSince, cursor: null })
      }
      await adapter.orders!.readOrder(access, String(ids[0]))
      expect(sandbox.violations).toEqual([])
      expect(sandbox.faults.count('getShopReceipts')).toBeGreaterThan(1)
      expect(sandbox.faults.count('getShopReceipt')).toBe(1)
    })

    it('describes every answer of the sandbox', async () => {
      const document = read()
      const { sandbox, url } = await startWithListing()
      const { market } = sandbox
      const ids = Array.from({ length: 5 }, (_, index) => market.buy(101, { paid: index > 0 }).receiptId)
      market.ship(ids[1]!)
      market.cancel(ids[2]!)
      market.refund(ids[3]!)
      market.refund(ids[4]!, 100)
      const authorization = `Bearer ${sandbox.grant('DocDinaShop').access_token}`
      const headers = { 'x-api-key': `${client.clientId}:${client.clientSecret}`, authorization }
      const faultsAt = async (operation: string, path: string) => {
        const response = await fetch(`${url}/v3/application/shops${path}`, { headers })
        const faults = document.checkAnswer(operation, response.status, await response.json())
        // Measured: Etsy's statuses begin with a capital, unlike the document's.
        return faults.filter((fault) => !/\.status is "[A-Z]/.test(fault))
      }
      const shop = `/${market.shopNamed('DocDinaShop')!.shopId}`
      expect(await faultsAt('getShopReceipts', `${shop}/receipts?sort_on=updated&sort_order=asc`)).toEqual([])
      for (const id of ids) expect(await faultsAt('getShopReceipt', `${shop}/receipts/${id}`)).toEqual([])
      expect(await faultsAt('getShopReceipt', `${shop}/receipts/1`)).toEqual([])
      expect(await faultsAt('getShopReceipts', `${shop}/receipts?limit=101`)).toEqual([])
      expect(await faultsAt('getShopReceipts', '/1/receipts')).toEqual([])
      expect(document.scopesOf('getShopReceipts')).toEqual(['transactions_r'])
      expect(document.scopesOf('getShopReceipt')).toEqual(['transactions_r'])
    })

    it.each(['min_last_modified=5', 'limit=101', 'sort_on=modified', 'sort_order=newest', 'since=1', 'was_paid=maybe'])(
      'refuses a list with %s, as the sandbox does',
      async (query) => {
        const path = '/v3/application/shops/31000001/receipts'
        expect(read().checkRequest({ method: 'GET', path, query: new URLSearchParams(query) })).toHaveLength(1)
        const { sandbox, url } = await startWithListing()
        const authorization = `Bearer ${sandbox.grant('DocDinaShop').access_token}`
        const headers = { 'x-api-key': `${client.clientId}:${client.clientSecret}`, authorization }
        expect((await fetch(`${url}${path}?${query}`, { headers })).status).toBe(400)
      },
    )
  })
}
