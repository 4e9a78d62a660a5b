import { existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { completeOptions } from '#server/listings/complete-options.ts'
import type { PublishRequest } from '../port.ts'
import { readOpenApi, type SeenExchange, watchFetch } from '../testing/open-api.ts'
import type { EbayFake } from './fake/index.ts'
import { createEbayAdapter } from './index.ts'
import { client, startFake } from './testing/running-fake.ts'

const folder = '../shared/data/ebay-specs'
const documents = [
  ['sell_inventory_v1_oas3.json', '/sell/inventory/v1'],
  ['sell_account_v1_oas3.json', '/sell/account/v1'],
  ['commerce_taxonomy_v1_oas3.json', '/commerce/taxonomy/v1'],
  ['sell_fulfillment_v1_oas3.json', '/sell/fulfillment/v1'],
] as const

describe.skipIf(!existsSync(folder))("eBay's published documents (skipped where ../shared/data is absent)", () => {
  let fake: EbayFake
  let exchanges: SeenExchange[]
  beforeAll(async () => {
    exchanges = []
    const running = await startFake({ usual: false, sellers: [{ username: 'doc_dora', items: [] }] })
    fake = running.fake
    const adapter = createEbayAdapter({
      config: {
        EBAY_CLIENT_ID: client.clientId,
        EBAY_CLIENT_SECRET: client.clientSecret,
        EBAY_RU_NAME: client.ruName,
        EBAY_AUTH_URL: running.url,
        EBAY_API_URL: running.url,
        EBAY_APIZ_URL: running.url,
      },
      fetch: watchFetch(exchanges),
    })
    const access = running.accessOf('doc_dora')
    const port = adapter.listings!
    const item: PublishRequest = {
      externalKey: 'DOC-1-abcdefghijklm',
      sku: 'DOC-1',
      title: 'Nikon FM2 Film Camera',
      description: 'As the document wants it.',
      price_minor: 18_000,
      currency: 'USD',
      images: ['https://pictures.example.com/1.jpg'],
      condition: { label: 'Used', notes: 'Brassing.' },
      attributes: { brand: 'Nikon' },
      address: {
        full_name: 'Dora',
        line1: '1 Quay Street',
        line2: 'Flat 3',
        city: 'Portland',
        region: 'ME',
        postal_code: '04101',
        country: 'US',
      },
      options: {},
    }
    const { options } = completeOptions({}, {}, await port.choices(access, item))
    const step = async () => {}
    const { listing_id } = await port.publish(access, { ...item, options }, step)
    await port.publish(access, { ...item, options, price_minor: 17_500 }, step)
    const externalKey = item.externalKey
    await port.changePrice(access, { listing_id, externalKey, price_minor: 17_000, currency: 'USD' })
    await port.withdraw(access, { listing_id, externalKey })
    const again = await port.publish(access, { ...item, options }, step)
    const { orderId } = fake.world.buy(again.listing_id)
    await adapter.orders!.readChanged(access, {
      modifiedSince: new Date(Date.now() - 3_600_000).toISOString(),
      cursor: null,
    })
    await adapter.orders!.readOrder(access, orderId)
  })
  afterAll(() => fake?.close())

  it('allow every request of the adapter, and every answer of the sandbox', () => {
    const apis = documents.map(([file, basePath]) =>
      // Aspects are said to be a string and are an object of lists.
      readOpenApi(JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')), { basePath, loose: ['aspects'] }),
    )
    const checked = exchanges.flatMap(
      (seen) => apis.map((api) => api.check(seen)).find((found) => found !== null) ?? [],
    )
    expect(checked.filter(({ faults }) => faults.length > 0)).toEqual([])
    expect(new Set(checked.map(({ operationId }) => operationId))).toEqual(
      new Set([
        ...['createInventoryLocation', 'createOrReplaceInventoryItem', 'createOffer', 'getOffers', 'getOffer'],
        ...['updateOffer', 'publishOffer', 'withdrawOffer', 'bulkUpdatePriceQuantity'],
        ...['getPaymentPolicies', 'getFulfillmentPolicies', 'getReturnPolicies'],
        ...['getDefaultCategoryTreeId', 'getCategorySuggestions', 'getItemAspectsForCategory'],
        ...['getOrders', 'getOrder'],
      ]),
    )
  })
})
