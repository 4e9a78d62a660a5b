import { spawn } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { isDatabaseUnavailable } from '#server/infra/db/index.ts'
import { openJobs } from '#server/infra/jobs/index.ts'
import { LeaseLostError } from '#server/infra/jobs/lease-lost-error.ts'
import { randomFrom } from '#server/lab/simulation/random.ts'
import { buildListing } from '#server/testing/listing.ts'
import { usualTimes } from '#server/times.ts'
import { rounds, roundsTimeoutMs } from '#shared/testing/campaign.ts'
import { claimJob, holdLease, type JobRef } from './claim-job.ts'
import { importsJobs } from './jobs.ts'
import { runImport, workOn } from './run-import.ts'
import { type ImportStep, importSteps } from './steps.ts'
import { type ImportHarness, type Seller, startImportHarness } from './testing/harness.ts'
import { numberedShop } from './testing/numbered-shop.ts'

const create = '/api/v1/marketplace/import/jobs/create/'
const child = fileURLToPath(new URL('./testing/worker-child.ts', import.meta.url))

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

class Crash extends Error {}

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

/** Works on a job until `dies` returns true. Uncommitted work is gone, and nothing is settled. */
async function workUntil(ref: JobRef, dies: (step: ImportStep) => boolean): Promise<boolean> {
  const job = await claimJob(harness.server.services.db, ref)
  if (!job) throw new Error('the job is held')
  try {
    await workOn(harness.server.services, job, {
      step: async (step) => {
        if (dies(step)) throw new Crash(step)
      },
    })
    return false
  } catch (error) {
    if (!(error instanceof Crash)) throw error
    return true
  } finally {
    await expireLease(ref)
  }
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

describe('an import whose worker dies', () => {
  it('at any step ends with every listing exactly once', async () => {
    harness.ebay.pageSize = 6
    let steps = Number.POSITIVE_INFINITY
    for (let dying = 0; dying < steps; dying++) {
      seller = await harness.seller()
      harness.ebay.shop = Array.from({ length: 20 }, (_, index) =>
        buildListing(index % 5 === 4 ? { sku: `S-${index - 1}` } : { sku: `S-${index}` }),
      )
      const ref = await createJob()
      let passed = 0
      const died = await workUntil(ref, () => passed++ === dying)
      if (!died) steps = dying
      await workUntil(ref, () => false)
      await expectExactly(
        ref,
        harness.ebay.shop.map((listing) => listing.listing_id),
      )
      expect(await seller.job(ref.job_uid)).toMatchObject({ items_imported: 16, items_conflicted: 4 })
    }
    expect(steps).toBeGreaterThan(16)
  })

  it('at any step of a job started later ends the same', async () => {
    harness.ebay.pageSize = 6
    let steps = Number.POSITIVE_INFINITY
    for (let dying = 0; dying < steps; dying++) {
      seller = await harness.seller()
      harness.ebay.shop = Array.from({ length: 10 }, (_, index) => buildListing({ quantity: index === 3 ? 2 : 1 }))
      const ref = await createJob({ auto_start: false })
      let passed = 0
      const dies = () => passed++ === dying
      const died = [await workUntil(ref, dies)]
      await workUntil(ref, () => false)
      await seller.call('POST', '/api/v1/marketplace/import/start/', { job_uid: ref.job_uid, skip_conflicts: true })
      died.push(await workUntil(ref, dies))
      if (!died.includes(true)) steps = dying
      await workUntil(ref, () => false)
      await expectExactly(
        ref,
        harness.ebay.shop.map((listing) => listing.listing_id),
      )
      expect(await seller.job(ref.job_uid)).toMatchObject({ items_imported: 9, items_skipped: 1 })
    }
    expect(steps).toBeGreaterThan(12)
  })

  it('at every step in turn still ends', async () => {
    harness.ebay.pageSize = 6
    harness.ebay.shop = Array.from({ length: 40 }, () => buildListing())
    const ref = await createJob()
    let crashes = 0
    // Survives two steps, then dies. Kept progress brings it to its end.
    const dies = () => {
      let passed = 0
      return () => ++passed > 5
    }
    while (await workUntil(ref, dies())) {
      if (++crashes > 200) throw new Error('it does not get on')
    }
    expect(crashes).toBeGreaterThan(5)
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
    const { db } = harness.server.services
    let crashes = 0
    for (let run = 0; ; run++) {
      const job = (await claimJob(db, ref))!
      const careful = job.crashes > 3
      try {
        await workOn(harness.server.services, job, {
          step: async (step) => {
            // As part of a page it kills its worker...
            if (step === 'discover:listings-inserted' && !careful) throw new Crash()
            if (step !== 'decide:items-read' || job.crashes > 6) return
            // ...and again when processed singly.
            const [next] = await db.any(
              "select external_listing_id from import_item where job_uid = $1 and status = 'pending' order by uid limit 1",
              [ref.job_uid],
            )
            if (next?.external_listing_id === poison) throw new Crash()
          },
        })
        break
      } catch (error) {
        if (!(error instanceof Crash)) throw error
        crashes++
        await expireLease(ref)
      }
      expect(run).toBeLessThan(20)
    }
    expect(crashes).toBeLessThan(10)
    await expectExactly(
      ref,
      harness.ebay.shop.map((listing) => listing.listing_id),
    )
    expect(await seller.items(ref.job_uid, 'status=failed')).toMatchObject([
      { external_listing_id: poison, error_code: 'internal' },
    ])
  })

  it('by SIGKILL at every step of 500 listings, ends complete', async () => {
    const listings = 500
    harness.ebay.pageSize = 50
    harness.ebay.shop = numberedShop(listings)
    const ref = await createJob()
    const orders = (killAt: ImportStep | null) => ({
      url: harness.server.services.config.DATABASE_URL,
      secretKey: Buffer.alloc(32, 7).toString('base64'),
      listings,
      pageSize: 50,
      run: ref,
      killAt,
      occurrence: 1,
    })
    const phases: [ImportStep[], () => Promise<unknown>][] = [
      [importSteps.filter((step) => !step.startsWith('action:')), async () => {}],
      [
        importSteps.filter((step) => step.startsWith('action:')),
        async () => {
          // The children's shop is readable already, so failures are made here to be retried there.
          await harness.server.services.db.none(
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
        },
      ],
    ]
    for (const [steps, prepare] of phases) {
      await prepare()
      for (const step of steps) {
        expect(await runToEnd(orders(step)), step).toEqual({ signal: 'SIGKILL' })
        await expireLease(ref)
      }
      expect(await runToEnd(orders(null))).toEqual({ output: 'done' })
      await expectExactly(
        ref,
        Array.from({ length: listings }, (_, index) => `n-${index}`),
      )
    }
    expect(await seller.job(ref.job_uid)).toMatchObject({ items_failed: 0, items_conflicted: 6, items_imported: 494 })
  }, 900_000)

  it('continues in another worker within 30 s', async () => {
    harness.ebay.shop = numberedShop(60, { healed: true })
    harness.ebay.pageSize = 10
    const ref = await createJob()
    const { services } = harness.server
    const died = await runChild({
      url: services.config.DATABASE_URL,
      secretKey: Buffer.alloc(32, 7).toString('base64'),
      listings: 60,
      pageSize: 10,
      killAt: 'discover:page-stored',
      occurrence: 3,
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
  it.each<ImportStep>([
    'run:claimed',
    'discover:page-read',
    'discover:page-stored',
    'action:marked',
    'action:committed',
  ])('writes nothing more after %s', async (frozenAt) => {
    harness.ebay.pageSize = 10
    harness.ebay.shop = Array.from({ length: 30 }, () => buildListing())
    expect(await freeze(frozenAt.startsWith('action:'), (step) => step === frozenAt)).toBeInstanceOf(LeaseLostError)
  })

  // More rounds: `ROUNDS=10000 npm run vitest -- --project server server/catalog/imports/resume -t "any moment"`.
  it(
    'writes nothing more after any moment',
    async () => {
      const [count, seed] = [rounds(8), Number(process.env.SEED ?? 7)]
      const random = randomFrom(seed)
      const frozen: Record<string, number> = {}
      harness.ebay.pageSize = 2
      for (let round = 0; round < count; ) {
        seller = await harness.seller()
        harness.ebay.shop = Array.from({ length: 5 }, (_, index) => buildListing({ quantity: index === 2 ? 2 : 1 }))
        const waits = random() < 0.3
        // A run of this shop takes some 20 steps, a later start 6.
        let left = Math.floor(random() * (waits ? 6 : 20))
        let at: ImportStep | null = null
        const end = await freeze(waits, (step) => {
          at = step
          return left-- === 0
        }).catch((error: unknown) => {
          throw new Error(`round ${round} of seed ${seed}, at ${at}`, { cause: error })
        })
        if (end === 'ended before') continue
        if (at !== 'finish:completed' && !isDatabaseUnavailable(end)) {
          expect(end, `round ${round} of seed ${seed}, at ${at}`).toBeInstanceOf(LeaseLostError)
        }
        round++
        frozen[at!] = (frozen[at!] ?? 0) + 1
      }
      if (process.env.ROUNDS)
        process.stdout.write(`${count} frozen workers, seed ${seed}, none wrote: ${JSON.stringify(frozen)}\n`)
    },
    roundsTimeoutMs(rounds(8), 500),
  )

  /**
   * Freezes a worker when `when` returns true, lets its lease end and another worker finish, and wakes it. It must
   * change nothing. Returns its error, or null if nothing was left to write.
   */
  async function freeze(waits: boolean, when: (step: ImportStep) => boolean): Promise<unknown> {
    const { services } = harness.server
    const ref = await createJob({ auto_start: !waits })
    if (waits) {
      await runImport(services, ref)
      await seller.call('POST', '/api/v1/marketplace/import/start/', { job_uid: ref.job_uid })
    }
    let wake = () => {}
    let frozen = () => {}
    const asleep = new Promise<void>((resolve) => {
      frozen = resolve
    })
    let first = true
    const job = (await claimJob(services.db, ref))!
    const zombie = workOn(services, job, {
      step: async (step) => {
        if (!first || !when(step)) return
        first = false
        frozen()
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      },
    })
    const ended = zombie.then(
      () => null,
      (error: unknown) => error,
    )
    if ((await Promise.race([asleep.then(() => 'frozen' as const), ended.then(() => 'ended')])) !== 'frozen') {
      expect(await ended).toBeNull()
      return 'ended before'
    }
    // PostgreSQL does this to a transaction that idles for ten seconds.
    await services.db.any(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and state = 'idle in transaction'`,
    )
    await expireLease(ref)
    expect(await runImport(services, ref, { sliceMs: 600_000 })).toEqual({ kind: 'done' })
    const before = await snapshot(ref)
    wake()
    const end = await ended
    expect(await snapshot(ref)).toEqual(before)
    await expectExactly(
      ref,
      harness.ebay.shop.map((listing) => listing.listing_id),
    )
    return end
  }

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
      killAt: 'discover:page-stored',
      occurrence: 3,
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
    const { release, lost } = holdLease(services, (await claimJob(services.db, ref))!)
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
