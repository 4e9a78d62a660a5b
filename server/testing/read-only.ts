import { closeDatabase, openDatabase } from '#server/db/index.ts'

/** Has a database take no writes, or take them again, as after a failover or at the end of a disk; connections are cut. */
export async function setReadOnly(url: string, on: boolean): Promise<void> {
  const apart = openDatabase({ url, max: 1 })
  try {
    await apart.task(async (task) => {
      await task.any("select set_config('default_transaction_read_only', 'off', false)")
      const { name } = await task.one('select current_database() as name')
      await task.none('alter database $1:name set default_transaction_read_only = $2:raw', [name, on ? 'on' : 'off'])
      await task.any(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      )
    })
  } finally {
    await closeDatabase(apart)
  }
}
