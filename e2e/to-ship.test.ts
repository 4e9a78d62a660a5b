import type { Page } from 'puppeteer'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { apiOf, bearer } from '#e2e/harness/api.ts'
import { until } from '#e2e/harness/until.ts'
import { expectAccessibleInBoth } from './accessibility.ts'
import { openBrowser, type TestBrowser } from './browser.ts'
import { type Service, startService } from './service.ts'
import { connectShop, signUpInApp } from './web-seller.ts'

const email = 'parcels@example.com'
let service: Service
let chromium: TestBrowser
let page: Page
let token: string
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
  const live = await service.services.db.any<{ listing_id: string; uid: string }>(
    `select listing.listing_id, item.uid from channel_listing listing
     join inventory_item item on item.user_id = listing.user_id and item.uid = listing.item_uid
     where listing.state = 'available' and item.state = 'available' order by item.uid limit 3`,
  )
  for (const [n, { listing_id, uid }] of live.entries()) {
    await call('PATCH', `/api/v1/inventory/${uid}/`, { attributes: { storage_location: `Shelf ${3 - n}` } })
    await fetch(`${service.config.EBAY_API_URL}/itm/${listing_id}/buy`, { method: 'POST' })
  }
  await until(
    () => call('GET', '/api/v1/shipments/totals/'),
    ({ body: totals }) => totals.to_ship === 3,
  )
  await service.services.db.none(
    `update shipment set ship_by = now() - interval '1 day', buyer_note = 'It is a present: no invoice, please.'
     where order_uid = (select min(order_uid) from shipment)`,
  )
})
afterAll(async () => {
  await chromium?.close()
  await service?.close()
})

const check = (name: string) => expectAccessibleInBoth(page, name)

it('leads a parcel from the first screen to eBay', async () => {
  await page.setViewport({ width: 390, height: 844, isMobile: true })
  await page.goto(`${service.url}/app/#home`)
  await page.reload()
  await page.locator('::-p-text(3 orders to ship)').wait()
  await page.locator('.bad ::-p-text(1 is late)').wait()
  await check('to-ship-home')
  await page.locator('section[aria-label="To ship"] a').click()
  await page.waitForSelector('.parcel')
  await check('to-ship-phone')
  await page.setViewport({ width: 1280, height: 800 })
  await page.locator('.parcel button.ship').click()
  await page.waitForSelector('.tracking input:focus')
  await page.keyboard.type('9400 1118 9922 3344 5566 77')
  await check('to-ship-form')
  await page.keyboard.press('Enter')
  await page.waitForSelector('.parcel:first-child ::-p-text(Undo)')
  expect(await page.evaluate(() => document.activeElement?.className)).toBe('ship')
  await check('to-ship-told')
  await until(async () => {
    // The next reading of the orders may be minutes away.
    await service.services.db.none('update order_sync set next_read_at = now()')
    return (await page.$('.parcel:first-child ::-p-text(eBay shows it as shipped)')) !== null
  })
  await check('to-ship-shown')
})

it('prints black on white, whatever the screen is', async () => {
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }])
  for (const sheet of ['pick', 'slips']) {
    await page.goto(`${service.url}/app/#to-ship/${sheet}`)
    await page.waitForSelector('.sheet')
    await check(`to-ship-${sheet}`)
    await page.emulateMediaType('print')
    const colors = await page.$eval('.sheet', (one) => [
      getComputedStyle(one).color,
      getComputedStyle(one).backgroundColor,
    ])
    expect(colors).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)'])
    expect(await page.$$eval('.top, .bar', (all) => all.every((one) => getComputedStyle(one).display === 'none'))).toBe(
      true,
    )
    for (const format of ['a4', 'letter'] as const) {
      const pdf = await page.pdf({
        format,
        ...(process.env.SCREENSHOTS && { path: `${process.env.SCREENSHOTS}/${sheet}-${format}.pdf` }),
      })
      const pages = Buffer.from(pdf)
        .toString('latin1')
        .match(/\/Type \/Page\b/g)?.length
      // A slip of its own page for each of the two orders that are left.
      expect(pages).toBe(sheet === 'slips' ? 2 : 1)
    }
    await page.emulateMediaType('screen')
  }
})
