import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, apiOf, bearer, parallel, someAddress, statuses } from '#e2e/harness/api.ts'
import { cheapPasswords } from '#e2e/harness/cheap-passwords.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { randomBase62 } from '#shared/identity.ts'

let server: TestServer
let api: Api
beforeAll(async () => {
  server = await startTestServer({ works: false })
  api = apiOf(server.url)
})
afterAll(() => server?.close())

const password = 'paper lantern 42'
const someEmail = () => `ada.${randomBase62(8).toLowerCase()}@example.com`
const register = (email: string, more: object = {}) =>
  api('POST', '/api/auth/register/email/', { body: { email, password, password_confirm: password, ...more } })

describe('registration by email', () => {
  it('creates a signed-in account with a lowercase address', async () => {
    const email = someEmail()
    const { status, body, headers } = await register(email.toUpperCase(), { full_name: 'Ada King Lovelace' })
    expect(status).toBe(201)
    expect(body).toEqual({
      user: { id: expect.any(Number), username: email.split('@')[0], email },
      token: expect.stringMatching(/^hpxt_[0-9A-Za-z]{38}$/),
    })
    expect(headers.get('cache-control')).toBe('no-store')
    const validated = await api('GET', '/api/auth/validate/', { headers: bearer(body.token) })
    expect(validated).toMatchObject({ status: 200, body: { valid: true, user: body.user } })
    const stored = await server.services.db.one('select * from app_user where id = $1', [body.user.id])
    expect(stored).toMatchObject({ first_name: 'Ada', last_name: 'King Lovelace', email_verified: false })
    expect(stored.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })

  it('gives accounts with the same local part different user names', async () => {
    const name = randomBase62(8).toLowerCase()
    const [one, two] = [await register(`${name}@example.com`), await register(`${name}@example.org`)]
    expect(one.body.user.username).toBe(name)
    expect(two.body.user.username).toMatch(new RegExp(`^${name}\\d{4}$`))
  })

  it('allows one of 64 concurrent registrations of an address', async () => {
    const email = someEmail()
    const replies = await parallel(64, () => register(email))
    expect(statuses(replies)).toEqual({ 201: 1, 409: 63 })
    expect(replies.find(({ status }) => status === 409)?.body.code).toBe('email_in_use')
  })

  it.each([
    ['another confirmation', { password_confirm: 'paper lantern 43' }, 'password_confirm'],
    ['7 characters', { password: 'abcde12', password_confirm: 'abcde12' }, 'password'],
    ['no number', { password: 'paper lantern', password_confirm: 'paper lantern' }, 'password'],
    ['no letter', { password: '1234 5678 90', password_confirm: '1234 5678 90' }, 'password'],
    ['a common password', { password: 'Password1', password_confirm: 'Password1' }, 'password'],
    ['129 characters', { password: `${'a'.repeat(128)}1`, password_confirm: `${'a'.repeat(128)}1` }, 'password'],
    ['a name of 151 characters', { full_name: 'x'.repeat(151) }, 'full_name'],
    ['no address', { email: 'nobody' }, 'email'],
    ['an unknown member', { is_staff: true }, 'is_staff'],
  ])('refuses %s with 400 naming the field', async (_name, change, field) => {
    const { status, body } = await register(someEmail(), change)
    expect(status).toBe(400)
    expect(body.errors.map((error: { field: string }) => error.field)).toContain(field)
  })

  it('uses every byte of a password, including spaces and the 73rd', async () => {
    const email = someEmail()
    const long = `${'a1'.repeat(36)}b`
    await register(email, { password: ` ${long}`, password_confirm: ` ${long}` })
    const logIn = async (tried: string) =>
      (await api('POST', '/api/auth/login/', { body: { email, password: tried } })).status
    expect(await logIn(` ${long.slice(0, -1)}c`)).toBe(401)
    expect(await logIn(long)).toBe(401)
    expect(await logIn(` ${long} `)).toBe(401)
    expect(await logIn(` ${long}`)).toBe(200)
  })
})

describe('sign-in by password and sign-out', () => {
  it('accepts any case of the address and returns user and token', async () => {
    const email = someEmail()
    const { body } = await register(email)
    const login = await api('POST', '/api/auth/login/', { body: { email: ` ${email.toUpperCase()}`, password } })
    expect(login).toMatchObject({ status: 200, body: { user: body.user } })
    expect(login.body.token).not.toBe(body.token)
  })

  it('answers a wrong password and an unknown address alike', async () => {
    const email = someEmail()
    await register(email)
    const wrong = await api('POST', '/api/auth/login/', { body: { email, password: 'wrong lantern 1' } })
    const unknown = await api('POST', '/api/auth/login/', { body: { email: someEmail(), password } })
    const impossible = await api('POST', '/api/auth/login/', { body: { email: 'no address', password } })
    for (const reply of [wrong, unknown, impossible]) {
      expect(reply).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } })
      expect({ ...reply.body, request_id: '' }).toEqual({ ...wrong.body, request_id: '' })
    }
  })

  it('ends the current token only, and only once', async () => {
    const email = someEmail()
    const first = (await register(email)).body.token
    const second = (await api('POST', '/api/auth/login/', { body: { email, password } })).body.token
    const logOut = () => api('POST', '/api/auth/logout/', { headers: bearer(first) })
    expect(await logOut()).toMatchObject({ status: 200, body: { detail: expect.any(String) } })
    expect((await logOut()).status).toBe(401)
    expect((await api('GET', '/api/auth/validate/', { headers: bearer(first) })).status).toBe(401)
    expect((await api('GET', '/api/auth/validate/', { headers: bearer(second) })).status).toBe(200)
  })
})

