import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, apiOf, bearer, parallel, type Reply, statuses } from '#e2e/harness/api.ts'
import { cheapPasswords } from '#e2e/harness/cheap-passwords.ts'
import { codeIn, messagesTo, tokenIn, waitForMessage } from '#e2e/harness/outbox.ts'
import { goodPassword, type Registered, register, somePhone } from '#e2e/harness/register.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { encrypt, encryptionKey } from '#server/infra/crypto/encrypt.ts'

let server: TestServer
let api: Api
/** The server's clock, for codes. It starts with the database's, which decides when a text expires. */
let nowMs = Date.now()
beforeAll(async () => {
  server = await startTestServer({
    environment: { SANDBOX: 'on' },
    passwords: cheapPasswords,
    now: () => new Date(nowMs),
  })
  api = apiOf(server.url)
})
afterAll(() => server?.close())

const at = '/api/v1/user/second-factor/'
const codeOf = (secret: string, timestamp = nowMs) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp })
const nextStep = () => {
  nowMs += 30_000
}

interface Protected extends Registered {
  secret: string
  recovery: string[]
}

/** Creates an account with a second factor. */
async function protect(): Promise<Protected> {
  const account = await register(api)
  const { body } = await api('POST', `${at}totp/begin/`, { headers: bearer(account.token) })
  const confirmed = await api('POST', `${at}totp/confirm/`, {
    headers: bearer(account.token),
    body: { code: codeOf(body.secret) },
  })
  expect(confirmed.status).toBe(200)
  nextStep()
  return { ...account, secret: body.secret, recovery: confirmed.body.recovery_codes }
}
const logIn = (email: string, password = goodPassword) => api('POST', '/api/auth/login/', { body: { email, password } })
const begin = async (account: Registered) => (await logIn(account.email)).body.signin_token as string
const finish = (signin_token: string, body: object): Promise<Reply> =>
  api('POST', '/api/auth/login/second-factor/', { body: { signin_token, ...body } })
const stateOf = async (token: string) => (await api('GET', at, { headers: bearer(token) })).body

describe('setting up an authenticator app', () => {
  it('shows the secret once and changes nothing until confirmed', async () => {
    const { id, email, token } = await register(api)
    const { status, body } = await api('POST', `${at}totp/begin/`, { headers: bearer(token) })
    expect(status).toBe(200)
    expect(body.secret).toMatch(/^[A-Z2-7]{32}$/)
    const uri = new URL(body.otpauth_uri)
    expect([uri.protocol, uri.searchParams.get('secret'), uri.searchParams.get('issuer')]).toEqual([
      'otpauth:',
      body.secret,
      'Hapax',
    ])
    expect(decodeURIComponent(uri.pathname)).toContain(email)
    const row = await server.services.db.one('select * from totp_secret where user_id = $1', [id])
    expect(JSON.stringify({ ...row, text: row.encrypted_secret.toString('latin1') })).not.toContain(body.secret)
    expect((await logIn(email)).status).toBe(200)
    expect(await stateOf(token)).toEqual({ totp_confirmed_at: null, recovery_codes_left: 0, passkeys: 0 })
  })

  it('is enabled by a code and returns ten hashed recovery codes', async () => {
    const { id, email, token, recovery } = await protect()
    expect(recovery).toHaveLength(10)
    expect(new Set(recovery).size).toBe(10)
    for (const code of recovery) expect(code).toMatch(/^([a-z2-9]{4}-){5}[a-z2-9]{4}$/)
    const rows = await server.services.db.any('select code_hash::text from recovery_code where user_id = $1', [id])
    expect(rows).toHaveLength(10)
    expect(await stateOf(token)).toMatchObject({ totp_confirmed_at: expect.any(String), recovery_codes_left: 10 })
    expect((await messagesTo(server.services, email)).map(({ template }) => template)).toContain('second-factor')
    expect((await api('POST', `${at}totp/begin/`, { headers: bearer(token) })).status).toBe(409)
  })

  it('refuses wrong codes and limits them after ten', async () => {
    const { token } = await register(api)
    const { body } = await api('POST', `${at}totp/begin/`, { headers: bearer(token) })
    const confirm = (code: string) => api('POST', `${at}totp/confirm/`, { headers: bearer(token), body: { code } })
    const right = codeOf(body.secret)
    const wrong = right === '123456' ? '654321' : '123456'
    expect(statuses(await parallel(12, () => confirm(wrong)))).toEqual({ 400: 10, 429: 2 })
    expect((await confirm(right)).status).toBe(429)
  })

  it('requires an authentication of the last 15 minutes', async () => {
    const { id, token, secret } = await protect()
    await server.services.db.none(
      "update bearer_token set verified_at = now() - interval '16 minutes' where user_id = $1",
      [id],
    )
    const calls = [
      ['POST', `${at}totp/begin/`],
      ['POST', `${at}totp/confirm/`, { code: '123456' }],
      ['DELETE', `${at}totp/`],
      ['POST', `${at}recovery-codes/`],
      // Apple then signs in without a code.
      ['POST', '/api/auth/connect-social/', { provider: 'apple', token: 'x' }],
    ] as const
    for (const [method, path, body] of calls) {
      expect(await api(method, path, { headers: bearer(token), body })).toMatchObject({
        status: 403,
        body: { code: 'reauthentication_required' },
      })
    }
    const prove = (body: object) => api('POST', '/api/auth/reauthenticate/', { headers: bearer(token), body })
    // With a second factor, the password alone is not enough.
    expect(await prove({ password: goodPassword })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'totp_code' }] },
    })
    expect((await prove({ totp_code: codeOf(secret) })).status).toBe(200)
    expect((await api('DELETE', `${at}totp/`, { headers: bearer(token) })).status).toBe(204)
  })
})

