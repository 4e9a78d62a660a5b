import { spawn } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { isDatabaseUnavailable } from '#server/infra/db/index.ts'
import { openJobs } from '#server/infra/jobs/index.ts'
import { randomFrom } from '#server/lab/simulation/random.ts'
import { buildListing } from '#server/testing/listing.ts'
import { rounds, roundsTimeoutMs } from '#server/testing/rounds.ts'
import { claimJob, type JobRef, keepLease, LostLease } from './claim-job.ts'
import { importsJobs } from './jobs.ts'
import { runImport, workOn } from './run-import.ts'
import { type ImportStep, importSteps } from './steps.ts'
import { type ImportHarness, type Seller, startImportHarness } from './testing/harness.ts'
import { numberedShop } from './testing/numbered-shop.ts'

const create = '/api/v1/marketplace/import/jobs/create/'
const child = fileURLToPath(new URL('./testing/worker-child.ts', import.meta.url))

let stand: ImportHarness
let seller: Seller
beforeAll(async () => {
  stand = await startImportHarness({ works: false })
})
afterAll(() => stand?.close())
beforeEach(async () => {
  Object.assign(stand.ebay, { before: () => {}, shop: [], calls: [] })
  seller = await stand.seller()
})

class Crash extends Error {}

async function createJob(given: object = {}): Promise<JobRef> {
  const reply = await seller.call('POST', create, { seller_account_uid: seller.shop, marketplace: 'ebay', ...given })
  return { user_id: seller.account.user_id, job_uid: reply.body.id }
}

/** As if the worker had shown no sign of life for long enough. */
const expireLease = ({ job_uid }: JobRef) =>
  stand.server.services.db.none('update import_job set lease_until = now() - interval $1 where uid = $2', [
    '1 second',
    job_uid,
  ])

