import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { type Api, apiOf, bearer, parallel, type Reply, statuses } from '#e2e/harness/api.ts'
import { withoutAddressLimits } from '#e2e/harness/limits.ts'
import { codeIn, messagesTo, settleDeferredMessages, waitForMessage } from '#e2e/harness/outbox.ts'
import { goodPassword, register, someEmail, somePhone } from '#e2e/harness/register.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { limitSubject } from '#server/accounts/limits/account-keys.ts'

let server: TestServer
let api: Api
beforeAll(async () => {
  server = await startTestServer({ environment: { SANDBOX: 'on', TRUSTED_HOPS: '1' } })
  api = apiOf(server.url)
})
afterAll(() => server?.close())

const begin = (phone_number: string, more: object = {}) =>
  api('POST', '/api/auth/register/begin/', { body: { phone_number, ...more } })
const verify = (signup_token: string, code: unknown) =>
  api('POST', '/api/auth/register/verify/', { body: { signup_token, code } })
const beginLogin = (phone_number: string) => api('POST', '/api/auth/login/phone/begin/', { body: { phone_number } })
const verifyLogin = (signin_token: string, code: string) =>
  api('POST', '/api/auth/login/phone/verify/', { body: { signin_token, code } })
/** Removes the recorded texts, as if they were long ago. */
const forgetTexts = () => server.services.db.none("delete from recent_event where kind like 'text-%'")

async function signUp(phone: string, more: object = {}) {
  const begun = await begin(phone, more)
  expect(begun.status).toBe(200)
  const code = codeIn(await waitForMessage(server.services, phone, 'signup-code'))
  return { token: begun.body.signup_token as string, code }
}

async function phoneAccount(more: object = {}) {
  const phone = somePhone()
  const { token, code } = await signUp(phone, more)
  const reply = await verify(token, code)
  expect(reply.status).toBe(201)
  await forgetTexts()
  return { phone, ...reply.body }
}

