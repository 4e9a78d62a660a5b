import { beforeEach, describe, expect, it } from 'vitest'
import { insertShop } from '#server/selling/listings/testing/build-item.ts'
import { useListingHarness } from '#server/selling/listings/testing/harness.ts'
import { markSoldInPerson } from '#server/selling/sales/mark-sold-in-person.ts'
import { buildListedItem, orderFor, placeOrder } from '#server/selling/sales/testing/sell.ts'

const harness = useListingHarness()
const { api, openTasks } = harness

let shops: Record<'ebay' | 'depop', string>
beforeEach(async () => {
  const { db, seller, shop } = harness
  shops = {
    ebay: shop,
    depop: await insertShop(db, seller.user_id, 'depop'),
  }
})

/** Builds an item that is live on eBay and Depop. */
async function onDepop() {
  const { db, seller } = harness
  const item = await buildListedItem(db, { user_id: seller.user_id, shops: { ebay: shops.ebay, depop: shops.depop } })
  const order = (given: object = {}) => orderFor(item, 'ebay', { id: `order-${item.item_uid}`, ...given })
  return {
    ...item,
    sell: (given?: object) => placeOrder(db, seller.user_id, order(given)),
    task: async () =>
      (await openTasks()).find((task: { inventory_item_uid: string }) => task.inventory_item_uid === item.item_uid),
  }
}

const attempt_id = '0b9b0f2e-8f1c-4c5e-9d6a-1f2e3d4c5b6a'
const other_id = '7c1d5a90-52cc-4d5e-8a0b-9f8e7d6c5b4a'
const act = (uid: string, action: string, body: object) =>
  api('POST', `/api/v1/extension/tasks/${uid}/${action}/`, { headers: harness.seller.key, body })
const attempt = (uid: string, body: object = {}) => act(uid, 'attempt', { attempt_id, pressed: [], ...body })

describe('a task to end a listing', () => {
  it('says that its item was sold elsewhere', async () => {
    const item = await onDepop()
    await item.sell()
    expect(await item.task()).toMatchObject({ platform: 'depop', sold_elsewhere: true, attempt: null })
  })

  it.each([
    ['is held by an unpaid order', (item: Item) => item.sell({ status: 'pending' })],
    ['was withdrawn', (item: Item) => change(item, { state: 'withdrawn' })],
    [
      'was marked as sold by the seller',
      (item: Item) =>
        markSoldInPerson(harness.server.services, { user_id: harness.seller.user_id, item_uid: item.item_uid }),
    ],
    [
      'was refunded before shipping',
      async (item: Item) => {
        await item.sell()
        await item.sell({ refunded: 'before_shipping', at: 1 })
      },
    ],
  ])('does not say so if the item %s', async (_, happen) => {
    const item = await onDepop()
    await happen(item)
    const task = await item.task()
    expect(task).toMatchObject({ kind: 'delist', sold_elsewhere: false })
    expect((await attempt(task.uid)).status).toBe(409)
  })
})

type Item = Awaited<ReturnType<typeof onDepop>>
const change = (item: Item, body: object) =>
  api('PATCH', `/api/v1/inventory/${item.item_uid}/`, { headers: harness.seller.key, body })

describe('a listing that the seller says has ended', () => {
  const note = async ({ item_uid }: Item) => {
    const { body } = await api('GET', `/api/v1/inventory/${item_uid}/`, { headers: harness.seller.key })
    return body.listings.find(({ platform }: { platform: string }) => platform === 'depop').note
  }
  const said = 'You said that it has ended. Hapax has not seen it yet.'

  it('is told apart until its shop is read', async () => {
    const item = await onDepop()
    await item.sell()
    expect((await act((await item.task()).uid, 'complete', {})).status).toBe(200)
    expect(await note(item)).toBe(said)
    await harness.db.none('update seller_account set last_seen_at = now() where uid = $1', [shops.depop])
    expect(await note(item)).toBeUndefined()
  })

  it('is not told apart if its page was read back', async () => {
    const item = await onDepop()
    await item.sell()
    await act((await item.task()).uid, 'complete', { seen_down: true })
    expect(await note(item)).toBeUndefined()
  })
})

describe('an attempt to end a listing by itself', () => {
  it('is the only one of its task', async () => {
    const item = await onDepop()
    await item.sell()
    const { uid } = await item.task()
    const begun = await attempt(uid)
    expect(begun).toMatchObject({ status: 200, body: { attempt: { attempt_id, pressed: [], result: null } } })
    expect((await attempt(uid, { pressed: ['Edit'] })).body.attempt).toMatchObject({
      ...{ begun_at: begun.body.attempt.begun_at, pressed: ['Edit'], ended_at: null },
    })
    expect((await attempt(uid, { attempt_id: other_id })).status).toBe(409)
    const ended = await attempt(uid, { pressed: ['Edit'], result: 'unknown_dialog', seen: 'Are you there?' })
    expect(ended.body).toMatchObject({
      ...{
        status: 'open',
        attempt: { result: 'unknown_dialog', seen: 'Are you there?', ended_at: expect.any(String) },
      },
    })
    expect((await attempt(uid, { pressed: ['Edit'], result: 'unknown_dialog' })).body).toEqual(ended.body)
    expect((await attempt(uid)).status).toBe(409)
    expect((await attempt(uid, { attempt_id: other_id })).status).toBe(409)
  })

  it('may not go on once the sale was canceled', async () => {
    const item = await onDepop()
    await item.sell()
    const { uid } = await item.task()
    expect((await attempt(uid)).status).toBe(200)
    await item.sell({ status: 'cancelled', at: 1 })
    expect((await attempt(uid, { pressed: ['Delete'] })).status).toBe(409)
    expect((await attempt(uid, { result: 'task_over' })).body.attempt).toMatchObject({ result: 'task_over' })
  })

  it('ends after its task, and is listed with the others', async () => {
    const item = await onDepop()
    await item.sell()
    const { uid } = await item.task()
    await attempt(uid)
    expect((await act(uid, 'complete', { seen_down: true })).body).toMatchObject({ status: 'completed' })
    expect((await act(uid, 'complete', { seen_down: true })).status).toBe(200)
    expect((await attempt(uid, { result: 'ended' })).status).toBe(200)
    const tried = await api('GET', '/api/v1/extension/tasks/?attempted=true&page_size=2', {
      headers: harness.seller.key,
    })
    expect(tried.body.results[0]).toMatchObject({ uid, status: 'completed', attempt: { result: 'ended' } })
    expect(tried.body.results.every((task: { attempt: unknown }) => task.attempt !== null)).toBe(true)
  })
})
