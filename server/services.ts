import type { Logger } from 'pino'
import type { PasswordHasher } from '#server/accounts/passwords/hasher.ts'
import type { ReadPhoto } from '#server/catalog/imports/matching/read-photo.ts'
import type { Config } from '#server/config.ts'
import type { LimitSettings } from '#server/http/limit-settings.ts'
import type { Quotas } from '#server/http/quotas/index.ts'
import type { UsageRecorder } from '#server/http/usage-recorder.ts'
import type { AtStop } from '#server/infra/at-stop.ts'
import type { AuditTrail } from '#server/infra/audit/record.ts'
import type { DiskGuard } from '#server/infra/db/disk-guard.ts'
import type { Database } from '#server/infra/db/index.ts'
import type { Jobs } from '#server/infra/jobs/index.ts'
import type { ConnectionHooks } from '#server/integrations/connections/hooks.ts'
import type { Fetch, PlatformAdapter } from '#server/integrations/port.ts'

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
