import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { endAt, openBorders } from '#e2e/harness/campaigns/borders.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { readConfig } from '#server/config.ts'
import { storeConnection } from '#server/integrations/connections/store-connection.ts'
import { type RunningEbaySandbox, startEbaySandbox } from '#server/integrations/ebay/testing/ebay-sandbox.ts'
import type { SandboxItem } from '#server/sandbox/ebay/item.ts'
import { answerQuestion } from '#server/selling/alerts/answer-question.ts'
import { listAlerts } from '#server/selling/alerts/list-alerts.ts'
import { listItem } from '#server/selling/listings/list-item.ts'
import { insertAddress, insertLiveListing, moveItem } from '#server/selling/listings/testing/build-item.ts'
import { startListingWorker } from '#server/selling/listings/worker.ts'
import { checkSoldListing } from '#server/selling/orders/check-sold-listing.ts'
import { fetchRequestedOrder } from '#server/selling/orders/fetch-order.ts'
import { createFakeOrderPlatform } from '#server/selling/orders/testing/fake-orders.ts'
import { buildListedItem, listingOf, orderFor, placeOrder } from '#server/selling/sales/testing/sell.ts'
import type { Services } from '#server/services.ts'
import { reconcileShops } from './reconcile-shops.ts'

let ebay: RunningEbaySandbox
let server: TestServer
let user_id: number
let shops: Record<string, string>
/** The seller's name on eBay, new in each test. */
let username: string
let made = 0
beforeAll(async () => {
  ebay = await startEbaySandbox({ usual: false })
  server = await startTestServer({ platforms: [ebay.adapter, createFakeOrderPlatform('etsy').adapter], works: false })
})
afterAll(async () => {
  await server?.close()
  await ebay?.sandbox.close()
})
beforeEach(async () => {
  const { services } = server
  await services.db.none(
    "update seller_account set status = 'revoked', encrypted_access_token = null, encrypted_refresh_token = null",
  )
  username = `relister_${++made}`
  const { userId } = ebay.sandbox.market.addSeller({ username })
  user_id = (await buildAccount(services.db)).user_id
  shops = {}
  for (const platform of ['ebay', 'etsy'] as const) {
    const external_id = platform === 'ebay' ? userId : `etsy-of-${username}`
    const shop = { external_id, external_name: username, url: `https://${platform}.example/${external_id}` }
    const tokens = { ...ebay.sandbox.grant(username), expires_in_seconds: 7_200, refresh_expires_in_seconds: null }
    const grant = { ...tokens, scopes: [] }
    shops[platform] = (await storeConnection(services, { user_id, platform, shop, grant })).seller_account_uid
  }
})

const market = () => ebay.sandbox.market
const signal = new AbortController().signal
const db = () => server.services.db

/** An item that is live on eBay and Etsy, and its listing on eBay. */
async function listed(given: Partial<SandboxItem> = {}) {
  const title = given.title ?? `Enamel coffee pot no ${++made}`
  const listing = market().add(username, { startTime: new Date().toISOString(), ...given, title })
  const item = await buildListedItem(db(), { user_id, shops })
  const { item_uid } = item
  await db().none('update inventory_item set title = $2, price_minor = 2000 where uid = $1', [item_uid, title])
  await db().none(
    'update channel_listing set listing_id = $2, price_minor = 2000 where item_uid = $1 and platform = $3',
    [...[item_uid, listing.itemId, 'ebay']],
  )
  return { ...item, id: listing.itemId }
}

const shopOf = () => ({ user_id, seller_account_uid: shops.ebay!, platform: 'ebay' as const })

/** Fetches an order as after a push. */
const fetchOrder = (external_order_id: string, services: Services = server.services) => {
  const now = new Date().toISOString()
  const request = { ...shopOf(), external_order_id, attempts: 1, received_at: now, claimed_at: now, traceparent: null }
  return fetchRequestedOrder(services, request, signal)
}

