import { request } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { parallel } from '#e2e/harness/api.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { createBrowser } from '#server/integrations/connections/testing/browser.ts'
import {
  authorize,
  connectShop,
  sellerAccounts,
  signedInBrowser,
  startConnecting,
} from '#server/integrations/connections/testing/connect.ts'
import { startTestPlatform, type TestPlatform } from '#server/integrations/connections/testing/platform.ts'

let ebay: TestPlatform
let etsy: TestPlatform
let server: TestServer
let account: TestAccount
let shopNumber = 0

beforeAll(async () => {
  ebay = await startTestPlatform({ slug: 'ebay' })
  etsy = await startTestPlatform({ slug: 'etsy', pkce: true, rotating: true })
  server = await startTestServer({ works: false, platforms: [ebay.adapter, etsy.adapter] })
})
afterAll(async () => {
  await server?.close()
  await ebay?.close()
  await etsy?.close()
})
beforeEach(async () => {
  account = await buildAccount(server.services.db)
  for (const platform of [ebay, etsy]) {
    platform.seller = { id: `S-${++shopNumber}`, name: `shop_${shopNumber}` }
    platform.before = async () => {}
    platform.counts.exchange = 0
  }
})

const change = (statement: string) => server.services.db.none(statement, account)
const shops = (of = account) => sellerAccounts(server.url, of)

