import type { Page } from 'puppeteer'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { apiOf, bearer } from '#e2e/harness/api.ts'
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

const isWide = (page: Page) => page.evaluate('document.documentElement.scrollWidth > innerWidth')
const button = (page: Page, label: string) => page.locator(`::-p-xpath(//main//button[normalize-space()="${label}"])`)
const says = (page: Page, words: string) => page.locator(`main ::-p-text(${words})`).wait()

async function look(page: Page, name: string): Promise<void> {
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}.png`, fullPage: true })
  await expectAccessible(page)
}

it('subscribes and cancels on the pages of Stripe', async () => {
  const api = apiOf(service.url)
  const seller = { email: 'vera.with-a-very-long-name-of-a-shop.and-more@example.com', password: 'a Right password 7' }
  const { body } = await api('POST', '/api/auth/register/email/', {
    body: { ...seller, password_confirm: seller.password },
  })
  const isActive = async () =>
    (await api('GET', '/api/v1/user/subscription/', { headers: bearer(body.token) })).body.active
  const page = await chromium.newPage()
  await page.setBypassCSP(true)
  await page.setViewport({ width: 320, height: 640 })
  // The address that mails and the extension of an earlier version lead to.
  await page.goto(`${service.url}/connect/subscription/`)
  await page.waitForSelector('form[action="/connect/?to=subscription"]')
  await page.type('#email', seller.email)
  await page.type('#password', seller.password)
  await page.click('main button')
  await says(page, 'Your trial ended')
  expect(page.url()).toBe(`${service.url}/app/#account/subscription`)
  await look(page, 'subscription-ended')

  await button(page, 'Subscribe').click()
  await page.waitForSelector('form[action$="/pay"]')
  expect(await isActive()).toBe(false)
  // Another host name is another site, as Stripe's is: its redirect does not send the session cookie.
  await page.goto(page.url().replace('127.0.0.1', 'localhost'))
  await Promise.all([page.waitForNavigation(), page.click('form[action$="/refuse"] button')])
  expect(await page.$eval('[role=alert]', (one) => one.textContent)).toContain('Nothing was paid')
  await page.click('form[action$="/pay"] button')
  await says(page, 'Active until')
  expect(page.url()).toBe(`${service.url}/app/#account/subscription/paid`)
  expect(await isActive()).toBe(true)
  await look(page, 'subscription-active')

  await button(page, 'Change the card or cancel').click()
  await page.waitForSelector('form[action$="/cancel"]')
  await Promise.all([page.waitForNavigation(), page.click('form[action$="/cancel"] button')])
  await page.click(`a[href^="${service.url}"]`)
  await button(page, 'Change the card or cancel').wait()
  const words = async () => {
    await page.reload()
    await button(page, 'Change the card or cancel').wait()
    return page.$eval('main:not([hidden])', (one) => one.textContent)
  }
  await expect.poll(words, { interval: 1_000 }).toContain('It was canceled, and ends then')
  expect(await isWide(page)).toBe(false)
  expect(chromium.errors).toEqual([])
})
