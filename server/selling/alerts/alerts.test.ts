import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { apiOf } from '#e2e/harness/api.ts'
import { messagesTo } from '#e2e/harness/outbox.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { verifyMailbox } from '#server/accounts/email-verification/verify-mailbox.ts'
import { lockUser } from '#server/http/lock-user.ts'
import { setShopStatus } from '#server/integrations/connections/testing/set-shop-status.ts'
import { raiseOverdueAlert } from '#server/selling/listings/operations/listing-events.ts'
import { insertShop } from '#server/selling/listings/testing/build-item.ts'
import { buildListedItem, type ListedItem, orderFor, placeOrder } from '#server/selling/sales/testing/sell.ts'
import type { Alert } from '#shared/contract/selling/orders.ts'
import { mailAlerts } from './mail-alerts.ts'

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
  const { user_id } = account
  await db.none('update app_user set email_verified = true where id = $1', [user_id])
  const shops = { ebay: await insertShop(db, user_id, 'ebay'), etsy: await insertShop(db, user_id, 'etsy') }
  item = await buildListedItem(db, { user_id, shops })
})

const call = (method: string, path: string, body?: unknown) =>
  apiOf(server.url)(method, path, { headers: account.key, body })
const alerts = async (query = ''): Promise<Alert[]> => (await call('GET', `/api/v1/alarms/${query}`)).body.results
const shopIs = (platform: string, status: 'connected' | 'reconnect_required') =>
  setShopStatus(server.services, item.shops[platform]!, status)
const mails = async () =>
  (await messagesTo(server.services, account.email)).filter(({ template }) => template === 'alert')

/** Sells the item on eBay, and lets the take-down on Etsy fail three times. */
async function sellWhileEtsyFails(): Promise<void> {
  const { db } = server.services
  await placeOrder(db, account.user_id, orderFor(item, 'ebay', { id: 'first' }))
  const operation = await db.one(
    `update listing_operation set attempts = 3, failures = 3, error_message = 'Etsy answered 500.',
       next_attempt_at = now() + interval '32 seconds'
     where user_id = $1 and item_uid = $2 and kind = 'delist' returning *`,
    [account.user_id, item.item_uid],
  )
  await db.tx((tx) => raiseOverdueAlert(tx, operation, { why: 'Etsy answered 500.', isOverdue: true, notifyMs: 0 }))
}

describe('the list of alerts', () => {
  it('shows a listing that is still live after a sale', async () => {
    await sellWhileEtsyFails()
    expect(await alerts()).toMatchObject([
      {
        kind: 'delist_overdue',
        platform: 'etsy',
        title: expect.stringContaining('Brass sextant'),
        image: 'https://example.com/1.jpg',
        price_minor: 4_250,
        currency: 'USD',
        sold_on: 'ebay',
        progress: { state: 'retrying', attempts: 3, last_error: 'Etsy answered 500.' },
        actions: [
          { action: 'retry', url: null },
          { action: 'open_listing', url: expect.stringMatching(/^https?:/) },
          { action: 'dismiss', url: null },
        ],
      },
    ])
    const [alert] = await alerts()
    expect(Date.parse(alert!.progress.next_try_at!)).toBeGreaterThan(Date.now())
    await shopIs('etsy', 'reconnect_required')
    const waiting = (await alerts()).find(({ kind }) => kind === 'delist_overdue')
    expect(waiting).toMatchObject({
      progress: { state: 'waiting_for_connection' },
      actions: [{ action: 'reconnect' }, {}, {}],
    })
  })

  it('orders lost connections, oversells, live listings', async () => {
    await sellWhileEtsyFails()
    await placeOrder(server.services.db, account.user_id, orderFor(item, 'etsy', { id: 'second' }))
    await shopIs('ebay', 'reconnect_required')
    const kinds = ['connection_lost', 'oversell', 'delist_overdue']
    expect((await alerts()).map(({ kind }) => kind)).toEqual(kinds)
    const paged: string[] = []
    for (let cursor = ''; ; ) {
      const { body } = await call('GET', `/api/v1/alarms/?page_size=1${cursor}`)
      paged.push(...body.results.map(({ kind }: Alert) => kind))
      if (!body.next_cursor) break
      cursor = `&cursor=${body.next_cursor}`
    }
    expect(paged).toEqual(kinds)
    const oversell = (await alerts()).find(({ kind }) => kind === 'oversell')
    expect(oversell).toMatchObject({
      actions: [{ action: 'open_order', url: expect.stringContaining('second') }, { action: 'dismiss' }],
      task_uid: expect.stringMatching(/^tsk_/),
    })
  })

  it('shows unreadable orders below listings that are still live', async () => {
    await sellWhileEtsyFails()
    await server.services.db.none(
      `insert into alert (user_id, uid, kind, platform, reference, message)
       values ($1, 'alm_unread', 'orders_unread', 'etsy', $2, 'Unread')`,
      [account.user_id, item.shops.etsy],
    )
    expect((await alerts()).map(({ kind }) => kind)).toEqual(['delist_overdue', 'orders_unread'])
  })

  it('says since when orders were never read', async () => {
    await sellWhileEtsyFails()
    const connectedAt = '2026-01-02T03:04:05.000Z'
    await server.services.db.multi(
      `insert into alert (user_id, uid, kind, platform, reference, message)
       values ($<user_id>, 'alm_unread', 'orders_unread', 'etsy', $<shop>, 'Unread');
       insert into order_sync (user_id, seller_account_uid, platform, created_at)
       values ($<user_id>, $<shop>, 'etsy', $<connectedAt>)`,
      { user_id: account.user_id, shop: item.shops.etsy, connectedAt },
    )
    expect((await alerts()).at(-1)).toMatchObject({ kind: 'orders_unread', since: connectedAt })
  })

  it.each([
    ['its alert is dismissed', 'dismiss', 'dismissed'],
    ['the seller says that it is ended', 'ended', 'open'],
  ])('has a listing tried at once when %s', async (_, act, state) => {
    await sellWhileEtsyFails()
    const [alert] = await alerts()
    const waits = () =>
      server.services.db.one<{ waits: boolean }>(
        `select next_attempt_at > now() as waits from listing_operation where user_id = $1 and kind = 'delist'`,
        [account.user_id],
      )
    expect(await waits()).toEqual({ waits: true })
    expect((await call('POST', `/api/v1/alarms/${alert!.uid}/${act}/`)).body).toMatchObject({ state })
    expect(await waits()).toEqual({ waits: false })
    await server.services.db.none("update listing_operation set next_attempt_at = now() + interval '1 hour'")
    expect((await call('POST', `/api/v1/alarms/${alert!.uid}/${act}/`)).status).toBe(200)
    expect(await waits()).toEqual({ waits: true })
  })

  it('shows a lost connection until the shop is connected again', async () => {
    await shopIs('etsy', 'reconnect_required')
    expect(await alerts()).toMatchObject([
      {
        kind: 'connection_lost',
        platform: 'etsy',
        seller_account_uid: item.shops.etsy,
        shop_name: 'A shop',
        actions: [{ action: 'reconnect', url: expect.stringMatching(/\/connect\/\?to=etsy$/) }],
      },
    ])
    await shopIs('etsy', 'connected')
    expect(await alerts()).toEqual([])
    expect(await alerts('?state=resolved')).toHaveLength(1)
  })
})