describe('connecting in a browser', () => {
  it.each(['ebay', 'etsy'])('goes from a ticket to a page that names the shop and the account: %s', async (slug) => {
    const platform = slug === 'ebay' ? ebay : etsy
    const page = await connectShop(server.url, account, slug)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toMatch('text/html')
    expect(page.text).toContain(platform.seller.name)
    expect(page.text).toContain(account.email)
    expect(page.text).not.toMatch(/<script/i)
    expect(page.text.includes('“Automatically relist canceled items” off')).toBe(slug === 'ebay')
    expect(await shops()).toMatchObject([
      { platform: slug, external_id: platform.seller.id, external_name: platform.seller.name, status: 'connected' },
    ])
  })

  it('leads back to the web app that it began in', async () => {
    const browser = signedInBrowser(server.url, account)
    const login = await browser.get(`${await startConnecting(server.url, account, 'etsy')}&from=app`)
    const callback = (await browser.get(login.location!)).location!
    const back = await browser.get(callback)
    expect([back.status, back.location]).toEqual([303, `${server.url}/app/?connected=etsy`])
    expect(await shops()).toHaveLength(1)
    const again = await browser.get(callback)
    expect([again.status, again.location]).toEqual([303, `${server.url}/app/?connected=etsy`])
  })

  it.each<[string, string, boolean, string]>([
    ['comes from another program', '', true, ''],
    ['claims to come from elsewhere', '&from=https://evil.example', true, ''],
    ['marks the state itself', '', true, 'app-'],
    ['is not signed in to the web app', '&from=app', false, ''],
  ])('leads nowhere by itself where the browser %s', async (_who, from, isSignedIn, mark) => {
    const browser = isSignedIn ? signedInBrowser(server.url, account) : createBrowser()
    let login = await browser.get((await startConnecting(server.url, account, 'ebay')) + from)
    if (!isSignedIn) {
      const form = { ticket: /name="ticket" value="(\w{43})"/.exec(login.text)![1]! }
      const on = await browser.post(`${server.url}/accounts/ebay/login/?from=app`, form)
      login = { ...on, location: /^0; url=(\S+)$/.exec(on.headers.get('refresh') ?? '')![1]! }
    }
    const callback = new URL((await browser.get(login.location!)).location!)
    callback.searchParams.set('state', mark + callback.searchParams.get('state'))
    const page = await browser.get(callback.href)
    expect([page.status, page.location]).toEqual([mark ? 400 : 200, null])
    expect(page.text.includes(account.email)).toBe(!mark)
  })

  it('says what went wrong instead of leading back to the web app', async () => {
    const browser = signedInBrowser(server.url, account)
    const login = await browser.get(`${await startConnecting(server.url, account, 'ebay')}&from=app`)
    const callback = new URL((await browser.get(login.location!)).location!)
    callback.searchParams.delete('code')
    callback.searchParams.set('error', 'access_denied')
    const page = await browser.get(callback.href)
    expect([page.status, page.location]).toEqual([400, null])
    expect(page.text).toContain('says that you did not agree')
  })

  it('starts with the Authorization header of a web view, too', async () => {
    const browser = createBrowser()
    const login = await browser.get(`${server.url}/accounts/ebay/login/`, account.bearer)
    expect(login.status).toBe(302)
    expect((await browser.open(login.location!)).status).toBe(200)
    expect(await shops()).toHaveLength(1)
  })

  it('connects two shops of a platform at once in one browser', async () => {
    const browser = signedInBrowser(server.url, account)
    const callbacks = []
    for (const name of ['one', 'two']) {
      ebay.seller = { id: `${account.user_id}-${name}`, name }
      const login = await browser.get(await startConnecting(server.url, account, 'ebay'))
      callbacks.push((await browser.get(login.location!)).location!)
    }
    for (const callback of callbacks) expect((await browser.get(callback)).status).toBe(200)
    expect(await shops()).toHaveLength(2)
  })

  it('ties the sign-in to the browser by an HttpOnly host cookie', async () => {
    const login = await signedInBrowser(server.url, account).get(await startConnecting(server.url, account, 'ebay'))
    expect(login.headers.get('set-cookie')).toMatch(
      /^hapax-browser=[0-9A-Za-z]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/,
    )
    const secure = await startTestServer({
      works: false,
      platforms: [ebay.adapter],
      environment: { PUBLIC_URL: 'https://hapax.example' },
    })
    try {
      const seller = await buildAccount(secure.services.db)
      const cookie = await new Promise((resolve, reject) =>
        request(
          `${secure.url}/accounts/ebay/login/`,
          { headers: { host: 'hapax.example', ...seller.bearer } },
          (response) => resolve(response.resume().headers['set-cookie']?.[0]),
        )
          .on('error', reject)
          .end(),
      )
      expect(cookie).toMatch(/^__Host-hapax-browser=\w{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/)
    } finally {
      await secure.close()
    }
  })
})

describe('a ticket link in a browser of another account or of none', () => {
  const browserOf1999 = { 'user-agent': 'Mozilla/5.0 (old)', 'sec-fetch-site': '' }
  const handedOver: [string, Record<string, string>][] = [
    ['by a link on a page of ours', { 'sec-fetch-site': 'same-origin' }],
    ['by a link or a redirect', { 'sec-fetch-site': 'cross-site' }],
    ['by a neighbouring site', { 'sec-fetch-site': 'same-site' }],
    ['by an app, a QR code or by hand', { 'sec-fetch-site': 'none' }],
    ['to a program that does not say by whom', { 'sec-fetch-site': '' }],
    ['to a browser that does not say by whom', browserOf1999],
    ['to such a browser, with a referrer', { ...browserOf1999, referer: 'https://evil.example/' }],
  ]
  const states = () => server.services.db.any('select 1 from oauth_state where user_id = $1', [account.user_id])

  it.each(handedOver)('%s, names the account before going on', async (_name, headers) => {
    const url = await startConnecting(server.url, account, 'ebay')
    const browser = createBrowser()
    const asked = await browser.get(url, headers)
    expect([asked.status, asked.location]).toEqual([200, null])
    expect(asked.text).toContain('s•••@e•••.com')
    expect(asked.text).not.toContain(account.email)
    expect(asked.text).not.toMatch(/<script/i)
    expect(await states()).toEqual([])
    const form = { ticket: /name="ticket" value="(\w{43})"/.exec(asked.text)![1]! }
    // The ticket is used up, and the form's ticket works in no URL and from no other site.
    expect((await createBrowser().get(url)).status).toBe(400)
    const page = `${server.url}/accounts/ebay/login/`
    expect(
      (await browser.post(page, form, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })).status,
    ).toBe(403)
    expect(await states()).toEqual([])

    const on = await browser.post(page, form)
    expect(on.status).toBe(200)
    const next = /^0; url=(\S+)$/.exec(on.headers.get('refresh') ?? '')![1]!
    expect(new URL(next).origin).toBe(ebay.url)
    expect((await browser.open(next)).text).toContain(ebay.seller.name)
    expect(await shops()).toHaveLength(1)
    expect((await browser.post(page, form)).status).toBe(400)
  })

  it.each(['another account', 'an account whose session has ended', 'a forged cookie'])(
    'names the account before going on with the cookies of %s',
    async (whose) => {
      const other = await buildAccount(server.services.db)
      const holder = whose === 'an account whose session has ended' ? account : other
      const url = await startConnecting(server.url, account, 'ebay')
      const browser = signedInBrowser(server.url, holder)
      if (holder === account) {
        await server.services.db.none('delete from bearer_token where user_id = $<user_id>', account)
      }
      const jar = browser.cookies.get(server.url)!
      if (whose === 'a forged cookie') jar.set('hapax-app', `x${jar.get('hapax-app')!.slice(0, -1)}`)
      jar.set('hapax-connect', 'x'.repeat(43))
      const asked = await browser.get(url)
      expect([asked.status, asked.location]).toEqual([200, null])
      expect(asked.text).toContain('s•••@e•••.com')
      expect(await states()).toEqual([])
    },
  )

  it.each(handedOver)('%s, goes on without a question where its account is signed in', async (_name, headers) => {
    const url = await startConnecting(server.url, account, 'ebay')
    expect((await signedInBrowser(server.url, account).get(url, headers)).status).toBe(302)
  })

  it('accepts only a ticket of its own account and platform', async () => {
    const page = `${server.url}/accounts/ebay/login/`
    const etsyTicket = new URL(await startConnecting(server.url, account, 'etsy')).searchParams.get('ticket')!
    for (const ticket of ['', 'x', 'x'.repeat(43), etsyTicket]) {
      expect((await createBrowser().post(page, { ticket })).status).toBe(400)
    }
  })
})

