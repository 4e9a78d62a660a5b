import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiOf } from '#e2e/harness/api.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { createBrowser } from '#server/integrations/connections/testing/browser.ts'
import { randomBase62 } from '#shared/identity.ts'

let server: TestServer
let cookie: string
beforeAll(async () => {
  server = await startTestServer({ works: false })
  const password = `Right ${randomBase62(12)} 1`
  const email = `${randomBase62(10).toLowerCase()}@example.com`
  await apiOf(server.url)('POST', '/api/auth/register/email/', {
    body: { email, password, password_confirm: password },
  })
  const signedIn = await createBrowser().post(`${server.url}/connect/?to=app`, { email, password })
  expect([signedIn.status, signedIn.location]).toEqual([303, `${server.url}/app/?signed-in`])
  const cookies = signedIn.headers.getSetCookie()
  const set = cookies.find((one) => one.startsWith('hapax-app='))
  expect(set).toMatch(/; HttpOnly; SameSite=Strict/)
  cookie = set!.split(';')[0]!
})
afterAll(() => server?.close())

const validate = (headers: Record<string, string>) =>
  fetch(`${server.url}/api/auth/validate/`, { headers: { cookie, ...headers } })

describe('the web app’s session', () => {
  it('lets a page of the same origin call the API with the cookie', async () => {
    const reply = await validate({ 'x-hapax-app': '1', 'sec-fetch-site': 'same-origin' })
    expect([reply.status, (await reply.json()).valid]).toEqual([200, true])
  })

  it('does not count without the header that no other site sends', async () => {
    expect((await validate({})).status).toBe(401)
  })

  it('does not count for a request of another site', async () => {
    expect((await validate({ 'x-hapax-app': '1', 'sec-fetch-site': 'cross-site' })).status).toBe(401)
  })

  it('never joins a credential that the request has itself', async () => {
    expect((await validate({ 'x-hapax-app': '1', 'x-api-key': 'wrong' })).status).toBe(401)
  })

  it('ends with its token', async () => {
    const headers = { cookie, 'x-hapax-app': '1' }
    const left = await fetch(`${server.url}/api/auth/logout/`, { method: 'POST', headers })
    expect(left.status).toBe(200)
    const cleared = await fetch(`${server.url}/app/sign-out`, { method: 'POST', headers })
    expect(cleared.headers.getSetCookie()[0]).toContain('Max-Age=0')
    expect((await validate({ 'x-hapax-app': '1' })).status).toBe(401)
  })
})
