import { describe, expect, it } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { insertLiveListing, insertShop } from '#server/selling/listings/testing/build-item.ts'
import { liveOf, useListingHarness } from '#server/selling/listings/testing/harness.ts'

const harness = useListingHarness()
const { ebay, api, newItem, list, openOperations, openTasks } = harness

const call = (method: 'GET' | 'PATCH' | 'POST', path: string, body?: object, by = harness.seller) =>
  api(method, path, { headers: by.bearer, ...(body ? { body } : {}) })
const move = (uid: string, state: string) => call('PATCH', `/api/v1/inventory/${uid}/`, { state })
const withdraw = async (uid: string): Promise<string> => (await move(uid, 'withdrawn')).body.change_uid
const undo = (change: string, by = harness.seller) => call('POST', `/api/v1/changes/${change}/undo/`, undefined, by)
const stateOf = async (uid: string) => (await call('GET', `/api/v1/inventory/${uid}/`)).body.record.lifecycle.state
const atRest = (uid: string) => expect.poll(() => openOperations(uid)).toEqual([])

async function onDepop(uid: string): Promise<void> {
  const { user_id } = harness.seller
  const seller_account_uid = await insertShop(harness.db, user_id, 'depop')
  const listing = { item_uid: uid, platform: 'depop', listing_id: `d-${uid}` } as const
  await insertLiveListing(harness.db, { user_id, seller_account_uid, ...listing })
}

describe('undoing a withdrawal', () => {
  it('puts the item back on sale everywhere, at once or by a task', async () => {
    const uid = await newItem()
    await list(uid, 'ebay', { price: '39.00' })
    await onDepop(uid)
    const change = await withdraw(uid)
    await atRest(uid)
    expect([liveOf(ebay, uid), await stateOf(uid)]).toEqual([[], 'withdrawn'])
    expect(await openTasks()).toMatchObject([{ kind: 'delist', platform: 'depop' }])
    expect((await call('GET', '/api/v1/changes/')).body.results).toMatchObject([
      { uid: change, kind: 'withdraw', count: 1, inventory_item_uid: uid, can_undo: true },
    ])
    expect(await undo(change)).toMatchObject({ status: 200, body: { undone: 3, kept: 0, change: { can_undo: false } } })
    await atRest(uid)
    expect(await stateOf(uid)).toBe('available')
    expect(liveOf(ebay, uid)).toMatchObject([{ price_minor: 3_900 }])
    expect(await openTasks()).toEqual([])
    expect(await undo(change)).toMatchObject({ status: 200, body: { undone: 0, kept: 0 } })
  })

  it('puts an item back that was listed nowhere', async () => {
    const uid = await newItem()
    expect(await undo(await withdraw(uid))).toMatchObject({ status: 200, body: { undone: 1, kept: 0 } })
    expect(await stateOf(uid)).toBe('available')
  })

  it('counts an imported listing that only its seller can list again', async () => {
    const uid = await newItem()
    const { user_id } = harness.seller
    const { listing_id } = ebay.add({})
    const listing = { item_uid: uid, platform: 'ebay', listing_id, seller_account_uid: harness.shop } as const
    await insertLiveListing(harness.db, { user_id, ...listing })
    const change = await withdraw(uid)
    await atRest(uid)
    const reason = expect.stringContaining('List the item again from its page.')
    const half = { undone: 1, kept: 1, reason, change: { can_undo: true } }
    expect(await undo(change)).toMatchObject({ status: 200, body: half })
    expect(await stateOf(uid)).toBe('available')
    expect(await undo(change)).toMatchObject({
      status: 409,
      body: { detail: reason },
    })
  })

  it('is refused after the item went back on sale, or was withdrawn once more', async () => {
    const uid = await newItem()
    const first = await withdraw(uid)
    await move(uid, 'available')
    expect(await undo(first)).toMatchObject({ status: 409, body: { code: 'changed_since' } })
    const second = await withdraw(uid)
    expect(await undo(first)).toMatchObject({ status: 409, body: { code: 'changed_since' } })
    expect(await stateOf(uid)).toBe('withdrawn')
    expect(await undo(second)).toMatchObject({ status: 200, body: { undone: 1 } })
  })

  it('keeps what was edited since', async () => {
    const uid = await newItem()
    const change = await withdraw(uid)
    await call('PATCH', `/api/v1/inventory/${uid}/`, { title: 'Found behind the shelf' })
    expect(await undo(change)).toMatchObject({ status: 200, body: { undone: 1 } })
    expect((await call('GET', `/api/v1/inventory/${uid}/`)).body.record.title).toBe('Found behind the shelf')
  })

  it('has a change only for a withdrawal, which no other seller can undo', async () => {
    const uid = await newItem()
    expect((await move(uid, 'reserved')).body.change_uid).toBeUndefined()
    await move(uid, 'available')
    const change = await withdraw(uid)
    expect(await withdraw(uid)).toBeUndefined()
    expect(await undo(change, await buildAccount(harness.db))).toMatchObject({ status: 404 })
  })
})
