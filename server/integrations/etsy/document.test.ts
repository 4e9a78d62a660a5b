import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { edgeCases } from '#server/sandbox/etsy/edge-cases.ts'
import { type Published, readPublished } from '#server/sandbox/kit/published.ts'
import { client, startEtsySandbox } from './testing/etsy-sandbox.ts'

/*
 * Checks the Etsy sandbox and the adapter against Etsy's published documents: every request is allowed and every answer
 * is described.
 */
const data = new URL('../../../../shared/data/etsy-specs/', import.meta.url)
const files = existsSync(data) ? readdirSync(data).filter((name) => name.endsWith('.json')) : []

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

describe.skipIf(files.length === 0)('Etsy’s published documents (skipped where ../shared/data is absent)', () => {
  describe.each(files.length === 0 ? ['absent'] : files)('%s', (name) => {
    const read = (): Published => readPublished(JSON.parse(readFileSync(new URL(name, data), 'utf8')))

    it('allow every request of the adapter', async () => {
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

    it('describe every answer of the sandbox', async () => {
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
    ])('refuse GET %s?%s: %s', (path, query, fault) => {
      const document = read()
      expect(document.checkRequest({ method: 'GET', path, query: new URLSearchParams(query) })).toEqual([fault])
    })

    it('require the same scopes as the sandbox', () => {
      const document = read()
      expect(document.scopesOf('getListingsByShop')).toEqual(['listings_r'])
      expect(document.scopesOf('getListingInventory')).toEqual(['listings_r'])
      expect(document.scopesOf('getMe')).toEqual(['shops_r'])
      for (const open of ['getListing', 'getShop', 'getListingsByListingIds', 'getListingImages']) {
        expect(document.scopesOf(open)).toEqual([])
      }
    })
  })
})