describe('registration by phone', () => {
  it('sends a 6-digit code and signs in a verified account', async () => {
    const phone = somePhone()
    const email = someEmail()
    const begun = await begin(phone, { email, password: goodPassword, full_name: 'Ada Lovelace' })
    expect(begun).toMatchObject({
      status: 200,
      body: { signup_token: expect.stringMatching(/^[0-9a-f-]{36}$/), expires_at: expect.any(String) },
    })
    const lifetime = Date.parse(begun.body.expires_at) - Date.now()
    expect(lifetime).toBeGreaterThan(9 * 60_000)
    expect(lifetime).toBeLessThanOrEqual(10 * 60_000)
    const code = codeIn(await waitForMessage(server.services, phone, 'signup-code'))
    const done = await verify(begun.body.signup_token, code)
    expect(done).toMatchObject({
      status: 201,
      body: {
        user: {
          id: expect.any(Number),
          username: expect.any(String),
          email,
          phone_verified: true,
          email_verified: false,
        },
        token: expect.stringMatching(/^hpxt_/),
      },
    })
    expect((await api('GET', '/api/auth/validate/', { headers: bearer(done.body.token) })).status).toBe(200)
    expect((await api('POST', '/api/auth/login/', { body: { email, password: goodPassword } })).status).toBe(200)
  })

  it('works with a number alone', async () => {
    const { user } = await phoneAccount()
    expect(user).toMatchObject({ email: null, username: expect.stringMatching(/^user\d+$/) })
  })

  it('is refused, like a sign-in, where nothing can send a code', async () => {
    const { phone } = await phoneAccount()
    const { config } = server.services
    Object.assign(config, { sandbox: false })
    onTestFinished(() => void Object.assign(config, { sandbox: true }))
    const refused = { status: 409, body: { code: 'platform_not_configured' } }
    for (const number of [phone, somePhone()]) {
      expect(await begin(number)).toMatchObject(refused)
      expect(await beginLogin(number)).toMatchObject(refused)
    }
  })

  it('answers alike for a known number and texts its owner', async () => {
    const { phone } = await phoneAccount()
    const [known, unknown] = [await begin(phone), await begin(somePhone())]
    expect(Object.keys(known.body)).toEqual(Object.keys(unknown.body))
    expect(known.status).toBe(unknown.status)
    const text = await waitForMessage(server.services, phone, 'signup-code', 2)
    expect(text.text).toContain('already has a Hapax account')
    expect(text.text).not.toMatch(/\d{6}/)
  })

  it('counts every spelling of a number as one', async () => {
    await forgetTexts()
    const parts = ['415', '755', '0123'] as const
    const joined = ['', ' ', '-', '.', '  ', ' - '].map((between) => parts.join(between))
    const bracketed = ['', ' ', '-', '.'].map((between) => `(415)${between}755${between || '-'}0123`)
    const national = [...joined, ...bracketed]
    const international = national.flatMap((text) => ['+1', '+1 ', '+1-', '+1.'].map((country) => `${country}${text}`))
    const spellings = [...national, ...international, ...national.map((text) => ` ${text} `)]
    expect(new Set(spellings).size).toBeGreaterThanOrEqual(50)
    const replies = await parallel(spellings.length, (index) => begin(spellings[index]!))
    expect(statuses(replies)).toEqual({ 200: 1, 429: spellings.length - 1 })
    for (const phone of ['٤١٥٧٥٥٠١٢', '415755012', '+1 415 755 0123 ext 4', 'four one five', '+1415755012345678']) {
      expect((await begin(phone)).status).toBe(400)
    }
  })

  it('refuses unsupported countries and premium numbers', async () => {
    for (const phone of ['+447400123456', '+4915112345678', '+19005551234', '+18005551234']) {
      expect(await begin(phone)).toMatchObject({ status: 400, body: { code: 'country_not_supported' } })
    }
  })

  it('allows one text a minute and 3 an hour per number', async () => {
    const { phone } = await phoneAccount()
    const older = (seconds: number) =>
      server.services.db.none(
        "update recent_event set times = (select array_agg(t - $1 * interval '1 second') from unnest(times) t) where kind like 'text-number%'",
        [seconds],
      )
    expect((await begin(phone)).status).toBe(200)
    expect((await beginLogin(phone)).status).toBe(429)
    await older(61)
    expect((await beginLogin(phone)).status).toBe(200)
    await older(61)
    expect((await begin(phone)).status).toBe(200)
    await older(61)
    const fourth = await beginLogin(phone)
    expect(fourth.status).toBe(429)
    expect(Number(fourth.headers.get('retry-after'))).toBeGreaterThan(3_000)
    await older(3_600)
    expect((await beginLogin(phone)).status).toBe(200)
  })

  it('allows ten texts a day per number', async () => {
    const phone = somePhone()
    const older = () =>
      server.services.db.none(
        "update recent_event set times = (select array_agg(t - interval '61 minutes') from unnest(times) t) where kind like 'text-number%'",
      )
    for (let sent = 0; sent < 10; sent++) {
      expect((await begin(phone)).status).toBe(200)
      await older()
    }
    const eleventh = await begin(phone)
    expect(eleventh.status).toBe(429)
    // The first was ten times 61 minutes ago and counts for 24 hours.
    expect(Number(eleventh.headers.get('retry-after'))).toBeGreaterThan(13 * 3_600)
    await older()
    expect((await begin(phone)).status).toBe(429)
  })

  it('stores a pending password as argon2id until it is used', async () => {
    const phone = somePhone()
    const { token, code } = await signUp(phone, { password: goodPassword })
    const stored = () =>
      server.services.db.one('select password_hash from phone_challenge where phone_number = $1', [phone])
    expect((await stored()).password_hash).toMatch(/^\$argon2id\$/)
    await verify(token, code)
    expect((await stored()).password_hash).toBe(null)
  })

  it('checks 5 of 64 concurrent codes, then refuses the right one', async () => {
    for (let round = 0; round < 5; round++) {
      const phone = somePhone()
      const { token, code } = await signUp(phone)
      const wrong = code === '000000' ? '000001' : '000000'
      expect(statuses(await parallel(64, () => verify(token, wrong)))).toEqual({ 400: 64 })
      const { tries } = await server.services.db.one('select tries from phone_challenge where phone_number = $1', [
        phone,
      ])
      expect(tries).toBe(5)
      expect((await verify(token, code)).status).toBe(400)
    }
  })

  it.each([
    ['in two groups', (code: string) => `${code.slice(0, 3)} ${code.slice(3)}`],
    ['with a hyphen and a line break', (code: string) => `${code.slice(0, 3)}-${code.slice(3)}\n`],
    ['in full-width digits', (code: string) => code.replace(/\d/g, (d) => String.fromCharCode(0xff10 + Number(d)))],
  ])('takes a code %s', async (_name, typed) => {
    const { token, code } = await signUp(somePhone())
    expect((await verify(token, typed(code))).status).toBe(201)
  })

  it('refuses used, foreign, expired and malformed codes', async () => {
    const one = { phone: somePhone() }
    const first = await signUp(one.phone)
    const second = await signUp(somePhone())
    const refused = [
      await verify(first.token, second.code === first.code ? 'x' : second.code),
      await verify('00000000-0000-4000-8000-000000000000', first.code),
      await verify('no token', first.code),
    ]
    for (const reply of refused) expect(reply).toMatchObject({ status: 400, body: { code: 'code_invalid' } })
    for (const code of [0, 123456, [first.code], null, { $gt: '' }])
      expect((await verify(first.token, code)).status).toBe(400)
    expect((await verifyLogin(first.token, first.code)).status).toBe(400)
    expect((await verify(first.token, first.code)).status).toBe(201)
    expect((await verify(first.token, first.code)).status).toBe(400)
    await server.services.db.none(
      "update phone_challenge set expires_at = now() - interval '1 second' where used_at is null",
    )
    expect((await verify(second.token, second.code)).status).toBe(400)
  })

  it('creates one account of 32 concurrent verifications', async () => {
    const phone = somePhone()
    const race = await signUp(phone)
    const replies = await parallel(32, () => verify(race.token, race.code))
    expect(statuses(replies)).toEqual({ 201: 1, 400: 31 })

    const taken = someEmail()
    const late = await signUp(somePhone(), { email: taken })
    await register(api, taken)
    expect(await verify(late.token, late.code)).toMatchObject({ status: 409, body: { code: 'email_in_use' } })

    const shared = somePhone()
    const one = await signUp(shared)
    await forgetTexts()
    const begun = await begin(shared)
    const other = codeIn(await waitForMessage(server.services, shared, 'signup-code', 2))
    expect((await verify(one.token, one.code)).status).toBe(201)
    expect(await verify(begun.body.signup_token, other)).toMatchObject({ status: 409, body: { code: 'phone_in_use' } })
  })

  it.each([
    [{ phone_number: '+14155550100', password: 'short1' }],
    [{ phone_number: '+14155550100', email: 'nobody' }],
    [{}],
    [{ phone_number: 4155550100 }],
    [{ phone_number: '+14155550100', phone_verified: true }],
  ])('refuses %j', async (body) => {
    expect((await api('POST', '/api/auth/register/begin/', { body })).status).toBe(400)
  })
})

