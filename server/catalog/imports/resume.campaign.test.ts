import { spawn } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  type AtBorder,
  atEachBorder,
  type Borders,
  endAt,
  endIdleTransactions,
  freezeAt,
  openBorders,
} from '#e2e/harness/campaigns/borders.ts'
import { campaignSeed, rounds } from '#e2e/harness/campaigns/campaign.ts'
import { checkInvariants } from '#e2e/harness/campaigns/invariants.ts'
import { randomFrom } from '#e2e/harness/campaigns/random.ts'
import { buildListing } from '#e2e/harness/listing.ts'
import { until } from '#e2e/harness/until.ts'
import { openJobs } from '#server/infra/jobs/index.ts'
import { usualTimes } from '#server/times.ts'
import { isolateAfterCrashes } from './deciding/process-items.ts'
import { claimJob, holdJob, type JobRef } from './jobs/claim-job.ts'
import { importsJobs } from './jobs.ts'
import { runImport } from './run-import.ts'
import { type ImportHarness, type Seller, startImportHarness } from './testing/harness.ts'
import { numberedShop } from './testing/numbered-shop.ts'

const create = '/api/v1/marketplace/import/jobs/create/'
const child = fileURLToPath(new URL('./testing/worker-child.ts', import.meta.url))

/** One run does everything. */
const sliceMs = 600_000

let harness: ImportHarness
let seller: Seller
beforeAll(async () => {
  harness = await startImportHarness({ works: false })
})
afterAll(() => harness?.close())
beforeEach(async () => {
  Object.assign(harness.ebay, { before: () => {}, shop: [], calls: [] })
  seller = await harness.seller()
})

async function createJob(given: object = {}): Promise<JobRef> {
  const reply = await seller.call('POST', create, { seller_account_uid: seller.shop, marketplace: 'ebay', ...given })
  return { user_id: seller.account.user_id, job_uid: reply.body.id }
}

/** Ends the worker's lease as if it had been silent. */
const expireLease = ({ job_uid }: JobRef) =>
  harness.server.services.db.none('update import_job set lease_until = now() - interval $1 where uid = $2', [
    '1 second',
    job_uid,
  ])

/** Works on a job until it needs no worker, whoever had it. */
async function work(ref: JobRef): Promise<void> {
  const { services } = harness.server
  await until(async () => {
    await expireLease(ref)
    return (await runImport(services, ref, { sliceMs })).kind === 'done'
  })
}

/** Works on a job in a worker of its own, which `at` may end. Its lease is over afterwards. */
async function workUntil(ref: JobRef, at: AtBorder): Promise<Borders> {
  const worker = openBorders(harness.server.services, { at })
  await worker.run((services) => runImport(services, ref, { sliceMs }))
  await worker.close()
  await expireLease(ref)
  return worker
}

/** Checks that every listing is one import item and, if imported, one inventory item. */
async function expectExactly(ref: JobRef, listingIds: string[]): Promise<void> {
  const { db } = harness.server.services
  const items = await db.map(
    'select external_listing_id from import_item where job_uid = $1 order by 1',
    [ref.job_uid],
    (row) => row.external_listing_id,
  )
  expect(items).toEqual([...listingIds].sort())
  const job = await seller.job(ref.job_uid)
  const { count } = await db.one('select count(*) from inventory_item where user_id = $1', [ref.user_id])
  expect(count).toBe(job.items_imported)
  const decided = job.items_imported + job.items_skipped + job.items_failed + job.items_conflicted
  expect(job).toMatchObject({ status: 'completed', total_listings_found: listingIds.length, progress_percentage: 100 })
  expect(decided).toBe(listingIds.length)
}

/** Phases of a job, each of which is one run. */
const phases = [
  'reading and deciding',
  'reading, to start later',
  'deciding when started',
  'trying failures again',
  // Each listing has a transaction of its own then.
  'deciding after crashes',
] as const
type Phase = (typeof phases)[number]

