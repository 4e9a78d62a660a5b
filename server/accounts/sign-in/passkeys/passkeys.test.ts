import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, apiOf, bearer, parallel, statuses } from '#e2e/harness/api.ts'
import { cheapPasswords } from '#e2e/harness/cheap-passwords.ts'
import { goodPassword, type Registered, register } from '#e2e/harness/register.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import {
  type Claims,
  type Credential,
  type SoftwareAuthenticator,
  softwareAuthenticator,
} from '../testing/software-authenticator.ts'

let server: TestServer
let api: Api
/** The origin of this server's passkeys: a host name, never an IP address. */
let origin: string
beforeAll(async () => {
  server = await startTestServer({ passwords: cheapPasswords, works: false })
  api = apiOf(server.url)
  origin = server.url.replace('127.0.0.1', 'localhost')
})
afterAll(() => server?.close())

const refused = { status: 400, body: { code: 'passkey_refused' } }

interface Holder extends Registered {
  device: SoftwareAuthenticator
}

async function add(token: string, device: SoftwareAuthenticator, claims?: Claims) {
  const { body } = await api('POST', '/api/v1/user/passkeys/begin/', { headers: bearer(token) })
  return api('POST', '/api/v1/user/passkeys/', {
    headers: bearer(token),
    body: { challenge_token: body.challenge_token, name: 'Key', response: device.create(body.options, claims) },
  })
}

async function withPasskey(claims?: Claims): Promise<Holder> {
  const account = await register(api)
  const device = softwareAuthenticator(origin)
  expect((await add(account.token, device, claims)).status).toBe(201)
  return { ...account, device }
}

async function answer(
  device: SoftwareAuthenticator,
  claims?: Claims,
): Promise<{ challenge_token: string; response: Credential }> {
  const { body } = await api('POST', '/api/auth/login/passkey/begin/')
  // 190 random bits, as other tokens have.
  expect(body.challenge_token).toMatch(/^[0-9A-Za-z]{32}$/)
  return { challenge_token: body.challenge_token, response: device.get(body.options, claims) }
}
const logIn = async (device: SoftwareAuthenticator, claims?: Claims) =>
  api('POST', '/api/auth/login/passkey/', { body: await answer(device, claims) })

/** Counts the refused passkey sign-ins in the account's audit trail. */
async function refusals({ token }: Registered): Promise<number> {
  await server.services.audit.flush()
  const { body } = await api('GET', '/api/v1/user/audit/', { headers: bearer(token) })
  const entries = body.results as { action: string; outcome: string; times: number }[]
  return entries
    .filter(({ action, outcome }) => action === 'session.created' && outcome === 'passkey_refused')
    .reduce((sum, { times }) => sum + times, 0)
}

describe('a passkey that keeps no counter', () => {
  it('signs in repeatedly', async () => {
    const { device, id } = await withPasskey()
    for (let n = 0; n < 3; n++) {
      expect(await logIn(device)).toMatchObject({ status: 200, body: { user: { id } } })
    }
  })
})

describe('the counter of a passkey', () => {
  it('must grow', async () => {
    const holder = await withPasskey({ signCount: 5 })
    expect((await logIn(holder.device, { signCount: 6 })).status).toBe(200)
    for (const signCount of [6, 5, 1, 0]) expect(await logIn(holder.device, { signCount })).toMatchObject(refused)
    expect((await logIn(holder.device, { signCount: 7 })).status).toBe(200)
  })

  it('accepts one of 8 concurrent sign-ins', async () => {
    const { device } = await withPasskey({ signCount: 1 })
    const answers = await parallel(8, () => answer(device, { signCount: 2 }))
    const replies = await parallel(8, (index) => api('POST', '/api/auth/login/passkey/', { body: answers[index] }))
    expect(statuses(replies)).toEqual({ 200: 1, 400: 7 })
  })

  it('is recorded in the audit trail when it goes back', async () => {
    const holder = await withPasskey({ signCount: 5 })
    await logIn(holder.device, { signCount: 4 })
    expect(await refusals(holder)).toBe(1)
  })
})

describe('signing in with a passkey', () => {
  it.each<[string, () => Claims]>([
    ['that did not check its user', () => ({ userVerified: false })],
    ['without its user', () => ({ userPresent: false })],
    ['for another host', () => ({ rpId: 'evil.example' })],
    ['for a host above ours', () => ({ rpId: 'host' })],
    ['from another origin', () => ({ origin: 'https://evil.example' })],
    ['from another port', () => ({ origin: `${new URL(origin).protocol}//localhost:1` })],
    ['from a host below ours', () => ({ origin: origin.replace('localhost', 'a.localhost') })],
    ['over another protocol', () => ({ origin: origin.replace('http:', 'https:') })],
  ])('is refused and recorded %s', async (_, claims) => {
    const holder = await withPasskey()
    expect(await logIn(holder.device, claims())).toMatchObject(refused)
    expect(await refusals(holder)).toBe(1)
  })

  it("is refused with another device's key", async () => {
    const { device } = await withPasskey()
    const body = await answer(device)
    const { response } = await answer(softwareAuthenticator(origin))
    const forged = { ...body.response, response: { ...response.response } }
    expect(await api('POST', '/api/auth/login/passkey/', { body: { ...body, response: forged } })).toMatchObject(
      refused,
    )
  })

  it('is refused once the account is closed', async () => {
    const { device, token } = await withPasskey()
    const body = await answer(device)
    expect((await api('POST', '/api/v1/user/deactivate/', { headers: bearer(token) })).status).toBe(200)
    expect(await api('POST', '/api/auth/login/passkey/', { body })).toMatchObject(refused)
  })
})

describe('adding a passkey', () => {
  it.each<[string, () => Claims]>([
    ['that did not check its user', () => ({ userVerified: false })],
    ['for another host', () => ({ rpId: 'evil.example' })],
    ['from another origin', () => ({ origin: 'https://evil.example' })],
  ])('is refused %s', async (_, claims) => {
    const { token } = await register(api)
    expect(await add(token, softwareAuthenticator(origin), claims())).toMatchObject(refused)
  })

  it('is refused if another account has it', async () => {
    const { device } = await withPasskey()
    const { token } = await register(api)
    expect(await add(token, device)).toMatchObject(refused)
  })
})

describe('a passkey as the second step', () => {
  const secondStep = async ({ email }: Registered, passkey: unknown) => {
    const first = await api('POST', '/api/auth/login/', { body: { email, password: goodPassword } })
    const body = { signin_token: first.body.signin_token, passkey }
    return api('POST', '/api/auth/login/second-factor/', { body })
  }

  it("accepts the account's own passkey with user verification", async () => {
    const [holder, other] = [await withPasskey(), await withPasskey()]
    const { body } = await api('POST', '/api/v1/user/second-factor/totp/begin/', { headers: bearer(holder.token) })
    const code = new TOTP({ secret: Secret.fromBase32(body.secret) }).generate()
    await api('POST', '/api/v1/user/second-factor/totp/confirm/', { headers: bearer(holder.token), body: { code } })
    expect(await secondStep(holder, await answer(other.device))).toMatchObject(refused)
    expect(await secondStep(holder, await answer(holder.device, { userVerified: false }))).toMatchObject(refused)
    expect((await secondStep(holder, await answer(holder.device))).status).toBe(200)
  })
})
