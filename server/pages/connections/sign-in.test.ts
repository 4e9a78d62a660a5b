import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { apiOf } from '#e2e/harness/api.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { type Browser, createBrowser } from '#server/integrations/connections/testing/browser.ts'
import { startTestPlatform, type TestPlatform } from '#server/integrations/connections/testing/platform.ts'
import { randomBase62 } from '#shared/identity.ts'

let ebay: TestPlatform
let server: TestServer
let browser: Browser
let seller: { email: string; password: string; token: string }

beforeAll(async () => {
  ebay = await startTestPlatform({ slug: 'ebay' })
  server = await startTestServer({ works: false, platforms: [ebay.adapter] })
})
afterAll(async () => {
  await server?.close()
  await ebay?.close()
})
beforeEach(async () => {
  browser = createBrowser()
  ebay.seller = { id: randomBase62(8), name: `shop_${randomBase62(8)}` }
  const password = `Right ${randomBase62(12)} 1`
  const email = `${randomBase62(10).toLowerCase()}@example.com`
  const reply = await apiOf(server.url)('POST', '/api/auth/register/email/', {
    body: { email, password, password_confirm: password },
  })
  seller = { email, password, token: reply.body.token }
})

const page = (path = '/connect/') => `${server.url}${path}`
const signIn = (password = seller.password) => browser.post(page(), { email: seller.email, password })
const isSignedIn = async () => (await browser.get(page())).location === page('/app/#shops')

