import { createUsageRecorder } from '#server/api-keys/usage-recorder.ts'
import { createAtStop } from '#server/at-stop.ts'
import { readConfig } from '#server/config.ts'
import { openDatabase } from '#server/db/index.ts'
import { withoutAddressLimits } from '#server/http/limit-settings.ts'
import type { Jobs } from '#server/jobs/index.ts'
import { createLog } from '#server/log.ts'
import { createPasswordHasher } from '#server/passwords/hasher.ts'
import { createPlatforms } from '#server/platforms/registry.ts'
import type { Services } from '#server/services.ts'
import { startListingWorker } from '../worker.ts'

/**
 * A listing worker in a process of its own, which ends itself by SIGKILL at a named step: nothing is cleaned up, as when
 * the machine dies. What to do comes as JSON in the first argument.
 */
interface Orders {
  environment: Record<string, string>
  /** "list publish", "delist withdrawn". */
  killAt: string
}

const orders = JSON.parse(process.argv[2] ?? '') as Orders
const config = readConfig(orders.environment)
const log = createLog('silent')
const db = openDatabase({ url: config.DATABASE_URL ?? '', max: 8 })
const now = () => new Date()
const none = () => Promise.reject(new Error('this worker has no queue'))
const jobs: Jobs = { send: none, register: none, stop: async () => {} }
const services: Services = {
  config,
  db,
  log,
  jobs,
  platforms: createPlatforms({ config, fetch }),
  fetch,
  passwords: createPasswordHasher(),
  limits: withoutAddressLimits,
  usage: createUsageRecorder({ db, log, now }),
  atStop: createAtStop(),
  now,
}

startListingWorker(services, {
  leaseMs: 500,
  pollMs: 50,
  async onStep(name, { kind }) {
    if (`${kind} ${name}` !== orders.killAt) return
    process.kill(process.pid, 'SIGKILL')
    // The signal may take a moment; nothing more is done until then.
    await new Promise(() => {})
  },
})
