import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PlatformError } from '#server/platforms/errors.ts'
import { buildAccount } from '#server/testing/account.ts'
import { parallel, statuses } from '#server/testing/api.ts'
import { buildListing } from '#server/testing/listing.ts'
import { newId } from '#shared/identity.ts'
import { InventoryRecord } from '#shared/inventory-record.ts'
import { connectTestShop } from './testing/shop.ts'
import { type ImportStand, type Seller, startImportStand } from './testing/stand.ts'

const create = '/api/v1/marketplace/import/jobs/create/'
const jobs = '/api/v1/marketplace/import/jobs/'

let stand: ImportStand
let seller: Seller
beforeAll(async () => {
  stand = await startImportStand()
})
afterAll(() => stand?.close())
beforeEach(async () => {
  for (const platform of [stand.ebay, stand.etsy]) {
    Object.assign(platform, { before: () => {}, pageSize: 50, shop: [], tellsTotal: true, calls: [] })
  }
  seller = await stand.seller()
})

/** Holds the platform's answers until released. */
function holdPages(): () => void {
  let release = () => {}
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  stand.ebay.before = () => gate
  return release
}

describe('an import', () => {
  it('brings every listing of the shop into the inventory, once, with a valid record', async () => {
    stand.ebay.pageSize = 7
    stand.ebay.shop = Array.from({ length: 45 }, (_, index) => buildListing({ sku: `S-${index}`, brand: 'Acme' }))
    const job = await seller.import()
    expect(job).toMatchObject({
      marketplace: 'ebay',
      status: 'completed',
      total_listings_found: 45,
      items_imported: 45,
      items_skipped: 0,
      items_failed: 0,
      items_conflicted: 0,
      has_issues: false,
      progress_percentage: 100,
      error_message: null,
    })
    expect(job.started_at).not.toBeNull()
    expect(job.completed_at).not.toBeNull()
    const inventory = await seller.inventory()
    expect(inventory.map((item) => item.record.offer_id).sort()).toEqual(
      stand.ebay.shop.map((listing) => listing.listing_id).sort(),
    )
    for (const item of inventory) InventoryRecord.parse(item.record)
  })

  it('counts each listing by what became of it, and says what needs the seller', async () => {
    stand.ebay.shop = [
      buildListing({ sku: 'TWICE' }),
      buildListing({ sku: 'TWICE' }),
      buildListing({ quantity: 3 }),
      buildListing({ images: [] }),
      buildListing({ title: '<script>alert(1)</script> 🧥', description: '=HYPERLINK("x")' }),
      { listing_id: 'broken', error_code: 'page_changed', error_message: 'no price', field: 'price', title: 'Scarf' },
    ]
    const job = await seller.import()
    expect(job).toMatchObject({
      total_listings_found: 6,
      items_imported: 2,
      items_conflicted: 2,
      items_failed: 2,
      has_issues: true,
      issue_summary: '2 listings could not be imported, 2 listings need your decision.',
      status: 'completed',
    })
    const items = await seller.items(job.id)
    expect(items.map((item) => item.conflict_type ?? item.error_code)).toEqual([
      null,
      'duplicate_sku',
      'quantity_above_one',
      'missing_images',
      null,
      'page_changed',
    ])
    expect(items[1]).toMatchObject({ external_sku: 'TWICE', resolution: 'pending', listing_price: '85.00' })
    expect(items[5]).toMatchObject({ listing_title: 'Scarf', listing_price: null, resolution: null })
  })

  it('T83: of a listing that is not what it should be at all fails that one and goes on', async () => {
    stand.ebay.shop = [
      buildListing({ title: 'x'.repeat(10_000_000) }),
      buildListing({ images: Array(5_000).fill('https://i.example/1.jpg') }),
      buildListing({ price_minor: '12' as never }),
      buildListing({ title: 'Nul \0 and \ud800 half' }),
      buildListing(),
    ]
    const job = await seller.import()
    expect(job).toMatchObject({ status: 'completed', items_imported: 2, items_failed: 3 })
    const failed = await seller.items(job.id, 'status=failed')
    expect(failed.map((item) => item.error_code)).toEqual(Array(3).fill('record_invalid'))
  })

  it('again finds everything there and changes nothing', async () => {
    stand.ebay.shop = Array.from({ length: 12 }, () => buildListing())
    await seller.import()
    const before = await seller.inventory()
    expect(await seller.import()).toMatchObject({ items_skipped: 12, items_imported: 0, has_issues: false })
    expect(await seller.inventory()).toEqual(before)
  })

  it('again reports what differs instead of overwriting', async () => {
    const [title, price, sold] = [buildListing(), buildListing(), buildListing()]
    stand.ebay.shop = [title, price, sold]
    await seller.import({ states: ['active', 'sold'] })
    const before = await seller.inventory()
    Object.assign(title, { title: 'Another title' })
    Object.assign(price, { price_minor: 9_900 })
    Object.assign(sold, { state: 'sold' })
    const job = await seller.import({ states: ['active', 'sold'] })
    expect(job).toMatchObject({ items_skipped: 1, items_conflicted: 2 })
    expect((await seller.items(job.id)).map((item) => item.conflict_type)).toEqual([
      null,
      'price_mismatch',
      'sold_elsewhere',
    ])
    expect((await seller.items(job.id))[0]?.conflict_details).toContain('title')
    expect(await seller.inventory()).toEqual(before)
  })

  it('reads only the states that the seller asked for, active by default', async () => {
    stand.ebay.shop = [buildListing(), buildListing({ state: 'sold' }), buildListing({ state: 'removed' })]
    expect(await seller.import()).toMatchObject({ total_listings_found: 1 })
    expect(await seller.import({ states: ['sold', 'ended'] })).toMatchObject({ total_listings_found: 2 })
    const states = (await seller.inventory()).map((item) => item.record.offer.availability).sort()
    expect(states).toEqual(['available', 'sold', 'withdrawn'])
  })

  it('of an empty shop completes', async () => {
    expect(await seller.import()).toMatchObject({
      status: 'completed',
      total_listings_found: 0,
      progress_percentage: 100,
    })
  })

  it('F26: whose access is gone fails and says so, and the connection asks to reconnect', async () => {
    stand.ebay.before = () => {
      throw new PlatformError('ebay', 'reconnect', 'grant is gone')
    }
    const job = await seller.import()
    expect(job).toMatchObject({ status: 'failed', error_message: expect.stringMatching(/connect it again/i) })
    expect(job.progress_percentage).toBeLessThan(100)
    const [shop] = (await seller.call('GET', '/api/v1/seller-accounts/')).body
    expect(shop.status).toBe('reconnect_required')
    const again = await seller.call('POST', create, { seller_account_uid: seller.shop, marketplace: 'ebay' })
    expect(again).toMatchObject({ status: 409, body: { code: 'reconnect_required' } })
  })

  it('F20: waits out a limit and goes on where it stopped', async () => {
    stand.ebay.pageSize = 5
    stand.ebay.shop = Array.from({ length: 15 }, () => buildListing())
    let refused = false
    stand.ebay.before = (call) => {
      if (call.kind === 'page' && call.cursor === '10' && !refused) {
        refused = true
        throw new PlatformError('ebay', 'rate_limited', 'slow down', { retryAfterMs: 1_000 })
      }
    }
    expect(await seller.import()).toMatchObject({ status: 'completed', items_imported: 15 })
    const pages = stand.ebay.calls.map((call) => (call.kind === 'page' ? call.cursor : null))
    expect(pages).toEqual([null, '5', '10', '10'])
  })

  it('that the platform refuses fails with the reason, and keeps what came before', async () => {
    stand.ebay.pageSize = 5
    stand.ebay.shop = Array.from({ length: 10 }, () => buildListing())
    stand.ebay.before = (call) => {
      if (call.kind === 'page' && call.cursor === '5') throw new PlatformError('ebay', 'refused', 'account on hold')
    }
    const job = await seller.import()
    expect(job).toMatchObject({
      status: 'failed',
      items_imported: 5,
      error_message: expect.stringContaining('account on hold'),
    })
    expect(await seller.inventory()).toHaveLength(5)
  })
})

