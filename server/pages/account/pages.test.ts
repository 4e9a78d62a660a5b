import { Agent, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, apiOf, bearer } from '#e2e/harness/api.ts'
import { messagesTo, settleDeferredMessages, tokenIn, waitForMessage } from '#e2e/harness/outbox.ts'
import { goodPassword, type Registered, register, someEmail } from '#e2e/harness/register.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { createBrowser } from '#server/integrations/connections/testing/browser.ts'

let server: TestServer
let api: Api
beforeAll(async () => {
  server = await startTestServer({ environment: { SANDBOX: 'on' } })
  api = apiOf(server.url)
})
afterAll(() => server?.close())

const open = (path: string, init: RequestInit = {}) => fetch(`${server.url}${path}`, init)
const send = (path: string, fields: Record<string, string>) =>
  open(path, { method: 'POST', body: new URLSearchParams(fields) })

async function resetLink(account: Registered): Promise<{ url: string; token: string }> {
  await api('POST', '/api/auth/password/reset/request/', { body: { email: account.email } })
  const message = await waitForMessage(server.services, account.email, 'password-reset')
  return { url: /https?:\S+/.exec(message.text)![0], token: tokenIn(message) }
}
async function verifyLink(account: Registered): Promise<{ url: string; token: string }> {
  await api('POST', '/api/auth/email-verification/request/', { headers: bearer(account.token) })
  const message = await waitForMessage(server.services, account.email, 'email-verification')
  return { url: /https?:\S+/.exec(message.text)![0], token: tokenIn(message) }
}
const isVerified = async ({ id }: Registered) =>
  (await server.services.db.one('select email_verified from app_user where id = $1', [id])).email_verified

