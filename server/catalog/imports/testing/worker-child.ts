import { openBorders } from '#e2e/harness/campaigns/borders.ts'
import { createFakeAdapter } from '#e2e/harness/fake-adapter.ts'
import { withoutAddressLimits } from '#e2e/harness/limits.ts'
import { createPasswordHasher } from '#server/accounts/passwords/hasher.ts'
import { readConfig } from '#server/config.ts'
import { createQuotas } from '#server/http/quotas/index.ts'
import { createUsageRecorder } from '#server/http/usage-recorder.ts'
import { createAuditTrail } from '#server/infra/audit/record.ts'
import { openDatabase } from '#server/infra/db/index.ts'
import { openJobs } from '#server/infra/jobs/index.ts'
import { createLog } from '#server/infra/log/log.ts'
import { createShutdownSteps } from '#server/infra/shutdown-steps.ts'
import { connectionHooks } from '#server/rooms.ts'
import type { Services } from '#server/services.ts'
import { type Times, usualTimes } from '#server/times.ts'
import { importsJobs } from '../jobs.ts'
import { runImport } from '../run-import.ts'
import { numberedShop } from './numbered-shop.ts'

/**
 * A worker in its own process that kills itself with SIGKILL at a border, so that nothing is cleaned up.
 * Instructions come as JSON in the first argument.
 */
interface Orders {
  url: string
  secretKey: string
  listings: number
  pageSize: number
  /** Run this import once. Default: work for the queue. */
  run?: { user_id: number; job_uid: string }
  /** Number of the border. */
  killAt: number | null
  /** Instead of dying, block the event loop for this many milliseconds. */
  busyMs?: number
  times?: Partial<Times>
}

const orders = JSON.parse(process.argv[2] ?? '') as Orders
const log = createLog('silent')
const adapter = createFakeAdapter('ebay', numberedShop(orders.listings, { healed: true }))
adapter.pageSize = orders.pageSize
const works = orders.run === undefined
const db = openDatabase({ url: orders.url, max: 8 })
const now = () => new Date()
const config = readConfig({ DATABASE_URL: orders.url, SECRET_KEY: orders.secretKey })
const services: Services = {
  config,
  db,
  log,
  jobs: await openJobs({ url: orders.url, works, log, max: 4 }),
  platforms: new Map([[adapter.slug, adapter]]),
  fetch,
  passwords: createPasswordHasher(),
  limits: withoutAddressLimits,
  times: { ...usualTimes, ...orders.times },
  usage: createUsageRecorder({ db, log, now }),
  quotas: createQuotas({ db, config, now }),
  audit: createAuditTrail({ db, log, now, keptDays: 180 }),
  connectionHooks: connectionHooks(),
  atStop: createShutdownSteps(),
  now,
}

const worker = openBorders(services, {
  async at({ number }) {
    if (number !== orders.killAt) return
    if (orders.busyMs) {
      process.stdout.write('busy ')
      const until = performance.now() + orders.busyMs
      while (performance.now() < until) {}
      return
    }
    process.kill(process.pid, 'SIGKILL')
    // The signal may take a moment. Nothing more runs until then.
    await new Promise(() => {})
  },
})

if (orders.run) {
  const outcome = await runImport(worker.services, orders.run)
  process.stdout.write(outcome.kind)
  process.exit(0)
}
await services.jobs.register(...importsJobs(worker.services))
