import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEbayAdapter } from '#server/integrations/ebay/index.ts'
import { challengeResponse } from '#server/integrations/ebay/push/push.ts'
import { createPushKeys } from '#server/integrations/ebay/push/push-keys.ts'
import { client, startEbaySandbox } from '#server/integrations/ebay/testing/ebay-sandbox.ts'
import { parseXml, type XmlElement } from '#server/integrations/ebay/xml.ts'
import type { PublishRequest } from '#server/integrations/port.ts'
import { type Exchange, watchFetch } from '#server/integrations/testing/watch-fetch.ts'
import type { EbaySandbox } from '#server/sandbox/ebay/index.ts'
import { completeOptions } from '#server/selling/listings/preflight/complete-options.ts'
import { apiNames, type DocumentedApi, documentedApis } from './calls.ts'
import { readKept, readKeptTrading } from './keep.ts'
import { membersOf } from './sent.ts'
import { type CheckedExchange, createChecker } from './testing/check-exchanges.ts'
import { collectSent, keptSent } from './testing/kept-sent.ts'
import { undocumentedReads } from './testing/undocumented-reads.ts'
import { elementsOf, tradingCalls, unknownReads } from './trading.ts'

/*
 * Checks every call of the eBay adapter against eBay's published documents. When the adapter sends something new,
 * `UPDATE_DOCUMENTS=1 npm run vitest -- --project server e2e/lab/documents` updates sent.json.
 */
const apis = apiNames.filter((name) => documentedApis[name].platform === 'ebay')

let sandbox: EbaySandbox
let endpoint: Server | undefined
const exchanges: Exchange[] = []
beforeAll(async () => {
  const running = await startEbaySandbox({
    sellers: ['doc_dora', 'calculated_carl', 'no_policies_ned'].map((username) => ({ username, items: [] })),
  })
  sandbox = running.sandbox
  const config = {
    EBAY_CLIENT_ID: client.clientId,
    EBAY_CLIENT_SECRET: client.clientSecret,
    EBAY_RU_NAME: client.ruName,
    EBAY_AUTH_URL: running.url,
    EBAY_API_URL: running.url,
    EBAY_APIZ_URL: running.url,
  }
  const start = () => createEbayAdapter({ config, fetch: watchFetch(exchanges) })
  const adapter = start()
  const access = running.accessOf('doc_dora')

  await sell(adapter, access)
  const ned = running.accessOf('no_policies_ned')
  await listWithTerms(adapter, ned)
  await adapter.oauth.identify(access.accessToken)
  await readShop(adapter, running.accessOf('vintage_vera'))
  await subscribe(start, access)
  const keyOf = createPushKeys({
    ...client,
    apiUrl: running.url,
    fetch: watchFetch(exchanges),
    clock: () => 0,
    store: { readAll: async () => [], store: async () => {}, delete: async () => {} },
  })
  await keyOf('unknown-key', '192.0.2.1')
})
afterAll(async () => {
  await sandbox?.close()
  const server = endpoint
  if (server) await new Promise((resolve) => server.close(resolve))
})

type Adapter = ReturnType<typeof createEbayAdapter>
type Access = Parameters<Adapter['imports']['readPage']>[0]

