import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { type Api, apiOf, bearer, parallel, statuses } from '#e2e/harness/api.ts'
import { cheapPasswords } from '#e2e/harness/cheap-passwords.ts'
import { createFrozenDatabase, type FrozenDatabase } from '#e2e/harness/database/database.ts'
import { codeIn, messagesTo, waitForMessage } from '#e2e/harness/outbox.ts'
import { goodPassword, register, someEmail, somePhone } from '#e2e/harness/register.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { purge } from '#server/operations/cleanup/purge.ts'
import { endSessionsOf } from './commands/end-sessions.ts'
import { deviceName, networkOf } from './origin.ts'

/** The clock of database and server, which only `pass` moves. */
let database: FrozenDatabase
let server: TestServer
let api: Api
let nowMs = 0
beforeAll(async () => {
  database = await createFrozenDatabase()
  nowMs = new Date((await database.db.one('select now() as at')).at).getTime()
  server = await startTestServer({
    database,
    passwords: cheapPasswords,
    environment: { SANDBOX: 'on', TRUSTED_HOPS: '1' },
    now: () => new Date(nowMs),
  })
  api = apiOf(server.url)
})
afterAll(() => server?.close())

const day = 86_400_000
async function pass(milliseconds: number) {
  await server.services.usage.flush()
  nowMs += milliseconds
  await database.advance(milliseconds)
}
const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0'
const logIn = async (email: string, from = '203.0.113.7', userAgent = chrome) =>
  (
    await api('POST', '/api/auth/login/', {
      body: { email, password: goodPassword },
      from,
      headers: { 'user-agent': userAgent },
    })
  ).body.token as string
const isValid = async (token: string) =>
  (await api('GET', '/api/auth/validate/', { headers: bearer(token) })).status === 200
const list = async (token: string) => (await api('GET', '/api/v1/user/sessions/', { headers: bearer(token) })).body
const end = (token: string, uid: string) => api('DELETE', `/api/v1/user/sessions/${uid}/`, { headers: bearer(token) })

describe('the list of sessions', () => {
  it('shows sessions without secrets and marks the current one', async () => {
    const { email, token } = await register(api)
    const second = await logIn(email)
    const sessions = await list(second)
    expect(sessions).toHaveLength(2)
    expect(sessions.find((one: { is_current: boolean }) => one.is_current)).toEqual({
      uid: expect.stringMatching(/^ses_[0-9a-f]{22}$/),
      is_current: true,
      method: 'password',
      device: 'Chrome on Windows',
      network: '203.0.113.0/24',
      user_agent: chrome,
      created_at: expect.any(String),
      last_used_at: null,
    })
    expect(sessions.find((one: { is_current: boolean }) => !one.is_current)).toMatchObject({ method: 'registration' })
    expect(JSON.stringify(sessions)).not.toContain(second.slice(5, 20))
    expect(JSON.stringify(sessions)).not.toContain(token.slice(5, 20))
  })

  it("ends one session at once, and no other user's", async () => {
    const { email, token } = await register(api)
    const second = await logIn(email)
    const [other] = (await list(second)).filter((one: { is_current: boolean }) => !one.is_current)
    const stranger = await buildAccount(server.services.db)
    const foreign = await api('DELETE', `/api/v1/user/sessions/${other.uid}/`, { headers: stranger.bearer })
    expect(foreign.status).toBe(404)
    expect(statuses(await parallel(8, () => end(second, other.uid)))).toEqual({ 204: 1, 404: 7 })
    expect([await isValid(token), await isValid(second)]).toEqual([false, true])
  })

  it('ends all others and keeps the current one', async () => {
    const { email, token } = await register(api)
    const tokens = [token, await logIn(email), await logIn(email)]
    const reply = await api('POST', '/api/v1/user/sessions/end-others/', { headers: bearer(tokens[1]!) })
    expect(reply).toMatchObject({ status: 200, body: { ended: 2 } })
    expect(await Promise.all(tokens.map(isValid))).toEqual([false, true, false])
  })

  it('ends authorizations that another session began', async () => {
    const { id, email, token } = await register(api)
    const other = await logIn(email)
    const { db } = server.services
    await db.none(
      "insert into connect_ticket (user_id, ticket_hash, platform, expires_at) values ($1, sha256($2::bytea), 'ebay', now() + interval '1 hour')",
      [id, `ticket of ${id}`],
    )
    expect((await api('POST', '/api/v1/user/sessions/end-others/', { headers: bearer(other) })).status).toBe(200)
    expect(await isValid(token)).toBe(false)
    expect(await db.any('select from connect_ticket where user_id = $1', [id])).toEqual([])
  })

  it('names networks and devices without needless detail', () => {
    expect(networkOf('203.0.113.77')).toBe('203.0.113.0/24')
    expect(networkOf('2001:db8:1:2::/64')).toBe('2001:db8:1::/48')
    expect(networkOf('unknown')).toBe('unknown')
    expect(deviceName(firefox)).toBe('Firefox on Linux')
    expect(deviceName('hapax-cli/1.2')).toBe('hapax-cli')
    expect(deviceName(null)).toBe('An unknown device')
  })
})

