import { closeDatabase, type Database, openDatabase } from '#server/db/index.ts'
import { randomBase62 } from '#shared/identity.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the test run's PostgreSQL, database `postgres`. */
    adminUrl: string
  }
}

export interface TestDatabase {
  url: string
  db: Database
  /** Moves a frozen clock forward. */
  advance(milliseconds: number): Promise<void>
  drop(): Promise<void>
}

/**
 * A migrated database of its own on the run's real PostgreSQL, copied from a template in some 50 ms. `isFrozen`: time
 * stands still in it and moves by `advance` alone, for everything that counts by the database's clock, whichever
 * process asks; how slow the machine is no longer shows.
 */
export async function createTestDatabase({ isFrozen = false, connectTimeoutMs = 60_000 } = {}): Promise<TestDatabase> {
  // Only here, since commands use the same servers as tests and have no test runner.
  const { inject } = await import('vitest')
  const adminUrl = inject('adminUrl')
  const name = `test_${randomBase62(10).toLowerCase()}`
  await onAdmin(adminUrl, `create database ${name} template hapax_template`)
  const url = Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href
  if (isFrozen) await freeze(url, name)
  const db = openDatabase({ url, max: 30, connectTimeoutMs })
  return {
    url,
    db,
    advance: async (milliseconds) => {
      await db.none("update frozen_clock.instant set at = at + $1 * interval '1 millisecond'", [milliseconds])
    },
    async drop() {
      await closeDatabase(db)
      // PostgreSQL itself waits for connections that are just closing; force would cut them with an error that nobody
      // listens for any more.
      await onAdmin(adminUrl, `drop database ${name}`).catch(() =>
        onAdmin(adminUrl, `drop database ${name} with (force)`),
      )
    },
  }
}

/**
 * The clock's functions, found before PostgreSQL's own. An hour ahead: what columns take from the real clock by default
 * is then past.
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
  const admin = openDatabase({ url: adminUrl, max: 1, connectTimeoutMs: 60_000 })
  try {
    await admin.none(statement)
  } finally {
    await closeDatabase(admin)
  }
}
