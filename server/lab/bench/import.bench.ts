import { createEbayAdapter } from '#server/integrations/ebay/index.ts'
import { createEtsyAdapter } from '#server/integrations/etsy/index.ts'
import type { PlatformAdapter } from '#server/integrations/port.ts'
import { fakePlatform, rateOfBare, rateOfOurs } from './import-rates.ts'
import { type Grant, setImportStage, startImportSandbox } from './import-stage.ts'
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
    const rates = {
      ours: await rateOfOurs(services, adapter, shop, grant),
      theirs: await rateOfBare(services, adapter, shop, grant),
    }
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
  const small = 1 / (await rateOfOurs(services, fakePlatform(count), { external_id: 'small' }, null))
  globalThis.gc?.()
  const idle = process.memoryUsage().rss
  let peak = idle
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }, 20)
  const big = 1 / (await rateOfOurs(services, fakePlatform(count * 10), { external_id: 'big' }, null))
  clearInterval(watch)
  const [ratio, megabytes] = [big / small, (peak - idle) / 1e6]
  const missed = ratio > 1.3 || megabytes > 150
  failed ||= missed
  console.log(
    `${count * 10} listings: ${ratio.toFixed(2)} times the time each (wanted: 1.3), ${megabytes.toFixed(0)} MB above idle (wanted: 150)${missed ? '  MISSED' : ''}`,
  )
}
