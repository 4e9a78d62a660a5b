import { describe, expect, it } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { markSoldInPerson } from '#server/selling/sales/mark-sold-in-person.ts'
import type { BulkJob } from '#shared/contract/selling/listings.ts'
import { insertLiveListing, insertShop, moveItem } from './testing/build-item.ts'
import { liveOf, useListingHarness } from './testing/harness.ts'

const harness = useListingHarness()
const { ebay, etsy, api, newItem, list, delist, openOperations, openTasks } = harness

const call = (method: 'GET' | 'POST', path: string, body?: object, by = harness.seller) =>
  api(method, path, { headers: by.bearer, ...(body ? { body } : {}) })
const undo = (change: string, by = harness.seller) => call('POST', `/api/v1/changes/${change}/undo/`, undefined, by)
const changes = async () => (await call('GET', '/api/v1/changes/')).body.results
const atRest = (uid: string) => expect.poll(() => openOperations(uid)).toEqual([])

/** Lists a new item on eBay, takes it down there, and returns it with its change. */
async function takenDown(): Promise<{ uid: string; change: string; ended: string }> {
  const uid = await newItem()
  await list(uid, 'ebay', { price: '39.00' })
  const { body } = await delist(uid)
  expect(body).toMatchObject({ status: 'delisted', change_uid: expect.stringMatching(/^chg_\w{22}$/) })
  return { uid, change: body.change_uid, ended: body.listing_id }
}

/** Puts up an item on Depop, where only the seller can end it. */
async function onDepop(): Promise<string> {
  const uid = await newItem()
  const { user_id } = harness.seller
  const seller_account_uid = await insertShop(harness.db, user_id, 'depop')
  await insertLiveListing(harness.db, {
    ...{ user_id, item_uid: uid, seller_account_uid, platform: 'depop', listing_id: `d-${uid}` },
  })
  return uid
}

async function takeDownInBulk(uids: string[], platforms: string[]): Promise<BulkJob> {
  const { body } = await call('POST', '/api/v1/inventory/bulk/delist/', { uids, platforms })
  const read = async () => (await call('GET', `/api/v1/inventory/bulk/${body.uid}/`)).body.job
  await expect.poll(async () => (await read()).status).toBe('completed')
  return read()
}

