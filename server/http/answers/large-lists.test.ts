import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { createTestDatabase } from '#e2e/harness/database/database.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import type { RouteDeclaration } from '#shared/contract/declaring/route.ts'
import { contract } from '#shared/contract/index.ts'
import { newId } from '#shared/identity.ts'
import { maxListBytes } from './list-page.ts'

/** Allowance for the members beside a list in its response. */
const aroundBytes = 100_000

let server: TestServer
let account: TestAccount
beforeAll(async () => {
  // The invariants do not apply to rows this large.
  server = await startTestServer({ works: false, database: await createTestDatabase({ checked: false, bare: true }) })
  account = await buildAccount(server.services.db)
})
afterAll(() => server?.close())

interface Page {
  /** Rows of the page. */
  rows: Record<string, unknown>[]
  /** The query of the next page; null on the last. */
  next: string | null
}

type ReadPage = (body: never, page: number) => Page

const byCursor: ReadPage = ({ results, next_cursor }: { results: Page['rows']; next_cursor: string | null }) => ({
  rows: results,
  next: next_cursor && `page_size=100&cursor=${next_cursor}`,
})
const byNumber: ReadPage = ({ results, count }: { results: Page['rows']; count: number }, page) => ({
  rows: results,
  next: page * 100 < count ? `page_size=100&page=${page + 1}` : null,
})
const byLast =
  (parameter: string, member: string): ReadPage =>
  (body: { results: Page['rows'] } | Page['rows']) => {
    const rows = Array.isArray(body) ? body : body.results
    const last = rows.at(-1)
    return { rows, next: last ? `page_size=100&${parameter}=${last[member]}` : null }
  }
const whole: ReadPage = (rows: Page['rows']) => ({ rows, next: null })

/** One operation's rows: how they are inserted and read. */
interface LargeList {
  rows: number
  /** Absent if the rows of a list above are shown. */
  fill?: string
  path?: string
  /** Parameters of the first page beside its size. */
  first?: string
  id: string
  read: ReadPage
}

const [job, bulk, hook, shop] = [newId('job'), newId('blk'), newId('whk'), newId('sel')]
/** A control character takes six bytes in JSON. */
const text = (length: number) => `repeat(chr(1), ${length})`
const uid = (prefix: string) => `'${prefix}_' || lpad(n::text, 22, '0')`
const someRows = 250

const importItems = {
  rows: someRows,
  id: 'id',
  read: byNumber,
}