describe('creating an import', () => {
  it('answers 201, then 200 with the live job', async () => {
    const release = holdPages()
    const body = { seller_account_uid: seller.shop, marketplace: 'ebay' }
    const first = await seller.call('POST', create, body)
    const second = await seller.call('POST', create, body)
    expect([first.status, second.status]).toEqual([201, 200])
    expect(second.body.id).toBe(first.body.id)
    release()
    await seller.settled(first.body.id)
    expect((await seller.call('POST', create, body)).status).toBe(201)
  })

  it('T77: 64 times at once makes one live job', async () => {
    const release = holdPages()
    const replies = await parallel(64, () =>
      seller.call('POST', create, { seller_account_uid: seller.shop, marketplace: 'ebay' }),
    )
    expect(statuses(replies)).toEqual({ 200: 63, 201: 1 })
    expect(new Set(replies.map((reply) => reply.body.id)).size).toBe(1)
    release()
    await seller.settled(replies[0]!.body.id)
  })

  it.each<[string, object, number, string]>([
    ['an unknown marketplace', { marketplace: 'nowhere' }, 400, 'invalid_request'],
    ['an extension platform', { marketplace: 'poshmark' }, 400, 'invalid_request'],
    ['a path as marketplace', { marketplace: '../ebay' }, 400, 'invalid_request'],
    ["another platform than the shop's", { marketplace: 'etsy' }, 400, 'invalid_request'],
    ['a state the platform does not show', { states: ['inactive'] }, 400, 'invalid_request'],
    ['a state that is none', { states: ['asleep'] }, 400, 'invalid_request'],
    ['a shop that is not there', { seller_account_uid: newId('sel') }, 404, 'not_found'],
    ['an id of another kind', { seller_account_uid: newId('inv') }, 400, 'invalid_request'],
    ['an unknown member', { user_id: 1 }, 400, 'invalid_request'],
  ])('T76: refuses %s', async (_name, given, status, code) => {
    const reply = await seller.call('POST', create, { seller_account_uid: seller.shop, marketplace: 'ebay', ...given })
    expect(reply).toMatchObject({ status, body: { code } })
  })

  it("T76: answers 404 for another seller's shop, as for none", async () => {
    const other = await stand.seller()
    const reply = await seller.call('POST', create, { seller_account_uid: other.shop, marketplace: 'ebay' })
    expect(reply).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })

  it('needs the scope imports:run', async () => {
    const account = await buildAccount(stand.server.services.db, { scopes: ['inventory:read'] })
    const reply = await stand.api('GET', jobs, { headers: account.key })
    expect(reply).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
    expect((await stand.api('GET', jobs)).status).toBe(401)
  })
})

