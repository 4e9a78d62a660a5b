import { afterEach, describe, expect, it } from 'vitest'
import { markSoldInPerson } from '#server/selling/sales/mark-sold-in-person.ts'
import type { Alert } from '#shared/contract/selling/orders.ts'
import { liveOf, pathOf, useListingHarness } from '../testing/harness.ts'

const harness = useListingHarness()
const { ebay, api, newItem, list, delist, openOperations } = harness
afterEach(() => ebay.heal())

const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
  api(method, path, { headers: harness.seller.bearer, ...(body ? { body } : {}) })
const atRest = (uid: string) => expect.poll(() => openOperations(uid)).toEqual([])
const alerts = async (state = 'open'): Promise<Alert[]> =>
  (await call('GET', `/api/v1/alarms/?state=${state}`)).body.results
const retry = ({ uid }: Alert) => call('POST', `/api/v1/alarms/${uid}/retry/`)

/** Takes an item down on eBay and undoes that, which eBay refuses. Returns the item and its alert. */
async function refusedRelist(): Promise<{ uid: string; alert: Alert }> {
  const uid = await newItem()
  await list(uid, 'ebay', { price: '39.00' })
  const { change_uid } = (await delist(uid)).body
  ebay.fail('publish', 'refused')
  expect(await call('POST', `/api/v1/changes/${change_uid}/undo/`)).toMatchObject({ body: { undone: 1 } })
  await atRest(uid)
  const [alert] = await alerts()
  return { uid, alert: alert! }
}

describe('a relisting that the platform refuses', () => {
  it('is an alert with its reason and what helps', async () => {
    const { uid, alert } = await refusedRelist()
    expect(alert).toMatchObject({
      kind: 'listing_refused',
      platform: 'ebay',
      inventory_item_uid: uid,
      seller_account_uid: harness.shop,
      relist_on: ['ebay'],
      progress: { state: 'waiting_for_seller', last_error: 'The title is too long.' },
      actions: [
        { action: 'retry', url: null },
        { action: 'open_item', url: expect.stringMatching(new RegExp(`/app/#item/${uid}$`)) },
        { action: 'dismiss', url: null },
      ],
      suggestion: 'check_item',
    })
  })

  it('is tried again as it was, once for two presses', async () => {
    const { uid, alert } = await refusedRelist()
    const replies = await Promise.all([retry(alert), retry(alert)])
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    await atRest(uid)
    expect(liveOf(ebay, uid)).toMatchObject([{ price_minor: 3_900 }])
    expect(ebay.listings.filter(({ key }) => key.endsWith(uid.slice(-13)))).toHaveLength(2)
    expect(await alerts()).toEqual([])
    expect(await retry(alert)).toMatchObject({ status: 200, body: { state: 'resolved', actions: [] } })
  })

  it('is shown as it ended while the press waited', async () => {
    const { uid, alert } = await refusedRelist()
    const answer = await harness.db.tx(async (tx) => {
      await tx.one('select from inventory_item where uid = $1 for update', [uid])
      const pressed = retry(alert)
      await expect
        .poll(() =>
          harness.db.any(
            "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
          ),
        )
        .toHaveLength(1)
      await tx.none("update alert set state = 'resolved', finished_at = now() where uid = $1", [alert.uid])
      return { pressed }
    })
    expect(await answer.pressed).toMatchObject({ status: 200, body: { state: 'resolved', actions: [] } })
  })

  it('keeps its one alert when it is refused again', async () => {
    const { uid, alert } = await refusedRelist()
    ebay.fail('publish', 'reconnect')
    await retry(alert)
    await atRest(uid)
    const [again, ...others] = (await alerts()).filter(({ kind }) => kind === 'listing_refused')
    expect(others).toEqual([])
    expect(again).toMatchObject({ uid: alert.uid, progress: { last_error: 'Sign in again.' } })
  })

  it('says why it cannot be tried again', async () => {
    const { alert } = await refusedRelist()
    await harness.db.none("update seller_account set status = 'reconnect_required' where uid = $1", [harness.shop])
    expect(await retry(alert)).toMatchObject({ status: 400, body: { code: 'reconnect_required' } })
  })

  it('shows that it is under way', async () => {
    const { alert } = await refusedRelist()
    ebay.fail('publish', 'rate_limited', 100)
    expect((await retry(alert)).body.progress).toMatchObject({ state: 'retrying' })
    ebay.heal()
    await atRest(alert.inventory_item_uid!)
    expect(await alerts()).toEqual([])
  })

  it.each<[string, (uid: string) => Promise<unknown>]>([
    ['listed otherwise', (uid) => list(uid)],
    ['sold', (uid) => markSoldInPerson(harness.server.services, { user_id: harness.seller.user_id, item_uid: uid })],
    ['withdrawn', (uid) => call('PATCH', `/api/v1/inventory/${uid}/`, { state: 'withdrawn' })],
    ['deleted', (uid) => call('DELETE', `/api/v1/inventory/${uid}/`)],
  ])('is no alert any more once the item is %s', async (_, act) => {
    const { uid } = await refusedRelist()
    await act(uid)
    await atRest(uid)
    expect(await alerts()).toEqual([])
    expect(await alerts('resolved')).toHaveLength(1)
  })
})

describe('a listing that the platform refuses', () => {
  it('is no alert for the call that gets the answer', async () => {
    const uid = await newItem()
    ebay.fail('publish', 'refused')
    expect(await list(uid)).toMatchObject({ status: 502 })
    expect(await alerts()).toEqual([])
  })

  /** Lists an item while eBay is slow, so that no call waits for the answer any more. */
  async function listUnwatched(uid: string): Promise<void> {
    ebay.fail('choices', 'rate_limited')
    const asked = api('POST', pathOf(uid, 'ebay', 'list'), {
      headers: harness.seller.bearer,
      body: { price: '42.50' },
    })
    await expect.poll(() => openOperations(uid)).toEqual(['list'])
    await harness.db.none("update listing_operation set created_at = now() - interval '1 hour' where item_uid = $1", [
      uid,
    ])
    await asked
  }

  it('is an alert once no call waits for it', async () => {
    const uid = await newItem()
    ebay.fail('publish', 'refused')
    await listUnwatched(uid)
    expect(await alerts()).toMatchObject([{ kind: 'listing_refused', inventory_item_uid: uid }])
  })

  it('asks for missing choices in words', async () => {
    const uid = await newItem()
    ebay.choices = ['category_id', 'fulfillment_policy_id', 'aspects.US Shoe Size', 'condition_descriptors.40001'].map(
      (option) => ({ option, required: true, values: [] }),
    )
    await listUnwatched(uid)
    const [alert] = await alerts()
    const words = 'Choose a category. Choose a shipping policy. Choose “US Shoe Size”. Describe the condition.'
    expect(alert).toMatchObject({
      kind: 'listing_refused',
      message: `eBay did not list an item. ${words}`,
      progress: { last_error: words },
    })
  })
})
