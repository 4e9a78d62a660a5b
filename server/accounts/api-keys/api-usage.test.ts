import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { type Api, apiOf, parallel } from '#e2e/harness/api.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { createUsageRecorder } from '#server/http/usage-recorder.ts'
import { usageRange } from './read-usage.ts'

let server: TestServer
let api: Api
/** The server's clock, fixed so that midnight does not split a test. */
const now = new Date()
beforeAll(async () => {
  server = await startTestServer({
    works: false,
    now: () => now,
    // Usage is written only when a test says so.
    prepare: async (services) => {
      services.usage = createUsageRecorder(services, 3_600_000)
    },
  })
  api = apiOf(server.url)
})
afterAll(() => server?.close())

const today = () => now.toISOString().slice(0, 10)
const usage = (headers: Record<string, string>, query = '') => api('GET', `/api/v1/api-usage/${query}`, { headers })

describe('API usage', () => {
  it('shows its owner a key’s requests and errors by day', async () => {
    const account = await buildAccount(server.services.db)
    const other = await buildAccount(server.services.db)
    await parallel(20, () => api('GET', '/api/v1/platforms/', { headers: account.key }))
    await parallel(5, () => api('GET', '/api/v1/platforms/?page=7', { headers: account.key }))
    const { status, body } = await usage(account.bearer)
    expect(status).toBe(200)
    expect(body).toEqual({
      from: expect.any(String),
      to: today(),
      total: 25,
      keys: [
        {
          id: expect.stringMatching(/^key_/),
          name: 'test',
          total: 25,
          days: [{ date: today(), count: 25, errors: expect.any(Number) }],
        },
      ],
    })
    expect(body.keys[0].days[0].errors).toBeGreaterThanOrEqual(5)
    expect((await usage(other.bearer)).body).toMatchObject({ total: 0, keys: [] })
  })

  it('keeps the requests and name of a deleted key', async () => {
    const account = await buildAccount(server.services.db)
    await api('GET', '/api/v1/platforms/', { headers: account.key })
    const [key] = (await api('GET', '/api/v1/api-keys/', { headers: account.bearer })).body
    expect(key.last_used_at).toEqual(expect.any(String))
    await api('DELETE', `/api/v1/api-keys/${key.id}/`, { headers: account.bearer })
    expect((await usage(account.bearer)).body.keys).toMatchObject([{ id: key.id, name: 'test', total: 1 }])
  })

  it('keeps the name of a key deleted before its first write', async () => {
    const account = await buildAccount(server.services.db)
    await api('GET', '/api/v1/platforms/', { headers: account.key })
    await server.services.db.none('delete from api_key where user_id = $1', [account.user_id])
    expect((await usage(account.bearer)).body.keys).toMatchObject([{ name: 'test', total: 1 }])
  })

  it('counts requests refused for scope or credential kind', async () => {
    const account = await buildAccount(server.services.db, { scopes: ['usage:read'] })
    expect((await api('GET', '/api/v1/platforms/', { headers: account.key })).status).toBe(403)
    expect((await api('GET', '/api/auth/validate/', { headers: account.key })).status).toBe(403)
    const [key] = (await usage(account.bearer)).body.keys
    expect(key.days).toEqual([{ date: today(), count: 2, errors: 2 }])
    const [record] = (await api('GET', '/api/v1/api-keys/', { headers: account.bearer })).body
    expect(record.last_used_at).toEqual(expect.any(String))
  })

  it('does not restore a deleted key with a late write', async () => {
    const account = await buildAccount(server.services.db)
    await api('GET', '/api/v1/platforms/', { headers: account.key })
    await server.services.db.none('delete from api_key where user_id = $1', [account.user_id])
    await server.services.usage.flush()
    expect(await server.services.db.any('select 1 from api_key where user_id = $1', [account.user_id])).toEqual([])
  })

  it('loses nothing at a clean stop', async () => {
    const account = await buildAccount(server.services.db)
    await parallel(7, () => api('GET', '/api/v1/platforms/', { headers: account.key }))
    await server.services.atStop.run()
    const { count } = await server.services.db.one('select count from api_usage where user_id = $1', [account.user_id])
    expect(count).toBe(7)
    server.services.atStop.add(() => server.services.usage.flush())
  })

  it('loses nothing when the database fails for a while', async () => {
    const account = await buildAccount(server.services.db)
    await api('GET', '/api/v1/platforms/', { headers: account.key })
    await server.services.db.none('alter table api_usage rename to gone')
    await expect(server.services.usage.flush()).rejects.toThrow()
    await server.services.db.none('alter table gone rename to api_usage')
    expect((await usage(account.bearer)).body.total).toBe(1)
  })

  it('returns at most 90 days and requires usage:read', async () => {
    const account = await buildAccount(server.services.db, { scopes: ['platforms:read'] })
    expect((await usage(account.bearer, '?from=2026-01-01&to=2026-03-31')).status).toBe(200)
    for (const query of [
      '?from=2026-01-01&to=2026-04-01',
      '?from=2026-02-02&to=2026-02-01',
      '?from=1&to=2',
      '?user_id=1',
    ]) {
      expect((await usage(account.bearer, query)).status).toBe(400)
    }
    expect((await usage(account.key)).status).toBe(403)
  })

  it('covers 30 days up to the given last one, or today', () => {
    const now = new Date('2026-03-15T23:59:59Z')
    expect(usageRange({}, now)).toEqual({ from: '2026-02-14', to: '2026-03-15' })
    expect(usageRange({ to: '2026-01-30' }, now)).toEqual({ from: '2026-01-01', to: '2026-01-30' })
  })
})