const large: Record<string, LargeList> = {
  listInventory: {
    ...{ rows: someRows, id: 'uid', read: byCursor },
    fill: `insert into inventory_item (user_id, uid, product_id, offer_id, title, description, images, condition_label, price_minor, currency,
        state, inspected_at, observed_at, seller_url, shipping_policy_url, returns_policy_url)
      select $<user_id>, ${uid('inv')}, ${uid('inv')}, ${uid('inv')}, ${text(10_000)}, '', '{https://example.com/1.jpg}', 'Good', 100, 'USD',
        'available', now(), now(), 'https://example.com/', 'https://example.com/', 'https://example.com/'
      from generate_series(1, ${someRows}) n`,
  },
  listProducts: { rows: someRows, id: 'product_id', read: byCursor },
  getInventoryHistory: {
    ...{ rows: 2_500, id: 'version', read: byLast('before_version', 'version') },
    path: `/api/v1/inventory/inv_${'1'.padStart(22, '0')}/history/`,
    fill: `insert into inventory_history (user_id, item_uid, version, actor, to_state, reason)
      select $<user_id>, 'inv_' || lpad('1', 22, '0'), n, 'user', 'available', ${text(2_000)} from generate_series(1, 2500) n`,
  },
  listTasks: {
    ...{ rows: someRows, id: 'uid', read: byCursor },
    fill: `insert into extension_task (user_id, uid, kind, platform, item_uid, reason, url, cause)
      select $<user_id>, ${uid('tsk')}, 'list', 'depop', ${uid('inv')}, ${text(2_000)}, ${text(4_000)}, 'test'
      from generate_series(1, ${someRows}) n`,
  },
  listAudit: {
    ...{ rows: someRows, id: 'id', read: byCursor },
    fill: `insert into audit_log (user_id, action, outcome, address, user_agent, request_id, at, last_at, expires_at)
      select $<user_id>, 'session.created', 'ok', '127.0.0.1', ${text(8_000)}, 'req', now(), now(), now() + interval '1 day'
      from generate_series(1, ${someRows}) n`,
  },
  listOrders: {
    ...{ rows: someRows, id: 'uid', read: byCursor },
    fill: `with placed as (
        insert into marketplace_order (user_id, uid, platform, external_order_id, source, status, ordered_at, modified_at)
        select $<user_id>, ${uid('ord')}, 'ebay', n::text, 'platform', 'paid', date_trunc('second', now()) - n * interval '1 second', now()
        from generate_series(1, ${someRows}) n
        returning user_id, uid
      )
      insert into order_line (user_id, order_uid, external_line_id, listing_id, quantity, price_minor, currency, status, state, modified_at)
      select user_id, uid, line::text, ${text(200)}, 1, 100, 'USD', 'paid', 'unmatched', now()
      from placed, generate_series(1, 40) line`,
  },
  listSales: {
    ...{ rows: someRows, id: 'order_uid', read: byCursor },
    fill: `with placed as (
        insert into marketplace_order (user_id, uid, platform, external_order_id, source, status, ordered_at, modified_at)
        select $<user_id>, 'sold_' || n, 'outside', 'sold' || n, 'outside', 'paid', now(), now()
        from generate_series(1, ${someRows}) n
        returning user_id, uid
      ), line as (
        insert into order_line (user_id, order_uid, external_line_id, listing_id, quantity, price_minor, currency, item_uid,
          matched_by, status, state, modified_at)
        select user_id, uid, '1', '', 1, 100, 'USD', uid, 'seller', 'paid', 'sold', now() from placed
        returning user_id, order_uid, external_line_id, item_uid
      )
      insert into sale (user_id, item_uid, order_uid, external_line_id, platform)
      select user_id, item_uid, order_uid, external_line_id, 'outside' from line`,
  },
  listShipments: {
    ...{ rows: someRows, id: 'order_uid', read: byCursor },
    fill: `with placed as (
        insert into marketplace_order (user_id, uid, platform, external_order_id, source, status, ordered_at, modified_at)
        select $<user_id>, 'ship_' || n, 'ebay', 'ship' || n, 'platform', 'paid', now(), now()
        from generate_series(1, ${someRows}) n
        returning user_id, uid
      ), line as (
        insert into order_line (user_id, order_uid, external_line_id, listing_id, quantity, price_minor, currency, item_uid,
          matched_by, status, state, modified_at)
        select user_id, uid, n::text, ${text(200)}, 1, 100, 'USD', case when n = 1 then 'inv_' || uid end,
          case when n = 1 then 'seller' end, 'paid', case when n = 1 then 'sold' else 'unmatched' end, now()
        from placed, generate_series(1, 40) n
      )
      insert into shipment (user_id, order_uid, state, buyer_note, ship_by)
      select user_id, uid, 'to_ship', ${text(1_000)}, now() from placed`,
  },
  listAlarms: {
    ...{ rows: someRows, id: 'uid', read: byCursor },
    fill: `insert into alert (user_id, uid, kind, reference, message) select $<user_id>, ${uid('alm')}, 'oversell', n::text, ${text(8_000)}
      from generate_series(1, ${someRows}) n`,
  },
  listEvents: {
    ...{ rows: someRows, id: 'seq', first: 'after=0', read: byLast('after', 'seq') },
    fill: `with counted as (
        insert into event_counter (user_id, last_seq) values ($<user_id>, ${someRows})
        on conflict (user_id) do update set last_seq = ${someRows}
      )
      insert into event (user_id, seq, uid, type, data)
      select $<user_id>, n, ${uid('evt')}, 'item.updated', jsonb_build_object('text', ${text(8_000)})
      from generate_series(1, ${someRows}) n`,
  },
  listDeliveries: {
    ...{ rows: someRows, id: 'id', read: byCursor },
    path: `/api/v1/webhooks/${hook}/deliveries/`,
    fill: `with endpoint as (
        insert into webhook_endpoint (user_id, uid, url, encrypted_secret) values ($<user_id>, '${hook}', 'https://example.com/', '')
      )
      insert into webhook_delivery (user_id, endpoint_uid, event_seq, event_type, error)
      select $<user_id>, '${hook}', n, 'item.updated', ${text(8_000)} from generate_series(1, ${someRows}) n`,
  },
  listImportItems: {
    ...importItems,
    path: `/api/v1/marketplace/import/jobs/${job}/items/`,
    fill: `with shop as (
        insert into seller_account (user_id, uid, platform, external_id, external_name, url, status)
        values ($<user_id>, '${shop}', 'depop', 'a', 'a', 'https://example.com/', 'connected')
      ), job as (
        insert into import_job (user_id, uid, seller_account_uid, platform, source, states, preview_ready)
        values ($<user_id>, '${job}', '${shop}', 'depop', 'extension', '{active}', 1)
      ), item as (
        insert into import_item (user_id, job_uid, uid, external_listing_id, found, observed_at, external_sku, listing_title, status,
          conflict_type, conflict_details, error_message, resolution, processed_at)
        select $<user_id>, '${job}', ${uid('itm')}, lpad(n::text, 200, chr(1)), '{}', now(), ${text(1_000)}, ${text(10_000)}, 'conflict',
          'missing_sku', ${text(10_000)}, ${text(2_000)}, 'pending', now()
        from generate_series(1, ${someRows}) n
      ), kept as (
        insert into import_preview (user_id, job_uid, generation, item_uid, status, conflict_type, conflict_details, error_message)
        select $<user_id>, '${job}', 1, ${uid('itm')}, 'conflict', 'missing_sku', ${text(10_000)}, ${text(2_000)}
        from generate_series(1, ${someRows}) n
      )
      insert into import_count (user_id, job_uid, found, conflicted) values ($<user_id>, '${job}', ${someRows}, ${someRows})`,
  },
  listImportIssues: { ...importItems, path: `/api/v1/marketplace/import/jobs/${job}/issues/` },
  getImportPreview: { ...importItems, path: `/api/v1/marketplace/import/jobs/${job}/preview/` },
  listImportJobs: {
    ...{ rows: 50, id: 'id', read: whole },
    fill: `with jobs as (
        insert into import_job (user_id, uid, seller_account_uid, platform, source, states, status, error_message, completed_at, created_at)
        select $<user_id>, ${uid('job')}, '${shop}', 'depop', 'extension', '{active}', 'failed', ${text(2_000)}, now(), now() + interval '1 hour'
        from generate_series(1, 60) n
      ), items as (
        insert into import_item (user_id, job_uid, uid, external_listing_id, found, observed_at, external_sku, listing_title, status,
          error_code, error_message, processed_at)
        select $<user_id>, ${uid('job')}, 'itm_' || lpad(f::text, 22, '0'), 'shop:' || f,
          jsonb_build_object('error_message', repeat('"', 2000)), now(), '', '', 'failed', 'internal', 'x', now()
        from generate_series(1, 60) n, generate_series(1, 200) f
      )
      insert into import_count (user_id, job_uid, found, failed) select $<user_id>, ${uid('job')}, 200, 200 from generate_series(1, 60) n`,
  },
  listBulkJobs: {
    ...{ rows: 250, id: 'uid', read: byNumber },
    fill: `insert into bulk_job (user_id, uid, action) select $<user_id>, ${uid('blk')}, 'list' from generate_series(1, 250) n`,
  },
  getBulkJob: {
    ...{ rows: someRows, id: 'inventory_item_uid', read: byNumber },
    path: `/api/v1/inventory/bulk/${bulk}/`,
    fill: `with job as (insert into bulk_job (user_id, uid, action) values ($<user_id>, '${bulk}', 'list'))
      insert into bulk_item (user_id, job_uid, position, item_uid, platform, status, listing_id, listing_url, error_code, error_message)
      select $<user_id>, '${bulk}', n, ${uid('inv')}, 'ebay', 'failed', ${text(200)}, ${text(10_000)}, 'internal', ${text(10_000)}
      from generate_series(1, ${someRows}) n`,
  },
  listSessions: {
    ...{ rows: 1_000, id: 'uid', read: whole },
    fill: `insert into bearer_token (user_id, token_hash, user_agent)
      select $<user_id>, decode(md5(n::text), 'hex'), ${text(300)} from generate_series(1, 1500) n`,
  },
  listSellerAccounts: {
    ...{ rows: 1_000, id: 'uid', read: whole },
    fill: `insert into seller_account (user_id, uid, platform, external_id, external_name, url, status)
      select $<user_id>, ${uid('sel')}, 'ebay', lpad(n::text, 200, chr(1)), ${text(200)}, 'https://example.com/', 'connected'
      from generate_series(1, 1500) n`,
  },
}