describe('importing by platform', () => {
  const path = (slug: string) => `/api/v1/marketplace/${slug}/import/`

  it('takes the only connected shop', async () => {
    const reply = await seller.call('POST', path('ebay'))
    expect(reply).toMatchObject({ status: 201, body: { marketplace: 'ebay' } })
    await seller.settled(reply.body.id)
  })

  it.each([
    ['etsy', 400, 'connection_required'],
    ['poshmark', 400, 'platform_not_connectable'],
    ['nowhere', 404, 'not_found'],
    ['..%2Febay', 404, 'not_found'],
  ])('%s without a shop there answers %i %s', async (slug, status, code) => {
    expect(await seller.call('POST', path(slug))).toMatchObject({ status, body: { code } })
  })

  it('asks which shop when several are connected', async () => {
    await connectTestShop(stand.server.services, seller.account)
    expect(await seller.call('POST', path('ebay'))).toMatchObject({
      status: 400,
      body: { code: 'seller_account_required' },
    })
  })
})

describe('reading imports', () => {
  it('T78: lists the newest first, by marketplace and status, and at most 50', async () => {
    const first = await seller.import()
    const second = await seller.import()
    const listed = await seller.call('GET', jobs)
    expect(listed.body.map((job: { id: string }) => job.id)).toEqual([second.id, first.id])
    expect((await seller.call('GET', `${jobs}?marketplace=etsy`)).body).toEqual([])
    expect((await seller.call('GET', `${jobs}?status=completed`)).body).toHaveLength(2)
    expect((await seller.call('GET', `${jobs}?status=asleep`)).status).toBe(400)
    expect((await seller.call('GET', `${jobs}?marketplace=x' or 1=1`)).status).toBe(400)
    await stand.server.services.db.none(
      `insert into import_job (user_id, uid, seller_account_uid, platform, source, states, status, progress, completed_at)
       select $<user_id>, 'job_' || lpad(number::text, 22, '0'), $<shop>, 'ebay', 'pull', '{active}', 'completed', 100, now()
       from generate_series(1, 60) number`,
      { user_id: seller.account.user_id, shop: seller.shop },
    )
    expect((await seller.call('GET', jobs)).body).toHaveLength(50)
  })

  it("T78: shows nobody another seller's job, items, issues or preview", async () => {
    const job = await seller.import()
    const other = await stand.seller()
    for (const path of ['', 'items/', 'issues/', 'preview/']) {
      expect((await other.call('GET', `${jobs}${job.id}/${path}`)).status).toBe(404)
    }
    for (const path of ['retry-failed/', 'skip-all-conflicts/']) {
      expect((await other.call('POST', `${jobs}${job.id}/${path}`)).status).toBe(404)
    }
    for (const path of ['preview/', 'start/']) {
      expect((await other.call('POST', `/api/v1/marketplace/import/${path}`, { job_uid: job.id })).status).toBe(404)
    }
    expect((await other.call('GET', jobs)).body).toEqual([])
  })

  it('T80: pages issues: 20 by default, 100 at most, below 1 refused', async () => {
    stand.ebay.shop = Array.from({ length: 130 }, () => buildListing({ images: [] }))
    stand.ebay.shop.push(buildListing({ quantity: 2 }))
    const job = await seller.import()
    const issues = (query: string) => seller.call('GET', `${jobs}${job.id}/issues/${query}`)
    expect((await issues('')).body).toMatchObject({ count: 131 })
    expect((await issues('')).body.results).toHaveLength(20)
    expect((await issues('?page_size=101')).body.results).toHaveLength(100)
    expect((await issues('?page_size=1000000')).body.results).toHaveLength(100)
    expect((await issues('?page=2&page_size=100')).body.results).toHaveLength(31)
    expect((await issues('?page=9')).body).toEqual({ count: 131, results: [] })
    expect((await issues('?status=conflict')).body.count).toBe(1)
    for (const query of ['?page_size=0', '?page=0', '?page_size=-1', '?page=x', '?status=imported', '?nonsense=1']) {
      expect((await issues(query)).status, query).toBe(400)
    }
    const all = new Set<string>()
    for (const page of [1, 2]) {
      for (const item of (await issues(`?page=${page}&page_size=100`)).body.results) all.add(item.id)
    }
    expect(all.size).toBe(131)
  })
})

