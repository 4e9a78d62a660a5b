import { afterAll, beforeAll, expect, it } from 'vitest'
import { apiOf, bearer } from '#server/testing/api.ts'
import { openBrowser, type TestBrowser } from './browser.ts'
import { type Service, startService } from './service.ts'

let service: Service
let chromium: TestBrowser
const seller = { email: 'vera@example.com', password: 'a Right password 7' }
let token = ''

beforeAll(async () => {
  service = await startService()
  chromium = await openBrowser()
  const { body } = await apiOf(service.url)('POST', '/api/auth/register/email/', {
    body: { ...seller, password_confirm: seller.password },
  })
  token = body.token
})
afterAll(async () => {
  await chromium?.close()
  await service?.close()
})

it('connects eBay and Etsy from /connect/ by forms alone', async () => {
  const page = await chromium.newPage()
  await page.setJavaScriptEnabled(false)
  await page.goto(`${service.url}/connect/`)
  await page.type('#email', seller.email)
  await page.type('#password', seller.password)
  await Promise.all([page.waitForNavigation(), page.click('main button')])
  expect(await page.$eval('h1', (heading) => heading.textContent)).toBe('Connect a shop')

  for (const slug of ['ebay', 'etsy']) {
    await page.goto(`${service.url}/connect/`)
    const platform = service.pages.find(({ name }) => name.toLowerCase().includes(slug))!
    await page.click(`form[action="/connect/${slug}/"] button`)
    await page.waitForSelector(`form[action^="${slug === 'ebay' ? '/oauth2/authorize' : '/oauth/connect'}"]`)
    expect(page.url().startsWith(new URL(platform.url).origin)).toBe(true)
    await page.click('input[type="radio"]')
    await Promise.all([page.waitForNavigation(), page.click('button[value="agree"]')])
    expect(new URL(page.url()).pathname).toBe(`/accounts/${slug}/login/callback/`)
    expect(await page.$eval('h1', (heading) => heading.textContent)).toMatch(/ is connected$/)
  }

  const { body } = await apiOf(service.url)('GET', '/api/v1/seller-accounts/', { headers: bearer(token) })
  expect(body.map((shop: { platform: string; status: string }) => [shop.platform, shop.status])).toEqual([
    ['etsy', 'connected'],
    ['ebay', 'connected'],
  ])
  await page.goto(`${service.url}/connect/`)
  expect(await page.$$eval('main li .good', (marks) => marks.length)).toBe(2)
  expect(chromium.errors).toEqual([])
})
