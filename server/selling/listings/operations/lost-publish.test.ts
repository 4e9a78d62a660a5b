import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { completeTask, dismissTask } from '#server/catalog/tasks/complete-task.ts'
import { markSoldInPerson } from '#server/selling/sales/mark-sold-in-person.ts'
import { insertAddress, insertItem, insertWorkingShop } from '../testing/build-item.ts'
import { createFakeMarket, type FakeMarket } from '../testing/fake-market.ts'
import { type ListingWorker, startListingWorker } from '../worker.ts'
import { queueListing } from './queue-listing.ts'
import { wakeShop } from './wake-shop.ts'

/** A publish without an answer may have made a listing, which is looked for until the platform has answered. */
let server: TestServer
let market: FakeMarket
let worker: ListingWorker | null = null
let user_id: number
let shop: string
beforeEach(async () => {
  market = createFakeMarket('etsy')
  server = await startTestServer({ works: false, platforms: [market.adapter] })
  user_id = (await buildAccount(server.services.db)).user_id
  await insertAddress(server.services.db, user_id)
  shop = await insertWorkingShop(server.services, user_id, 'etsy')
})
afterEach(async () => {
  await worker?.stop(2_000)
  worker = null
  await server.close()
})

const start = () => {
  worker = startListingWorker(server.services, { pollMs: 50 })
}
const order = (item_uid: string, cause: 'user' | 'bulk' = 'user') =>
  server.services.db.tx((tx) =>
    queueListing(tx, {
      ...{
        user_id,
        platform: 'etsy',
        seller_account_uid: shop,
        price_minor: 4_250,
        options: {},
        cause,
        cause_ref: null,
      },
      item: { uid: item_uid, sku: null, currency: 'USD' },
    }),
  )
const operation = (item_uid: string) =>
  server.services.db.one(
    `select state, attempts, error_code, listing_id, cancel_requested_at is not null as is_undone
     from listing_operation where item_uid = $1 and kind = 'list'`,
    [item_uid],
  )
const pastAttempts = async (item_uid: string, count: number) => {
  const { attempts } = await operation(item_uid)
  await expect
    .poll(
      async () => {
        await server.services.db.none(
          `update listing_operation set next_attempt_at = now()
           where item_uid = $1 and state = 'open' and lease_until is null and next_attempt_at > now()`,
          [item_uid],
        )
        return (await operation(item_uid)).attempts - attempts
      },
      { interval: 30 },
    )
    .toBeGreaterThanOrEqual(count)
}
const alerts = (item_uid: string) =>
  server.services.db.map(
    "select state from alert where item_uid = $1 and kind = 'delist_overdue'",
    [item_uid],
    ({ state }: { state: string }) => state,
  )
const tasks = (item_uid: string) =>
  server.services.db.any<{ uid: string; status: string }>(
    "select uid, status from extension_task where item_uid = $1 and kind = 'delist'",
    [item_uid],
  )
/** Runs what is due for the item until nothing is left. */
const isOver = async (item_uid: string) => {
  const open = async () => {
    await server.services.db.none(
      "update listing_operation set next_attempt_at = now() where item_uid = $1 and state = 'open' and lease_until is null",
      [item_uid],
    )
    return server.services.db.any("select kind from listing_operation where item_uid = $1 and state = 'open'", [
      item_uid,
    ])
  }
  await expect.poll(open, { interval: 50 }).toEqual([])
}
const comesDown = async (item_uid: string) => {
  await isOver(item_uid)
  expect(market.live()).toEqual([])
}
/** Loses the answer and waits until the test goes on. */
async function sendAndLose(cause: 'user' | 'bulk' = 'user'): Promise<string> {
  const item_uid = await insertItem(server.services.db, user_id)
  market.fail('publish', 'reply_lost')
  market.fail('find', 'not_sent', 1_000)
  start()
  await order(item_uid, cause)
  await expect.poll(() => market.live().length).toBe(1)
  await worker?.stop()
  market.heal()
  expect(await operation(item_uid)).toMatchObject({ state: 'open' })
  return item_uid
}
/** Moves the attempt hours into the past. */
const longAgo = (item_uid: string) =>
  server.services.db.none(
    `update listing_operation set sent_at = now() - interval '9 hours', seen_at = now() - interval '9 hours',
       cancel_requested_at = cancel_requested_at - interval '9 hours', next_attempt_at = now()
     where item_uid = $1 and state = 'open'`,
    [item_uid],
  )
const lockOut = () =>
  server.services.db.none("update seller_account set status = 'reconnect_required' where uid = $1", [shop])
