import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { apiOf, parallel, statuses } from '#e2e/harness/api.ts'
import { setReadOnly } from '#e2e/harness/database/read-only.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { until } from '#e2e/harness/until.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({
    works: false,
    limits: { keyPerMinute: 10, userPerMinute: 15, anonymousPerMinute: 10 },
  })
})
afterAll(() => server?.close())

describe('a read-only database', () => {
  it('serves reads, refuses writes with 503 and recovers', async () => {
    const { db, config } = server.services
    const api = apiOf(server.url)
    const [ada, bob] = [await buildAccount(db), await buildAccount(db)]
    const read = (headers: Record<string, string>) => () => api('GET', '/api/v1/inventory/', { headers })
    const write = () => api('POST', '/api/v1/api-keys/', { headers: ada.bearer, body: { name: 'refused' } })
    await setReadOnly(config.DATABASE_URL!, true)
    try {
      // The pool's connections were cut, and the first request may notice.
      await until(
        () => db.oneOrNone('select 1 as one').catch(() => null),
        (row) => row !== null,
      )
      // Counted as an anonymous request after its response; sent first, so that it counts in time.
      expect(
        (await api('GET', '/api/v1/inventory/', { headers: { authorization: `Bearer ${'x'.repeat(43)}` } })).status,
      ).toBe(401)
      expect(statuses(await parallel(12, read(ada.key)))).toEqual({ 200: 10, 429: 2 })
      expect(statuses(await parallel(8, read(ada.bearer)))).toEqual({ 200: 5, 429: 3 })
      expect((await read(bob.key)()).status).toBe(200)
      expect(statuses(await parallel(12, () => api('GET', '/api/v1/status/')))).toEqual({ 200: 9, 429: 3 })
      // They show when a key was last used, which cannot be written now.
      for (const path of ['/api/v1/api-keys/', '/api/v1/api-usage/']) {
        expect((await api('GET', path, { headers: bob.bearer })).status).toBe(200)
      }
      const refused = await api('POST', '/api/v1/api-keys/', { headers: bob.bearer, body: { name: 'refused' } })
      expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable' } })
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    } finally {
      await setReadOnly(config.DATABASE_URL!, false)
    }
    await until(
      () => db.oneOrNone('select 1 as one').catch(() => null),
      (row) => row !== null,
    )
    // Counted together again, from zero: nothing was written.
    expect((await write()).status).toBe(201)
    expect(statuses(await parallel(12, read(ada.key)))).toEqual({ 200: 10, 429: 2 })
  })
})
