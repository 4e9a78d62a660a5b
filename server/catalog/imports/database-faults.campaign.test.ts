import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { rounds, roundsTimeoutMs } from '#e2e/harness/campaigns/campaign.ts'
import { startCommitCutter } from '#e2e/harness/campaigns/commit-cutter.ts'
import { setReadOnly } from '#e2e/harness/database/read-only.ts'
import { buildListing } from '#e2e/harness/listing.ts'
import { closeDatabase, isDatabaseUnavailable, openDatabase } from '#server/infra/db/index.ts'
import { LeaseLostError } from '#server/infra/jobs/lease.ts'
import { claimJob, requireLease } from './jobs/claim-job.ts'
import { createJob } from './jobs/create-job.ts'
import { runImport } from './run-import.ts'
import { type ImportHarness, type Seller, startImportHarness } from './testing/harness.ts'
import { numberedShop } from './testing/numbered-shop.ts'

/** Imports while the database fails. Afterwards every listing is there once. */
let harness: ImportHarness
let seller: Seller
beforeAll(async () => {
  harness = await startImportHarness()
})
afterAll(() => harness?.close())
beforeEach(async () => {
  Object.assign(harness.ebay, { before: () => delay(5), pageSize: 5, shop: [], calls: [] })
  seller = await harness.seller()
})

const create = '/api/v1/marketplace/import/jobs/create/'
const ask = async () =>
  (await seller.call('POST', create, { seller_account_uid: seller.shop, marketplace: 'ebay' })).body.id as string

async function expectWhole(uid: string, count: number): Promise<void> {
  const job = await seller.settled(uid)
  expect(job).toMatchObject({ status: 'completed', total_listings_found: count })
  const { db } = harness.server.services
  const found = await db.map(
    'select external_listing_id from import_item where job_uid = $1',
    [uid],
    (row: { external_listing_id: string }) => row.external_listing_id,
  )
  expect(new Set(found).size).toBe(count)
  expect(found).toHaveLength(count)
  expect(await seller.inventory()).toHaveLength(job.items_imported)
}

/** A separate connection that the fault does not touch. */
async function setAside<Result>(work: (db: ReturnType<typeof openDatabase>) => Promise<Result>): Promise<Result> {
  const db = openDatabase({ url: harness.server.services.config.DATABASE_URL!, max: 1 })
  try {
    return await work(db)
  } finally {
    await closeDatabase(db)
  }
}