const disconnect = () =>
  server.services.db.none(
    "update seller_account set status = 'revoked', encrypted_access_token = null, encrypted_refresh_token = null where uid = $1",
    [shop],
  )
const letIn = async () => {
  await server.services.db.none("update seller_account set status = 'connected' where uid = $1", [shop])
  await server.services.db.tx((tx) =>
    wakeShop(server.services, tx, { user_id, seller_account_uid: shop, platform: 'etsy' }),
  )
}

describe('a listing whose answer was lost', () => {
  it('alerts when it sold and the shop is unreachable', async () => {
    const item_uid = await sendAndLose()
    await lockOut()
    await markSoldInPerson(server.services, { user_id, item_uid })
    await longAgo(item_uid)
    start()
    await pastAttempts(item_uid, 3)
    expect(await operation(item_uid)).toMatchObject({ state: 'open', is_undone: true })
    expect(await alerts(item_uid)).toEqual(['open'])
    // An attempt may take the operation again after it was postponed.
    await expect.poll(() => tasks(item_uid)).toMatchObject([{ status: 'open' }])

    await letIn()
    await comesDown(item_uid)
    expect(await alerts(item_uid)).toEqual(['resolved'])
    // An attempt under way while the shop is let in may ask once more.
    expect(new Set((await tasks(item_uid)).map(({ status }) => status))).toEqual(new Set(['dismissed']))
  })

  it('is looked for after giving up, with an alert at once', async () => {
    const item_uid = await sendAndLose('bulk')
    await server.services.db.none(
      `with job as (
         insert into bulk_job (user_id, uid, action) values ($<user_id>, 'blk_1', 'list') returning user_id, uid
       )
       insert into bulk_item (user_id, job_uid, position, item_uid, platform, status, operation_id)
       select user_id, uid, 1, $<item_uid>, 'etsy', 'pending',
         (select id from listing_operation where item_uid = $<item_uid>) from job`,
      { user_id, item_uid },
    )
    await server.services.db.none('update listing_operation set failures = 10 where item_uid = $1', [item_uid])
    market.fail('find', 'not_sent', 1_000)
    start()
    await expect.poll(() => operation(item_uid)).toMatchObject({ is_undone: true, error_code: 'platform_failed' })
    expect(await server.services.db.one('select status, error_code from bulk_item')).toEqual({
      ...{ status: 'failed', error_code: 'platform_failed' },
    })
    expect(await alerts(item_uid)).toEqual([])

    await longAgo(item_uid)
    await pastAttempts(item_uid, 3)
    expect(await operation(item_uid)).toMatchObject({ state: 'open' })
    expect(await alerts(item_uid)).toEqual(['open'])
    expect(await tasks(item_uid)).toEqual([])

    await worker?.stop(2_000)
    market.heal()
    start()
    await comesDown(item_uid)
    expect(await alerts(item_uid)).toEqual(['resolved'])
    expect(await operation(item_uid)).toMatchObject({ state: 'failed' })
  })

  it('ends when the platform does not show it', async () => {
    const item_uid = await sendAndLose()
    await lockOut()
    await markSoldInPerson(server.services, { user_id, item_uid })
    await longAgo(item_uid)
    start()
    await pastAttempts(item_uid, 2)
    expect(await alerts(item_uid)).toEqual(['open'])
    market.end(market.live()[0]!)
    await letIn()
    await comesDown(item_uid)
    expect((await operation(item_uid)).state).not.toBe('open')
    expect(await alerts(item_uid)).toEqual(['resolved'])
    expect(await tasks(item_uid)).toMatchObject([{ status: 'dismissed' }])
  })

  it('ends with the seller’s word once the shop is disconnected', async () => {
    const item_uid = await sendAndLose()
    await lockOut()
    await markSoldInPerson(server.services, { user_id, item_uid })
    start()
    await expect.poll(() => tasks(item_uid)).toMatchObject([{ status: 'open' }])
    await server.services.db.none(
      "update seller_account set status = 'revoked', encrypted_access_token = null, encrypted_refresh_token = null where uid = $1",
      [shop],
    )
    const [task] = await tasks(item_uid)
    await completeTask(server.services, user_id, task!.uid, {})
    expect((await operation(item_uid)).state).not.toBe('open')
    expect(await alerts(item_uid)).toEqual(['resolved'])
  })

  it('ends with the seller’s earlier word on disconnecting', async () => {
    const item_uid = await sendAndLose()
    await lockOut()
    await markSoldInPerson(server.services, { user_id, item_uid })
    start()
    await expect.poll(() => tasks(item_uid)).toMatchObject([{ status: 'open' }])
    const [task] = await tasks(item_uid)
    await completeTask(server.services, user_id, task!.uid, {})
    await pastAttempts(item_uid, 2)
    expect(await operation(item_uid)).toMatchObject({ state: 'open' })
    await disconnect()
    await isOver(item_uid)
    expect(await alerts(item_uid)).toEqual(['resolved'])
    expect(await tasks(item_uid)).toMatchObject([{ status: 'completed' }])
  })

  it('asks again a day after its task was dismissed', async () => {
    const item_uid = await sendAndLose()
    await lockOut()
    await markSoldInPerson(server.services, { user_id, item_uid })
    start()
    await expect.poll(() => tasks(item_uid)).toMatchObject([{ status: 'open' }])
    const [task] = await tasks(item_uid)
    await dismissTask(server.services, user_id, task!.uid)
    await disconnect()
    await pastAttempts(item_uid, 2)
    expect(await tasks(item_uid)).toMatchObject([{ status: 'dismissed' }])

    await server.services.db.none(
      `with ordered as (
         update listing_operation set created_at = created_at - interval '2 days' where item_uid = $1
       )
       update extension_task set created_at = created_at - interval '2 days', finished_at = now() - interval '25 hours'
       where item_uid = $1`,
      [item_uid],
    )
    await pastAttempts(item_uid, 3)
    const open = async () => (await tasks(item_uid)).filter(({ status }) => status === 'open')
    await expect.poll(open).toHaveLength(1)
    const asked = await open()
    await completeTask(server.services, user_id, asked[0]!.uid, {})
    await isOver(item_uid)
    expect(await alerts(item_uid)).toEqual(['resolved'])
  })
})

