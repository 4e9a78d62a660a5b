import type { Logger } from 'pino'
import type { Config } from '#server/config.ts'
import type { AuditTrail } from './audit/record.ts'
import type { DiskGuard } from './db/disk-guard.ts'
import type { Database } from './db/index.ts'
import type { Fetch } from './fetch.ts'
import type { Jobs } from './jobs/index.ts'
import type { ShutdownSteps } from './shutdown-steps.ts'

/** The services below accounts, items and marketplaces. */
export interface InfraServices {
  config: Config
  db: Database
  log: Logger
  jobs: Jobs
  fetch: Fetch
  audit: AuditTrail
  /** Watches the embedded database's disk; absent with DATABASE_URL, whose disk is invisible. */
  disk?: DiskGuard
  /** Runs before the database is closed. */
  atStop: ShutdownSteps
  /** The current time, where SQL does not decide it. */
  now: () => Date
}
