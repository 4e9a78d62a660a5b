import type { Page } from 'puppeteer'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { apiOf, bearer } from '#e2e/harness/api.ts'
import { until } from '#e2e/harness/until.ts'
import { newId } from '#shared/identity.ts'
import { expectAccessibleInBoth } from './accessibility.ts'
import { openBrowser, type TestBrowser } from './browser.ts'
import { type Service, startService } from './service.ts'
import { connectShop, signUpInApp } from './web-seller.ts'

const email = 'differs@example.com'
let service: Service
let chromium: TestBrowser
let page: Page
let token: string
let item: string
const call = (method: string, path: string, body?: unknown) =>
  apiOf(service.url)(method, path, { headers: bearer(token), body })
const open = async () => (await call('GET', '/api/v1/differences/')).body

beforeAll(async () => {
  service = await startService()
  chromium = await openBrowser()
  page = await chromium.newPage()
  await page.setBypassCSP(true)
  token = await signUpInApp(page, service.url, email)
  await connectShop(service.url, token, 'ebay')
  await importAgain()
  await differ()
})
afterAll(async () => {
  await chromium?.close()
  await service?.close()
})

async function importAgain(): Promise<void> {
  const { body } = await call('POST', '/api/v1/marketplace/ebay/import/')
  await until(
    () => call('GET', `/api/v1/marketplace/import/jobs/${body.id}/`),
    (job) => job.body.status === 'completed',
  )
}

/** Notes what two listings show otherwise, as a reading would. */
async function differ(): Promise<void> {
  const listings = await service.services.db.any(
    `select item.user_id, item.uid, item.title, item.images, listing.seller_account_uid, listing.listing_id
     from channel_listing listing
     join inventory_item item on item.user_id = listing.user_id and item.uid = listing.item_uid
     where listing.state = 'available' order by item.uid limit 2`,
  )
  item = listings[0].uid
  const theirs = [
    [0, 'title', `${listings[0].title}, restored`],
    [0, 'price', { price_minor: 9_900, currency: 'USD' }],
    [1, 'description', 'Only on eBay.'],
    [1, 'photos', listings[1].images.slice(0, 1)],
  ] as const
  for (const [n, field, value] of theirs) {
    await service.services.db.none(
      `insert into listing_difference (user_id, uid, seller_account_uid, listing_id, field, theirs, theirs_hash, noticed_at)
       values ($[user_id], $[dif], $[seller_account_uid], $[listing_id], $[field], $[theirs:json], '', now())`,
      { ...listings[n], dif: newId('dif'), field, theirs: value },
    )
  }
}

const check = (name: string) => expectAccessibleInBoth(page, name)

const rows = () => page.$$eval('.difference', (all) => all.length)

it.each([
  ['phone', { width: 390, height: 844, isMobile: true }],
  ['desk', { width: 1280, height: 800 }],
] as const)('shows both values and marks what differs on a %s', async (name, viewport) => {
  await page.setViewport(viewport)
  const { count } = await open()
  await page.goto(`${service.url}/app/#inventory`)
  await page.reload()
  await page.locator('.filter button[aria-label="More"]').click()
  await page.locator('a[href="#differences"]').click()
  await page.waitForSelector('.difference')
  expect(await rows()).toBe(count)
  const marks = await page.$$eval('.difference mark', (all) => all.map((one) => one.textContent))
  expect(marks).toContainEqual(expect.stringMatching(/^\S+, restored$/))
  await page.waitForSelector('.difference .price::-p-text($99.00)')
  await check(`differences-${name}`)
  await page.locator('label ::-p-text(Select all on this page)').click()
  await page.waitForSelector(`button ::-p-text(Ignore ${count})`)
  await check(`differences-selected-${name}`)
})

it('shows them on the page of the item', async () => {
  for (const [name, viewport] of [
    ['desk', { width: 1280, height: 800 }],
    // It loads the page again.
    ['phone', { width: 390, height: 844, isMobile: true }],
  ] as const) {
    await page.setViewport(viewport)
    await page.goto(`${service.url}/app/#item/${item}`)
    await page.waitForSelector('section[aria-labelledby="differences"] .difference')
    await check(`differences-item-${name}`)
  }
  await page.locator('button[aria-label^="Use eBay’s: Price"]').click()
  await page.waitForSelector('.toast ::-p-text(1 detail of an item changed)')
  const { body } = await call('GET', `/api/v1/inventory/${item}/`)
  expect(body.record.offer.price_minor).toBe(9_900)
})

it('finds what an import reads and sends the values of the item to eBay', async () => {
  const { body: list } = await call('GET', '/api/v1/inventory/?platform=ebay&state=available&page_size=100')
  const decided = new Set((await open()).results.map((one: { inventory_item_uid: string }) => one.inventory_item_uid))
  const found = list.results.find(({ uid }: { uid: string }) => uid !== item && !decided.has(uid))
  const title = `${found.record.title.slice(0, 60)}, restored`
  await apiOf(service.url)('PATCH', `/api/v1/inventory/${found.uid}/`, {
    headers: { ...bearer(token), 'if-match': String(found.version) },
    body: { title },
  })
  const differing = async () => (await call('GET', `/api/v1/differences/?item=${found.uid}`)).body.results
  expect(await differing()).toEqual([])
  await importAgain()
  expect(await differing()).toMatchObject([{ field: 'title', mine: title, theirs: found.record.title }])

  await page.goto(`${service.url}/app/#item/${found.uid}`)
  await page.locator('button[aria-label^="Update eBay: Title"]').click()
  await page.waitForSelector('.toast ::-p-text(1 update is on its way)')
  const listing = found.listings.find(({ platform }: { platform: string }) => platform === 'ebay')
  await until(
    async () => (await fetch(listing.url)).text(),
    (html) => html.includes(title),
  )
  await importAgain()
  expect(await differing()).toEqual([])
})
