import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { closeDatabase, type Database, openDatabase } from '#server/infra/db/index.ts'
import { freshAccess } from '#server/integrations/connections/with-shop-access.ts'
import { minute, orderFor, placeOrder } from '#server/selling/sales/testing/sell.ts'
import type { Services } from '#server/services.ts'
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts'
import { rowsReadBy } from '#server/testing/rows-read.ts'
import { acceptPush } from './accept-push.ts'

/** One connection has planned every query on empty tables. Then thousands of rows come within seconds. */
let database: TestDatabase
let db: Database
beforeAll(async () => {
  database = await createTestDatabase({ checked: false })
  db = openDatabase({ url: database.url, max: 1 })
  // Another connection, with its temporary tables made before: each would invalidate the kept plans.
  const filler = openDatabase({ url: database.url, max: 1 })
  await filler.none('create temp table any_table ()')
  await db.none('vacuum analyze')
  for (let again = 0; again < 2; again++) for (const [, work] of works) await work().catch(() => {})
  await filler.tx(async (tx) =>
    tx.none(await readFile(new URL('../../testing/large-seller.sql', import.meta.url), 'utf8')),
  )
  await filler.none(`
    insert into app_user (username) select 'other' || n from generate_series(1, 5000) n;
    insert into seller_account (user_id, uid, platform, external_id, external_name, url, status)
    select id, 'sel_' || id || 'ebay', 'ebay', 'x-' || id || 'ebay', 'shop ' || id, 'https://example.com', 'connected'
    from app_user where username like 'other%'`)
  await filler.none(
    'insert into event_counter (user_id, last_seq) select user_id, max(seq) from event group by user_id',
  )
  // Its own reads are counted by now, so they do not fall into the tests.
  await filler.any('select pg_stat_force_next_flush()')
  await closeDatabase(filler)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 15_000 })
})
afterAll(async () => {
  vi.useRealTimers()
  if (db) await closeDatabase(db)
  await database?.drop()
})

const item = { user_id: 1, item_uid: `inv_${'2002'.padStart(22, '0')}`, shops: { ebay: 'sel_1ebay' } }
const services = () => ({ db, platforms: new Map() }) as unknown as Services
const push = (message_id: string, shop: { external_id: string | null; external_name: string | null }) => ({
  ...{ topic: 'order' as const, message_id, shop, external_order_id: 'new', external_line_ids: [] },
})

const works: [what: string, work: () => Promise<unknown>][] = [
  [
    'an order of a listing that is known',
    () => placeOrder(db, 1, orderFor(item, 'ebay', { id: 'new', listing_id: 'ebay-2002' })),
  ],
  [
    'an order of a listing that is not known, by our key of the thing',
    () => {
      const order = orderFor(item, 'ebay', { id: 'other', listing_id: 'unheard-of', at: 3 })
      const lines = order.lines.map((line) => ({ ...line, sku: 'key-2004' }))
      return placeOrder(db, 1, { ...order, lines, modified_at: minute(3) })
    },
  ],
  [
    'a push that names its shop',
    () => acceptPush(services(), 'ebay', push('m-1', { external_id: 'x-7ebay', external_name: null })),
  ],
  [
    'the way into a shop',
    () => freshAccess(services(), { user_id: 7, seller_account_uid: 'sel_7ebay' }).catch(() => {}),
  ],
]

describe('plans made on empty tables still read only a few rows', () => {
  it.each(works)('for %s', async (_what, work) => {
    const read = await rowsReadBy(db, work)
    expect(read.some(([, rows]) => rows > 0)).toBe(true)
    expect(read.filter(([, rows]) => rows > 120)).toEqual([])
  })
})