/** Lists of limited rows, and their characters per row. */
const small: Record<string, { rows: number; characters: number }> = {
  listApiKeys: { rows: 25, characters: 1_000 },
  listPasskeys: { rows: 20, characters: 1_000 },
  listWebhooks: { rows: 10, characters: 5_000 },
  readWebPush: { rows: 20, characters: 200 },
  listPlatforms: { rows: 5, characters: 5_000 },
  getCatalogue: { rows: 3, characters: 1_000 },
  // One row per currency.
  getSalesTotals: { rows: 200, characters: 100 },
  getStatus: { rows: 5, characters: 5_000 },
  // Pages of a hundred with titles and details cut.
  listChanges: { rows: 100, characters: 6_000 },
  listConflicts: { rows: 100, characters: 6_500 },
  // Titles and texts cut to 1,000 characters, or 16 addresses of 300.
  listDifferences: { rows: 100, characters: 6_500 },
  // The same, with at most six listings, and cut at the limit of an answer.
  listChecks: { rows: 100, characters: 6_500 },
  // A name, a query, a brand and a category by their limits.
  listViews: { rows: 100, characters: 2_500 },
  // A title cut to 1,000 characters.
  listUnanswered: { rows: 100, characters: 1_200 },
  // A title of a subject or a line, at most 20 items, and the link of a confirmation; cut at the limit of an answer.
  listSaleMails: { rows: 100, characters: 6_500 },
  readSaleMail: { rows: 20, characters: 1_000 },
}

