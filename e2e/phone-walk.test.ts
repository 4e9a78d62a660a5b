import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ElementHandle, Page } from 'puppeteer'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { apiOf, bearer } from '#e2e/harness/api.ts'
import type { Change } from '#shared/contract/catalog/changes.ts'
import { expectAccessible } from './accessibility.ts'
import { openBrowser, type TestBrowser } from './browser.ts'
import { press } from './press.ts'
import { type Service, startService } from './service.ts'
import { connectInApp, password, registerInApp } from './web-seller.ts'

/**
 * A new seller's first day without the extension, on a phone: from the account to a sale and an undo, on the whole
 * service. The steps build on one another.
 */
const seller = { email: 'walks@example.com', password }
const title = 'Amber wool coat'

let service: Service
let chromium: TestBrowser
let page: Page
let token: string
let item: string
/** How many look-alikes were linked. */
let linked = 0
const call = (method: string, path: string, body?: unknown) =>
  apiOf(service.url)(method, path, { headers: bearer(token), body })
const pressNamed = (name: string) =>
  press(page, `::-p-xpath(//*[self::button or self::a][normalize-space()="${name}"])`)

const listings = async () => (await call('GET', `/api/v1/inventory/${item}/`)).body.listings

beforeAll(async () => {
  service = await startService({}, { shops: 'dozens' })
  chromium = await openBrowser()
  page = await chromium.newPage()
  await page.setBypassCSP(true)
  await page.setViewport({ width: 390, height: 844, isMobile: true, hasTouch: true })
})
afterAll(async () => {
  await chromium?.close()
  await service?.close()
})

/** Fails on violations of accessibility rules and on a page that scrolls sideways; takes a picture if SCREENSHOTS is set. */
async function check(name: string): Promise<void> {
  await expectAccessible(page)
  if (!process.env.SCREENSHOTS) return
  await mkdir(process.env.SCREENSHOTS, { recursive: true })
  await page.screenshot({ path: `${process.env.SCREENSHOTS}/walk-${name}.png` })
}

/** Collects each place of a button from now on, as pixels from the top. */
const topsOf = (name: string) =>
  page.evaluateHandle((name) => {
    const tops = new Set<number>()
    const look = () => {
      const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === name)
      if (button) tops.add(Math.round(button.getBoundingClientRect().top))
    }
    new MutationObserver(look).observe(document, { childList: true, subtree: true, attributes: true })
    return tops
  }, name)

it('creates an account', async () => {
  await registerInApp(page, service.url, seller.email)
  await page.locator('button[aria-label="Connect, eBay"]').wait()
  await check('start')
  token = (await apiOf(service.url)('POST', '/api/auth/login/', { body: seller })).body.token
})

it.each([
  ['eBay', 99],
  ['Etsy', 59],
] as const)('connects and imports a shop: %s', async (shop, listings) => {
  await connectInApp(page, service.url, shop)
  await check(`connected-${shop}`)
  await press(page, `button[aria-label="Import, ${shop}"]`)
  await page.waitForSelector(`button[aria-label="Importing…, ${shop}"]`)
  const importOf = async () => {
    const { body } = await call('GET', '/api/v1/marketplace/import/jobs/')
    return Array.isArray(body) ? body[0] : {}
  }
  await expect
    .poll(importOf, { interval: 1_000 })
    .toMatchObject({ status: 'completed', total_listings_found: listings })
  await page.waitForSelector(`::-p-xpath(//li[contains(., "${shop}") and contains(., " added")])`)
  await page.waitForSelector(`button[aria-label="Import, ${shop}"]`)
  await check(`imported-${shop}`)
  await press(page, 'nav a[href="#home"]')
  await page.waitForSelector('.dots')
  await check(`home-${shop}`)
})

it('links all certain matches', async () => {
  // Photos move matches between groups until all are compared.
  const comparing = async () => (await call('GET', '/api/v1/marketplace/import/conflicts/')).body.comparing ?? 0
  await expect.poll(comparing, { interval: 1_000 }).toBe(0)
  await page.goto(`${service.url}/app/#decisions`)
  await press(page, 'button::-p-text(Link all)')
  // The toast may be gone before a busy machine looks at it.
  const changes = async (): Promise<Change[]> => (await call('GET', '/api/v1/changes/')).body.results
  const links = async () => (await changes()).find(({ kind }) => kind === 'link')?.count ?? 0
  // All at once, or one after the other.
  const isAtRest = async () => {
    const before = linked
    linked = await links()
    return linked > 0 && linked === before
  }
  await expect.poll(isAtRest, { interval: 2_000 }).toBe(true)
  await check('linked')
})

