import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Database } from './db/index.ts'
import type { Jobs } from './jobs/index.ts'
import type { PasswordHasher } from './passwords/hasher.ts'
import type { Fetch, PlatformAdapter } from './platforms/port.ts'

/** What features are given instead of reaching for it: tests hand in their own. */
export interface Services {
  config: Config
  db: Database
  log: Logger
  jobs: Jobs
  /** The configured platforms by slug; one without credentials is absent. */
  platforms: ReadonlyMap<string, PlatformAdapter>
  fetch: Fetch
  passwords: PasswordHasher
  /** The time, for what is not decided in SQL. */
  now: () => Date
}