/** Lists from a marketplace, whose responses are limited where they are read. */
const ofMarketplaces = ['listingChoices', 'shopChoices', 'searchCategories']

const lists = (Object.entries(contract) as [string, RouteDeclaration][]).filter(([, { method, replies, streamed }]) => {
  if (method !== 'GET' || streamed || !replies[200]) return false
  const schema = z.toJSONSchema(replies[200], { unrepresentable: 'any', io: 'output' })
  const members = Object.values(schema.properties ?? {}) as { type?: string }[]
  return schema.type === 'array' || members.some(({ type }) => type === 'array')
})

describe('a list', () => {
  it('is covered by this table', () => {
    const known = [...Object.keys(large), ...Object.keys(small), ...ofMarketplaces]
    expect(lists.map(([id]) => id).sort()).toEqual(known.sort())
  })

  it('with few rows is small by its field limits', () => {
    for (const { rows, characters } of Object.values(small)) expect(rows * characters * 6).toBeLessThan(maxListBytes)
  })

  it.each(Object.entries(large))('stays below 4 MB and shows each row once: %s', async (id, list) => {
    if (list.fill) await server.services.db.none(list.fill, account)
    const declaration = (contract as Record<string, RouteDeclaration>)[id]!
    const seen: unknown[] = []
    let query: string | null = [
      ...(declaration.query ? ['page_size=100'] : []),
      ...(list.first ? [list.first] : []),
    ].join('&')
    if (!declaration.query?.shape.page_size) query = list.first ?? ''
    for (let page = 1; query !== null; page++) {
      const response = await fetch(`${server.url}${list.path ?? declaration.path}?${query}`, {
        headers: account.bearer,
      })
      const body = await response.text()
      expect(response.status, body.slice(0, 500)).toBe(200)
      expect(Buffer.byteLength(body)).toBeLessThan(maxListBytes + aroundBytes)
      const { rows, next } = list.read(JSON.parse(body) as never, page)
      seen.push(...rows.map((row) => row[list.id]))
      query = next && (declaration.query?.shape.page_size ? next : next.replace('page_size=100&', ''))
    }
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toHaveLength(list.rows)
  })
})