/** A new seller's job whose next run does its phase, and what the whole job finds in the end. */
async function jobIn(phase: Phase): Promise<{ ref: JobRef; end: () => Promise<void> }> {
  const { ebay } = harness
  seller = await harness.seller()
  ebay.pageSize = 6
  const isRead = phase === 'reading and deciding'
  const isCareful = phase === 'deciding after crashes'
  ebay.shop = Array.from({ length: isCareful ? 3 : 10 }, (_, index) => {
    if (isRead) return buildListing({ sku: `S-${index % 5 === 4 ? index - 1 : index}` })
    return buildListing({ quantity: index === 3 ? 2 : 1 })
  })
  const ids = ebay.shop.map(({ listing_id }) => listing_id)
  const ref = await createJob({ auto_start: isRead || isCareful || phase === 'trying failures again' })
  if (isCareful) {
    const { db } = harness.server.services
    await db.none('update import_job set crashes = $2 where uid = $1', [ref.job_uid, isolateAfterCrashes])
  }
  const start = () =>
    seller.call('POST', '/api/v1/marketplace/import/start/', { job_uid: ref.job_uid, skip_conflicts: true })
  if (phase === 'deciding when started') {
    await work(ref)
    await start()
  }
  if (phase === 'trying failures again') {
    const { shop } = ebay
    ebay.shop = shop.map(({ listing_id }, index) =>
      index % 2 === 0 ? shop[index]! : { listing_id, error_code: 'fetch_failed', error_message: 'told to fail' },
    )
    await work(ref)
    ebay.shop = shop
    await seller.call('POST', `/api/v1/marketplace/import/jobs/${ref.job_uid}/retry-failed/`)
  }
  return {
    ref,
    async end() {
      await work(ref)
      if (phase === 'reading, to start later') {
        await start()
        await work(ref)
      }
      await expectExactly(ref, ids)
      expect(await seller.job(ref.job_uid)).toMatchObject(outcomes[phase])
    },
  }
}

const outcomes: Record<Phase, object> = {
  'reading and deciding': { items_imported: 8, items_conflicted: 2 },
  'reading, to start later': { items_imported: 9, items_skipped: 1 },
  'deciding when started': { items_imported: 9, items_skipped: 1 },
  'trying failures again': { items_imported: 9, items_conflicted: 1 },
  'deciding after crashes': { items_imported: 3 },
}