describe('sign-in by phone', () => {
  it('accepts the code once', async () => {
    const { phone, user } = await phoneAccount()
    const begun = await beginLogin(phone)
    const code = codeIn(await waitForMessage(server.services, phone, 'signin-code'))
    const replies = await parallel(5, () => verifyLogin(begun.body.signin_token, code))
    expect(statuses(replies)).toEqual({ 200: 1, 400: 4 })
    expect(replies.find(({ status }) => status === 200)!.body.user).toMatchObject({ id: user.id })
  })

  it('answers an unknown number alike and texts nobody', async () => {
    const { phone } = await phoneAccount()
    const stranger = somePhone()
    const [known, unknown] = [await beginLogin(phone), await beginLogin(stranger)]
    expect([unknown.status, Object.keys(unknown.body)]).toEqual([known.status, Object.keys(known.body)])
    await settleDeferredMessages(server.services)
    expect(await messagesTo(server.services, stranger)).toEqual([])
  })

  it('does not open a closed account', async () => {
    const { phone, token } = await phoneAccount()
    const begun = await beginLogin(phone)
    const code = codeIn(await waitForMessage(server.services, phone, 'signin-code'))
    await api('POST', '/api/v1/user/deactivate/', { headers: bearer(token) })
    expect((await verifyLogin(begun.body.signin_token, code)).status).toBe(400)
    await forgetTexts()
    expect((await beginLogin(phone)).status).toBe(200)
    const signup = await signUpOnClosed(phone)
    // The text must not advise a sign-in that would fail.
    expect(signup.text).toContain('was closed')
  })

  async function signUpOnClosed(phone: string) {
    await forgetTexts()
    await begin(phone)
    return waitForMessage(server.services, phone, 'signup-code', 2)
  }
})

