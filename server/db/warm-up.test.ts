import { expect, it } from 'vitest'
import { createTestDatabase } from '#server/testing/database.ts'
import { closeDatabase, openDatabase } from './index.ts'
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
