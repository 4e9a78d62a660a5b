import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFrozenDatabase, type FrozenDatabase } from '#e2e/harness/database/database.ts'
import { closeDatabase, openDatabase } from '#server/infra/db/index.ts'
import type { Priority, QuotaPlan } from './plans.ts'
import { createQuota, type Quota, type QuotaKey } from './quota.ts'

let database: FrozenDatabase
const closing: (() => unknown)[] = []
beforeEach(async () => {
  database = await createFrozenDatabase()
})
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
  await database.drop()
})

const keyOf = (shop: string): QuotaKey => ({ platform: 'etsy', app: 'app', shop })
const quotaOf = (plan: QuotaPlan): Quota => createQuota({ db: database.db, plans: { etsy: plan } })

/** Takes single calls until none is granted. Returns their number and the final wait. */
async function takeAll(quota: Quota, priority: Priority, shop = 'a', most = 1_000) {
  let taken = 0
  for (; taken < most; taken++) {
    const { granted, waitMs } = await quota.take(keyOf(shop), priority)
    if (granted === 0) return { taken, waitMs }
  }
  return { taken, waitMs: 0 }
}

/** Returns the maximum number of times in any window of this length. */
function busiest(times: number[], windowMs: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return Math.max(...sorted.map((start, index) => sorted.slice(index).filter((time) => time < start + windowMs).length))
}

interface Taker {
  quota: Quota
  shop: string
  /** Start on the database's clock. */
  fromMs: number
}

/**
 * Runs takers concurrently for a time on the database's clock. Each waits as long as its refusals say. Returns the
 * times of each taker's granted calls.
 */
async function takeOn(takers: Taker[], milliseconds: number): Promise<number[][]> {
  const stepMs = 20
  const times: number[][] = takers.map(() => [])
  const nextMs = takers.map(({ fromMs }) => fromMs)
  for (let ms = 0; ms < milliseconds; ms += stepMs) {
    await Promise.all(
      takers.map(async ({ quota, shop }, index) => {
        if ((nextMs[index] as number) > ms) return
        const { granted, waitMs } = await quota.take(keyOf(shop), 'bulk')
        if (granted > 0) times[index]?.push(ms)
        nextMs[index] = ms + (granted > 0 ? 0 : waitMs)
      }),
    )
    await database.advance(stepMs)
  }
  return times
}

async function takeInProcesses(count: number, plan: QuotaPlan): Promise<number[]> {
  const script = fileURLToPath(new URL('./testing/take-many.ts', import.meta.url))
  const runs = Array.from({ length: count }, () =>
    promisify(execFile)(process.execPath, [script, database.url, JSON.stringify(plan)]),
  )
  return (await Promise.all(runs)).map(({ stdout }) => Number(stdout))
}

const daySlots = 24 * 4 + 1

describe('a clock that goes back', () => {
  it('takes no call from the limits per second', async () => {
    const quota = quotaOf({ perSecond: 10, perShop: { calls: 300, seconds: 15 } })
    expect((await quota.take(keyOf('a'), 'delist')).granted).toBe(1)
    await database.advance(-3_600_000)
    await takeAll(quota, 'delist')
    const { waitMs } = await takeAll(quota, 'delist')
    expect(waitMs).toBeLessThan(10_000)
  })
})

