import { fileURLToPath } from 'node:url'
import Postgrator from 'postgrator'
import { closeDatabase, openDatabase, workPatience } from './index.ts'

const pattern = fileURLToPath(new URL('./migrations/*.sql', import.meta.url))
/** Any constant: servers that start together wait for each other here. */
const lockKey = 4_801_1971

/**
 * Nobody waits for who is only starting, and a machine on which several start at once, each reading its modules, is slow to
 * connect: giving up would make it start all over.
 */
const startPatience = { ...workPatience, connectionMs: 60_000 }

/**
 * Brings the schema to the newest version, each migration once, under a lock that all starting processes share.
 * A migration whose file changed after it ran is refused (its checksum is kept).
 */
export async function migrate(url: string): Promise<void> {
  const db = openDatabase({ url, max: 1, applicationName: 'hapax-migrate', patience: startPatience })
  const connection = await db.connect()
  try {
    await connection.none("set lock_timeout = '30s'")
    await connection.any('select pg_advisory_lock($1)', [lockKey])
    const postgrator = new Postgrator({
      driver: 'pg',
      migrationPattern: pattern,
      schemaTable: 'schema_version',
      execQuery: (text: string) => connection.result(text),
      // pg-promise would read the file's text as a template; the driver's own query takes it as it is.
      execSqlScript: async (text: string) => {
        await connection.client.query(text)
      },
    })
    await postgrator.migrate()
  } finally {
    await connection.done(true)
    await closeDatabase(db)
  }
}

/** The newest migration there is on disk. */
export async function newestMigration(): Promise<number> {
  const postgrator = new Postgrator({ driver: 'pg', migrationPattern: pattern, schemaTable: 'schema_version' })
  const migrations = await postgrator.getMigrations()
  return Math.max(0, ...migrations.map((migration) => migration.version))
}
