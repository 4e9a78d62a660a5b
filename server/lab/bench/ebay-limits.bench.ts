import { createJob } from '#server/catalog/imports/create-job.ts'
import { readJob } from '#server/catalog/imports/read-jobs.ts'
import { runImport } from '#server/catalog/imports/run-import.ts'
import { createEbayAdapter } from '#server/integrations/ebay/index.ts'
import { callOf } from '#server/integrations/quota/calls.ts'
import { createQuota } from '#server/integrations/quota/quota.ts'
import { quotaFetch } from '#server/integrations/quota/quota-fetch.ts'
import { buildAccount } from '#server/testing/account.ts'
import { connectShop, setImportStage, startImportSandbox } from './import-stage.ts'

/**
 * Imports 10,000 eBay listings under eBay's limit of 300 calls per shop in any 15 seconds. The quota is the real one in
 * the database; the sandbox counts on its own and refuses excess calls. The reference is the minimum time that the
 * limit allows: one call per listing, and one per page of a hundred. Wanted: at most 10 % more, and no refusal.
 *
 * HAPAX_BENCH_SCALE divides the limit's window and the waits: 10 by default, 1 for real time (nine minutes).
 */
const scale = Number(process.env.HAPAX_BENCH_SCALE ?? 10)
const count = 10_000
const pageSize = 100
const limit = { calls: 300, seconds: 15 / scale }

const sandbox = startImportSandbox({ count, ebayLimits: { perUser: { ...limit, of: 'all' } } })
const stage = await setImportStage()
const { services } = stage
let failed = false
try {
  const { ebay } = await sandbox.started
  const urls = { EBAY_AUTH_URL: ebay.url, EBAY_API_URL: ebay.url, EBAY_APIZ_URL: ebay.url }
  const config = { EBAY_CLIENT_ID: 'Bench', EBAY_CLIENT_SECRET: 'bench', EBAY_RU_NAME: 'Bench', ...urls }
  const quota = createQuota({ db: services.db, plans: { ebay: { perShop: limit } } })
  let calls = 0
  const counted = (url: string, init?: RequestInit) => {
    calls++
    return fetch(url, init)
  }
  const within = quotaFetch({
    fetch: counted,
    quota,
    callOf: (url, headers) => callOf({ ...services.config, ...config }, url, headers),
  })
  services.platforms = new Map([['ebay', createEbayAdapter({ config, fetch: within })]])
  const { user_id } = await buildAccount(services.db)
  const shop = { external_id: 'big_shop' }
  const seller_account_uid = await connectShop(services, user_id, 'ebay', shop, ebay.grant)

  const startedMs = performance.now()
  const { body } = await createJob(services, { user_id, seller_account_uid, marketplace: 'ebay' })
  for (;;) {
    const outcome = await runImport(services, { user_id, job_uid: body.id })
    if (outcome.kind === 'done') break
    await new Promise((resolve) => setTimeout(resolve, (outcome.afterSeconds * 1_000) / scale))
  }
  const seconds = ((performance.now() - startedMs) / 1000) * scale
  const job = await readJob(services.db, { user_id, job_uid: body.id })
  if (job.status !== 'completed' || job.total_listings_found !== count) {
    throw new Error(`the import is ${job.status} with ${job.total_listings_found}: ${job.error_message}`)
  }
  const { refusals } = await services.db.one('select sum(refusals)::integer as refusals from platform_quota')
  const fewest = count + count / pageSize
  const bound = Math.floor((fewest - 1) / limit.calls) * limit.seconds * scale
  const missed = seconds > bound * 1.1 || refusals > 0
  failed = missed
  console.log(
    `${count} eBay listings: ${seconds.toFixed(0)} s in ${calls} calls, ${refusals} refused; 300 calls in 15 s allow ${bound.toFixed(0)} s: ${(seconds / bound).toFixed(3)} times (wanted: 1.1)${scale === 1 ? '' : `, time scaled by ${scale}`}${missed ? '  MISSED' : ''}`,
  )
} finally {
  sandbox.close()
  await stage.close()
}
process.exit(failed ? 1 : 0)