describe('email recovery', () => {
  const recover = (phone_number: string, more: object = {}) =>
    api('POST', '/api/auth/email/recover/', { body: { phone_number, ...more } })

  it('texts the masked address and answers everyone alike', async () => {
    const { phone } = await phoneAccount({ email: someEmail(), full_name: 'Ada Lovelace' })
    const [known, unknown] = [await recover(phone), await recover(somePhone())]
    expect(known.status).toBe(200)
    expect(known.body).toEqual(unknown.body)
    expect(JSON.stringify(known.body)).not.toContain('@')
    const { text } = await waitForMessage(server.services, phone, 'recover-email')
    expect(text).toContain('a•••@e•••.com')
  })

  it('narrows by name only', async () => {
    const { phone } = await phoneAccount({ email: someEmail(), full_name: 'Ada Lovelace' })
    await recover(phone, { full_name: 'Somebody Else' })
    await settleDeferredMessages(server.services)
    expect((await messagesTo(server.services, phone)).filter(({ template }) => template === 'recover-email')).toEqual(
      [],
    )
    await forgetTexts()
    await recover(phone, { full_name: ' ada  LOVELACE ' })
    await waitForMessage(server.services, phone, 'recover-email')
  })

  it('allows 5 of 64 concurrent requests and sends one text', async () => {
    const { phone } = await phoneAccount({ email: someEmail() })
    for (const number of [phone, somePhone()]) {
      expect(statuses(await parallel(64, () => recover(number)))).toEqual({ 200: 5, 429: 59 })
    }
    await settleDeferredMessages(server.services)
    expect(
      (await messagesTo(server.services, phone)).filter(({ template }) => template === 'recover-email'),
    ).toHaveLength(1)
  })
})

describe('texts requested by a stranger', () => {
  const from = (network: string, path: string, phone_number: string) =>
    api('POST', path, { from: network, body: { phone_number } })
  const signIn = '/api/auth/login/phone/begin/'

  it('do not block the owner on a known network', async () => {
    const { phone } = await phoneAccount()
    const seen = []
    for (let index = 0; index < 8; index++) seen.push((await from(`203.0.113.${index + 1}`, signIn, phone)).status)
    // All unknown networks together have six an hour.
    expect(seen).toEqual([200, 200, 200, 200, 200, 200, 429, 429])
    expect((await beginLogin(phone)).status).toBe(200)
  })

  it('do not block the owner on another network', async () => {
    const { phone } = await phoneAccount()
    expect((await from('203.0.113.1', signIn, phone)).status).toBe(200)
    expect((await from('203.0.113.1', signIn, phone)).status).toBe(429)
    expect((await from('203.0.113.2', signIn, phone)).status).toBe(200)
  })

  it('do not use up the recoveries of a known network', async () => {
    const { phone } = await phoneAccount({ email: someEmail() })
    const recover = '/api/auth/email/recover/'
    const seen = []
    for (let index = 0; index < 6; index++) seen.push((await from('203.0.113.1', recover, phone)).status)
    expect(seen).toEqual([200, 200, 200, 200, 200, 429])
    expect((await from('203.0.113.2', recover, phone)).status).toBe(429)
    expect((await api('POST', recover, { body: { phone_number: phone } })).status).toBe(200)
  })
})

