import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#e2e/harness/database/database.ts'
import { rowsRead } from '#e2e/harness/database/rows-read.ts'
import * as sql from './queries.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ checked: false })
  await database.db.tx(async (tx) => {
    // Many old rows and three recent ones in each table, without their references.
    await tx.none(`set local session_replication_role = replica`)
    await tx.none(past)
  })
  await database.db.none('analyze')
})
afterAll(() => database?.drop())

const past = `
  create temporary table made on commit drop as
    select n, n > 6000 as recent, case when n > 6000 then now() else now() - interval '90 days' end as at
    from generate_series(1, 6003) n;
  insert into marketplace_order
    (user_id, uid, platform, external_order_id, source, status, ordered_at, modified_at)
    select 1, 'ord_' || n, 'ebay', n, 'platform', 'paid', at, at from made;
  insert into order_line (user_id, order_uid, external_line_id, listing_id, quantity, price_minor, currency, status,
      state, modified_at, recorded_at)
    select 1, 'ord_' || n, '1', n, 1, 100, 'USD', 'paid', 'unmatched', at, at from made;
  insert into listing_operation (user_id, kind, item_uid, platform, seller_account_uid, listing_id, state, cause,
      created_at, seen_at, confirmed_at, finished_at)
    select 1, 'delist', 'inv_' || n, 'ebay', 'sel', n, 'done', 'sale', at, at, at, at from made;
  insert into extension_task (user_id, uid, kind, status, platform, item_uid, reason, url, listing_id, cause,
      created_at, finished_at)
    select 1, 'tsk_' || n, 'delist', 'completed', 'depop', 'inv_' || n, 'x', 'https://example.com', n, 'sale', at, at
    from made;
  insert into webhook_delivery (user_id, endpoint_uid, event_seq, event_type, state, finished_at)
    select 1, 'whk', n, 'item.created', case when recent then 'failed' else 'delivered' end, at from made;
  insert into outbox_message (id, channel, template, status, created_at, expires_at)
    select 'out_' || n, 'mail', 'x', case when recent then 'waiting' else 'sent' end, at, at from made;`

describe('the public status reads recent and waiting rows only', () => {
  it.each([
    ['delists', sql.readDelists, { listing_operation: 3, extension_task: 3 }],
    ['sales', sql.readSales, { order_line: 3, marketplace_order: 3 }],
    ['messages', sql.readOldestMessages, { outbox_message: 3 }],
    ['gauges', sql.readGauges, { webhook_delivery: 3, outbox_message: 3, listing_operation: 0 }],
  ])('for %s', async (_, statement, rows) => {
    const from = new Date(Date.now() - 7 * 86_400_000).toISOString()
    expect(await rowsRead(database.db, statement({ from }))).toMatchObject(rows)
  })
})
