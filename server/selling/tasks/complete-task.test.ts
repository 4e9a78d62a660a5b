import { describe, expect, it } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { liveOf, useListingHarness } from '#server/selling/listings/testing/harness.ts'
import { orderFor, placeOrder } from '#server/selling/sales/testing/sell.ts'

const harness = useListingHarness()
const { ebay, api, newItem, list, delist, openTasks } = harness

describe('completing a task', () => {
  const act = (uid: string, action: string, body?: object) =>
    api('POST', `/api/v1/extension/tasks/${uid}/${action}/`, { headers: harness.seller.key, body })
  const openList = async (uid: string) => {
    await list(uid, 'depop')
    return (await openTasks())[0].uid as string
  }
  const report = { listing_id: 'd-77', listing_url: 'https://www.depop.com/products/ada-sextant/' }

  it('records the listing once and refuses another report', async () => {
    const uid = await newItem()
    const task = await openList(uid)
    expect((await act(task, 'complete', {})).status).toBe(400)
    const done = await act(task, 'complete', report)
    expect(done).toMatchObject({ status: 200, body: { status: 'completed', listing_id: 'd-77' } })
    expect((await act(task, 'complete', report)).body).toEqual(done.body)
    expect((await act(task, 'complete', { ...report, listing_id: 'd-78' })).status).toBe(409)
    expect((await act(task, 'dismiss')).status).toBe(409)
    expect(await list(uid, 'depop')).toMatchObject({ status: 200, body: { status: 'listed', listing_id: 'd-77' } })
    // A task takes it down.
    expect(await delist(uid, 'depop')).toMatchObject({ body: { status: 'manual', listing_id: 'd-77' } })
    const [down] = await openTasks()
    expect((await act(down.uid, 'complete', {})).body).toMatchObject({ kind: 'delist', status: 'completed' })
    expect(await delist(uid, 'depop')).toMatchObject({ body: { status: 'not_listed' } })
  })

  const whatIsAsked = async () =>
    (await openTasks()).map(({ kind, listing_id, reason }: Record<string, string>) => ({ kind, listing_id, reason }))
  /** Builds an item that is live on eBay, with a task to list it on Depop. */
  const onItsWayToDepop = async () => {
    const item_uid = await newItem()
    const { listing_id } = (await list(item_uid)).body as { listing_id: string }
    const task = await openList(item_uid)
    const order = orderFor({ user_id: harness.seller.user_id, item_uid, shops: { ebay: harness.shop } }, 'ebay', {
      id: `order-${listing_id}`,
      listing_id,
    })
    return { item_uid, task, sell: () => placeOrder(harness.db, harness.seller.user_id, order) }
  }

  it('keeps a listing made after the item sold, and delists it', async () => {
    const { item_uid, task, sell } = await onItsWayToDepop()
    await sell()
    expect(await whatIsAsked()).toEqual([])
    expect((await act(task, 'complete', {})).status).toBe(409)
    const reported = await act(task, 'complete', report)
    expect(reported).toMatchObject({ status: 200, body: { status: 'completed', listing_id: 'd-77' } })
    const down = { kind: 'delist', listing_id: 'd-77', reason: 'It was sold while you listed it' }
    expect(await whatIsAsked()).toEqual([down])
    expect((await act(task, 'complete', report)).body).toEqual(reported.body)
    expect((await act(task, 'complete', { ...report, listing_id: 'd-78' })).status).toBe(409)
    expect((await act(task, 'dismiss')).status).toBe(409)
    expect(await whatIsAsked()).toEqual([down])
    const shown = await api('GET', `/api/v1/inventory/${item_uid}/`, { headers: harness.seller.bearer })
    expect(shown.body.record.lifecycle.state).toBe('sold')
    expect(shown.body.listings).toContainEqual(
      expect.objectContaining({ platform: 'depop', listing_id: 'd-77', state: 'available' }),
    )
  })

  it('resolves the offer to relist', async () => {
    const { db } = harness
    const { item_uid, task } = await onItsWayToDepop()
    await act(task, 'complete', report)
    await delist(item_uid, 'depop')
    const [down] = await openTasks()
    await act(down.uid, 'complete', {})
    const item = { user_id: harness.seller.user_id, item_uid, shops: { ebay: harness.shop } }
    const { listing_id } = liveOf(ebay, item_uid)[0]!
    ebay.sell(liveOf(ebay, item_uid)[0]!)
    for (const [at, status] of (['paid', 'cancelled'] as const).entries())
      await placeOrder(db, harness.seller.user_id, orderFor(item, 'ebay', { listing_id, status, at }))
    const offers = () =>
      db.any("select state, data from alert where item_uid = $1 and kind = 'relist_offer'", [item_uid])
    expect((await list(item_uid)).body.status).toBe('listed')
    expect(await offers()).toMatchObject([{ state: 'open', data: { platforms: ['depop', 'ebay'] } }])
    await act(await openList(item_uid), 'complete', { ...report, listing_id: 'd-78' })
    expect(await offers()).toMatchObject([{ state: 'resolved' }])
  })

  it('opens one delist task when it races a sale', async () => {
    for (let round = 0; round < 10; round++) {
      const { task, sell } = await onItsWayToDepop()
      const made = { listing_id: `d-${round}`, listing_url: `https://www.depop.com/products/ada-${round}/` }
      const [first, , again] = await Promise.all([act(task, 'complete', made), sell(), act(task, 'complete', made)])
      expect([first.status, again.status]).toEqual([200, 200])
      const asked = (await whatIsAsked()).filter(({ listing_id }) => listing_id === made.listing_id)
      expect(asked).toMatchObject([{ kind: 'delist' }])
    }
  })

  it('refuses a listing that belongs to another item', async () => {
    const [first, second] = [await newItem(), await newItem()]
    await act(await openList(first), 'complete', report)
    const task = await openList(second)
    expect(await act(task, 'complete', report)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(await list(first, 'depop')).toMatchObject({ body: { status: 'listed', listing_id: 'd-77' } })
    expect((await act(task, 'complete', { ...report, listing_id: 'd-78' })).status).toBe(200)
  })

  it('accepts a listing made for a dismissed task', async () => {
    const uid = await newItem()
    const task = await openList(uid)
    await act(task, 'dismiss')
    const later = await openList(uid)
    expect(later).not.toBe(task)
    expect((await act(task, 'complete', report)).body).toMatchObject({ status: 'completed', listing_id: 'd-77' })
    expect(await whatIsAsked()).toEqual([])
    expect(await list(uid, 'depop')).toMatchObject({ status: 200, body: { status: 'listed', listing_id: 'd-77' } })
  })

  it('pages, dismisses and hides tasks of other users', async () => {
    const uids: string[] = []
    for (let count = 0; count < 5; count++) {
      const uid = await newItem()
      await list(uid, 'mercari')
      uids.unshift(uid)
    }
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const query: string = cursor ? `&cursor=${cursor}` : ''
      const page = await api('GET', `/api/v1/extension/tasks/?page_size=2${query}`, { headers: harness.seller.key })
      seen.push(...page.body.results.map((task: { inventory_item_uid: string }) => task.inventory_item_uid))
      cursor = page.body.next_cursor
    } while (cursor)
    expect(seen).toEqual(uids)
    const [first] = await openTasks()
    const other = await buildAccount(harness.db)
    expect((await api('POST', `/api/v1/extension/tasks/${first.uid}/dismiss/`, { headers: other.key })).status).toBe(
      404,
    )
    expect((await act(first.uid, 'dismiss')).body.status).toBe('dismissed')
    expect((await act(first.uid, 'dismiss')).body.status).toBe('dismissed')
    const open = await openTasks()
    expect(open).toHaveLength(4)
  })
})
