import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEtsy } from '#server/integrations/etsy/client.ts'
import { ping } from '#server/integrations/etsy/ping.ts'
import { client, type RunningEtsySandbox, startEtsySandbox } from '#server/integrations/etsy/testing/etsy-sandbox.ts'
import { createExchange } from '#server/integrations/http.ts'
import type { PublishRequest } from '#server/integrations/port.ts'
import { type Exchange, watchFetch } from '#server/integrations/testing/watch-fetch.ts'
import { edgeCases } from '#server/sandbox/etsy/edge-cases.ts'
import type { EtsySandbox } from '#server/sandbox/etsy/index.ts'
import { drawPicture } from '#server/sandbox/kit/picture.ts'
import { completeOptions } from '#server/selling/listings/preflight/complete-options.ts'
import type { ListingOptions } from '#shared/contract/selling/listings.ts'
import { documentedApis } from './calls.ts'
import { readKept } from './keep.ts'
import { type CheckedExchange, createChecker } from './testing/check-exchanges.ts'
import { collectSent, keptSent } from './testing/kept-sent.ts'
import { undocumentedReads } from './testing/undocumented-reads.ts'

/*
 * Checks every call of the Etsy adapter against Etsy's published document. When the adapter sends something new,
 * `UPDATE_DOCUMENTS=1 npm run vitest -- --project server e2e/lab/documents` updates sent.json.
 */
let sandbox: EtsySandbox
let checked: CheckedExchange[]
const exchanges: Exchange[] = []
beforeAll(async () => {
  const watched = watchFetch(exchanges)
  const running = await startEtsySandbox(
    {
      shops: [
        { shopName: 'DocDoraShop', listings: [] },
        { shopName: 'PartneredPennyShop', listings: [] },
        { shopName: 'CalculatedCarlShop', listings: [] },
      ],
    },
    {
      fetch: watched,
      fetchPicture: async (address) => ({ bytes: await drawPicture(address, 1, address), type: 'image/png' }),
    },
  )
  sandbox = running.sandbox
  const exchange = createExchange({ platform: 'etsy', fetch: watched, way: 'etsy' })
  await ping(createEtsy({ ...client, apiUrl: running.url, sharedSecret: client.clientSecret, exchange }))
  await sell(running)
  await readShop(running)
  const { loose } = documentedApis.etsy
  const check = createChecker(readKept('etsy'), loose)
  checked = await Promise.all(exchanges.map(check))
})
afterAll(() => sandbox?.close())

const step = async () => {}
const item: PublishRequest = {
  externalKey: 'DOC-1-abcdefghijklm',
  sku: 'DOC-1',
  title: '1960s Women’s Dress',
  description: 'Valid by the document.',
  price_minor: 18_050,
  currency: 'USD',
  images: ['https://pictures.example.com/1.png', 'https://pictures.example.com/2.png'],
  condition: { label: 'Used', notes: '' },
  attributes: {
    category: 'Clothing:Dresses',
    material: 'cotton, silk',
    weight_grams: 900,
    parcel: { length_mm: 200, width_mm: 150, height_mm: 100 },
  },
  address: { full_name: 'Dora', line1: '1 Quay', city: 'Portland', postal_code: '04101', country: 'US' },
  options: {},
}

/** Lists, changes, ends, relists, discards and sells items. */
async function sell({ adapter, accessOf }: RunningEtsySandbox): Promise<void> {
  const port = adapter.listings!
  const access = accessOf('DocDoraShop')
  const { options } = completeOptions({}, {}, await port.choices(access, item))
  const whole = { ...item, options }
  const { listing_id } = await port.publish(access, whole, step)
  const { externalKey } = item
  await port.findPublished(access, externalKey)
  await port.changePrice(access, { listing_id, externalKey, price_minor: 17_000, currency: 'USD' })
  const fields = ['title', 'description', 'images'] as const
  await port.updateContent(access, { listing_id, externalKey }, { ...item, fields, price: null })
  await port.readState(access, listing_id)
  await port.withdraw(access, { listing_id, externalKey })
  await port.publish(access, { ...whole, made: listing_id, repeated: true }, step)
  // The shop has another currency, so the draft is removed again.
  await expect(port.publish(access, { ...whole, currency: 'EUR', externalKey: 'DOC-2' }, step)).rejects.toMatchObject({
    platformCode: 'currency',
  })
  const partnered = accessOf('PartneredPennyShop')
  const supply = {
    ...item,
    externalKey: 'DOC-3',
    options: {
      ...{ who_made: 'someone_else', when_made: '2010_2019', production_partner_ids: '4410881', is_supply: 'true' },
      ...{ taxonomy_id: '6592', aspects: { 'Craft type': ['Sewing', 'Knitting'] } },
    },
  }
  const chosen = completeOptions(supply.options as ListingOptions, {}, await port.choices(partnered, supply)).options
  await port.publish(partnered, { ...supply, options: chosen }, step)
  const sized = { ...chosen, taxonomy_id: '1430', aspects: { 'Shoe size': ['EU 38'] } }
  await port.publish(partnered, { ...supply, externalKey: 'DOC-4', options: sized }, step)
  const modifiedSince = '1970-01-01T00:00:00Z'
  const { receiptId } = sandbox.market.buy(Number(listing_id))
  await adapter.orders!.readChanged(access, { modifiedSince, cursor: null })
  await adapter.orders!.readOrder(access, String(receiptId))
  const parcel = { external_order_id: String(receiptId), lines: [] }
  const tracking = { carrier: 'usps', tracking_number: '9400111899223344556677' }
  await adapter.shipping!.sendShipped(access, { ...parcel, ...tracking, shipped_at: new Date().toISOString() })
}

/** Reads a whole shop, and a page whose listings must be read individually. */
async function readShop({ adapter, accessOf }: RunningEtsySandbox): Promise<void> {
  const access = accessOf('VintageVeraShop')
  const { imports, oauth } = adapter
  await oauth.identify(access.accessToken)
  let cursor: string | null = null
  do {
    const page = await imports.readPage(access, { states: imports.states, cursor })
    cursor = page.nextCursor
  } while (cursor !== null)
  await imports.readOne(access, String(edgeCases.emoji))
  await imports.readLiveIds!(access, null)
  const newest = sandbox.market.listingsOf(31_000_001).find(({ state }) => state === 'active')!
  sandbox.market.change(newest.listingId, { failures: 'always' })
  await imports.readPage(access, { states: ['active'], cursor: null })
}

describe("Etsy's published document", () => {
  it('has exactly the tested calls', () => {
    const made = new Set(checked.map(({ operation }) => operation))
    expect([...made].sort()).toEqual(Object.keys(documentedApis.etsy.calls).sort())
  })

  it('allows every request and describes every answer', () => {
    // Measured: every listing has SKUs, parts that were not requested are null, and a receipt is "Paid", not "paid".
    const measured = /^answer\S* must NOT have additional properties: skus$|^answer\S*\/(images|videos|status) must be /
    const faulty = checked
      .map(({ operation, faults }) => ({ operation, faults: faults.filter((fault) => !measured.test(fault)) }))
      .filter(({ faults }) => faults.length > 0)
    expect(faulty).toEqual([])
  })

  it('has every member that the adapter reads', () => {
    expect(undocumentedReads('etsy')).toEqual(documentedApis.etsy.undocumented)
  })

  it('matches what sent.json lists', () => {
    const sent = collectSent(checked)
    expect(sent).toEqual(keptSent(sent))
  })
})