describe('undoing a take-down', () => {
  it('lists the item again with its price and options', async () => {
    const { uid, change, ended } = await takenDown()
    expect(await changes()).toMatchObject([
      { uid: change, kind: 'take_down', count: 1, marketplace: 'ebay', inventory_item_uid: uid, can_undo: true },
    ])
    expect(await undo(change)).toMatchObject({ status: 200, body: { undone: 1, kept: 0, change: { can_undo: false } } })
    await atRest(uid)
    expect(liveOf(ebay, uid)).toMatchObject([{ price_minor: 3_900 }])
    expect(liveOf(ebay, uid)[0]!.listing_id).not.toBe(ended)
    const { body } = await call('GET', `/api/v1/inventory/${uid}/history/`)
    expect(body.map(({ reason }: { reason: string }) => reason).slice(0, 3)).toEqual([
      'Listed on eBay for 39.00 USD',
      'Ended on eBay',
      'Listed on eBay for 39.00 USD',
    ])
  })

  it('lists once when it is asked twice at once', async () => {
    const { uid, change } = await takenDown()
    const replies = await Promise.all([undo(change), undo(change)])
    expect(replies.map(({ body }) => body.undone).sort()).toEqual([0, 1])
    await atRest(uid)
    expect(liveOf(ebay, uid)).toHaveLength(1)
    expect(await undo(change)).toMatchObject({ status: 200, body: { undone: 0, kept: 0 } })
    expect(ebay.listings.filter(({ key }) => key.endsWith(uid.slice(-13)))).toHaveLength(2)
  })

  it('keeps an item down that was sold since', async () => {
    const { uid, change } = await takenDown()
    await markSoldInPerson(harness.server.services, { user_id: harness.seller.user_id, item_uid: uid })
    expect(await undo(change)).toMatchObject({ status: 409, body: { code: 'changed_since' } })
    expect(await openOperations(uid)).toEqual([])
    expect(liveOf(ebay, uid)).toEqual([])
  })

  it('keeps an item down that was withdrawn since', async () => {
    const { uid, change } = await takenDown()
    await moveItem(harness.db, uid, 'withdrawn')
    expect(await undo(change)).toMatchObject({ status: 409, body: { code: 'changed_since' } })
  })

  it('leaves a listing alone that was listed again since', async () => {
    const { uid, change } = await takenDown()
    await list(uid)
    expect(await undo(change)).toMatchObject({ status: 409, body: { code: 'changed_since' } })
    expect(liveOf(ebay, uid)).toHaveLength(1)
  })

  it('leaves an item down that was taken down once more', async () => {
    const { uid, change } = await takenDown()
    await list(uid)
    const { change_uid } = (await delist(uid)).body
    expect(await undo(change)).toMatchObject({ status: 409, body: { code: 'changed_since' } })
    expect(await undo(change_uid)).toMatchObject({ status: 200, body: { undone: 1 } })
  })

  it('says why the item cannot be listed again', async () => {
    const { change } = await takenDown()
    await harness.db.none("update seller_account set status = 'reconnect_required' where uid = $1", [harness.shop])
    expect(await undo(change)).toMatchObject({ status: 400, body: { code: 'reconnect_required' } })
    await harness.db.none("update seller_account set status = 'connected' where uid = $1", [harness.shop])
    expect(await undo(change)).toMatchObject({ status: 200, body: { undone: 1 } })
  })

  it('leaves an imported listing to its seller, who sees the category', async () => {
    const uid = await newItem()
    const { user_id } = harness.seller
    const { listing_id } = ebay.add({})
    await insertLiveListing(harness.db, {
      ...{ user_id, item_uid: uid, seller_account_uid: harness.shop, platform: 'ebay', listing_id },
    })
    const { change_uid } = (await delist(uid)).body
    expect(await undo(change_uid)).toMatchObject({
      status: 409,
      body: { code: 'conflict', detail: expect.stringContaining('List the item again from its page.') },
    })
    expect(await openOperations(uid)).toEqual([])
    expect(ebay.live().filter(({ listing_id: one }) => one === listing_id)).toEqual([])
  })

  it('is no business of another seller', async () => {
    const { uid, change } = await takenDown()
    expect(await undo(change, await buildAccount(harness.db))).toMatchObject({ status: 404 })
    expect(liveOf(ebay, uid)).toEqual([])
  })

  it('withdraws the task to end a listing by hand', async () => {
    const uid = await onDepop()
    const { body } = await delist(uid, 'depop')
    expect(await openTasks()).toMatchObject([{ kind: 'delist', inventory_item_uid: uid }])
    expect((await delist(uid, 'depop')).body).not.toHaveProperty('change_uid')
    expect(await undo(body.change_uid)).toMatchObject({ body: { undone: 1 } })
    expect(await openTasks()).toEqual([])
  })

  it('opens a task to list by hand what was ended by hand', async () => {
    const uid = await onDepop()
    const { body } = await delist(uid, 'depop')
    const [task] = await openTasks()
    await api('POST', `/api/v1/extension/tasks/${task.uid}/complete/`, { headers: harness.seller.key, body: {} })
    expect(await undo(body.change_uid)).toMatchObject({ body: { undone: 1 } })
    expect(await openTasks()).toMatchObject([{ kind: 'list', platform: 'depop', inventory_item_uid: uid }])
  })

  it('takes back a bulk take-down, but for what has sold since', async () => {
    const [sold, other, unlisted] = [await newItem(), await newItem(), await newItem()]
    for (const uid of [sold, other]) {
      await list(uid)
      await list(uid, 'etsy')
    }
    const job = await takeDownInBulk([sold, other, unlisted], ['ebay', 'etsy'])
    const change = job.change_uid!
    expect(await changes()).toMatchObject([{ uid: change, kind: 'take_down', count: 4 }])
    await markSoldInPerson(harness.server.services, { user_id: harness.seller.user_id, item_uid: sold })
    expect(await undo(change)).toMatchObject({ status: 200, body: { undone: 2, kept: 2 } })
    await atRest(other)
    expect([ebay, etsy].map((market) => [liveOf(market, sold).length, liveOf(market, other).length])).toEqual([
      [0, 1],
      [0, 1],
    ])
  })

  it('is not offered where nothing was ended', async () => {
    expect(await takeDownInBulk([await newItem()], ['ebay'])).toMatchObject({ change_uid: null })
    expect(await changes()).toEqual([])
  })
})