describe('an import that waits for start', () => {
  const start = '/api/v1/marketplace/import/start/'
  const preview = '/api/v1/marketplace/import/preview/'

  async function waiting(): Promise<string> {
    const reply = await seller.call('POST', create, {
      seller_account_uid: seller.shop,
      marketplace: 'ebay',
      auto_start: false,
    })
    const id = reply.body.id
    await seller.until(
      () => seller.job(id),
      (job) => job.total_listings_found === stand.ebay.shop.length && job.status === 'in_progress',
    )
    return id
  }

  beforeEach(() => {
    stand.ebay.shop = [
      ...Array.from({ length: 20 }, () => buildListing()),
      buildListing({ sku: 'TWICE' }),
      buildListing({ sku: 'TWICE' }),
      buildListing({ images: [] }),
    ]
  })

  it('shows in the preview what would happen, and writes nothing', async () => {
    const id = await waiting()
    expect((await seller.call('GET', `${jobs}${id}/preview/`)).body).toEqual({ count: 0, results: [] })
    expect((await seller.call('POST', preview, { job_uid: id })).status).toBe(202)
    const shown = await seller.until(
      async () => (await seller.call('GET', `${jobs}${id}/preview/?page_size=100`)).body,
      (body) => body.count > 0,
    )
    expect(shown.count).toBe(23)
    const counts = Object.groupBy(shown.results as { status: string }[], (item) => item.status)
    expect([counts.imported?.length, counts.conflict?.length, counts.failed?.length]).toEqual([21, 1, 1])
    expect((await seller.call('GET', `${jobs}${id}/preview/?status=conflict`)).body).toMatchObject({
      count: 1,
      results: [{ conflict_type: 'duplicate_sku', resolution: 'pending', external_sku: 'TWICE' }],
    })
    expect(await seller.inventory()).toEqual([])
    expect(await seller.job(id)).toMatchObject({ status: 'in_progress', items_imported: 0, progress_percentage: 0 })
  })

  it('starts with at most so many items, then with the rest, conflicts skipped', async () => {
    const id = await waiting()
    expect((await seller.call('POST', start, { job_uid: id, limit: 5 })).status).toBe(202)
    await seller.until(
      () => seller.job(id),
      (job) => job.items_imported === 5,
    )
    expect(await seller.job(id)).toMatchObject({ status: 'in_progress' })
    await seller.call('POST', start, { job_uid: id, skip_conflicts: true })
    const job = await seller.settled(id)
    expect(job).toMatchObject({ status: 'completed', items_imported: 21, items_skipped: 1, items_failed: 1 })
    const [skipped] = await seller.items(id, 'status=skipped')
    expect(skipped).toMatchObject({ resolution: 'auto_skip', conflict_type: 'duplicate_sku' })
  })

  it('T79: runs once however often start is said, and answers 202 with the same job afterwards', async () => {
    const id = await waiting()
    const replies = await parallel(16, () => seller.call('POST', start, { job_uid: id }))
    expect(statuses(replies)).toEqual({ 202: 16 })
    const job = await seller.settled(id)
    expect(job).toMatchObject({ items_imported: 21, items_conflicted: 1, items_failed: 1 })
    expect(await seller.call('POST', start, { job_uid: id })).toMatchObject({ status: 202, body: { id } })
    await seller.until(
      () => stand.server.services.db.any("select from import_action where state <> 'done'"),
      (open) => open.length === 0,
    )
    expect(await seller.job(id)).toEqual(job)
    expect(await seller.inventory()).toHaveLength(21)
  })

  it.each([
    [{ limit: -1 }],
    [{ limit: 0 }],
    [{ limit: 1_000_000_000 }],
    [{ limit: 1.5 }],
    [{ status_filter: 'asleep' }],
    [{ job_uid: 'job_x' }],
    [{ skip_conflicts: 'yes' }],
  ])('T79: refuses %o', async (given) => {
    const job_uid = newId('job')
    expect((await seller.call('POST', start, { job_uid, ...given })).status).toBe(400)
  })
})

