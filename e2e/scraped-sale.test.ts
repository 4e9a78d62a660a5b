import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { until } from '#e2e/harness/until.ts'
import { createHapax } from '#shared/client/client.ts'
import type { Hapax } from '#shared/client/types.ts'
import { openBrowser, type TestBrowser } from './browser.ts'
import { pictures, signInTo } from './fixture.ts'
import { type Service, startService } from './service.ts'
import { type PoshmarkSite, startPoshmark } from './sites/poshmark.ts'
import { sell } from './sites/poshmark-data.ts'

/**
 * A sale on a platform without an order API, end to end: an item sells in a Poshmark closet, its seller visits it, and
 * its eBay listing ends.
 */
const email = 'seller@example.com'
const password = 'a fine green coat 7'
const closetUrl = 'https://poshmark.com/closet/seller'

let service: Service
let site: PoshmarkSite
let chrome: TestBrowser
let hapax: Hapax

beforeAll(async () => {
  service = await startService()
  site = await startPoshmark({ username: 'seller', listings: 6 })
  chrome = await openBrowser({ extension: inject('extension') })
  hapax = createHapax({ baseUrl: service.url })
})
afterAll(async () => {
  await chrome?.close()
  await site?.close()
  await service?.close()
})

/** Connects the sandbox's eBay in a browser and imports it. */
async function importEbay(): Promise<void> {
  const { connection_url } = await hapax.call('startConnection', { params: { slug: 'ebay' } })
  const page = await chrome.newPage()
  await page.goto(connection_url)
  await Promise.all([page.waitForNavigation(), page.locator('main form button').click()])
  await page.locator('input[value="camera_carl"]').click()
  await Promise.all([page.waitForNavigation(), page.locator('button[value="agree"]').click()])
  await page.close()
  const { id } = await hapax.call('importPlatform', { params: { platform: 'ebay' } })
  await until(
    () => hapax.call('getImportJob', { params: { uid: id } }),
    (job) => job.status === 'completed',
  )
}

/** Signs in in the popup and imports the closet from its page. */
async function importCloset() {
  const popup = await signInTo(chrome, { server: service.url, email, password })
  const page = await chrome.newPage()
  await page.goto(closetUrl)
  await (await page.waitForSelector('::-p-aria([name="Import 6 listings"][role="button"])'))!.click()
  await page.waitForSelector('::-p-aria([name="Import again"][role="button"])')
  return { popup, page }
}

it('detects a Poshmark sale on a visit and ends it on eBay', async () => {
  const session = await hapax.call('registerByEmail', { body: { email, password, password_confirm: password } })
  hapax = createHapax({ baseUrl: service.url, token: session.token })
  await importEbay()
  const { results } = await hapax.call('listInventory', { query: { page_size: '100', state: 'available' } })
  const item = results.find(({ sku, record }) => sku && record.channel_listings?.length === 1)!
  const onEbay = item.record.channel_listings![0]!
  expect(await (await fetch(onEbay.url)).text()).toContain('Active')

  const post = site.closets.get('seller')!.posts[2]!
  post.seller_private_info = { sku: item.sku }
  const { popup, page } = await importCloset()
  const [job] = await hapax.call('listImportJobs', { query: { marketplace: 'poshmark' } })
  const issues = await hapax.call('listImportIssues', { params: { uid: job!.id }, query: { status: 'conflict' } })
  const conflict = issues.results.find(({ external_listing_id }) => external_listing_id === post.id)!
  await hapax.call('resolveImportItem', {
    params: { uid: job!.id, item_uid: conflict.id },
    body: { resolution: 'link_existing', inventory_item_uid: item.uid },
  })

  sell(post)
  // As if the import had been an hour ago.
  await popup.evaluate(setBackAnHour)
  await page.reload()
  const sold = await until(
    () => hapax.call('getInventoryItem', { params: { uid: item.uid } }),
    ({ record }) => record.offer.availability === 'sold',
  )
  expect(sold.record.offer.quantity).toBe(0)
  await page.waitForSelector('::-p-aria([name="Import again"][role="button"])')
  if (pictures) await page.screenshot({ path: `${pictures}/page-sold.png` })
  await until(
    async () => (await fetch(onEbay.url)).text(),
    (text) => !text.includes('Active') && text.includes('Ended'),
  )
  expect((await hapax.call('listOrders', {})).results).toMatchObject([
    { platform: 'poshmark', lines: [{ inventory_item_uid: item.uid, state: 'sold' }] },
  ])
  // A visit is not an import: the closet was imported once.
  expect(await hapax.call('listImportJobs', { query: { marketplace: 'poshmark' } })).toHaveLength(1)
  expect(chrome.errors).toEqual([])
})

/** Runs in a page of the extension: makes its data an hour older. */
function setBackAnHour(): Promise<void> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('hapax-import-queue')
    opening.onerror = () => reject(opening.error)
    opening.onsuccess = () => {
      const transaction = opening.result.transaction('scrapes', 'readwrite')
      const scrapes = transaction.objectStore('scrapes')
      const reading = scrapes.getAll()
      reading.onsuccess = () => {
        for (const scrape of reading.result) scrapes.put({ ...scrape, updated_at: scrape.updated_at - 3_600_000 })
      }
      transaction.oncomplete = () => {
        opening.result.close()
        resolve()
      }
    }
  })
}