it('adds an item with a photo', async () => {
  const photo = join(await mkdtemp(join(tmpdir(), 'hapax-walk-')), 'coat.jpg')
  await writeFile(
    photo,
    await sharp({ create: { width: 1_200, height: 900, channels: 3, background: '#a5632a' } })
      .jpeg()
      .toBuffer(),
  )
  await page.goto(`${service.url}/app/#new`)
  await page.waitForSelector('#form-title')
  await page.type('#form-title', title)
  await page.type('#form-condition', 'Good')
  await page.type('#form-price', '85')
  await ((await page.$('#photo-files')) as ElementHandle<HTMLInputElement>).uploadFile(photo)
  await page.waitForSelector('.photos li')
  await check('new-item')
  const tops = await topsOf('List on…')
  await pressNamed('Save')
  await page.waitForSelector(`h1::-p-text(${title})`)
  // The table has it.
  await page.waitForSelector('.steps ::-p-text(1 of)')
  // A press right after the first picture reaches the button.
  expect(await tops.evaluate((seen) => [...seen])).toHaveLength(1)
  item = new URL(page.url()).hash.slice('#item/'.length)
  await check('item')
})

it('lists it on eBay by its form, and on Etsy', async () => {
  const address = {
    full_name: 'Vera Example',
    line1: '1 Main St',
    city: 'Portland',
    region: 'ME',
    postal_code: '04101',
  }
  await call('PUT', '/api/v1/user/address/', { ...address, country: 'US' })
  await call('PUT', '/api/v1/user/settings/', { price_rules: { ebay: { basis_points: 800, rounding: '99' } } })
  await pressNamed('List on…')
  await press(page, 'button[aria-label="Edit details for eBay"]')
  // The condition follows from the item's.
  await page.waitForFunction(() =>
    [...document.querySelectorAll('dialog select')].some(
      (select) => (select as HTMLSelectElement).selectedOptions[0]?.text === 'Pre-owned - Good',
    ),
  )
  for (const [field, value] of Object.entries({ Brand: 'Marlowe', Size: 'M', Color: 'Brown' })) {
    await page.type(`::-p-xpath(//dialog//label[normalize-space()="${field}"]/following::input[1])`, value)
  }
  await check('list')
  await page.waitForSelector('dialog ::-p-text(By your rule for eBay, from $85.00.)')
  const sent = page.waitForRequest((request) => request.url().endsWith('/platforms/ebay/list/'))
  await pressNamed('List it for $91.99')
  // The server applies the rule itself.
  expect(JSON.parse((await sent).postData() ?? '')).not.toHaveProperty('price')
  await page.waitForSelector('dialog ::-p-text(Listed on eBay.)')
  await check('listed')
  await page.keyboard.press('Escape')
  const options = { taxonomy_id: '1', who_made: 'someone_else', when_made: '1970s' }
  await call('POST', `/api/v1/inventory/${item}/platforms/etsy/list/`, {
    price: '85.00',
    options,
  })
  await expect.poll(listings, { interval: 1_000 }).toMatchObject([{ state: 'available' }, { state: 'available' }])
})

it('sends an edit to the live listings', async () => {
  const edited = `${title}, belted`
  await page.goto(`${service.url}/app/#item/${item}/edit`)
  await page.waitForSelector('legend::-p-text(Update live listings)')
  await page.focus('#form-title')
  await page.keyboard.press('End')
  await page.keyboard.type(', belted')
  await check('edit')
  await pressNamed('Save')
  await page.waitForSelector(`h1::-p-text(${edited})`)
  for (const { url } of await listings()) {
    await expect.poll(async () => (await fetch(url)).text(), { interval: 1_000 }).toContain(edited)
  }
  await page.waitForFunction(() => !document.body.innerText.includes('Updating '))
  await check('edited')
})

it('names the sale and where the item was ended', async () => {
  const ebay = (await listings()).find(({ platform }: { platform: string }) => platform === 'ebay')
  const bought = await fetch(`${service.config.EBAY_API_URL}/itm/${ebay.listing_id}/buy`, {
    method: 'POST',
    body: new URLSearchParams(),
  })
  expect(bought.status).toBeLessThan(400)
  await page.goto(`${service.url}/app/#home`)
  await page.waitForSelector('::-p-text(Sold on eBay for $91.99)')
  await page.waitForSelector('::-p-text(Ended on Etsy)')
  await check('sold')
  await page.goto(`${service.url}/app/#sales`)
  await page.waitForSelector('::-p-text(By item)')
  await check('sales')
  await page.goto(`${service.url}/app/#item/${item}`)
  await page.waitForSelector(`h1::-p-text(${title})`)
  await check('sold-item')
})

it('undoes the links of the same day', async () => {
  await page.goto(`${service.url}/app/#changes`)
  await press(page, '::-p-xpath(//li[contains(., "listings linked")]//button)')
  await press(page, `dialog button::-p-text(Undo all ${linked})`)
  await page.waitForSelector('::-p-text(Undone)')
  expect(await page.$(`.toast ::-p-text(${linked} listings linked)`)).toBeNull()
  await check('undone')
})
