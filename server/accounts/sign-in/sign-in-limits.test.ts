import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bearer, parallel, statuses } from '#e2e/harness/api.ts'
import { cheapPasswords } from '#e2e/harness/cheap-passwords.ts'
import { goodPassword, register, someEmail } from '#e2e/harness/register.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { mailboxSteps, newPassword } from './testing/mailbox-steps.ts'
import { softwareAuthenticator } from './testing/software-authenticator.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ environment: { SANDBOX: 'on', TRUSTED_HOPS: '1' }, passwords: cheapPasswords })
})
afterAll(() => server?.close())
const { api, confirm, logIn, resetToken } = mailboxSteps(() => server)

describe('sign-in limits', () => {
  it('check 5 of 64 concurrent passwords, then delay any', async () => {
    const account = await register(api)
    const beforeMs = performance.now()
    expect(statuses(await parallel(64, () => logIn(account.email, 'wrong 12345')))).toEqual({ 401: 5, 429: 59 })
    const waiting = await logIn(account.email, goodPassword)
    expect(waiting.status).toBe(429)
    const leastSeconds = 59 - (performance.now() - beforeMs) / 1_000
    expect(Number(waiting.headers.get('retry-after'))).toBeGreaterThanOrEqual(Math.floor(leastSeconds))
  })

  it('apply to unknown addresses alike', async () => {
    const email = someEmail()
    const seen = []
    for (let round = 0; round < 7; round++) seen.push((await logIn(email, 'wrong 12345')).status)
    expect(seen).toEqual([401, 401, 401, 401, 401, 429, 429])
  })

  it('never count right passwords, however many at once', async () => {
    const account = await register(api)
    expect(statuses(await parallel(40, () => logIn(account.email, goodPassword)))).toEqual({ 200: 40 })
  })

  it('double the wait with each failure until a reset', async () => {
    const account = await register(api)
    const { db } = server.services
    const expire = () => db.none('update failed_attempt set blocked_until = now() where blocked_until is not null')
    for (let round = 0; round < 5; round++) await logIn(account.email, 'wrong 12345')
    const waits = []
    for (let round = 0; round < 3; round++) {
      waits.push(Number((await logIn(account.email, 'wrong 12345')).headers.get('retry-after')))
      await expire()
      await logIn(account.email, 'wrong 12345')
    }
    expect(waits.map((wait) => Math.round(wait / 60))).toEqual([1, 2, 4])
    await confirm(await resetToken(account.email))
    expect((await logIn(account.email, newPassword)).status).toBe(200)
  })

  describe('100 wrong passwords from 21 networks', () => {
    const from = (network: string, email: string, password: string) =>
      api('POST', '/api/auth/login/', { from: network, body: { email, password } })
    /** As a stranger who has many addresses. */
    async function attack(email: string) {
      const replies = []
      for (let index = 0; index < 21; index++) {
        replies.push(...(await parallel(5, () => from(`203.0.113.${index + 1}`, email, 'wrong 12345'))))
      }
      expect(statuses(replies)).toEqual({ 401: 100, 429: 5 })
    }

    it('delay sign-ins from unknown networks, an hour at most', async () => {
      const account = await register(api)
      await attack(account.email)
      const waiting = await from('203.0.113.200', account.email, goodPassword)
      expect(waiting.status).toBe(429)
      expect(Number(waiting.headers.get('retry-after'))).toBeLessThanOrEqual(3_600)
    })

    it('do not lock out a network that the account was entered from', async () => {
      const account = await register(api)
      await attack(account.email)
      expect((await logIn(account.email, goodPassword)).status).toBe(200)
    })

    it('do not lock out a network where a reset link was used', async () => {
      const account = await register(api)
      await attack(account.email)
      const token = await resetToken(account.email)
      const body = { token, password: newPassword, password_confirm: newPassword }
      await api('POST', '/api/auth/password/reset/confirm/', { from: '203.0.113.201', body })
      expect((await from('203.0.113.202', account.email, newPassword)).status).toBe(200)
      await server.services.db.none("delete from failed_attempt where kind = 'login'")
      await attack(account.email)
      expect((await from('203.0.113.201', account.email, newPassword)).status).toBe(200)
    })

    it('do not lock out a passkey', async () => {
      const account = await register(api)
      const device = softwareAuthenticator(server.url.replace('127.0.0.1', 'localhost'))
      const adding = await api('POST', '/api/v1/user/passkeys/begin/', { headers: bearer(account.token) })
      const added = await api('POST', '/api/v1/user/passkeys/', {
        headers: bearer(account.token),
        body: {
          challenge_token: adding.body.challenge_token,
          name: 'Phone',
          response: device.create(adding.body.options),
        },
      })
      expect(added.status).toBe(201)
      await attack(account.email)
      const there = { from: '203.0.113.203' }
      expect((await from(there.from, account.email, goodPassword)).status).toBe(429)
      const { body } = await api('POST', '/api/auth/login/passkey/begin/', there)
      const answer = { challenge_token: body.challenge_token, response: device.get(body.options) }
      expect((await api('POST', '/api/auth/login/passkey/', { ...there, body: answer })).status).toBe(200)
    })

    it('lock out an address without an account just the same', async () => {
      const email = someEmail()
      await attack(email)
      expect((await from('203.0.113.200', email, goodPassword)).status).toBe(429)
    })
  })
})
