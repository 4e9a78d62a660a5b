import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#e2e/harness/database/database.ts'
import { buildListing } from '#e2e/harness/listing.ts'
import { type ImportHarness, type Seller, startImportHarness } from '#server/catalog/imports/testing/harness.ts'
import { buildListedItem, buildSeller, listingOf } from '#server/selling/sales/testing/sell.ts'
import type { ImportJob } from '#shared/contract/catalog/imports.ts'
import type { Listing } from '#shared/listing.ts'
import { purge } from './purge.ts'

const base = '/api/v1/marketplace/import'

describe('items of imports', () => {
  let harness: ImportHarness
  let seller: Seller
  beforeAll(async () => {
    harness = await startImportHarness()
  })
  afterAll(() => harness?.close())
  beforeEach(async () => {
    harness.reset()
    seller = await harness.seller()
    harness.ebay.shop = [buildListing({ title: 'Coat' }), buildListing({ title: 'Lamp' })]
  })

  /** Sets what these imports did back by days. */
  async function age(days: number, ...jobs: ImportJob[]): Promise<void> {
    const uids = jobs.map(({ id }) => id)
    const { db } = harness.server.services
    await db.none(
      "update import_item set processed_at = processed_at - $1 * interval '1 day' where job_uid = any($2) and processed_at is not null",
      [days, uids],
    )
    await db.none(
      "update import_job set created_at = created_at - $1 * interval '1 day', completed_at = completed_at - $1 * interval '1 day' where uid = any($2)",
      [days, uids],
    )
  }
  const clean = () => purge(harness.server.services.db)
  const jobs = async () => (await seller.call('GET', `${base}/jobs/`)).body.map(({ id }: ImportJob) => id) as string[]

  it('go 30 days after an import decided them by itself', async () => {
    const [first, second] = [await seller.import(), await seller.import()]
    await age(29, first, second)
    await clean()
    for (const { id } of [first, second]) expect(await seller.items(id)).toHaveLength(2)
    await age(2, first, second)
    await clean()
    for (const { id } of [first, second]) expect(await seller.items(id)).toEqual([])
    // The same listings are no news, and make no second item.
    expect(await seller.import()).toMatchObject({ items_imported: 0, items_skipped: 2 })
  })

  it('still count in their import, which stays for the histories of the items that it made', async () => {
    const [first, second, third] = [await seller.import(), await seller.import(), await seller.import()]
    await age(121, first, second, third)
    await clean()
    expect(await jobs()).toEqual([third.id, first.id])
    expect(await seller.job(first.id)).toMatchObject({ total_listings_found: 2, items_skipped: 0, items_imported: 2 })
    expect(await seller.job(third.id)).toMatchObject({ total_listings_found: 2, items_skipped: 2, items_imported: 0 })
    const page = await seller.call('GET', `${base}/jobs/${first.id}/items/?page_size=1`)
    expect(page.body).toMatchObject({ results: [], count: 0 })
  })

  it('stay where they failed, until a later import has read the listing', async () => {
    const [{ listing_id }, ...others] = harness.ebay.shop as [Listing, ...Listing[]]
    const unread = { listing_id, error_code: 'fetch_failed' as const, error_message: 'eBay answered 500.' }
    const readable = harness.ebay.shop
    harness.ebay.shop = [unread, ...others]
    const first = await seller.import()
    harness.ebay.shop = others
    const second = await seller.import()
    await age(31, first, second)
    await clean()
    expect(await seller.items(first.id)).toMatchObject([{ status: 'failed' }])
    harness.ebay.shop = readable
    const third = await seller.import()
    await age(31, third)
    await clean()
    expect(await seller.items(first.id)).toEqual([])
    expect(await seller.job(first.id)).toMatchObject({ total_listings_found: 2, items_failed: 1 })
  })

  it('stay while a conflict waits or the chosen skip counts', async () => {
    harness.ebay.shop = [buildListing({ sku: 'ONE' }), buildListing({ sku: 'ONE', title: 'The other coat' })]
    const first = await seller.import()
    const [asked] = await seller.items(first.id, 'status=conflict')
    const skip = await seller.call('POST', `${base}/jobs/${first.id}/items/${asked!.id}/resolve/`, {
      resolution: 'skip',
    })
    expect(skip.status).toBe(200)
    await age(31, first)
    await clean()
    const second = await seller.import()
    expect(await seller.items(second.id, 'status=skipped')).toMatchObject([{}, { resolution: 'skip' }])
    harness.ebay.shop = [...harness.ebay.shop, buildListing({ sku: 'ONE', title: 'A third coat' })]
    const third = await seller.import()
    await age(31, first, second, third)
    await clean()
    expect(await seller.items(third.id, 'status=conflict')).toHaveLength(1)
    const fourth = await seller.import()
    expect(await seller.items(fourth.id, 'status=conflict')).toMatchObject([{ listing_title: 'A third coat' }])
  })

  it('stay for 30 days after they were decided again', async () => {
    const [first, second, third] = [await seller.import(), await seller.import(), await seller.import()]
    await age(31, first, second, third)
    const { db } = harness.server.services
    await db.none("update import_item set processed_at = now() where job_uid = $1 and listing_title = 'Coat'", [
      second.id,
    ])
    await clean()
    expect(await seller.items(second.id)).toMatchObject([{ listing_title: 'Coat' }])
  })

  it('stay while their decision can be undone', async () => {
    harness.ebay.shop = [buildListing({ sku: 'ONE' }), buildListing({ sku: 'ONE', title: 'The other coat' })]
    const first = await seller.import()
    const [asked] = await seller.items(first.id, 'status=conflict')
    await age(31, first)
    const path = `${base}/jobs/${first.id}/items/${asked!.id}/resolve/`
    const { body } = await seller.call('POST', path, { resolution: 'skip' })
    await clean()
    expect((await seller.call('POST', `/api/v1/changes/${body.change_uid}/undo/`)).status).toBe(200)
    expect(await seller.items(first.id, 'status=conflict')).toHaveLength(1)
  })

  it('take their import along after 90 days, unless it made items or is the newest', async () => {
    const [first, second, third] = [await seller.import(), await seller.import(), await seller.import()]
    await age(89, first, second, third)
    await clean()
    expect(await jobs()).toEqual([third.id, second.id, first.id])
    const fourth = await seller.import()
    await age(2, first, second, third)
    await age(31, fourth)
    await clean()
    expect(await jobs()).toEqual([fourth.id, first.id])
  })

  it('are matched again after the words of an idle account went', async () => {
    const etsy = await harness.etsyOf(seller)
    harness.ebay.shop = [buildListing({ title: 'Blue linen duster coat', price_minor: 4_200 })]
    harness.etsy.shop = [buildListing({ title: 'Some other thing' })]
    const before = [await seller.import(), await etsy.import()]
    const { db } = harness.server.services
    const words = async () =>
      (await db.one('select count(*)::integer as count from match_word where user_id = $1', [seller.account.user_id]))
        .count
    expect(await words()).toBeGreaterThan(0)
    await clean()
    expect(await words()).toBeGreaterThan(0)
    await age(31, ...before)
    await clean()
    expect(await words()).toBe(0)
    harness.etsy.shop = [buildListing({ title: 'Blue linen duster coat', price_minor: 4_200 })]
    const again = await etsy.import()
    expect(await etsy.items(again.id, 'status=conflict')).toMatchObject([{ conflict_type: expect.any(String) }])
  })
})

