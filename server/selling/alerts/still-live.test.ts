import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { apiOf } from '#e2e/harness/api.ts'
import { createFrozenDatabase, type FrozenDatabase } from '#e2e/harness/database/database.ts'
import { messagesTo } from '#e2e/harness/outbox.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { startPushService } from '#server/accounts/web-push/testing/push-service.ts'
import { setShopStatus } from '#server/integrations/connections/testing/set-shop-status.ts'
import { insertShop } from '#server/selling/listings/testing/build-item.ts'
import { markSoldInPerson } from '#server/selling/sales/mark-sold-in-person.ts'
import { saleOfListing } from '#server/selling/sales/observed-sale.ts'
import { recordSale } from '#server/selling/sales/record-sale.ts'
import { takeBackSale } from '#server/selling/sales/take-back-sale.ts'
import {
  buildListedItem,
  type ListedItem,
  listingOf,
  orderFor,
  placeOrder,
} from '#server/selling/sales/testing/sell.ts'
import type { Alert } from '#shared/contract/selling/orders.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import { mailAlerts } from './mail-alerts.ts'

/** The clock of database and server, which only `pass` moves. */
let database: FrozenDatabase
let server: TestServer
let account: TestAccount
let shops: Record<string, string>
let nowMs = 0
beforeAll(async () => {
  database = await createFrozenDatabase()
  nowMs = new Date((await database.db.one('select now() as at')).at).getTime()
  server = await startTestServer({
    database,
    works: false,
    environment: { SANDBOX: 'on' },
    now: () => new Date(nowMs),
  })
})
afterAll(() => server?.close())
beforeEach(async () => {
  const { db } = server.services
  account = await buildAccount(db)
  const { user_id } = account
  await db.none('update app_user set email_verified = true where id = $1', [user_id])
  shops = {}
  for (const platform of ['ebay', 'poshmark', 'mercari', 'depop'] as const) {
    shops[platform] = await insertShop(db, user_id, platform)
  }
  const pushes = await startPushService()
  expect((await call('PUT', '/api/v1/user/web-push/', pushes.subscribe(), account.bearer)).status).toBe(200)
  await pushes.close()
})

const minute = 60_000
async function pass(milliseconds: number) {
  nowMs += milliseconds
  await database.advance(milliseconds)
}
const call = (method: string, path: string, body?: unknown, headers: object = account.key) =>
  apiOf(server.url)(method, path, { headers: headers as Record<string, string>, body })
const newItem = (platforms: PlatformSlug[]) =>
  buildListedItem(server.services.db, {
    user_id: account.user_id,
    shops: Object.fromEntries(platforms.map((platform) => [platform, shops[platform]!])),
  })
const sell = (item: ListedItem, on: PlatformSlug = 'ebay', given: Parameters<typeof orderFor>[2] = {}) =>
  placeOrder(server.services.db, account.user_id, orderFor(item, on, { id: `order-${item.item_uid}-${on}`, ...given }))
const alerts = async (query = ''): Promise<Alert[]> => (await call('GET', `/api/v1/alarms/${query}`)).body.results
const tasks = async () => (await call('GET', '/api/v1/extension/tasks/')).body.results
const mails = async () =>
  (await messagesTo(server.services, account.email)).filter(({ template }) => template === 'alert')
const pushed = () =>
  server.services.db.map(
    'select notice from web_push_notice where user_id = $1 order by id',
    [account.user_id],
    ({ notice }) => notice,
  )

/** A listing as its page on Poshmark shows it. */
const shownAs = (state: 'available' | 'removed', item: ListedItem) => ({
  listing_id: listingOf('poshmark', item.item_uid),
  url: 'https://poshmark.com/listing/1',
  title: 'Brass sextant',
  description: '',
  price_minor: 4_250,
  currency: 'USD',
  state,
  images: ['https://di2ponv0v5otw.cloudfront.net/1.jpg'],
})
/** Imports the shop on Poshmark as the extension read it: all of these listings, and no others. */
async function readPoshmark(listings: object[], failures: object[] = []) {
  const shop = { username: 'A shop', url: 'https://poshmark.com/closet/ada' }
  await server.services.db.none("update seller_account set external_id = 'a shop' where uid = $1", [shops.poshmark])
  const { id } = (await call('POST', '/api/v1/extension/imports/', { platform: 'poshmark', shop })).body
  const path = `/api/v1/extension/imports/${id}`
  const batch = { batch_id: 'a', listings, failures }
  expect((await call('POST', `${path}/batches/`, batch)).status).toBe(200)
  expect((await call('POST', `${path}/complete/`)).status).toBe(200)
}
const reportGone = async (item: ListedItem) => {
  const seen_at = new Date(nowMs).toISOString()
  const shop = { username: 'A shop' }
  const listing_ids = [listingOf('poshmark', item.item_uid)]
  const body = { platform: 'poshmark', shop, listing_ids, state: 'ended', seen_at }
  expect(await call('POST', '/api/v1/extension/sales/', body)).toMatchObject({ status: 200 })
}