describe('a daily budget', () => {
  it('is granted exactly over several processes', async () => {
    const granted = await takeInProcesses(3, { perDay: 1_000 })
    expect(granted.reduce((sum, each) => sum + each)).toBe(400)
    const { used } = await database.db.one("select sum(used)::int as used from platform_quota_slot where shop = ''")
    expect(used).toBe(400)
  })

  it('is granted exactly over concurrent connections', async () => {
    const results = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const db = openDatabase({ url: database.url, max: 1 })
        closing.push(() => closeDatabase(db))
        return takeAll(createQuota({ db, plans: { etsy: { perDay: 200 } } }), 'delist', '')
      }),
    )
    expect(results.reduce((sum, { taken }) => sum + taken, 0)).toBe(200)
  })

  it('keeps a part for each kind of more urgent work', async () => {
    const quota = quotaOf({ perDay: 1_000 })
    const taken: [Priority, number][] = []
    for (const priority of ['details', 'bulk', 'list', 'screen', 'orders', 'sale'] as const) {
      taken.push([priority, (await takeAll(quota, priority, '')).taken])
    }
    expect(taken).toEqual([
      ['details', 350],
      ['bulk', 50],
      ['list', 100],
      ['screen', 50],
      ['orders', 300],
      ['sale', 50],
    ])
    const last = await takeAll(quota, 'delist', '')
    expect(last.taken).toBe(100)
    // All calls are in one slot of 15 minutes, which is free again 24 hours after its end.
    expect(last.waitMs).toBeGreaterThan(23.9 * 3_600_000)
    expect(last.waitMs).toBeLessThanOrEqual(24 * 3_600_000)
  })

  it.each([
    { busy: ['delist'], next: 'delist', left: 0 },
    { busy: ['orders'], next: 'delist', left: 150 },
    { busy: ['orders'], next: 'details', left: 0 },
    { busy: ['details', 'bulk'], next: 'orders', left: 450 },
    { busy: ['screen', 'list'], next: 'orders', left: 300 },
    { busy: ['screen', 'list'], next: 'details', left: 0 },
  ] as const)('leaves $left of 1,000 for $next after $busy', async ({ busy, next, left }) => {
    const quota = quotaOf({ perDay: 1_000 })
    for (const priority of busy) await takeAll(quota, priority, '')
    expect((await takeAll(quota, next, '')).taken).toBe(left)
  })

  it('keeps no more for work that has had its part', async () => {
    const quota = quotaOf({ perDay: 1_000 })
    expect((await quota.take(keyOf(''), 'orders', 300)).granted).toBe(300)
    // The readings were made, so the imports have the same part as without them.
    expect((await takeAll(quota, 'details', '')).taken).toBe(350)
  })

  it('keeps a larger part for orders where a plan says so', async () => {
    const quota = quotaOf({ perDay: 1_000, orders: 0.5 })
    expect((await takeAll(quota, 'bulk', '')).taken).toBe(200)
  })

  it.each(['details', 'bulk', 'list', 'screen', 'orders', 'sale', 'delist'] as const)(
    'leaves calls of priority %s to shops that come later',
    async (priority) => {
      const quota = quotaOf({ perDay: 200 })
      const first = (await takeAll(quota, priority, 'a')).taken
      const second = (await takeAll(quota, priority, 'b')).taken
      expect(second).toBeGreaterThan(first / 5)
      expect((await takeAll(quota, priority, 'c')).taken).toBeGreaterThan(0)
      expect((await takeAll(quota, priority, 'd')).taken).toBeGreaterThan(0)
    },
  )

  it('counts a shop’s imports apart from its order reads', async () => {
    const quota = quotaOf({ perDay: 200 })
    await takeAll(quota, 'details', 'a')
    await takeAll(quota, 'list', 'a')
    expect((await takeAll(quota, 'orders', 'a')).taken).toBeGreaterThan(40)
    expect((await takeAll(quota, 'delist', 'a')).taken).toBeGreaterThan(20)
  })

  it('tells a shop when its own calls of a kind are a day old', async () => {
    await database.db.none(
      `insert into platform_quota_slot (platform, app, shop, slot, used, priority)
       select 'etsy', 'app', shop, date_bin('15 minutes', now() - interval '20 hours', '2000-01-01'), 75, 'delist'
       from unnest(array['', 'a']) as shop`,
    )
    const { granted, waitMs } = await quotaOf({ perDay: 100 }).take(keyOf('a'), 'delist')
    expect(granted).toBe(0)
    expect(waitMs).toBeGreaterThan(4 * 3_600_000)
    expect(waitMs).toBeLessThanOrEqual(4.25 * 3_600_000)
  })

  it('counts the calls of the last 24 hours', async () => {
    await database.db.none(
      `insert into platform_quota_slot (platform, app, shop, slot, used)
       select 'etsy', 'app', '', date_bin('15 minutes', now() - make_interval(mins => minutes), '2000-01-01'), used
       from (values (23 * 60, 30), (24 * 60 + 20, 500)) as past (minutes, used)`,
    )
    const quota = quotaOf({ perDay: 100 })
    const { taken, waitMs } = await takeAll(quota, 'delist', '')
    expect(taken).toBe(70)
    expect(waitMs).toBeGreaterThan(60 * 60_000)
    expect(waitMs).toBeLessThanOrEqual(75 * 60_000)
  })

  it('deletes old slots', async () => {
    await database.db.none(
      `insert into platform_quota_slot (platform, app, shop, slot, used)
       select 'etsy', 'app', 'a', date_bin('15 minutes', now(), '2000-01-01') - make_interval(mins => 15 * n), 1
       from generate_series(1, 300) n`,
    )
    await quotaOf({ perDay: 1_000 }).take(keyOf('a'), 'bulk')
    const { count } = await database.db.one('select count(*)::int as count from platform_quota_slot')
    expect(count).toBeLessThanOrEqual(daySlots + 6)
  })

  it('grants a part of a request for several calls', async () => {
    const quota = quotaOf({ perDay: 100 })
    expect(await quota.take(keyOf(''), 'delist', 95)).toEqual({ granted: 95, waitMs: 0 })
    expect(await quota.take(keyOf(''), 'delist', 95)).toEqual({ granted: 5, waitMs: 0 })
    expect((await quota.take(keyOf(''), 'delist', 95)).granted).toBe(0)
  })
})