/** Sells an item's listing on eBay, and cancels the order. */
async function sellAndCancel(id: string) {
  const { orderId } = market().buy(id)
  await fetchOrder(orderId)
  market().cancelOrder(orderId)
  await fetchOrder(orderId)
  return orderId
}

/** Checks the listings of orders that changed this long ago. */
async function check(reported_ms_ago: number) {
  const lines = await db().any(
    `select line.user_id, line.order_uid, line.external_line_id, line.item_uid, line.listing_id
     from order_line line where user_id = $1 and check_listing_at is not null`,
    [user_id],
  )
  for (const line of lines) await checkSoldListing(server.services, { ...line, ...shopOf(), reported_ms_ago }, signal)
}

/** Compares the shop with eBay after some hours. */
async function reconcile(services: Services = server.services) {
  const { seller_account_uid } = shopOf()
  await db().none("update seller_account set reconciled_at = now() - interval '2 hours' where uid = $1", [
    seller_account_uid,
  ])
  await db().none("update channel_listing set updated_at = updated_at - interval '2 hours' where user_id = $1", [
    user_id,
  ])
  await reconcileShops(services, { limit: 10 })
}

const listings = (item_uid: string, platform = 'ebay') =>
  db().any(
    'select listing_id, state from channel_listing where item_uid = $1 and platform = $2 order by created_at, listing_id',
    [...[item_uid, platform]],
  )
const stateOf = async (item_uid: string) =>
  (await db().one('select state from inventory_item where uid = $1', [item_uid])).state
const comingDown = () =>
  db().map(
    "select platform, listing_id from listing_operation where user_id = $1 and kind = 'delist' and state = 'open' order by 1, 2",
    [user_id],
    ({ platform, listing_id }) => `${platform} ${listing_id}`,
  )
const alerts = async () => (await listAlerts(db(), readConfig({}), user_id)).results
const offer = async () => {
  const [alert] = (await alerts()).filter(({ kind }) => kind === 'relist_offer')
  return alert && { on: alert.relist_on, state: alert.relist_state, acts: alert.actions.map(({ action }) => action) }
}
const copyOf = (id: string) => market().find(id)!.item.relistedItemId!
/** Times that a listing was read. */
const readingsOf = (id: string) =>
  ebay.sandbox.requests.filter(({ body }) => body.includes('<GetItemRequest') && body.includes(id)).length