describe('budgets of texts', () => {
  const limits = { ...withoutAddressLimits, textsPerHourAndAddress: 3, textsPerHourAndRange: 5, textsPerHourInAll: 20 }
  let guarded: TestServer
  let call: Api
  beforeAll(async () => {
    guarded = await startTestServer({ limits, environment: { TRUSTED_HOPS: '1', SANDBOX: 'on' } })
    call = apiOf(guarded.url)
  })
  beforeEach(() => guarded.services.db.none('truncate recent_event'))
  afterAll(() => guarded?.close())

  const range = (index: number) => `+1415755${String(1000 + index)}`
  /** Requests a text and waits until it is sent or dropped. */
  async function ask(network: string, phone_number: string, path = '/api/auth/register/begin/') {
    const { status } = await call('POST', path, { from: network, body: { phone_number } })
    await settleDeferredMessages(guarded.services)
    return status
  }
  const sentTexts = async () =>
    Number((await guarded.services.db.one("select count(*) from outbox_message where channel = 'sms'")).count)

  it('stop one address', async () => {
    const replies = await parallel(8, (index) => ask('203.0.113.1', `+1${212 + index}7551000`))
    expect(replies.filter((status) => status === 200)).toHaveLength(3)
  })

  it('stop texts to one range of numbers', async () => {
    const before = await sentTexts()
    for (let index = 0; index < 7; index++) {
      expect(await ask(`203.${index}.113.1`, range(index))).toBe(index < 5 ? 200 : 429)
    }
    // The next range begins at the seventh digit after the country.
    expect(await ask('203.9.113.1', '+14157561000')).toBe(200)
    expect((await sentTexts()) - before).toBe(6)
  })

  it('give one wide network a tenth of all', async () => {
    const seen = []
    for (let index = 0; index < 3; index++) seen.push(await ask(`203.0.${index}.1`, `+1${212 + index}7551001`))
    expect(seen).toEqual([200, 200, 429])
    expect(await ask('203.1.0.1', '+12157551001')).toBe(200)
  })

  it('do not count numbers that get no text', async () => {
    for (let index = 0; index < 40; index++) {
      expect(await ask(`203.0.${index}.1`, `+1${212 + index}7551002`, '/api/auth/login/phone/begin/')).toBe(200)
    }
    expect(await ask('203.0.99.1', '+12127551003')).toBe(200)
  })

  it('leave a fifth to known networks and log an alert at half', async () => {
    const phone = '+13127551004'
    const account = await buildAccount(guarded.services.db)
    await guarded.services.db.none('update app_user set phone_number = $2, phone_verified = true where id = $1', [
      account.user_id,
      phone,
    ])
    await guarded.services.db.none('insert into known_network (user_id, network) values ($1, $2)', [
      account.user_id,
      limitSubject(guarded.services.config, '198.51.100.7'),
    ])
    const alerts = () => guarded.logged.filter((line) => line.includes('"alert":"sms-budget"')).length
    const seen = []
    const before = alerts()
    for (let index = 0; index < 17; index++) {
      seen.push(await ask(`203.${index}.0.1`, `+1${212 + index}7551005`))
      if (index === 8) expect(alerts()).toBe(before)
      if (index === 9) expect(alerts()).toBe(before + 1)
    }
    expect(statuses(seen.map((status) => ({ status }) as Reply))).toEqual({ 200: 16, 429: 1 })
    const sent = await sentTexts()
    expect(await ask('198.51.100.7', phone, '/api/auth/login/phone/begin/')).toBe(200)
    expect((await sentTexts()) - sent).toBe(1)
  })
})
