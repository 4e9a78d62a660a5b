import { createJob } from '#server/catalog/imports/create-job.ts'
import { readJob } from '#server/catalog/imports/read-jobs.ts'
import { runImport } from '#server/catalog/imports/run-import.ts'
import { createEbayAdapter } from '#server/integrations/ebay/index.ts'
import { createEtsyAdapter } from '#server/integrations/etsy/index.ts'
import type { PlatformAdapter } from '#server/integrations/port.ts'
import { buildAccount } from '#server/testing/account.ts'
import { createFakeAdapter } from '#server/testing/fake-adapter.ts'
import { buildListing } from '#server/testing/listing.ts'
import { importBare } from './import-bare.ts'
import { connectShop, type Grant, setImportStage, startImportSandbox } from './import-stage.ts'
import { median } from './stage.ts'

/**
 * Imports 10,000 listings with jobs, conflicts and counters. The reference is a bare script that reads the same pages
 * and writes the same rows. Wanted: at least 60 % of its rate. For ten times as many listings, wanted: at most 1.3
 * times the time per listing, and at most 150 MB more memory than idle.
 */
const count = 10_000
const rounds = 3
const wanted = 0.6

const stage = await setImportStage()
const { services } = stage
const { db } = services
const sandbox = startImportSandbox({ count })
let failed = false

try {
  const { etsy, ebay } = await sandbox.started
  await compare('pages from memory', fakePlatform(count), { external_id: 'fake' }, null)
  await compare(
    'sandbox Etsy',
    createEtsyAdapter({
      config: {
        ETSY_CLIENT_ID: 'bench',
        ETSY_CLIENT_SECRET: 'bench',
        ETSY_AUTH_URL: etsy.url,
        ETSY_API_URL: etsy.url,
      },
      fetch,
    }),
    { external_id: String(etsy.shopId) },
    etsy.grant,
  )
  const ebayUrls = { EBAY_AUTH_URL: ebay.url, EBAY_API_URL: ebay.url, EBAY_APIZ_URL: ebay.url }
  await compare(
    'sandbox eBay',
    createEbayAdapter({
      config: { EBAY_CLIENT_ID: 'Bench', EBAY_CLIENT_SECRET: 'bench', EBAY_RU_NAME: 'Bench', ...ebayUrls },
      fetch,
    }),
    { external_id: 'big_shop' },
    ebay.grant,
  )
  await compareSizes()
} finally {
  sandbox.close()
  await stage.close()
}
process.exit(failed ? 1 : 0)

/** Compares our import with the bare script in alternating rounds, each for a new seller. */
async function compare(name: string, adapter: PlatformAdapter, shop: { external_id: string }, grant: Grant | null) {
  const ours: number[] = []
  const theirs: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const rates = { ours: await rateOfOurs(adapter, shop, grant), theirs: await rateOfBare(adapter, shop, grant) }
    // The first round warms up.
    if (round === 0) continue
    ours.push(rates.ours)
    theirs.push(rates.theirs)
  }
  const share = median(ours) / median(theirs)
  const missed = share < wanted
  failed ||= missed
  console.log(
    `${name}: ${median(ours).toFixed(0)} listings/s, bare script ${median(theirs).toFixed(0)}/s: ${(share * 100).toFixed(0)} % (wanted: ${wanted * 100} %)${missed ? '  MISSED' : ''}`,
  )
}

/** Compares the time per listing at ten times the size, and measures the memory. */
async function compareSizes() {
  const small = 1 / (await rateOfOurs(fakePlatform(count), { external_id: 'small' }, null))
  globalThis.gc?.()
  const idle = process.memoryUsage().rss
  let peak = idle
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }, 20)
  const big = 1 / (await rateOfOurs(fakePlatform(count * 10), { external_id: 'big' }, null))
  clearInterval(watch)
  const [ratio, megabytes] = [big / small, (peak - idle) / 1e6]
  const missed = ratio > 1.3 || megabytes > 150
  failed ||= missed
  console.log(
    `${count * 10} listings: ${ratio.toFixed(2)} times the time each (wanted: 1.3), ${megabytes.toFixed(0)} MB above idle (wanted: 150)${missed ? '  MISSED' : ''}`,
  )
}

async function rateOfOurs(
  adapter: PlatformAdapter,
  shop: { external_id: string },
  grant: Grant | null,
): Promise<number> {
  const { user_id } = await buildAccount(db)
  services.platforms = new Map([[adapter.slug, adapter]])
  const seller_account_uid = await connectShop(services, user_id, adapter.slug, shop, grant)
  const startedMs = performance.now()
  const { body } = await createJob(services, { user_id, seller_account_uid, marketplace: adapter.slug })
  while ((await runImport(services, { user_id, job_uid: body.id })).kind === 'again') {}
  const job = await readJob(db, { user_id, job_uid: body.id })
  const seconds = (performance.now() - startedMs) / 1000
  if (job.status !== 'completed') throw new Error(`the import is ${job.status}: ${job.error_message}`)
  await emptyTables()
  return job.total_listings_found / seconds
}

async function rateOfBare(
  adapter: PlatformAdapter,
  shop: { external_id: string },
  grant: Grant | null,
): Promise<number> {
  const { user_id } = await buildAccount(db)
  const seller_account_uid = await connectShop(services, user_id, adapter.slug, shop, grant)
  const access = {
    accessToken: grant?.access_token ?? '',
    shop: { ...shop, external_name: 'big', url: 'https://platform.example/big' },
  }
  const startedMs = performance.now()
  const found = await importBare(db, { user_id, seller_account_uid, platform: adapter.slug }, (cursor) =>
    adapter.imports.readPage(access, { states: ['active'], cursor }),
  )
  const seconds = (performance.now() - startedMs) / 1000
  await emptyTables()
  return found / seconds
}

/** Empties the tables, so that all rounds start equal. */
async function emptyTables(): Promise<void> {
  await db.none('truncate import_job, import_item, inventory_item, channel_listing, inventory_history cascade')
  await db.none('vacuum analyze')
}

function fakePlatform(size: number): PlatformAdapter {
  const fake = createFakeAdapter('ebay')
  fake.pageSize = 100
  const pages = Math.ceil(size / fake.pageSize)
  // Create listings page by page, so that the measured memory is the worker's.
  fake.imports.readPage = async (_access, { cursor }) => {
    const page = Number(cursor ?? 0)
    const listings = Array.from({ length: fake.pageSize }, (_, index) => {
      const number = page * fake.pageSize + index
      return buildListing({
        listing_id: `m-${number}`,
        title: `Vintage wool coat number ${number}, forest green, size M`,
        description: `<p>${'A lovely coat, worn twice and kept in a dry cupboard. '.repeat(12)}</p>`,
        sku: `M-${number % 100 === 99 ? number - 1 : number}`,
        brand: 'Marimekko',
        size: 'M',
        images: Array.from(
          { length: 6 },
          (_, picture) => `https://i.ebayimg.com/images/g/${number}-${picture}/s-l1600.jpg`,
        ),
      })
    })
    return { listings, failures: [], nextCursor: page + 1 < pages ? String(page + 1) : null, total: size }
  }
  return fake
}
