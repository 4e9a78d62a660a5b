import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bearer, parallel, statuses } from '#e2e/harness/api.ts'
import { waitForMessage } from '#e2e/harness/outbox.ts'
import { goodPassword, register } from '#e2e/harness/register.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { mailboxSteps, newPassword } from '../testing/mailbox-steps.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ environment: { SANDBOX: 'on' } })
})
afterAll(() => server?.close())
const { api, logIn, validate } = mailboxSteps(() => server)

describe('password change', () => {
  const change = (token: string, current_password: string, new_password = newPassword, confirmed = new_password) =>
    api('POST', '/api/auth/password/change/', {
      headers: bearer(token),
      body: { current_password, new_password, new_password_confirm: confirmed },
    })

  it('ends every token and returns a new one', async () => {
    const account = await register(api)
    const other = (await logIn(account.email, goodPassword)).body.token
    const { status, body } = await change(account.token, goodPassword)
    expect(status).toBe(200)
    expect(await validate(account.token)).toBe(401)
    expect(await validate(other)).toBe(401)
    expect(await validate(body.token)).toBe(200)
    expect((await logIn(account.email, newPassword)).status).toBe(200)
    await waitForMessage(server.services, account.email, 'password-changed')
  })

  it('refuses a wrong current password and a weak new one', async () => {
    const account = await register(api)
    expect(await change(account.token, 'not this 1')).toMatchObject({
      status: 400,
      body: { code: 'wrong_password', errors: [{ field: 'current_password' }] },
    })
    expect(await change(account.token, goodPassword, newPassword, 'other 12345')).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'new_password_confirm' }] },
    })
    expect((await change(account.token, goodPassword, 'Password1')).body.errors[0].field).toBe('new_password')
  })

  it('compares only 5 of 64 concurrent guesses of a stolen token', async () => {
    const account = await register(api)
    const replies = await parallel(64, (index) => change(account.token, `guess number ${index}`))
    expect(statuses(replies)).toEqual({ 400: 5, 429: 59 })
    expect((await change(account.token, goodPassword)).status).toBe(429)
  })
})
