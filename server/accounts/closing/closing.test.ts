import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiOf } from '#e2e/harness/api.ts'
import { waitForMessage } from '#e2e/harness/outbox.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { until } from '#e2e/harness/until.ts'
import {
  buildListedItem,
  buildSeller,
  type ListedItem,
  orderFor,
  placeOrder,
} from '#server/selling/sales/testing/sell.ts'
import { claimOnce, isDeliveryDue } from '#server/webhooks/claim-deliveries.ts'
import { emitEvents } from '#server/webhooks/emit.ts'
import { type Receiver, startReceiver } from '#server/webhooks/testing/receiver.ts'
import { newId } from '#shared/identity.ts'
import { deactivateAccount } from './deactivate.ts'

/** The work of a closed account ends with it and has no outside effect afterwards. */
let receiver: Receiver
let server: TestServer
beforeAll(async () => {
  receiver = await startReceiver()
  server = await startTestServer({ works: false, environment: { SANDBOX: 'on' } })
})
afterAll(async () => {
  await server?.close()
  await receiver?.close()
})

/** Creates a seller whose item sold on eBay and is being delisted, with a waiting push and bulk job. */
async function sellerWithWork(): Promise<ListedItem> {
  const { db } = server.services
  const item = await buildListedItem(db, await buildSeller(db, ['ebay', 'etsy', 'depop']))
  await placeOrder(db, item.user_id, orderFor(item, 'ebay'))
  const job_uid = newId('blk')
  await db.none("insert into bulk_job (user_id, uid, action) values ($1, $2, 'delist')", [item.user_id, job_uid])
  await db.none(
    "insert into bulk_item (user_id, job_uid, position, item_uid, platform) values ($1, $2, 0, $3, 'etsy')",
    [item.user_id, job_uid, item.item_uid],
  )
  await db.none(
    `insert into order_fetch_request (user_id, platform, external_order_id, external_line_id, seller_account_uid)
     values ($1, 'ebay', 'pushed', '', $2)`,
    [item.user_id, item.shops.ebay],
  )
  return item
}

/** Counts the waiting work of each kind. */
const waiting = (user_id: number) =>
  server.services.db.one(
    `select (select count(*) from listing_operation where user_id = $1 and state = 'open') as operations,
       (select count(*) from bulk_job where user_id = $1 and status in ('pending', 'in_progress')) as jobs,
       (select count(*) from bulk_item where user_id = $1 and status = 'pending') as rows,
       (select count(*) from order_fetch_request where user_id = $1 and handled_at is null) as pushes,
       (select count(*) from order_line where user_id = $1 and check_listing_at is not null) as checks,
       (select count(*) from extension_task where user_id = $1 and status = 'open') as tasks`,
    [user_id],
  )

describe('work in progress', () => {
  it('ends with its account only', async () => {
    const [closed, other] = [await sellerWithWork(), await sellerWithWork()]
    const before = { operations: 1, jobs: 1, rows: 1, pushes: 1, checks: 1, tasks: 1 }
    expect(await waiting(closed.user_id)).toEqual(before)
    await deactivateAccount(server.services, closed.user_id)
    expect(await waiting(closed.user_id)).toEqual({ operations: 0, jobs: 0, rows: 0, pushes: 0, checks: 0, tasks: 0 })
    expect(await waiting(other.user_id)).toEqual(before)
    // Both sales are long past.
    const { email } = await server.services.db.one('select email from app_user where id = $1', [closed.user_id])
    const mail = await waitForMessage(server.services, email, 'account-closed')
    expect(mail.text).toContain(`Etsy: https://example.com/listing`)
    const { platforms } = (await apiOf(server.url)('GET', '/api/v1/status/')).body
    expect(platforms.find(({ platform }: { platform: string }) => platform === 'etsy').delists.overdue).toBe(1)
  })

  it('sends no webhooks, neither earlier events nor the closing', async () => {
    const { services } = server
    const seller = await buildSeller(services.db, ['ebay'])
    await services.db.none(
      "insert into webhook_endpoint (user_id, uid, url, encrypted_secret) values ($1, 'whk_1', $2, 'x')",
      [seller.user_id, receiver.url],
    )
    await services.db.tx((tx) =>
      emitEvents(tx, seller.user_id, [{ type: 'item.updated', data: { waits: 'since the address failed' } }]),
    )
    await deactivateAccount(services, seller.user_id)
    expect(await isDeliveryDue(services.db)).toBe(false)
    expect(await claimOnce(services.db, 8)).toEqual({ claimed: [], hasDeferred: false })
    expect(await services.db.any('select 1 from webhook_endpoint where user_id = $1', [seller.user_id])).toEqual([])
    const said = await services.db.map(
      'select type from event where user_id = $1 order by seq',
      [seller.user_id],
      (row) => row.type,
    )
    expect(said).toEqual(['item.updated', 'connection.disconnected'])
  })
})

describe('an order read while its account is closed', () => {
  it('is not recorded after the closing', async () => {
    const { db } = server.services
    const item = await buildListedItem(db, await buildSeller(db))
    await deactivateAccount(server.services, item.user_id)
    await expect(placeOrder(db, item.user_id, orderFor(item, 'ebay'))).rejects.toMatchObject({
      code: 'not_found',
    })
    expect(await db.any('select 1 from marketplace_order where user_id = $1', [item.user_id])).toEqual([])
  })

  it('delists nothing when recorded just before', async () => {
    const { db } = server.services
    const item = await buildListedItem(db, await buildSeller(db))
    let closing: Promise<unknown> = Promise.resolve()
    await placeOrder(db, item.user_id, orderFor(item, 'ebay'), {
      also: async () => {
        closing = deactivateAccount(server.services, item.user_id)
        await until(
          () =>
            db.any("select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"),
          (rows) => rows.length > 0,
        )
      },
    })
    await closing
    expect(await waiting(item.user_id)).toMatchObject({ operations: 0, checks: 0 })
    expect(await db.any('select 1 from marketplace_order where user_id = $1', [item.user_id])).toHaveLength(1)
  })
})
