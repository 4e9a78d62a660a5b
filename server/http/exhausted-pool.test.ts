import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { apiOf, parallel } from '#e2e/harness/api.ts'
import { createTestDatabase, type TestDatabase } from '#e2e/harness/database/database.ts'
import { openConnections } from '#e2e/harness/database/open-connections.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { until } from '#e2e/harness/until.ts'
import { closeDatabase, openDatabase, requestTimeouts } from '#server/infra/db/index.ts'

/** A server over a pool with half the timeouts of requests. */
const timeouts = { ...requestTimeouts, connectionMs: 1_000, statementMs: 2_500, lockMs: 1_000 }
let database: TestDatabase
let server: TestServer
beforeAll(async () => {
  const made = await createTestDatabase()
  const db = openDatabase({ url: made.url, timeouts, max: 20 })
  // Only statements should be late here, although connecting may be slow on a busy machine.
  await openConnections(db, 20)
  database = { ...made, db, drop: () => closeDatabase(db).then(() => made.drop()) }
  server = await startTestServer({ works: false, database })
})
afterAll(() => server?.close())

async function anAccount() {
  const account = await buildAccount(database.db)
  return { ...account, ask: () => apiOf(server.url)('GET', '/api/v1/inventory/', { headers: account.key }) }
}

describe('a connection of requests', () => {
  it('has timeouts: wait 2 s, statement 5 s, lock 2 s, idle 10 s', async () => {
    const db = openDatabase({ url: database.url, timeouts: requestTimeouts, max: 1 })
    onTestFinished(() => closeDatabase(db))
    const names = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']
    const settings = await Promise.all(names.map((name) => db.one('select current_setting($1) as value', name)))
    expect(settings.map(({ value }) => value)).toEqual(['5s', '2s', '10s'])
    expect(db.$pool.options.connectionTimeoutMillis).toBe(2_000)
  })

  it('answers 503 while the lock it waits for is still held', async () => {
    const { ask, user_id, bearer } = await anAccount()
    expect((await ask()).status).toBe(200)
    const holder = openDatabase({ url: database.url, max: 1 })
    try {
      await holder.tx(async (tx) => {
        await tx.any('select from app_user where id = $1 for update', [user_id])
        const body = { name: 'never made' }
        const refused = await apiOf(server.url)('POST', '/api/v1/api-keys/', { headers: bearer, body })
        expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable' } })
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      })
    } finally {
      await closeDatabase(holder)
    }
  })
})

describe('when every database connection is busy', () => {
  it('requests get 503 with Retry-After, and the server recovers', async () => {
    const { ask } = await anAccount()
    expect((await ask()).status).toBe(200)
    const { max } = database.db.$pool.options as { max: number }
    await openConnections(database.db, max)
    const sleepers = Promise.allSettled(asleep(max))
    const refused = await parallel(100, ask)
    // A request that waits as long as the sleepers may be the first to succeed again.
    expect(refused.filter(({ status }) => status === 503).length).toBeGreaterThan(0)
    for (const { status, headers, body } of refused) {
      if (status === 200) continue
      expect(status).toBe(503)
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      expect(body.code).toBe('unavailable')
    }
    // Liveness does not depend on the database.
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
    for (const sleeper of await sleepers)
      expect(sleeper).toMatchObject({ status: 'rejected', reason: { code: '57014' } })
    expect((await ask()).status).toBe(200)
  })

  it('every waiting request is answered', async () => {
    const { ask } = await anAccount()
    const giveBack = await holdAll()
    try {
      for (const { status, headers, body } of await parallel(100, ask)) {
        expect([status, body.code]).toEqual([503, 'unavailable'])
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      }
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
    } finally {
      giveBack()
    }
    expect((await ask()).status).toBe(200)
  })

  it('only a bounded number of requests waits', async () => {
    const line = 10
    const patient = await createTestDatabase()
    const crowded = await startTestServer({ works: false, database: patient, limits: { waitingForDatabase: line } })
    try {
      const { key } = await buildAccount(patient.db)
      const ask = () => apiOf(crowded.url)('GET', '/api/v1/inventory/', { headers: key })
      const giveBack = await holdAll(patient)
      const waiting = parallel(line, () => patient.db.one('select 1 as answered'))
      try {
        await until(() => patient.db.$pool.waitingCount === line)
        const refused = await ask()
        expect([refused.status, refused.body.code, patient.db.$pool.waitingCount]).toEqual([503, 'unavailable', line])
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
        expect((await fetch(`${crowded.url}/healthz`)).status).toBe(200)
      } finally {
        giveBack()
      }
      expect(await waiting).toHaveLength(line)
      expect((await ask()).status).toBe(200)
    } finally {
      await crowded.close()
    }
  })

  /** Takes every connection of the pool; returns a function that releases them. */
  async function holdAll({ db } = database): Promise<() => void> {
    const { max } = db.$pool.options as { max: number }
    await openConnections(db, max)
    const held = await parallel(max, () => db.connect())
    return () => {
      for (const connection of held) connection.done()
    }
  }
  const asleep = (count: number) => Array.from({ length: count }, () => database.db.any('select pg_sleep(30)'))
})
