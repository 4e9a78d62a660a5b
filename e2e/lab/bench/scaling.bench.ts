import { cpus, loadavg } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { TestAccount } from '#e2e/harness/account.ts'
import { type ServerProcess, startServerProcess, testSecretKey } from '#e2e/harness/server-process.ts'
import { delistChannel } from '#server/selling/listings/operation.ts'
import { setImportStage } from './import-stage.ts'
import { type LoadResult, requestText, runLoad } from './load.ts'
import { backendsOf, processorMs } from './processor-time.ts'
import { createSellers, openMarket } from './sale-stage.ts'
import { median } from './stage.ts'

/**
 * Measures how 1, 2 and 4 API processes and as many workers scale on one PostgreSQL: requests that read, requests that
 * create items, take-downs by the workers on the sandbox platforms, and database connections. The reference is one
 * process of each, measured in the same run. The processes are real ones (`server/main.ts`), with the real limits.
 *
 * PostgreSQL, platforms and load share the machine. Once all its cores are busy, more processes gain nothing; the report
 * says how busy they were and with what. `--processes`, `--rounds`, `--seconds`, `--pool` and `--take-downs` change the load.
 */
const { values } = parseArgs({
  options: {
    processes: { type: 'string', default: '1,2,4' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '5' },
    pool: { type: 'string', default: '10' },
    'take-downs': { type: 'string', default: '800' },
  },
  allowPositionals: true,
})
const counts = values.processes.split(',').map(Number)
const [rounds, seconds, takeDowns] = [Number(values.rounds), Number(values.seconds), Number(values['take-downs'])]
/** Concurrent requests for each API process: more than its pool, so that the pool fills. */
const requestsAtOnce = Number(values.pool) + 6
const sellers = 60

interface Figures {
  reads: number
  creates: number
  takeDowns: number
  connections: number
  /** Share of the machine's processor time that was used, by phase, and by whom. */
  usage: Record<'reads' | 'creates' | 'takeDowns', Usage>
}
interface Usage {
  busy: number
  servers: number
  postgres: number
  platforms: number
  load: number
}

const say = (line: string) => process.stdout.write(`${line}\n`)
const stage = await setImportStage()
const { db } = stage.services
const market = await openMarket({
  sellers,
  itemsEach: Math.ceil((takeDowns * rounds * counts.length) / 2 / sellers) + 1,
  etsy: { perSecond: 1_000_000, perDay: 100_000_000 },
  ebayTradingPerDay: 100_000_000,
})
const { started } = market
const environment = {
  ...{ DATABASE_URL: stage.services.config.DATABASE_URL ?? '', SECRET_KEY: testSecretKey },
  ...{ DATABASE_POOL: values.pool, DATABASE_WORK_POOL: values.pool, ORDER_POLL_SECONDS: '3600' },
  ...{ EBAY_AUTH_URL: started.ebayUrl, EBAY_API_URL: started.ebayUrl, EBAY_APIZ_URL: started.ebayUrl },
  ...{ EBAY_CLIENT_ID: 'Bench', EBAY_CLIENT_SECRET: 'bench', EBAY_RU_NAME: 'Bench' },
  ...{ ETSY_AUTH_URL: started.etsyUrl, ETSY_API_URL: started.etsyUrl },
  ...{ ETSY_CLIENT_ID: 'bench', ETSY_CLIENT_SECRET: 'bench' },
}
const accounts = await createSellers(stage.services, started)
const requests = { reads: await readsOf(accounts), creates: accounts.map(createOf) }

const figures = new Map<number, Figures[]>(counts.map((count) => [count, []]))
try {
  say(`${cpus().length} cores for server processes, PostgreSQL, platforms and load together, which bound the scaling.`)
  say(`Load average before: ${loadavg()[0]?.toFixed(2)}. It should be near 0 for figures that mean something.`)
  say(
    `${rounds} rounds; ${requestsAtOnce} concurrent requests for each API process; pools of ${values.pool} and ${values.pool}.`,
  )
  for (let round = 0; round < rounds; round++) {
    for (const count of round % 2 ? counts.toReversed() : counts) figures.get(count)?.push(await measure(count))
  }
  report()
} finally {
  market.close()
  await stage.close()
}
process.exit(0)