const step = async () => {}
const contact = {
  name: 'Maker',
  line1: '1 Mill',
  line2: 'B',
  city: 'Bonn',
  region: 'NW',
  postal_code: '53111',
  country: 'DE',
  email: 'maker@example.com',
  phone: '+49228123',
}
const item: PublishRequest = {
  externalKey: 'DOC-1-abcdefghijklm',
  idempotencyKey: '8d1f2c7a-4f0e-4a57-9c3b-2f6a1d5e7b90',
  sku: 'DOC-1',
  title: 'Nikon FM2 Film Camera',
  description: 'Valid by the document.',
  price_minor: 18_000,
  currency: 'USD',
  images: ['https://pictures.example.com/1.jpg'],
  condition: { label: 'Used', notes: 'Brassing.' },
  attributes: {
    ...{ brand: 'Nikon', mpn: 'FM2', isbn: '978-0-306-40615-7', ean: '6417182041488', upc: '041488123456' },
    weight_grams: 900,
    parcel: { length_mm: 200, width_mm: 150, height_mm: 100 },
    regulatory: { manufacturer: contact, responsible_person: contact },
  },
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
const fields = ['title', 'description', 'images'] as const
const card = {
  title: 'Pokemon Holo Charizard',
  externalKey: 'DOC-2-abcdefghijklm',
  idempotencyKey: '5b2e9d10-7c44-4b8a-8f1d-6e3a9c0b7d21',
  options: {
    aspects: { Game: ['Pokémon TCG'] },
    condition: 'LIKE_NEW',
    condition_descriptors: { 27501: '275010', 27502: '275020', 27503: '12345678' },
  },
}

/** Lists, changes, ends and sells items. */
async function sell(adapter: Adapter, access: Access): Promise<void> {
  const port = adapter.listings!
  const complete = async (given: Partial<PublishRequest> = {}) => {
    const request = { ...item, ...given }
    return { ...request, options: completeOptions(request.options, {}, await port.choices(access, request)).options }
  }
  const whole = await complete()
  const { externalKey } = item
  const { listing_id } = await port.publish(access, whole, step)
  await port.verify!(access, whole)
  await port.publish(access, await complete(card), step)
  await port.shopChoices(access, { country: 'US', marketplace_id: null })
  await port.searchCategories(access, { words: 'film camera', country: 'US', marketplace_id: null })
  await port.findPublished(access, externalKey)
  await port.changePrice(access, { listing_id, externalKey, price_minor: 17_000, currency: 'USD' })
  await port.updateContent(access, { listing_id, externalKey }, { ...item, fields, price: null })
  await port.readState(access, listing_id)
  await port.withdraw(access, { listing_id, externalKey })
  const again = await port.publish(access, { ...whole, idempotencyKey: randomUUID() }, step)
  const { orderId } = sandbox.market.buy(again.listing_id)
  const modifiedSince = new Date(Date.now() - 3_600_000).toISOString()
  await adapter.orders!.readChanged(access, { modifiedSince, cursor: null })
  await adapter.orders!.readOrder(access, orderId)
  const line = sandbox.market.order(orderId)!.lines[0]!
  const parcel = { external_order_id: orderId, lines: [{ external_line_id: line.lineItemId, quantity: 1 }] }
  const tracking = { carrier: 'usps', tracking_number: '9400111899223344556677' }
  await adapter.shipping!.sendShipped(access, { ...parcel, ...tracking, shipped_at: new Date().toISOString() })
  await adapter.shipping!.readShipped(access, parcel)
}

/** Lists an item of a seller without business policies. */
async function listWithTerms(adapter: Adapter, access: Access): Promise<void> {
  const port = adapter.listings!
  const request = { ...item, externalKey: 'DOC-3-abcdefghijklm', options: { shipping_cost: '0.00' } }
  const { options } = completeOptions(request.options, {}, await port.choices(access, request))
  await port.publish(access, { ...request, idempotencyKey: randomUUID(), options }, step)
}

/** Reads a shop with listings from elsewhere, reprices one and ends it. */
async function readShop(adapter: Adapter, access: Access): Promise<void> {
  let cursor: string | null = null
  do {
    const page = await adapter.imports.readPage(access, { states: adapter.imports.states, cursor })
    cursor = page.nextCursor
  } while (cursor !== null)
  const { ids } = await adapter.imports.readLiveIds!(access, null)
  await adapter.imports.readUnpaidIds!(access)
  const fixed = ids.find((id) => sandbox.market.find(id)?.item.listingType === 'FixedPriceItem')!
  const auction = ids.find((id) => sandbox.market.find(id)?.item.listingType === 'Chinese')
  const listing = { listing_id: fixed, externalKey: null }
  await adapter.imports.readOne(access, fixed)
  await adapter.listings!.changePrice(access, { ...listing, price_minor: 5_000, currency: 'USD' })
  await adapter.listings!.updateContent(access, listing, { ...item, fields, price: null })
  await adapter.listings!.withdraw(access, listing)
  if (!auction) return
  sandbox.market.change(auction, { bids: 0 })
  const terms = { format: 'auction' } as const
  const bidding = { listing_id: auction, externalKey: null, terms }
  await adapter.listings!.updateContent(access, bidding, { ...item, fields, price: null })
  await adapter.listings!.withdraw(access, bidding)
}

/** Subscribes to sale notices, then again after eBay disabled destination and subscription, and after we moved. */
async function subscribe(start: () => Adapter, access: Access): Promise<void> {
  const verificationToken = 'a-verification-token-of-forty-characters'
  const target = { endpoint: '', verificationToken, alertEmail: 'ops@example.com' }
  const server = createServer((request, response) => {
    const code = new URL(request.url ?? '', 'http://127.0.0.1').searchParams.get('challenge_code') ?? ''
    const challenge = challengeResponse(code, verificationToken, target.endpoint)
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ challengeResponse: challenge }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  endpoint = server
  target.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/ebay/`
  await start().notices!.ensure(access, target)
  sandbox.notifications.destinations[0]!.status = 'MARKED_DOWN'
  sandbox.notifications.subscriptions[0]!.status = 'DISABLED'
  await start().notices!.ensure(access, target)
  sandbox.notifications.subscriptions[0]!.destinationId = 'an-earlier-one'
  await start().notices!.ensure(access, target)
}

describe("eBay's published REST documents", () => {
  let checked: Map<string, CheckedExchange[]>
  beforeAll(async () => {
    checked = new Map()
    for (const name of apis) {
      const { basePath, loose } = documentedApis[name]
      const check = createChecker(readKept(name), loose)
      const own = exchanges.filter(({ path }) => path.startsWith(`${basePath}/`))
      checked.set(name, await Promise.all(own.map(check)))
    }
  })

  it('cover every REST call of the adapter', () => {
    const others = exchanges.filter(
      ({ path }) => !apis.some((name) => path.startsWith(`${documentedApis[name].basePath}/`)),
    )
    expect(new Set(others.map(({ path }) => path))).toEqual(new Set(['/identity/v1/oauth2/token', '/ws/api.dll']))
  })

  it.each(apis)('have exactly the tested calls: %s', (name) => {
    const made = new Set(checked.get(name)!.map(({ operation }) => operation))
    expect([...made].sort()).toEqual(Object.keys(documentedApis[name].calls).sort())
  })

  it.each(apis)('allow every request and describe every answer: %s', (name) => {
    const faulty = checked.get(name)!.filter(({ faults }) => faults.length > 0)
    expect(faulty.map(({ operation, faults }) => ({ operation, faults }))).toEqual([])
  })

  it.each(apis)('match what sent.json lists: %s', (name) => {
    const sent = collectSent(checked.get(name)!)
    expect(sent).toEqual(keptSent(sent))
  })

  it.each(apis)('have every member that the adapter reads: %s', (name) => {
    expect(undocumentedReads(name)).toEqual((documentedApis[name] as DocumentedApi).undocumented)
  })
})

describe("eBay's schema of the Trading API", () => {
  const calls = () =>
    exchanges
      .filter(({ path }) => path === '/ws/api.dll')
      .map(({ body, header }) => ({ name: header!('x-ebay-api-call-name'), root: Object.entries(parseXml(body!))[0]! }))

  it('has every sent element, in order', () => {
    const kept = readKeptTrading()
    const faults = calls().flatMap(({ name, root: [tag, root] }) => {
      expect(tag).toBe(`${name}Request`)
      return faultsOf(root as XmlElement, `${name}RequestType`, name)
    })
    expect([...new Set(faults)]).toEqual([])

    function faultsOf(element: XmlElement, type: string, at: string): string[] {
      const known = elementsOf(kept, type).map(([name]) => name)
      const names = Object.keys(element).filter((name) => !name.startsWith('@') && name !== '#text')
      const unknown = names.filter((name) => !known.includes(name)).map((name) => `${at}/${name} is not known`)
      const inOrder = known.filter((name) => names.includes(name))
      const sent = names.filter((name) => known.includes(name))
      const order =
        sent.join() === inOrder.join() ? [] : [`${at} has ${sent.join(', ')} in place of ${inOrder.join(', ')}`]
      const inner = names.flatMap((name) => {
        const child = element[name]
        const of = elementsOf(kept, type).find(([one]) => one === name)?.[1] ?? ''
        const values = kept.types[of]?.values
        if (typeof child === 'string') {
          return values && !values.includes(child) ? [`${at}/${name} is ${child}`] : []
        }
        return typeof child === 'object' && !Array.isArray(child) ? faultsOf(child, of, `${at}/${name}`) : []
      })
      return [...unknown, ...order, ...inner]
    }
  })

  it.each(Object.keys(tradingCalls))('has every element that the adapter reads: %s', (call) => {
    expect(unknownReads(readKeptTrading(), call)).toEqual([])
  })

  it('has every call, and sent.json lists what is sent', () => {
    const sent = collectSent(
      calls().map(({ name, root: [, root] }) => ({
        operation: name,
        faults: [],
        sent: {
          parameters: [],
          body: membersOf(root).flatMap((path) => (path.includes('@') ? [] : path.replace('.#text', ''))),
        },
      })),
    )
    expect(Object.keys(tradingCalls)).toEqual(expect.arrayContaining(Object.keys(sent)))
    expect(Object.keys(sent)).toEqual(
      expect.arrayContaining(['EndFixedPriceItem', 'GetItem', 'GetMyeBaySelling', 'ReviseFixedPriceItem']),
    )
    expect(sent).toEqual(keptSent(sent))
  })
})
