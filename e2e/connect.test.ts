import { afterAll, beforeAll, expect, it } from 'vitest'
import { apiOf, bearer } from '#e2e/harness/api.ts'
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

it('connects eBay and Etsy from the link of the extension by forms alone', async () => {
  const page = await chromium.newPage()
  await page.setJavaScriptEnabled(false)
  for (const slug of ['ebay', 'etsy']) {
    await page.goto(`${service.url}/connect/?to=${slug}`)
    const platform = service.pages.find(({ name }) => name.toLowerCase().includes(slug))!
    if (slug === 'ebay') {
      await page.type('#email', seller.email)
      await page.type('#password', seller.password)
      await page.click('main button')
    }
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
  expect(chromium.errors).toEqual([])
})
