import type { Logger } from 'pino'
import type { UsageRecorder } from './api-keys/usage-recorder.ts'
import type { AtStop } from './at-stop.ts'
import type { AuditTrail } from './audit/record.ts'
import type { Config } from './config.ts'
import type { ConnectionHooks } from './connections/hooks.ts'
import type { DiskGuard } from './db/disk-guard.ts'
import type { Database } from './db/index.ts'
import type { LimitSettings } from './http/limit-settings.ts'
import type { ReadPhoto } from './imports/matching/read-photo.ts'
import type { Jobs } from './jobs/index.ts'
import type { PasswordHasher } from './passwords/hasher.ts'
import type { Fetch, PlatformAdapter } from './platforms/port.ts'
import type { Quotas } from './quotas/index.ts'

/** What features are given instead of reaching for it: tests hand in their own. */
export interface Services {
  config: Config
  db: Database
  log: Logger
  jobs: Jobs
  /** The configured platforms by slug; one without credentials is absent. */
  platforms: ReadonlyMap<string, PlatformAdapter>
  /** The features' hooks for a connection that changes. */
  connectionHooks: ConnectionHooks
  fetch: Fetch
  /** Reads what a picture looks like; absent where pictures are not to be fetched. */
  readPhoto?: ReadPhoto
  passwords: PasswordHasher
  /** How often what may be done. */
  limits: LimitSettings
  usage: UsageRecorder
  quotas: Quotas
  audit: AuditTrail
  /** Watches the embedded database's disk; absent with a database elsewhere, whose disk cannot be seen. */
  disk?: DiskGuard
  /** Runs before the database is closed. */
  atStop: AtStop
  /** The time, for what is not decided in SQL. */
  now: () => Date
}