describe('changing the password', () => {
  const change = (token: string) =>
    api('POST', '/api/auth/password/change/', {
      headers: bearer(token),
      body: {
        current_password: goodPassword,
        new_password: 'copper kettle 7',
        new_password_confirm: 'copper kettle 7',
      },
    })
  const age = (id: number) =>
    server.services.db.none("update bearer_token set verified_at = now() - interval '16 minutes' where user_id = $1", [
      id,
    ])
  const newCodes = (token: string) => api('POST', `${at}recovery-codes/`, { headers: bearer(token) })

  it('does not count as the second factor', async () => {
    const { id, token } = await protect()
    await age(id)
    const changed = await change(token)
    expect(changed.status).toBe(200)
    expect(await newCodes(changed.body.token)).toMatchObject({
      status: 403,
      body: { code: 'reauthentication_required' },
    })
  })

  it('keeps a recent authentication with the second factor', async () => {
    const { token } = await protect()
    expect((await newCodes((await change(token)).body.token)).status).toBe(200)
  })

  it('counts as authentication without a second factor', async () => {
    const { id, token } = await register(api)
    await age(id)
    const changed = await change(token)
    expect((await api('POST', `${at}totp/begin/`, { headers: bearer(changed.body.token) })).status).toBe(200)
  })
})

