import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { completeOptions } from '#server/listings/complete-options.ts'
import { drawPicture } from '../fake/picture.ts'
import { readPublished } from '../fake/published.ts'
import type { PublishRequest } from '../port.ts'
import { checkExchange, type Exchange, watchFetch } from '../testing/watch-fetch.ts'
import type { EtsyFake } from './fake/index.ts'
import { startFake } from './testing/running-fake.ts'

const folder = '../shared/data/etsy-specs'
const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : []

describe.skipIf(files.length === 0)(
  'Etsy’s published documents, on selling (skipped where ../shared/data is absent)',
  () => {
    let fake: EtsyFake
    const exchanges: Exchange[] = []
    beforeAll(async () => {
      const running = await startFake(
        { usual: false, shops: [{ shopName: 'DocDoraShop', listings: [] }] },
        {
          fetch: watchFetch(exchanges),
          fetchPicture: async (address) => ({ bytes: drawPicture(address, 1, address), type: 'image/png' }),
        },
      )
      fake = running.fake
      const access = running.accessOf('DocDoraShop')
      const port = running.adapter.listings!
      const item: PublishRequest = {
        externalKey: 'DOC-1-abcdefghijklm',
        sku: 'DOC-1',
        title: '1960s Women’s Dress',
        description: 'As the document wants it.',
        price_minor: 18_050,
        currency: 'USD',
        images: ['https://pictures.example.com/1.png', 'https://pictures.example.com/2.png'],
        condition: { label: 'Used', notes: '' },
        attributes: { category: 'Clothing:Dresses' },
        address: { full_name: 'Dora', line1: '1 Quay', city: 'Portland', postal_code: '04101', country: 'US' },
        options: {},
      }
      const { options } = completeOptions({}, {}, await port.choices(access, item))
      const step = async () => {}
      const { listing_id } = await port.publish(access, { ...item, options }, step)
      const externalKey = item.externalKey
      await port.findPublished(access, externalKey)
      await port.changePrice(access, { listing_id, externalKey, price_minor: 17_000, currency: 'USD' })
      await port.readState(access, listing_id)
      await port.withdraw(access, { listing_id, externalKey })
      await port.publish(access, { ...item, options, made: listing_id, repeated: true }, step)
      await port.publish(access, { ...item, options, currency: 'EUR', externalKey: 'DOC-2' }, step).catch(() => {})
    })
    afterAll(() => fake?.close())

    it.each(files)('%s allows every request of the adapter, and every answer of the sandbox', (file) => {
      const document = readPublished(JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')))
      const checked = exchanges.map((exchange) => {
        const { operation, faults } = checkExchange(document, exchange)
        // Not described: a listing's SKUs, and that what was not asked for is null (measured).
        return {
          operation,
          faults: faults.filter((fault) => !/\.(skus|images|videos) is (null|not known)$/.test(fault)),
        }
      })
      expect(checked.filter(({ faults }) => faults.length > 0)).toEqual([])
      expect(new Set(checked.map(({ operation }) => operation))).toEqual(
        new Set([
          ...['createDraftListing', 'uploadListingImage', 'updateListing', 'updateListingInventory', 'deleteListing'],
          ...['getListing', 'getListingsByShop', 'getListingInventory', 'getListingImages', 'getSellerTaxonomyNodes'],
          ...['getShopShippingProfiles', 'getShopReturnPolicies', 'getShopReadinessStateDefinitions'],
        ]),
      )
    })
  },
)
