import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { buildAccount } from '#e2e/harness/account.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { buildListedItem, buildSeller, orderFor, placeOrder } from '#server/selling/sales/testing/sell.ts'
import { globalMetrics } from './global-metrics.ts'
import { processMetrics } from './process-metrics.ts'
import { readStatus } from './read-status.ts'

const token = 'metrics-token-of-the-operator'
let server: TestServer
beforeAll(async () => {
  processMetrics()
  server = await startTestServer({ works: false, environment: { METRICS_TOKEN: token } })
  const { db } = server.services
  const seller = await buildSeller(db, ['ebay', 'etsy'])
  // A hundred eBay sales whose Etsy listings came down after 100, 200 … 10,000 ms, except two.
  for (let index = 1; index <= 100; index++) {
    const item = await buildListedItem(db, seller)
    await placeOrder(db, seller.user_id, orderFor(item, 'ebay', { id: `e${index}` }))
    await db.none(
      `update listing_operation set
         seen_at = now() - interval '1 hour',
         accepted_at = now() - interval '1 hour' + $2 * interval '50 ms',
         confirmed_at = case when $2 <= 98 then now() - interval '1 hour' + $2 * interval '100 ms' end
       where item_uid = $1`,
      [item.item_uid, index],
    )
    if (index === 1) await placeOrder(db, seller.user_id, orderFor(item, 'etsy', { id: 'second' }))
  }
  await db.none(
    `insert into order_sync (user_id, seller_account_uid, platform, last_success_at)
     values ($1, $2, 'ebay', now() - interval '7 seconds'), ($1, $3, 'etsy', now() - interval '2 hours')`,
    [seller.user_id, seller.shops.ebay, seller.shops.etsy],
  )
})
afterAll(() => server?.close())

describe('the public status', () => {
  it('shows the measured figures per platform and no account', async () => {
    const reply = await fetch(`${server.url}/api/v1/status/`)
    expect(reply.status).toBe(200)
    const { platforms } = await reply.json()
    const of = (slug: string) => platforms.find(({ platform }: { platform: string }) => platform === slug)
    expect(platforms.map(({ platform }: { platform: string }) => platform)).toEqual([
      'ebay',
      'etsy',
      'poshmark',
      'mercari',
      'depop',
    ])
    expect(of('etsy')).toMatchObject({
      taken_down_by: 'api',
      sales: 0,
      oversells: 1,
      delists: {
        ordered: 100,
        confirmed: 98,
        overdue: 2,
        success_rate: 0.98,
        seen_to_accepted_ms: { p50: 2_525, p95: 4_753, p99: 4_951 },
        seen_to_confirmed_ms: { p50: 4_950, p95: 9_315, p99: 9_703 },
      },
      order_checks: { shops: 1, overdue_shops: 1 },
    })
    expect(of('ebay')).toMatchObject({ sales: 100, oversells: 0, order_checks: { overdue_shops: 0 } })
    expect(of('ebay').order_checks.last_success_age_seconds).toBeGreaterThan(6)
    expect(of('depop')).toMatchObject({ taken_down_by: 'seller', order_checks: null, delists: { success_rate: null } })
    expect(JSON.stringify(platforms)).not.toMatch(/sel_|inv_|ord_/)
  })
})

describe('double sales', () => {
  it('are told with their denominator, and how many could have been prevented', async () => {
    const { double_sales } = await readStatus(server.services.db, server.services)
    // The second buyer of the one sold twice ordered long before Hapax had recorded the first.
    expect(double_sales).toEqual({ sales: 100, double_sales: 1, preventable: 0, preventable_per_10000: 0 })
    await server.services.db.none(
      "update marketplace_order set ordered_at = now() + interval '1 minute' where external_order_id = 'second'",
    )
    expect((await readStatus(server.services.db, server.services)).double_sales).toMatchObject({
      preventable: 1,
      preventable_per_10000: 100,
    })
  })
})