describe('retrying what failed', () => {
  it('T82: reads each failed listing again, 64 times at once too, and the counters add up all the while', async () => {
    const good = buildListing()
    const bad = { listing_id: 'B', error_code: 'fetch_failed', error_message: 'timeout' } as const
    const told = { title: 'A chair', price_minor: 5_275, currency: 'USD', sku: 'CHAIR' }
    const gone = { listing_id: 'G', ...told, error_code: 'fetch_failed', error_message: 'timeout' } as const
    stand.ebay.shop = [good, bad, gone]
    const job = await seller.import()
    expect(job).toMatchObject({ items_imported: 1, items_failed: 2 })
    stand.ebay.shop = [good, buildListing({ listing_id: 'B' })]
    stand.ebay.calls = []
    const replies = await parallel(64, () => seller.call('POST', `${jobs}${job.id}/retry-failed/`))
    expect(statuses(replies)).toEqual({ 202: 64 })
    const retried = await seller.until(
      async () => {
        const now = await seller.job(job.id)
        expect(now.total_listings_found).toBe(3)
        expect(now.progress_percentage === 100).toBe(now.status === 'completed')
        expect(now.items_imported + now.items_failed).toBe(3)
        return now
      },
      (now) => now.status === 'completed' && now.items_imported === 2,
    )
    expect(retried).toMatchObject({ items_imported: 2, items_failed: 1 })
    const [failed] = await seller.items(job.id, 'status=failed')
    // What the list of listings had told of it stays.
    expect(failed).toMatchObject({
      external_listing_id: 'G',
      error_code: 'fetch_failed',
      error_message: 'The listing is not there any more.',
      listing_title: 'A chair',
      listing_price: '52.75',
      external_sku: 'CHAIR',
    })
    expect(await seller.inventory()).toHaveLength(2)
    const reads = stand.ebay.calls.filter((call) => call.kind === 'one' && call.listing_id === 'B')
    expect(reads).toHaveLength(1)
  })
})

describe('skipping all conflicts', () => {
  it('skips those that are open, and nothing else', async () => {
    stand.ebay.shop = [buildListing(), buildListing({ quantity: 2 }), buildListing({ quantity: 3 })]
    const job = await seller.import()
    const reply = await seller.call('POST', `${jobs}${job.id}/skip-all-conflicts/`)
    expect(reply).toMatchObject({ status: 200, body: { items_skipped: 2, items_conflicted: 0, has_issues: false } })
    const skipped = await seller.items(job.id, 'status=skipped')
    expect(skipped.map((item) => item.resolution)).toEqual(['skip_all', 'skip_all'])
  })

  it('T82: beside resolving gives each item one end', async () => {
    stand.ebay.shop = Array.from({ length: 30 }, () => buildListing({ quantity: 2 }))
    const job = await seller.import()
    const items = await seller.items(job.id)
    await Promise.all([
      seller.call('POST', `${jobs}${job.id}/skip-all-conflicts/`),
      ...items.map((item) =>
        seller.call('POST', `${jobs}${job.id}/items/${item.id}/resolve/`, { resolution: 'create_new' }),
      ),
    ])
    const after = await seller.job(job.id)
    expect(after.items_imported + after.items_skipped).toBe(30)
    expect(await seller.inventory()).toHaveLength(after.items_imported)
  })
})
