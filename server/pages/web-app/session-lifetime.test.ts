import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Api, apiOf, bearer } from '#e2e/harness/api.ts'
import { cheapPasswords } from '#e2e/harness/cheap-passwords.ts'
import { createFrozenDatabase, type FrozenDatabase } from '#e2e/harness/database/database.ts'
import { goodPassword, register } from '#e2e/harness/register.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { usualLifetimes } from '#server/accounts/sessions/lifetimes.ts'
import { listSubscriptions } from '#server/accounts/web-push/subscriptions.ts'
import { type PushService, startPushService } from '#server/accounts/web-push/testing/push-service.ts'
import { readConfig } from '#server/config.ts'
import { createBrowser } from '#server/integrations/connections/testing/browser.ts'
import { purge } from '#server/operations/cleanup/purge.ts'

/** The clock of database and server, which only `pass` moves. */
let database: FrozenDatabase
let server: TestServer
let pushes: PushService
let api: Api
let nowMs = 0
beforeAll(async () => {
  database = await createFrozenDatabase()
  nowMs = new Date((await database.db.one('select now() as at')).at).getTime()
  server = await startTestServer({
    database,
    works: false,
    passwords: cheapPasswords,
    environment: { SANDBOX: 'on' },
    now: () => new Date(nowMs),
  })
  pushes = await startPushService()
  api = apiOf(server.url)
})
afterAll(async () => {
  await pushes?.close()
  await server?.close()
})

const minute = 60_000
const day = 86_400_000
/** Lets time pass, with a purge at its end. */
async function pass(milliseconds: number) {
  await server.services.usage.flush()
  nowMs += milliseconds
  await database.advance(milliseconds)
  await purge(server.services.db, server.services.config)
}

let seller: Awaited<ReturnType<typeof register>>
let browser: ReturnType<typeof createBrowser>
beforeEach(async () => {
  seller = await register(api)
  browser = createBrowser()
})