describe('the time from sale to down', () => {
  const time = async () =>
    (await readStatus(server.services.db, server.services)).platforms.find(({ platform }) => platform === 'etsy')!
      .delists.sale_to_down_ms

  it('is measured from the order, where enough were sold since the shop was connected', async () => {
    const { db } = server.services
    expect(await time()).toBeNull()
    await db.none("update seller_account set connected_at = now() - interval '1 day'")
    const order = (count: number) =>
      db.none(
        `update marketplace_order ordered set ordered_at = operation.confirmed_at - interval '10 seconds'
         from listing_operation operation
         where operation.cause_ref = ordered.uid and substring(external_order_id from '^e(\\d+)$')::integer <= $1`,
        [count],
      )
    await order(19)
    expect(await time()).toBeNull()
    await order(40)
    expect(await time()).toEqual({ take_downs: 40, p50: 10_000, p95: 10_000 })
    const page = await (await fetch(`${server.url}/status`, { headers: { accept: 'text/html' } })).text()
    expect(page).toContain(
      '<th scope="row">Etsy</th>\n<td>Hapax</td>\n<td>10 seconds</td><td>10 seconds</td><td>40</td>',
    )
    expect(page).toContain('Too few sales to say')
    expect(page).toMatch(/preventable double sales per 10,000 sales<\/strong>: \d of\s100 sales/)
  })
})

describe('the budget of calls', () => {
  const checks = async (slug: string) =>
    (await readStatus(server.services.db, server.services)).platforms.find(({ platform }) => platform === slug)!
      .order_checks

  it('is what the settings say, until the platform reports another', async () => {
    const { db } = server.services
    expect(await checks('etsy')).toMatchObject({
      slowest_interval_seconds: 60,
      budget: { calls_per_day: 10_000, calls_used: 0, calls_for_orders: 5_000, calls_needed: 4 },
    })
    await db.none("insert into platform_quota (platform, app, reported_per_day) values ('etsy', 'app', 25000)")
    await db.any("select count_platform_calls('etsy', 'app', '', now(), 1234)")
    expect(await checks('etsy')).toMatchObject({ budget: { calls_per_day: 25_000, calls_used: 1_234 } })
  })

  it('is that of the API that has the orders, where a platform counts its APIs apart', async () => {
    const { db } = server.services
    await db.none(
      "insert into platform_quota (platform, app, reported_per_day) values ('ebay', 'id', null), ('ebay', 'id GetItem', 7), ('ebay', 'id sell/fulfillment', null)",
    )
    await db.any(
      "select count_platform_calls('ebay', 'id sell/fulfillment', '', now(), 12), count_platform_calls('ebay', 'id', '', now(), 5)",
    )
    expect(await checks('ebay')).toMatchObject({ budget: { calls_per_day: 100_000, calls_used: 12 } })
    const text = await (await fetch(`${server.url}/metrics`)).text()
    expect(text).toContain('hapax_platform_quota_calls{budget="ebay"} 5000')
    expect(text).toContain('hapax_platform_quota_used_calls{budget="ebay sell/fulfillment"} 12')
  })
})

