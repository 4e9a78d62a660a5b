import { describe, expect, it } from 'vitest'
import { until } from '#e2e/harness/until.ts'
import { insertLiveListing, insertShop, moveItem } from '#server/selling/listings/testing/build-item.ts'
import { useListingHarness } from '#server/selling/listings/testing/harness.ts'

const harness = useListingHarness()
const { api, newItem, list, delist, openOperations, openTasks } = harness

describe('listing where only the seller can', () => {
  it('opens a task and claims no success', async () => {
    const uid = await newItem()
    const reply = await list(uid, 'depop')
    expect(reply).toEqual(await list(uid, 'depop').then((again) => ({ ...again, headers: expect.anything() })))
    expect(reply).toMatchObject({
      status: 200,
      body: { status: 'manual', listing_id: '', listing_url: 'https://www.depop.com/products/create/' },
    })
    expect(await openTasks()).toMatchObject([
      { kind: 'list', status: 'open', platform: 'depop', inventory_item_uid: uid, price_minor: 4_250, currency: 'USD' },
    ])
    expect(await openOperations(uid)).toEqual([])

    expect((await api('DELETE', `/api/v1/inventory/${uid}/`, { headers: harness.seller.bearer })).status).toBe(204)
    expect(await openTasks()).toEqual([])
  })

  it('opens none while the item is being sold', async () => {
    const uid = await newItem()
    const { db } = harness
    let asked: ReturnType<typeof list> | undefined
    await db.tx(async (tx) => {
      await moveItem(tx, uid, 'sold')
      asked = list(uid, 'depop')
      await until(
        () => db.any("select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"),
        ({ length }) => length > 0,
      )
    })
    expect(await asked).toMatchObject({ status: 409, body: { code: 'not_available' } })
    expect(await openTasks()).toEqual([])
  })
})

describe('taking down where only the seller can', () => {
  it('opens a task', async () => {
    const uid = await newItem()
    const { db } = harness
    const closet = await insertShop(db, harness.seller.user_id, 'poshmark')
    await insertLiveListing(db, {
      user_id: harness.seller.user_id,
      item_uid: uid,
      seller_account_uid: closet,
      platform: 'poshmark',
      listing_id: 'p-1',
    })
    expect(await delist(uid, 'poshmark')).toMatchObject({ status: 200, body: { status: 'manual', listing_id: 'p-1' } })
    const [task] = await openTasks()
    expect(task).toMatchObject({ kind: 'delist', platform: 'poshmark', listing_id: 'p-1' })
  })
})
