import { readFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#e2e/harness/database/database.ts'
import { rowsRead } from '#e2e/harness/database/rows-read.ts'
import type { Transaction } from '#server/infra/db/index.ts'
import type { Statement } from '#server/infra/db/statement.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ checked: false })
  await database.db.tx(async (tx) =>
    tx.none(await readFile(new URL('../e2e/harness/database/large-seller.sql', import.meta.url), 'utf8')),
  )
  // The fixture is written without triggers, one of which fills the words of the search.
  await database.db.none('update inventory_item set title = title')
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
  ...{ price_minor: 200, currency: 'USD', listing_id: 'ebay-2001', traceparent: null, seed: '' },
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

type Case = [what: string, name: string, values: Record<string, unknown>]

/** Returns a statement by its name in PostgreSQL. */
async function statementOf(name: string, values: Record<string, unknown>): Promise<Statement<unknown>> {
  const [folder, own] = [dirname(name), basename(name)]
  const queries: Record<string, (given: Record<string, unknown>) => Statement<unknown>> = await import(
    new URL(`./${folder}/queries.ts`, import.meta.url).href
  )
  return queries[own]!(values)
}

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
    ['for publishing an item', 'selling/listings/preflight/findPublishable', operation],
    ['for delisting an item everywhere', 'selling/listings/operations/insertDelistOperations', operation],
    [
      'for updates of items’ listings',
      'selling/listings/operations/insertUpdateOperations',
      {
        ...operation,
        orders: JSON.stringify([updateOf(2001), updateOf(2002)]),
        item_uids: [uid('inv', 2001), uid('inv', 2002)],
      },
    ],
    ['for the listing that is updated', 'selling/listings/operations/findListingToUpdate', operation],
    ['for a listing that was ended outside', 'selling/listings/reconcile/endOutside', operation],
    [
      'for delisting, beside a backlog of listing',
      'selling/listings/claimOperations',
      { queue: 'down', count: 24, lease_ms: 1, most_of_account: null },
    ],
    [
      'for listing on another platform',
      'selling/listings/claimOperations',
      { queue: 'etsy', count: 5, lease_ms: 1, most_of_account: 5 },
    ],
    [
      'for the report of a seller on a listing',
      'selling/listings/operations/findTaskDone',
      { ...owner, id: '00000000-0000-0000-0000-000000000000', platform: 'poshmark', listing_id: 'poshmark-2001' },
    ],
    [
      'for the item of a listing that was reported for another',
      'catalog/tasks/findHolder',
      { ...owner, platform: 'poshmark', listing_id: 'poshmark-2002', seller_account_uid: 'sel_1poshmark' },
    ],
    ['for the open tasks', 'selling/tasks/listTasks', { ...owner, ...page, status: 'open', uid: null }],
    [
      'for what would publish a sold item',
      'selling/listings/operations/cancelPublishing',
      { ...operation, is_sold: true },
    ],
    ['for the end of a sale', 'selling/sales/endSale', order],
    [
      'for the next live listings of a shop',
      'selling/listings/reconcile/listLiveIds',
      { ...owner, after: 'ebay-2', asked_at: '2100-01-01', limit: 90 },
    ],
    [
      'for import jobs with their counters',
      'catalog/imports/jobs/readJobs',
      { user_id: 1, job_uid: null, marketplace: null, status: null },
    ],
    [
      'for the number of items of an import',
      'catalog/imports/jobs/countItems',
      { user_id: 1, job_uid: 'job_11', statuses: ['pending', 'imported', 'skipped', 'failed', 'conflict'] },
    ],
    [
      'for listings that agree with their items',
      'catalog/differences/findComparables',
      { ...owner, listing_ids, unlike: listing_ids.slice(0, 20) },
    ],
    ['for orders', 'selling/orders/listOrders', { ...page, user_id: 1, platform: null }],
    ['for oversells', 'selling/orders/listOrders', { ...page, user_id: 1, platform: null, state: 'oversell' }],
    [
      'for orders of unknown items',
      'selling/orders/listOrders',
      { ...page, user_id: 1, platform: null, state: 'unmatched' },
    ],
    ['for orders whose item may exist by now', 'selling/orders/findMatchable', {}],
    ['for expired receipts of pushes', 'selling/orders/purgeReceipts', {}],
    ['for items', 'catalog/inventory/listItems', item],
    [
      'for some items by their ids',
      'catalog/inventory/listItems',
      { ...item, uids: [uid('inv', 1), uid('inv', 2001)] },
    ],
    [
      'for the items of a file’s rows',
      'catalog/inventory-files/deciding/findKnown',
      { user_id: 1, uids: [uid('inv', 1)], skus: ['SKU-2001'], file_rows: ['none.1'] },
    ],
    ['for items on a platform', 'catalog/inventory/findFiltered', { ...item, platform: 'poshmark' }],
    ['for items on a platform without any', 'catalog/inventory/findFiltered', { ...item, platform: 'mercari' }],
    ['for deliveries that failed', 'webhooks/listDeliveries', { ...page, user_id: 1, uid: 'whk_1', state: 'failed' }],
  ])('%s', async (_, name, values) => {
    const statement = await statementOf(name, values)
    expect(tooMany(await look((tx) => rowsRead(tx, statement)))).toEqual([])
  })

  it.each(['open', 'resolved'])('for a page of %s alerts, each with its item, shop and task', async (state) => {
    const statement = await statementOf('selling/alerts/listAlerts', { ...owner, ...page, ...alerts, state })
    const read = await look((tx) => rowsRead(tx, statement))
    expect(Math.max(...Object.values(read))).toBeLessThanOrEqual(200)
  })

  // A search looks through the newest 500 items first.
  it.each<[what: string, q: string, most: number]>([
    ['for a word of one old item', 'rare', 2 * 501],
    ['for a word of every item', 'thing', 2 * 501],
    ['for a word of no item', 'nowhere', 2 * 500],
  ])('%s', async (_, q, most) => {
    const statement = await statementOf('catalog/inventory/findFiltered', { ...item, q })
    const { inventory_item } = await look(async (tx) => {
      await tx.none('update inventory_item set title = $1 where user_id = 1 and uid = $2', [
        'Rare thing',
        uid('inv', 7),
      ])
      return rowsRead(tx, statement)
    })
    expect(inventory_item).toBeLessThanOrEqual(most)
  })

  it('for a page of a hundred listings', async () => {
    const values = { ...owner, job_uid: 'job_11', any_shop: true, listing_ids, skus: ['other'] }
    const statement = await statementOf('catalog/imports/deciding/findFacts', values)
    const read = await look((tx) => rowsRead(tx, statement))
    expect(Math.max(...Object.values(read))).toBeLessThanOrEqual(200)
  })

  it.each<Case>([
    ['for delisting an item everywhere', 'selling/listings/operations/insertDelistOperations', operation],
    [
      'for delisting',
      'selling/listings/claimOperations',
      { queue: 'down', count: 24, lease_ms: 1, most_of_account: null },
    ],
    ['for the item of a line', 'selling/sales/matchLines', { ...order, lines: lineOf('ebay-2001') }],
    ['for the item of a line of an unknown listing', 'selling/sales/matchLines', { ...order, lines: lineOf('other') }],
    [
      'for the items that a sold thing may be',
      'selling/sales/findOffers',
      { ...owner, platform: 'ebay', listing_id: 'other', sku: 'SKU-2001', title: 'Unheard of', is_cut: false },
    ],
    [
      'for lines that were observed before their order was read',
      'selling/sales/moveObservedLines',
      { ...order, order_url: 'x', external_order_id: 'order-2001', lines: lineOf('ebay-2001') },
    ],
  ])('%s', async (_, name, values) => {
    const statement = await statementOf(name, values)
    expect(tooMany(await look((tx) => rowsRead(tx, statement)))).toEqual([])
  })
})
