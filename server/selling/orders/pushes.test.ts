import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { createTestDatabase } from '#e2e/harness/database/database.ts'
import { startTestServer } from '#e2e/harness/server.ts'
import { until } from '#e2e/harness/until.ts'
import { quotaContext } from '#server/integrations/quota/context.ts'
import { type Priority, priorityShares } from '#server/integrations/quota/plans.ts'
import { eraseShopData } from './erase-shop-data.ts'
import { scheduleReadings } from './schedule-readings.ts'
import {
  type EbayKeyServer,
  ebayDeletionPush,
  ebayOrderPush,
  ebayRevocationPush,
  signEbay,
  startEbayKeys,
} from './testing/ebay-keys.ts'
import { buildOrder } from './testing/fake-orders.ts'
import { listingOf, type OrderHarness, type OrderSeller, startOrderHarness } from './testing/harness.ts'
import { startOrderWorker } from './worker.ts'

const etsySecret = `whsec_${randomBytes(24).toString('base64')}`
const verificationToken = 'a-verification-token-of-40-characters-xx'

let keys: EbayKeyServer
let harness: OrderHarness
let seller: OrderSeller
let key: ReturnType<EbayKeyServer['issue']>
beforeAll(async () => {
  keys = await startEbayKeys()
  key = keys.issue()
  harness = await startOrderHarness({
    environment: {
      EBAY_CLIENT_ID: 'client',
      EBAY_CLIENT_SECRET: 'client-secret',
      EBAY_API_URL: keys.url,
      ETSY_WEBHOOK_SECRET: etsySecret,
      EBAY_VERIFICATION_TOKEN: verificationToken,
    },
  })
})
afterAll(async () => {
  await harness?.close()
  await keys?.close()
})
beforeEach(async () => {
  seller = await harness.seller()
  for (const fixture of [harness.ebay, harness.etsy]) Object.assign(fixture, { before: () => {}, calls: [] })
})

