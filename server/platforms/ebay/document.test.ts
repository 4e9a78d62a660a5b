import { existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { completeOptions } from '#server/listings/complete-options.ts'
import { readPublished } from '../fake/published.ts'
import type { PublishRequest } from '../port.ts'
import { excerptOf } from '../testing/excerpt.ts'
import { checkExchange, type Exchange, watchFetch } from '../testing/watch-fetch.ts'
import type { EbayFake } from './fake/index.ts'
import { createEbayAdapter } from './index.ts'
import { client, startFake } from './testing/running-fake.ts'

const folder = '../shared/data/ebay-specs'
const documents = [
  [
    'sell_inventory_v1_oas3.json',
    '/sell/inventory/v1',
    [
      ...['createInventoryLocation', 'createOrReplaceInventoryItem', 'createOffer', 'getOffers', 'getOffer'],
      ...['updateOffer', 'publishOffer', 'withdrawOffer', 'bulkUpdatePriceQuantity'],
    ],
  ],
  [
    'sell_account_v1_oas3.json',
    '/sell/account/v1',
    ['getPaymentPolicies', 'getFulfillmentPolicies', 'getReturnPolicies'],
  ],
  [
    'commerce_taxonomy_v1_oas3.json',
    '/commerce/taxonomy/v1',
    ['getDefaultCategoryTreeId', 'getCategorySuggestions', 'getItemAspectsForCategory'],
  ],
  ['sell_fulfillment_v1_oas3.json', '/sell/fulfillment/v1', ['getOrders', 'getOrder']],
] as const

describe.skipIf(!existsSync(folder))("eBay's published documents (skipped where ../shared/data is absent)", () => {
  let fake: EbayFake
  let exchanges: Exchange[]
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

  it.each(documents)(
    '%s allows every request of the adapter, and every answer of the sandbox',
    (file, basePath, ids) => {
      const json: unknown = JSON.parse(readFileSync(`${folder}/${file}`, 'utf8'))
      // Aspects are said to be a string and are an object of lists.
      const document = readPublished(excerptOf([{ json, basePath }], ids, { loose: ['aspects'], answers: true }))
      const checked = exchanges
        .filter(({ path }) => path.startsWith(basePath))
        .map((exchange) => checkExchange(document, exchange))
      expect(checked.filter(({ faults }) => faults.length > 0)).toEqual([])
      expect(new Set(checked.map(({ operation }) => operation))).toEqual(new Set(ids))
    },
  )
})
