import type { Page } from 'puppeteer'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { apiOf, bearer } from '#server/testing/api.ts'
import { expectAccessible } from './accessibility.ts'
import { openBrowser, type TestBrowser } from './browser.ts'
import { type Service, startService } from './service.ts'

/** A seller without a trial, from the extension's link over Stripe's pages to listing again. */

let service: Service
let chromium: TestBrowser
beforeAll(async () => {
  service = await startService({ TRIAL_DAYS: '0' })
  chromium = await openBrowser()
})
afterAll(async () => {
  await chromium?.close()
  await service?.close()
})

const heading = (page: Page) => page.$eval('h1', (one) => one.textContent)
const isWide = (page: Page) => page.evaluate('document.documentElement.scrollWidth > innerWidth')
const press = (page: Page, button: string) => Promise.all([page.waitForNavigation(), page.click(button)])

/** Expects a page of the session to be accessible on a small screen. */
async function expectFitting(url: string): Promise<void> {
  const page = await chromium.newPage()
  await page.setBypassCSP(true)
  await page.setViewport({ width: 320, height: 640 })
  await page.goto(url)
  await expectAccessible(page)
  await page.close()
}

it('subscribes and cancels by forms alone', async () => {
  const api = apiOf(service.url)
  const seller = { email: 'vera.with-a-very-long-name-of-a-shop.and-more@example.com', password: 'a Right password 7' }
  const { body } = await api('POST', '/api/auth/register/email/', {
    body: { ...seller, password_confirm: seller.password },
  })
  const isActive = async () =>
    (await api('GET', '/api/v1/user/subscription/', { headers: bearer(body.token) })).body.active
  const page = await chromium.newPage()
  await page.setJavaScriptEnabled(false)
  await page.setViewport({ width: 320, height: 640 })
  const subscription = `${service.url}/connect/subscription/`
  await page.goto(subscription)
  await page.type('#email', seller.email)
  await page.type('#password', seller.password)
  await press(page, 'main button')
  expect([page.url(), await heading(page)]).toEqual([subscription, 'Your subscription'])
  expect(await page.$eval('main', (one) => one.textContent)).toContain('Your trial ended')
  await expectFitting(subscription)

  await page.click('form[action$="/checkout/"] button')
  await page.waitForSelector('form[action$="/pay"]')
  expect(await isActive()).toBe(false)
  // Another host name is another site, as Stripe's is: its redirect does not send the session cookie.
  await page.goto(page.url().replace('127.0.0.1', 'localhost'))
  await press(page, 'form[action$="/refuse"] button')
  expect(await page.$eval('[role=alert]', (one) => one.textContent)).toContain('Nothing was paid')
  await page.click('form[action$="/pay"] button')
  await page.waitForSelector('main .good')
  expect([new URL(page.url()).origin, await heading(page)]).toEqual([service.url, 'Your subscription'])
  expect(await isActive()).toBe(true)
  await expectFitting(subscription)

  await page.click('form[action$="/portal/"] button')
  await page.waitForSelector('form[action$="/cancel"]')
  await press(page, 'form[action$="/cancel"] button')
  await page.click(`a[href^="${service.url}"]`)
  await page.waitForSelector('form[action$="/portal/"]')
  const says = async () => {
    await page.reload()
    return page.$eval('main', (one) => one.textContent)
  }
  await expect.poll(says).toContain('It was cancelled, and ends then')
  expect(await isWide(page)).toBe(false)
  expect(chromium.errors).toEqual([])
})
