import type { Page } from 'puppeteer'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { apiOf, bearer } from '#e2e/harness/api.ts'
import { until } from '#e2e/harness/until.ts'
import { insertShop } from '#server/selling/listings/testing/build-item.ts'
import type { Conflict } from '#shared/contract/catalog/imports.ts'
import { expectAccessibleInBoth } from './accessibility.ts'
import { openBrowser, type TestBrowser } from './browser.ts'
import { type Service, startService } from './service.ts'
import { connectShop, signUpInApp } from './web-seller.ts'

const email = 'checks@example.com'
let service: Service
let chromium: TestBrowser
let page: Page
let token: string
let sold: string
const call = (method: string, path: string, body?: unknown) =>
  apiOf(service.url)(method, path, { headers: bearer(token), body })

beforeAll(async () => {
  service = await startService()
  chromium = await openBrowser()
  page = await chromium.newPage()
  await page.setBypassCSP(true)
  token = await signUpInApp(page, service.url, email)
  await connectShop(service.url, token, 'ebay')
  const { body } = await call('POST', '/api/v1/marketplace/ebay/import/')
  await until(
    () => call('GET', `/api/v1/marketplace/import/jobs/${body.id}/`),
    (job) => job.body.status === 'completed',
  )
  // A listing that an import asks about is no finding before the answer.
  const { body: asked } = await call('GET', '/api/v1/marketplace/import/conflicts/?page_size=100')
  const items = asked.results.map((one: Conflict) => ({ job_uid: one.job_uid, item_uid: one.item.id }))
  await call('POST', '/api/v1/marketplace/import/conflicts/resolve/', { resolution: 'link_existing', items })
  await plant()
})
afterAll(async () => {
  await chromium?.close()
  await service?.close()
})

/** Lists some items on other marketplaces, below a price rule, and twice, and sells one. */
async function plant(): Promise<void> {
  const { db } = service.services
  const items = await db.any(
    `select item.user_id, item.uid, item.price_minor, item.currency, item.images
     from channel_listing listing
     join inventory_item item on item.user_id = listing.user_id and item.uid = listing.item_uid
     where listing.state = 'available' and item.state = 'available' order by item.uid limit 4`,
  )
  const { user_id } = items[0]
  const shops = { depop: await insertShop(db, user_id, 'depop'), etsy: await insertShop(db, user_id, 'etsy') }
  const list = async (
    n: number,
    platform: 'depop' | 'etsy',
    given: { cents?: number; extra?: boolean; id?: string } = {},
  ) => {
    const listing_id = given.id ?? `${platform}-${n}`
    await db.none(
      `insert into channel_listing (user_id, seller_account_uid, listing_id, item_uid, platform, url, state, extra,
         price_minor, currency, observed_at)
       values ($[user_id], $[shop], $[listing_id], $[uid], $[platform], 'https://www.depop.com/products/1', 'available',
         $[extra], $[price], $[currency], now())`,
      {
        ...items[n],
        shop: shops[platform],
        platform,
        listing_id,
        extra: false,
        ...given,
        price: items[n].price_minor + (given.cents ?? 0),
      },
    )
    return listing_id
  }
  await list(0, 'depop')
  await list(1, 'depop', { cents: 500 })
  await list(2, 'depop', { extra: false })
  await list(2, 'depop', { extra: true, id: 'again' })
  await list(3, 'etsy', { cents: -500 })
  await call('PUT', '/api/v1/user/settings/', { price_rules: { etsy: { basis_points: 0, rounding: 'none' } } })
  sold = items[0].uid
  await call('POST', `/api/v1/inventory/${sold}/mark-sold/`, {})
  await db.none(
    "update seller_account set last_seen_at = now() - interval '5 days', connected_at = now() - interval '9 days' where uid = $1",
    [shops.depop],
  )
  await call('POST', '/api/v1/checks/run/')
}

const twice = async () => (await call('GET', '/api/v1/checks/?kind=listed_twice')).body.count
const check = (name: string) => expectAccessibleInBoth(page, name)

it.each([
  ['phone', { width: 390, height: 844, isMobile: true }],
  ['desk', { width: 1280, height: 800 }],
] as const)('shows what is not as it should be on a %s', async (name, viewport) => {
  await page.setViewport(viewport)
  await page.goto(`${service.url}/app/#home`)
  await page.reload()
  // Most of them are the sandbox's own.
  const findings = `${await twice()} items live twice · 1 shop not read for days · 1 price below its rule`
  await page.locator(`section[aria-labelledby=needs-you] ::-p-text(${findings})`).wait()
  await check(`checks-home-${name}`)
  await page.locator('a[href="#checks"]').click()
  await page.waitForSelector('.check')
  const headings = await page.$$eval('main.checks h2', (all) => all.map((one) => one.firstChild?.textContent))
  expect(headings).toEqual([
    'Sold and still live',
    'Listed twice on one marketplace',
    'Shops not read for days',
    'Below your price rules',
  ])
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBeLessThanOrEqual(viewport.width)
  await check(`checks-${name}`)
  await page.goto(`${service.url}/app/#item/${sold}`)
  await page.waitForSelector('section[aria-labelledby=history] ::-p-text(by you)')
  await page.waitForSelector('section[aria-labelledby=history] ::-p-text(Waits for you on Depop)')
  await page.$eval('section[aria-labelledby=history]', (part) => part.scrollIntoView())
  await check(`checks-history-${name}`)
  await page.goto(`${service.url}/app/#shops`)
  await page.waitForSelector('::-p-text(Needs your browser open)')
  await check(`checks-shops-${name}`)
  await page.goto(`${service.url}/status`)
  await page.waitForSelector('th ::-p-text(Marketplace)')
  await check(`checks-status-${name}`)
})

it('ends a second listing on eBay by one press', async () => {
  const before = await twice()
  await page.setViewport({ width: 1280, height: 800 })
  await page.goto(`${service.url}/app/#checks`)
  await page.locator('button[aria-label^="End the other listing"]').click()
  await page.waitForSelector('.toast ::-p-text(Hapax is on it)')
  await until(twice, (count) => count === before - 1)
  await page.locator('button[aria-label^="Leave as it is"]').click()
  await page.waitForSelector('.toast ::-p-text(Left as it is)')
})