describe('/metrics', () => {
  const get = (headers: Record<string, string> = {}) => fetch(`${server.url}/metrics`, { headers })

  it('shows the same figures to this machine', async () => {
    const reply = await get()
    expect(reply.headers.get('content-type')).toContain('text/plain')
    const text = await reply.text()
    expect(text).toContain('hapax_take_down_seconds{platform="etsy",quantile="0.99"} 9.703')
    expect(text).toContain('hapax_take_down_success_ratio{platform="etsy"} 0.98')
    expect(text).toContain('hapax_open{what="alarms",kind="oversell"} 1')
    expect(text).toContain('\nprocess_resident_memory_bytes ')
    // Counts of the process: other tests of this worker may have added theirs.
    const sales = /hapax_events_total\{type="sale\.recorded",platform="ebay"\} (\d+)/.exec(text)?.[1]
    expect(Number(sales)).toBeGreaterThanOrEqual(100)
    expect(text).toMatch(
      /hapax_http_request_duration_seconds_count\{method="GET",operation="getStatus",status="200"\} \d/,
    )
  })

  it('shows how long the oldest message waits, by channel', async () => {
    const { db } = server.services
    await db.none(
      `insert into outbox_message (id, channel, template, status, created_at, expires_at)
       values ('out_1', 'mail', 'x', 'waiting', now() - interval '20 minutes', now()),
         ('out_2', 'mail', 'x', 'sending', now(), now()), ('out_3', 'sms', 'x', 'sent', now() - interval '1 day', now())`,
    )
    const text = await globalMetrics(server.services).read()
    expect(Number(/^hapax_message_oldest_seconds\{channel="mail"\} ([\d.]+)$/m.exec(text)?.[1])).toBeGreaterThan(1_199)
    expect(text).not.toContain('hapax_message_oldest_seconds{channel="sms"}')
    const { rules } = parse(readFileSync('ops/alerts.yml', 'utf8')).groups[0]
    const alert = rules.find(({ alert }: { alert: string }) => alert === 'HapaxMailWaits')
    expect(alert.expr).toBe('hapax_message_oldest_seconds > 600')
    await db.none('delete from outbox_message')
  })

  it('shows how long ago the mailbox that waits longest was read', async () => {
    const { db } = server.services
    const read = async () =>
      Number(
        /^hapax_sale_mailbox_oldest_reading_seconds ([\d.]+)$/m.exec(await globalMetrics(server.services).read())?.[1],
      )
    expect(await read()).toBe(0)
    const [recent, old, failing, closed] = await Promise.all(Array.from({ length: 4 }, () => buildAccount(db)))
    await db.none("update app_user set state = 'deactivated' where id = $1", [closed!.user_id])
    for (const [{ user_id }, minutes, failures] of [
      [recent!, 1, 0],
      [old!, 9, 0],
      [failing!, 50, 2],
      [closed!, 60, 0],
    ] as const)
      await db.none(
        `insert into sale_mailbox (user_id, host, port, tls, username, encrypted_password, folder, failures, checked_at)
         values ($1, 'imap.example.com', 993, 'implicit', 'a', '', 'INBOX', $3, now() - $2 * interval '1 minute')`,
        [user_id, minutes, failures],
      )
    expect(Math.round((await read()) / 60)).toBe(9)
    await db.none('delete from sale_mailbox')
  })

  it('has every figure that the alerts and the dashboard ask for', async () => {
    const text = await (await get()).text()
    const asked = ['ops/alerts.yml', 'ops/grafana.json'].flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/\b(hapax|nodejs|process)_\w+/g)].map(([name]) => name),
    )
    const isThere = (name: string) => text.includes(`# TYPE ${name.replace(/_(bucket|count|sum)$/, '')} `)
    expect(new Set(asked).size).toBeGreaterThan(10)
    expect([...new Set(asked)].filter((name) => !isThere(name))).toEqual([])
  })

  it('is 404 behind a proxy or without the right token', async () => {
    for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via', 'x-forwarded-host']) {
      expect((await get({ [name]: '127.0.0.1' })).status).toBe(404)
    }
    expect((await get({ 'x-forwarded-for': '8.8.8.8', authorization: 'Bearer wrong' })).status).toBe(404)
    expect((await get({ 'x-forwarded-for': '8.8.8.8', authorization: `Bearer ${token}x` })).status).toBe(404)
    expect((await get({ 'x-forwarded-for': '8.8.8.8', authorization: `Bearer ${token}` })).status).toBe(200)
    const { key } = await buildAccount(server.services.db)
    expect((await get({ 'x-forwarded-for': '8.8.8.8', ...key })).status).toBe(404)
  })

  it('treats an empty forwarding header as a proxy', async () => {
    const status = await new Promise((resolve) =>
      request(`${server.url}/metrics`, { headers: { 'x-forwarded-for': '' } }, (reply) =>
        resolve(reply.statusCode),
      ).end(),
    )
    expect(status).toBe(404)
  })
})
