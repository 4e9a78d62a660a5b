import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bearer } from '#e2e/harness/api.ts'
import { messagesTo, settleDeferredMessages, untilSent } from '#e2e/harness/outbox.ts'
import { goodPassword, register } from '#e2e/harness/register.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { mailboxSteps, newPassword } from '#server/accounts/sign-in/testing/mailbox-steps.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ environment: { SANDBOX: 'on' } })
})
afterAll(() => server?.close())
const { api, request, confirm, logIn, validate, verify, resetToken, verificationToken } = mailboxSteps(() => server)

describe('deactivation', () => {
  it('ends tokens, keys and links at once and reserves the address', async () => {
    const account = await register(api)
    const key = (await api('POST', '/api/v1/api-keys/', { headers: bearer(account.token), body: { name: 'x' } })).body
      .key
    const reset = await resetToken(account.email)
    const verification = await verificationToken(account)
    await untilSent(server.services)
    const close = () => api('POST', '/api/v1/user/deactivate/', { headers: bearer(account.token) })
    expect(await close()).toMatchObject({ status: 200, body: { message: expect.any(String) } })
    // It cannot be undone.
    expect((await close()).status).toBe(401)
    expect(await validate(account.token)).toBe(401)
    expect((await api('GET', '/api/v1/platforms/', { headers: { 'x-api-key': key } })).status).toBe(401)
    expect((await logIn(account.email, goodPassword)).status).toBe(401)
    expect((await confirm(reset)).status).toBe(400)
    expect((await verify(verification)).status).toBe(400)
    expect((await request(account.email)).status).toBe(200)
    await settleDeferredMessages(server.services)
    expect(
      (await messagesTo(server.services, account.email)).filter(({ template }) => template === 'password-reset'),
    ).toHaveLength(1)
    const again = { email: account.email, password: goodPassword, password_confirm: goodPassword }
    expect((await api('POST', '/api/auth/register/email/', { body: again })).status).toBe(409)
  })

  it('takes no body or API key and closes no other account', async () => {
    const [account, other] = [await register(api), await register(api)]
    const key = (await api('POST', '/api/v1/api-keys/', { headers: bearer(account.token), body: { name: 'x' } })).body
      .key
    expect(
      (await api('POST', '/api/v1/user/deactivate/', { headers: bearer(account.token), body: { user_id: other.id } }))
        .status,
    ).toBe(400)
    expect((await api('POST', '/api/v1/user/deactivate/', { headers: { 'x-api-key': key } })).status).toBe(403)
    expect(await validate(account.token)).toBe(200)
    expect(await validate(other.token)).toBe(200)
  })

  it('leaves no access behind concurrent sign-ins and changes', async () => {
    for (let round = 0; round < 20; round++) {
      const account = await register(api)
      await Promise.all([
        api('POST', '/api/v1/user/deactivate/', { headers: bearer(account.token) }),
        logIn(account.email, goodPassword),
        api('POST', '/api/v1/api-keys/', { headers: bearer(account.token), body: { name: 'late' } }),
        api('POST', '/api/auth/password/change/', {
          headers: bearer(account.token),
          body: { current_password: goodPassword, new_password: newPassword, new_password_confirm: newPassword },
        }),
      ])
      const left = await server.services.db.one(
        `select state, (select count(*) from bearer_token where user_id = id) as tokens,
           (select count(*) from api_key where user_id = app_user.id) as keys
         from app_user where id = $1`,
        [account.id],
      )
      if (left.state === 'deactivated') expect(left).toEqual({ state: 'deactivated', tokens: 0, keys: 0 })
    }
  })
})
