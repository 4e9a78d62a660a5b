import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { createTestDatabase } from '#e2e/harness/database/database.ts'
import { buildListing } from '#e2e/harness/listing.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import type { Database, Queries } from '#server/infra/db/index.ts'
import { takeBatch } from './take-batch.ts'

let server: TestServer
let user_id: number
beforeAll(async () => {
  server = await startTestServer({ works: false, database: await createTestDatabase({ checked: false }) })
  const { db } = server.services
  user_id = (await buildAccount(db)).user_id
  await db.none(
    `insert into seller_account (user_id, uid, platform, external_id, external_name, url, status)
     values ($1, 'sel_a', 'depop', 'a', 'a', 'https://www.depop.com/a/', 'connected');
     insert into import_job (user_id, uid, seller_account_uid, platform, source, status, states)
     values ($1, 'job_a', 'sel_a', 'depop', 'extension', 'pending', '{active}');
     insert into inventory_item (user_id, uid, product_id, offer_id, title, images, condition_label, inspected_at, price_minor,
       currency, state, observed_at, seller_url, shipping_policy_url, returns_policy_url)
     select $1, 'inv_' || lpad(n::text, 22, '0'), n, 'offer', 'Thing ' || n, '{https://example.com/x.jpg}', 'good', current_date,
       100, 'USD', 'available', now(), 'x', 'x', 'x'
     from generate_series(1, 2000) n;
     analyze inventory_item`,
    [user_id],
  )
})
afterAll(() => server?.close())

const countReads = async (queries: Queries): Promise<number> => {
  const { count } = await queries.one<{ count: number }>(`
    select coalesce(sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)), 0)::integer as count
    from pg_stat_xact_user_tables where relname in ('inventory_item', 'match_item', 'match_word')`)
  return count
}

/** Counts the rows of inventory and match words that a batch of one listing reads. */
const readsOf = (batch_id: string) =>
  server.services.db.tx(async (tx) => {
    const services = { ...server.services, db: tx as unknown as Database }
    // Reads of this connection within the last second may still be counted with it.
    const before = await countReads(tx)
    await takeBatch(services, { user_id, job_uid: 'job_a' }, { batch_id, listings: [buildListing({ images: [] })] })
    return (await countReads(tx)) - before
  })

it('only the first batch of an import reads the whole inventory', async () => {
  expect(await readsOf('a')).toBeGreaterThan(2000)
  await server.services.db.none('vacuum analyze inventory_item, match_item, match_word')
  expect(await readsOf('b')).toBeLessThan(200)
})

interface Writes {
  inserted: number
  updated: number
}

/** Counts the writes to import items that a batch makes. */
const writesOf = (batch: Parameters<typeof takeBatch>[2]) =>
  server.services.db.tx(async (tx) => {
    const services = { ...server.services, db: tx as unknown as Database }
    const countWrites = () =>
      tx.one<Writes>(`
        select n_tup_ins::integer as inserted, n_tup_upd::integer as updated
        from pg_stat_xact_user_tables where relname = 'import_item'`)
    const before = await countWrites()
    await takeBatch(services, { user_id, job_uid: 'job_a' }, batch)
    const { inserted, updated } = await countWrites()
    return { inserted: inserted - before.inserted, updated: updated - before.updated }
  })

it('stores each listing of a batch once, with its decision', async () => {
  const batch = { batch_id: 'c', listings: [buildListing({ images: [] }), buildListing({ images: [] })] }
  expect(await writesOf(batch)).toEqual({ inserted: 2, updated: 0 })
})

it('stores a listing that failed before once, with its new decision', async () => {
  const listing = buildListing()
  const failure = { listing_id: listing.listing_id, error_code: 'fetch_failed', error_message: 'Unreadable.' } as const
  const first = { batch_id: 'd', listings: [], failures: [failure] }
  expect(await writesOf(first)).toEqual({ inserted: 1, updated: 0 })
  expect(await writesOf({ batch_id: 'e', listings: [listing] })).toEqual({ inserted: 0, updated: 1 })
  const stored = await server.services.db.one(
    'select status, found, listing_title, error_code from import_item where user_id = $1 and external_listing_id = $2',
    [user_id, listing.listing_id],
  )
  expect(stored).toEqual({ status: 'imported', found: listing, listing_title: listing.title, error_code: null })
})

it('keeps the known title of a listing that fails again without one', async () => {
  const failure = { listing_id: 'untitled', error_code: 'fetch_failed', error_message: 'Unreadable.' } as const
  const batches = [{ ...failure, title: 'A green coat' }, failure]
  for (const [number, each] of batches.entries()) {
    const batch = { batch_id: `again-${number}`, listings: [], failures: [each] }
    await takeBatch(server.services, { user_id, job_uid: 'job_a' }, batch)
  }
  const stored = await server.services.db.one(
    "select listing_title, found from import_item where user_id = $1 and external_listing_id = 'untitled'",
    [user_id],
  )
  expect(stored).toEqual({ listing_title: 'A green coat', found: failure })
})
