import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Browser, createBrowser } from '#server/integrations/connections/testing/browser.ts'
import { startTestPlatform, type TestPlatform } from '#server/integrations/connections/testing/platform.ts'
import { apiOf, bearer } from '#server/testing/api.ts'
import { messagesTo } from '#server/testing/outbox.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
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
const isSignedIn = async () => (await browser.get(page())).text.includes('Signed in as')

describe('/connect/', () => {
  it('connects a shop after an email sign-in, without scripts', async () => {
    expect((await browser.get(page())).text).toContain('<form method="post" action="/connect/">')
    const answer = await signIn()
    expect([answer.status, answer.location]).toEqual([303, page()])
    const shown = await browser.get(page())
    expect(shown.text).toContain(seller.email)
    expect(shown.text).toContain('Connect eBay')
    expect(shown.text).toContain('Etsy is not set up on this server.')
    expect(shown.text).not.toMatch(/<script/i)

    const on = await browser.post(page('/connect/ebay/'), {})
    expect(on.status).toBe(200)
    const next = /^0; url=(\S+)$/.exec(on.headers.get('refresh') ?? '')?.[1]
    expect(on.text).toContain(`href="${next}"`)
    const done = await browser.open(page(next))
    expect([done.status, done.text.includes(ebay.seller.name)]).toEqual([200, true])
    expect((await browser.get(page())).text).toContain(ebay.seller.name)

    const { body } = await apiOf(server.url)('GET', '/api/v1/seller-accounts/', { headers: bearer(seller.token) })
    expect(body).toMatchObject([{ platform: 'ebay', external_name: ebay.seller.name, status: 'connected' }])
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
    expect((await browser.get(page('/connect/?to=https://evil.example'))).text).toContain('Connect a shop')
  })

  it('disconnects only shops of the signed-in account', async () => {
    await signIn()
    const on = await browser.post(page('/connect/ebay/'), {})
    await browser.open(page(/^0; url=(\S+)$/.exec(on.headers.get('refresh') ?? '')![1]))
    const shown = (await browser.get(page())).text
    const action = /action="(\/connect\/shops\/sel_\w{22}\/disconnect\/)"/.exec(shown)![1]!
    const status = async () =>
      (await apiOf(server.url)('GET', '/api/v1/seller-accounts/', { headers: bearer(seller.token) })).body[0].status
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    expect((await browser.post(page(action), {}, foreign)).status).toBe(403)
    expect((await createBrowser().post(page(action), {})).location).toBe(page())
    const stranger = createBrowser()
    const password = 'a fine coat 1'
    const email = `${randomBase62(10).toLowerCase()}@example.com`
    await stranger.post(page('/connect/register/'), { email, password, password_confirm: password })
    expect((await stranger.post(page(action), {})).status).toBe(404)
    expect(await status()).toBe('connected')
    expect((await browser.post(page(action), {})).location).toBe(page())
    expect(await status()).toBe('revoked')
    expect((await browser.get(page())).text).toContain('None yet.')
  })

  it('creates an account, or explains what is wrong, and signs in', async () => {
    const path = page('/connect/register/')
    const form = { email: `${randomBase62(10)}@example.com`, password: 'short', password_confirm: 'short' }
    const refused = await browser.post(path, form)
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('role="alert"')
    expect(refused.text).toContain('at least 8 characters')
    expect(refused.text).not.toContain('value="short"')
    expect(await isSignedIn()).toBe(false)

    const common = await browser.post(path, { ...form, password: 'password1', password_confirm: 'password1' })
    expect(common.text).toContain('The password is one of the passwords that are tried first. Choose another.')
    const differing = await browser.post(path, {
      ...form,
      password: 'a fine coat 1',
      password_confirm: 'a fine coat 2',
    })
    expect([differing.status, differing.text]).toEqual([400, expect.stringContaining('The two passwords differ.')])

    const taken = await browser.post(path, {
      email: seller.email,
      password: 'a fine coat 1',
      password_confirm: 'a fine coat 1',
    })
    expect(taken.status).toBe(409)

    const password = 'a fine coat 1'
    const made = await browser.post(path, { ...form, password, password_confirm: password })
    expect([made.status, made.location]).toEqual([303, page()])
    expect(await isSignedIn()).toBe(true)
  })

  it('saves a postal address for its owner, marks invalid fields', async () => {
    const path = page('/connect/address/')
    expect((await browser.get(path)).location).toBe(page('/connect/?to=address'))
    expect((await browser.post(path, { full_name: 'Somebody' })).location).toBe(page('/connect/?to=address'))
    await signIn()
    expect((await browser.get(page())).text).toContain('href="/connect/address/"')
    const typed = { full_name: 'Vera <b>Vintage', line1: '', city: 'Portland', postal_code: '97201', country: 'XX' }
    const refused = await browser.post(path, typed)
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('Enter the street and number.')
    expect(refused.text).toContain('value="Vera &#60;b&#62;Vintage"')
    expect(refused.text).not.toContain('Enter the name.')
    const elsewhere = await browser.post(path, { ...typed, line1: '1 Mill Lane' })
    expect([elsewhere.status, elsewhere.text]).toEqual([400, expect.stringContaining('Choose a country.')])

    const whole = { ...typed, line1: '1 Mill Lane', line2: ' ', region: 'OR', country: 'US', phone: '' }
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    expect((await browser.post(path, whole, foreign)).status).toBe(403)
    const kept = async () =>
      (await apiOf(server.url)('GET', '/api/v1/user/address/', { headers: bearer(seller.token) })).body
    expect(await kept()).toBeNull()
    expect((await browser.post(path, whole)).location).toBe(page())
    const { line2, phone, ...given } = whole
    expect(await kept()).toEqual(given)
    expect((await browser.get(page())).text).toContain(
      'Vera &#60;b&#62;Vintage, 1 Mill Lane, Portland, OR 97201, United States',
    )
    expect((await browser.get(path)).text).toContain('value="1 Mill Lane"')
  })

  it('offers to resend a confirmation until it is used', async () => {
    const path = page('/connect/confirmation/')
    expect((await browser.post(path, {})).location).toBe(page())
    await signIn()
    expect((await browser.get(page())).text).toContain('Send the link again')
    const sent = async () => (await messagesTo(server.services, seller.email)).length
    const before = await sent()
    const again = await browser.post(path, {})
    expect([again.status, again.text]).toEqual([200, expect.stringContaining('Check your inbox')])
    expect(await sent()).toBe(before + 1)
    await browser.post(path, {})
    await browser.post(path, {})
    const rateLimitMessage = await browser.post(path, {})
    expect([rateLimitMessage.status, rateLimitMessage.text]).toEqual([429, expect.stringContaining('No link was sent')])
    expect(await sent()).toBe(before + 3)
    await server.services.db.none('update app_user set email_verified = true where email = $<email>', seller)
    expect((await browser.get(page())).text).not.toContain('Send the link again')
  })

  it('keeps the session in an HttpOnly, SameSite cookie', async () => {
    const answer = await signIn()
    expect(answer.headers.get('set-cookie')).toMatch(
      /^hapax-connect=\w{43}; Path=\/; Max-Age=900; HttpOnly; SameSite=Strict$/,
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
    await signIn()
    for (const headers of forged) {
      expect((await browser.post(page('/connect/ebay/'), {}, headers)).status).toBe(403)
      expect((await browser.post(page('/connect/sign-out/'), {}, headers)).status).toBe(403)
    }
    expect(await isSignedIn()).toBe(true)
    // Browsers send "Origin: null" under no-referrer, so the page with the forms must not use it.
    expect((await browser.get(page())).headers.get('referrer-policy')).toBe('same-origin')
  })

  it('starts nothing without a session or by a plain link', async () => {
    expect((await browser.post(page('/connect/ebay/'), {})).location).toBe(page())
    await signIn()
    expect((await browser.get(page('/connect/ebay/'))).status).toBe(405)
    expect((await browser.post(page('/connect/amazon/'), {})).status).toBe(404)
    expect((await browser.post(page('/connect/poshmark/'), {})).status).toBe(400)
    expect((await browser.post(page('/connect/etsy/'), {})).status).toBe(409)
  })

  it('ends at sign-out, at expiry and with all other sessions', async () => {
    await signIn()
    const cookies = new Map(browser.cookies.get(server.url))
    await browser.post(page('/connect/sign-out/'), {})
    browser.cookies.set(server.url, cookies)
    expect(await isSignedIn()).toBe(false)

    await signIn()
    expect(await isSignedIn()).toBe(true)
    await server.services.db.none(
      'update connect_session set expires_at = now() where user_id in (select id from app_user where email = $<email>)',
      seller,
    )
    expect(await isSignedIn()).toBe(false)

    await signIn()
    await server.services.db.none(
      'delete from bearer_token where user_id in (select id from app_user where email = $<email>)',
      seller,
    )
    expect(await isSignedIn()).toBe(false)

    await signIn()
    await server.services.db.none("update app_user set state = 'deactivated' where email = $<email>", seller)
    expect(await isSignedIn()).toBe(false)
  })

  it('leaves no bearer token behind when the session expires', async () => {
    await signIn()
    await server.services.db.none('update connect_session set expires_at = now()')
    await signIn()
    const { count } = await server.services.db.one(
      'select count(*) from bearer_token join app_user on id = user_id where email = $<email>',
      seller,
    )
    // One token of the registration and one of the live session.
    expect(count).toBe(2)
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
