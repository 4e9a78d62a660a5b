import type { CDPSession, Page } from 'puppeteer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiOf, bearer, parallel, statuses } from '#e2e/harness/api.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { openBrowser, type TestBrowser } from './browser.ts'

/** Passkeys in a real Chromium with a virtual authenticator, on a page of the server. */
let server: TestServer
let chromium: TestBrowser
let page: Page
let cdp: CDPSession
beforeAll(async () => {
  server = await startTestServer({ works: false })
  chromium = await openBrowser()
  page = await chromium.newPage()
  // A passkey belongs to a host name, never to an IP address.
  await page.goto(server.url.replace('127.0.0.1', 'localhost'))
  cdp = await page.createCDPSession()
  await cdp.send('WebAuthn.enable')
})
afterAll(async () => {
  await chromium?.close()
  await server?.close()
})

const password = 'paper lantern 42'
let people = 0
const api = (...call: Parameters<ReturnType<typeof apiOf>>) => apiOf(server.url)(...call)

async function register(): Promise<{ id: number; email: string; token: string }> {
  const email = `passkey-${++people}@example.com`
  const { body } = await api('POST', '/api/auth/register/email/', {
    body: { email, password, password_confirm: password },
  })
  return { id: body.user.id, email, token: body.token }
}

/** Replaces the virtual device. */
async function plugIn(checksUser = true): Promise<string> {
  await cdp.send('WebAuthn.disable')
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: checksUser,
      isUserVerified: checksUser,
      automaticPresenceSimulation: true,
    },
  })
  return authenticatorId
}

const create = (options: unknown) =>
  page.evaluate(`(async () => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(${JSON.stringify(options)})
    return (await navigator.credentials.create({ publicKey })).toJSON()
  })()`) as Promise<Answer>
const get = (options: unknown) =>
  page.evaluate(`(async () => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(${JSON.stringify(options)})
    return (await navigator.credentials.get({ publicKey })).toJSON()
  })()`) as Promise<Answer>

interface Answer {
  id: string
  response: Record<string, string>
}

const begin = async (token: string) =>
  (await api('POST', '/api/v1/user/passkeys/begin/', { headers: bearer(token) })).body
const add = (token: string, challenge_token: string, response: Answer, name = 'Laptop') =>
  api('POST', '/api/v1/user/passkeys/', { headers: bearer(token), body: { challenge_token, name, response } })
async function addPasskey(token: string) {
  const { challenge_token, options } = await begin(token)
  const response = await create(options)
  return { reply: await add(token, challenge_token, response), challenge_token, response }
}
const beginLogin = async () => (await api('POST', '/api/auth/login/passkey/begin/')).body
const logIn = (body: object) => api('POST', '/api/auth/login/passkey/', { body })
const refused = { status: 400, body: { code: 'passkey_refused' } }

/** Returns an answer with other client data, as another site would produce. */
function withClientData(answer: Answer, change: object): Answer {
  const data = JSON.parse(Buffer.from(answer.response.clientDataJSON!, 'base64url').toString())
  const clientDataJSON = Buffer.from(JSON.stringify({ ...data, ...change })).toString('base64url')
  return { ...answer, response: { ...answer.response, clientDataJSON } }
}