describe('an import while the database fails', () => {
  // More rounds: `ROUNDS=1000 npm run vitest -- --project campaigns server/catalog/imports/database-faults`.
  it(
    'ends with every listing once when connections are cut',
    async () => {
      const wanted = rounds(10)
      let [struck, killed, imports] = [0, 0, 0]
      const answers: Record<number, number> = {}
      while (struck < wanted) {
        seller = await harness.seller()
        harness.ebay.shop = numberedShop(200, { healed: true })
        const uid = await ask()
        let over = false
        const watching = (async () => {
          while (!over) {
            const { status, headers, body } = await seller.call('GET', `/api/v1/marketplace/import/jobs/${uid}/`)
            answers[status] = (answers[status] ?? 0) + 1
            expect([200, 503]).toContain(status)
            if (status === 503) expect(headers.get('retry-after')).toBeTruthy()
            if (status === 503) expect(JSON.stringify(body)).not.toMatch(/terminat|select|import_job|backend/i)
            await delay(5)
          }
        })()
        const isOver = async (db: ReturnType<typeof openDatabase>) =>
          db.oneOrNone("select 1 from import_job where uid = $1 and status = 'completed'", [uid])
        await setAside(async (db) => {
          while (struck < wanted && !(await isOver(db))) {
            const rows = await db.any(
              'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
            )
            killed += rows.length
            await delay(30 + ((struck++ * 37) % 90))
          }
        })
        over = true
        await watching
        await seller.until(
          () => seller.job(uid),
          (job) => job?.status === 'completed',
        )
        await expectWhole(uid, 200)
        imports++
      }
      expect(killed).toBeGreaterThan(wanted / 2)
      if (process.env.ROUNDS)
        process.stdout.write(
          `${struck} times every connection cut (${killed} in all), ${imports} imports exact; answers ${JSON.stringify(answers)}\n`,
        )
    },
    roundsTimeoutMs(rounds(10), 2_000),
  )

  it('that loses the answer of each commit repeats nothing', async () => {
    harness.ebay.shop = numberedShop(30, { healed: true })
    const { services } = harness.server
    const cutter = await startCommitCutter(services.config.DATABASE_URL!)
    const db = openDatabase({ url: cutter.url, max: 4 })
    try {
      const lonely = { ...services, db, jobs: { ...services.jobs, send: async () => {} } }
      const asked = { user_id: seller.account.user_id, seller_account_uid: seller.shop, marketplace: 'ebay' as const }
      const uid = (await createJob({ ...lonely, db: services.db }, asked)).body.id
      const ref = { user_id: seller.account.user_id, job_uid: uid }
      const job = () => services.db.one<{ status: string }>('select status from import_job where uid = $1', [uid])
      for (let run = 0; (await job()).status !== 'completed'; run++) {
        expect(run).toBeLessThan(40)
        if (run < 20) cutter.cutNext(1)
        await runImport(lonely, ref).catch((error: unknown) => {
          if (!isDatabaseUnavailable(error)) throw error
        })
        await services.db.none("update import_job set lease_until = now() - interval '1 second' where uid = $1", [uid])
      }
      expect(cutter.cut).toBeGreaterThan(5)
      await expectWhole(uid, 30)
    } finally {
      await closeDatabase(db)
      await cutter.close()
    }
  })

  it('repeats nothing when its transactions are retried', async () => {
    harness.ebay.shop = numberedShop(60, { healed: true })
    const { db } = harness.server.services
    await db.none(`
      create sequence storm;
      create function strike() returns trigger language plpgsql as $$
      begin
        if nextval('storm') % 3 <> 0 then raise exception 'storm' using errcode = '40001'; end if;
        return new;
      end $$;
      create trigger storm before update of cursor on import_job for each row execute function strike()`)
    try {
      const uid = await ask()
      await expectWhole(uid, 60)
    } finally {
      await db.none('drop trigger storm on import_job; drop function strike; drop sequence storm')
    }
  })

  it('gets 503 while writes fail, and resumes by itself', async () => {
    harness.ebay.shop = numberedShop(60, { healed: true })
    const readOnly = (on: boolean) => setReadOnly(harness.server.services.config.DATABASE_URL!, on)
    const other = await harness.seller()
    const uid = await ask()
    await readOnly(true)
    try {
      await delay(200)
      const refused = await other.call('POST', create, { seller_account_uid: other.shop, marketplace: 'ebay' })
      expect(refused.status).toBe(503)
      expect(refused.headers.get('retry-after')).toBeTruthy()
      expect(JSON.stringify(refused.body)).not.toMatch(/read-only|insert|import_job/i)
    } finally {
      await readOnly(false)
    }
    await seller.until(
      () => seller.job(uid),
      (job) => job?.status === 'completed',
    )
    await expectWhole(uid, 60)
  })
})

describe('clock differences', () => {
  it.each([-600_000, 600_000])('of %i ms between worker and database change no lease', async (off) => {
    const { services } = harness.server
    harness.ebay.shop = Array.from({ length: 12 }, () => buildListing())
    const skewed = {
      ...services,
      now: () => new Date(Date.now() + off),
      jobs: { ...services.jobs, send: async () => {} },
    }
    const asked = { user_id: seller.account.user_id, seller_account_uid: seller.shop, marketplace: 'ebay' }
    const uid = (await createJob(skewed, asked)).body.id
    const ref = { user_id: seller.account.user_id, job_uid: uid }
    const job = await claimJob(services.db, ref)
    expect(job).not.toBeNull()
    // A living worker holds it, whatever the other's clock says.
    expect(await runImport(skewed, ref)).toEqual({ kind: 'again', afterSeconds: 1 })
    await services.db.none("update import_job set lease_until = now() - interval '1 second' where uid = $1", [uid])
    expect(await runImport(skewed, ref)).toEqual({ kind: 'done' })
    await expectWhole(uid, 12)
    await expect(services.db.tx((tx) => requireLease(tx, job!))).rejects.toBeInstanceOf(LeaseLostError)
  })
})
