import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { apiOf } from '#e2e/harness/api.ts'
import { checkInvariants } from '#e2e/harness/campaigns/invariants.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { insertShop } from '#server/selling/listings/testing/build-item.ts'
import { buildListedItem, type ListedItem, orderFor, placeOrder } from './testing/sell.ts'

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
  for (const platform of ['ebay', 'etsy', 'poshmark'] as const) {
    shops[platform] = await insertShop(db, account.user_id, platform)
  }
  item = await buildListedItem(db, { user_id: account.user_id, shops })
})

const report = (given: Parameters<typeof orderFor>[2]) =>
  placeOrder(server.services.db, account.user_id, orderFor(item, 'etsy', given))
const call = (method: string, path: string, body?: object) =>
  apiOf(server.url)(method, path, { headers: account.key, body })
const alerts = async (state = 'open') => (await call('GET', `/api/v1/alarms/?state=${state}`)).body.results
const questions = async () => (await alerts()).filter(({ kind }: { kind: string }) => kind === 'sale_refunded')
const takeBack = () => call('POST', `/api/v1/inventory/${item.item_uid}/mark-unsold/`, {})
const stateOf = () =>
  server.services.db.one<{ state: string }>('select state from inventory_item where uid = $1', [item.item_uid])
const lineOf = () =>
  server.services.db.one(
    'select line.state, sold.status from order_line line join marketplace_order sold on sold.uid = line.order_uid where line.user_id = $1',
    [account.user_id],
  )

describe('an order that was refunded before shipping', () => {
  it('keeps the item sold and asks the seller once', async () => {
    await report({ at: 1 })
    await report({ at: 2, refunded: 'before_shipping' })
    await report({ at: 3, refunded: 'before_shipping' })
    expect(await stateOf()).toEqual({ state: 'sold' })
    expect(await questions()).toMatchObject([
      {
        platform: 'etsy',
        inventory_item_uid: item.item_uid,
        external_order_id: 'order-etsy',
        suggestion: 'check_item',
        message: expect.stringMatching(/order-etsy.*refunded.*Do you still have it\?/s),
        actions: [{ action: 'take_back_sale' }, { action: 'open_order' }, { action: 'dismiss' }],
      },
    ])
    expect((await alerts()).map(({ kind }: { kind: string }) => kind)).not.toContain('relist_offer')
    await checkInvariants(server.services.db)
  })

  it('frees the item when the seller still has it, whatever the order says later', async () => {
    await report({ at: 1 })
    await report({ at: 2, refunded: 'before_shipping' })
    expect(await takeBack()).toMatchObject({ status: 200, body: { state: 'available' } })
    expect(await questions()).toEqual([])
    expect((await alerts()).map(({ kind }: { kind: string }) => kind)).toContain('relist_offer')
    const later = new Date(Date.now() + 3_600_000)
    for (const refunded of ['before_shipping', 'after_shipping'] as const) {
      const order = orderFor(item, 'etsy', { refunded })
      await placeOrder(server.services.db, account.user_id, { ...order, modified_at: later.toISOString() })
    }
    expect(await stateOf()).toEqual({ state: 'available' })
    expect(await questions()).toEqual([])
    expect(await lineOf()).toEqual({ state: 'cancelled', status: 'paid' })
    await checkInvariants(server.services.db)
  })

  it('stays sold when the seller says that it is gone, and asks no more', async () => {
    await report({ at: 1 })
    await report({ at: 2, refunded: 'before_shipping' })
    const [question] = await questions()
    expect((await call('POST', `/api/v1/alarms/${question.uid}/dismiss/`)).status).toBe(200)
    await report({ at: 3, refunded: 'before_shipping' })
    expect(await questions()).toEqual([])
    expect(await stateOf()).toEqual({ state: 'sold' })
    // A wrong answer can be corrected.
    expect(await takeBack()).toMatchObject({ status: 200, body: { state: 'available' } })
  })

  it('takes the item down elsewhere when its refund is the first that is seen of it', async () => {
    const { lines } = await report({ at: 1, refunded: 'before_shipping' })
    expect(lines).toMatchObject([{ outcome: 'sold', taking_down: expect.arrayContaining(['ebay']) }])
    expect(await questions()).toHaveLength(1)
  })

  it('ends its question when it is shipped or cancelled', async () => {
    await report({ at: 1, refunded: 'before_shipping' })
    await report({ at: 2, refunded: 'after_shipping' })
    expect(await questions()).toEqual([])
    expect(await stateOf()).toEqual({ state: 'sold' })
    await report({ at: 3, status: 'cancelled' })
    expect(await stateOf()).toEqual({ state: 'available' })
  })

  it('is no second sale of an item that somebody else has', async () => {
    await placeOrder(server.services.db, account.user_id, orderFor(item, 'ebay'))
    await report({ at: 1 })
    expect((await alerts()).map(({ kind }: { kind: string }) => kind)).toContain('oversell')
    await report({ at: 2, refunded: 'before_shipping' })
    expect((await alerts()).map(({ kind }: { kind: string }) => kind)).not.toContain('oversell')
    expect(await questions()).toEqual([])
    expect(await stateOf()).toEqual({ state: 'sold' })
    await checkInvariants(server.services.db)
  })
})

describe('an order that was refunded in part before shipping', () => {
  it('asks once, and its shipping ends the question', async () => {
    await report({ at: 1 })
    await report({ at: 2, refunded: 'maybe_before_shipping' })
    await report({ at: 3, refunded: 'maybe_before_shipping' })
    expect(await questions()).toMatchObject([{ message: expect.stringMatching(/^Part of order.*still have it\?$/) }])
    expect(await stateOf()).toEqual({ state: 'sold' })
    await report({ at: 4, refunded: 'after_shipping' })
    expect(await questions()).toEqual([])
  })

  it('stays a second sale of an item that somebody else has', async () => {
    await placeOrder(server.services.db, account.user_id, orderFor(item, 'ebay'))
    await report({ at: 1 })
    await report({ at: 2, refunded: 'maybe_before_shipping' })
    expect((await alerts()).map(({ kind }: { kind: string }) => kind)).toContain('oversell')
    expect(await questions()).toEqual([])
  })
})

describe('an order that was refunded after shipping', () => {
  it('stays sold without a question', async () => {
    await report({ at: 1 })
    await report({ at: 2, refunded: 'after_shipping' })
    expect(await questions()).toEqual([])
    expect(await stateOf()).toEqual({ state: 'sold' })
    expect((await takeBack()).status).toBe(409)
  })
})
