import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { apiOf, parallel } from '#e2e/harness/api.ts'
import { checkInvariants } from '#e2e/harness/campaigns/invariants.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { insertShop } from '#server/selling/listings/testing/build-item.ts'
import { saleContention } from './contention.ts'
import { saleOfListing } from './observed-sale.ts'
import { recordSale, recordSaleIn } from './record-sale.ts'
import { buildListedItem, type ListedItem, listingOf, minute, orderFor, placeOrder } from './testing/sell.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ works: false })
})
afterAll(() => server?.close())

let account: TestAccount
let item: ListedItem
beforeEach(async () => {
  const { db } = server.services
  account = await buildAccount(db)
  const shops: Record<string, string> = {}
  for (const platform of ['ebay', 'poshmark'] as const) {
    shops[platform] = await insertShop(db, account.user_id, platform)
  }
  item = await buildListedItem(db, { user_id: account.user_id, shops })
})

const call = (action: string, body: object = {}) =>
  apiOf(server.url)('POST', `/api/v1/inventory/${item.item_uid}/${action}/`, { headers: account.key, body })
const stateNow = async () =>
  (await server.services.db.one('select state from inventory_item where uid = $1', [item.item_uid])).state
const alerts = () =>
  server.services.db.map(
    "select kind from alert where user_id = $1 and state = 'open' order by kind",
    [account.user_id],
    ({ kind }) => kind,
  )

describe('taking a sale back', () => {
  it('frees an item marked by mistake and allows marking it again', async () => {
    for (let times = 0; times < 2; times++) {
      expect(await call('mark-sold')).toMatchObject({ status: 200, body: { state: 'sold' } })
      expect(await call('mark-unsold', { note: 'Clicked the wrong row' })).toMatchObject({
        status: 200,
        body: { uid: item.item_uid, state: 'available' },
      })
      expect(await call('mark-unsold')).toMatchObject({ status: 409, body: { code: 'conflict' } })
    }
    expect(await alerts()).toContain('relist_offer')
    const history = await server.services.db.map(
      'select to_state from inventory_history where item_uid = $1 order by version',
      [item.item_uid],
      ({ to_state }) => to_state,
    )
    expect(history).toEqual(['available', 'sold', 'available', 'sold', 'available'])
    await checkInvariants(server.services.db)
  })

  it('is told in the history in the words of the seller, without an order number', async () => {
    await call('mark-sold')
    await call('mark-unsold')
    const path = `/api/v1/inventory/${item.item_uid}/history/`
    const { body } = await apiOf(server.url)('GET', path, { headers: account.key })
    const told = body.map(({ reason }: { reason: string }) => reason)
    expect(told).toContain('The sale in person was undone')
    expect(told.join(' ')).not.toMatch(/\binv_|cancel/i)
  })

  it('frees an item that the extension saw as sold', async () => {
    const { db } = server.services
    await transaction(
      db,
      'seen',
      (tx) =>
        recordSaleIn(
          tx,
          item.user_id,
          saleOfListing({
            seller_account_uid: item.shops.poshmark!,
            platform: 'poshmark',
            listing_id: listingOf('poshmark', item.item_uid),
            price_minor: 1_000,
            currency: 'USD',
            observed_at: minute(0),
          }),
        ),
      saleContention,
    )
    expect((await call('mark-unsold')).body).toEqual({ uid: item.item_uid, state: 'available' })
  })

  it('frees an item that a mail held, and holds it again when that is undone', async () => {
    const { db } = server.services
    const listing = {
      ...{ seller_account_uid: item.shops.poshmark!, platform: 'poshmark' as const, price_minor: 1_000 },
      ...{ listing_id: listingOf('poshmark', item.item_uid), observed_at: minute(0), currency: 'USD' },
      ...{ status: 'pending' as const, by: 'mail' as const },
    }
    await recordSale(db, item.user_id, saleOfListing(listing))
    const freed = await call('mark-unsold')
    expect(freed).toMatchObject({ status: 200, body: { state: 'available', change_uid: expect.any(String) } })
    expect(await alerts()).toContain('relist_offer')
    const undo = () =>
      apiOf(server.url)('POST', `/api/v1/changes/${freed.body.change_uid}/undo/`, { headers: account.key })
    expect(await undo()).toMatchObject({ status: 200, body: { undone: 1, change: { kind: 'take_back_hold' } } })
    expect(await stateNow()).toBe('reserved')
    expect(await alerts()).not.toContain('relist_offer')
    expect(await undo()).toMatchObject({ status: 200, body: { undone: 0 } })

    const again = await call('mark-unsold')
    await call('mark-sold')
    freed.body = again.body
    expect(await undo()).toMatchObject({ status: 409, body: { code: 'changed_since' } })
    expect(await stateNow()).toBe('sold')
    await checkInvariants(db)
  })

  it('leaves the hold of an order of a platform to the platform', async () => {
    await placeOrder(server.services.db, account.user_id, orderFor(item, 'ebay', { status: 'pending' }))
    expect(await stateNow()).toBe('reserved')
    expect(await call('mark-unsold')).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('Cancel it there') },
    })
  })

  it('gives the item to the waiting buyer', async () => {
    await call('mark-sold')
    await placeOrder(server.services.db, account.user_id, orderFor(item, 'ebay'))
    expect(await alerts()).toContain('oversell')
    expect((await call('mark-unsold')).body.state).toBe('sold')
    // The buyer has it, and its other listing is still live.
    expect(await alerts()).toEqual(['delist_overdue'])
    await checkInvariants(server.services.db)
  })

  it('refuses platform orders, imported sales and strangers', async () => {
    expect(await call('mark-unsold')).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('not sold') },
    })
    await placeOrder(server.services.db, account.user_id, orderFor(item, 'ebay'))
    const refused = await call('mark-unsold')
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
    expect(refused.body.detail).toContain('Cancel it there')
    item = {
      ...item,
      item_uid: (await buildListedItem(server.services.db, { ...item, shops: {} }, { state: 'sold' })).item_uid,
    }
    expect(await call('mark-unsold')).toMatchObject({ status: 409, body: { code: 'conflict' } })
    account = await buildAccount(server.services.db)
    expect((await call('mark-unsold')).status).toBe(404)
  })

  it('happens once for parallel requests', async () => {
    await call('mark-sold')
    const replies = await parallel(16, () => call('mark-unsold'))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(15)
    await checkInvariants(server.services.db)
  })
})
