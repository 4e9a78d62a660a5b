import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildListing } from '#e2e/harness/listing.ts'
import { type ImportHarness, type Seller, startImportHarness } from '../testing/harness.ts'

const jobs = '/api/v1/marketplace/import/jobs/'

let harness: ImportHarness
let seller: Seller
beforeAll(async () => {
  harness = await startImportHarness()
})
afterAll(() => harness?.close())
beforeEach(async () => {
  harness.reset()
  seller = await harness.seller()
})

describe('reading imports', () => {
  it('lists the newest 50 by marketplace and status', async () => {
    const first = await seller.import()
    const second = await seller.import()
    const listed = await seller.call('GET', jobs)
    expect(listed.body.map((job: { id: string }) => job.id)).toEqual([second.id, first.id])
    expect((await seller.call('GET', `${jobs}?marketplace=etsy`)).body).toEqual([])
    expect((await seller.call('GET', `${jobs}?status=completed`)).body).toHaveLength(2)
    expect((await seller.call('GET', `${jobs}?status=asleep`)).status).toBe(400)
    expect((await seller.call('GET', `${jobs}?marketplace=x' or 1=1`)).status).toBe(400)
    await harness.server.services.db.none(
      `insert into import_job (user_id, uid, seller_account_uid, platform, source, states, status, progress, completed_at)
       select $<user_id>, 'job_' || lpad(number::text, 22, '0'), $<shop>, 'ebay', 'pull', '{active}', 'completed', 100, now()
       from generate_series(1, 60) number`,
      { user_id: seller.account.user_id, shop: seller.shop },
    )
    expect((await seller.call('GET', jobs)).body).toHaveLength(50)
  })

  it('orders imports by time before uid', async () => {
    await harness.server.services.db.none(
      `insert into import_job
         (user_id, uid, seller_account_uid, platform, source, states, status, progress, completed_at, created_at)
       select $<user_id>, uid, $<shop>, 'ebay', 'pull', '{active}', 'completed', 100, now(), now() - age
       from (values ('job_' || repeat('a', 22), interval '1 minute'), ('job_' || repeat('b', 22), interval '2 minutes'))
         as past (uid, age)`,
      { user_id: seller.account.user_id, shop: seller.shop },
    )
    const listed = await seller.call('GET', jobs)
    expect(listed.body.map(({ id }: { id: string }) => id)).toEqual([`job_${'a'.repeat(22)}`, `job_${'b'.repeat(22)}`])
  })

  it("hides other sellers' jobs, items, issues and previews", async () => {
    const job = await seller.import()
    const other = await harness.seller()
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

  it('pages issues: 20 by default, 1 to 100', async () => {
    harness.ebay.shop = Array.from({ length: 130 }, () => buildListing({ images: [] }))
    harness.ebay.shop.push(buildListing({ quantity: 2 }))
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