describe('a passkey', () => {
  it('is added and signs in by itself', async () => {
    await plugIn()
    const { id, email, token } = await register()
    const { reply } = await addPasskey(token)
    expect(reply).toMatchObject({ status: 201, body: { uid: expect.stringMatching(/^psk_/), name: 'Laptop' } })
    const { challenge_token, options } = await beginLogin()
    expect(options.allowCredentials ?? []).toEqual([])
    const entered = await logIn({ challenge_token, response: await get(options) })
    expect(entered).toMatchObject({
      status: 200,
      body: { user: { id, email }, token: expect.stringMatching(/^hpxt_/) },
    })
    const sessions = await api('GET', '/api/v1/user/sessions/', { headers: bearer(entered.body.token) })
    expect(sessions.body.find((one: { is_current: boolean }) => one.is_current).method).toBe('passkey')
    const [listed] = (await api('GET', '/api/v1/user/passkeys/', { headers: bearer(token) })).body
    expect(listed.last_used_at).toEqual(expect.any(String))
  })

  it('answers a challenge once, of 16 concurrent attempts', async () => {
    await plugIn()
    const { token } = await register()
    const added = await addPasskey(token)
    expect(await add(token, added.challenge_token, added.response)).toMatchObject(refused)
    const { challenge_token, options } = await beginLogin()
    const response = await get(options)
    expect(statuses(await parallel(16, () => logIn({ challenge_token, response })))).toEqual({ 200: 1, 400: 15 })
  })

  it('is refused with a forged answer', async () => {
    await plugIn()
    const [owner, other] = [await register(), await register()]
    await addPasskey(owner.token)
    const attempt = async (forge: (answer: Answer, challenge: string) => Answer) => {
      const { challenge_token, options } = await beginLogin()
      return logIn({ challenge_token, response: forge(await get(options), options.challenge) })
    }
    const stale = await get((await beginLogin()).options)
    const flip = (text: string) => `${text.slice(0, 20)}${text[20] === 'A' ? 'B' : 'A'}${text.slice(21)}`
    expect((await attempt((answer) => answer)).status).toBe(200)
    const forgeries: [string, (answer: Answer, challenge: string) => Answer][] = [
      ['another origin', (answer) => withClientData(answer, { origin: 'https://evil.example' })],
      ['another type', (answer) => withClientData(answer, { type: 'webauthn.create' })],
      ['an old answer', () => stale],
      ['an old answer with the new challenge', (_, challenge) => withClientData(stale, { challenge })],
      [
        'a changed signature',
        (one) => ({ ...one, response: { ...one.response, signature: flip(one.response.signature!) } }),
      ],
      [
        'changed authenticator data',
        (one) => ({ ...one, response: { ...one.response, authenticatorData: flip(one.response.authenticatorData!) } }),
      ],
      ['an unknown passkey', (one) => ({ ...one, id: flip(one.id), rawId: flip(one.id) })],
      ['no data at all', (one) => ({ ...one, response: { clientDataJSON: '', authenticatorData: '', signature: '' } })],
    ]
    for (const [name, forge] of forgeries) expect(await attempt(forge), name).toMatchObject(refused)
    // A challenge for adding does not sign in, and one account's does not add to another.
    const { challenge_token, options } = await begin(owner.token)
    expect(await logIn({ challenge_token, response: stale })).toMatchObject(refused)
    await plugIn()
    const made = await create({ ...options, excludeCredentials: [] })
    expect(await add(other.token, challenge_token, made)).toMatchObject(refused)
    expect((await add(owner.token, challenge_token, made)).status).toBe(201)
  })

  it('that was copied is refused once its counter goes back', async () => {
    const authenticatorId = await plugIn()
    const { token } = await register()
    await addPasskey(token)
    const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId })
    const use = async () => {
      const { challenge_token, options } = await beginLogin()
      return logIn({ challenge_token, response: await get(options) })
    }
    for (let n = 0; n < 3; n++) expect((await use()).status).toBe(200)
    const copy = await plugIn()
    await cdp.send('WebAuthn.addCredential', {
      authenticatorId: copy,
      credential: { ...credentials[0]!, signCount: 1 },
    })
    expect(await use()).toMatchObject(refused)
  })

  it('without user verification is refused', async () => {
    await plugIn(false)
    const { token } = await register()
    const { challenge_token, options } = await begin(token)
    const relaxed = { residentKey: 'discouraged', userVerification: 'discouraged' }
    const response = await create({ ...options, authenticatorSelection: relaxed })
    expect(await add(token, challenge_token, response)).toMatchObject(refused)
  })

  it('is renamed and removed, and then no longer signs in', async () => {
    await plugIn()
    const { token } = await register()
    const { body } = (await addPasskey(token)).reply
    const path = `/api/v1/user/passkeys/${body.uid}/`
    const renamed = await api('PATCH', path, { headers: bearer(token), body: { name: 'Old laptop' } })
    expect(renamed).toMatchObject({ status: 200, body: { name: 'Old laptop' } })
    const { challenge_token, options } = await beginLogin()
    const response = await get(options)
    expect((await api('DELETE', path, { headers: bearer(token) })).status).toBe(204)
    expect(await logIn({ challenge_token, response })).toMatchObject(refused)
  })

  it('authenticates its own account before a sensitive change', async () => {
    await plugIn()
    const [owner, other] = [await register(), await register()]
    await addPasskey(owner.token)
    const prove = async (token: string) => {
      const { challenge_token, options } = await beginLogin()
      const passkey = { challenge_token, response: await get(options) }
      return api('POST', '/api/auth/reauthenticate/', { headers: bearer(token), body: { passkey } })
    }
    expect((await prove(owner.token)).status).toBe(200)
    expect(await prove(other.token)).toMatchObject(refused)
  })
})