describe('a sold item that only the seller can take down', () => {
  it.each([
    ['poshmark', 'Poshmark'],
    ['mercari', 'Mercari'],
    ['depop', 'Depop'],
  ] as const)('is an alert on %s from the first moment', async (platform, name) => {
    const item = await newItem(['ebay', platform])
    await sell(item)
    const [task] = await tasks()
    expect(await alerts()).toMatchObject([
      {
        kind: 'delist_overdue',
        platform,
        inventory_item_uid: item.item_uid,
        seller_account_uid: shops[platform],
        shop_name: 'A shop',
        listing_id: listingOf(platform, item.item_uid),
        sold_on: 'ebay',
        message: expect.stringContaining(name),
        progress: { state: 'waiting_for_seller', attempts: 0, next_try_at: null, last_error: null },
        actions: [{ action: 'open_listing', url: task.url }, { action: 'dismiss' }],
        task_uid: task.uid,
      },
    ])
  })

  it('names the sale that a mail told of, too', async () => {
    const item = await newItem(['mercari', 'poshmark'])
    const listing = {
      ...{ seller_account_uid: shops.mercari!, platform: 'mercari' as const, price_minor: 1_000, currency: 'USD' },
      ...{ listing_id: listingOf('mercari', item.item_uid), observed_at: new Date(nowMs).toISOString() },
      ...{ status: 'pending' as const, by: 'mail' as const },
    }
    await recordSale(server.services.db, item.user_id, saleOfListing(listing))
    expect(await alerts()).toMatchObject([
      { platform: 'poshmark', sold_on: 'mercari', sold_at: new Date(nowMs).toISOString() },
    ])
  })

  it('is mailed and pushed once, after five minutes', async () => {
    const item = await newItem(['ebay', 'poshmark'])
    await sell(item)
    await pass(4.9 * minute)
    await mailAlerts(server.services)
    expect([await mails(), await pushed()]).toEqual([[], []])
    await pass(0.2 * minute)
    await mailAlerts(server.services)
    await pass(6 * minute)
    await mailAlerts(server.services)
    expect(await mails()).toMatchObject([
      {
        subject: expect.stringMatching(/^Still live on Poshmark: Brass sextant/),
        text: expect.stringMatching(/sold on eBay\. Its listing on Poshmark is still live.+Only you can end it/s),
      },
    ])
    expect(await pushed()).toMatchObject([{ title: expect.stringMatching(/^Still live on Poshmark: Brass/) }])
  })

  it('is neither mailed nor pushed if the settings leave it out, or it ends in time', async () => {
    await call('PUT', '/api/v1/user/settings/', { alert_mails: ['oversell'], push_kinds: ['oversell'] })
    await sell(await newItem(['ebay', 'depop']))
    await pass(6 * minute)
    await mailAlerts(server.services)
    await call('PUT', '/api/v1/user/settings/', {})
    await sell(await newItem(['ebay', 'depop']))
    const [task] = await tasks()
    await call('POST', `/api/v1/extension/tasks/${task.uid}/complete/`, {})
    await pass(6 * minute)
    await mailAlerts(server.services)
    expect([await mails(), await pushed()]).toEqual([[], []])
  })

  it.each([
    ['completes the task, having read the page', 'complete', { seen_down: true }],
    ['is told to put the task aside', 'dismiss', undefined],
  ])('is over when a program %s', async (_, act, body) => {
    await sell(await newItem(['ebay', 'poshmark', 'mercari']))
    expect(await alerts()).toHaveLength(2)
    const [task] = await tasks()
    await call('POST', `/api/v1/extension/tasks/${task.uid}/${act}/`, body)
    expect(await alerts()).toMatchObject([{ platform: task.platform === 'poshmark' ? 'mercari' : 'poshmark' }])
  })

  it('is over, with its task, when the listing is seen down', async () => {
    const item = await newItem(['ebay', 'poshmark'])
    await sell(item)
    await readPoshmark([shownAs('removed', item)])
    await expect.poll(async () => [await alerts(), await tasks()]).toEqual([[], []])
  })

  it('is over, with its task, when a check of the extension sees the listing gone', async () => {
    const item = await newItem(['ebay', 'poshmark'])
    await sell(item)
    await pass(minute)
    await reportGone(item)
    expect([await alerts(), await tasks()]).toEqual([[], []])
  })

  it('is over when the sale is canceled', async () => {
    const item = await newItem(['ebay', 'poshmark'])
    await sell(item)
    await sell(item, 'ebay', { status: 'cancelled', at: 1 })
    expect((await alerts()).map(({ kind }) => kind)).toEqual(['relist_offer'])
    expect(await tasks()).toEqual([])
  })

  it('is told of although the seller had asked to take it down before', async () => {
    const item = await newItem(['ebay', 'poshmark'])
    const path = `/api/v1/inventory/${item.item_uid}/platforms/poshmark/delist/`
    expect((await call('POST', path)).body).toMatchObject({ status: 'manual' })
    expect(await alerts()).toEqual([])
    await sell(item)
    expect(await alerts()).toMatchObject([{ kind: 'delist_overdue', platform: 'poshmark' }])
    expect(await tasks()).toHaveLength(1)
    await sell(item, 'ebay', { status: 'cancelled', at: 1 })
    expect((await alerts()).map(({ kind }) => kind)).toEqual(['relist_offer'])
    // The seller asked for it.
    expect(await tasks()).toHaveLength(1)
  })

  it('is told of after a sale in person, until that is taken back', async () => {
    const item = await newItem(['poshmark'])
    const of = { user_id: account.user_id, item_uid: item.item_uid }
    await markSoldInPerson(server.services, of)
    expect(await alerts()).toMatchObject([{ platform: 'poshmark', sold_on: 'outside' }])
    await markSoldInPerson(server.services, of)
    expect(await alerts()).toHaveLength(1)
    await takeBackSale(server.services, of, async (_queries, reply) => reply)
    expect((await alerts()).filter(({ kind }) => kind === 'delist_overdue')).toEqual([])
  })

  it('stays put aside when the same sale is reported again', async () => {
    const item = await newItem(['poshmark'])
    const of = { user_id: account.user_id, item_uid: item.item_uid }
    await markSoldInPerson(server.services, of)
    const [alert] = await alerts()
    await call('POST', `/api/v1/alarms/${alert!.uid}/dismiss/`)
    await markSoldInPerson(server.services, of)
    expect(await alerts()).toEqual([])
    expect(await tasks()).toHaveLength(1)
  })

  it('is none for an item that the seller only withdraws', async () => {
    const item = await newItem(['poshmark'])
    expect((await call('PATCH', `/api/v1/inventory/${item.item_uid}/`, { state: 'withdrawn' })).status).toBe(200)
    expect(await tasks()).toHaveLength(1)
    expect(await alerts()).toEqual([])
  })
})

