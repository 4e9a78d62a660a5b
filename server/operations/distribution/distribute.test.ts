import { expect, it } from 'vitest'
import { createTestDatabase } from '#e2e/harness/database/database.ts'
import { distribute, planDistribution } from './distribute.ts'

it('refuses a database without Citus and leaves it as it is', async () => {
  const database = await createTestDatabase({ bare: true })
  try {
    const refusal = { code: 'citus_missing', message: expect.stringContaining('create extension citus') }
    await expect(planDistribution(database.url)).rejects.toMatchObject(refusal)
    await expect(distribute(database.url)).rejects.toMatchObject(refusal)
    expect(await database.db.one("select to_regnamespace('distribution') as made")).toEqual({ made: null })
  } finally {
    await database.drop()
  }
})
