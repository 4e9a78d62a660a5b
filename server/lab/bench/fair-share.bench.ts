import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createJob } from '#server/catalog/imports/create-job.ts'
import { readJob } from '#server/catalog/imports/read-jobs.ts'
import { storeConnection } from '#server/integrations/connections/store-connection.ts'
import type { PlatformAdapter } from '#server/integrations/port.ts'
import { type RunningHapax, startHapax } from '#server/main.ts'
import { buildAccount } from '#server/testing/account.ts'
import { createFakeAdapter } from '#server/testing/fake-adapter.ts'
import { buildListing } from '#server/testing/listing.ts'
import { randomBase62 } from '#shared/identity.ts'
import type { OAuthSlug } from '#shared/platforms.ts'
import { type Grant, startImportSandbox } from './import-stage.ts'
import { median } from './stage.ts'

/**
 * Runs one seller's import of 100,000 listings beside small imports of other sellers, in the whole server with its
 * queue. Listings come from Etsy with Etsy's limits, and from pages in memory without limits. A small import starts
 * every few seconds until the large one ends, or for at most `longestSeconds`. Wanted: each starts within 5 s and ends
 * within 15 s. The reference is small imports alone. LISTINGS sets the size of the large shop.
 */
const count = Number(process.env.LISTINGS ?? 100_000)
const smallCount = 36
const alone = 3
const beside = 12
const longestSeconds = 75
const [firstMs, everyMs] = [500, 4_000]
const wanted = { startSeconds: 5, endSeconds: 15 }

interface Shop {
  external_id: string
  grant: Grant
}
interface Scenario {
  name: string
  slug: OAuthSlug
  big: Shop
  small: Shop[]
}

let failed = false
const directory = await mkdtemp(join(tmpdir(), 'hapax-bench-'))
const sandbox = startImportSandbox({
  count,
  etsyLimits: { perSecond: 10, perDay: 10_000 },
  small: { shops: alone + beside, count: smallCount },
})
let hapax: RunningHapax | null = null
try {
  const platforms = await sandbox.started
  hapax = await startHapax(
    {
      PORT: '0',
      DATA_DIR: directory,
      LOG_LEVEL: 'error',
      SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      PLATFORM_LIMITS: 'documented',
      ETSY_CLIENT_ID: 'bench',
      ETSY_CLIENT_SECRET: 'bench',
      ETSY_AUTH_URL: platforms.etsy.url,
      ETSY_API_URL: platforms.etsy.url,
    },
    { logFile: join(directory, 'hapax.log') },
  )
  // Its workers share this map.
  const adapters = hapax.services.platforms as Map<OAuthSlug, PlatformAdapter>
  adapters.set('ebay', pagesFromMemory())
  await measure(hapax, {
    name: 'pages from memory, no limits',
    slug: 'ebay',
    big: inMemory('big'),
    small: Array.from({ length: alone + beside }, (_, index) => inMemory(`small-${index}`)),
  })
  await measure(hapax, {
    name: "sandbox Etsy, Etsy's limits",
    slug: 'etsy',
    big: { external_id: String(platforms.etsy.shopId), grant: platforms.etsy.grant },
    small: platforms.small.map(({ shopId, grant }) => ({ external_id: String(shopId), grant })),
  })
} finally {
  sandbox.close()
  await hapax?.close()
  await rm(directory, { recursive: true, force: true })
}
process.exit(failed ? 1 : 0)

