import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { apiOf } from '#e2e/harness/api.ts'
import { checkInvariants } from '#e2e/harness/campaigns/invariants.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { until } from '#e2e/harness/until.ts'
import { storeConnection } from '#server/integrations/connections/store-connection.ts'
import { type RunningEtsySandbox, startEtsySandbox } from '#server/integrations/etsy/testing/etsy-sandbox.ts'
import { plainListing, type SandboxListing, type SandboxShop } from '#server/sandbox/etsy/listing.ts'
import { insertItem, insertLiveListing } from '../testing/build-item.ts'
import { reconcileShops } from './reconcile-shops.ts'

const shopName = 'StateStellaShop'
let running: RunningEtsySandbox
let server: TestServer
let account: TestAccount
let shop: SandboxShop
let seller_account_uid: string
let next = 1_500_000_000
beforeAll(async () => {
  running = await startEtsySandbox({
    usual: false,
    shops: [{ shopName, listings: [plainListing({ listingId: 1 })] }],
  })
  server = await startTestServer({ platforms: [running.adapter] })
  shop = running.sandbox.market.shopNamed(shopName)!
})
afterAll(async () => {
  await server?.close()
  await running?.sandbox.close()
})
beforeEach(async () => {
  const { db } = server.services
  await db.none(
    "update seller_account set status = 'revoked', encrypted_access_token = null, encrypted_refresh_token = null",
  )
  running.sandbox.market.setVacation(shop.shopId, false)
  account = await buildAccount(db)
  await connect()
})

/** Connects the shop as after a consent. */
async function connect(): Promise<void> {
  const { access_token, refresh_token } = running.sandbox.grant(shopName)
  const grant = { access_token, refresh_token, expires_in_seconds: 3_600, refresh_expires_in_seconds: null, scopes: [] }
  const identity = await running.adapter.oauth.identify(access_token)
  const connection = { user_id: account.user_id, platform: 'etsy' as const, shop: identity, grant }
  ;({ seller_account_uid } = await storeConnection(server.services, connection))
}

const call = (method: string, path: string, body?: object) =>
  apiOf(server.url)(method, path, { headers: account.key, body })

/** Creates an item with a listing on Etsy that was read two hours ago, in this state since. */
async function listed(state: SandboxListing['state'], item: { state?: string } = {}): Promise<string> {
  const { db } = server.services
  const listingId = ++next
  running.sandbox.market.add(shop.shopId, { listingId, state })
  const item_uid = await insertItem(db, account.user_id, { title: 'Brass sextant', ...item })
  const listing = { user_id: account.user_id, item_uid, seller_account_uid, platform: 'etsy' as const }
  await insertLiveListing(db, { ...listing, listing_id: String(listingId) })
  return item_uid
}

/** Compares the shop with Etsy, as two hours later. */
async function compare(): Promise<void> {
  const { db } = server.services
  await db.none(
    `update seller_account set connected_at = now() - interval '2 hours', reconciled_at = null where uid = $1`,
    [seller_account_uid],
  )
  await db.none(`update channel_listing set updated_at = now() - interval '2 hours' where seller_account_uid = $1`, [
    seller_account_uid,
  ])
  expect(await reconcileShops(server.services, { limit: 10 })).toBe(1)
}

const listingOf = (item_uid: string) =>
  server.services.db.one<{ state: string; listing_id: string }>(
    'select state, listing_id from channel_listing where item_uid = $1',
    [item_uid],
  )
const alertsOf = async (item_uid: string) =>
  (await call('GET', '/api/v1/alarms/')).body.results.filter(
    (alert: { inventory_item_uid: string }) => alert.inventory_item_uid === item_uid,
  )

describe('a listing that Etsy shows as ended', () => {
  it('is told to its seller when it expired', async () => {
    const item_uid = await listed('expired')
    await compare()
    expect((await listingOf(item_uid)).state).toBe('removed')
    expect(await alertsOf(item_uid)).toMatchObject([
      {
        kind: 'listing_expired',
        platform: 'etsy',
        title: 'Brass sextant',
        suggestion: 'list_again',
        relist_on: ['etsy'],
        message: expect.stringMatching(/"Brass sextant" expired on Etsy.*\$0\.20/),
        actions: [{ action: 'list_again' }, { action: 'open_listing' }, { action: 'dismiss' }],
      },
    ])
    const events = await server.services.db.any(
      "select data from event where user_id = $1 and type = 'listing.delisted'",
      [account.user_id],
    )
    expect(events).toMatchObject([{ data: { cause: 'reconcile', reason: 'expired' } }])
    await checkInvariants(server.services.db)
  })

  it('is told no more once it is renewed there', async () => {
    const item_uid = await listed('expired')
    await compare()
    running.sandbox.market.renew(Number((await listingOf(item_uid)).listing_id))
    await compare()
    expect((await listingOf(item_uid)).state).toBe('available')
    expect(await alertsOf(item_uid)).toEqual([])
  })

  it('is not told when its item is withdrawn, or when its seller ended it', async () => {
    const withdrawn = await listed('expired', { state: 'withdrawn' })
    const ended = [await listed('inactive'), await listed('edit')]
    await compare()
    for (const item_uid of [withdrawn, ...ended]) {
      expect((await listingOf(item_uid)).state).toBe('removed')
      expect(await alertsOf(item_uid)).toEqual([])
    }
  })
})

describe('a shop on vacation', () => {
  const shown = async () =>
    (await call('GET', '/api/v1/seller-accounts/')).body.find(({ uid }: { uid: string }) => uid === seller_account_uid)

  it('is shown as such when it is connected, and later', async () => {
    expect((await shown()).is_on_vacation).toBe(false)
    running.sandbox.market.setVacation(shop.shopId, true)
    await connect()
    expect((await shown()).is_on_vacation).toBe(true)
    await listed('active')
    running.sandbox.market.setVacation(shop.shopId, false)
    await compare()
    expect((await shown()).is_on_vacation).toBe(false)
    running.sandbox.market.setVacation(shop.shopId, true)
    await compare()
    expect((await shown()).is_on_vacation).toBe(true)
  })

  it('still has its listings ended when their items sell', async () => {
    running.sandbox.market.setVacation(shop.shopId, true)
    const item_uid = await listed('active')
    await compare()
    expect((await listingOf(item_uid)).state).toBe('available')
    expect((await call('POST', `/api/v1/inventory/${item_uid}/mark-sold/`, {})).status).toBe(200)
    await until(
      () => listingOf(item_uid),
      ({ state }) => state === 'removed',
    )
    const { listing_id } = await listingOf(item_uid)
    expect(running.sandbox.market.find(Number(listing_id))?.listing.state).toBe('inactive')
  })
})
