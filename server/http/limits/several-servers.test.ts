import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { type Api, apiOf, parallel, type Reply, someAddress, statuses } from '#e2e/harness/api.ts'
import { createFrozenDatabase, type TestDatabase } from '#e2e/harness/database/database.ts'
import { someEmail, somePhone } from '#e2e/harness/register.ts'
import { type ServerProcess, startServerProcess } from '#e2e/harness/server-process.ts'
import { newSecret } from '../credentials/credentials.ts'

/**
 * Each limit under many concurrent calls, over three server processes and one database: exactly as many pass as
 * allowed.
 */
const processes = 3
let database: TestDatabase
let servers: ServerProcess[] = []
let apis: Api[] = []
beforeAll(async () => {
  // Time stands still, however long the calls take.
  database = await createFrozenDatabase()
  const texts = { TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`, TWILIO_AUTH_TOKEN: 'none', TWILIO_FROM: '+14155550100' }
  const environment = { ...texts, ROLE: 'api', DATABASE_URL: database.url, TRUSTED_HOPS: '1' }
  servers = await Promise.all(Array.from({ length: processes }, () => startServerProcess(environment)))
  apis = servers.map(({ url }) => apiOf(url))
})
afterAll(async () => {
  await Promise.all(servers.map((server) => server.end()))
  await database?.drop()
})

let networks = 0
/** Returns an address in a network of its own, since random ones meet now and then and share a limit. */
const nextNetwork = () => `10.${networks >> 8}.${networks++ & 255}.7`

/** Makes concurrent calls, alternating between the processes. */
const spread = (count: number, call: (api: Api, index: number) => Promise<Reply>) =>
  parallel(count, (index) => call(apis[index % processes]!, index))
const account = () => buildAccount(database.db)
const post = (path: string, bodyOf: (index: number) => object, more: { from?: string; holder?: TestAccount } = {}) =>
  spread(64, (api, index) =>
    api('POST', path, {
      body: bodyOf(index),
      from: more.from ?? nextNetwork(),
      headers: more.holder?.bearer ?? {},
    }),
  )

describe('three server processes together', () => {
  it('allow 3 of 64 password resets of an address and network', async () => {
    for (const email of [(await account()).email, someEmail()]) {
      const replies = await post('/api/auth/password/reset/request/', () => ({ email }), { from: someAddress() })
      expect(statuses(replies)).toEqual({ 200: 3, 429: 61 })
    }
  })

  it('allow 5 of 64 email recoveries from unknown networks', async () => {
    const phone_number = somePhone()
    expect(statuses(await post('/api/auth/email/recover/', () => ({ phone_number })))).toEqual({ 200: 5, 429: 59 })
  })

  it('send 3 of 64 verification mails', async () => {
    const holder = await account()
    const replies = await spread(64, (api) =>
      api('POST', '/api/auth/email-verification/request/', { headers: holder.bearer }),
    )
    expect(statuses(replies)).toEqual({ 200: 3, 429: 61 })
    const { count } = await database.db.one('select count(*) from mailbox_token where user_id = $1', [holder.user_id])
    expect(count).toBe(3)
  })

  it('send one of 64 texts to a number', async () => {
    const phone_number = somePhone()
    const from = someAddress()
    const replies = await spread(64, (api, index) =>
      api('POST', index % 2 ? '/api/auth/register/begin/' : '/api/auth/login/phone/begin/', {
        body: { phone_number },
        from,
      }),
    )
    expect(statuses(replies)).toEqual({ 200: 1, 429: 63 })
  })

  it('check 5 of 64 codes', async () => {
    const { body } = await apis[0]!('POST', '/api/auth/register/begin/', {
      body: { phone_number: somePhone() },
      from: someAddress(),
    })
    const tries = await post('/api/auth/register/verify/', (index) => ({
      signup_token: body.signup_token,
      code: String(100_000 + index),
    }))
    expect(tries.filter(({ status }) => status === 400).length).toBeGreaterThanOrEqual(63)
    const looked = await database.db.one('select max(tries) as tries from phone_challenge')
    expect(looked).toEqual({ tries: 5 })
    expect(
      statuses(await post('/api/auth/register/verify/', () => ({ signup_token: randomUUID(), code: '1' }))),
    ).toEqual({ 400: 64 })
  })

  it('check 5 of 64 passwords of an account and network', async () => {
    const { email } = await account()
    const bodyOf = (index: number) => ({ email, password: `wrong lantern ${index}` })
    const replies = await post('/api/auth/login/', bodyOf, { from: someAddress() })
    expect(statuses(replies)).toEqual({ 401: 5, 429: 59 })
  })

  it('check 5 of 64 current passwords', async () => {
    const holder = await account()
    await database.db.none(
      "update app_user set password_hash = (select '$argon2id$v=19$m=19456,t=2,p=1$YWFhYWFhYWFhYWFhYWFhYQ$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA') where id = $1",
      [holder.user_id],
    )
    const bodyOf = (index: number) => ({
      current_password: `wrong lantern ${index}`,
      new_password: 'quiet harbour 77',
      new_password_confirm: 'quiet harbour 77',
    })
    expect(statuses(await post('/api/auth/password/change/', bodyOf, { holder }))).toEqual({ 400: 5, 429: 59 })
  })

  it('check 10 of 64 guessed reset tokens a minute', async () => {
    const replies = await post('/api/auth/password/reset/verify/', () => ({ token: newSecret('hpxr') }), {
      from: someAddress(),
    })
    expect(statuses(replies)).toEqual({ 400: 10, 429: 54 })
  })

  it('create keys up to 25', async () => {
    const holder = await account()
    expect(statuses(await post('/api/v1/api-keys/', () => ({ name: 'one of many' }), { holder }))).toEqual({
      201: 24,
      409: 40,
    })
  })

  it('create one account of 64 registrations', async () => {
    const body = { email: someEmail(), password: 'paper lantern 42', password_confirm: 'paper lantern 42' }
    const replies = await post('/api/auth/register/email/', () => body)
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(Object.keys(statuses(replies)).sort()).toEqual(['201', '409'])
  })

  it('allow 20 token-issuing and 100 anonymous requests a minute', async () => {
    const issuing = await post(
      '/api/auth/login/phone/verify/',
      () => ({ signin_token: randomUUID(), code: '123456' }),
      { from: someAddress() },
    )
    expect(statuses(issuing)).toEqual({ 400: 20, 429: 44 })
    const from = someAddress()
    const anonymous = await spread(192, (api) => api('GET', '/api/v1/platforms/', { from }))
    expect(statuses(anonymous)).toEqual({ 401: 100, 429: 92 })
  })

  it('allow 600 requests a minute per key and 1,200 per user', async () => {
    const holder = await account()
    const ask = (headers: Record<string, string>) => (api: Api) => api('GET', '/api/v1/platforms/', { headers })
    const seen: Reply[] = []
    for (let round = 0; round < 10; round++) seen.push(...(await spread(64, ask(holder.key))))
    expect(statuses(seen)).toEqual({ 200: 600, 429: 40 })
    for (let round = 0; round < 10; round++) seen.push(...(await spread(64, ask(holder.bearer))))
    expect(statuses(seen)).toEqual({ 200: 1_200, 429: 80 })
  })
})