describe('signing in to an account with a second factor', () => {
  it('answers 401 with a token for the second step and no session', async () => {
    const { id, email, secret } = await protect()
    const before = await server.services.db.one('select count(*) from bearer_token where user_id = $1', [id])
    const first = await logIn(email)
    expect(first).toMatchObject({
      status: 401,
      body: {
        code: 'second_factor_required',
        signin_token: expect.stringMatching(/^[0-9A-Za-z]{32}$/),
        expires_at: expect.any(String),
      },
    })
    expect(await server.services.db.one('select count(*) from bearer_token where user_id = $1', [id])).toEqual(before)
    const second = await finish(first.body.signin_token, { code: codeOf(secret) })
    expect(second).toMatchObject({ status: 200, body: { user: { id, email }, token: expect.stringMatching(/^hpxt_/) } })
    expect((await api('GET', '/api/auth/validate/', { headers: bearer(second.body.token) })).status).toBe(200)
  })

  it('records each step in the audit trail', async () => {
    const account = await protect()
    const wrong = codeOf(account.secret) === '123456' ? '654321' : '123456'
    await finish(await begin(account), { code: wrong })
    const { body } = await finish(await begin(account), { code: codeOf(account.secret) })
    await server.services.audit.flush()
    const trail = await api('GET', '/api/v1/user/audit/', { headers: bearer(body.token) })
    const signIns = trail.body.results.filter((one: { action: string }) => one.action === 'session.created')
    expect(signIns.map((one: { outcome: string; times: number }) => [one.outcome, one.times]).sort()).toEqual([
      ['code_invalid', 1],
      ['ok', 1],
      ['second_factor_required', 2],
    ])
  })

  it('accepts a code once, of 32 attempts at once and afterwards', async () => {
    const account = await protect()
    const code = codeOf(account.secret)
    const tokens = await parallel(8, () => begin(account))
    const replies = await parallel(8, (index) => finish(tokens[index]!, { code }))
    expect(statuses(replies)[200]).toBe(1)
    expect(await finish(await begin(account), { code })).toMatchObject({ status: 400, body: { code: 'code_invalid' } })
    // Nor an older code.
    const older = codeOf(account.secret, nowMs - 30_000)
    expect((await finish(await begin(account), { code: older })).status).toBe(400)
    nextStep()
    expect((await finish(await begin(account), { code: codeOf(account.secret) })).status).toBe(200)
  })

  it('accepts codes after the clock has gone back', async () => {
    const account = await protect()
    const days = 2 * 86_400_000
    nowMs += days
    expect((await finish(await begin(account), { code: codeOf(account.secret) })).status).toBe(200)
    nowMs -= days
    const code = codeOf(account.secret)
    expect((await finish(await begin(account), { code })).status).toBe(200)
    expect((await finish(await begin(account), { code })).status).toBe(400)
  })

  it('explains what to do after SECRET_KEY was lost', async () => {
    const { id, email, secret, recovery } = await protect()
    const other = encryptionKey({ SECRET_KEY: Buffer.alloc(32, 'another key').toString('base64') }, 'totp-secret')
    await server.services.db.none('update totp_secret set encrypted_secret = $2 where user_id = $1', [
      id,
      encrypt(secret, `totp_secret/${id}`, other),
    ])
    const { signin_token } = (await logIn(email)).body
    expect(await finish(signin_token, { code: codeOf(secret) })).toMatchObject({
      status: 400,
      body: { code: 'code_invalid', detail: expect.stringContaining('recovery code') },
    })
    const { body } = await finish(signin_token, { recovery_code: recovery[0] })
    expect((await api('DELETE', `${at}totp/`, { headers: bearer(body.token) })).status).toBe(204)
    expect((await api('POST', `${at}totp/begin/`, { headers: bearer(body.token) })).status).toBe(200)
  })

  it('accepts the second step once', async () => {
    const account = await protect()
    const token = await begin(account)
    const replies = await parallel(5, (index) => finish(token, { recovery_code: account.recovery[index] }))
    expect(statuses(replies)).toEqual({ 200: 1, 400: 4 })
    expect(await stateOf(account.token)).toMatchObject({ recovery_codes_left: 9 })
  })

  it('accepts a recovery code once, in any spelling', async () => {
    const account = await protect()
    const typed = account.recovery[0]!.toUpperCase().replaceAll('-', ' ')
    const tokens = await parallel(8, () => begin(account))
    const replies = await parallel(8, (index) => finish(tokens[index]!, { recovery_code: typed }))
    expect(statuses(replies)[200]).toBe(1)
    expect(await stateOf(account.token)).toMatchObject({ recovery_codes_left: 9 })
  })

  it('allows five attempts per sign-in and ten per account', async () => {
    const account = await protect()
    const code = codeOf(account.secret)
    const wrong = code === '123456' ? '654321' : '123456'
    const token = await begin(account)
    expect(statuses(await parallel(16, () => finish(token, { code: wrong })))).toEqual({ 400: 16 })
    expect((await finish(token, { code })).status).toBe(400)
    const second = await begin(account)
    for (let n = 0; n < 5; n++) expect((await finish(second, { code: wrong })).status).toBe(400)
    expect((await finish(await begin(account), { code })).status).toBe(429)
  })

  it('allows one attempt at a time after ten wrong ones', async () => {
    const { db } = server.services
    const account = await protect()
    const wrong = () => {
      const right = [-1, 0, 1].map((steps) => codeOf(account.secret, nowMs + steps * 30_000))
      return ['111111', '222222', '333333', '444444'].find((code) => !right.includes(code))
    }
    const tries = async (count: number) => {
      const tokens = await parallel(count, () => begin(account))
      return statuses(await parallel(count, (index) => finish(tokens[index]!, { code: wrong() })))
    }
    /** Moves the failures into the past, as if the wait and `minutes` more had passed. */
    const waited = async (minutes: number) => {
      await db.none(
        `update failed_attempt set blocked_until = blocked_until - $1 * interval '1 minute',
           expires_at = expires_at - $1 * interval '1 minute'
         where kind = 'second-factor' and blocked_until > now()`,
        [minutes],
      )
    }
    expect(await tries(12)).toEqual({ 400: 10, 429: 2 })
    await waited(16)
    expect(await tries(3)).toEqual({ 400: 1, 429: 2 })
    await waited(16)
    expect(await tries(1)).toEqual({ 429: 1 })
    await waited(15)
    expect(await tries(3)).toEqual({ 400: 1, 429: 2 })
    // Waiting six hours allows no more attempts than waiting one.
    await waited(6 * 60)
    expect(await tries(3)).toEqual({ 400: 1, 429: 2 })
    await waited(61)
    nextStep()
    expect((await finish(await begin(account), { code: codeOf(account.secret) })).status).toBe(200)
    nextStep()
    expect(await tries(12)).toEqual({ 400: 10, 429: 2 })
  })

  it('notifies the owner once of five wrong codes', async () => {
    const account = await protect()
    const mails = async () =>
      (await messagesTo(server.services, account.email)).filter(({ template }) => template === 'wrong-codes')
    const guess = async () => finish(await begin(account), { recovery_code: 'none' })
    for (let n = 0; n < 4; n++) await guess()
    expect(await mails()).toEqual([])
    await parallel(6, guess)
    expect((await mails()).map(({ text }) => text)).toEqual([expect.stringContaining('/account/forgot-password')])
  })

  it('ends when the password changes', async () => {
    const account = await protect()
    const token = await begin(account)
    const body = {
      current_password: goodPassword,
      new_password: 'quiet harbour 77',
      new_password_confirm: 'quiet harbour 77',
    }
    expect((await api('POST', '/api/auth/password/change/', { headers: bearer(account.token), body })).status).toBe(200)
    expect((await finish(token, { code: codeOf(account.secret) })).status).toBe(400)
  })

  it('is required after a sign-in by phone, too', async () => {
    const account = await protect()
    const phone_number = somePhone()
    await server.services.db.none('update app_user set phone_number = $2, phone_verified = true where id = $1', [
      account.id,
      phone_number,
    ])
    const { body } = await api('POST', '/api/auth/login/phone/begin/', { body: { phone_number } })
    const code = codeIn(await waitForMessage(server.services, phone_number, 'signin-code'))
    const verify = () =>
      api('POST', '/api/auth/login/phone/verify/', { body: { signin_token: body.signin_token, code } })
    const first = await verify()
    expect(first).toMatchObject({ status: 401, body: { code: 'second_factor_required' } })
    expect((await verify()).status).toBe(400)
    expect((await finish(first.body.signin_token, { code: codeOf(account.secret) })).status).toBe(200)
  })

  it('is still required after a password reset', async () => {
    const account = await protect()
    await server.services.db.none('update app_user set email_verified = true, secured_at = now() where id = $1', [
      account.id,
    ])
    await api('POST', '/api/auth/password/reset/request/', { body: { email: account.email } })
    const token = tokenIn(await waitForMessage(server.services, account.email, 'password-reset'))
    const password = 'quiet harbour 77'
    const body = { token, password, password_confirm: password, end_everything: true }
    expect((await api('POST', '/api/auth/password/reset/confirm/', { body })).status).toBe(200)
    expect(await logIn(account.email, password)).toMatchObject({
      status: 401,
      body: { code: 'second_factor_required' },
    })
  })

  it('is not required once the owner of the address verifies it', async () => {
    const account = await protect()
    await api('POST', '/api/auth/password/reset/request/', { body: { email: account.email } })
    const token = tokenIn(await waitForMessage(server.services, account.email, 'password-reset'))
    const password = 'quiet harbour 77'
    await api('POST', '/api/auth/password/reset/confirm/', { body: { token, password, password_confirm: password } })
    expect((await logIn(account.email, password)).status).toBe(200)
  })

  it('is not required once removed, and its recovery codes end', async () => {
    const account = await protect()
    const token = await begin(account)
    expect((await api('DELETE', `${at}totp/`, { headers: bearer(account.token) })).status).toBe(204)
    expect((await api('DELETE', `${at}totp/`, { headers: bearer(account.token) })).status).toBe(404)
    expect((await finish(token, { recovery_code: account.recovery[0] })).status).toBe(400)
    expect((await logIn(account.email)).status).toBe(200)
  })
})

describe('new recovery codes', () => {
  it('replace the old ones', async () => {
    const account = await protect()
    const { status, body } = await api('POST', `${at}recovery-codes/`, { headers: bearer(account.token) })
    expect([status, body.recovery_codes.length]).toEqual([200, 10])
    expect((await finish(await begin(account), { recovery_code: account.recovery[0] })).status).toBe(400)
    expect((await finish(await begin(account), { recovery_code: body.recovery_codes[0] })).status).toBe(200)
  })

  it('require a second factor', async () => {
    const { token } = await register(api)
    expect((await api('POST', `${at}recovery-codes/`, { headers: bearer(token) })).status).toBe(409)
  })
})

describe('closing the account', () => {
  it('removes every trace of the second factor', async () => {
    const account = await protect()
    await begin(account)
    expect((await api('POST', '/api/v1/user/deactivate/', { headers: bearer(account.token) })).status).toBe(200)
    for (const table of ['totp_secret', 'recovery_code', 'signin_step', 'passkey']) {
      expect(await server.services.db.any('select 1 from $1:name where user_id = $2', [table, account.id])).toEqual([])
    }
  })
})