describe('probing which addresses have accounts', () => {
  it('stops after ten addresses an hour, without affecting others', async () => {
    const guarded = await startTestServer({
      works: false,
      passwords: cheapPasswords,
      environment: { TRUSTED_HOPS: '1' },
      limits: { takenEmailsPerHour: 10 },
    })
    try {
      const call = apiOf(guarded.url)
      const from = someAddress()
      const ask = async (email: string, address = from) => {
        const body = { email, password, password_confirm: password }
        return (await call('POST', '/api/auth/register/email/', { from: address, body })).status
      }
      const taken = Array.from({ length: 12 }, someEmail)
      for (const email of taken) expect(await ask(email, someAddress())).toBe(201)
      const seen = []
      for (const email of taken.slice(0, 10)) seen.push(await ask(email), await ask(email))
      expect(seen).toEqual(Array(20).fill(409))
      expect(await ask(taken[10]!)).toBe(429)
      expect(await ask(taken[0]!)).toBe(409)
      expect(await ask(someEmail())).toBe(201)
      expect(await ask(taken[11]!, someAddress())).toBe(409)
    } finally {
      await guarded.close()
    }
  })
})

describe('an address or name that contains SQL', () => {
  it('is stored as text', async () => {
    const names = [
      "'; drop table app_user; --",
      '$1 $<x> $(x) $[x] $/x/',
      "\\'; select 1; --",
      'x" or 1=1',
      '%_\\',
      '-1) or (1=1',
    ]
    for (const full_name of names) {
      const { status, body } = await register(someEmail(), { full_name })
      expect(status).toBe(201)
      const stored = await server.services.db.one('select first_name, last_name from app_user where id = $1', [
        body.user.id,
      ])
      expect(`${stored.first_name} ${stored.last_name}`.trim()).toBe(full_name.split(/\s+/).join(' '))
      const key = await api('POST', '/api/v1/api-keys/', { headers: bearer(body.token), body: { name: full_name } })
      expect(key.body.name).toBe(full_name)
      expect((await api('POST', '/api/auth/login/', { body: { email: full_name, password: full_name } })).status).toBe(
        401,
      )
    }
    expect((await register(someEmail())).status).toBe(201)
  })
})