async function post(path: string, body: string, headers: Record<string, string>): Promise<number> {
  const response = await fetch(`${harness.server.url}${path}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  })
  await response.text()
  return response.status
}

/** A key that eBay never issued. */
const madeUp = () => ({ kid: randomUUID(), privateKey: key.privateKey })

const pushEbay = (body: string, header = signEbay(body, key), path = '/webhooks/ebay/') =>
  post(path, body, { 'x-ebay-signature': header })

function signEtsy(body: string, given: { id?: string; at?: number; secret?: string } = {}) {
  const id = given.id ?? `msg_${randomUUID()}`
  const timestamp = given.at ?? Math.floor(Date.now() / 1000)
  const signature = new Webhook(given.secret ?? etsySecret).sign(id, new Date(timestamp * 1000), body)
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signature }
}

const etsyPush = (receipt: string, host = 'https://openapi.etsy.com', shop = seller.external.etsy!) =>
  JSON.stringify({
    event_type: 'order.paid',
    resource_url: `${host}/v3/application/shops/${shop}/receipts/${receipt}`,
    shop_id: shop,
  })

const events = () =>
  harness.services.db.any(
    'select external_order_id, external_line_id, times from order_fetch_request where user_id = $1 order by 2',
    [seller.user_id],
  )
const counts = () =>
  harness.services.db.one(
    'select (select count(*) from order_fetch_request) as events, (select count(*) from push_receipt) as receipts, (select count(*) from sale) as sales',
  )
/** Gives the Etsy shop a numeric id. */
async function numberEtsyShop(): Promise<void> {
  seller.external.etsy = String(Math.floor(Math.random() * 1e9) + 1)
  await harness.services.db.none('update seller_account set external_id = $1 where uid = $2', [
    seller.external.etsy,
    seller.shops.etsy,
  ])
}
/** Runs a worker that only handles pushes, until `isSo`. */
async function workUntil(isSo: () => Promise<boolean>): Promise<void> {
  await scheduleReadings(harness.services)
  await harness.services.db.none("update order_sync set next_read_at = now() + interval '1 hour'")
  const worker = startOrderWorker(harness.services, { pollMs: 20 })
  try {
    await until(isSo)
  } finally {
    await worker.stop(2_000)
  }
}
/** Calls to the platforms about this test's shops. Other requests may still be open. */
const asked = (fixture: OrderHarness['ebay']) =>
  fixture.calls.filter(({ shop }) => Object.values(seller.external).includes(shop))
const isSold = (item_uid: string) => async () =>
  (await harness.services.db.one('select state from inventory_item where uid = $1', [item_uid])).state === 'sold'

describe('eBay pushes', () => {
  it('store a verified one before 204, then sell its order at once', async () => {
    const item = await seller.item()
    const before = Date.now()
    harness.ebay.put(
      seller.external.ebay!,
      buildOrder({ id: '25-1', line: { listing_id: listingOf('ebay', item.item_uid) } }),
    )
    expect(await pushEbay(ebayOrderPush({ userId: seller.external.ebay!, orderId: '25-1', lines: ['a', 'b'] }))).toBe(
      204,
    )
    expect(await events()).toEqual([
      { external_order_id: '25-1', external_line_id: 'a', times: 1 },
      { external_order_id: '25-1', external_line_id: 'b', times: 1 },
    ])
    await workUntil(isSold(item.item_uid))
    expect(asked(harness.ebay)).toEqual([{ kind: 'one', shop: seller.external.ebay, external_order_id: '25-1' }])
    const [{ seen_at }] = await harness.services.db.any('select seen_at from listing_operation where user_id = $1', [
      seller.user_id,
    ])
    expect(Date.parse(seen_at)).toBeGreaterThanOrEqual(before)
  })

  it('store one of a lost shop and fetch its order on reconnecting', async () => {
    const item = await seller.item()
    const line = { listing_id: listingOf('ebay', item.item_uid) }
    harness.ebay.put(seller.external.ebay!, buildOrder({ id: '25-9', line }))
    const setStatus = (status: string) =>
      harness.services.db.none("update seller_account set status = $2 where user_id = $1 and platform = 'ebay'", [
        seller.user_id,
        status,
      ])
    await setStatus('reconnect_required')
    expect(await pushEbay(ebayOrderPush({ userId: seller.external.ebay!, orderId: '25-9', lines: ['a'] }))).toBe(204)
    expect(await events()).toEqual([{ external_order_id: '25-9', external_line_id: 'a', times: 1 }])
    await setStatus('connected')
    await workUntil(isSold(item.item_uid))
  })

  it('answer 412 to forged or altered ones and store nothing', async () => {
    const before = await counts()
    const body = ebayOrderPush({ userId: seller.external.ebay!, orderId: 'F' })
    const good = signEbay(body, key)
    const stranger = { kid: key.kid, privateKey: keys.issue().privateKey }
    const header = JSON.parse(Buffer.from(good, 'base64').toString())
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')
    const forgeries: [string, string][] = [
      [body, ''],
      [body, 'not base64 json'],
      [body, encode(null)],
      [body, encode({ ...header, signature: '' })],
      [body, encode({ ...header, signature: 'AAAAAAAAAAAA' })],
      [body, encode({ ...header, kid: '../../token' })],
      [body, encode({ ...header, kid: randomUUID() })],
      [body, encode({ ...header, alg: 'none' }).replace(/^./, 'x')],
      [body, signEbay(body, stranger)],
      [`${body} `, good],
      [body.replace('"F"', '"G"'), good],
      [JSON.stringify(JSON.parse(body), null, 1), good],
      ['', good],
    ]
    for (const [altered, signature] of forgeries) expect(await pushEbay(altered, signature)).toBe(412)
    for (let index = 0; index < 300; index++) {
      const at = index % body.length
      const flipped = body.slice(0, at) + String.fromCharCode((body.charCodeAt(at) % 90) + 33) + body.slice(at + 1)
      if (flipped !== body) expect(await pushEbay(flipped, good)).toBe(412)
    }
    expect(await counts()).toEqual(before)
    expect(asked(harness.ebay)).toEqual([])
  })

  it('accept true ones during a flood of key ids', async () => {
    const body = ebayOrderPush({ userId: 'x', orderId: 'y' })
    expect(await pushEbay(body)).toBe(204)
    keys.asked.length = 0
    const began = performance.now()
    const statuses: number[] = []
    for (let index = 0; index < 150; index++) statuses.push(await pushEbay(body, signEbay(body, madeUp())))
    // One address may cause two key requests at once and one more every five minutes. A push whose key was not
    // requested may be genuine: 503, not 412.
    expect(keys.asked.length).toBeLessThanOrEqual(2 + (performance.now() - began) / 300_000)
    expect(new Set(statuses.slice(3))).toEqual(new Set([503]))
    expect(await pushEbay(ebayOrderPush({ userId: 'x', orderId: 'z' }))).toBe(204)
  })

  it('accept true ones after a restart in a flood of key ids', async () => {
    const environment = {
      EBAY_CLIENT_ID: 'client',
      EBAY_CLIENT_SECRET: 'client-secret',
      EBAY_API_URL: keys.url,
      TRUSTED_HOPS: '1',
    }
    // Two servers over one database, as before and after a restart.
    const database = await createTestDatabase()
    onTestFinished(() => database.drop())
    const kept = { ...database, drop: async () => {} }
    const server = await startTestServer({ environment, works: false, database: kept })
    onTestFinished(() => server.close())
    const again = await startTestServer({ environment, works: false, database: kept })
    onTestFinished(() => again.close())
    const push = async (url: string, path: string, body: string, signedBy: typeof key, from: string) => {
      const headers = { 'x-ebay-signature': signEbay(body, signedBy), 'x-forwarded-for': from }
      return (await fetch(`${url}${path}`, { method: 'POST', body, headers })).status
    }
    const order = () => ebayOrderPush({ userId: 'x', orderId: randomUUID() })
    expect(await push(server.url, '/webhooks/ebay/', order(), key, '192.0.2.1')).toBe(204)
    // More addresses than eBay may be asked about.
    for (let index = 0; index < 40; index++) {
      await push(again.url, '/webhooks/ebay/', order(), madeUp(), `198.51.100.${index}`)
    }
    expect(await push(again.url, '/webhooks/ebay/', order(), madeUp(), '192.0.2.2')).toBe(503)
    expect(await push(again.url, '/webhooks/ebay/', order(), key, '192.0.2.1')).toBe(204)
    const deletion = ebayDeletionPush({ userId: 'nobody' })
    expect(await push(again.url, '/webhooks/ebay/account-deletion/', deletion, key, '192.0.2.1')).toBe(204)
  })

  it('check a connection whose consent was withdrawn', async () => {
    const waiting = () =>
      harness.services.db.any("select data from jobs.job where name = 'connections-confirm' and singleton_key = $1", [
        seller.shops.ebay,
      ])
    const body = ebayRevocationPush({ userId: seller.external.ebay! })
    expect(await pushEbay(body, signEbay(body, { ...keys.issue(), kid: key.kid }))).toBe(412)
    expect(await waiting()).toEqual([])
    for (let time = 0; time < 2; time++) expect(await pushEbay(body)).toBe(204)
    expect(await waiting()).toEqual([
      { data: expect.objectContaining({ user_id: seller.user_id, seller_account_uid: seller.shops.ebay }) },
    ])
    expect(await pushEbay(ebayRevocationPush({ userId: 'nobody' }))).toBe(204)
  })

  it('keep key requests for others when one address floods', async () => {
    const other = await startOrderHarness({
      environment: {
        EBAY_CLIENT_ID: 'client',
        EBAY_CLIENT_SECRET: 'secret',
        EBAY_API_URL: keys.url,
        TRUSTED_HOPS: '1',
      },
    })
    onTestFinished(() => other.close())
    const push = async (signedBy: typeof key, from: string) => {
      const body = ebayOrderPush({ userId: 'x', orderId: randomUUID() })
      const headers = { 'x-ebay-signature': signEbay(body, signedBy), 'x-forwarded-for': from }
      return (await fetch(`${other.server.url}/webhooks/ebay/`, { method: 'POST', body, headers })).status
    }
    for (let index = 0; index < 100; index++) await push(madeUp(), '198.51.100.1')
    expect(await push(keys.issue(), '192.0.2.1')).toBe(204)
  })

  it('ignore a repeated notice and fetch again for a new one', async () => {
    const body = ebayOrderPush({ userId: seller.external.ebay!, orderId: 'R', id: `repeated-${seller.user_id}` })
    expect([await pushEbay(body), await pushEbay(body), await pushEbay(body)]).toEqual([204, 204, 204])
    expect(await events()).toEqual([{ external_order_id: 'R', external_line_id: '1', times: 1 }])
    expect(await pushEbay(ebayOrderPush({ userId: seller.external.ebay!, orderId: 'R' }))).toBe(204)
    expect(await events()).toEqual([{ external_order_id: 'R', external_line_id: '1', times: 2 }])
  })

  it('sell nothing for an order that does not exist', async () => {
    const item = await seller.item()
    const rival = await harness.seller(['ebay'])
    // The order exists but belongs to a rival.
    harness.ebay.put(
      rival.external.ebay!,
      buildOrder({ id: 'X', line: { listing_id: listingOf('ebay', item.item_uid) } }),
    )
    expect(await pushEbay(ebayOrderPush({ userId: seller.external.ebay!, orderId: 'X' }))).toBe(204)
    await workUntil(async () => asked(harness.ebay).length > 0)
    expect(asked(harness.ebay)).toEqual([{ kind: 'one', shop: seller.external.ebay, external_order_id: 'X' }])
    expect(await isSold(item.item_uid)()).toBe(false)
    expect(
      await harness.services.db.any('select * from listing_operation where user_id = $1', [seller.user_id]),
    ).toEqual([])
  })

  it('acknowledge and store notices about strangers', async () => {
    const before = await counts()
    expect(await pushEbay(ebayOrderPush({ userId: 'nobody', orderId: 'N' }))).toBe(204)
    expect(await counts()).toEqual({ ...before, receipts: before.receipts + 1 })
  })

  it('ask to send again while eBay gives out no key', async () => {
    const other = await startOrderHarness({
      environment: { EBAY_CLIENT_ID: 'client', EBAY_CLIENT_SECRET: 'secret', EBAY_API_URL: keys.url },
    })
    try {
      keys.down = true
      const body = ebayOrderPush({ userId: 'x', orderId: 'y' })
      const response = await fetch(`${other.server.url}/webhooks/ebay/`, {
        method: 'POST',
        body,
        headers: { 'x-ebay-signature': signEbay(body, key) },
      })
      expect([response.status, response.headers.has('retry-after')]).toEqual([503, true])
    } finally {
      keys.down = false
      await other.close()
    }
  })

  it('record one push when its acknowledgement was lost', async () => {
    const body = ebayOrderPush({ userId: seller.external.ebay!, orderId: 'L' })
    const abort = new AbortController()
    const first = fetch(`${harness.server.url}/webhooks/ebay/`, {
      method: 'POST',
      body,
      headers: { 'x-ebay-signature': signEbay(body, key) },
      signal: abort.signal,
    })
    // The sender leaves once the push is stored. Its answer does not matter.
    while ((await events()).length === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    abort.abort()
    await first.catch(() => {})
    expect(await pushEbay(body)).toBe(204)
    expect(await events()).toEqual([{ external_order_id: 'L', external_line_id: '1', times: 1 }])
  })
})

describe('erasing an eBay user', () => {
  it('answers the challenge with the hash that eBay documents', async () => {
    for (const path of ['/webhooks/ebay/account-deletion/', '/webhooks/ebay/']) {
      const response = await fetch(`${harness.server.url}${path}?challenge_code=abc-123`)
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
      expect(await response.json()).toEqual({
        challengeResponse: createHash('sha256')
          .update(`abc-123${verificationToken}${harness.server.url}${path}`)
          .digest('hex'),
      })
    }
    expect((await fetch(`${harness.server.url}/webhooks/ebay/account-deletion/`)).status).toBe(400)
  })

  it('erases on a verified notice only, and keeps a receipt', async () => {
    const { db } = harness.services
    const item = await seller.item()
    await db.none('update seller_account set external_name = $1 where uid = $2', ['vintage_vera', seller.shops.ebay])
    await db.none("update inventory_item set seller_url = 'https://www.ebay.com/usr/vintage_vera' where uid = $1", [
      item.item_uid,
    ])
    const path = '/webhooks/ebay/account-deletion/'
    const body = ebayDeletionPush({ userId: seller.external.ebay!, id: `deletion-${seller.user_id}` })
    expect(await pushEbay(body, signEbay(body, { ...keys.issue(), kid: key.kid }), path)).toBe(412)
    expect(await db.one('select status from seller_account where uid = $1', [seller.shops.ebay])).toEqual({
      status: 'connected',
    })

    expect(await pushEbay(body, signEbay(body, key), path)).toBe(204)
    await eraseShopData(harness.services)
    const erased = await db.one('select * from seller_account where uid = $1', [seller.shops.ebay])
    expect(erased).toMatchObject({ status: 'revoked', encrypted_access_token: null, encrypted_refresh_token: null })
    const rows = JSON.stringify([
      erased,
      await db.any('select * from inventory_item where user_id = $1', [seller.user_id]),
      await db.any('select * from push_receipt'),
    ])
    expect(rows).not.toContain('vintage_vera')
    expect(rows).not.toContain(seller.external.ebay)
    expect(
      await db.one('select erased, subject_hash from push_receipt where message_id = $1', [
        `deletion-${seller.user_id}`,
      ]),
    ).toEqual({
      erased: { shops: 1, imports: 0, items: 1, orders: 0 },
      subject_hash: createHash('sha256').update(seller.external.ebay!).digest(),
    })
    // The seller's own items stay.
    expect(await db.one('select count(*) from inventory_item where user_id = $1', [seller.user_id])).toEqual({
      count: 1,
    })
  })
})

describe('Etsy pushes about listings', () => {
  const listingPush = (event_type: string, shop = seller.external.etsy!) =>
    JSON.stringify({
      event_type,
      resource_url: `https://openapi.etsy.com/v3/application/shops/${shop}/listings/1234567`,
      shop_id: shop,
    })
  const changedAt = async () =>
    (
      await harness.services.db.one('select listings_changed_at from seller_account where uid = $1', [
        seller.shops.etsy,
      ])
    ).listings_changed_at

  it.each(['listing.updated', 'listing.deactivated', 'inventory.updated'])(
    'schedule a comparison of the shop (%s)',
    async (event) => {
      await numberEtsyShop()
      const body = listingPush(event)
      expect(await post('/webhooks/etsy/', body, signEtsy(body))).toBe(204)
      expect(await changedAt()).not.toBeNull()
    },
  )

  it('change nothing when forged or for unknown shops', async () => {
    await numberEtsyShop()
    const body = listingPush('listing.updated')
    expect(await post('/webhooks/etsy/', body, signEtsy(body, { secret: `whsec_${'A'.repeat(32)}` }))).toBe(401)
    const strange = listingPush('listing.updated', '99')
    expect(await post('/webhooks/etsy/', strange, signEtsy(strange))).toBe(204)
    expect(await changedAt()).toBeNull()
  })
})

