import { until } from '#e2e/harness/until.ts'
import type { Database } from '#server/infra/db/index.ts'

/** Waits until `count` connections listen. Their last query is `listen`, or the probe that follows it. */
export async function untilListening(db: Database, count: number): Promise<void> {
  await until(
    () =>
      db.any(
        `select from pg_stat_activity
         where datname = current_database() and state = 'idle' and (query like 'listen %' or query = 'select 1')`,
      ),
    ({ length }) => length >= count,
  )
}
