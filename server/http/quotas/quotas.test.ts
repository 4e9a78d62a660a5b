import { afterEach, describe, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { apiOf, type Reply } from '#e2e/harness/api.ts'
import { buildListing } from '#e2e/harness/listing.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { purge } from '#server/operations/cleanup/purge.ts'
import type { Listing } from '#shared/listing.ts'

let server: TestServer
let account: TestAccount
let now: Date
afterEach(() => server?.close())

async function start(environment: Record<string, string>) {
  now = new Date('2026-05-05T12:00:00Z')
  server = await startTestServer({ works: false, environment, now: () => now })
  account = await buildAccount(server.services.db)
}
const call = (method: string, path: string, body?: unknown): Promise<Reply> =>
  apiOf(server.url)(method, path, { body, headers: account.bearer })

const lamp = (given: object = {}) => ({
  title: 'Brass desk lamp',
  images: ['https://i.example/lamp.jpg'],
  condition: { label: 'Good' },
  offer: { price_minor: 4_500, currency: 'EUR' },
  ...given,
})
const posh = (given: Partial<Listing> = {}): Listing => {
  const listing = buildListing(given)
  return { ...listing, url: `https://poshmark.com/listing/${listing.listing_id}` }
}
async function beginImport(username = 'closet'): Promise<Reply> {
  const shop = { username, url: `https://poshmark.com/closet/${username}` }
  return call('POST', '/api/v1/extension/imports/', { platform: 'poshmark', shop })
}
const sendBatch = (job: string, batch_id: string, listings: Listing[]) =>
  call('POST', `/api/v1/extension/imports/${job}/batches/`, { batch_id, listings })
const itemsOf = async (job: string) =>
  (await call('GET', `/api/v1/marketplace/import/jobs/${job}/items/?page_size=100`)).body.results

describe('an account', () => {
  it('stores a limited number of items until some are deleted', async () => {
    await start({ QUOTA_ITEMS: '2' })
    const made = [await call('POST', '/api/v1/inventory/', lamp()), await call('POST', '/api/v1/inventory/', lamp())]
    expect(made.map(({ status }) => status)).toEqual([201, 201])
    const refused = await call('POST', '/api/v1/inventory/', lamp())
    expect(refused).toMatchObject({ status: 409, body: { code: 'quota_exceeded' } })
    expect(refused.body.detail).toContain('at most 2 items')
  })

  it('imports up to its quota; further items fail one by one', async () => {
    await start({ QUOTA_ITEMS: '3' })
    const { id } = (await beginImport()).body
    const listings = Array.from({ length: 5 }, () => posh())
    expect((await sendBatch(id, 'a', listings)).status).toBe(200)
    expect((await sendBatch(id, 'b', [posh()])).status).toBe(200)
    const done = await call('POST', `/api/v1/extension/imports/${id}/complete/`)
    expect(done.body).toMatchObject({ status: 'completed', items_imported: 3, items_failed: 3 })
    const failed = (await itemsOf(id)).filter((item: { status: string }) => item.status === 'failed')
    for (const item of failed) {
      expect(item).toMatchObject({ error_code: 'quota_exceeded', error_message: expect.stringContaining('3 items') })
    }
  })

  it('cannot fill the disk with listings', async () => {
    await start({ QUOTA_FOUND_MB: '2' })
    const { id } = (await beginImport()).body
    for (let index = 0; index < 10; index++) {
      const listings = Array.from({ length: 10 }, () => posh({ description: crypto.randomUUID().repeat(2_000) }))
      expect((await sendBatch(id, `batch ${index}`, listings)).status).toBe(200)
    }
    const done = await call('POST', `/api/v1/extension/imports/${id}/complete/`)
    expect(done.body).toMatchObject({ status: 'completed', total_listings_found: 100 })
    expect(done.body.items_failed).toBeGreaterThan(60)
    const { bytes } = await server.services.db.one('select sum(octet_length(found::text)) as bytes from import_item')
    expect(Number(bytes)).toBeLessThan(2_200_000)
  })

  it('stays signed in on a server with a slow clock', async () => {
    await start({})
    expect((await call('GET', '/api/v1/inventory/')).status).toBe(200)
    await server.services.usage.flush()
    expect((await call('GET', '/api/v1/inventory/')).status).toBe(200)
  })

  it('starts a limited number of imports a day', async () => {
    await start({ QUOTA_IMPORTS_PER_DAY: '2' })
    now = new Date()
    expect((await beginImport('one')).status).toBe(201)
    expect((await beginImport('two')).status).toBe(201)
    const refused = await beginImport('three')
    expect(refused).toMatchObject({ status: 429, body: { code: 'daily_quota_exceeded' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await beginImport('two')).status).toBe(200)
    now = new Date(now.getTime() + 25 * 3_600_000)
    expect((await beginImport('three')).status).toBe(201)
  })

  it('writes a limited amount a day, but delists and reads on', async () => {
    await start({ QUOTA_WRITTEN_MB_PER_DAY: '3' })
    const item = (await call('POST', '/api/v1/inventory/', lamp())).body.uid
    const large = lamp({ description: 'x'.repeat(400_000) })
    const seen: number[] = []
    for (let index = 0; index < 8; index++) seen.push((await call('POST', '/api/v1/inventory/', large)).status)
    expect(seen.slice(0, 3)).toEqual([201, 201, 201])
    const refused = await call('POST', '/api/v1/inventory/', lamp())
    expect(refused).toMatchObject({ status: 429, body: { code: 'daily_quota_exceeded' } })
    expect(Number(refused.headers.get('retry-after'))).toBe(12 * 3_600)
    expect((await call('GET', '/api/v1/inventory/')).status).toBe(200)
    expect((await call('POST', `/api/v1/inventory/${item}/platforms/ebay/delist/`)).status).not.toBe(429)
    now = new Date('2026-05-06T00:00:01Z')
    expect((await call('POST', '/api/v1/inventory/', lamp())).status).toBe(201)
  })
})

it('keeps the answers to batches for a month, and what a running import decided', async () => {
  await start({})
  const { db } = server.services
  const { id } = (await beginImport()).body
  await sendBatch(id, 'a', [posh({ description: 'Rewired.' }), posh({ description: 'Not yet.' })])
  await sendBatch(id, 'b', [{ ...posh({ description: 'Failed.' }), price_minor: -1 }])
  await db.none(
    "update import_item set processed_at = now() - interval '31 days' where found ->> 'description' <> 'Not yet.'",
  )
  await db.none("update import_batch set created_at = now() - interval '31 days' where batch_id = 'a'")
  await purge(db)
  const rows = await db.map('select found from import_item order by uid', [], ({ found }) => found)
  expect(rows.map(({ description }) => description)).toEqual(['Rewired.', 'Not yet.', 'Failed.'])
  expect(await db.map('select batch_id from import_batch', [], (row) => row.batch_id)).toEqual(['b'])
  const [first] = (await itemsOf(id)).filter((item: { status: string }) => item.status === 'imported')
  expect((await call('GET', `/api/v1/marketplace/import/jobs/${id}/items/${first.id}/`)).status).toBe(200)
})