describe('a budget per second', () => {
  it('holds in every second over concurrent connections', async () => {
    const takers = Array.from({ length: 12 }, (_, index) => {
      const db = openDatabase({ url: database.url, max: 1 })
      closing.push(() => closeDatabase(db))
      return { quota: createQuota({ db, plans: { etsy: { perSecond: 40 } } }), shop: `shop-${index % 3}`, fromMs: 0 }
    })
    const times = (await takeOn(takers, 4_000)).flat()
    expect(busiest(times, 1_000)).toBeLessThanOrEqual(40)
    expect(times.length).toBeGreaterThan(4 * 40 * 0.8)
  })

  it('is shared fairly between shops', async () => {
    const quota = quotaOf({ perSecond: 40 })
    const hogs = Array.from({ length: 30 }, () => ({ quota, shop: 'hog', fromMs: 0 }))
    const times = await takeOn([...hogs, { quota, shop: 'newcomer', fromMs: 1_000 }], 3_000)
    const newcomer = times.pop() as number[]
    const hog = times.flat().filter((ms) => ms >= 1_000)
    expect((newcomer[0] as number) - 1_000).toBeLessThan(500)
    expect(newcomer.length / hog.length).toBeGreaterThan(0.7)
    expect(newcomer.length / hog.length).toBeLessThan(1.4)
  })

  it('gives one shop the rest but serves others at once', async () => {
    const quota = quotaOf({ perSecond: 10 })
    const [stepMs, milliseconds, everyMs] = [20, 12_000, 4_000]
    const taken: number[] = []
    const waits: number[] = []
    let [nextMs, askedMs] = [0, -1]
    for (let ms = 0; ms < milliseconds; ms += stepMs) {
      if (ms % everyMs === 0) askedMs = ms
      const small = askedMs >= 0 ? await quota.take(keyOf(`small-${askedMs}`), 'bulk') : null
      if (small && small.granted > 0) {
        waits.push(ms - askedMs)
        taken.push(ms)
        askedMs = -1
      }
      if (ms >= nextMs) {
        const { granted, waitMs } = await quota.take(keyOf('large'), 'bulk')
        if (granted > 0) taken.push(ms)
        nextMs = ms + (granted > 0 ? 0 : waitMs)
      }
      await database.advance(stepMs)
    }
    expect(Math.max(...waits)).toBeLessThanOrEqual(200)
    expect(busiest(taken, 1_000)).toBeLessThanOrEqual(10)
    // One shop may use three quarters; some calls stay reserved for recent shops.
    expect(taken.length).toBeGreaterThan((milliseconds / 1_000) * 10 * 0.6)
  })

  it('reserves a part of a burst for higher priorities', async () => {
    const quota = quotaOf({ perSecond: 400 })
    expect((await quota.take(keyOf(''), 'bulk', 100)).granted).toBe(14)
    const ofShop = quotaOf({ perShop: { calls: 100, seconds: 1_000 } })
    expect((await ofShop.take(keyOf('a'), 'bulk', 100)).granted).toBe(2)
    expect((await ofShop.take(keyOf('a'), 'delist', 100)).granted).toBe(1)
  })

  it('serves a waiting seller before the reads of 80 shops', async () => {
    const quota = quotaOf({ perSecond: 10 })
    const readers = Array.from({ length: 80 }, (_, index) => ({ shop: `shop-${index}`, nextMs: 0, reads: 0 }))
    const waits: number[] = []
    const [stepMs, milliseconds] = [20, 5_000]
    let [askedMs, screenMs] = [0, 1_000]
    for (let ms = 0; ms < milliseconds; ms += stepMs) {
      // The readers come first, as often as their waits allow.
      await Promise.all(
        readers.map(async (reader) => {
          if (reader.nextMs > ms) return
          const { granted, waitMs } = await quota.take(keyOf(reader.shop), 'orders')
          if (granted > 0) reader.reads++
          reader.nextMs = ms + (granted > 0 ? 0 : waitMs)
        }),
      )
      if (ms >= screenMs) {
        const { granted, waitMs } = await quota.take(keyOf(''), 'screen')
        if (granted > 0) {
          waits.push(ms - askedMs)
          askedMs = ms + 500
        }
        screenMs = granted > 0 ? askedMs : ms + waitMs
      } else if (screenMs === 1_000) askedMs = 1_000
      await database.advance(stepMs)
    }
    expect(waits.length).toBeGreaterThan(4)
    expect(Math.max(...waits)).toBeLessThanOrEqual(200)
    // The readers get the rest.
    expect(readers.reduce((sum, { reads }) => sum + reads, 0)).toBeGreaterThan(20)
  })

  it('serves the higher priority first', async () => {
    const quota = quotaOf({ perSecond: 3 })
    await takeAll(quota, 'delist')
    await database.advance(500)
    const [bulk, delist] = await Promise.all([quota.take(keyOf('a'), 'bulk'), quota.take(keyOf('b'), 'delist')])
    expect([bulk.granted, delist.granted]).toEqual([0, 1])
  })

  it('works for one call per second', async () => {
    const quota = quotaOf({ perSecond: 1 })
    expect((await quota.take(keyOf('a'), 'bulk')).granted).toBe(1)
    const { granted, waitMs } = await quota.take(keyOf('a'), 'bulk')
    expect(granted).toBe(0)
    expect(waitMs).toBeGreaterThan(900)
  })
})