describe('a canceled order that eBay lists again', () => {
  it('joins the new listing, and offers eBay at no time', async () => {
    const { item_uid, id } = await listed()
    await sellAndCancel(id)
    expect(await offer()).toEqual({ on: ['etsy'], state: 'checking', acts: ['list_again', 'dismiss'] })
    await check(10_000)
    expect(await listings(item_uid)).toEqual([
      { listing_id: id, state: 'sold' },
      { listing_id: copyOf(id), state: 'available' },
    ])
    expect(await offer()).toEqual({ on: ['etsy'], state: 'relisted', acts: ['list_again', 'dismiss'] })
    expect(await stateOf(item_uid)).toBe('available')
    const told = await db().any(
      "select data from event where user_id = $1 and type in ('listing.listed', 'item.relist_offered') order by type",
      [user_id],
    )
    expect(told.map(({ data }) => data.platforms ?? data.listing_id)).toEqual([['etsy'], copyOf(id)])
  })

  it('offers nothing while that is not known', async () => {
    const { item_uid, id } = await listed()
    await db().none("delete from channel_listing where item_uid = $1 and platform = 'etsy'", [item_uid])
    market().setRelisting(username, false)
    await sellAndCancel(id)
    expect(await offer()).toEqual({ on: [], state: 'checking', acts: ['dismiss'] })
    await check(10_000)
    expect(await offer()).toMatchObject({ on: [], state: 'checking' })
    await check(240_000)
    expect(await offer()).toEqual({ on: ['ebay'], state: undefined, acts: ['list_again', 'dismiss'] })
    const told = await db().map(
      "select data from event where user_id = $1 and type = 'item.relist_offered'",
      [user_id],
      ({ data }) => data.platforms,
    )
    expect(told).toEqual([['ebay']])
  })

  it('ends the offer where eBay was the only place', async () => {
    const { item_uid, id } = await listed()
    await db().none("delete from channel_listing where item_uid = $1 and platform = 'etsy'", [item_uid])
    await sellAndCancel(id)
    await check(10_000)
    expect(await alerts()).toEqual([])
    const [told] = await db().any('select reason from inventory_history where item_uid = $1 order by version desc', [
      item_uid,
    ])
    expect(told.reason).toBe('Listed again on eBay under a new number')
  })

  it('takes the others down when the new listing sells', async () => {
    const { item_uid, id } = await listed()
    await sellAndCancel(id)
    await check(10_000)
    await db().none("update listing_operation set state = 'cancelled', finished_at = now() where user_id = $1", [
      user_id,
    ])
    await db().none("update channel_listing set state = 'available' where item_uid = $1 and platform = 'etsy'", [
      item_uid,
    ])
    market().change(copyOf(id), { title: 'Renamed by its seller' })
    await fetchOrder(market().buy(copyOf(id)).orderId)
    expect(await stateOf(item_uid)).toBe('sold')
    expect(await comingDown()).toEqual([`etsy ${listingOf('etsy', item_uid)}`])
  })

  it('takes the new listing down when the item sells elsewhere', async () => {
    const item = await listed()
    await sellAndCancel(item.id)
    await check(10_000)
    await placeOrder(db(), user_id, orderFor(item, 'etsy'))
    expect(await comingDown()).toContain(`ebay ${copyOf(item.id)}`)
  })

  it('takes down a new listing that is found after a sale', async () => {
    const item = await listed()
    await sellAndCancel(item.id)
    await placeOrder(db(), user_id, orderFor(item, 'etsy'))
    await reconcile()
    expect(await comingDown()).toContain(`ebay ${copyOf(item.id)}`)
    expect(await stateOf(item.item_uid)).toBe('sold')
  })

  it('takes it down where the seller withdrew the item', async () => {
    const item = await listed()
    await sellAndCancel(item.id)
    await moveItem(db(), item.item_uid, 'withdrawn')
    await reconcile()
    expect(await comingDown()).toContain(`ebay ${copyOf(item.id)}`)
  })

  it('answers a request to list it again with the new number', async () => {
    const { item_uid, id } = await listed()
    await sellAndCancel(id)
    await insertAddress(db(), user_id)
    const worker = startListingWorker(server.services, { pollMs: 20 })
    const request = { user_id, params: { uid: item_uid, slug: 'ebay' } }
    const { body } = await listItem(server.services, request).finally(() => worker.stop(10_000))
    expect(body).toMatchObject({ status: 'listed', listing_id: copyOf(id) })
    expect(
      market()
        .itemsOf(username)
        .filter(({ status }) => status === 'Active'),
    ).toHaveLength(1)
  })

  it('gives an order of the new number to its item', async () => {
    const { item_uid, id } = await listed()
    await sellAndCancel(id)
    const { orderId } = market().buy(copyOf(id))
    await fetchOrder(orderId)
    expect(await stateOf(item_uid)).toBe('sold')
    const line = await db().one(
      `select line.state, matched_by from order_line line join marketplace_order o on o.user_id = line.user_id and o.uid = line.order_uid
       where line.user_id = $1 and o.external_order_id = $2`,
      [user_id, orderId],
    )
    expect(line).toEqual({ state: 'sold', matched_by: 'listing' })
    expect((await alerts()).filter(({ kind }) => kind === 'sale_unclear')).toEqual([])
  })

  it('gives an order to its item that eBay showed too late', async () => {
    const { item_uid, id } = await listed()
    await sellAndCancel(id)
    market().change(copyOf(id), { title: 'Renamed by its seller' })
    const { orderId } = market().buy(copyOf(id))
    ebay.sandbox.faults.set({ call: 'GetItem', kind: 'http_500', times: 10 })
    await fetchOrder(orderId)
    ebay.sandbox.faults.clear()
    expect(await stateOf(item_uid)).toBe('available')
    await reconcile()
    expect(await stateOf(item_uid)).toBe('sold')
  })

  it('is the same wherever the worker dies', async () => {
    const play = async (border: number) => {
      const { item_uid, id } = await listed()
      await sellAndCancel(id)
      const worker = openBorders(server.services, { at: endAt(border) })
      await worker.run((services) => reconcile(services))
      await worker.close()
      await reconcile()
      expect(await listings(item_uid)).toEqual([
        { listing_id: id, state: 'sold' },
        { listing_id: copyOf(id), state: 'available' },
      ])
      expect(await stateOf(item_uid)).toBe('available')
      return worker.crossed.length
    }
    const borders = await play(Number.POSITIVE_INFINITY)
    for (let border = 0; border < borders; border += 5) await play(border)
  })
})

