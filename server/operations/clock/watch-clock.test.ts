import { globSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { apiOf, parallel, statuses } from '#e2e/harness/api.ts'
import { createFrozenDatabase, type FrozenDatabase } from '#e2e/harness/database/database.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { enforceLimit } from '#server/accounts/limits/event-limits.ts'
import { realLimits } from '#server/http/limits/limit-settings.ts'
import { insertItem, insertLiveListing, insertShop } from '#server/selling/listings/testing/build-item.ts'
import { clockColumns, followClock } from './watch-clock.ts'

let database: FrozenDatabase
let server: TestServer
beforeAll(async () => {
  database = await createFrozenDatabase()
  server = await startTestServer({ database, limits: { ...realLimits, anonymousPerMinute: 5 } })
  await followClock(database.db)
})
afterAll(() => server?.close())

const hours = (count: number) => count * 3_600_000
/** Moves the clock ahead, lets something happen, and moves it back. */
async function whileAhead(happens: () => Promise<unknown>): Promise<number> {
  await database.advance(hours(48))
  await followClock(database.db)
  await happens()
  await database.advance(-hours(48))
  return followClock(database.db)
}

describe('the watch of the clock', () => {
  it('moves polls, leases and jobs back with the clock', async () => {
    const { db } = database
    const { user_id } = await buildAccount(db)
    const uid = await insertShop(db, user_id, 'etsy')
    await db.none(
      `insert into order_sync (user_id, seller_account_uid, platform, read_until) values ($1, $2, 'etsy', now())`,
      [user_id, uid],
    )
    const seconds = await whileAhead(async () => {
      await db.none(
        `update order_sync set next_read_at = now() + interval '40 seconds', lease_until = now() + interval '14 seconds',
         read_until = now(), read_again_at = now() + interval '20 hours' where seller_account_uid = $1`,
        [uid],
      )
      await db.none("update jobs.job set start_after = now() + interval '50 seconds' where state = 'created'")
      await db.none('update jobs.queue set monitor_claim_on = now()')
    })
    expect(seconds).toBe(48 * 3_600)
    expect(
      await db.one(
        `select extract(epoch from next_read_at - now())::int as next, extract(epoch from lease_until - now())::int as lease,
         extract(epoch from now() - read_until)::int as read, read_again_at <= now() as again,
         all_read_again_at < now() - interval '7 days' as all
         from order_sync where seller_account_uid = $1`,
        [uid],
      ),
    ).toEqual({ next: 40, lease: 14, read: 0, again: true, all: true })
    const [late, waiting] = [
      "select count(*)::int from jobs.queue where monitor_claim_on > now() + interval '1 minute'",
      "select count(*)::int from jobs.job where start_after > now() + interval '1 minute' and state = 'created'",
    ]
    expect([await db.one(late), await db.one(waiting)]).toEqual([{ count: 0 }, { count: 0 }])
  })

  it('keeps an order of a listing that went on sale while the clock was ahead', async () => {
    const { db } = database
    const { user_id } = await buildAccount(db)
    const seller_account_uid = await insertShop(db, user_id, 'etsy')
    const item_uid = await insertItem(db, user_id)
    await insertLiveListing(db, { user_id, item_uid, seller_account_uid, platform: 'etsy', listing_id: '46' })
    await whileAhead(() => db.none('update channel_listing set for_sale_since = now() where user_id = $1', [user_id]))
    const since = 'select for_sale_since <= now() as is_past from channel_listing where user_id = $1'
    expect(await db.one(since, [user_id])).toEqual({ is_past: true })
  })

  it('leaves waits alone while the clock goes forward', async () => {
    const { db } = database
    await db.none(
      "insert into failed_attempt values ('k', 'forward', '', 9, false, now() + interval '2 hours', 'infinity')",
    )
    await database.advance(hours(1))
    expect(await followClock(db)).toBe(0)
    const left =
      "select extract(epoch from blocked_until - now())::int as seconds from failed_attempt where subject = 'forward'"
    expect(await db.one(left)).toEqual({ seconds: 3_600 })
  })

  it('opens limits of events that were reached while the clock was ahead', async () => {
    const limit = () => enforceLimit(database.db, 'test', Buffer.from('someone'), [{ max: 1, seconds: 60 }])
    await whileAhead(limit)
    await expect(limit()).rejects.toMatchObject({ code: 'rate_limited' })
    await database.advance(61_000)
    await limit()
  })

  it('knows every column that is named by a wait', async () => {
    const columns = await database.db.map(
      `select table_name, column_name from information_schema.columns
       where table_schema = 'public' and data_type = 'timestamp with time zone'
         and column_name ~ '(_until|_after|^next_.*|^due|_due|^notify|^retry|^send)(_at)?$'`,
      [],
      ({ table_name, column_name }) => `${table_name}.${column_name}`,
    )
    // A secret that was replaced works for a day at least.
    const left = columns.filter((name) => name !== 'webhook_endpoint.previous_secret_until')
    const known = Object.entries(clockColumns).flatMap(([table, names]) => names.map((name) => `${table}.${name}`))
    expect(left.length).toBeGreaterThan(20)
    expect(left.filter((name) => !known.includes(name))).toEqual([])
  })
})

describe('limits of requests', () => {
  it('open within a minute after the clock has gone back', async () => {
    const ask = (from: string) => apiOf(server.url)('GET', '/api/v1/platforms/', { from })
    const from = '203.0.113.46'
    await database.advance(hours(1))
    expect(statuses(await parallel(5, () => ask(from)))).toEqual({ 401: 5 })
    await database.advance(-hours(1))
    const again = await parallel(8, () => ask(from))
    expect(statuses(again)).toEqual({ 401: 5, 429: 3 })
    for (const { status, headers } of again) {
      if (status === 429) expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60)
    }
  })
})

describe('the code of the server', () => {
  it('measures no time by the clock of the wall', () => {
    const files = globSync('server/**/*.ts').filter((file) => !/\.test\.|\/testing\/|^server\/sandbox\//.test(file))
    const readers = files.filter((file) => readFileSync(file, 'utf8').includes('Date.now')).toSorted()
    // Each tells the time, or compares it with a time that a marketplace or a file named.
    expect(readers).toEqual([
      'server/catalog/imports/matching/matcher.ts',
      'server/catalog/inventory-files/for-sale.ts',
      'server/catalog/inventory-files/read-file.ts',
      'server/infra/span.ts',
      'server/operations/check-services/check-seller.ts',
      'server/selling/listings/operations/queue-listing-update.ts',
      'server/selling/listings/operations/retry-policy.ts',
      'server/selling/sale-mail/store-mail.ts',
    ])
  })
})