describe('the lifetime of a session', () => {
  it('ends 30 days after the last use', async () => {
    const { token } = await register(api)
    await pass(29 * day)
    expect(await isValid(token)).toBe(true)
    await pass(29 * day)
    expect(await isValid(token)).toBe(true)
    await pass(30 * day + 1)
    expect(await isValid(token)).toBe(false)
  })

  it('ends 90 days after its start, even if used', async () => {
    const { token } = await register(api)
    for (let days = 0; days < 88; days += 22) {
      await pass(22 * day)
      expect(await isValid(token)).toBe(true)
    }
    await pass(2 * day + 1)
    expect(await isValid(token)).toBe(false)
  })

  it('leaves no row behind', async () => {
    const { id } = await register(api)
    await pass(31 * day)
    await purge(server.services.db)
    expect(await server.services.db.any('select 1 from bearer_token where user_id = $1', [id])).toEqual([])
  })

  it('writes the last use every five minutes at most', async () => {
    const { id, token } = await register(api)
    const lastUse = async () => {
      await isValid(token)
      await server.services.usage.flush()
      const { at } = await server.services.db.one('select last_used_at as at from bearer_token where user_id = $1', [
        id,
      ])
      return at as string
    }
    const first = await lastUse()
    await pass(4 * 60_000)
    expect(await lastUse()).toBe(first)
    await pass(2 * 60_000)
    expect(await lastUse()).not.toBe(first)
  })
})

describe('a sign-in from a new device', () => {
  it('is reported by mail with place and time, except the first', async () => {
    const { email } = await register(api, someEmail())
    const mails = async () =>
      (await messagesTo(server.services, email)).filter(({ template }) => template === 'new-device')
    // The registration came from another network and browser.
    await logIn(email, '203.0.113.7', chrome)
    expect(await mails()).toHaveLength(1)
    expect((await mails())[0]!.text).toMatch(/Chrome on Windows, network 203\.0\.113\.0\/24, .+ UTC/)
    expect((await mails())[0]!.text).toContain('/account/forgot-password')
    await logIn(email, '203.0.113.200', chrome.replace('140', '141'))
    expect(await mails()).toHaveLength(1)
    await logIn(email, '203.0.113.7', firefox)
    await logIn(email, '198.51.100.1', chrome)
    expect(await mails()).toHaveLength(3)
  })

  it('sends no mail at registration and at most ten a day', async () => {
    const { email, id } = await register(api)
    const count = async () =>
      (await messagesTo(server.services, email)).filter(({ template }) => template === 'new-device').length
    expect(await count()).toBe(0)
    for (let network = 1; network <= 14; network++) await logIn(email, `198.51.${network}.1`)
    expect(await count()).toBe(10)
    const { devices } = await server.services.db.one(
      'select count(*)::integer as devices from known_device where user_id = $1',
      [id],
    )
    expect(devices).toBe(15)
  })
})

