import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts'
import '#server/app.ts'
import '#server/workers.ts'
import '#server/listings/worker.ts'
import { gatheredTransaction } from './gather.ts'
import { sql } from './index.ts'
import { prepared, preparedTexts } from './prepared.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

describe('prepared queries', () => {
  it.each(preparedTexts())('%s can be prepared: PostgreSQL tells the types of its parameters', async (name, text) => {
    await database.db.none(`prepare ${name} as ${text}`)
  })
})
