import { mkdir } from 'node:fs/promises'
import type { Page } from 'puppeteer'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { apiOf, bearer } from '#e2e/harness/api.ts'
import { expectAccessible } from './accessibility.ts'
import { openBrowser, type TestBrowser } from './browser.ts'
import { type Service, startService } from './service.ts'
import { connectInApp, password, registerInApp } from './web-seller.ts'

/**
 * A German seller in a German browser, on the whole service: amounts are shown and typed with a decimal comma, in euros,
 * and eBay Germany and Etsy get them as they were meant. The steps build on one another.
 */
const email = 'anja@example.com'
const title = 'Stiefeletten Gabor schwarz EU 38, ungetragen'

let service: Service
let chromium: TestBrowser
let page: Page
let token: string
let uid: string
const call = async (method: string, path: string, body?: unknown) =>
  (await apiOf(service.url)(method, path, { headers: bearer(token), body })).body
const press = (name: string) =>
  page.locator(`::-p-xpath(//*[self::button or self::a][normalize-space()="${name}"])`).click()

beforeAll(async () => {
  service = await startService()
  chromium = await openBrowser()
  page = await chromium.newPage()
  await page.setBypassCSP(true)
  await page.setViewport({ width: 1_280, height: 900 })
  const session = await page.createCDPSession()
  await session.send('Emulation.setLocaleOverride', { locale: 'de-DE' })
})
afterAll(async () => {
  await chromium?.close()
  await service?.close()
})

/** Waits until the screen says this, with plain spaces. */
const says = (words: string) =>
  expect.poll(() => page.evaluate(() => document.body.innerText.replace(/\s+/g, ' '))).toContain(words)

/** Fails on violations of accessibility rules, and on an amount in dollars; takes a picture if SCREENSHOTS is set. */
async function check(name: string): Promise<void> {
  await expectAccessible(page)
  const text = await page.evaluate(() => document.body.innerText)
  expect(text.match(/.*[$£].*/g)?.filter((line) => !line.includes('Etsy charges')) ?? []).toEqual([])
  if (!process.env.SCREENSHOTS) return
  await mkdir(process.env.SCREENSHOTS, { recursive: true })
  await page.screenshot({ path: `${process.env.SCREENSHOTS}/german-${name}.png` })
}

async function write(field: string, words: string): Promise<void> {
  await page.waitForSelector(field)
  await page.$eval(field, (input) => (input as HTMLInputElement).select())
  await page.type(field, words)
}

it('imports a shop in euros', async () => {
  await registerInApp(page, service.url, email)
  const { body } = await apiOf(service.url)('POST', '/api/auth/login/', { body: { email, password } })
  token = body.token
  for (const [shop, name, listings] of [
    ['eBay', 'antik_anja', 8],
    ['Etsy', 'AntikAnjaShop', 5],
  ] as const) {
    await connectInApp(page, service.url, shop, name)
    await call('POST', `/api/v1/marketplace/${shop.toLowerCase()}/import/`)
    await expect
      .poll(async () => (await call('GET', '/api/v1/marketplace/import/jobs/'))[0], { interval: 500 })
      .toMatchObject({ status: 'completed', total_listings_found: listings })
  }
  await call('PUT', '/api/v1/user/address/', {
    ...{ full_name: 'Anja Antik', line1: 'Torstraße 1', city: 'Berlin', postal_code: '10115', country: 'DE' },
  })
  await page.goto(`${service.url}/app/#home`)
  await says('5 listings need review From Etsy')
  await check('home')
  await page.goto(`${service.url}/app/#inventory`)
  await says('1.234,50 €')
  await says('54,50 €')
  await check('inventory')
})

it('shows an item in the words of the site', async () => {
  const { results } = await call('GET', `/api/v1/inventory/?q=${encodeURIComponent(title)}`)
  uid = results[0].uid
  await page.goto(`${service.url}/app/#item/${uid}`)
  await page.waitForSelector(`h1::-p-text(${title})`)
  for (const words of ['54,50 €', 'Gabor', '38', 'Schwarz', 'Neu ohne Etikett']) await says(words)
  await check('item')
})

it('reads a decimal comma, and asks about an unclear price', async () => {
  await page.goto(`${service.url}/app/#item/${uid}/edit`)
  await page.waitForSelector('#form-price')
  expect(await page.$eval('#form-price', (input) => (input as HTMLInputElement).value)).toBe('54,50')
  await write('#form-price', '1.500')
  await press('Save')
  await page.waitForSelector('#form-price-wrong')
  await says('Enter an amount such as 12,50.')
  await check('asked')
  await write('#form-price', '1.249,90')
  await says('Buyers pay 1.249,90 €.')
  await write('#form-cost', '12,5')
  await press('Save')
  await page.waitForSelector(`h1::-p-text(${title})`)
  await says('Price: 54,50 € → 1.249,90 €')
  expect((await call('GET', `/api/v1/inventory/${uid}/`)).record.offer).toEqual(
    expect.objectContaining({ price_minor: 124_990, currency: 'EUR' }),
  )
  const { listings } = await call('GET', `/api/v1/inventory/${uid}/`)
  await expect
    .poll(async () => (await fetch(listings[0].url)).text(), { interval: 500 })
    .toMatch(/1249\.9\d? EUR, Active/)
})

it('changes prices by percent and by amount', async () => {
  await page.goto(`${service.url}/app/#inventory`)
  await says('1.249,90 €')
  await page.locator(`input[type=checkbox][aria-label*="${title}"]`).click()
  await press('Change price…')
  await page.waitForSelector('dialog select')
  await page.select('dialog select', 'amount')
  await page.type('dialog input', '-0,500')
  await says('Enter an amount such as 2,50.')
  await page.$eval('dialog input', (input) => (input as HTMLInputElement).select())
  await page.type('dialog input', '-50,5')
  await says('1.199,40 €')
  await check('prices')
  await page.keyboard.press('Escape')
  await page.goto(`${service.url}/app/#choices`)
  await page.locator('input[aria-label="Percent, eBay"]').fill('12,5')
  await says('50,00 € → 56,25 €')
  await check('rules')
})

it('prefills an Etsy listing in euros, with its fee in US dollars', async () => {
  const only = (await call('GET', '/api/v1/inventory/?q=Strickpullover')).results[0]
  await page.goto(`${service.url}/app/#item/${only.uid}/list`)
  await page.waitForSelector('dialog[open]')
  await page.locator('button[aria-label="Edit details for Etsy"]').click()
  await says('Price on Etsy in EUR')
  await says('Etsy charges 0,20 $ for four months')
  await says('List it for 45,00 €')
  await check('list')
  await page.keyboard.press('Escape')
})

it('shows a sale in euros, and no fee of another country', async () => {
  const onEbay = async () =>
    (await call('GET', `/api/v1/inventory/${uid}/`)).listings.find(
      (one: { platform: string }) => one.platform === 'ebay',
    )
  // The new price is on its way.
  await expect.poll(onEbay).toMatchObject({ price_minor: 124_990 })
  const { listing_id } = await onEbay()
  await fetch(`${service.config.EBAY_API_URL}/itm/${listing_id}/buy`, { method: 'POST' })
  await page.goto(`${service.url}/app/#home`)
  await says('Sold on eBay for 1.249,90 €')
  await page.goto(`${service.url}/app/#sales`)
  await says('Not known here')
  await check('sales')
})