describe('a listing that the seller says to have ended', () => {
  /** Sells an item that is live on Poshmark, and says a minute later that the listing is ended. */
  async function saidEnded(): Promise<ListedItem> {
    const item = await newItem(['ebay', 'poshmark'])
    await sell(item)
    await pass(minute)
    const [task] = await tasks()
    expect((await call('POST', `/api/v1/extension/tasks/${task.uid}/complete/`, {})).status).toBe(200)
    await pass(minute)
    return item
  }

  it('stays an alert without its task, and is neither mailed nor pushed', async () => {
    const said_at = new Date(nowMs + minute).toISOString()
    await saidEnded()
    await pass(10 * minute)
    await mailAlerts(server.services)
    expect([await tasks(), await mails(), await pushed()]).toEqual([[], [], []])
    expect(await alerts()).toMatchObject([
      {
        kind: 'delist_overdue',
        ended_said_at: said_at,
        actions: [{ action: 'open_listing' }, { action: 'dismiss' }],
        task_uid: null,
      },
    ])
  })

  it('is over when the whole shop was read without it', async () => {
    await saidEnded()
    await readPoshmark([])
    await expect.poll(() => alerts()).toEqual([])
  })

  it('is over when its page shows it down', async () => {
    const item = await saidEnded()
    await readPoshmark([shownAs('removed', item)])
    await expect.poll(() => alerts()).toEqual([])
  })

  it.each([
    ['its own page', (item: ListedItem) => listingOf('poshmark', item.item_uid)],
    ['part of the shop', () => 'shop:total'],
  ])('stays where %s could not be read', async (_, idOf) => {
    const item = await saidEnded()
    const failure = { listing_id: idOf(item), error_code: 'page_changed', error_message: 'Not read.' }
    await readPoshmark([], [failure])
    expect(await alerts()).toMatchObject([{ ended_said_at: expect.any(String) }])
  })

  it('is over when a check of the extension sees it gone since then', async () => {
    const item = await saidEnded()
    await reportGone(item)
    expect(await alerts()).toEqual([])
  })

  it('is over when it turns out to be sold there', async () => {
    const item = await saidEnded()
    const { db } = server.services
    await db.none("update channel_listing set state = 'sold' where user_id = $1 and listing_id = $2", [
      account.user_id,
      listingOf('poshmark', item.item_uid),
    ])
    expect(await alerts()).toEqual([])
  })

  it('is still live, with a task, a mail and a push, when a reading shows it', async () => {
    const item = await saidEnded()
    await readPoshmark([shownAs('available', item)])
    await expect.poll(tasks).toHaveLength(1)
    const [alert] = await alerts()
    expect([alert!.ended_said_at, alert!.task_uid]).toEqual([undefined, (await tasks())[0].uid])
    await pass(6 * minute)
    await mailAlerts(server.services)
    expect([await mails(), await pushed()]).toMatchObject([[{}], [{}]])
  })

  it('is put aside by the seller, and over when the sale is canceled', async () => {
    await saidEnded()
    const [alert] = await alerts()
    await call('POST', `/api/v1/alarms/${alert!.uid}/dismiss/`)
    expect(await alerts()).toEqual([])
    const other = await saidEnded()
    await sell(other, 'ebay', { status: 'cancelled', at: 1 })
    expect((await alerts()).map(({ kind }) => kind)).toEqual(['relist_offer'])
  })

  it('is said of an alert without a task, too, once', async () => {
    const item = await newItem(['ebay', 'poshmark'])
    await sell(item)
    const [alert] = await alerts()
    const path = `/api/v1/alarms/${alert!.uid}/ended/`
    const said = (await call('POST', path)).body
    expect(said).toMatchObject({ state: 'open', ended_said_at: new Date(nowMs).toISOString() })
    await pass(minute)
    expect((await call('POST', path)).body.ended_said_at).toBe(said.ended_said_at)
    expect((await call('POST', '/api/v1/alarms/alm_0000000000000000000000/ended/')).status).toBe(404)
  })
})