/** Starts as many API processes as workers, and measures them. */
async function measure(count: number): Promise<Figures> {
  const start = (ROLE: 'api' | 'worker') =>
    Promise.all(Array.from({ length: count }, () => startServerProcess({ ...environment, ROLE })))
  const apis = await start('api')
  const workers = await start('worker')
  const servers = [...apis, ...workers]
  const connections = watchConnections()
  try {
    await ordersRead()
    await runAll(apis, requests.reads, 2, 200)
    const reads = await withUsage(servers, () => runAll(apis, requests.reads, seconds, 200))
    const creates = await withUsage(servers, () => runAll(apis, requests.creates, seconds, 201))
    const ended = await withUsage(servers, takeDown)
    return {
      ...{ reads: reads.rate, creates: creates.rate, takeDowns: ended.rate, connections: connections.peak },
      usage: { reads: reads.usage, creates: creates.usage, takeDowns: ended.usage },
    }
  } finally {
    await connections.stop()
    await Promise.all(servers.map((server) => server.end()))
  }
}

/** Sends requests to all API processes at once. Returns how many were answered a second. */
async function runAll(apis: ServerProcess[], texts: string[], forSeconds: number, wanted: number): Promise<number> {
  let turn = 0
  const next = () => texts[turn++ % texts.length] as string
  const results: LoadResult[] = await Promise.all(
    apis.map(({ url }) =>
      runLoad({ port: Number(new URL(url).port), connections: requestsAtOnce, seconds: forSeconds, next }),
    ),
  )
  for (const { statuses } of results) {
    if (Object.keys(statuses).join() !== String(wanted))
      throw new Error(`not only ${wanted}: ${JSON.stringify(statuses)}`)
  }
  return results.reduce((sum, { perSecond }) => sum + perSecond, 0)
}

/** Orders take-downs of live listings at once. Returns how many the workers ended and read back a second. */
async function takeDown(): Promise<number> {
  const startedMs = performance.now()
  const { count: ordered } = await db.one<{ count: number }>(
    `with live as (
       select user_id, item_uid, platform, seller_account_uid, listing_id from channel_listing
       where state = 'available' order by listing_id desc limit $<takeDowns>
     ),
     ordered as (
       insert into listing_operation (user_id, kind, item_uid, platform, seller_account_uid, listing_id, cause, priority, seen_at)
       select user_id, 'delist', item_uid, platform, seller_account_uid, listing_id, 'user', 1, now() from live
       returning user_id
     )
     select count(*)::integer as count, pg_notify($<channel>, '') from ordered`,
    { takeDowns, channel: delistChannel },
  )
  if (ordered !== takeDowns) throw new Error(`only ${ordered} listings were left`)
  for (;;) {
    const { open } = await db.one<{ open: number }>(
      "select count(*)::integer as open from listing_operation where kind = 'delist' and state = 'open'",
    )
    if (open === 0) return ordered / ((performance.now() - startedMs) / 1_000)
    await delay(50)
  }
}

/** Waits until the workers have read the orders of every shop once. */
async function ordersRead(): Promise<void> {
  for (;;) {
    const { left } = await db.one<{ left: number }>(
      `select count(*)::integer as left from seller_account shop where not exists (
         select from order_sync sync where sync.user_id = shop.user_id and sync.seller_account_uid = shop.uid
           and sync.last_success_at is not null)`,
    )
    if (left === 0) return
    await delay(250)
  }
}

/** Counts the servers' connections every 100 ms until it is stopped. */
function watchConnections() {
  const stopping = new AbortController()
  const watched = {
    peak: 0,
    async stop() {
      stopping.abort()
      await watching
    },
  }
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      const { count } = await db.one<{ count: number }>(
        "select count(*)::integer as count from pg_stat_activity where backend_type = 'client backend' and application_name <> 'hapax-bench'",
      )
      watched.peak = Math.max(watched.peak, count)
      await delay(100)
    }
  })()
  return watched
}

