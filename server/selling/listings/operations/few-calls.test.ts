import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { type Api, apiOf } from '#e2e/harness/api.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { until } from '#e2e/harness/until.ts'
import { callOf } from '#server/integrations/quota/calls.ts'
import { createQuota } from '#server/integrations/quota/quota.ts'
import { quotaFetch } from '#server/integrations/quota/quota-fetch.ts'
import { createPlatforms } from '#server/integrations/registry.ts'
import { createEtsySandbox, type EtsySandbox } from '#server/sandbox/etsy/index.ts'
import { generateShop } from '#server/sandbox/etsy/shop.ts'
import { insertAddress, insertItem, insertShop, storeGrant } from '../testing/build-item.ts'
import { type ListingWorker, startListingWorker } from '../worker.ts'

/**
 * Lists many items on a platform that allows few calls a second. Each waits for its turns and is published in one
 * attempt.
 */
const client = { clientId: 'Test', clientSecret: 'secret' }
const shopName = 'ThingTheoShop'

let etsy: EtsySandbox
let server: TestServer
let api: Api
let account: TestAccount
let worker: ListingWorker | null = null
let picture: string
const asked: string[] = []
beforeAll(async () => {
  const limits = { perSecond: 10, perDay: 10_000 }
  etsy = createEtsySandbox({
    ...client,
    redirectUris: [],
    usual: false,
    limits,
    shops: [{ shopName, listings: generateShop({ count: 1 }) }],
  })
  const etsyUrl = await etsy.listen(0)
  const environment = {
    ETSY_AUTH_URL: etsyUrl,
    ETSY_API_URL: etsyUrl,
    ETSY_CLIENT_ID: client.clientId,
    ETSY_CLIENT_SECRET: client.clientSecret,
  }
  server = await startTestServer({ works: false, environment })
  const { config, db } = server.services
  const quota = createQuota({ db, plans: { etsy: limits } })
  const counted = (url: string, init?: RequestInit) => {
    if (url.includes('/v3/application/'))
      asked.push(
        `${init?.method ?? 'GET'} ${url
          .split('/v3/application')[1]
          ?.replace(/\d+/g, '?')
          .replace(/\?.*legacy.*/, '')}`,
      )
    return fetch(url, init)
  }
  // However busy the machine is, no operation may be postponed.
  const within = quotaFetch({
    fetch: counted,
    quota,
    callOf: (url, headers) => callOf(config, url, headers),
    maxWaitMs: 80_000,
  })
  Object.assign(server.services, { platforms: createPlatforms({ config, fetch: within }) })
  api = apiOf(server.url)
  account = await buildAccount(db)
  await insertAddress(db, account.user_id)
  const seller_account_uid = await insertShop(db, account.user_id, 'etsy')
  await db.none('update seller_account set external_id = $2 where uid = $1', [
    seller_account_uid,
    String(etsy.market.shopNamed(shopName)?.shopId),
  ])
  const grant = { ...etsy.grant(shopName), expires_in_seconds: 3_600, refresh_expires_in_seconds: null, scopes: [] }
  await storeGrant(server.services, { user_id: account.user_id, seller_account_uid }, grant)
  picture = `${etsyUrl}/image/1700000000/il_fullxfull.1.png`
})
afterEach(() => worker?.stop(3_000))
afterAll(async () => {
  await server?.close()
  await etsy?.close()
})

describe('bulk listing on a platform of few calls a second', () => {
  it('takes one attempt per listing and reads the shop once', async () => {
    const { db } = server.services
    const uids: string[] = []
    for (let n = 1; n <= 12; n++) {
      const uid = await insertItem(db, account.user_id, {
        title: `1970s Film Camera ${n}`,
        images: [picture],
        sku: null,
      })
      const attributes = { brand: 'Canon', category: 'Cameras & Photo:Film Photography:Film Cameras' }
      await db.none('update inventory_item set attributes = $2 where uid = $1', [uid, attributes])
      uids.push(uid)
    }
    const headers = account.bearer
    const body = { uids, platforms: ['etsy'], price: '19.00' }
    const made = await api('POST', '/api/v1/inventory/bulk/list/', { headers, body })
    worker = startListingWorker(server.services)
    const job = await until(
      async () => (await api('GET', `/api/v1/inventory/bulk/${made.body.uid}/`, { headers })).body.job,
      ({ status }) => status === 'completed',
    )
    expect(job).toMatchObject({ succeeded: 12, failed: 0 })
    expect(await db.any('select distinct attempts, failures from listing_operation')).toEqual([
      { attempts: 1, failures: 0 },
    ])
    const count = (call: string) => asked.filter((one) => one === call).length
    const ofShop = [
      ...['shipping-profiles', 'policies/return', 'production-partners'],
      'readiness-state-definitions?limit=?&offset=?',
    ]
    expect(ofShop.map((name) => count(`GET /shops/?/${name}`))).toEqual([1, 1, 1, 1])
    // The category tree, four calls about the shop, its currency, the category's properties, and per item: draft,
    // picture, price, publication, reading back.
    expect(asked).toHaveLength(7 + 5 * 12)
  })
})