it('lists lost connections, sold twice, still live with the oldest first, canceled sales', async () => {
  const { db } = server.services
  const [first, second, twice, canceled] = [
    await newItem(['ebay', 'poshmark']),
    await newItem(['ebay', 'depop']),
    await newItem(['ebay', 'mercari']),
    await newItem(['ebay']),
  ]
  for (const item of [first, second]) {
    await sell(item)
    await pass(minute)
  }
  await sell(twice)
  await sell(twice, 'mercari', { at: 1 })
  await sell(canceled)
  await sell(canceled, 'ebay', { status: 'cancelled', at: 1 })
  await db.none(
    `insert into alert (user_id, uid, kind, item_uid, platform, reference, message)
     values ($1, 'alm_refused', 'update_refused', $2, 'ebay', 'x', 'Refused')`,
    [account.user_id, canceled.item_uid],
  )
  await setShopStatus(server.services, shops.ebay!, 'reconnect_required')
  const order = ['connection_lost', 'oversell', 'poshmark', 'depop', 'relist_offer', 'update_refused']
  const place = ({ kind, platform }: Alert) => (kind === 'delist_overdue' ? platform : kind)
  expect((await alerts()).map(place)).toEqual(order)
  const paged: unknown[] = []
  for (let cursor = ''; ; ) {
    const { body } = await call('GET', `/api/v1/alarms/?page_size=2${cursor}`)
    paged.push(...body.results.map(place))
    if (!body.next_cursor) break
    cursor = `&cursor=${body.next_cursor}`
  }
  expect(paged).toEqual(order)
})
