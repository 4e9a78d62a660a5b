import type { Page } from 'puppeteer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiOf, bearer } from '#e2e/harness/api.ts'
import { expectAccessible } from './accessibility.ts'
import { openBrowser, type TestBrowser } from './browser.ts'
import { press } from './press.ts'
import { type Service, startService } from './service.ts'
import { connectShop, password, registerInApp, signUpInApp } from './web-seller.ts'

let service: Service
let chromium: TestBrowser
beforeAll(async () => {
  service = await startService()
  chromium = await openBrowser()
})
afterAll(async () => {
  await chromium?.close()
  await service?.close()
})

/** Registers from the first page and waits for the app's first screen. */
async function register(page: Page, email: string): Promise<void> {
  await (await page.createCDPSession()).send('Network.clearBrowserCookies')
  await page.goto(`${service.url}/app/`)
  await page.waitForSelector('form[action="/connect/?to=app"]')
  await registerInApp(page, service.url, email)
}

describe('a newcomer without the extension', () => {
  let page: Page

  it('comes from the first page to an item', async () => {
    page = await chromium.newPage()
    await page.setBypassCSP(true)
    await page.setViewport({ width: 320, height: 640, isMobile: true })
    const email = 'web-newcomer@example.com'
    await register(page, email)
    expect(page.url()).toBe(`${service.url}/app/`)
    await page.locator('button[aria-label="Connect, eBay"]').wait()
    await expectAccessible(page)
    const api = apiOf(service.url)
    const { body } = await api('POST', '/api/auth/login/', { body: { email, password } })
    await api('POST', '/api/v1/inventory/', {
      headers: bearer(body.token),
      body: {
        title: 'Green wool coat',
        description: 'Caf&eacute; &amp; bar, 5 < 6',
        images: ['https://pictures.example.com/coat.jpg'],
        condition: { label: 'Used', notes: '' },
        offer: { price_minor: 8_500, currency: 'USD' },
      },
    })
    await page.locator('nav a[href="#inventory"]').click()
    await page.locator('main:not([hidden]) .lines a::-p-text(Green wool coat)').click()
    await page.locator('::-p-text(Café & bar, 5 < 6)').wait()
  })

  it.each([
    ['small phone', { width: 320, height: 640, isMobile: true }],
    ['phone', { width: 390, height: 844, isMobile: true }],
    ['tablet', { width: 800, height: 600 }],
    ['desk', { width: 1280, height: 800 }],
  ] as const)('goes through the screens on a %s', async (_, viewport) => {
    await page.setViewport(viewport)
    for (const screen of ['inventory', 'sales', 'shops', 'choices', 'home']) {
      await page.locator(`nav a[href="#${screen}"]`).click()
      await page.locator(`nav a[href="#${screen}"][aria-current="page"]`).wait()
      await expectAccessible(page)
    }
  })
})

it('shows nothing of the account that this browser had before', async () => {
  const page = await chromium.newPage()
  await register(page, 'web-next@example.com')
  await page.locator('button[aria-label="Connect, eBay"]').wait()
  await page.locator('nav a[href="#inventory"]').click()
  await page.locator('main:not([hidden]) ::-p-text(No items yet)').wait()
  expect(await page.$('::-p-text(Green wool coat)')).toBeNull()
  await page.close()
})

