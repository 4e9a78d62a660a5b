import { expect, it } from 'vitest'
import { createFrozenDatabase } from '#e2e/harness/database/database.ts'
import { spendCalls } from './queries.ts'

it('keeps the calls that may be spent ahead when the clock goes back', async () => {
  const { db, advance, drop } = await createFrozenDatabase()
  await db.none("insert into order_budget values ('etsy', 10, 10, 1)")
  const spend = () => db.one(spendCalls({ platform: 'etsy', calls: 1 }))
  await spend()
  await advance(-3_600_000)
  expect((await spend()).fullness).toBeCloseTo(0.8, 5)
  await drop()
})