/** Works on a job until `dies` says so; what was not committed is gone, and nobody settles anything. */
async function workUntil(ref: JobRef, dies: (step: ImportStep) => boolean): Promise<boolean> {
  const job = await claimJob(stand.server.services.db, ref)
  if (!job) throw new Error('the job is held')
  try {
    await workOn(stand.server.services, job, {
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

/** Every listing of the shop is one import item and, where it was imported, one inventory item. */
async function expectExactly(ref: JobRef, listingIds: string[]): Promise<void> {
  const { db } = stand.server.services
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
  it('at any step, at any of its occurrences, ends with every listing exactly once', async () => {
    stand.ebay.pageSize = 6
    let steps = Number.POSITIVE_INFINITY
    for (let dying = 0; dying < steps; dying++) {
      seller = await stand.seller()
      stand.ebay.shop = Array.from({ length: 20 }, (_, index) =>
        buildListing(index % 5 === 4 ? { sku: `S-${index - 1}` } : { sku: `S-${index}` }),
      )
      const ref = await createJob()
      let passed = 0
      const died = await workUntil(ref, () => passed++ === dying)
      if (!died) steps = dying
      await workUntil(ref, () => false)
      await expectExactly(
        ref,
        stand.ebay.shop.map((listing) => listing.listing_id),
      )
      expect(await seller.job(ref.job_uid)).toMatchObject({ items_imported: 16, items_conflicted: 4 })
    }
    expect(steps).toBeGreaterThan(16)
  })

  it('at any step of one that waited for start ends with every listing exactly once', async () => {
    stand.ebay.pageSize = 6
    let steps = Number.POSITIVE_INFINITY
    for (let dying = 0; dying < steps; dying++) {
      seller = await stand.seller()
      stand.ebay.shop = Array.from({ length: 10 }, (_, index) => buildListing({ quantity: index === 3 ? 2 : 1 }))
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
        stand.ebay.shop.map((listing) => listing.listing_id),
      )
      expect(await seller.job(ref.job_uid)).toMatchObject({ items_imported: 9, items_skipped: 1 })
    }
    expect(steps).toBeGreaterThan(12)
  })

  it('again and again, at every step it comes to, still ends', async () => {
    stand.ebay.pageSize = 6
    stand.ebay.shop = Array.from({ length: 40 }, () => buildListing())
    const ref = await createJob()
    let crashes = 0
    // Lets two steps pass, then dies; the progress that is kept brings it to its end.
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
      stand.ebay.shop.map((listing) => listing.listing_id),
    )
  })

  it('of one listing gives that one up and imports the rest', async () => {
    stand.ebay.pageSize = 50
    stand.ebay.shop = Array.from({ length: 30 }, () => buildListing())
    const poison = stand.ebay.shop[12]!.listing_id
    const ref = await createJob()
    const { db } = stand.server.services
    let crashes = 0
    for (let run = 0; ; run++) {
      const job = (await claimJob(db, ref))!
      const careful = job.crashes > 3
      try {
        await workOn(stand.server.services, job, {
          step: async (step) => {
            // Taken as a page, it kills its worker ...
            if (step === 'discover:listings-inserted' && !careful) throw new Crash()
            if (step !== 'decide:items-read' || job.crashes > 6) return
            // ... and taken one by one, when its turn comes.
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
      stand.ebay.shop.map((listing) => listing.listing_id),
    )
    expect(await seller.items(ref.job_uid, 'status=failed')).toMatchObject([
      { external_listing_id: poison, error_code: 'internal' },
    ])
  })

  it('by SIGKILL, at every named step of 500 listings, ends equal to the marketplace', async () => {
    const listings = 500
    stand.ebay.pageSize = 50
    stand.ebay.shop = numberedShop(listings)
    const ref = await createJob()
    const orders = (killAt: ImportStep | null) => ({
      url: stand.server.services.config.DATABASE_URL,
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
          // The children's shop is healed already, so that failures are made here to be retried there.
          await stand.server.services.db.none(
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

  it('goes on in another worker within 30 s', async () => {
    stand.ebay.shop = numberedShop(60, { healed: true })
    stand.ebay.pageSize = 10
    const ref = await createJob()
    const { services } = stand.server
    const died = await runChild({
      url: services.config.DATABASE_URL,
      secretKey: Buffer.alloc(32, 7).toString('base64'),
      listings: 60,
      pageSize: 10,
      killAt: 'discover:page-stored',
      occurrence: 3,
    })
    expect(died).toEqual({ signal: 'SIGKILL' })
    const jobs = await openJobs({ url: services.config.DATABASE_URL!, works: true, log: services.log, max: 4 })
    try {
      for (const kind of importsJobs({ ...services, jobs })) await jobs.register(kind)
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

describe('a run that gives way to other imports', () => {
  it('reads no page that the next run has to read again', async () => {
    stand.ebay.pageSize = 5
    stand.ebay.shop = Array.from({ length: 20 }, () => buildListing())
    const ref = await createJob()
    let runs = 0
    while ((await runImport(stand.server.services, ref, { sliceMs: 0 })).kind === 'again') {
      if (++runs > 20) throw new Error('it does not get on')
    }
    expect(stand.ebay.calls.filter((call) => call.kind === 'page')).toHaveLength(4)
    await expectExactly(
      ref,
      stand.ebay.shop.map((listing) => listing.listing_id),
    )
  })
})

describe('a worker that was frozen past its lease and wakes', () => {
  it.each<ImportStep>([
    'run:claimed',
    'discover:page-read',
    'discover:page-stored',
    'action:marked',
    'action:committed',
  ])('at %s writes nothing more', async (frozenAt) => {
    stand.ebay.pageSize = 10
    stand.ebay.shop = Array.from({ length: 30 }, () => buildListing())
    expect(await freeze(frozenAt.startsWith('action:'), (step) => step === frozenAt)).toBeInstanceOf(LostLease)
  })

  // `ROUNDS=10000 npm run vitest -- --project server server/catalog/imports/resume -t "any moment"`: as often.
  it(
    'at any moment writes nothing more',
    async () => {
      const [count, seed] = [rounds(20), Number(process.env.SEED ?? 7)]
      const random = randomFrom(seed)
      const frozen: Record<string, number> = {}
      stand.ebay.pageSize = 2
      for (let round = 0; round < count; ) {
        seller = await stand.seller()
        stand.ebay.shop = Array.from({ length: 5 }, (_, index) => buildListing({ quantity: index === 2 ? 2 : 1 }))
        const waits = random() < 0.3
        // A run of this shop takes some 20 steps, of one that waited 6.
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
          expect(end, `round ${round} of seed ${seed}, at ${at}`).toBeInstanceOf(LostLease)
        }
        round++
        frozen[at!] = (frozen[at!] ?? 0) + 1
      }
      if (process.env.ROUNDS)
        process.stdout.write(`${count} frozen workers, seed ${seed}, none wrote: ${JSON.stringify(frozen)}\n`)
    },
    roundsTimeoutMs(rounds(20), 500),
  )

  /**
   * Freezes a worker where `when` says so, lets its lease end and another worker finish, and wakes it: it has to change
   * nothing. Answers what it ended with: null where nothing was left for it to write.
   */
  async function freeze(waits: boolean, when: (step: ImportStep) => boolean): Promise<unknown> {
    const { services } = stand.server
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
    // What the database does by itself with a transaction that idles for ten seconds.
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
      stand.ebay.shop.map((listing) => listing.listing_id),
    )
    return end
  }

  it('a worker that is too busy for ten seconds to show a sign of life keeps its job', async () => {
    const ref = await createJob()
    const { services } = stand.server
    const busy = runChild({
      url: services.config.DATABASE_URL,
      secretKey: Buffer.alloc(32, 7).toString('base64'),
      listings: 60,
      pageSize: 10,
      run: ref,
      killAt: 'discover:page-stored',
      occurrence: 3,
      busyMs: 10_000,
    })
    const holder = () => services.db.one('select lease_epoch, status from import_job where uid = $1', [ref.job_uid])
    await seller.until(holder, ({ lease_epoch }) => lease_epoch > 0)
    let over = false
    const ended = busy.finally(() => {
      over = true
    })
    while (!over) {
      // To be had by somebody else only when nothing is left to do.
      expect((await claimJob(services.db, ref))?.status ?? 'held').toMatch(/held|completed/)
      await delay(200)
    }
    expect(await ended).toEqual({ output: 'busy done' })
    await expectExactly(
      ref,
      Array.from({ length: 60 }, (_, index) => `n-${index}`),
    )
  })

  it('ends when one worker after the other has died over it', async () => {
    const ref = await createJob()
    const { services } = stand.server
    await services.db.none('update import_job set crashes = 25 where uid = $1', [ref.job_uid])
    expect(await runImport(services, ref)).toEqual({ kind: 'done' })
    expect(await services.db.one('select status, error_message from import_job where uid = $1', [ref.job_uid])).toEqual(
      {
        status: 'failed',
        error_message: expect.stringContaining('again and again'),
      },
    )
  })

  it('a sign of life that comes late, when its run is over, keeps nobody out', async () => {
    const ref = await createJob()
    const { services } = stand.server
    vi.useFakeTimers({ toFake: ['setInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const { release, lost } = keepLease(services.db, (await claimJob(services.db, ref))!, services.log)
    await services.db.none('update import_job set lease_until = null where uid = $1', [ref.job_uid])
    vi.advanceTimersByTime(1_000)
    release()
    await seller.until(
      async () => lost.aborted,
      (isAborted) => isAborted,
    )
    expect(await claimJob(services.db, ref)).not.toBeNull()
  })

  it('leaves a job alone that a living worker has', async () => {
    const ref = await createJob()
    const { services } = stand.server
    expect(await claimJob(services.db, ref)).not.toBeNull()
    expect(await claimJob(services.db, ref)).toBeNull()
    expect(await runImport(services, ref)).toEqual({ kind: 'again', afterSeconds: 1 })
  })
})

async function snapshot(ref: JobRef) {
  const { db } = stand.server.services
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

/** On a slow machine a run may be over before its work is. */
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