describe('Etsy pushes', () => {
  beforeEach(numberEtsyShop)

  it('have their order fetched', async () => {
    const item = await seller.item()
    harness.etsy.put(
      seller.external.etsy!,
      buildOrder({ id: '900', line: { listing_id: listingOf('etsy', item.item_uid) } }),
    )
    const body = etsyPush('900')
    expect(await post('/webhooks/etsy/', body, signEtsy(body))).toBe(204)
    await workUntil(isSold(item.item_uid))
  })

  it('go before periodic readings when calls are few', async () => {
    const item = await seller.item()
    const calls: [string, string][] = []
    harness.etsy.before = ({ kind }) => void calls.push([kind, quotaContext().priority])
    harness.etsy.put(
      seller.external.etsy!,
      buildOrder({ id: '901', line: { listing_id: listingOf('etsy', item.item_uid) } }),
    )
    const body = etsyPush('901')
    await post('/webhooks/etsy/', body, signEtsy(body))
    await workUntil(isSold(item.item_uid))
    await workUntil(async () => {
      await harness.services.db.none('update order_sync set next_read_at = now() where user_id = $1', [seller.user_id])
      return calls.some(([kind]) => kind === 'changed')
    })
    const priorityOf = new Map(calls)
    expect(priorityOf.get('one')).toBe('sale')
    expect(priorityShares.sale).toBeGreaterThan(priorityShares[priorityOf.get('changed') as Priority])
    expect(priorityShares.delist).toBeGreaterThan(priorityShares.sale)
  })

  it('have no effect when forged, replayed or ten minutes off', async () => {
    const body = etsyPush('901')
    const before = await counts()
    const good = signEtsy(body, { id: `once-${seller.user_id}` })
    const now = Math.floor(Date.now() / 1000)
    const forgeries: [string, Record<string, string>][] = [
      [body, {}],
      [body, signEtsy(body, { secret: `whsec_${randomBytes(24).toString('base64')}` })],
      [body, { ...good, 'webhook-id': 'another' }],
      [body, { ...good, 'webhook-timestamp': String(now + 1_000) }],
      [body, { ...good, 'webhook-signature': good['webhook-signature'].replace('v1,', 'v2,') }],
      [body, { ...good, 'webhook-signature': 'v1,' }],
      [body.replace('901', '902'), good],
      [body, signEtsy(body, { at: now - 600 })],
      [body, signEtsy(body, { at: now + 600 })],
    ]
    for (const [altered, headers] of forgeries) expect(await post('/webhooks/etsy/', altered, headers)).toBe(401)
    for (let index = 0; index < 700; index++) {
      const signature = randomBytes(32).toString('base64')
      expect(await post('/webhooks/etsy/', body, { ...good, 'webhook-signature': `v1,${signature}` })).toBe(401)
    }
    expect(await counts()).toEqual(before)
    // One of several signatures fits, as during a change of the secret.
    const several = {
      ...good,
      'webhook-signature': `v1,${randomBytes(32).toString('base64')} ${good['webhook-signature']}`,
    }
    expect(await post('/webhooks/etsy/', body, several)).toBe(204)
    expect(await post('/webhooks/etsy/', body, good)).toBe(204)
    expect(await events()).toMatchObject([{ external_order_id: '901', times: 1 }])
  })

  it('lead to no call of the address in them', async () => {
    const called: string[] = []
    const sentinel = createServer((request, response) => {
      called.push(request.url ?? '')
      response.end()
    })
    await new Promise<void>((resolve) => sentinel.listen(0, '127.0.0.1', resolve))
    const host = `http://127.0.0.1:${(sentinel.address() as AddressInfo).port}`
    try {
      for (const at of [host, 'http://169.254.169.254', 'https://openapi.etsy.com@evil.example', 'file://']) {
        const body = etsyPush('77', at)
        expect(await post('/webhooks/etsy/', body, signEtsy(body))).toBe(204)
      }
      await workUntil(async () => asked(harness.etsy).length > 0)
      expect(called).toEqual([])
      expect(new Set(asked(harness.etsy).map((call) => JSON.stringify(call)))).toEqual(
        new Set([JSON.stringify({ kind: 'one', shop: seller.external.etsy, external_order_id: '77' })]),
      )
    } finally {
      sentinel.close()
    }
  })

  it('cause a reading of the shop if they name none of its orders', async () => {
    const body = JSON.stringify({
      event_type: 'order.paid',
      resource_url: 'https://openapi.etsy.com/v3/application/shops/1/receipts/2',
      shop_id: Number(seller.external.etsy),
    })
    await scheduleReadings(harness.services)
    await harness.services.db.none("update order_sync set next_read_at = now() + interval '1 hour'")
    expect(await post('/webhooks/etsy/', body, signEtsy(body))).toBe(204)
    expect(await events()).toEqual([])
    expect(
      await harness.services.db.one(
        'select next_read_at <= now() as due from order_sync where seller_account_uid = $1',
        [seller.shops.etsy],
      ),
    ).toEqual({ due: true })
  })

  it('are refused without a 5xx when too large or no JSON', async () => {
    const large = 'x'.repeat(200_000)
    expect(await post('/webhooks/etsy/', large, signEtsy(large))).toBe(413)
    expect(await post('/webhooks/etsy/', 'nonsense', signEtsy('nonsense'))).toBe(204)
    expect((await fetch(`${harness.server.url}/webhooks/etsy/`)).status).toBe(405)
  })
})