it('shows the inventory it keeps before the server has answered', async () => {
  const page = await chromium.newPage()
  await page.setViewport({ width: 1280, height: 800 })
  await page.goto(`${service.url}/app/#inventory`)
  await page.locator('main:not([hidden]) ::-p-text(No items yet)').wait()
  await page.setRequestInterception(true)
  page.on('request', (request) => {
    if (!/\/api\//.test(request.url())) void request.continue()
  })
  await page.reload()
  await page.locator('main:not([hidden]) ::-p-text(No items yet)').wait()
  await page.close()
})

it('comes back from connecting a shop, and imports it from the first screen', async () => {
  const page = await chromium.newPage()
  await signUpInApp(page, service.url, 'web-imports@example.com')
  await press(page, 'button[aria-label="Connect, eBay"]')
  await press(page, 'input[type="radio"]')
  await press(page, 'button[value="agree"]')
  await page.waitForSelector('.toast ::-p-text(eBay is connected)')
  expect(page.url()).toBe(`${service.url}/app/`)
  await press(page, 'button[aria-label="Import now, eBay"]')
  await page.locator('progress[aria-label="eBay import"]').wait()
  await page.locator('.import').wait()
  await page.waitForSelector('.import', { hidden: true })
  await page.goto(`${service.url}/app/#shops`)
  await page.locator('::-p-text(40 added)').wait()
  await page.locator('.health ::-p-text(Connected)').wait()
  await page.close()
})

it('asks once for the address that every marketplace needs', async () => {
  const page = await chromium.newPage()
  await page.setBypassCSP(true)
  await page.setViewport({ width: 390, height: 844, isMobile: true })
  const token = await signUpInApp(page, service.url, 'web-address@example.com')
  await connectShop(service.url, token, 'ebay', 'camera_carl')
  await connectShop(service.url, token, 'etsy')
  await page.goto(`${service.url}/app/#choices`)
  await page.waitForFunction(() => document.querySelectorAll('.usual p.soft').length === 2)
  await page.waitForSelector('a.button::-p-text(Add address)')
  expect(await page.$$eval('.notice', (all) => all.map((one) => one.textContent))).toEqual([
    'Add your shipping address to start listing.Try againAdd address',
  ])
  await expectAccessible(page)
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/address-once.png` })
  await page.close()
})

it('names the price of a subscription beside the trial', async () => {
  const page = await chromium.newPage()
  await page.setBypassCSP(true)
  await page.setViewport({ width: 390, height: 844, isMobile: true })
  await page.goto(`${service.url}/app/#account`)
  await page.locator('::-p-text($12 a month. Your trial days are kept: you pay first on)').wait()
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/subscription-price.png` })
  await page.close()
})

it('names what sold, adds it up, and takes what the sale cost', async () => {
  const email = 'web-sells@example.com'
  const page = await chromium.newPage()
  await page.setBypassCSP(true)
  const token = await signUpInApp(page, service.url, email)
  const api = apiOf(service.url)
  const { body: item } = await api('POST', '/api/v1/inventory/', {
    headers: bearer(token),
    body: {
      title: 'Green wool coat',
      images: ['https://pictures.example.com/coat.jpg'],
      condition: { label: 'Used', notes: '' },
      offer: { price_minor: 8_500, currency: 'USD' },
    },
  })
  await api('POST', `/api/v1/inventory/${item.uid}/mark-sold/`, { headers: bearer(token), body: {} })
  await page.locator('::-p-text(Sold in person for $85.00.)').wait()
  await page.locator('nav a[href="#sales"]').click()
  await page.locator('::-p-xpath(//button[normalize-space()="By item"])').click()
  await page.locator('button[aria-label="Edit costs, Green wool coat"]').click()
  await page.locator('#cost-cost').fill('20')
  await page.locator('::-p-xpath(//dialog//button[normalize-space()="Save"])').click()
  await page.locator('::-p-text(Profit $65.00)').wait()
  await expectAccessible(page)
  await page.close()
})

it('ends keys, webhooks and sessions with a new password', async () => {
  const page = await chromium.newPage()
  await page.setBypassCSP(true)
  await signUpInApp(page, service.url, 'web-account@example.com')
  await page.goto(`${service.url}/app/#account/api`)
  await page.locator('section[aria-labelledby="webhooks"] ::-p-text(No webhooks yet)').wait()
  await expectAccessible(page)

  await page.locator('section[aria-labelledby="keys"] input').fill('Spreadsheet')
  await page.locator('::-p-xpath(//button[normalize-space()="Create API key"])').click()
  await page.waitForSelector('code.secret')
  expect(await page.$eval('code.secret', (one) => one.textContent)).toMatch(/^hpxk_/)
  await page.locator('::-p-xpath(//dialog//button[normalize-space()="Close"])').click()
  await page.locator('button[aria-label="Delete, Spreadsheet"]').click()
  await page.locator('::-p-xpath(//dialog//button[normalize-space()="Delete"])').click()
  await page.locator('::-p-text(No API keys yet)').wait()

  await page.locator('nav a[href="#account/security"]').click()
  await page.locator('section[aria-labelledby="sessions"] ::-p-text(This browser)').wait()
  await expectAccessible(page)
  const fields = await page.$$('section[aria-labelledby="password"] input')
  for (const [index, value] of [password, 'another lantern 43', 'another lantern 43'].entries()) {
    await fields[index]!.type(value)
  }
  await page.locator('::-p-xpath(//button[normalize-space()="Change password"])').click()
  await page.waitForSelector('form[action="/connect/?to=app"]')
  await page.close()
})

it('says what only the extension can do, and leads to it', async () => {
  const page = await chromium.newPage()
  await signUpInApp(page, service.url, 'web-extension@example.com')
  await page.goto(`${service.url}/app/#shops`)
  await page.locator('::-p-text(These need the browser extension)').wait()
  expect(await page.$$eval('a[href$="/extension/"]', (links) => links.length)).toBe(1)
  await page.goto(`${service.url}/extension/`)
  expect(await page.$eval('h1', (heading) => heading.textContent)).toBe('Get the browser extension')
  await page.close()
})

it('opens with at most 600 KB of scripts, 200 compressed', async () => {
  const html = await (await fetch(`${service.url}/app/`)).text()
  const sizes = { sent: 0, unpacked: 0 }
  for (const path of new Set(html.match(/\/app\/assets\/[\w.-]+/g))) {
    const answer = await fetch(`${service.url}${path}`, { headers: { 'accept-encoding': 'br' } })
    sizes.sent += Number(answer.headers.get('content-length'))
    if (path.endsWith('.js')) sizes.unpacked += (await answer.arrayBuffer()).byteLength
  }
  expect(sizes.sent).toBeGreaterThan(50_000)
  expect(sizes.sent).toBeLessThan(200_000)
  expect(sizes.unpacked).toBeLessThanOrEqual(600_000)
})

it('keeps no credential where scripts of the page could read it', async () => {
  const page = await chromium.newPage()
  await page.goto(`${service.url}/app/`)
  await page.waitForSelector('nav.top')
  const readable = await page.evaluate(async () => {
    const databases = await indexedDB.databases()
    return JSON.stringify([document.cookie, { ...localStorage }, databases.map(({ name }) => name)])
  })
  expect(readable).not.toContain('hpxt_')
  await page.close()
})

it('signs out from the account and leaves no account data', async () => {
  const page = await chromium.newPage()
  await register(page, 'web-leaves@example.com')
  await page.goto(`${service.url}/app/#account`)
  await page.locator('::-p-xpath(//main//button[normalize-space()="Sign out"])').click()
  await page.waitForSelector('form[action="/connect/?to=app"]')
  await page.goto(`${service.url}/app/`)
  await page.waitForSelector('form[action="/connect/?to=app"]')
  await register(page, 'web-returns@example.com')
  await page.close()
})

it('leads to the sign-in page once the session has ended', async () => {
  const page = await chromium.newPage()
  await page.goto(`${service.url}/app/`)
  await page.waitForSelector('nav.top')
  await page.evaluate(() =>
    fetch('/api/auth/logout/', { method: 'POST', headers: { 'x-hapax-app': '1' }, credentials: 'same-origin' }),
  )
  await page.goto(`${service.url}/app/`)
  await page.waitForSelector('form[action="/connect/?to=app"]')
  expect(page.url()).toContain('/connect/?to=app')
  await page.close()
})

it('asks nothing of the server but whose session it is, once that has ended', async () => {
  const page = await chromium.newPage()
  await signUpInApp(page, service.url, 'web-ended@example.com')
  await page.locator('button[aria-label="Connect, eBay"]').wait()
  await page.evaluate(() => fetch('/api/auth/logout/', { method: 'POST', headers: { 'x-hapax-app': '1' } }))
  await page.goto('about:blank')
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) asked.push(pathname)
  })
  await page.goto(`${service.url}/app/`)
  await page.waitForSelector('form[action="/connect/?to=app"]')
  expect(asked).toEqual(['/api/auth/validate/'])
  await page.close()
})
