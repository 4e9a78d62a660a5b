import { setTimeout as delay } from 'node:timers/promises'
import { closeDatabase, openDatabase } from '#server/infra/db/index.ts'

/** Number of rounds in which connections are cut, and the pause between them in ms. */
const [rounds, roundMs] = [4, 100]

/** Makes a database read-only or writable, as after a failover or on a full disk. Cuts its connections. */
export async function setReadOnly(url: string, on: boolean): Promise<void> {
  const admin = openDatabase({ url, max: 1 })
  try {
    await admin.task(async (task) => {
      await task.any("select set_config('default_transaction_read_only', 'off', false)")
      const { name } = await task.one('select current_database() as name')
      await task.none('alter database $1:name set default_transaction_read_only = $2:raw', [name, on ? 'on' : 'off'])
      const { changed } = await task.one('select clock_timestamp() as changed')
      // A connection that was just being opened may have the old setting and appears a moment later.
      for (let round = 0; round < rounds; round++) {
        await task.any(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and pid <> pg_backend_pid() and backend_start <= $1`,
          [changed],
        )
        await delay(roundMs)
      }
    })
  } finally {
    await closeDatabase(admin)
  }
}