async function measure(running: RunningHapax, scenario: Scenario): Promise<void> {
  const { services } = running
  const reference = []
  for (const shop of scenario.small.slice(0, alone)) reference.push(await importSmall(running, scenario.slug, shop))

  const large = await begin(running, scenario.slug, scenario.big)
  const startedMs = performance.now()
  const times: Times[] = []
  let job = await readJob(services.db, large)
  const smalls: Promise<void>[] = []
  for (const [index, shop] of scenario.small.slice(alone).entries()) {
    await pause(index === 0 ? firstMs : everyMs)
    job = await readJob(services.db, large)
    if (job.status === 'completed' || performance.now() - startedMs > longestSeconds * 1_000) break
    smalls.push(importSmall(running, scenario.slug, shop).then((taken) => void times.push(taken)))
  }
  await Promise.all(smalls)
  job = await readJob(services.db, large)
  if (job.status === 'failed') throw new Error(`the large import failed: ${job.error_message}`)

  const seconds = (performance.now() - startedMs) / 1_000
  const slowest = {
    start: Math.max(...times.map(({ start }) => start)),
    end: Math.max(...times.map(({ end }) => end)),
  }
  const missed = times.length === 0 || slowest.start > wanted.startSeconds || slowest.end > wanted.endSeconds
  failed ||= missed
  console.log(
    `${scenario.name}: ${times.length} imports of ${smallCount} beside one of ${count}: started after ${shown(times, 'start')}, ended after ${shown(times, 'end')}; alone ${shown(reference, 'start')} and ${shown(reference, 'end')} (wanted: ${wanted.startSeconds} s and ${wanted.endSeconds} s at most); the large one had ${job.total_listings_found} after ${seconds.toFixed(0)} s and was ${job.status}${missed ? '  MISSED' : ''}`,
  )
}

interface Times {
  /** Seconds after the job was created. */
  start: number
  end: number
}

function shown(times: Times[], which: keyof Times): string {
  if (times.length === 0) return 'none'
  const values = times.map((each) => each[which])
  return `p50 ${median(values).toFixed(1)} s, most ${Math.max(...values).toFixed(1)} s`
}

async function begin({ services }: RunningHapax, slug: OAuthSlug, { external_id, grant }: Shop) {
  const { user_id } = await buildAccount(services.db)
  const { seller_account_uid } = await storeConnection(services, {
    user_id,
    platform: slug,
    shop: { external_id, external_name: external_id, url: 'https://platform.example/shop' },
    grant: { ...grant, expires_in_seconds: 36_000, refresh_expires_in_seconds: null, scopes: [] },
  })
  const { body } = await createJob(services, { user_id, seller_account_uid, marketplace: slug })
  return { user_id, job_uid: body.id }
}

/** Runs a small import and returns its times from the job, which are the database's. */
async function importSmall(running: RunningHapax, slug: OAuthSlug, shop: Shop): Promise<Times> {
  const ref = await begin(running, slug, shop)
  for (;;) {
    const job = await readJob(running.services.db, ref)
    if (job.status === 'failed') throw new Error(`a small import failed: ${job.error_message}`)
    if (job.status === 'completed' && job.started_at && job.completed_at) {
      if (job.total_listings_found !== smallCount) throw new Error(`it found ${job.total_listings_found}`)
      const since = (time: string) => (Date.parse(time) - Date.parse(job.created_at)) / 1_000
      return { start: since(job.started_at), end: since(job.completed_at) }
    }
    await pause(100)
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

function inMemory(external_id: string): Shop {
  return { external_id, grant: { access_token: 'none', refresh_token: randomBase62(8) } }
}

/** Creates an adapter with pages in memory. Only the shop `big` is large. */
function pagesFromMemory(): PlatformAdapter {
  const fake = createFakeAdapter('ebay')
  fake.imports.readPage = async ({ shop }, { cursor }) => {
    const [size, from] = [shop.external_id === 'big' ? count : smallCount, Number(cursor ?? 0)]
    const length = Math.min(100, size - from)
    const listings = Array.from({ length }, (_, index) => {
      const name = `${shop.external_id}-${from + index}`
      return buildListing({ listing_id: name, sku: name, title: `Vintage wool coat ${name}, forest green, size M` })
    })
    const next = from + length
    return { listings, failures: [], nextCursor: next < size ? String(next) : null, total: size }
  }
  return fake
}