describe('a budget per shop', () => {
  it('holds in every window and does not affect other shops', async () => {
    const quota = quotaOf({ perShop: { calls: 100, seconds: 2 } })
    const takers = Array.from({ length: 3 }, () => ({ quota, shop: 'a', fromMs: 0 }))
    const times = (await takeOn(takers, 4_000)).flat()
    expect(busiest(times, 2_000)).toBeLessThanOrEqual(100)
    expect(times.length).toBeGreaterThan(4 * 50 * 0.8)
    expect((await quota.take(keyOf('b'), 'bulk', 4)).granted).toBe(2)
  })
})

describe('limits that the platform reports', () => {
  it('block all processes for exactly the reported time', async () => {
    const other = openDatabase({ url: database.url, max: 2 })
    closing.push(() => closeDatabase(other))
    const [one, two] = [quotaOf({}), createQuota({ db: other, plans: { etsy: {} } })]
    await one.block(keyOf(''), 400)
    const refused = await two.take(keyOf('a'), 'delist')
    expect(refused.granted).toBe(0)
    expect(refused.waitMs).toBe(400)
    await database.advance(399)
    expect((await two.take(keyOf('a'), 'delist')).granted).toBe(0)
    await database.advance(1)
    expect((await two.take(keyOf('a'), 'delist')).granted).toBe(1)
  })

  it('block one shop only', async () => {
    const quota = quotaOf({})
    await quota.block(keyOf('a'), 5_000)
    expect((await quota.take(keyOf('a'), 'bulk')).granted).toBe(0)
    expect((await quota.take(keyOf('b'), 'bulk')).granted).toBe(1)
  })

  it('block longer each time without a time, until a success', async () => {
    const quota = quotaOf({})
    const waits: number[] = []
    for (let each = 0; each < 3; each++) {
      await quota.block(keyOf(''), null)
      waits.push((await quota.take(keyOf('a'), 'bulk')).waitMs)
    }
    expect(waits.map((ms) => Math.round(ms / 1000))).toEqual([1, 2, 4])
    await quota.record(keyOf(''), { perSecond: 10, perDay: 1_000, remainingToday: 1_000 })
    await quota.block(keyOf(''), null)
    const { refusals } = await database.db.one('select refusals from platform_quota')
    expect(refusals).toBe(1)
  })

  it('take precedence over documented ones', async () => {
    const quota = quotaOf({ perDay: 10_000 })
    await quota.record(keyOf(''), { perSecond: null, perDay: 50, remainingToday: 50 })
    expect((await takeAll(quota, 'delist', '')).taken).toBe(50)
  })

  it('add calls of other applications once', async () => {
    const quota = quotaOf({ perDay: 100 })
    await quota.take(keyOf('a'), 'bulk', 10)
    const reported = { perSecond: null, perDay: 100, remainingToday: 60 }
    await Promise.all([quota.record(keyOf(''), reported), quotaOf({}).record(keyOf(''), reported)])
    expect((await takeAll(quota, 'delist', '')).taken).toBe(60)
  })

  it('hold for each shop once the platform counts its token by itself', async () => {
    const quota = quotaOf({ perDay: 2_000 })
    await quota.take(keyOf('a'), 'delist', 600)
    await quota.take(keyOf('b'), 'delist', 900)
    const report = (shop: string, remainingToday: number) =>
      quotaOf({ perDay: 2_000 }).record(keyOf(shop), { perSecond: null, perDay: 2_000, remainingToday })
    const left = async (shop: string) => (await quota.take(keyOf(shop), 'delist', 5_000)).granted
    // The platform counted the calls of both: one budget.
    await report('a', 500)
    expect(await left('')).toBe(500)
    // It counted only the calls of this one: 1,100 of its 2,000.
    await report('a', 900)
    expect(await left('a')).toBe(900)
    expect(await left('b')).toBe(1_100)
    expect((await quota.take(keyOf(''), 'delist')).granted).toBe(1)
    // Another use of one shop's token is its own.
    await report('c', 50)
    expect(await left('c')).toBe(50)
    expect(await left('d')).toBe(2_000)
  })

  it('are written if they are new or a second has passed', async () => {
    let now = 0
    const quota = createQuota({ db: database.db, plans: {}, clock: () => now })
    const record = (remainingToday: number) => quota.record(keyOf(''), { perSecond: null, perDay: 100, remainingToday })
    const used = async () =>
      (await database.db.one('select coalesce(sum(used), 0)::int as used from platform_quota_slot')).used
    await record(90)
    await record(50)
    expect(await used()).toBe(10)
    now = 1_000
    await record(50)
    expect(await used()).toBe(50)
  })
})