describe('the address that starts a connection', () => {
  it('works once when 32 requests open it', async () => {
    const url = await startConnecting(server.url, account, 'ebay')
    const visits = await parallel(32, () => signedInBrowser(server.url, account).get(url))
    expect(visits.filter((visit) => visit.status === 302)).toHaveLength(1)
    expect(visits.filter((visit) => visit.status === 400)).toHaveLength(31)
  })

  it('is not used up by HEAD requests and prefetching', async () => {
    const url = await startConnecting(server.url, account, 'ebay')
    await fetch(url, { method: 'HEAD' })
    await fetch(url, { headers: { 'sec-purpose': 'prefetch;prerender' } })
    expect((await signedInBrowser(server.url, account).get(url)).status).toBe(302)
  })

  it('expires after 60 seconds', async () => {
    const url = await startConnecting(server.url, account, 'ebay')
    const { left } = await server.services.db.one(
      `select extract(epoch from expires_at - now())::float as left from connect_ticket where user_id = $<user_id>`,
      account,
    )
    expect(left).toBeGreaterThan(50)
    expect(left).toBeLessThanOrEqual(60)
    await server.services.db.none(
      "update connect_ticket set expires_at = expires_at - interval '60 seconds' where user_id = $<user_id>",
      account,
    )
    expect((await signedInBrowser(server.url, account).get(url)).status).toBe(400)
  })

  it('does not work for another platform, and survives the attempt', async () => {
    const url = await startConnecting(server.url, account, 'ebay')
    expect((await createBrowser().get(url.replace('/ebay/', '/etsy/'))).status).toBe(400)
    expect((await signedInBrowser(server.url, account).get(url)).status).toBe(302)
  })

  it('accepts no token, key or forged ticket in the URL', async () => {
    const browser = createBrowser()
    const token = account.bearer.authorization.replace('Bearer ', '')
    const login = `${server.url}/accounts/ebay/login/`
    for (const name of ['token', 'access_token', 'authorization', 'api_key']) {
      expect((await browser.get(`${login}?${name}=${token}`)).status).toBe(401)
    }
    for (const ticket of [token, account.key['x-api-key'], 'x'.repeat(43), '']) {
      expect((await browser.get(`${login}?ticket=${encodeURIComponent(ticket)}`)).status).toBe(400)
    }
    expect((await browser.get(login)).status).toBe(401)
    expect((await browser.get(login, account.key)).status).toBe(403)
    expect((await browser.get(await startConnecting(server.url, account, 'ebay'), account.bearer)).status).toBe(400)
    expect((await browser.get(login, { ...account.bearer, ...account.key })).status).toBe(400)
  })

  it('redirects only to the platform', async () => {
    const targets = [
      ...[
        '//evil.example',
        '\\\\evil.example',
        '/\\evil.example',
        '\\/evil.example',
        '///evil.example',
        'https:evil.example',
      ],
      ...[
        'https://evil.example',
        'HTTPS://evil.example',
        'http://evil.example:80/',
        'https:/evil.example',
        '@evil.example',
      ],
      ...[
        'javascript:alert("evil")',
        'JaVaScRiPt:alert("evil")',
        'java\tscript:alert("evil")',
        '\u0001javascript:evil',
      ],
      ...['data:text/html,evil', 'vbscript:evil', 'file:///evil', 'blob:evil', '%2f%2fevil.example', '%5cevil.example'],
      ...['/%09/evil.example', '/\r\nLocation: https://evil.example', '.evil.example', '//127.0.0.1@evil.example'],
      ...[
        '//evil%E3%80%82example',
        'https://evil.example?x=127.0.0.1',
        'https://127.0.0.1.evil.example',
        '//[::1]evil',
      ],
      ...['evil://app', '?next=//evil.example', '#//evil.example'],
    ]
    const names = [
      ...['next', 'redirect', 'redirect_uri', 'redirect_url', 'redirectUri', 'return_to', 'returnTo', 'return_url'],
      ...['continue', 'url', 'target', 'dest', 'destination', 'callback', 'r', 'state'],
    ]
    expect(targets.length * names.length).toBeGreaterThanOrEqual(500)
    for (const target of targets) {
      for (const name of names) {
        const url = `${await startConnecting(server.url, account, 'ebay')}&${name}=${encodeURIComponent(target)}`
        const visit = await signedInBrowser(server.url, account).get(url)
        expect(visit.status, url).toBe(302)
        expect(new URL(visit.location!).origin, url).toBe(ebay.url)
        expect(visit.location).not.toContain('evil')
      }
    }
  })

  it.each([
    ['amazon', 404],
    ['poshmark', 400],
    ['..%2f..%2fadmin', 404],
  ])('answers %s with %i', async (slug, status) => {
    for (const path of ['login/', 'login/callback/']) {
      const visit = await createBrowser().get(`${server.url}/accounts/${slug}/${path}`, account.bearer)
      expect([visit.status, visit.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8'])
    }
  })
})

describe('the platform’s callback', () => {
  it('exchanges one code under 32 parallel callbacks', async () => {
    const { browser, callback } = await authorize(server.url, account, 'ebay')
    const visits = await parallel(32, () => browser.get(callback))
    expect(ebay.counts.exchange).toBe(1)
    const finished = visits.filter((visit) => visit.status === 200 && !visit.text.includes('finished before'))
    expect(finished).toHaveLength(1)
    expect(await shops()).toHaveLength(1)
  })

  const broken: [string, (callback: URL) => void][] = [
    ['no state', (callback) => callback.searchParams.delete('state')],
    ['an empty state', (callback) => callback.searchParams.set('state', '')],
    ['an unknown state', (callback) => callback.searchParams.set('state', 'x'.repeat(43))],
    ['a state twice', (callback) => callback.searchParams.append('state', 'x')],
    ['a state of 100 kB', (callback) => callback.searchParams.set('state', 'x'.repeat(6_000))],
    ['U+0000 in its state', (callback) => callback.searchParams.set('state', '\0')],
  ]
  it.each(broken)('refuses %s without asking the platform', async (_name, change) => {
    const { browser, callback } = await authorize(server.url, account, 'ebay')
    const url = new URL(callback)
    change(url)
    expect((await browser.get(url.href)).status).toBe(400)
    expect(ebay.counts.exchange).toBe(0)
    expect(await shops()).toEqual([])
  })

  it('names the connected shop when its page is loaded again', async () => {
    const { browser, callback } = await authorize(server.url, account, 'ebay')
    await browser.get(callback)
    // A second shop, connected a moment later, is not the one that this page is about.
    const { id, name } = ebay.seller
    ebay.seller = { id: `${id}-later`, name: `${name}_later` }
    await connectShop(server.url, account, 'ebay')
    const page = await browser.get(callback)
    expect([page.status, page.text.includes(`<strong>${name}</strong>`)]).toEqual([200, true])
    expect(page.text).toContain(account.email)
    expect(ebay.counts.exchange).toBe(2)
    const made = "select count(*)::int as made from audit_log where user_id = $<user_id> and action = 'connection.made'"
    expect(await server.services.db.one(made, account)).toEqual({ made: 2 })
  })

  it.each<[string, (url: URL) => unknown, () => Promise<unknown>]>([
    ['with an error', (url) => url.searchParams.set('error', 'access_denied'), async () => {}],
    ['with another state', (url) => url.searchParams.set('state', 'x'.repeat(43)), async () => {}],
    ['for a closed account', () => {}, () => change("update app_user set state = 'deactivated' where id = $<user_id>")],
    [
      'for a shop that was disconnected',
      () => {},
      async () => {
        const [shop] = await shops()
        const path = `${server.url}/api/v1/seller-accounts/${shop!.uid}/`
        await fetch(path, { method: 'DELETE', headers: account.bearer })
      },
    ],
    [
      'after ten minutes',
      () => {},
      () => change("update oauth_state set expires_at = now() - interval '1 s' where user_id = $<user_id>"),
    ],
  ])('names no shop when it is loaded again %s', async (_how, alter, meanwhile) => {
    const { browser, callback } = await authorize(server.url, account, 'ebay')
    await browser.get(callback)
    await meanwhile()
    const url = new URL(callback)
    alter(url)
    const page = await browser.get(url.href)
    expect([page.status, page.text.includes(ebay.seller.name)]).toEqual([400, false])
  })

  it('names no shop to another browser, or of a sign-in that failed', async () => {
    const { browser, callback } = await authorize(server.url, account, 'ebay')
    await browser.get(callback)
    const other = await authorize(server.url, await buildAccount(server.services.db), 'ebay')
    for (const one of [createBrowser(), other.browser]) expect((await one.get(callback)).status).toBe(400)
    ebay.before = async () => {
      throw 500
    }
    expect((await other.browser.get(other.callback)).status).toBe(503)
    expect((await other.browser.get(other.callback)).status).toBe(400)
  })

  it('refuses a state after ten minutes', async () => {
    const { browser, callback } = await authorize(server.url, account, 'ebay')
    await server.services.db.none(
      "update oauth_state set expires_at = expires_at - interval '10 minutes' where user_id = $<user_id>",
      account,
    )
    expect((await browser.get(callback)).status).toBe(400)
    expect(ebay.counts.exchange).toBe(0)
  })

  it('refuses to finish in another browser than the one that began', async () => {
    const victim = await authorize(server.url, account, 'ebay')
    const attacker = await buildAccount(server.services.db)
    const attack = await authorize(server.url, attacker, 'ebay')
    expect((await victim.browser.get(attack.callback)).status).toBe(400)
    expect((await attack.browser.get(victim.callback)).status).toBe(400)
    expect((await createBrowser().get(victim.callback)).status).toBe(400)
    expect(ebay.counts.exchange).toBe(0)
    // The honest sign-ins still work.
    expect((await victim.browser.get(victim.callback)).status).toBe(200)
    expect([(await shops()).length, (await shops(attacker)).length]).toEqual([1, 0])
  })

  it('refuses a callback of another platform', async () => {
    const { browser, callback } = await authorize(server.url, account, 'ebay')
    expect((await browser.get(callback.replace('/ebay/', '/etsy/'))).status).toBe(400)
    expect([ebay.counts.exchange, etsy.counts.exchange]).toEqual([0, 0])
    expect((await browser.get(callback)).status).toBe(200)
  })

  it('refuses a code injected from another sign-in (PKCE)', async () => {
    const stolen = new URL((await authorize(server.url, account, 'etsy')).callback).searchParams.get('code')!
    const { browser, callback } = await authorize(server.url, await buildAccount(server.services.db), 'etsy')
    const url = new URL(callback)
    url.searchParams.set('code', stolen)
    expect((await browser.get(url.href)).status).toBe(400)
    expect(etsy.counts.exchange).toBe(1)
  })

  it('checks the issuer if the platform sends one', async () => {
    const mixed = await authorize(server.url, account, 'etsy')
    for (const iss of ['https://evil.example', 'nonsense', '']) {
      const { browser, callback } = await authorize(server.url, account, 'ebay')
      expect((await browser.get(`${callback}&iss=${encodeURIComponent(iss)}`)).status).toBe(400)
    }
    expect(ebay.counts.exchange).toBe(0)
    const right = await mixed.browser.get(`${mixed.callback}&iss=${encodeURIComponent(etsy.url)}`)
    expect(right.status).toBe(200)
  })

  it('refuses an account that was closed meanwhile', async () => {
    const { browser, callback } = await authorize(server.url, account, 'ebay')
    await server.services.db.none("update app_user set state = 'deactivated' where id = $<user_id>", account)
    expect((await browser.get(callback)).status).toBe(400)
    expect(ebay.counts.exchange).toBe(0)
  })

  it('stores nothing when the account closes during the exchange', async () => {
    const { browser, callback } = await authorize(server.url, account, 'ebay')
    ebay.before = async (call) => {
      if (call !== 'exchange') return
      await server.services.db.none("update app_user set state = 'deactivated' where id = $<user_id>", account)
    }
    expect((await browser.get(callback)).status).toBe(400)
    expect(await server.services.db.any('select 1 from seller_account where user_id = $<user_id>', account)).toEqual([])
  })

  it.each([
    ['does not answer', 503, 503],
    ['breaks', 500, 503],
  ])('explains the next step when the platform %s', async (_name, given, shown) => {
    const { browser, callback } = await authorize(server.url, account, 'ebay')
    ebay.before = async () => {
      throw given
    }
    const page = await browser.get(callback)
    expect([page.status, page.headers.get('retry-after')]).toEqual([shown, '30'])
    expect(page.text).toContain('Try again')
    expect(await shops()).toEqual([])
  })
})

describe('the platform’s error texts', () => {
  it('are never shown, logged or executed', async () => {
    const payloads = ['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', 'CANARY-TEXT', '\u202Egnp.exe']
    for (const payload of payloads) {
      const { browser, callback } = await authorize(server.url, account, 'ebay')
      const url = new URL(callback)
      url.searchParams.delete('code')
      url.searchParams.set('error', payload)
      url.searchParams.set('error_description', payload)
      url.searchParams.set('error_uri', `javascript:${payload}`)
      const page = await browser.get(url.href)
      expect(page.status).toBe(400)
      expect(page.text).toContain('did not accept this sign-in')
      expect(page.text).not.toContain(payload)
      expect(page.text).not.toContain('alert(1)')
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(server.logged.join('')).not.toContain(payload)
    }
    expect(ebay.counts.exchange).toBe(0)
  })

  // The codes of RFC 6749 4.1.2.1.
  it.each([
    ['access_denied', 400, 'you did not agree'],
    ['temporarily_unavailable', 503, 'Wait a minute'],
    ['server_error', 503, 'Wait a minute'],
    ['invalid_scope', 400, 'operator of this server has to check its keys of eBay (eBay error invalid_scope)'],
    ['unauthorized_client', 400, 'operator of this server has to check its keys of eBay'],
    ['', 400, 'did not accept this sign-in'],
  ])('name the cause by the code %j', async (code, status, words) => {
    const { browser, callback } = await authorize(server.url, account, 'ebay')
    const url = new URL(callback)
    url.searchParams.delete('code')
    url.searchParams.set('error', code)
    const page = await browser.get(url.href)
    expect([page.status, page.text.includes(words)]).toEqual([status, true])
    expect(ebay.counts.exchange).toBe(0)
  })

  it('end the sign-in and invalidate its state', async () => {
    const { browser, callback } = await authorize(server.url, account, 'ebay')
    await browser.get(`${callback}&error=access_denied`)
    expect((await browser.get(callback)).status).toBe(400)
    expect(ebay.counts.exchange).toBe(0)
  })

  it('escapes markup in a shop name', async () => {
    ebay.seller = { id: `evil-${account.user_id}`, name: '<img src=x onerror=alert(1)>' }
    const page = await connectShop(server.url, account, 'ebay')
    expect(page.status).toBe(200)
    expect(page.text).not.toContain('<img src=x')
  })
})

describe('one shop, one account', () => {
  const tokensOf = (user: TestAccount) =>
    server.services.db.one(
      'select encrypted_access_token, encrypted_refresh_token, token_epoch, status from seller_account where user_id = $<user_id>',
      user,
    )

  it('refuses a shop of another account and keeps its tokens', async () => {
    await connectShop(server.url, account, 'ebay')
    const before = await tokensOf(account)
    const second = await buildAccount(server.services.db)
    const page = await connectShop(server.url, second, 'ebay')
    expect(page.status).toBe(409)
    expect(page.text).toContain('Another Hapax account')
    expect(page.text).not.toContain(account.email)
    expect(await shops(second)).toEqual([])
    expect(await tokensOf(account)).toEqual(before)
  })

  it('gives a shop to one of eight concurrent accounts', async () => {
    const accounts = await parallel(8, () => buildAccount(server.services.db))
    const begun = await Promise.all(accounts.map((each) => authorize(server.url, each, 'ebay')))
    const pages = await Promise.all(begun.map(({ browser, callback }) => browser.get(callback)))
    expect(pages.map((page) => page.status).sort()).toEqual([200, ...Array(7).fill(409)])
    const rows = await server.services.db.any(
      'select user_id from seller_account where external_id = $<id>',
      ebay.seller,
    )
    expect(rows).toHaveLength(1)
  })

  it('keeps one row with new tokens when reconnected, even at once', async () => {
    await connectShop(server.url, account, 'ebay')
    const before = await tokensOf(account)
    const [shop] = await shops()
    const begun = await parallel(8, () => authorize(server.url, account, 'ebay'))
    const pages = await Promise.all(begun.map(({ browser, callback }) => browser.get(callback)))
    expect(pages.map((page) => page.status)).toEqual(Array(8).fill(200))
    expect(await shops()).toMatchObject([{ uid: shop!.uid, status: 'connected' }])
    const after = await tokensOf(account)
    expect(after.token_epoch).toBe(before.token_epoch + 8)
    expect(after.encrypted_access_token.equals(before.encrypted_access_token)).toBe(false)
  })

  it('can be connected elsewhere after a disconnect', async () => {
    await connectShop(server.url, account, 'ebay')
    const [shop] = await shops()
    const path = `${server.url}/api/v1/seller-accounts/${shop!.uid}/`
    await fetch(path, { method: 'DELETE', headers: account.bearer })
    const second = await buildAccount(server.services.db)
    expect((await connectShop(server.url, second, 'ebay')).status).toBe(200)
    expect((await connectShop(server.url, account, 'ebay')).status).toBe(409)
    expect(await shops()).toMatchObject([{ status: 'revoked' }])
  })
})

describe('secrets', () => {
  it('are never stored or sent in clear text', async () => {
    const pages = [await connectShop(server.url, account, 'ebay'), await connectShop(server.url, account, 'etsy')]
    const { browser, callback } = await authorize(server.url, account, 'ebay')
    ebay.before = async () => {
      throw 500
    }
    pages.push(await browser.get(callback))
    const secrets = [...ebay.issuedSecrets, ...etsy.issuedSecrets]
    expect(secrets.length).toBeGreaterThan(5)

    const tables = await server.services.db.map(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema')`,
      [],
      (row: { name: string }) => row.name,
    )
    expect(tables).toContain('public.seller_account')
    let stored = ''
    for (const table of tables) {
      // Search the text form as well: a bytea column prints as hexadecimal.
      const { text } = await server.services.db.one(
        `select coalesce(string_agg(line::text, ''), '') as text from ${table} line`,
      )
      stored += text
    }
    const everything = [stored, server.logged.join(''), ...pages.map((page) => page.text)].join('\n')
    for (const secret of secrets) {
      expect(everything.includes(secret)).toBe(false)
      expect(everything.includes(Buffer.from(secret).toString('hex'))).toBe(false)
    }
    const states = [
      new URL(callback).searchParams.get('state')!,
      [...browser.cookies.values()].flatMap((jar) => [...jar.values()])[0]!,
    ]
    for (const secret of states) expect(everything.includes(secret)).toBe(false)
  })
})
