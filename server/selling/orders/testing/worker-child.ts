import { createPasswordHasher } from '#server/accounts/passwords/hasher.ts'
import { readConfig } from '#server/config.ts'
import { connectionHooks } from '#server/connection-hooks.ts'
import { withoutAddressLimits } from '#server/http/limit-settings.ts'
import { createQuotas } from '#server/http/quotas/index.ts'
import { createUsageRecorder } from '#server/http/usage-recorder.ts'
import { createAuditTrail } from '#server/infra/audit/record.ts'
import { openDatabase } from '#server/infra/db/index.ts'
import { createLog } from '#server/infra/log/log.ts'
import { createShutdownSteps } from '#server/infra/shutdown-steps.ts'
import type { PlatformOrder } from '#server/integrations/port.ts'
import type { Services } from '#server/services.ts'
import { usualTimes } from '#server/times.ts'
import { startOrderWorker } from '../worker.ts'
import { createFakeOrderPlatform } from './fake-orders.ts'

/**
 * An order worker in its own process that kills itself with SIGKILL at a named step, so that nothing is cleaned up.
 * Instructions come as JSON in the first argument.
 */
interface Instructions {
  url: string
  secretKey: string
  /** eBay's orders by shop. */
  orders: [string, PlatformOrder[]][]
  killAt: string
  /** Occurrence of the step at which to die. */
  occurrence: number
}

const given = JSON.parse(process.argv[2] ?? '') as Instructions
const { adapter, fixture } = createFakeOrderPlatform('ebay')
fixture.orders = new Map(given.orders)
const log = createLog('silent')
const db = openDatabase({ url: given.url, max: 8 })
const now = () => new Date()
const config = readConfig({ DATABASE_URL: given.url, SECRET_KEY: given.secretKey })
const nothing = async () => {}
const services: Services = {
  config,
  db,
  log,
  jobs: { send: nothing, register: nothing, retry: nothing, cancel: nothing, beginStop: () => {}, stop: nothing },
  platforms: new Map([[adapter.slug, adapter]]),
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

let seen = 0
startOrderWorker(services, {
  pollMs: 20,
  onStep: async (name) => {
    if (name !== given.killAt || ++seen < given.occurrence) return
    process.kill(process.pid, 'SIGKILL')
    // The signal may take a moment. Nothing more runs until then.
    await new Promise(() => {})
  },
})
