import { openBorders } from '#e2e/harness/campaigns/borders.ts'
import { withoutAddressLimits } from '#e2e/harness/limits.ts'
import { createPasswordHasher } from '#server/accounts/passwords/hasher.ts'
import { readConfig } from '#server/config.ts'
import { createQuotas } from '#server/http/quotas/index.ts'
import { createUsageRecorder } from '#server/http/usage-recorder.ts'
import { createAuditTrail } from '#server/infra/audit/record.ts'
import { openDatabase } from '#server/infra/db/index.ts'
import type { Jobs } from '#server/infra/jobs/index.ts'
import { createLog } from '#server/infra/log/log.ts'
import { createShutdownSteps } from '#server/infra/shutdown-steps.ts'
import { createPlatforms } from '#server/integrations/registry.ts'
import { connectionHooks } from '#server/rooms.ts'
import type { Services } from '#server/services.ts'
import { usualTimes } from '#server/times.ts'
import { startListingWorker } from '../worker.ts'

/**
 * A listing worker in its own process that kills itself with SIGKILL at a border, so that nothing is cleaned up.
 * Instructions come as JSON in the first argument.
 */
interface Orders {
  environment: Record<string, string>
  /** Number of the border. */
  killAt: number
}

const orders = JSON.parse(process.argv[2] ?? '') as Orders
const config = readConfig(orders.environment)
const log = createLog('silent')
const db = openDatabase({ url: config.DATABASE_URL ?? '', max: 8 })
const now = () => new Date()
const none = () => Promise.reject(new Error('this worker has no queue'))
const jobs: Jobs = {
  ...{ send: none, register: none, retry: none, cancel: none },
  beginStop: () => {},
  stop: async () => {},
}
const services: Services = {
  config,
  db,
  log,
  jobs,
  platforms: new Map(),
  fetch,
  passwords: createPasswordHasher(),
  limits: withoutAddressLimits,
  times: usualTimes,
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
    process.kill(process.pid, 'SIGKILL')
    // The signal may take a moment. Nothing more runs until then.
    await new Promise(() => {})
  },
  platforms: (crossingFetch) => createPlatforms({ config, fetch: crossingFetch }),
})
startListingWorker(worker.services, { pollMs: 50 })
