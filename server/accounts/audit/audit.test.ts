import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { type Api, apiOf, bearer, parallel } from '#e2e/harness/api.ts'
import { cheapPasswords } from '#e2e/harness/cheap-passwords.ts'
import { tokenIn, waitForMessage } from '#e2e/harness/outbox.ts'
import { goodPassword, register } from '#e2e/harness/register.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import type { AuditEntry } from '#shared/contract/account/audit.ts'

let server: TestServer
let api: Api
let now = new Date('2026-03-01T10:00:00Z')
beforeAll(async () => {
  server = await startTestServer({
    passwords: cheapPasswords,
    now: () => now,
    environment: { TRUSTED_HOPS: '1', AUDIT_DAYS: '30' },
  })
  api = apiOf(server.url)
})
afterAll(() => server?.close())

async function trailOf(headers: Record<string, string>, query = ''): Promise<AuditEntry[]> {
  const { status, body } = await api('GET', `/api/v1/user/audit/${query}`, { headers })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.results
}

describe('the audit trail', () => {
  it('records sign-ins, failures and access changes with origin', async () => {
    const { email, token } = await register(api)
    const password = goodPassword
    const from = '2001:db8:1:2:3:4:5:6'
    const headers = { 'user-agent': 'Reader/1.0' }
    await api('POST', '/api/auth/login/', { body: { email, password: 'wrong password 1' }, from, headers })
    const session = await api('POST', '/api/auth/login/', { body: { email, password }, from, headers })
    const own = bearer(session.body.token)
    const made = await api('POST', '/api/v1/api-keys/', { headers: own, body: { name: 'reads' } })
    const key = { 'x-api-key': made.body.key }
    expect((await api('POST', '/api/auth/logout/', { headers: key })).status).toBe(403)
    await api('POST', `/api/v1/api-keys/${made.body.id}/rotate/`, { headers: own })
    await api('DELETE', `/api/v1/api-keys/${made.body.id}/`, { headers: own })
    await api('POST', '/api/auth/logout/', { headers: bearer(token) })

    const trail = await trailOf(own)
    expect(trail.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
      'session.ended ok',
      'api_key.deleted ok',
      'api_key.rotated ok',
      'session.ended wrong_credential_kind',
      'api_key.created ok',
      'session.created ok',
      'session.created invalid_credentials',
      'account.registered ok',
    ])
    expect(trail[3]).toMatchObject({ key_id: made.body.id })
    expect(trail.slice(1, 5).map(({ target }) => target)).toEqual([made.body.id, made.body.id, null, made.body.id])
    expect(trail[6]).toMatchObject({ address: '2001:db8:1:2::/64', user_agent: 'Reader/1.0', times: 1 })
    expect(trail[6]?.request_id).toMatch(/^req_/)
    for (const secret of [token, session.body.token, made.body.key, password, 'wrong password 1']) {
      expect(JSON.stringify(trail)).not.toContain(secret)
    }
  })

  it('records a password reset by link', async () => {
    const { email } = await register(api)
    await api('POST', '/api/auth/password/reset/request/', { body: { email } })
    const token = tokenIn(await waitForMessage(server.services, email, 'password-reset'))
    const password = 'quiet harbour 77'
    await api('POST', '/api/auth/password/reset/confirm/', { body: { token, password, password_confirm: password } })
    const session = await api('POST', '/api/auth/login/', { body: { email, password } })
    const trail = await trailOf(bearer(session.body.token))
    expect(trail.map(({ action }) => action)).toEqual(['session.created', 'password.reset', 'account.registered'])
  })

  it('merges repeated refusals of one address within an hour', async () => {
    const account = await buildAccount(server.services.db, { scopes: ['usage:read'] })
    const refuse = () => api('GET', '/api/v1/inventory/', { headers: account.key })
    await parallel(30, refuse)
    await server.services.audit.flush()
    await parallel(20, refuse)
    now = new Date(now.getTime() + 3_600_000)
    await refuse()
    const trail = await trailOf(account.bearer)
    expect(trail).toMatchObject([
      { action: 'request.refused', outcome: 'insufficient_scope', target: 'listInventory', times: 1 },
      { action: 'request.refused', outcome: 'insufficient_scope', target: 'listInventory', times: 50 },
    ])
  })

  it('shows an account only its own entries, in pages', async () => {
    const [one, other] = await parallel(2, () => buildAccount(server.services.db))
    for (let round = 0; round < 5; round++) {
      await api('POST', '/api/v1/api-keys/', { headers: one!.bearer, body: { name: `key ${round}` } })
    }
    expect(await trailOf(other!.bearer)).toEqual([])
    const first = await api('GET', '/api/v1/user/audit/?page_size=3', { headers: one!.bearer })
    const rest = await api('GET', `/api/v1/user/audit/?page_size=3&cursor=${first.body.next_cursor}`, {
      headers: one!.bearer,
    })
    expect([first.body.results.length, rest.body.results.length, rest.body.next_cursor]).toEqual([3, 2, null])
    const foreign = await api('GET', `/api/v1/user/audit/?cursor=${first.body.next_cursor}`, { headers: other!.bearer })
    expect(foreign.body.results).toEqual([])
    expect((await api('GET', '/api/v1/user/audit/', { headers: one!.key })).status).toBe(403)
  })

  it('keeps entries during write failures, and for AUDIT_DAYS', async () => {
    const { db, audit } = server.services
    const account = await buildAccount(db)
    await db.none('alter table audit_log rename to audit_log_away')
    await api('POST', '/api/v1/api-keys/', { headers: account.bearer, body: { name: 'x' } })
    await expect(audit.flush()).rejects.toThrow()
    await db.none('alter table audit_log_away rename to audit_log')
    expect(await trailOf(account.bearer)).toMatchObject([{ action: 'api_key.created' }])
    const { days } = await db.one(
      'select extract(day from expires_at - at)::integer as days from audit_log where user_id = $<user_id>',
      account,
    )
    expect(days).toBe(30)
  })

  it('writes a change of access before the response', async () => {
    const { db } = server.services
    const account = await buildAccount(db)
    const { body } = await api('POST', '/api/v1/api-keys/', { headers: account.bearer, body: { name: 'x' } })
    const rows = await db.any('select action, target from audit_log where user_id = $<user_id>', account)
    expect(rows).toEqual([{ action: 'api_key.created', target: body.id }])
  })

  it('answers while the audit table is locked and writes later', async () => {
    const { db } = server.services
    const account = await buildAccount(db)
    await db.tx('lock-trail', async (tx) => {
      await tx.none('lock table audit_log in access exclusive mode')
      const made = await api('POST', '/api/v1/api-keys/', { headers: account.bearer, body: { name: 'x' } })
      expect(made.status).toBe(201)
    })
    expect(await trailOf(account.bearer)).toMatchObject([{ action: 'api_key.created' }])
  })

  it('logs the account of each request', async () => {
    const account = await buildAccount(server.services.db)
    await api('GET', '/api/v1/inventory/', { headers: account.key, from: '198.18.7.7' })
    const lines = server.logged.map((line) => JSON.parse(line))
    const line = lines.findLast(({ msg, operation }) => msg === 'request' && operation === 'listInventory')
    expect(line).toMatchObject({ user_id: account.user_id, address: '198.18.7.7', status: 200 })
    expect(line.key_id).toMatch(/^key_/)
    expect(line.duration_ms).toBeGreaterThan(0)
  })
})