describe('ended work', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database?.drop())

  /** Fills a table with rows of several ages, each named by its days, and purges. */
  async function purgeAged(table: string, insert: (at: string, name: string) => Promise<unknown>): Promise<void> {
    await database.db.none(`delete from ${table}`)
    for (const days of [29, 89, 91, 364, 366, 399, 402]) await insert(`now() - interval '${days} days'`, String(days))
    await purge(database.db)
  }
  const column = (query: string) => database.db.map(query, [], ({ name }: { name: string }) => name)

  it('removes take-downs and price changes after a year, never what listed an item', async () => {
    const { db } = database
    const item = await buildListedItem(db, await buildSeller(db))
    for (const kind of ['delist', 'update', 'list']) {
      await purgeAged(`listing_operation where kind = '${kind}'`, (at, name) =>
        db.none(
          `insert into listing_operation (user_id, kind, item_uid, platform, seller_account_uid, listing_id, external_key, state, cause, cause_ref, created_at, finished_at)
           values ($1, '${kind}', $2, 'ebay', $3, 'gone', 'key', 'done', 'user', '${name}', ${at}, ${at})`,
          [item.user_id, item.item_uid, item.shops.ebay],
        ),
      )
    }
    const rows = await column(
      "select kind || ' ' || string_agg(cause_ref, ' ' order by finished_at desc) as name from listing_operation group by kind order by kind",
    )
    expect(rows).toEqual(['delist 29 89 91 364', 'list 29 89 91 364 366 399 402', 'update 29 89 91 364'])
  })

  it('keeps a take-down whose listing is live', async () => {
    const { db } = database
    const item = await buildListedItem(db, await buildSeller(db))
    const add = (listing_id: string, state: string) =>
      db.none(
        `insert into listing_operation (user_id, kind, item_uid, platform, seller_account_uid, listing_id, state, cause, created_at, finished_at)
         values ($1, 'delist', $2, 'ebay', $3, $4, $5, 'sale', now() - interval '2 years', case when $5 <> 'open' then now() - interval '2 years' end)`,
        [item.user_id, item.item_uid, item.shops.ebay, listing_id, state],
      )
    await db.none('delete from listing_operation')
    await add(listingOf('ebay', item.item_uid), 'failed')
    await add('other', 'open')
    await add('ended', 'done')
    await purge(db)
    expect((await column('select listing_id as name from listing_operation')).sort()).toEqual(
      [listingOf('ebay', item.item_uid), 'other'].sort(),
    )
  })

  it('removes tasks after 90 days, except those that listed an item or whose listing is live', async () => {
    const { db } = database
    const item = await buildListedItem(db, await buildSeller(db, ['poshmark']))
    const add = (kind: string, status: string, listing: string) => (at: string, name: string) =>
      db.none(
        `insert into extension_task (user_id, uid, kind, status, platform, item_uid, reason, url, listing_id, cause, created_at, finished_at)
         values ($1, '${kind} ${status} ${listing} ${name}', '${kind}', '${status}', 'poshmark', $2, 'x', 'x', $3, 'sale', ${at}, ${at})`,
        [item.user_id, item.item_uid, listing === 'live' ? listingOf('poshmark', item.item_uid) : listing],
      )
    await purgeAged('extension_task', async (at, name) => {
      await add('delist', 'completed', 'gone')(at, name)
      await add('delist', 'dismissed', 'live')(at, name)
      await add('list', 'completed', 'made')(at, name)
      await add('list', 'dismissed', 'none')(at, name)
    })
    const rows = await column(
      "select uid as name from extension_task where uid like '% 9_' or uid like '% 8_' order by uid",
    )
    expect(rows).toEqual([
      'delist completed gone 89',
      'delist dismissed live 89',
      'delist dismissed live 91',
      'list completed made 89',
      'list completed made 91',
      'list dismissed none 89',
    ])
    expect(
      await column(
        "select uid as name from extension_task where uid like 'delist completed%' order by finished_at desc",
      ),
    ).toHaveLength(2)
  })

  it('keeps a task while an operation of its item waits', async () => {
    const { db } = database
    const item = await buildListedItem(db, await buildSeller(db))
    await db.none('delete from extension_task')
    const old = "now() - interval '100 days'"
    await db.none(
      `insert into extension_task (user_id, uid, kind, status, platform, item_uid, reason, url, cause, created_at, finished_at)
       values ($1, 'tsk_waits', 'delist', 'dismissed', 'ebay', $2, 'x', 'x', 'user', ${old}, ${old})`,
      [item.user_id, item.item_uid],
    )
    const { id } = await db.one(
      `insert into listing_operation (user_id, kind, item_uid, platform, seller_account_uid, external_key, cause, created_at)
       values ($1, 'list', $2, 'ebay', $3, 'key', 'user', ${old}) returning id`,
      [item.user_id, item.item_uid, item.shops.ebay],
    )
    await purge(db)
    expect(await column('select uid as name from extension_task')).toEqual(['tsk_waits'])
    await db.none("update listing_operation set state = 'done', finished_at = now() where id = $1", [id])
    await purge(db)
    expect(await column('select uid as name from extension_task')).toEqual([])
  })

  it('removes bulk jobs with their items, ended alerts and fetched orders after 90 days', async () => {
    const { db } = database
    const { user_id, shops } = await buildSeller(db)
    await purgeAged('bulk_job', async (at, name) => {
      await db.none(
        `insert into bulk_job (user_id, uid, action, status, created_at, completed_at) values ($1, '${name}', 'list', 'completed', ${at}, ${at})`,
        [user_id],
      )
      await db.none(
        `insert into bulk_item (user_id, job_uid, position, item_uid, platform, status) values ($1, '${name}', 1, 'x', 'ebay', 'succeeded')`,
        [user_id],
      )
    })
    await db.none(
      `insert into bulk_job (user_id, uid, action, status, created_at) values ($1, 'open', 'list', 'in_progress', now() - interval '1 year')`,
      [user_id],
    )
    await purgeAged('alert', (at, name) =>
      db.none(
        `insert into alert (user_id, uid, kind, reference, message, state, created_at, finished_at)
         values ($1, 'resolved ${name}', 'relist_offer', '${name}', 'x', 'resolved', ${at}, ${at}),
           ($1, 'open ${name}', 'relist_offer', '${name}', 'x', 'open', ${at}, null),
           ($1, 'twice ${name}', 'oversell', '${name}', 'x', 'dismissed', ${at}, ${at})`,
        [user_id],
      ),
    )
    await purgeAged('order_fetch_request', (at, name) =>
      db.none(
        `insert into order_fetch_request (user_id, platform, external_order_id, external_line_id, seller_account_uid, unknown, received_at, handled_at)
         values ($1, 'ebay', '${name}', '1', $2, true, ${at}, ${at}), ($1, 'ebay', 'open ${name}', '1', $2, false, ${at}, null)`,
        [user_id, shops.ebay],
      ),
    )
    expect(await column('select uid as name from bulk_job order by completed_at desc')).toEqual(['open', '29', '89'])
    expect(await column('select job_uid as name from bulk_item order by job_uid')).toEqual(['29', '89'])
    const alerts = await column(
      "select split_part(uid, ' ', 1) || count(*) as name from alert group by split_part(uid, ' ', 1) order by 1",
    )
    expect(alerts).toEqual(['open7', 'resolved2', 'twice7'])
    const requests = await column(
      'select external_order_id as name from order_fetch_request where handled_at is not null order by 1',
    )
    expect(requests).toEqual(['29', '89'])
  })

  it('removes the usage of API keys after 13 months', async () => {
    const { db } = database
    const { user_id } = await buildSeller(db)
    await purgeAged('api_usage', (at, name) =>
      db.none(
        `insert into api_usage (user_id, key_id, day, name, count, errors) values ($1, 'k', ${at}, '${name}', 1, 0)`,
        [user_id],
      ),
    )
    expect(await column('select name from api_usage order by day')).toEqual(['399', '366', '364', '91', '89', '29'])
  })
})