describe('take', () => {
  it('needs no query until the platform reports limits', async () => {
    const dead = openDatabase({ url: 'postgresql://nobody@127.0.0.1:1/none', max: 1 })
    closing.push(() => closeDatabase(dead))
    expect(await createQuota({ db: dead, plans: {} }).take(keyOf('a'), 'bulk', 9)).toEqual({ granted: 9, waitMs: 0 })
    const quota = createQuota({ db: database.db, plans: {} })
    await quota.record(keyOf('a'), { perSecond: 10, perDay: 100, remainingToday: 20 })
    expect((await quota.take(keyOf('a'), 'bulk')).granted).toBe(0)
  })

  it('needs at most two statements for 100 concurrent calls', async () => {
    const statements: string[] = []
    const watched = new Proxy(database.db, {
      get(target, name, receiver) {
        const value: unknown = Reflect.get(target, name, receiver)
        if (name !== 'many' || typeof value !== 'function') return value
        return (...parameters: unknown[]) => {
          statements.push('many')
          return value.apply(target, parameters)
        }
      },
    })
    const quota = createQuota({ db: watched, plans: { etsy: { perDay: 1_000 } } })
    const grants = await Promise.all(Array.from({ length: 100 }, () => quota.take(keyOf('a'), 'bulk')))
    expect(grants.every(({ granted }) => granted === 1)).toBe(true)
    expect(statements.length).toBeLessThanOrEqual(2)
  })

  it('fails with the database’s error, also when repeated', async () => {
    const dead = openDatabase({ url: 'postgresql://nobody@127.0.0.1:1/none', max: 1 })
    closing.push(() => closeDatabase(dead))
    const quota = createQuota({ db: dead, plans: { etsy: {} } })
    await expect(quota.take(keyOf('a'), 'bulk')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    await expect(quota.take(keyOf('a'), 'bulk')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })
})
