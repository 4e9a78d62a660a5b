import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { withoutAddressLimits } from '#e2e/harness/limits.ts'
import { createPasswordHasher } from '#server/accounts/passwords/hasher.ts'
import { createApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { createQuotas } from '#server/http/quotas/index.ts'
import { createUsageRecorder } from '#server/http/usage-recorder.ts'
import { createAuditTrail } from '#server/infra/audit/record.ts'
import { connectionBudget } from '#server/infra/db/connection-budget.ts'
import { openDatabase } from '#server/infra/db/index.ts'
import type { Fetch } from '#server/infra/fetch.ts'
import { openJobs } from '#server/infra/jobs/index.ts'
import { createLog } from '#server/infra/log/log.ts'
import { createShutdownSteps } from '#server/infra/shutdown-steps.ts'
import { callOf } from '#server/integrations/quota/calls.ts'
import { documentedPlans } from '#server/integrations/quota/plans.ts'
import { createQuota } from '#server/integrations/quota/quota.ts'
import { quotaFetch } from '#server/integrations/quota/quota-fetch.ts'
import { createPlatforms } from '#server/integrations/registry.ts'
import { jobKinds } from '#server/job-kinds.ts'
import { connectionHooks } from '#server/rooms.ts'
import { scheduleReadings } from '#server/selling/orders/schedule-readings.ts'
import { startSmtpListener } from '#server/selling/sale-mail/ways-in/smtp-listener.ts'
import type { Services } from '#server/services.ts'
import { usualTimes } from '#server/times.ts'
import { startWorkers } from '#server/workers.ts'
import type { HapaxPlan } from './sale-stage.ts'

/** Runs server and workers as with ROLE=all, in a separate process: `sale-hapax.ts <HapaxPlan>`. */
const plan = JSON.parse(process.argv[2] ?? '') as HapaxPlan
const config = readConfig(plan.environment)
const db = openDatabase({ url: config.DATABASE_URL ?? '', max: connectionBudget(config).work })
const log = createLog('error')
const now = () => new Date()
const quota = createQuota({
  db,
  plans: {
    ...documentedPlans,
    ebay: { ...documentedPlans.ebay, perDay: plan.ebayTradingPerDay },
    etsy: { perSecond: plan.etsyPerSecond, perDay: 100_000_000 },
  },
})
const platforms = createPlatforms({
  config,
  fetch: quotaFetch({ fetch, quota, callOf: (url, headers) => callOf(config, url, headers) }),
})
/** Fetches eBay's keys from a separate server, because the sandbox has none. */
const fetchKeys: Fetch = (url, init) => fetch(url.replace(config.EBAY_API_URL, plan.keysUrl), init)
const nothing = async () => {}
/** Jobs run where mails of sales come in: the other benchmarks run theirs themselves. */
const takesMails = config.SALE_MAIL_DOMAIN !== undefined
const services: Services = {
  ...{ config, db, log, platforms, now },
  jobs: takesMails
    ? await openJobs({ url: config.DATABASE_URL ?? '', works: true, log })
    : { send: nothing, register: nothing, retry: nothing, cancel: nothing, beginStop: () => {}, stop: nothing },
  fetch: fetchKeys,
  passwords: createPasswordHasher(),
  limits: withoutAddressLimits,
  times: usualTimes,
  usage: createUsageRecorder({ db, log, now }),
  quotas: createQuotas({ db, config, now }),
  audit: createAuditTrail({ db, log, now, keptDays: 180 }),
  connectionHooks: connectionHooks(),
  atStop: createShutdownSteps(),
}
if (takesMails) await services.jobs.register(...jobKinds(services))
await startWorkers(services)
const smtpPort = takesMails ? (await startSmtpListener(services, 0)).port : 0
await scheduleReadings(services)
setInterval(
  () => void scheduleReadings(services).catch((error: unknown) => log.error({ err: error }, 'no plan')),
  30_000,
)
const server = createServer(createApp(services).callback())
server.listen(0, '127.0.0.1', () =>
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, smtpPort }),
)
process.on('disconnect', () => process.exit(0))
