import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { apiOf, parallel, statuses } from '#e2e/harness/api.ts'
import { createTestDatabase, type TestDatabase } from '#e2e/harness/database/database.ts'
import { startTestServer } from '#e2e/harness/server.ts'
import { randomBase62 } from '#shared/identity.ts'
import { checkConnections, connectionBudget, refusePooler } from './connection-budget.ts'
import { closeDatabase, openDatabase, requestTimeouts, workTimeouts } from './index.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ checked: false })
})
afterAll(() => database?.drop())

const budget = (total: number) => ({ requests: 1, work: 1, total })

describe('the connections of a process', () => {
  it('depend on its role', () => {
    const pools = { DATABASE_POOL: 30, DATABASE_WORK_POOL: 10 }
    expect(connectionBudget({ ROLE: 'all', ...pools })).toEqual({ requests: 30, work: 10, total: 49 })
    expect(connectionBudget({ ROLE: 'api', ...pools })).toEqual({ requests: 30, work: 4, total: 43 })
    expect(connectionBudget({ ROLE: 'worker', ...pools })).toEqual({ requests: 4, work: 10, total: 23 })
  })

  it('are checked against PostgreSQL’s limit, naming the settings', async () => {
    const { most } = await database.db.one<{ most: number }>(
      "select current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer as most",
    )
    await expect(checkConnections(database.db, budget(most + 1))).rejects.toThrow(
      `up to ${most + 1} connections, and PostgreSQL takes ${most} in all. Raise max_connections, or set DATABASE_POOL`,
    )
    expect(await checkConnections(database.db, budget(most))).toMatch(/are in use\. Raise max_connections/)
    expect(await checkConnections(database.db, budget(1))).toBeNull()
  })

  it('are refused where a pooler drops their timeouts', async () => {
    const pooled = openDatabase({ url: database.url, max: 1, timeouts: { ...workTimeouts, lockMs: 0 } })
    onTestFinished(() => closeDatabase(pooled))
    await expect(refusePooler(pooled)).rejects.toThrow('PgBouncer')
    const direct = openDatabase({ url: database.url, max: 1 })
    onTestFinished(() => closeDatabase(direct))
    await refusePooler(direct)
  })
})

it('run out with 503 and one log line', async () => {
  const role = `few_${randomBase62(8).toLowerCase()}`
  await database.db.none(`create role ${role} login password 'few' connection limit 1`)
  onTestFinished(async () => {
    await database.db.none(`drop role ${role}`)
  })
  await database.db.none(`grant hapax to ${role}`)
  const url = Object.assign(new URL(database.url), { username: role, password: 'few' }).href
  const db = openDatabase({ url, timeouts: requestTimeouts })
  const server = await startTestServer({
    works: false,
    database: { ...database, db, drop: () => closeDatabase(db) },
  })
  onTestFinished(() => server.close())
  const account = await buildAccount(database.db)

  const replies = await parallel(40, () => apiOf(server.url)('GET', '/api/v1/inventory/', { headers: account.key }))
  const counts = statuses(replies)
  expect(counts[503]).toBeGreaterThan(1)
  expect((counts[200] ?? 0) + (counts[503] ?? 0)).toBe(40)
  for (const { status, headers } of replies) {
    if (status === 503) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  }
  const lines = server.logged.filter((line) => line.includes('too many connections'))
  expect(lines).toHaveLength(1)
})