/** Measures a rate, and who used the processors meanwhile. */
async function withUsage(
  servers: ServerProcess[],
  run: () => Promise<number>,
): Promise<{ rate: number; usage: Usage }> {
  const used = async () => ({
    servers: processorMs(servers.map(({ pid }) => pid)) ?? 0,
    postgres: processorMs(await backendsOf(db)) ?? 0,
    platforms: processorMs([market.pid]) ?? 0,
    load: processorMs([process.pid]) ?? 0,
    busy: busyMs(),
  })
  const before = await used()
  const startedMs = performance.now()
  const rate = await run()
  const wholeMs = (performance.now() - startedMs) * cpus().length
  const after = await used()
  const share = (name: keyof Usage) => Math.max(0, after[name] - before[name]) / wholeMs
  return {
    rate,
    usage: {
      ...{ busy: share('busy'), servers: share('servers'), postgres: share('postgres') },
      ...{ platforms: share('platforms'), load: share('load') },
    },
  }
}

/** Returns the time that all cores together were busy, in ms. */
function busyMs(): number {
  return cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0)
}

/** Returns requests of the inventory's first page, of an item, and of a token's validation, in turn. */
async function readsOf(all: TestAccount[]): Promise<string[]> {
  const items = await db.any<{ user_id: number; uid: string }>(
    'select user_id, min(uid) as uid from inventory_item group by user_id',
  )
  const itemOf = new Map(items.map(({ user_id, uid }) => [user_id, uid]))
  return all.flatMap(({ user_id, key, bearer }) => [
    requestText('GET', '/api/v1/inventory/', key),
    requestText('GET', `/api/v1/inventory/${itemOf.get(user_id)}/`, key),
    requestText('GET', '/api/auth/validate/', bearer),
  ])
}

function createOf({ key }: TestAccount): string {
  return requestText('POST', '/api/v1/inventory/', key, {
    title: 'Vintage wool coat, forest green, size M',
    description: 'A lovely coat, worn twice and kept in a dry cupboard. '.repeat(6),
    images: ['https://pictures.example.com/1.jpg', 'https://pictures.example.com/2.jpg'],
    condition: { label: 'Good', notes: 'A small mend at the left cuff.' },
    offer: { price_minor: 8_500, currency: 'USD' },
    attributes: { brand: 'Marimekko', size: 'M', colors: ['green'] },
  })
}

function report(): void {
  const base = figures.get(counts[0] as number) ?? []
  for (const [count, measured] of figures) {
    say(`\n${count} API ${count === 1 ? 'process' : 'processes'}, as many workers`)
    for (const [name, label] of [
      ['reads', 'reads a second (page of items, item, token)'],
      ['creates', 'items created a second'],
      ['takeDowns', 'take-downs a second, read back'],
    ] as const) {
      const ofThis = measured.map((each) => each[name])
      const ratio = median(ofThis) / median(base.map((each) => each[name]))
      const use = (of: keyof Usage) => Math.round(100 * median(measured.map(({ usage }) => usage[name][of])))
      const cost = (of: 'servers' | 'postgres') =>
        median(measured.map((each) => (each.usage[name][of] * cpus().length * 1_000) / each[name])).toFixed(1)
      const own = use('servers') + use('postgres') + use('platforms') + use('load')
      say(`  ${label}: ${median(ofThis).toFixed(0)} (${range(ofThis)}), ${ratio.toFixed(2)} times ${counts[0]}`)
      say(
        `    cores ${use('busy')} % busy: servers ${use('servers')}, PostgreSQL ${use('postgres')}, platforms ${use('platforms')}, load ${use('load')}, anything else ${Math.max(0, use('busy') - own)}`,
      )
      say(`    processor time of each: servers ${cost('servers')} ms, PostgreSQL ${cost('postgres')} ms`)
    }
    const peaks = measured.map(({ connections }) => connections)
    say(
      `  connections at peak: ${Math.max(...peaks)} (${range(peaks)}), ${(Math.max(...peaks) / (2 * count)).toFixed(1)} a process`,
    )
  }
}

function range(some: number[]): string {
  return `${Math.min(...some).toFixed(0)} to ${Math.max(...some).toFixed(0)}`
}