describe('an import whose worker dies', () => {
  it.each(phases)('before any statement, commit or call of %s ends with every listing once', async (phase) => {
    await atEachBorder(async (border) => {
      const { ref, end } = await jobIn(phase)
      const { crossed } = await workUntil(ref, endAt(border))
      await checkInvariants(harness.server.services.db)
      await end()
      return crossed
    })
  })

  it('again and again still ends', async () => {
    harness.ebay.pageSize = 6
    harness.ebay.shop = Array.from({ length: 40 }, () => buildListing())
    const ref = await createJob()
    let crashes = 0
    // Each worker survives a few pages. Kept progress brings the job to its end.
    while ((await workUntil(ref, endAt(30))).isDead()) {
      if (++crashes > 200) throw new Error('it does not get on')
    }
    expect(crashes).toBeGreaterThan(2)
    await expectExactly(
      ref,
      harness.ebay.shop.map((listing) => listing.listing_id),
    )
  })

  it('over one listing fails that one and imports the rest', async () => {
    harness.ebay.pageSize = 50
    harness.ebay.shop = Array.from({ length: 30 }, () => buildListing())
    const poison = harness.ebay.shop[12]!.listing_id
    const ref = await createJob()
    let crashes = 0
    // It kills every worker that makes an item of it, with its page or alone.
    const at: AtBorder = ({ what }) => {
      if (/insert into inventory_item/.test(what) && what.includes(poison)) throw new Error('poison')
    }
    while ((await workUntil(ref, at)).isDead()) if (++crashes > 20) throw new Error('it does not get on')
    expect(crashes).toBeGreaterThan(3)
    expect(crashes).toBeLessThan(10)
    await expectExactly(
      ref,
      harness.ebay.shop.map((listing) => listing.listing_id),
    )
    expect(await seller.items(ref.job_uid, 'status=failed')).toMatchObject([
      { external_listing_id: poison, error_code: 'internal' },
    ])
  })

  it('by SIGKILL anywhere in 500 listings ends complete', async () => {
    const listings = 500
    const random = randomFrom(campaignSeed)
    harness.ebay.pageSize = 50
    harness.ebay.shop = numberedShop(listings, { healed: true })
    const ref = await createJob()
    const orders = (killAt: number) => ({
      url: harness.server.services.config.DATABASE_URL,
      secretKey: Buffer.alloc(32, 7).toString('base64'),
      listings,
      pageSize: 50,
      run: ref,
      killAt,
    })
    const { db } = harness.server.services
    for (const isRetry of [false, true]) {
      if (isRetry) {
        // The shop is readable already, so failures are made here to be retried there.
        await db.none(
          `with gone as (
             update import_item set status = 'failed', error_code = 'fetch_failed', error_message = 'told to fail',
               created_inventory_item_uid = null
             where job_uid = $1 and status = 'imported' and external_listing_id like '%9'
             returning user_id, external_listing_id
           ), unlisted as (
             delete from channel_listing using gone
             where channel_listing.user_id = gone.user_id and channel_listing.listing_id = gone.external_listing_id
             returning channel_listing.user_id, item_uid
           )
           delete from inventory_item using unlisted
           where inventory_item.user_id = unlisted.user_id and inventory_item.uid = unlisted.item_uid`,
          [ref.job_uid],
        )
        await seller.call('POST', `/api/v1/marketplace/import/jobs/${ref.job_uid}/retry-failed/`)
      }
      for (let round = 0; round < rounds(8, 1 / 8); round++) {
        const killAt = Math.floor(random() * 60)
        const ended = await runToEnd(orders(killAt))
        await checkInvariants(db)
        // After some deaths less is left than there are borders. The first worker has all of them before it.
        if (round > 0 && !('signal' in ended)) break
        expect(ended, `border ${killAt}`).toEqual({ signal: 'SIGKILL' })
        await expireLease(ref)
      }
      await work(ref)
      await expectExactly(
        ref,
        Array.from({ length: listings }, (_, index) => `n-${index}`),
      )
    }
    expect(await seller.job(ref.job_uid)).toMatchObject({ items_failed: 0, items_conflicted: 6, items_imported: 494 })
  })

  it('continues in another worker within 30 s', async () => {
    harness.ebay.shop = numberedShop(60, { healed: true })
    harness.ebay.pageSize = 10
    const { services } = harness.server
    // The child would first work for imports of earlier tests, and die there.
    await services.db.none("delete from jobs.job where name = 'import-run'")
    const ref = await createJob()
    const died = await runChild({
      url: services.config.DATABASE_URL,
      secretKey: Buffer.alloc(32, 7).toString('base64'),
      listings: 60,
      pageSize: 10,
      killAt: 25,
    })
    expect(died).toEqual({ signal: 'SIGKILL' })
    // As if it had been silent for 15 seconds: the lease of the job and the heartbeat of its message have ended.
    await services.db.none(
      `update import_job set lease_until = lease_until - interval '15 seconds' where uid = $1;
       update jobs.job set heartbeat_on = heartbeat_on - interval '15 seconds' where name = 'import-run'`,
      [ref.job_uid],
    )
    expect(
      await services.db.one('select lease_until < now() as is_over from import_job where uid = $1', [ref.job_uid]),
    ).toEqual({ is_over: true })
    const jobs = await openJobs({ url: services.config.DATABASE_URL!, works: true, log: services.log, max: 4 })
    try {
      await jobs.register(...importsJobs({ ...services, jobs }))
      await seller.until(
        () => seller.job(ref.job_uid),
        (job) => job.status === 'completed',
      )
    } finally {
      await jobs.stop(2_000)
    }
    await expectExactly(
      ref,
      Array.from({ length: 60 }, (_, index) => `n-${index}`),
    )
  })
})

describe('a run that yields to other imports', () => {
  it('reads no page that the next run has to read again', async () => {
    harness.ebay.pageSize = 5
    harness.ebay.shop = Array.from({ length: 20 }, () => buildListing())
    const ref = await createJob()
    let runs = 0
    while ((await runImport(harness.server.services, ref, { sliceMs: 0 })).kind === 'again') {
      if (++runs > 20) throw new Error('it does not get on')
    }
    expect(harness.ebay.calls.filter((call) => call.kind === 'page')).toHaveLength(4)
    await expectExactly(
      ref,
      harness.ebay.shop.map((listing) => listing.listing_id),
    )
  })
})

