import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#e2e/harness/database.ts'
import { rowsRead } from '#e2e/harness/rows-read.ts'
import type { Transaction } from '#server/infra/db/index.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ checked: false })
  await database.db.tx(async (tx) =>
    tx.none(await readFile(new URL('../e2e/harness/large-seller.sql', import.meta.url), 'utf8')),
  )
  await database.db.none('vacuum analyze')
})
afterAll(() => database?.drop())

const uid = (prefix: string, number: number) => `${prefix}_${String(number).padStart(22, '0')}`
const owner = { user_id: 1, item_uid: uid('inv', 2001), platform: 'ebay', seller_account_uid: 'sel_1ebay' }
const page = { limit: 21, before: null, before_at: null, before_uid: null, status: null, state: null }
const alerts = { uid: null, before_urgency: null }
const listing_ids = Array.from({ length: 100 }, (_, index) => `ebay-${index * 40 + 3}`)
const operation = {
  ...owner,
  ...{ cause: 'sale', cause_ref: null, priority: 1, seen_at: null, api_platforms: ['ebay', 'etsy'], platforms: null },
  ...{ price_minor: 200, currency: 'USD', listing_id: 'ebay-2001', traceparent: null },
  ...{ except_platform: 'ebay', except_listing_id: 'ebay-2001' },
}
const updateOf = (number: number) => ({
  ...{ item_uid: uid('inv', number), platforms: null, fields: ['title'], content: null },
  ...{ price_minor: 200, currency: 'USD', prices: { ebay: 900 } },
})
const item = {
  ...{
    user_id: 1,
    uid: null,
    uids: null,
    platform: null,
    sku: null,
    q: null,
    updated_since: null,
    max_bytes: 4_000_000,
  },
  ...page,
}
const order = { ...owner, order_uid: uid('ord', 2001), external_line_id: '1', ordered_at: new Date().toISOString() }
const lineOf = (listing_id: string) =>
  JSON.stringify([{ external_line_id: '9', listing_id, sku: 'other', item_uid: null }])

type Case = [what: string, file: string, values: Record<string, unknown>]

/** Runs `read` and rolls it back. */
async function look(read: (tx: Transaction) => Promise<Record<string, number>>): Promise<Record<string, number>> {
  let found: Record<string, number> = {}
  const undone = new Error('taken back')
  await database.db
    .tx(async (tx) => {
      found = await read(tx)
      throw undone
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error
    })
  return found
}

/** Rows allowed per table: a page and its neighbors, of thousands. */
const few = 120
const tooMany = (read: Record<string, number>) => Object.entries(read).filter(([, rows]) => rows > few)

