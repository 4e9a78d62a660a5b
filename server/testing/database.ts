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
  drop(): Promise<void>
}

/** A migrated database of its own on the run's real PostgreSQL, copied from a template in some 50 ms. */
export async function createTestDatabase(): Promise<TestDatabase> {
  // Only here, since commands use the same servers as tests and have no test runner.
  const { inject } = await import('vitest')
  const adminUrl = inject('adminUrl')
  const name = `test_${randomBase62(10).toLowerCase()}`
  await onAdmin(adminUrl, `create database ${name} template hapax_template`)
  const url = Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href
  const db = openDatabase({ url, max: 30 })
  return {
    url,
    db,
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

async function onAdmin(adminUrl: string, statement: string): Promise<void> {
  const admin = openDatabase({ url: adminUrl, max: 1 })
  try {
    await admin.none(statement)
  } finally {
    await closeDatabase(admin)
  }
}
