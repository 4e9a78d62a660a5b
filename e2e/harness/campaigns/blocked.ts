import type { Database, Queries } from '#server/infra/db/index.ts'
import { until } from '../until.ts'

/** Waits until `count` connections wait for a lock of this transaction. Other lock waits do not count. */
export async function untilBlocked(db: Database, tx: Queries, count = 1): Promise<void> {
  const { pid } = await tx.one<{ pid: number }>('select pg_backend_pid() as pid')
  await until(
    () => db.any('select from pg_stat_activity where $1 = any(pg_blocking_pids(pid))', [pid]),
    ({ length }) => length >= count,
  )
}