const page = (path: string) => `${server.url}${path}`
/** Signs into the web app, and returns what its cookie is set to. */
async function signIn(to = '?to=app', by = browser): Promise<string> {
  const answer = await by.post(page(`/connect/${to}`), { email: seller.email, password: goodPassword })
  expect(answer.status).toBe(303)
  return answer.headers.getSetCookie().find((one) => one.startsWith('hapax-app=')) ?? ''
}
const callApp = (setCookie: string, method = 'GET', path = '/api/auth/validate/', body?: object) =>
  fetch(page(path), {
    method,
    headers: {
      cookie: setCookie.split(';')[0]!,
      'x-hapax-app': '1',
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
const isSignedIn = async (cookie: string) => (await callApp(cookie)).status === 200
const subscribe = async (cookie: string) =>
  expect((await callApp(cookie, 'PUT', '/api/v1/user/web-push/', pushes.subscribe())).status).toBe(200)
const subscriptions = async () => (await listSubscriptions(server.services.db, seller.id)).length
describe('the lifetimes of sessions', () => {
  it('are those of the documents', () => {
    const defaults = readConfig({})
    const [idle, absolute] = [defaults.SESSION_IDLE_DAYS, defaults.SESSION_MAX_DAYS]
    expect(usualLifetimes).toEqual({ idle: idle * 86_400, absolute: absolute * 86_400 })
    const read = (name: string) => readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8')
    expect(read('docs/security.md')).toContain(
      `A session is a bearer token: ${idle} days without use and ${absolute} days at most`,
    )
    expect(read('docs/security.md')).toContain(`Sessions ${idle} days without use, ${absolute} at most`)
    expect(read('.env.example')).toContain(`#SESSION_IDLE_DAYS=${idle}\n#`)
    expect(read('.env.example')).toContain(`#SESSION_MAX_DAYS=${absolute}\n#`)
  })

  it('are also those of the cookie, which lives as long as a session can', async () => {
    expect(await signIn()).toContain(`; Max-Age=${usualLifetimes.absolute};`)
  })
})

describe('the web app’s session', () => {
  it('outlives each purge', async () => {
    const cookie = await signIn()
    for (let purges = 0; purges < 6; purges++) {
      await pass(5 * minute)
      expect(await isSignedIn(cookie)).toBe(true)
    }
  })

  it('lasts 30 days from its last use, and 90 days', async () => {
    const cookie = await signIn()
    for (const days of [29, 29, 29]) {
      await pass(days * day)
      expect(await isSignedIn(cookie)).toBe(true)
    }
    await pass(3 * day + 1)
    expect(await isSignedIn(cookie)).toBe(false)
    const idle = await signIn()
    await pass(30 * day + 1)
    expect(await isSignedIn(idle)).toBe(false)
  })

  it('ends at sign-out, for the page that signs in as well', async () => {
    const cookie = await signIn()
    expect((await browser.get(page('/connect/'))).status).toBe(303)
    expect((await callApp(cookie, 'POST', '/api/auth/logout/')).status).toBe(200)
    expect(await isSignedIn(cookie)).toBe(false)
    expect((await browser.get(page('/connect/'))).status).toBe(200)
  })

  it('ends with all others', async () => {
    const cookie = await signIn()
    await api('POST', '/api/v1/user/sessions/end-others/', { headers: bearer(seller.token) })
    expect(await isSignedIn(cookie)).toBe(false)
  })
})

describe('a browser’s notifications', () => {
  it('outlive purges and the lifetime of the session', async () => {
    const cookie = await signIn()
    await subscribe(cookie)
    for (let purges = 0; purges < 4; purges++) await pass(5 * minute)
    expect(await subscriptions()).toBe(1)
    await pass(91 * day)
    expect([await isSignedIn(cookie), await subscriptions()]).toEqual([false, 1])
  })

  it('outlive a new token of the same session', async () => {
    const cookie = await signIn()
    await subscribe(cookie)
    const other = await signIn('?to=app', createBrowser())
    await subscribe(other)
    const changed = await callApp(cookie, 'POST', '/api/auth/password/change/', {
      current_password: goodPassword,
      new_password: 'quiet harbour 77',
      new_password_confirm: 'quiet harbour 77',
    })
    expect(changed.status).toBe(200)
    // The other browser's session has ended.
    expect(await subscriptions()).toBe(1)
    const { token } = (await changed.json()) as { token: string }
    await api('POST', '/api/auth/logout/', { headers: bearer(token) })
    expect(await subscriptions()).toBe(0)
  })

  it.each<[string, (cookie: string) => Promise<unknown>]>([
    ['signing out', (cookie) => callApp(cookie, 'POST', '/api/auth/logout/')],
    [
      'ending the other sessions',
      () => api('POST', '/api/v1/user/sessions/end-others/', { headers: bearer(seller.token) }),
    ],
    ['closing the account', (cookie) => callApp(cookie, 'POST', '/api/v1/user/deactivate/')],
  ])('end by %s', async (_, end) => {
    const cookie = await signIn()
    await subscribe(cookie)
    await end(cookie)
    expect(await subscriptions()).toBe(0)
  })

  it('of a session that has ended by its lifetime end with all others', async () => {
    await subscribe(await signIn())
    await pass(91 * day)
    const cookie = await signIn()
    await callApp(cookie, 'POST', '/api/v1/user/sessions/end-others/')
    expect(await subscriptions()).toBe(0)
  })

  it('of a session that has ended by its lifetime end with a new password', async () => {
    await subscribe(await signIn())
    await pass(91 * day)
    const changed = await callApp(await signIn(), 'POST', '/api/auth/password/change/', {
      current_password: goodPassword,
      new_password: 'quiet harbour 77',
      new_password_confirm: 'quiet harbour 77',
    })
    expect([changed.status, await subscriptions()]).toEqual([200, 0])
  })
})