describe('a worker frozen past its lease', () => {
  it.each(phases)('before any statement, commit or call of %s writes nothing more', async (phase) => {
    const { services } = harness.server
    await atEachBorder(async (border) => {
      const { ref, end } = await jobIn(phase)
      const { at, isFrozen, wake } = freezeAt(border)
      const zombie = openBorders(services, { at })
      const running = runImport(zombie.services, ref, { sliceMs }).catch(() => {})
      if (border !== Number.POSITIVE_INFINITY) {
        await isFrozen
        await endIdleTransactions(services.db)
        // Another worker takes the job and has not begun, so there is something left to write.
        await until(async () => {
          await expireLease(ref)
          return claimJob(services.db, ref)
        })
        const before = await snapshot(ref)
        wake()
        await running
        expect(await snapshot(ref)).toEqual(before)
      }
      await running
      await zombie.close()
      await end()
      return zombie.crossed
    })
  })

  it('a worker busy for ten seconds keeps its job', async () => {
    // Here a lease of six seconds and a worker that is busy for two.
    expect(usualTimes.importLeaseMs - 2 * usualTimes.importBeatMs).toBeGreaterThan(10_000)
    const ref = await createJob()
    const { services } = harness.server
    const busy = runChild({
      url: services.config.DATABASE_URL,
      secretKey: Buffer.alloc(32, 7).toString('base64'),
      listings: 60,
      pageSize: 10,
      run: ref,
      killAt: 40,
      busyMs: 2_000,
      times: { importLeaseMs: 6_000 },
    })
    const holder = () => services.db.one('select lease_epoch, status from import_job where uid = $1', [ref.job_uid])
    await seller.until(holder, ({ lease_epoch }) => lease_epoch > 0)
    let over = false
    const ended = busy.finally(() => {
      over = true
    })
    while (!over) {
      // Others can claim it only when nothing is left to do.
      expect((await claimJob(services.db, ref))?.status ?? 'held').toMatch(/held|completed/)
      await delay(200)
    }
    expect(await ended).toEqual({ output: 'busy done' })
    await expectExactly(
      ref,
      Array.from({ length: 60 }, (_, index) => `n-${index}`),
    )
  })

  it('an import that crashes every worker fails', async () => {
    const ref = await createJob()
    const { services } = harness.server
    await services.db.none('update import_job set crashes = 25 where uid = $1', [ref.job_uid])
    expect(await runImport(services, ref)).toEqual({ kind: 'done' })
    expect(await services.db.one('select status, error_message from import_job where uid = $1', [ref.job_uid])).toEqual(
      {
        status: 'failed',
        error_message: expect.stringContaining('again and again'),
      },
    )
  })

  it('a late heartbeat of a finished run blocks nobody', async () => {
    const ref = await createJob()
    const { services } = harness.server
    vi.useFakeTimers({ toFake: ['setInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const { release, lost } = holdJob(services, (await claimJob(services.db, ref))!)
    await services.db.none('update import_job set lease_until = null where uid = $1', [ref.job_uid])
    vi.advanceTimersByTime(1_000)
    release()
    await seller.until(
      async () => lost.aborted,
      (isAborted) => isAborted,
    )
    expect(await claimJob(services.db, ref)).not.toBeNull()
  })

  it('a job with a living worker is left alone', async () => {
    const ref = await createJob()
    const { services } = harness.server
    expect(await claimJob(services.db, ref)).not.toBeNull()
    expect(await claimJob(services.db, ref)).toBeNull()
    expect(await runImport(services, ref)).toEqual({ kind: 'again', afterSeconds: 1 })
  })
})

async function snapshot(ref: JobRef) {
  const { db } = harness.server.services
  return {
    job: await db.one('select * from import_job where uid = $1', [ref.job_uid]),
    items: await db.any('select * from import_item where job_uid = $1 order by uid', [ref.job_uid]),
    inventory: await db.any('select * from inventory_item where user_id = $1 order by uid', [ref.user_id]),
    listings: await db.any('select * from channel_listing where user_id = $1 order by listing_id', [ref.user_id]),
    history: await db.any('select * from inventory_history where user_id = $1 order by item_uid, version', [
      ref.user_id,
    ]),
    events: await db.any('select * from event where user_id = $1 order by seq', [ref.user_id]),
  }
}

/** On a slow machine a run may end before its work does. */
async function runToEnd(orders: object): ReturnType<typeof runChild> {
  for (;;) {
    const ended = await runChild(orders)
    if (!('output' in ended) || ended.output !== 'again') return ended
  }
}

function runChild(orders: object): Promise<{ signal: string } | { output: string }> {
  return new Promise((resolve, reject) => {
    const worker = spawn(process.execPath, [child, JSON.stringify(orders)], { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    let errors = ''
    worker.stdout.on('data', (chunk) => {
      output += chunk
    })
    worker.stderr.on('data', (chunk) => {
      errors += chunk
    })
    worker.once('error', reject)
    worker.once('close', (code, signal) => {
      if (signal) resolve({ signal })
      else if (code === 0) resolve({ output })
      else reject(new Error(`the worker ended with ${code}: ${errors}`))
    })
  })
}
