import { afterEach, describe, expect, it } from 'vitest'
import { campaignSeed, rounds } from '#e2e/harness/campaigns/campaign.ts'
import { createTestDatabase, type TestDatabase } from '#e2e/harness/database/database.ts'
import { closeDatabase, openDatabase } from '#server/infra/db/index.ts'
import { contend } from './contend.ts'

/** Each has a connection, whose first statements cost more than all others. */
const clients = 16

let database: TestDatabase
afterEach(() => database?.drop())

/** Runs a small version of `npm run lab -- contend`. */
const run = async (given: { mutant?: boolean } = {}) => {
  // The mutant breaks the invariants, so they are not checked for it.
  database = await createTestDatabase({ checked: !given.mutant })
  const db = openDatabase({ url: database.url, max: clients })
  try {
    return await contend(db, { attempts: rounds(2_500), clients, seed: campaignSeed, ...given })
  } finally {
    await closeDatabase(db)
  }
}

describe('concurrent sales of few items', () => {
  it('sell each item once and record the rest as oversells', async () => {
    const { outcomes, soldTwice, items } = await run()
    expect(soldTwice).toEqual([])
    // Races without each of these would prove nothing. How many there are depends on the machine.
    for (const outcome of ['sold', 'oversell', 'freed'] as const) expect(outcomes[outcome]).toBeGreaterThan(0)
    expect((outcomes.sold ?? 0) + (outcomes.oversell ?? 0)).toBeGreaterThan(items)
  })

  it('sell items twice with read-then-write queries', async () => {
    const { soldTwice } = await run({ mutant: true })
    expect(soldTwice.length).toBeGreaterThan(0)
  })
})