describe("the operator's command", () => {
  it('ends all sessions of one account', async () => {
    const [one, other] = [await register(api), await register(api)]
    const second = await logIn(one.email)
    expect(await endSessionsOf(server.services.db, ` ${one.email.toUpperCase()} `)).toBe(2)
    expect([await isValid(one.token), await isValid(second), await isValid(other.token)]).toEqual([false, false, true])
    expect(await endSessionsOf(server.services.db, 'nobody@example.com')).toBeNull()
  })
})

describe('a sensitive change', () => {
  const makeKey = (token: string) =>
    api('POST', '/api/v1/api-keys/', { headers: bearer(token), body: { name: 'extension' } })
  const prove = (token: string, body: object) =>
    api('POST', '/api/auth/reauthenticate/', { headers: bearer(token), body })

  it('requires authentication again after a day', async () => {
    const { token } = await register(api)
    await pass(day - 1_000)
    expect((await makeKey(token)).status).toBe(201)
    await pass(2_000)
    const calls = [
      ['POST', '/api/v1/api-keys/', { name: 'x' }],
      ['POST', '/api/auth/connect-social/', { provider: 'apple', token: 'x' }],
      ['POST', '/api/v1/user/sessions/end-others/'],
      ['POST', '/api/v1/user/deactivate/'],
    ] as const
    for (const [method, path, body] of calls) {
      expect(await api(method, path, { headers: bearer(token), body })).toMatchObject({
        status: 403,
        body: { code: 'reauthentication_required' },
      })
    }
    expect(await prove(token, { password: goodPassword })).toMatchObject({ status: 200 })
    expect((await makeKey(token)).status).toBe(201)
  })

  it('accepts a new sign-in for that session only', async () => {
    const { email, token } = await register(api)
    await pass(2 * day)
    const fresh = await logIn(email)
    expect([(await makeKey(fresh)).status, (await makeKey(token)).status]).toEqual([201, 403])
  })

  it('refuses a wrong password, five times in 15 minutes', async () => {
    const { token } = await register(api)
    await pass(2 * day)
    for (let n = 0; n < 5; n++) {
      expect(await prove(token, { password: 'wrong lantern 1' })).toMatchObject({
        status: 400,
        body: { code: 'wrong_password', errors: [{ field: 'password' }] },
      })
    }
    expect((await prove(token, { password: goodPassword })).status).toBe(429)
    expect((await makeKey(token)).status).toBe(403)
  })

  it("accepts a code sent to the account's own number, once", async () => {
    const { services } = server
    const { id, token } = await register(api)
    const [own, other] = [somePhone(), somePhone()]
    await services.db.none('update app_user set phone_number = $2, phone_verified = true where id = $1', [id, own])
    await services.db.none(
      "insert into app_user (username, phone_number, phone_verified) values ('other-number', $1, true)",
      [other],
    )
    await pass(2 * day)
    const codeOf = async (phone_number: string) => {
      const { body } = await api('POST', '/api/auth/login/phone/begin/', { body: { phone_number } })
      const message = await waitForMessage(services, phone_number, 'signin-code')
      return { signin_token: body.signin_token, code: codeIn(message) }
    }
    const [mine, foreign] = [await codeOf(own), await codeOf(other)]
    expect(await prove(token, { phone: foreign })).toMatchObject({ status: 400, body: { code: 'code_invalid' } })
    expect((await makeKey(token)).status).toBe(403)
    expect(statuses(await parallel(8, () => prove(token, { phone: mine })))).toMatchObject({ 200: 1 })
    expect((await makeKey(token)).status).toBe(201)
  })

  it('requires exactly one proof', async () => {
    const { token } = await register(api)
    for (const body of [{}, { password: goodPassword, phone: { signin_token: 'x', code: '1' } }]) {
      expect(await prove(token, body)).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
    }
  })
})