describe('the pages behind links in mail', () => {
  it('change nothing and leak no referrer when a link is opened', async () => {
    const account = await register(api)
    const links = [await verifyLink(account), await resetLink(account)]
    for (const { url } of links) {
      for (const init of [{}, { method: 'HEAD' }, { headers: { 'sec-purpose': 'prefetch' } }, {}]) {
        const response = await fetch(url, init)
        expect(response.status).toBe(200)
        expect(response.headers.get('referrer-policy')).toBe('no-referrer')
        expect(response.headers.get('cache-control')).toBe('no-store')
        const text = await response.text()
        expect(text.match(/<script.*/g) ?? []).toEqual(
          url.includes('/verify-email') && init.method !== 'HEAD'
            ? [`<script type="module">document.querySelector('form').requestSubmit()</script>`]
            : [],
        )
      }
    }
    expect(await isVerified(account)).toBe(false)
    expect((await api('GET', '/api/auth/validate/', { headers: bearer(account.token) })).status).toBe(200)
    expect(server.logged.join()).not.toContain(links[0]!.token)
    expect(server.logged.join()).not.toContain(links[1]!.token)
  })

  it('confirm an address by their form', async () => {
    const account = await register(api)
    const { token } = await verifyLink(account)
    const done = await send('/account/verify-email', { token, password: goodPassword })
    expect(done.status).toBe(200)
    expect(await done.text()).toContain('is confirmed')
    expect(await isVerified(account)).toBe(true)
    const again = await send('/account/verify-email', { token })
    expect(again.status).toBe(400)
    expect(await again.text()).toContain('This link does not work')
  })

  it('confirm an address by one press where the seller is signed in', async () => {
    const [account, other] = [await register(api), await register(api)]
    const { token } = await verifyLink(account)
    const press = async ({ email }: Registered) => {
      const browser = createBrowser()
      await browser.post(`${server.url}/connect/?to=app`, { email, password: goodPassword })
      return browser.post(`${server.url}/account/verify-email`, { token })
    }
    expect((await press(other)).text).toContain('name="password"')
    expect(await isVerified(account)).toBe(false)
    expect((await press(account)).text).toContain('is confirmed')
    expect(await isVerified(account)).toBe(true)
    // It counts as the owner's: nothing ends.
    expect((await api('GET', '/api/auth/validate/', { headers: bearer(account.token) })).status).toBe(200)
    expect(await server.services.db.one('select secured_at from app_user where id = $1', [account.id])).toEqual({
      secured_at: expect.any(String),
    })
  })

  it('require the password of an account that has one', async () => {
    const account = await register(api)
    const { token } = await verifyLink(account)
    expect(await (await send('/account/verify-email', { token })).text()).toContain('name="password"')
    for (const password of ['', 'somebody elses 1']) {
      const refused = await send('/account/verify-email', { token, password })
      expect(refused.status).toBe(400)
      expect(await refused.text()).toContain('This is not the password of the account')
    }
    expect(await isVerified(account)).toBe(false)
    await server.services.db.none('update app_user set password_hash = null where id = $1', [account.id])
    expect((await send('/account/verify-email', { token })).status).toBe(200)
  })

  it('offer to keep access set up before the address was confirmed', async () => {
    const account = await register(api)
    await api('POST', '/api/auth/email-verification/confirm/', { body: { token: (await verifyLink(account)).token } })
    const { db } = server.services
    await db.none("insert into social_link (user_id, provider, subject) values ($1, 'apple', 'keeper')", [account.id])
    const { token, url } = await resetLink(account)
    const page = await (await fetch(url)).text()
    expect(page).toContain('name="keep_set_up"')
    expect(page).not.toContain('name="end_everything"')
    const password = 'quiet harbour 77'
    const fields = { token, password, password_confirm: password, keep_set_up: 'yes' }
    expect((await send('/account/reset-password', fields)).status).toBe(200)
    expect(await db.any("select 1 from social_link where subject = 'keeper'")).toHaveLength(1)
  })

  it('set a password and mark an invalid field', async () => {
    const account = await register(api)
    const { token } = await resetLink(account)
    const path = '/account/reset-password'
    for (const [password, password_confirm, said] of [
      ['short1', 'short1', 'at least 8 characters'],
      ['quiet harbour 77', 'quiet harbour 78', 'The two passwords differ'],
      ['Password1', 'Password1', 'tried first'],
    ] as const) {
      const refused = await send(path, { token, password, password_confirm })
      expect(refused.status).toBe(400)
      const page = await refused.text()
      expect(page).toContain(said)
      expect(page).toContain('aria-invalid="true"')
      expect(page).not.toContain(`value="${password}"`)
    }
    const done = await send(path, { token, password: 'quiet harbour 77', password_confirm: 'quiet harbour 77' })
    expect(done.status).toBe(200)
    expect(
      (await api('POST', '/api/auth/login/', { body: { email: account.email, password: goodPassword } })).status,
    ).toBe(401)
    expect(
      (await api('POST', '/api/auth/login/', { body: { email: account.email, password: 'quiet harbour 77' } })).status,
    ).toBe(200)
  })

  it('offer to revoke a stranger’s access and list what ends', async () => {
    const account = await register(api)
    const box = 'name="end_everything"'
    const first = await (await fetch((await resetLink(account)).url)).text()
    expect(first).toContain('connected shops end too')
    expect(first).not.toContain(box)
    await send('/account/verify-email', { token: (await verifyLink(account)).token, password: goodPassword })
    const { db } = server.services
    await db.none("insert into social_link (user_id, provider, subject) values ($1, 'apple', 'intruder')", [account.id])
    await api('POST', '/api/auth/password/reset/request/', { body: { email: account.email } })
    const message = await waitForMessage(server.services, account.email, 'password-reset', 2)
    const token = tokenIn(message)
    expect(await (await fetch(/https?:\S+/.exec(message.text)![0])).text()).toContain(box)
    const fields = { token, password: 'quiet harbour 77', end_everything: 'yes' }
    const refused = await (await send('/account/reset-password', { ...fields, password_confirm: 'other 12345' })).text()
    expect(refused).toMatch(/name="end_everything"[^>]* checked/)
    const done = await send('/account/reset-password', { ...fields, password_confirm: fields.password })
    expect(await done.text()).toContain('API keys, linked accounts, webhook addresses')
    expect(await db.any('select 1 from social_link where user_id = $1', [account.id])).toEqual([])
  })

  it('escape the token and refuse a missing or repeated one', async () => {
    const page = await (
      await open(`/account/verify-email?token=${encodeURIComponent('"><script>alert(1)</script>')}`)
    ).text()
    expect(page).not.toContain('<script')
    for (const path of ['/account/verify-email', '/account/reset-password']) {
      expect((await open(path)).status).toBe(400)
      expect((await open(`${path}?token=a&token=b`)).status).toBe(400)
      expect((await send(path, {})).status).toBe(400)
      expect(
        (await open(path, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } })).status,
      ).toBe(415)
      expect((await open(path, { method: 'DELETE' })).status).toBe(405)
    }
  })

  it('report a dead link before asking for a password', async () => {
    const account = await register(api)
    const { url, token } = await resetLink(account)
    expect(await (await fetch(url)).text()).toContain(`${account.email[0]}•••@e•••.com`)
    await send('/account/reset-password', { token, password: 'quiet harbour 77', password_confirm: 'quiet harbour 77' })
    const dead = await fetch(url)
    expect(dead.status).toBe(400)
    const page = await dead.text()
    expect(page).toContain('This link does not work')
    expect(page).toContain('href="/account/forgot-password"')
    expect(page).not.toContain('<form')
  })

  it('links use the configured address, whatever the Host header', async () => {
    const account = await register(api)
    const shapes = [
      (name: string) => name,
      (name: string) => `a@${name}`,
      (name: string) => `127.0.0.1.${name}`,
      (name: string) => `${name}:80`,
      (name: string) => `${new URL(server.url).host}@${name}`,
      (name: string) => `${new URL(server.url).host}.${name}`,
      (name: string) => `${new URL(server.url).host}, ${name}`,
      (name: string) => `${name}#${new URL(server.url).host}`,
    ]
    const agent = new Agent({ keepAlive: true, maxSockets: 8 })
    const statuses = await Promise.all(
      Array.from({ length: 3 * shapes.length }, (_, index) =>
        shapes[index % shapes.length]!(`evil-${index}.example`),
      ).map(
        (host) =>
          new Promise<number | undefined>((resolve, reject) => {
            const sent = request(
              `${server.url}/api/auth/password/reset/request/`,
              { method: 'POST', agent, headers: { host, 'content-type': 'application/json' } },
              (response) => {
                response.resume()
                resolve(response.statusCode)
              },
            )
            sent.on('error', reject)
            sent.end(JSON.stringify({ email: account.email }))
          }),
      ),
    )
    agent.destroy()
    expect(statuses.filter((status) => status !== 400 && status !== 421)).toEqual([])
    await api('POST', '/api/auth/password/reset/request/', {
      body: { email: account.email },
      headers: { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example', 'x-forwarded-proto': 'http' },
    })
    const message = await waitForMessage(server.services, account.email, 'password-reset')
    expect(message.text).toContain(`${server.url}/account/reset-password?token=`)
    expect(`${message.text}${message.html}`).not.toContain('evil')
  })
})

