import { afterEach, describe, expect, it } from 'vitest'
import { closeDatabase, openDatabase } from '#server/infra/db/index.ts'
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts'
import { contend } from './contend.ts'

let database: TestDatabase
afterEach(() => database?.drop())

/** A small run of the command `npm run contend` (100,000 attempts, and 1,000,000 in a longer one). */
const run = async (given: { attempts: number; mutant?: boolean }) => {
  // The careless version breaks the invariants, so they are not checked for it.
  database = await createTestDatabase({ checked: !given.mutant })
  const db = openDatabase({ url: database.url, max: 64 })
  try {
    return await contend(db, { clients: 64, seed: 20_260_105, ...given })
  } finally {
    await closeDatabase(db)
  }
}

describe('many clients who sell few items at once', () => {
  it('of 2,500 contended attempts no item is sold twice, and every other buyer is an oversell', async () => {
    const { outcomes, soldTwice, items } = await run({ attempts: 2_500 })
    expect(soldTwice).toEqual([])
    expect(outcomes.sold).toBeGreaterThanOrEqual(items * 0.9)
    expect(outcomes.oversell).toBeGreaterThan(items * 5)
    expect(outcomes.freed).toBeGreaterThan(0)
  })

  it('the same run with read-then-write is caught', async () => {
    const { soldTwice } = await run({ attempts: 2_500, mutant: true })
    expect(soldTwice.length).toBeGreaterThan(0)
  })
})
