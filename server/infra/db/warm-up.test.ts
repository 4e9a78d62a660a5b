import { expect, it } from 'vitest'
import { createTestDatabase } from '#server/testing/database.ts'
import { closeDatabase, openDatabase, requestPatience } from './index.ts'
import { warmUp } from './warm-up.ts'

it('has so many connections open, of the pool that it is given', async () => {
  const database = await createTestDatabase()
  const db = openDatabase({ url: database.url, applicationName: 'warmed' })
  try {
    await warmUp(db, 3)
    const { open } = await database.db.one(
      "select count(*) as open from pg_stat_activity where application_name = 'warmed' and datname = current_database()",
    )
    expect(open).toBe(3)
  } finally {
    await closeDatabase(db)
    await database.drop()
  }
})

it('tries again where connecting takes longer than a request waits for it', async () => {
  const database = await createTestDatabase()
  // Nobody connects in a millisecond, until it is given more.
  const db = openDatabase({ url: database.url, patience: { ...requestPatience, connectionMs: 1 } })
  try {
    const warm = warmUp(db, 2)
    setTimeout(() => Object.assign(db.$pool.options, { connectionTimeoutMillis: 60_000 }), 200)
    await warm
    expect(db.$pool.totalCount).toBe(2)
  } finally {
    await closeDatabase(db)
    await database.drop()
  }
})
