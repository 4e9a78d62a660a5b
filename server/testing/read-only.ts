import { setTimeout as delay } from 'node:timers/promises'
import { closeDatabase, openDatabase } from '#server/infra/db/index.ts'

/** Connections are cut so often, with a pause in milliseconds. */
const [rounds, roundMs] = [4, 100]

/** Has a database take no writes, or take them again, as after a failover or at the end of a disk; connections are cut. */
export async function setReadOnly(url: string, on: boolean): Promise<void> {
  const apart = openDatabase({ url, max: 1 })
  try {
    await apart.task(async (task) => {
      await task.any("select set_config('default_transaction_read_only', 'off', false)")
      const { name } = await task.one('select current_database() as name')
      await task.none('alter database $1:name set default_transaction_read_only = $2:raw', [name, on ? 'on' : 'off'])
      const { changed } = await task.one('select clock_timestamp() as changed')
      // A connection that was being opened has read the old setting and is shown a moment later.
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
    await closeDatabase(apart)
  }
}
