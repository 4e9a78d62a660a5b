import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import Postgrator from 'postgrator'
import { isPoolersRefusal, poolerRefusal, refusePooler } from './connection-budget.ts'
import { closeDatabase, isLockTimeout, openDatabase, type Queries } from './index.ts'
import { patientTimeouts, retryWhileStarting, type Waiting } from './wait-for-database.ts'

const directoryOfMigrations = fileURLToPath(new URL('./migrations', import.meta.url))
const directoryOfRoutines = fileURLToPath(new URL('./functions', import.meta.url))
type Connected = Queries & { client: { query(query: { text: string; queryMode: 'extended' }): Promise<unknown> } }

/** Any constant: servers that start together wait for each other on it. */
const lockKey = 4_801_1971

/**
 * How long a migration waits for a table's lock before it yields, in ms. Requests for that table queue behind it and
 * time out after two seconds.
 */
const tableLockMs = 1_000

interface MigrateOptions extends Waiting {
  /** The setting that holds the address, for errors; none for the embedded database. */
  setting?: 'DATABASE_URL' | 'DATABASE_DIRECT_URL'
  /** The folder of migrations; this build's by default. */
  directory?: string
  /** The folder of functions and triggers; this build's by default. */
  routines?: string
  /** First pause after a lock timeout; it doubles up to 30 s. */
  pauseMs?: number
}

export interface Migrated {
  from: number
  to: number
}

/**
 * Brings the schema to this build's newest version: each migration once, then the functions and triggers. Starting processes
 * share one lock. A migration that meets a lasting lock, such as a backup's, yields to requests and is retried without
 * limit. Throws if the database cannot be opened, is behind a pooler or belongs to an incompatible build, or a migration's
 * file changed after it ran.
 */
export async function migrate(
  url: string,
  {
    onWait = () => {},
    signal,
    setting,
    directory = directoryOfMigrations,
    routines = directoryOfRoutines,
    pauseMs = 1_000,
  }: MigrateOptions = {},
): Promise<Migrated> {
  const options = { max: 1, applicationName: 'hapax-migrate', timeouts: patientTimeouts, isPipelined: false }
  const db = openDatabase({ url, ...options })
  const connection = await retryWhileStarting(() => db.connect(), { onWait, signal }).catch((cause: unknown) => {
    signal?.throwIfAborted()
    throw new Error(isPoolersRefusal(cause) ? poolerRefusal : unreachable(url, cause, setting), { cause })
  })
  let isClosed = false
  const close = () => {
    if (!isClosed) connection.done(true)
    isClosed = true
  }
  // Ends a running statement, too. PostgreSQL rolls it back.
  signal?.addEventListener('abort', close, { once: true })
  const runScript = (text: string) =>
    withLockRetries(() => runStatements(connection, statementsOf(text)), { onWait, pauseMs, signal })
  try {
    signal?.throwIfAborted()
    await refusePooler(connection)
    await connection.any("select set_config('statement_timeout', '0', false)")
    await connection.any("select set_config('lock_timeout', $1, false)", [`${tableLockMs}ms`])
    // For Citus; nothing on plain PostgreSQL. One transaction may change a table and those that refer to it.
    await connection.any("select set_config('citus.multi_shard_modify_mode', 'sequential', false)")
    await lockMigrations(connection, { onWait, signal })
    const postgrator = postgratorOf(directory, {
      execQuery: (text: string) => connection.result(text),
      execSqlScript: runScript,
    })
    const newest = await newestOf(postgrator)
    await refuseHalfDistributed(connection)
    const from = await versionOf(connection)
    if (from > newest) {
      await refuseNewerSchema(connection, from, newest)
      return { from, to: from }
    }
    if (from > 0 && from < newest) await connection.none('update schema_compatibility set routines_checksum = null')
    await postgrator.migrate()
    await applyRoutines(connection, runScript, routines)
    return { from, to: newest }
  } catch (error) {
    throw signal?.aborted ? signal.reason : error
  } finally {
    signal?.removeEventListener('abort', close)
    close()
    await closeDatabase(db)
  }
}

/**
 * Creates or replaces all functions and triggers, in one transaction, if a migration ran or one of their files changed. Each
 * file can be applied again (`create or replace`). A migration drops what is removed, and functions whose arguments or
 * result change.
 */