describe('/connect/', () => {
  it('signs in to the web app by a form without scripts', async () => {
    const shown = await browser.get(page())
    expect(shown.text).toContain('<form method="post" action="/connect/">')
    expect(shown.text).not.toMatch(/<script/i)
    const answer = await signIn()
    expect([answer.status, answer.location]).toEqual([303, page('/app/?signed-in#shops')])
    expect(await isSignedIn()).toBe(true)
  })

  it.each([
    ['app', '/app/?signed-in', '/app/'],
    ['shops', '/app/?signed-in#shops', '/app/#shops'],
    ['address', '/app/?signed-in#account/address', '/app/#account/address'],
    ['subscription', '/app/?signed-in#account/subscription', '/app/#account/subscription'],
    ['security', '/app/?signed-in#account/security', '/app/#account/security'],
    // No link redirects to another site.
    ['https://evil.example', '/app/?signed-in#shops', '/app/#shops'],
    ['constructor', '/app/?signed-in#shops', '/app/#shops'],
    ['ebay&to=app', '/app/?signed-in#shops', '/app/#shops'],
  ])('leads on to the place that ?to=%s names', async (to, afterwards, signedIn) => {
    const path = page(`/connect/?to=${to}`)
    const entered = await browser.post(path, { email: seller.email, password: seller.password })
    expect([entered.status, entered.location]).toEqual([303, page(afterwards)])
    const again = await browser.get(path)
    expect([again.status, again.location]).toEqual([303, page(signedIn)])
  })

  it.each([
    ['/connect/address/', '/app/#account/address'],
    ['/connect/security/', '/app/#account/security'],
    ['/connect/subscription/', '/app/#account/subscription'],
    ['/connect/subscription/?look=2', '/app/#account/subscription'],
    ['/connect/subscription/back/', '/app/#account/subscription'],
    ['/connect/subscription/back/?from=checkout', '/app/#account/subscription/paid'],
    ['/connect/subscription/back/?from=https://evil.example', '/app/#account/subscription'],
  ])('leads from %s of earlier mails and of Stripe into the web app', async (path, place) => {
    const moved = await browser.get(page(path), { 'sec-fetch-site': 'cross-site' })
    expect([moved.status, moved.location, moved.text]).toEqual([303, page(place), ''])
    expect(moved.headers.getSetCookie()).toEqual([])
  })

  it('continues to the platform that the extension names', async () => {
    const asked = await browser.get(page('/connect/?to=ebay'))
    expect(asked.text).toContain('Sign in to connect eBay')
    expect(asked.text).toContain('action="/connect/?to=ebay"')
    const entered = await browser.post(page('/connect/?to=ebay'), { email: seller.email, password: seller.password })
    expect([entered.status, entered.location]).toEqual([303, page('/connect/?to=ebay')])
    // Signed in already: a second press leads on at once.
    for (let press = 0; press < 2; press++) {
      const on = await browser.get(page('/connect/?to=ebay'))
      const done = await browser.open(page(/^0; url=(\S+)$/.exec(on.headers.get('refresh') ?? '')?.[1]))
      expect([done.status, done.text.includes(ebay.seller.name)]).toEqual([200, true])
    }
  })

  it('creates an account, or explains what is wrong, and signs in', async () => {
    const path = page('/connect/register/')
    const form = { email: `${randomBase62(10)}@example.com`, password: 'short' }
    const refused = await browser.post(path, form)
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('role="alert"')
    expect(refused.text).toContain('at least 8 characters')
    expect(refused.text).not.toContain('value="short"')
    expect(await isSignedIn()).toBe(false)

    const common = await browser.post(path, { ...form, password: 'password1' })
    expect(common.text).toContain('The password is one of the passwords that are tried first. Choose another.')

    const taken = await browser.post(path, { email: seller.email, password: 'a fine coat 1' })
    expect(taken.status).toBe(409)

    const made = await browser.post(path, { ...form, password: 'a fine coat 1' })
    expect([made.status, made.location]).toEqual([303, page('/app/?signed-in#shops')])
    expect(await isSignedIn()).toBe(true)
  })

  it('asks for a new password once and can show it, by a script that the policy names', async () => {
    const { text, headers } = await browser.get(page('/connect/register/'))
    expect(text.match(/<input [^>]*type="password"[^>]*>/g)).toEqual([
      expect.stringContaining('autocomplete="new-password"'),
    ])
    // Without scripts nothing is offered that does nothing.
    expect(text).toMatch(/<button type="button"[^>]* aria-pressed="false" hidden>Show<\/button>/)
    const [, script] = /<script type="module">(.*?)<\/script>/s.exec(text)!
    const hash = createHash('sha256').update(script!).digest('base64')
    expect(headers.get('content-security-policy')).toContain(`; script-src 'sha256-${hash}'`)
  })

  it('keeps the session in an HttpOnly, SameSite cookie', async () => {
    const answer = await signIn()
    expect(answer.headers.get('set-cookie')).toMatch(
      /^hapax-app=hpxt_\w+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict$/,
    )
  })

  it('rejects a wrong password and keeps the typed address', async () => {
    const answer = await signIn('Wrong 12345678')
    expect(answer.status).toBe(401)
    expect(answer.text).toContain('role="alert"')
    expect(answer.text).toContain(`value="${seller.email}"`)
    expect(answer.text).not.toContain('Wrong 12345678')
    expect(await isSignedIn()).toBe(false)
    expect((await browser.post(page(), { email: seller.email })).status).toBe(400)
  })

  it('rejects forms from other sites', async () => {
    const forged = [
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example', 'sec-fetch-site': '' },
      { origin: 'null', 'sec-fetch-site': '' },
      { origin: '', 'sec-fetch-site': 'same-site' },
      { origin: '', 'sec-fetch-site': 'none' },
      { origin: '', 'sec-fetch-site': '' },
    ]
    for (const headers of forged) {
      const answer = await browser.post(page(), seller, headers)
      expect([answer.status, answer.headers.get('set-cookie')]).toEqual([403, null])
    }
    // Browsers send "Origin: null" under no-referrer, so the page with the forms must not use it.
    expect((await browser.get(page())).headers.get('referrer-policy')).toBe('same-origin')
    expect(await isSignedIn()).toBe(false)
  })

  it('starts a connection only for the session of the browser', async () => {
    expect((await browser.get(page('/connect/?to=ebay'))).headers.get('refresh')).toBeNull()
    await signIn()
    expect((await browser.get(page('/connect/?to=ebay'))).headers.get('refresh')).toContain(
      '/accounts/ebay/login/?ticket=',
    )
    expect((await browser.get(page('/connect/?to=poshmark'))).location).toBe(page('/app/#shops'))
    expect((await browser.get(page('/connect/?to=etsy'))).status).toBe(409)
    expect((await browser.post(page('/connect/ebay/'), {})).status).toBe(404)
  })

  it('asks for the password again once the session has ended', async () => {
    const { db } = server.services
    const ends: [string, string][] = [
      ['its lifetime', "update bearer_token set created_at = now() - interval '91 days'"],
      ['its end', 'delete from bearer_token'],
    ]
    for (const [how, query] of ends) {
      await signIn()
      expect(await isSignedIn(), how).toBe(true)
      await db.none(`${query} where user_id in (select id from app_user where email = $<email>)`, seller)
      expect(await isSignedIn(), how).toBe(false)
    }
    await signIn()
    await db.none("update app_user set state = 'deactivated' where email = $<email>", seller)
    expect(await isSignedIn()).toBe(false)
  })

  it('limits sign-in attempts per address', async () => {
    const guarded = await startTestServer({ works: false, limits: { issuingPerMinute: 3 } })
    try {
      const tries = []
      for (let count = 0; count < 5; count++) {
        tries.push(
          await browser.post(`${guarded.url}/connect/`, { email: 'nobody@example.com', password: 'Wrong 123456' }),
        )
      }
      expect(tries.map((answer) => answer.status)).toEqual([401, 401, 401, 429, 429])
      expect(Number(tries[4]!.headers.get('retry-after'))).toBeGreaterThan(0)
    } finally {
      await guarded.close()
    }
  })

  it('rejects an oversized form', async () => {
    const headers = { origin: server.url, 'sec-fetch-site': 'same-origin' }
    const post = (body: string, type: string) =>
      fetch(page(), { method: 'POST', body, headers: { ...headers, 'content-type': type } })
    expect((await post(`email=${'x'.repeat(20_000)}`, 'application/x-www-form-urlencoded')).status).toBe(413)
    expect((await post('{}', 'application/json')).status).toBe(415)
    expect((await post('email=a&email=b', 'application/x-www-form-urlencoded')).status).toBe(400)
    expect((await post('email=%00', 'application/x-www-form-urlencoded')).status).toBe(400)
  })
})