describe('with thousands of items of one seller, reads only a few rows', () => {
  it.each<Case>([
    ['for publishing an item', 'selling/listings/preflight/sql/find-publishable', operation],
    ['for delisting an item everywhere', 'selling/listings/operations/sql/insert-delist-operations', operation],
    [
      'for updates of items’ listings',
      'selling/listings/operations/sql/insert-update-operations',
      {
        ...operation,
        orders: JSON.stringify([updateOf(2001), updateOf(2002)]),
        item_uids: [uid('inv', 2001), uid('inv', 2002)],
      },
    ],
    ['for the listing that is updated', 'selling/listings/operations/sql/find-listing-to-update', operation],
    ['for a listing that was ended outside', 'selling/listings/reconcile/sql/end-outside', operation],
    [
      'for delisting, beside a backlog of listing',
      'selling/listings/sql/claim-operations',
      { queue: 'down', count: 24, lease_ms: 1, most_of_account: null },
    ],
    [
      'for listing on another platform',
      'selling/listings/sql/claim-operations',
      { queue: 'etsy', count: 5, lease_ms: 1, most_of_account: 5 },
    ],
    [
      'for the report of a seller on a listing',
      'selling/listings/operations/sql/find-task-done',
      { ...owner, id: '00000000-0000-0000-0000-000000000000', platform: 'poshmark', listing_id: 'poshmark-2001' },
    ],
    [
      'for the item of a listing that was reported for another',
      'catalog/tasks/sql/find-holder',
      { ...owner, platform: 'poshmark', listing_id: 'poshmark-2002', seller_account_uid: 'sel_1poshmark' },
    ],
    ['for the open tasks', 'selling/tasks/sql/list-tasks', { ...owner, ...page, status: 'open' }],
    ['for an item’s offers to list it again', 'selling/sales/sql/resolve-relist-offers', owner],
    ['for the end of a sale', 'selling/sales/sql/end-sale', order],
    [
      'for the next live listings of a shop',
      'selling/listings/reconcile/sql/list-live-ids',
      { ...owner, after: 'ebay-2', asked_at: '2100-01-01', limit: 90 },
    ],
    [
      'for import jobs with their counters',
      'catalog/imports/jobs/sql/read-jobs',
      { user_id: 1, job_uid: null, marketplace: null, status: null },
    ],
    [
      'for the number of items of an import',
      'catalog/imports/jobs/sql/count-items',
      { user_id: 1, job_uid: 'job_11', statuses: ['pending', 'imported', 'skipped', 'failed', 'conflict'] },
    ],
    [
      'for listings that agree with their items',
      'catalog/differences/sql/find-comparables',
      { ...owner, listing_ids, unlike: listing_ids.slice(0, 20) },
    ],
    ['for orders', 'selling/orders/sql/list-orders', { ...page, user_id: 1, platform: null }],
    ['for oversells', 'selling/orders/sql/list-orders', { ...page, user_id: 1, platform: null, state: 'oversell' }],
    [
      'for orders of unknown items',
      'selling/orders/sql/list-orders',
      { ...page, user_id: 1, platform: null, state: 'unmatched' },
    ],
    ['for orders whose item may exist by now', 'selling/orders/sql/find-matchable', {}],
    ['for expired receipts of pushes', 'selling/orders/sql/purge-receipts', {}],
    ['for items', 'catalog/inventory/sql/list-items', item],
    [
      'for some items by their ids',
      'catalog/inventory/sql/list-items',
      { ...item, uids: [uid('inv', 1), uid('inv', 2001)] },
    ],
    [
      'for the items of a file’s rows',
      'catalog/inventory-files/sql/find-known',
      { user_id: 1, uids: [uid('inv', 1)], skus: ['SKU-2001'], file_rows: ['none.1'] },
    ],
    ['for items on a platform', 'catalog/inventory/sql/list-items', { ...item, platform: 'poshmark' }],
    ['for items on a platform without any', 'catalog/inventory/sql/list-items', { ...item, platform: 'mercari' }],
    [
      'for deliveries that failed',
      'webhooks/sql/list-deliveries',
      { ...page, user_id: 1, uid: 'whk_1', state: 'failed' },
    ],
  ])('%s', async (_, file, values) => {
    const query = new URL(`./${file}.sql`, import.meta.url)
    expect(tooMany(await look((tx) => rowsRead(tx, query, values)))).toEqual([])
  })

  it.each(['open', 'resolved'])('for a page of %s alerts, each with its item, shop and task', async (state) => {
    const query = new URL('./selling/alerts/sql/list-alerts.sql', import.meta.url)
    const read = await look((tx) => rowsRead(tx, query, { ...owner, ...page, ...alerts, state }))
    expect(Math.max(...Object.values(read))).toBeLessThanOrEqual(200)
  })

  it('for a page of a hundred listings', async () => {
    const query = new URL('./catalog/imports/deciding/sql/find-facts.sql', import.meta.url)
    const values = { ...owner, job_uid: 'job_11', any_shop: true, listing_ids, skus: ['other'] }
    const read = await look((tx) => rowsRead(tx, query, values))
    expect(Math.max(...Object.values(read))).toBeLessThanOrEqual(200)
  })

  it.each<Case>([
    ['for delisting an item everywhere', 'selling/listings/operations/sql/insert-delist-operations', operation],
    [
      'for delisting',
      'selling/listings/sql/claim-operations',
      { queue: 'down', count: 24, lease_ms: 1, most_of_account: null },
    ],
    ['for the item of a line', 'selling/sales/sql/match-lines', { ...order, lines: lineOf('ebay-2001') }],
    [
      'for the item of a line of an unknown listing',
      'selling/sales/sql/match-lines',
      { ...order, lines: lineOf('other') },
    ],
    [
      'for lines that were observed before their order was read',
      'selling/sales/sql/move-observed-lines',
      { ...order, order_url: 'x', external_order_id: 'order-2001', lines: lineOf('ebay-2001') },
    ],
  ])('%s', async (_, file, values) => {
    const query = new URL(`./${file}.sql`, import.meta.url)
    expect(tooMany(await look((tx) => rowsRead(tx, query, values)))).toEqual([])
  })
})