async function applyRoutines(
  connection: Queries,
  runScript: (text: string) => Promise<void>,
  directory: string,
): Promise<void> {
  const names = (await readdir(directory)).sort()
  const text = (await Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')))).join('\n')
  const checksum = createHash('sha256').update(text).digest('hex')
  const { applied } = await connection.one<{ applied: string | null }>(
    'select routines_checksum as applied from schema_compatibility',
  )
  if (applied === checksum) return
  await runScript(`${text}\nupdate schema_compatibility set routines_checksum = '${checksum}';`)
}

/**
 * Returns the statements of a script. Each begins at the start of a line, where bodies of functions and further lines of a
 * statement have no such word.
 */
export function statementsOf(script: string): string[] {
  const statements: string[] = []
  let statement = ''
  // Empty lines and comments after a semicolon belong to the next statement, if one begins.
  let between = ''
  let hasEnded = false
  for (const line of script.split(/(?<=\n)/)) {
    if (hasEnded && (line.trim() === '' || line.startsWith('--'))) {
      between += line
      continue
    }
    if (hasEnded && beginsStatement.test(line)) {
      statements.push(statement)
      statement = ''
    }
    statement += between + line
    between = ''
    hasEnded = line.trimEnd().endsWith(';')
  }
  return [...statements, statement + between]
}

const beginsStatement = /^(?:alter|comment|create|delete|do|drop|insert|select|update|with)\b/i

/**
 * Runs statements in one transaction, so that an interrupted script leaves nothing. One by one, since Citus sends the text in
 * which it finds a statement to its workers. PostgreSQL refuses two statements in an extended query.
 */
async function runStatements(connection: Connected, statements: string[]): Promise<void> {
  const run = async () => {
    // Use the driver's query, since pg-promise would treat the text as a template.
    for (const text of statements) await connection.client.query({ text, queryMode: 'extended' })
  }
  // Alone, it may be one that cannot run in a transaction: `create index concurrently`.
  await (statements.length === 1 ? run() : connection.tx(run))
}

/** Returns a message that names the database and the cause, without its password. */
function unreachable(url: string, cause: unknown, setting: MigrateOptions['setting']): string {
  const { hostname, port, pathname, username } = new URL(url)
  const why = cause instanceof Error ? cause.message : String(cause)
  return `The database ${pathname.slice(1)} at ${hostname}:${port || 5432} cannot be opened as ${username}: ${why}.${setting ? ` Check ${setting}.` : ''}`
}

/** Returns the number of the newest migration on disk. */
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

/** Polls for the lock: a session waiting for it would block `create index concurrently` in its holder. */
export async function lockMigrations(connection: Queries, { onWait = () => {}, signal }: Waiting): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const { taken } = await connection.one<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [lockKey])
    if (taken) return
    if (attempt === 0) onWait('another process is migrating this database')
    await delay(200, undefined, { signal })
  }
}

async function withLockRetries(
  run: () => Promise<void>,
  { onWait, pauseMs, signal }: Required<Pick<MigrateOptions, 'onWait' | 'pauseMs'>> & Waiting,
): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (!isLockTimeout(error)) throw error
      onWait('a migration waits for a table that something else uses, such as a backup or a long query')
      await delay(Math.min(pauseMs * 2 ** Math.min(attempt, 10), 30_000), undefined, { signal })
    }
  }
}

/** Returns the newest migration of the database; 0 for an empty one. */
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

/** Refuses a database whose foreign keys and triggers are away: `npm run distribute` was cut. */
async function refuseHalfDistributed(connection: Queries): Promise<void> {
  const { is_cut } = await connection.one<{ is_cut: boolean }>(
    "select to_regnamespace('distribution') is not null as is_cut",
  )
  if (is_cut) throw new Error('The database is being distributed. Run "npm run distribute -- --yes" to its end.')
}

/** Older builds work on a newer schema until a migration says otherwise, so that a release can be rolled back. */
async function refuseNewerSchema(connection: Queries, version: number, newest: number): Promise<void> {
  const row = await connection.oneOrNone<{ oldest_build: number }>('select oldest_build from schema_compatibility')
  if (row && row.oldest_build <= newest) return
  throw new Error(
    `The database is newer than this Hapax: it is at migration ${version} and needs a release with migration ` +
      `${row?.oldest_build ?? version} or later, and this one ends at ${newest}. Start the newer release, or restore a backup.`,
  )
}
