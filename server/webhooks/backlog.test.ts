import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#e2e/harness/database/database.ts'
import type { Queries } from '#server/infra/db/index.ts'
import { claimOnce, isDeliveryDue } from './claim-deliveries.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ checked: false })
  // Tables of one page that were analyzed: a plan made for them scans them.
  await database.db.tx(async (tx) => {
    await tx.none('set local session_replication_role = replica')
    await tx.none(`
      insert into webhook_endpoint (user_id, uid, url, encrypted_secret, event_types) values (2, 'whk_0', 'https://example.com', '', '{}');
      insert into webhook_delivery (user_id, endpoint_uid, event_seq, event_type, item_uid) values (2, 'whk_0', 1, 'item.created', 'inv');
      insert into platform_quota_slot (platform, app, shop, slot, used) values ('etsy', 'other', 'x', now(), 1);
      insert into platform_quota_shop (platform, app, shop) values ('etsy', 'other', 'x');`)
  })
  await database.db.none('vacuum analyze webhook_delivery, webhook_endpoint, platform_quota_slot, platform_quota_shop')
})
afterAll(() => database?.drop())

/** Returns how many rows of a table the work reads, whether PostgreSQL finds them by an index or not. */
async function rowsReadOf(queries: Queries, table: string, work: () => Promise<unknown>): Promise<number> {
  const read = async () =>
    (
      await queries.one<{ rows: number }>(
        'select (seq_tup_read + coalesce(idx_tup_fetch, 0))::integer as rows from pg_stat_xact_user_tables where relname = $1',
        [table],
      )
    ).rows
  const before = await read()
  await work()
  return (await read()) - before
}

const backlog = 20_000
const deliveries = `
  set local session_replication_role = replica;
  insert into webhook_endpoint (user_id, uid, url, encrypted_secret, event_types)
    select 1, 'whk_' || n, 'https://example.com', '', '{}' from generate_series(1, 5) n;
  insert into webhook_delivery (user_id, endpoint_uid, event_seq, event_type, item_uid)
    select 1, 'whk_' || (n % 5 + 1), n, 'item.created', 'inv_' || n % 7 from generate_series(1, ${backlog}) n;`

const calls = `
  insert into platform_quota_slot (platform, app, shop, slot, used)
    select 'etsy', 'app', 'shop-' || n % 200, date_bin('15 minutes', now(), timestamptz '2000-01-01') - n / 200 * interval '15 minutes', 1
    from generate_series(1, ${backlog}) n
    on conflict do nothing;
  insert into platform_quota_shop (platform, app, shop) select 'etsy', 'app', 'shop-' || n from generate_series(0, 199) n
    on conflict do nothing;`

it('reads the beginning of a webhook backlog that is newer than its statistics', async () => {
  await database.db.tx(async (tx) => {
    await isDeliveryDue(tx)
    await claimOnce(tx, 8)
    await tx.none(deliveries)
    expect(await rowsReadOf(tx, 'webhook_delivery', () => isDeliveryDue(tx))).toBeLessThan(50)
    // The statement around the functions may scan the table a few times, but not once for each delivery.
    expect(await rowsReadOf(tx, 'webhook_delivery', () => claimOnce(tx, 8))).toBeLessThan(5 * backlog)
  })
})

it('finds the calls of one shop by their key, although the functions were planned on tables of one page', async () => {
  await database.db.tx(async (tx) => {
    const request = JSON.stringify([{ place: 0, shop: 'shop-7', share: 0.5, calls: 1 }])
    const take = () =>
      tx.any('select * from take_platform_calls($1, $2, $3::jsonb, $4::jsonb)', [
        'etsy',
        'app',
        '{"per_day":100000}',
        request,
      ])
    const report = () => tx.one('select record_platform_limits($1, $2, 10, 100000, 50000)', ['etsy', 'app'])
    // PL/pgSQL keeps a plan for good after five runs.
    for (let run = 0; run < 7; run++) {
      await take()
      await report()
    }
    await tx.none(calls)
    expect(await rowsReadOf(tx, 'platform_quota_shop', take)).toBeLessThan(500)
    expect(await rowsReadOf(tx, 'platform_quota_slot', take)).toBeLessThan(500)
    expect(await rowsReadOf(tx, 'platform_quota_slot', report)).toBeLessThan(500)
  })
})
