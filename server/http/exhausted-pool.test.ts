import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeDatabase, openDatabase } from '#server/db/index.ts'
import { buildAccount } from '#server/testing/account.ts'
import { apiOf } from '#server/testing/api.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ works: false, database: await createTestDatabase({ connectTimeoutMs: 3_000 }) })
})
afterAll(() => server?.close())

/** Ends what sleeps, by a connection of its own. */
async function cancelAll(): Promise<void> {
  const apart = openDatabase({ url: server.services.config.DATABASE_URL!, max: 1 })
  await apart.any(
    "select pg_cancel_backend(pid) from pg_stat_activity where datname = current_database() and query like 'select pg_sleep%'",
  )
  await closeDatabase(apart)
}

describe('F10: every connection to the database is in use', () => {
  it('is told with 503 and when to come back, the server is still alive, and afterwards all is as before', async () => {
    const { db } = server.services
    const account = await buildAccount(db)
    const api = apiOf(server.url)
    const ask = () => api('GET', '/api/v1/inventory/', { headers: account.key })
    expect((await ask()).status).toBe(200)
    const { max } = db.$pool.options as { max: number }
    const sleepers = Promise.allSettled(Array.from({ length: max }, () => db.any('select pg_sleep(60)')))
    const refused = await Promise.all(Array.from({ length: 100 }, ask))
    for (const { status, headers, body } of refused) {
      expect(status).toBe(503)
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      expect(body.code).toBe('unavailable')
    }
    // Whether the process is alive is not for the database to say.
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
    await cancelAll()
    await sleepers
    expect((await ask()).status).toBe(200)
  })
})