describe('trying a take-down at once', () => {
  const retry = async (uid: string, by = account) =>
    apiOf(server.url)('POST', `/api/v1/alarms/${uid}/retry/`, { headers: by.key })
  const db = () => server.services.db
  const waits = async () =>
    (
      await db().one(
        "select next_attempt_at > now() as waits from listing_operation where user_id = $1 and kind = 'delist'",
        [account.user_id],
      )
    ).waits
  const fail = () =>
    db().none("update listing_operation set next_attempt_at = now() + interval '32 seconds' where user_id = $1", [
      account.user_id,
    ])

  it('makes it due now, once for two presses', async () => {
    await sellWhileEtsyFails()
    const [{ uid }] = (await alerts()) as [Alert]
    expect(await retry(uid)).toMatchObject({
      status: 200,
      body: { uid, state: 'open', progress: { state: 'retrying', next_try_at: null } },
    })
    expect(await waits()).toBe(false)
    await fail()
    expect((await retry(uid)).status).toBe(200)
    expect(await waits()).toBe(true)
    await db().none(`update alert set data = data || jsonb_build_object('retried_at', now() - interval '11 seconds')`)
    await retry(uid)
    expect(await waits()).toBe(false)
  })

  it('leaves an attempt under way alone', async () => {
    await sellWhileEtsyFails()
    const [{ uid }] = (await alerts()) as [Alert]
    const read = () =>
      db().one(
        'select next_attempt_at::text as due, lease_until::text as lease from listing_operation where user_id = $1',
        [account.user_id],
      )
    await db().none(
      "update listing_operation set next_attempt_at = now() - interval '1 second', lease_until = now() + interval '1 minute' where user_id = $1",
      [account.user_id],
    )
    const before = await read()
    expect((await retry(uid)).status).toBe(200)
    expect(await read()).toEqual(before)
  })

  it('changes nothing once the listing is down', async () => {
    await sellWhileEtsyFails()
    const [{ uid }] = (await alerts()) as [Alert]
    await db().none("update alert set state = 'resolved', finished_at = now() where user_id = $1", [account.user_id])
    expect(await retry(uid)).toMatchObject({ status: 200, body: { state: 'resolved', actions: [] } })
    expect(await waits()).toBe(true)
  })

  it('is not offered while the shop has to be connected', async () => {
    await sellWhileEtsyFails()
    await shopIs('etsy', 'reconnect_required')
    const waiting = (await alerts()).find(({ kind }) => kind === 'delist_overdue')
    expect(waiting?.actions.map(({ action }) => action)).toEqual(['reconnect', 'open_listing', 'dismiss'])
  })

  it('refuses an alert that waits for the seller, and another seller’s', async () => {
    await sellWhileEtsyFails()
    await shopIs('ebay', 'reconnect_required')
    const [lost, overdue] = (await alerts()) as [Alert, Alert]
    expect(await retry(lost.uid)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect((await retry(overdue.uid, await buildAccount(db()))).status).toBe(404)
    expect(await waits()).toBe(true)
  })
})

describe('mails of alerts', () => {
  it('go out once for each problem and day', async () => {
    for (let round = 0; round < 2; round++) {
      await shopIs('etsy', 'reconnect_required')
      await mailAlerts(server.services)
      await mailAlerts(server.services)
      await shopIs('etsy', 'connected')
    }
    expect(await mails()).toMatchObject([
      { subject: 'Connect Etsy again', text: expect.stringContaining('/connect/?to=etsy') },
    ])
  })

  it('name the item that is still live', async () => {
    await sellWhileEtsyFails()
    await mailAlerts(server.services)
    expect(await mails()).toMatchObject([
      {
        subject: expect.stringMatching(/^Still live on Etsy: Brass sextant/),
        text: expect.stringMatching(/^Brass sextant.* sold on eBay\. Hapax could not end its listing on Etsy yet/),
      },
    ])
  })

  it('leave out a refused edit unless the settings name it', async () => {
    const refuse = (reference: string) =>
      server.services.db.none(
        `insert into alert (user_id, uid, kind, item_uid, platform, reference, message)
         values ($1, 'alm_' || $3, 'update_refused', $2, 'ebay', $3, 'eBay refused an edit of a listing.')`,
        [account.user_id, item.item_uid, reference],
      )
    await refuse('first')
    await mailAlerts(server.services)
    expect(await mails()).toEqual([])
    await call('PUT', '/api/v1/user/settings/', { alert_mails: ['update_refused'] })
    await refuse('second')
    await mailAlerts(server.services)
    expect(await mails()).toMatchObject([{ subject: expect.stringMatching(/^eBay refused your edit: Brass sextant/) }])
  })

  it('go out once the address is verified, while they are open', async () => {
    const { services } = server
    await services.db.none('update app_user set email_verified = false where id = $1', [account.user_id])
    await sellWhileEtsyFails()
    await mailAlerts(services)
    expect(await mails()).toEqual([])
    await services.db.tx(async (tx) => {
      const user = await lockUser(tx, account.user_id)
      await verifyMailbox(services, tx, user!, { passwordIsNew: false, passwordIsOwners: true })
    })
    await mailAlerts(services)
    expect(await mails()).toMatchObject([{ subject: expect.stringMatching(/^Still live on Etsy/) }])
  })

  it('go only to verified addresses, for the chosen kinds', async () => {
    expect((await call('PUT', '/api/v1/user/settings/', { alert_mails: ['oversell'] })).status).toBe(200)
    await shopIs('etsy', 'reconnect_required')
    await mailAlerts(server.services)
    await call('PUT', '/api/v1/user/settings/', {})
    await server.services.db.none('update app_user set email_verified = false where id = $1', [account.user_id])
    await shopIs('ebay', 'reconnect_required')
    await mailAlerts(server.services)
    expect(await mails()).toEqual([])
  })
})

describe('the health of a shop', () => {
  const health = async (platform: string) =>
    (await call('GET', '/api/v1/seller-accounts/')).body.find(
      (shop: { platform: string }) => shop.platform === platform,
    ).health

  it('is working only while the last call that was needed worked', async () => {
    const { db } = server.services
    expect(await health('etsy')).toMatchObject({ state: 'unknown' })
    await db.none(
      "insert into order_sync (user_id, seller_account_uid, platform, last_success_at) values ($1, $2, 'etsy', now())",
      [account.user_id, item.shops.etsy],
    )
    expect(await health('etsy')).toMatchObject({ state: 'working', message: null })
    await sellWhileEtsyFails()
    expect(await health('etsy')).toMatchObject({ state: 'failing', reason: 'take_down', message: 'Etsy answered 500.' })
    await db.none("update channel_listing set state = 'removed' where user_id = $1 and platform = 'etsy'", [
      account.user_id,
    ])
    await db.none("update listing_operation set state = 'done', finished_at = now() where user_id = $1", [
      account.user_id,
    ])
    expect(await health('etsy')).toMatchObject({ state: 'working' })
    await db.none("update order_sync set failures = 1, error_message = 'Timed out' where user_id = $1", [
      account.user_id,
    ])
    expect(await health('etsy')).toMatchObject({ state: 'failing', reason: 'orders', message: 'Timed out' })
    await shopIs('etsy', 'reconnect_required')
    expect(await health('etsy')).toMatchObject({ state: 'reconnect_required', message: null })
  })
})
