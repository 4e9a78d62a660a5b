import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createPasswordHasher, type PasswordHasher } from '#server/accounts/passwords/hasher.ts'
import { createApp } from '#server/app.ts'
import { type Config, readConfig } from '#server/config.ts'
import type { LimitSettings } from '#server/http/limits/limit-settings.ts'
import { createQuotas } from '#server/http/quotas/index.ts'
import { createUsageRecorder } from '#server/http/usage-recorder.ts'
import { createAuditTrail } from '#server/infra/audit/record.ts'
import { type Jobs, openJobs } from '#server/infra/jobs/index.ts'
import { createLog } from '#server/infra/log/log.ts'
import { createShutdownSteps } from '#server/infra/shutdown-steps.ts'
import type { PlatformAdapter } from '#server/integrations/port.ts'
import { jobKinds } from '#server/job-kinds.ts'
import { connectionHooks } from '#server/rooms.ts'
import { type ListingWorkerOptions, startListingWorker } from '#server/selling/listings/worker.ts'
import type { Services } from '#server/services.ts'
import { type Times, usualTimes } from '#server/times.ts'
import { createTestDatabase, type TestDatabase } from './database/database.ts'
import { withoutAddressLimits } from './limits.ts'

export interface TestServer {
  url: string
  services: Services
  /** Every line logged so far. */
  logged: string[]
  close(): Promise<void>
}

export interface TestServerOptions {
  environment?: Record<string, string>
  platforms?: PlatformAdapter[]
  /** Runs jobs (default). If false, the queue only stores them. */
  works?: boolean
  /** Runs recurring jobs, too. By default a test does their work when it is its turn: they would do it now and then. */
  recurs?: boolean
  /** Options of the listing worker, if jobs run; false to disable it. */
  listingWorker?: ListingWorkerOptions | false
  /** Called before the server answers. */
  prepare?: (services: Services) => Promise<void>
  now?: () => Date
  /** Rate limits; by default none per address, key or user. */
  limits?: Partial<LimitSettings>
  /** Pauses and waits that differ from the product's. */
  times?: Partial<Times>
  passwords?: PasswordHasher
  /** An existing database; by default a new one. */
  database?: TestDatabase
}

/** Starts the real app on a free port of 127.0.0.1, with a new database. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const database = options.database ?? (await createTestDatabase())
  const logged: string[] = []
  const log = createLog('debug', { write: (line: string) => void logged.push(line) })
  // Keep connections alive during long pauses, so that no client uses one that is being closed.
  const server = createServer({ keepAliveTimeout: 600_000 })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const config: Config = readConfig({
    PUBLIC_URL: url,
    DATABASE_URL: database.url,
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    ...options.environment,
  })
  const jobs: Jobs = await openJobs({ url: database.url, works: options.works ?? true, log, max: 4 })
  const now = options.now ?? (() => new Date())
  const services: Services = {
    config,
    db: database.db,
    log,
    jobs,
    platforms: new Map((options.platforms ?? []).map((adapter) => [adapter.slug, adapter])),
    fetch,
    passwords: options.passwords ?? createPasswordHasher(),
    limits: { ...withoutAddressLimits, ...options.limits },
    // A busy machine settles a listing later than a client waits for it.
    times: { ...usualTimes, listingOutcomeMs: 120_000, ...options.times },
    usage: createUsageRecorder({ db: database.db, log, now }),
    quotas: createQuotas({ db: database.db, config, now }),
    audit: createAuditTrail({ db: database.db, log, now, keptDays: config.AUDIT_DAYS }),
    connectionHooks: connectionHooks(),
    atStop: createShutdownSteps(),
    now,
  }
  const kinds = jobKinds(services)
  await jobs.register(...(options.recurs ? kinds : kinds.map(({ everySeconds: _, ...kind }) => kind)))
  services.atStop.add(() => services.usage.flush())
  services.atStop.add(() => services.audit.flush())
  if ((options.works ?? true) && options.listingWorker !== false) {
    const worker = startListingWorker(services, options.listingWorker)
    services.atStop.add(() => worker.stop())
  }
  await options.prepare?.(services)
  server.on('request', createApp(services, { checksAnswers: true }).callback())
  return {
    url,
    services,
    logged,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await services.atStop.run()
      await jobs.stop(2_000)
      await database.drop()
    },
  }
}
