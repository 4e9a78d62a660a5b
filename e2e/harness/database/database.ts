import { readFile } from 'node:fs/promises'
import { closeDatabase, type Database, openDatabase, workTimeouts } from '#server/infra/db/index.ts'
import { randomBase62 } from '#shared/identity.ts'
import { checkInvariants } from '../campaigns/invariants.ts'
import { quietMoments } from './quiet-moments.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the test run's PostgreSQL, database `postgres`. */
    adminUrl: string
  }
}

export interface TestDatabase {
  url: string
  db: Database
  drop(): Promise<void>
}

interface TestDatabaseOptions {
  connectionMs?: number
  /** Checks the invariants after every test and when the database is dropped (invariants.ts). Default: true. */
  checked?: boolean
  /** Omits the triggers that detect broken invariants. */
  bare?: boolean
}

/** A database with a frozen clock. */
export interface FrozenDatabase extends TestDatabase {
  /** Moves its clock forward. */
  advance(milliseconds: number): Promise<void>
}

/** Creates a migrated database on the run's real PostgreSQL, copied from a template. */
export function createTestDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  return create(options)
}

/**
 * Creates a database whose clock only moves by `advance`, for every process. Tests of time then do not depend on the
 * machine's speed.
 */
export async function createFrozenDatabase(options: TestDatabaseOptions = {}): Promise<FrozenDatabase> {
  const database = await create(options, freeze)
  return {
    ...database,
    advance: async (milliseconds) => {
      await database.db.none("update frozen_clock.instant set at = at + $1 * interval '1 millisecond'", [milliseconds])
    },
  }
}

async function create(
  { connectionMs = 60_000, checked = true, bare = false }: TestDatabaseOptions,
  prepare = async (_url: string, _name: string) => {},
): Promise<TestDatabase> {
  // Import lazily, because commands use this file without a test runner.
  const { inject } = await import('vitest')
  const adminUrl = inject('adminUrl')
  const name = `test_${randomBase62(10).toLowerCase()}`
  // Copying files takes half of the time of the default, which logs every page.
  await onAdmin(adminUrl, `create database ${name} template hapax_template strategy file_copy`)
  const url = Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href
  await prepare(url, name)
  const db = openDatabase({ url, max: 30, timeouts: { ...workTimeouts, connectionMs } })
  if (!bare) await db.none(await readFile(new URL('./audit.sql', import.meta.url), 'utf8'))
  const check = () => checkInvariants(db)
  if (checked) quietMoments.add(check)
  return {
    url,
    db,
    async drop() {
      const broken = quietMoments.delete(check) ? await check().catch((error: unknown) => ({ error })) : null
      await closeDatabase(db)
      // PostgreSQL waits for connections that are closing. Force would cut them with an unhandled error.
      await onAdmin(adminUrl, `drop database ${name}`).catch(() =>
        onAdmin(adminUrl, `drop database ${name} with (force)`),
      )
      if (broken) throw broken.error
    },
  }
}

/**
 * Creates clock functions that shadow PostgreSQL's own. The clock starts an hour ahead, so that column defaults, which
 * use the real clock, are in the past.
 */
async function freeze(url: string, name: string): Promise<void> {
  const statements = ['now', 'statement_timestamp', 'clock_timestamp'].map(
    (clock) => `create function frozen_clock.${clock}() returns timestamptz language sql stable
      as 'select at from frozen_clock.instant'`,
  )
  await onAdmin(
    url,
    `create schema frozen_clock;
     create table frozen_clock.instant as select pg_catalog.now() + interval '1 hour' as at;
     ${statements.join(';')};
     alter database ${name} set search_path = frozen_clock, pg_catalog, public`,
  )
}

async function onAdmin(adminUrl: string, statement: string): Promise<void> {
  const admin = openDatabase({ url: adminUrl, max: 1, timeouts: { ...workTimeouts, connectionMs: 60_000 } })
  try {
    await admin.none(statement)
  } finally {
    await closeDatabase(admin)
  }
}