describe('delisting in a disconnected shop', () => {
  it('ends when the seller has said that it is down', async () => {
    const item_uid = await insertItem(server.services.db, user_id)
    start()
    await order(item_uid)
    await expect.poll(() => operation(item_uid)).toMatchObject({ state: 'done' })
    await lockOut()
    await markSoldInPerson(server.services, { user_id, item_uid })
    await expect.poll(() => tasks(item_uid)).toMatchObject([{ status: 'open' }])
    const [task] = await tasks(item_uid)
    await completeTask(server.services, user_id, task!.uid, {})
    const listing = () => server.services.db.one('select state from channel_listing where item_uid = $1', [item_uid])
    expect(await listing()).toEqual({ state: 'available' })
    await disconnect()
    await isOver(item_uid)
    expect(await listing()).toEqual({ state: 'removed' })
    expect(await alerts(item_uid)).toEqual(['resolved'])
  })
})

describe('a listing that the platform accepted', () => {
  it('is delisted if the platform does not show it', async () => {
    const item_uid = await insertItem(server.services.db, user_id)
    market.lagMs = 60_000
    start()
    await order(item_uid)
    await expect.poll(() => market.live().length).toBe(1)
    await expect
      .poll(() => operation(item_uid))
      .toMatchObject({ state: 'open', listing_id: market.live()[0]!.listing_id })
    await server.services.db.none(
      `update listing_operation set accepted_at = now() - interval '6 minutes', next_attempt_at = now() where item_uid = $1`,
      [item_uid],
    )
    await server.services.db.none(
      "update channel_listing set created_at = now() - interval '6 minutes' where item_uid = $1",
      [item_uid],
    )
    await comesDown(item_uid)
    expect(await operation(item_uid)).toMatchObject({ state: 'failed', error_code: 'platform_failed' })
    expect(await server.services.db.any('select state from channel_listing where item_uid = $1', [item_uid])).toEqual([
      { state: 'removed' },
    ])
  })

  it('neither fails nor comes down while it is unreadable', async () => {
    const item_uid = await insertItem(server.services.db, user_id)
    market.during = async (call) => {
      if (call === 'publish') await lockOut()
    }
    start()
    await order(item_uid)
    await expect.poll(() => operation(item_uid)).toMatchObject({ listing_id: 'etsy-1', attempts: 1 })
    await longAgo(item_uid)
    await pastAttempts(item_uid, 2)
    expect(await operation(item_uid)).toMatchObject({ state: 'open', is_undone: false })
    expect(await alerts(item_uid)).toEqual([])
    // A running attempt is postponed after connecting the shop has woken the waiting operations.
    await worker?.stop(2_000)
    await letIn()
    start()
    await expect.poll(() => operation(item_uid)).toMatchObject({ state: 'done' })
    expect(market.live()).toHaveLength(1)
  })
})