describe('other listings that eBay lists again', () => {
  it('frees a returned item, which is live there', async () => {
    const { item_uid, id } = await listed()
    const { orderId } = market().buy(id)
    await fetchOrder(orderId)
    market().changeOrder(orderId, { fulfillment: 'FULFILLED' })
    await fetchOrder(orderId)
    market().returnOrder(orderId)
    await fetchOrder(orderId)
    expect(await stateOf(item_uid)).toBe('sold')
    await reconcile()
    expect(await stateOf(item_uid)).toBe('available')
    expect((await listings(item_uid)).at(-1)).toEqual({ listing_id: copyOf(id), state: 'available' })
    expect(await comingDown()).not.toContain(`ebay ${copyOf(id)}`)
    await fetchOrder(orderId)
    expect(await stateOf(item_uid)).toBe('available')
  })

  it('frees an item that was never paid', async () => {
    const { item_uid, id } = await listed()
    market().acceptOffer(id)
    await reconcile()
    expect(await stateOf(item_uid)).toBe('reserved')
    market().cancelUnpaid(id)
    await reconcile()
    expect(await stateOf(item_uid)).toBe('available')
    expect((await listings(item_uid)).at(-1)).toEqual({ listing_id: copyOf(id), state: 'available' })
  })

  it('joins an unsold auction, again and again', async () => {
    const soon = () => new Date(Date.now() - 1_000).toISOString()
    const auction = { listingType: 'Chinese', endsAt: soon(), relistsLeft: 8 } as const
    const { item_uid, id } = await listed(auction)
    await reconcile()
    expect(await listings(item_uid)).toEqual([
      { listing_id: id, state: 'removed' },
      { listing_id: copyOf(id), state: 'available' },
    ])
    market().change(copyOf(id), { endsAt: soon() })
    await reconcile()
    expect((await listings(item_uid)).at(-1)).toEqual({ listing_id: copyOf(copyOf(id)), state: 'available' })
  })

  it('joins what its seller relists by hand at another price', async () => {
    const { item_uid, id } = await listed()
    market().end(id)
    await reconcile()
    const { itemId } = market().relist(id, { price: '15.0', title: 'Coffee pot, enamel, chipped' })
    await reconcile()
    expect((await listings(item_uid)).at(-1)).toEqual({ listing_id: itemId, state: 'available' })
  })

  it('joins by title, picture and price where eBay names nothing', async () => {
    const { item_uid, id } = await listed()
    market().end(id)
    const { itemId } = market().relist(id, { relistParentId: undefined })
    market().change(id, { relistedItemId: undefined })
    await reconcile()
    expect((await listings(item_uid)).at(-1)).toEqual({ listing_id: itemId, state: 'available' })
  })

  it('asks where two items fit, and takes the answer', async () => {
    const title = 'Amber glass vase, pair'
    const pictures = { imageUrls: ['https://i.ebayimg.com/images/g/AbC/s-l1600.jpg'] }
    const [one, two] = [await listed({ title, ...pictures }), await listed({ title, ...pictures })]
    for (const { id } of [one, two]) market().end(id)
    const { itemId } = market().add(username, { title, ...pictures })
    await reconcile()
    expect((await listings(one.item_uid)).concat(await listings(two.item_uid))).toHaveLength(2)
    const [question] = await alerts()
    expect(question).toMatchObject({ kind: 'relist_unclear', platform: 'ebay', listing_id: itemId })
    expect(question!.candidates!.map(({ inventory_item_uid }) => inventory_item_uid).sort()).toEqual(
      [one.item_uid, two.item_uid].sort(),
    )
    await answerQuestion(server.services, { user_id, uid: question!.uid }, two.item_uid)
    await answerQuestion(server.services, { user_id, uid: question!.uid }, two.item_uid)
    await expect(answerQuestion(server.services, { user_id, uid: question!.uid }, null)).rejects.toThrow()
    expect((await listings(two.item_uid)).at(-1)).toEqual({ listing_id: itemId, state: 'available' })
    expect(await alerts()).toEqual([])
  })

  it('asks where its title and pictures are those of another thing', async () => {
    const { item_uid, id } = await listed()
    market().end(id)
    market().relist(id, {
      title: 'Copper kettle',
      pictures: 2,
      picturesOf: '',
      price: '90.0',
      imageUrls: ['https://x.example/1.jpg'],
    })
    await reconcile()
    expect(await listings(item_uid)).toHaveLength(1)
    expect(await alerts()).toMatchObject([{ kind: 'relist_unclear', candidates: [{ inventory_item_uid: item_uid }] }])
  })

  it('does not offer an item again that a question names', async () => {
    const { id } = await listed()
    market().setRelisting(username, false)
    await sellAndCancel(id)
    await check(240_000)
    expect((await offer())!.on).toEqual(['ebay', 'etsy'])
    market().relist(id, { title: 'Copper kettle', imageUrls: ['https://x.example/1.jpg'] })
    await reconcile()
    expect(await offer()).toMatchObject({ on: ['etsy'], state: 'checking' })
    const [question] = await alerts()
    await answerQuestion(server.services, { user_id, uid: question!.uid }, null)
    expect(await offer()).toMatchObject({ on: ['ebay', 'etsy'], state: undefined })
  })

  it('asks about a second piece listed like a sold one', async () => {
    const { item_uid, id } = await listed()
    await fetchOrder(market().buy(id).orderId)
    const { itemId } = market().relist(id)
    await reconcile()
    expect(await alerts()).toMatchObject([{ kind: 'relist_unclear', listing_id: itemId }])
    expect(await listings(item_uid)).toHaveLength(1)
  })

  it('reads an unknown listing once', async () => {
    await listed()
    const { itemId } = market().add(username, { title: 'Something of its own' })
    const old = market().add(username, { title: 'Never imported', startTime: '2025-01-01T00:00:00.000Z' })
    for (let round = 0; round < 3; round++) await reconcile()
    expect(readingsOf(itemId)).toBe(1)
    expect(readingsOf(old.itemId)).toBe(0)
    expect(await alerts()).toEqual([])
  })

  it('is left to the extra listing that the seller made', async () => {
    const { item_uid, id } = await listed()
    await sellAndCancel(id)
    const again = { user_id, item_uid, seller_account_uid: shops.ebay!, platform: 'ebay' as const }
    await insertLiveListing(db(), {
      ...again,
      listing_id: market().add(username, { title: 'Listed from here' }).itemId,
    })
    await reconcile()
    const copy = await db().one('select state, extra from channel_listing where listing_id = $1', [copyOf(id)])
    expect(copy).toEqual({ state: 'available', extra: true })
  })
})
