import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bearer, parallel, statuses } from '#e2e/harness/api.ts'
import { messagesTo, tokenIn } from '#e2e/harness/outbox.ts'
import { goodPassword, register, someEmail } from '#e2e/harness/register.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { mailboxSteps } from '#server/accounts/sign-in/testing/mailbox-steps.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ environment: { SANDBOX: 'on' } })
})
afterAll(() => server?.close())
const { api, confirm, logIn, verify, verificationToken } = mailboxSteps(() => server)

describe('email verification', () => {
  it('verifies with the token of the mail, once', async () => {
    const account = await register(api)
    const token = await verificationToken(account)
    expect(await verify(token)).toMatchObject({ status: 200, body: { detail: expect.any(String) } })
    expect(await verify(token)).toMatchObject({ status: 400, body: { code: 'code_invalid' } })
    expect((await logIn(account.email, goodPassword)).status).toBe(200)
    expect(await server.services.db.one('select email_verified from app_user where id = $1', [account.id])).toEqual({
      email_verified: true,
    })
  })

  it('sends at most 3 an hour, and none once verified', async () => {
    const account = await register(api)
    const ask = () => api('POST', '/api/auth/email-verification/request/', { headers: bearer(account.token) })
    expect(statuses(await parallel(32, ask))).toEqual({ 200: 3, 429: 29 })
    const other = await register(api)
    await verify(await verificationToken(other))
    const token = (await logIn(other.email, goodPassword)).body.token
    for (let round = 0; round < 5; round++) {
      expect((await api('POST', '/api/auth/email-verification/request/', { headers: bearer(token) })).status).toBe(200)
    }
    expect(
      (await messagesTo(server.services, other.email)).filter(({ template }) => template === 'email-verification'),
    ).toHaveLength(2)
  })

  it('does not count the link of the registration as a request', async () => {
    const account = await register(api)
    const sent = await messagesTo(server.services, account.email)
    expect(sent.map(({ template }) => template)).toEqual(['email-verification'])
    const ask = () => api('POST', '/api/auth/email-verification/request/', { headers: bearer(account.token) })
    expect(statuses(await parallel(4, ask))).toEqual({ 200: 3, 429: 1 })
    expect((await verify(tokenIn(sent[0]!))).status).toBe(200)
  })

  it('binds a token to account, address and purpose', async () => {
    const account = await register(api)
    const token = await verificationToken(account)
    expect((await confirm(token)).status).toBe(400)
    await server.services.db.none('update app_user set email = $2 where id = $1', [account.id, someEmail()])
    expect((await verify(token)).status).toBe(400)
  })

  it('accepts one of 32 concurrent confirmations', async () => {
    const account = await register(api)
    const token = await verificationToken(account)
    expect(statuses(await parallel(32, () => verify(token)))).toEqual({ 200: 1, 400: 31 })
  })
})
