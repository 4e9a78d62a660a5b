import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import Postgrator from 'postgrator'
import { closeDatabase, isLockTimeout, openDatabase, type Queries, workPatience } from './index.ts'

const directoryOfMigrations = fileURLToPath(new URL('./migrations', import.meta.url))
/** Any constant: servers that start together wait for each other here. */
const lockKey = 4_801_1971

/**
 * Nobody waits for a server that is only starting, and a machine on which several start at once is slow to connect. A
 * migration of a large table may take hours, so its statements have no limit.
 */
const startPatience = { ...workPatience, connectionMs: 60_000, statementMs: 0 }

/**
 * How long a migration waits for a table's lock before it gives way, in ms. Every request for that table waits behind it, and
 * gives up after two seconds (requestPatience).
 */
const tableLockMs = 1_000

export interface MigrateOptions {
  /** Told when something else is waited for, with the reason. */
  onWait?: (reason: string) => void
  /** Another folder of migrations, for tests. */
  directory?: string
  /** First pause after a table's lock was not to be had; it doubles up to 30 s. */
  pauseMs?: number
}

export interface Migrated {
  from: number
  to: number
}

/**
 * Brings the schema to this build's newest version, each migration once, under a lock that all starting processes share.
 * A migration that meets a lock which lasts (a backup's) gives way to requests and is tried again, for as long as it takes.
 * Throws where the database cannot be opened, where a file changed after it ran, and where the database is of a newer build that this one does not work with.
 */
export async function migrate(
  url: string,
  { onWait = () => {}, directory = directoryOfMigrations, pauseMs = 1_000 }: MigrateOptions = {},
): Promise<Migrated> {
  const db = openDatabase({ url, max: 1, applicationName: 'hapax-migrate', patience: startPatience })
  const connection = await db.connect().catch((cause: unknown) => {
    throw new Error(unreachable(url, cause), { cause })
  })
  try {
    await connection.any("select set_config('statement_timeout', '0', false)")
    await connection.any("select set_config('lock_timeout', $1, false)", [`${tableLockMs}ms`])
    await lockMigrations(connection, onWait)
    const postgrator = postgratorOf(directory, {
      execQuery: (text: string) => connection.result(text),
      // pg-promise would read the file's text as a template; the driver's own query takes it as it is. A file is one
      // transaction, so one that was cut off left nothing.
      execSqlScript: (text: string) =>
        withPatience(
          async () => {
            await connection.client.query(text)
          },
          { onWait, pauseMs },
        ),
    })
    const newest = await newestOf(postgrator)
    const from = await versionOf(connection)
    if (from > newest) {
      await refuseNewerSchema(connection, from, newest)
      return { from, to: from }
    }
    await postgrator.migrate()
    return { from, to: newest }
  } finally {
    await connection.done(true)
    await closeDatabase(db)
  }
}

/** Says which database could not be opened and why, without its password. */
function unreachable(url: string, cause: unknown): string {
  const { hostname, port, pathname, username } = new URL(url)
  const why = cause instanceof Error ? cause.message : String(cause)
  return `The database ${pathname.slice(1)} at ${hostname}:${port || 5432} cannot be opened as ${username}: ${why}. Check DATABASE_URL.`
}

/** The newest migration there is on disk. */
export async function newestMigration(): Promise<number> {
  return newestOf(postgratorOf(directoryOfMigrations))
}

const postgratorOf = (directory: string, driver: object = {}) =>
  new Postgrator({
    driver: 'pg',
    migrationPattern: `${directory}/*.sql`,
    schemaTable: 'schema_version',
    ...driver,
  })

async function newestOf(postgrator: Postgrator): Promise<number> {
  const migrations = await postgrator.getMigrations()
  return Math.max(0, ...migrations.map((migration) => migration.version))
}

/** Asks again and again: a session that waits for the lock would hold up `create index concurrently` in the one that has it. */
async function lockMigrations(connection: Queries, onWait: (reason: string) => void): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const { taken } = await connection.one<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [lockKey])
    if (taken) return
    if (attempt === 0) onWait('another process is migrating this database')
    await delay(200)
  }
}

async function withPatience(
  run: () => Promise<void>,
  { onWait, pauseMs }: Required<Pick<MigrateOptions, 'onWait' | 'pauseMs'>>,
): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (!isLockTimeout(error)) throw error
      onWait('a migration waits for a table that something else uses, such as a backup or a long query')
      await delay(Math.min(pauseMs * 2 ** Math.min(attempt, 10), 30_000))
    }
  }
}

/** The newest migration that the database had; 0 for an empty one. */
async function versionOf(connection: Queries): Promise<number> {
  const { known } = await connection.one<{ known: boolean }>(
    "select to_regclass('schema_version') is not null as known",
  )
  if (!known) return 0
  const { version } = await connection.one<{ version: number }>(
    'select coalesce(max(version), 0)::integer as version from schema_version',
  )
  return version
}

/** An older build works on a newer schema until a migration says otherwise: that makes going back a release possible. */
async function refuseNewerSchema(connection: Queries, version: number, newest: number): Promise<void> {
  const row = await connection.oneOrNone<{ oldest_build: number }>('select oldest_build from schema_compatibility')
  if (row && row.oldest_build <= newest) return
  throw new Error(
    `The database is newer than this Hapax: it is at migration ${version} and needs a release with migration ` +
      `${row?.oldest_build ?? version} or later, and this one ends at ${newest}. Start the newer release, or restore a backup.`,
  )
}
