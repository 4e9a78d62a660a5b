import type { Page } from 'puppeteer'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { apiOf, bearer } from '#e2e/harness/api.ts'
import { expectAccessible } from './accessibility.ts'
import { openBrowser, type TestBrowser } from './browser.ts'
import { type Service, startService } from './service.ts'
import { signUpInApp } from './web-seller.ts'

const email = 'prices@example.com'
let service: Service
let chromium: TestBrowser
let page: Page
let token: string
beforeAll(async () => {
  service = await startService()
  chromium = await openBrowser()
  page = await chromium.newPage()
  await page.setBypassCSP(true)
  await page.setViewport({ width: 390, height: 844, isMobile: true, hasTouch: true })
  token = await signUpInApp(page, service.url, email)
  for (const [title, price_minor] of [
    ['Green wool coat', 8_500],
    ['Silk scarf', 2_000],
  ] as const) {
    await apiOf(service.url)('POST', '/api/v1/inventory/', {
      headers: bearer(token),
      body: {
        title,
        images: ['https://pictures.example.com/coat.jpg'],
        condition: { label: 'Used', notes: '' },
        offer: { price_minor, currency: 'USD' },
      },
    })
  }
})
afterAll(async () => {
  await chromium?.close()
  await service?.close()
})

const press = (name: string) =>
  page.locator(`::-p-xpath(//*[self::button or self::a][normalize-space()="${name}"])`).click()

async function prices(): Promise<number[]> {
  const { body } = await apiOf(service.url)('GET', '/api/v1/inventory/', { headers: bearer(token) })
  return body.results
    .map((item: { record: { offer: { price_minor: number } } }) => item.record.offer.price_minor)
    .sort()
}

it('changes the prices of the selected items, and undoes it', async () => {
  await page.goto(`${service.url}/app/#inventory`)
  await page.locator('main:not([hidden]) ::-p-text(Silk scarf)').wait()
  await page.locator('input[aria-label="Select all shown"]').click()
  await press('Change price…')
  await page.waitForSelector('dialog form input')
  await page.type('dialog form input', '-20')
  await page.select('dialog select:has(option[value="99"])', '99')
  const cells = () =>
    page.$$eval('dialog tbody tr', (rows) =>
      rows.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent)),
    )
  await expect.poll(cells).toEqual(
    expect.arrayContaining([
      ['$85.00', '$67.99'],
      ['$20.00', '$15.99'],
    ]),
  )
  await expectAccessible(page)
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/change-prices.png` })
  await press('Change 2 prices')
  await page.locator('.toast ::-p-text(2 prices changed)').wait()
  expect(await prices()).toEqual([1_599, 6_799])
  await page.locator('.lines ::-p-text($67.99)').wait()
  await page.locator('.toast .link').click()
  await expect.poll(prices, { interval: 1_000 }).toEqual([2_000, 8_500])
})

it('sets how the prices of a platform follow', async () => {
  await page.goto(`${service.url}/app/#choices`)
  await page.locator('input[aria-label="Percent, eBay"]').fill('8')
  await page.select('select[aria-label="Rounding, eBay"]', '99')
  await page.locator('.rules ::-p-text($50.00 → $53.99)').wait()
  await page.locator('input[aria-label="Percent, Depop"]').fill('cheap')
  await page.locator('.rules ::-p-text(Enter a percent)').wait()
  await page.locator('input[aria-label="Percent, Depop"]').fill('-5')
  await expectAccessible(page)
  if (process.env.SCREENSHOTS)
    await page.screenshot({ path: `${process.env.SCREENSHOTS}/price-rules.png`, fullPage: true })
  await press('Save prices')
  await page.locator('form [role=status]::-p-text(Saved.)').wait()
  const { body } = await apiOf(service.url)('GET', '/api/v1/user/settings/', { headers: bearer(token) })
  expect(body.price_rules).toEqual({
    ebay: { basis_points: 800, rounding: '99' },
    depop: { basis_points: -500, rounding: 'none' },
  })
  await page.reload()
  await page.locator('.rules ::-p-text($50.00 → $47.50)').wait()
})