describe('the forgotten password page', () => {
  const path = '/account/forgot-password'
  const visit = () => {
    const browser = createBrowser()
    const url = `${server.url}${path}`
    return { open: () => browser.get(url), ask: (email: string) => browser.post(url, { email }), browser, url }
  }

  it('is linked from the sign-in page and leads to a new password', async () => {
    const account = await register(api)
    expect(await (await open('/connect/')).text()).toContain(`href="${path}"`)
    const { open: show, ask } = visit()
    expect((await show()).text).toContain(`<form method="post" action="${path}">`)
    const asked = await ask(` ${account.email.toUpperCase()} `)
    expect([asked.status, asked.text.includes('role="status"')]).toEqual([200, true])
    const token = tokenIn(await waitForMessage(server.services, account.email, 'password-reset'))
    const done = await send('/account/reset-password', {
      token,
      password: 'quiet harbour 77',
      password_confirm: 'quiet harbour 77',
    })
    expect(await done.text()).toContain('href="/connect/?to=app"')
    const body = { email: account.email, password: 'quiet harbour 77' }
    expect((await api('POST', '/api/auth/login/', { body })).status).toBe(200)
    // The notification tells strangers' victims how to recover the account.
    const mail = await waitForMessage(server.services, account.email, 'password-changed')
    expect(mail.text).toContain(`${server.url}${path}`)
  })

  it('treats known and unknown addresses alike', async () => {
    const { email } = await register(api)
    const answers = []
    for (const address of [email, someEmail()]) {
      const { ask } = visit()
      expect((await api('POST', '/api/auth/password/reset/request/', { body: { email: address } })).status).toBe(200)
      const pages = []
      for (let turn = 0; turn < 3; turn++) pages.push(await ask(address))
      expect(pages.map(({ status }) => status)).toEqual([200, 200, 429])
      expect(Number(pages[2]!.headers.get('retry-after'))).toBeGreaterThan(3_000)
      expect(pages[2]!.text).toContain('asked for too often')
      answers.push(
        pages.map(({ status, headers, text }) => [
          status,
          [...headers].filter(
            ([name]) => !['date', 'x-request-id', 'content-length', 'retry-after', 'ratelimit'].includes(name),
          ),
          text.replaceAll(address, 'ADDRESS').replace(/req_\w+/g, ''),
        ]),
      )
    }
    expect(answers[0]).toEqual(answers[1])
  })

  it('rejects forms of other sites and invalid addresses', async () => {
    const { email } = await register(api)
    const { browser, url, ask } = visit()
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      { origin: 'null', 'sec-fetch-site': 'same-origin' },
      { origin: 'null', 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]
    for (const headers of foreign) {
      expect((await browser.post(url, { email }, headers)).status, JSON.stringify(headers)).toBe(403)
    }
    for (const encoding of ['br', 'gzip', 'deflate', 'x-magic']) {
      const { status } = await browser.post(url, { email }, { 'content-encoding': encoding })
      expect([400, 415], encoding).toContain(status)
    }
    // Nor a form without the headers that browsers send.
    expect((await send(path, { email })).status).toBe(403)
    for (const wrong of [
      '',
      'nobody',
      'a@b',
      `${'x'.repeat(400)}@example.com`,
      '"><script>alert(1)</script>',
      'a,b@example.com',
    ]) {
      const { status, text } = await ask(wrong)
      expect(status, wrong).toBe(400)
      expect(text).toContain('role="alert"')
      expect(text).toContain('aria-invalid="true"')
      expect(text).not.toContain('<script')
    }
    await settleDeferredMessages(server.services)
    const sent = await messagesTo(server.services, email)
    expect(sent.map(({ template }) => template)).toEqual(['email-verification'])
  })
})
