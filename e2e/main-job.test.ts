import { mkdir } from 'node:fs/promises'
import type { Page } from 'puppeteer'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { until } from '#e2e/harness/until.ts'
import { edgeCases } from '#server/sandbox/ebay/edge-cases.ts'
import { createHapax } from '#shared/client/client.ts'
import type { Hapax, HapaxAnswer } from '#shared/client/types.ts'
import { InventoryRecord } from '#shared/item/inventory-record.ts'
import { openBrowser, type TestBrowser } from './browser.ts'
import { waitForContentScript } from './content-script.ts'
import { press as pressChecked } from './press.ts'
import { type Service, startService } from './service.ts'
import { type PoshmarkSite, startPoshmark } from './sites/poshmark.ts'

/**
 * The seller's main job on the whole service: registration, eBay import with conflicts, and a Poshmark import while the
 * service worker is killed. Every listing must exist exactly once. The steps build on one another.
 */
const email = 'seller@example.com'
const password = 'a fine green coat 7'
const closetSize = 130

let service: Service
let site: PoshmarkSite
let test: TestBrowser
let hapax: Hapax
let ebayJob: HapaxAnswer<'getImportJob'>

beforeAll(async () => {
  service = await startService({}, { shops: 'all' })
  site = await startPoshmark({ username: 'seller', listings: closetSize })
  test = await openBrowser({ extension: inject('extension') })
  hapax = createHapax({ baseUrl: service.url })
})
afterAll(async () => {
  await test?.close()
  await site?.close()
  await service?.close()
})

/** Polls a job until it ends and checks its counters and progress at every reading. */
async function followJob(uid: string) {
  let progress = 0
  for (;;) {
    const job = await hapax.call('getImportJob', { params: { uid } })
    const decided = job.items_imported + job.items_skipped + job.items_failed + job.items_conflicted
    expect(decided).toBeLessThanOrEqual(job.total_listings_found)
    expect(job.has_issues).toBe(job.items_failed + job.items_conflicted > 0)
    expect(job.progress_percentage).toBeGreaterThanOrEqual(progress)
    progress = job.progress_percentage
    if (job.status === 'failed') throw new Error(`the job failed: ${job.error_message}`)
    if (job.status === 'completed') {
      expect(decided).toBe(job.total_listings_found)
      expect(progress).toBe(100)
      return job
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

async function allItems(uid: string) {
  const items = []
  for (let page = 1; ; page++) {
    const { results, count } = await hapax.call('listImportItems', {
      params: { uid },
      query: { page: String(page), page_size: '100' },
    })
    items.push(...results)
    if (items.length >= count || results.length === 0) return items
  }
}

async function wholeInventory() {
  const items = []
  let cursor: string | undefined
  do {
    const page = await hapax.call('listInventory', { query: { page_size: '100', ...(cursor ? { cursor } : {}) } })
    items.push(...page.results)
    cursor = page.next_cursor ?? undefined
  } while (cursor)
  return items
}

async function press(page: Page, name: string): Promise<void> {
  await page.locator(`::-p-aria(${name})`).click()
}

/** Takes screenshots if SCREENSHOTS names a folder. */
async function photograph(page: Page, name: string): Promise<void> {
  if (!process.env.SCREENSHOTS) return
  await mkdir(process.env.SCREENSHOTS, { recursive: true })
  await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}.png` })
}

describe('the main job', () => {
  it('registers a seller', async () => {
    const session = await hapax.call('registerByEmail', {
      body: { email, password, password_confirm: password, full_name: 'Vera Example' },
    })
    hapax = createHapax({ baseUrl: service.url, token: session.token })
    expect(await hapax.call('validateToken', {})).toMatchObject({ valid: true, user: { email } })
  })

  it('connects eBay in the browser', async () => {
    const { connection_url } = await hapax.call('startConnection', { params: { slug: 'ebay' } })
    const page = await test.newPage()
    await page.goto(connection_url)
    await Promise.all([page.waitForNavigation(), page.locator('main form button').click()])
    await page.locator('input[value="vintage_vera"]').click()
    await Promise.all([page.waitForNavigation(), page.locator('button[value="agree"]').click()])
    expect(page.url()).toContain('/accounts/ebay/login/callback/')
    expect(await page.$eval('main', (main) => main.textContent)).toContain('vintage_vera')
    await photograph(page, 'connected')
    await page.close()
    expect(await hapax.call('listSellerAccounts', {})).toMatchObject([
      { platform: 'ebay', external_name: 'vintage_vera', status: 'connected' },
    ])
    const platforms = await hapax.call('listPlatforms', {})
    expect(platforms).toHaveLength(5)
    expect(platforms.filter((platform) => platform.is_selling_active).map((platform) => platform.slug)).toEqual([
      'ebay',
    ])
  })

  it('imports the sandbox shop and accounts for every listing', async () => {
    const created = await hapax.call('importPlatform', { params: { platform: 'ebay' } })
    ebayJob = await followJob(created.id)
    expect(ebayJob.total_listings_found).toBeGreaterThanOrEqual(250)
    const items = await allItems(ebayJob.id)
    expect(items).toHaveLength(ebayJob.total_listings_found)
    expect(new Set(items.map((item) => item.external_listing_id)).size).toBe(items.length)
    for (const status of ['imported', 'skipped', 'failed', 'conflict'] as const) {
      const key = status === 'conflict' ? 'items_conflicted' : (`items_${status}` as const)
      expect(items.filter((item) => item.status === status)).toHaveLength(ebayJob[key])
    }
    const byListing = new Map(items.map((item) => [item.external_listing_id, item]))
    expect(byListing.get(edgeCases.noPicture)).toMatchObject({ status: 'failed', error_code: 'missing_images' })
    expect(byListing.get(edgeCases.failsAlways)).toMatchObject({ status: 'failed', error_code: 'fetch_failed' })
    expect(byListing.get(edgeCases.noSku[0])).toMatchObject({ status: 'imported', external_sku: '' })
    expect(byListing.get(edgeCases.quantityThree)).toMatchObject({ conflict_type: 'quantity_above_one' })
    expect(byListing.get(edgeCases.oneDecimal)).toMatchObject({ status: 'imported', listing_price: '5.30' })
    const inventory = await wholeInventory()
    expect(inventory).toHaveLength(ebayJob.items_imported)
    for (const item of inventory) expect(InventoryRecord.safeParse(item.record).error).toBeUndefined()
  })

  it('resolves a duplicate SKU in each of the four ways', async () => {
    const { results } = await hapax.call('listImportIssues', {
      params: { uid: ebayJob.id },
      query: { status: 'conflict', page_size: '100' },
    })
    const duplicates = results.filter((item) => item.conflict_type === 'duplicate_sku')
    expect(duplicates.length).toBeGreaterThanOrEqual(4)
    const before = (await wholeInventory()).length
    const answers = [
      { resolution: 'link_existing' },
      { resolution: 'create_new', sku: 'VV-FREE-1' },
      { resolution: 'overwrite' },
      { resolution: 'skip' },
    ] as const
    for (const [index, body] of answers.entries()) {
      const params = { uid: ebayJob.id, item_uid: duplicates[index]!.id }
      expect(duplicates[index]).toMatchObject({ status: 'conflict', resolution: 'pending' })
      const resolved = await hapax.call('resolveImportItem', { params, body })
      expect(resolved).toMatchObject({
        resolution: body.resolution,
        status: body.resolution === 'skip' ? 'skipped' : 'imported',
      })
      expect(await hapax.call('resolveImportItem', { params, body })).toEqual(resolved)
      await expect(
        hapax.call('resolveImportItem', { params, body: { resolution: index === 3 ? 'overwrite' : 'skip' } }),
      ).rejects.toMatchObject({ status: 409, code: 'already_resolved' })
    }
    const inventory = await wholeInventory()
    expect(inventory).toHaveLength(before + 1)
    expect(inventory.filter((item) => item.sku === 'VV-FREE-1')).toHaveLength(1)
    const job = await hapax.call('getImportJob', { params: { uid: ebayJob.id } })
    expect(job.items_conflicted).toBe(ebayJob.items_conflicted - 4)
    expect(job.items_imported).toBe(ebayJob.items_imported + 3)
  })

  it('signs in in the popup, which keeps only its own key', async () => {
    // As a browser ends one that is idle.
    await test.killWorker()
    const worker = await test.worker()
    await worker.evaluate('chrome.storage.local.set({ settings: { pace_ms: 0 } })')
    const popup = await test.openPopup()
    await popup.locator('input[name="server"]').fill(service.url)
    await popup.locator('input[name="email"]').fill(email)
    await popup.locator('input[name="password"]').fill(password)
    await photograph(popup, 'popup-sign-in')
    await pressChecked(popup, '::-p-aria(Sign in)')
    await popup.waitForSelector('::-p-text(need review)')
    await photograph(popup, 'popup-home')
    const keys = await hapax.call('listApiKeys', {})
    expect(keys).toHaveLength(1)
    const stored = await (await test.worker()).evaluate(
      'Promise.all([chrome.storage.local.get(), chrome.storage.session.get()]).then(JSON.stringify)',
    )
    expect(stored).not.toContain(password)
    expect(stored).not.toContain('hpxt_')
    await popup.close()
  })

  it('imports the closet though the service worker is killed', async () => {
    const page = await test.newPage()
    await page.goto('https://poshmark.com/closet/seller')
    const halfway = site.lists.holdAfter(1)
    await press(page, `Import ${closetSize} listings`)
    const resume = await halfway()
    await test.killWorker()
    resume()
    const jobs = await until(
      () => hapax.call('listImportJobs', { query: { marketplace: 'poshmark' } }),
      ([first]) => first?.status === 'completed',
    )
    await photograph(page, 'closet-button')
    expect(jobs).toHaveLength(1)
    const job = await followJob(jobs[0]!.id)
    expect(job).toMatchObject({ total_listings_found: closetSize, items_failed: 0 })

    const closetIds = new Set(site.closets.get('seller')!.posts.map((post) => post.id))
    const listed = (await wholeInventory()).flatMap((item) =>
      (item.record.channel_listings ?? []).filter((listing) => listing.channel === 'poshmark'),
    )
    const ids = listed.map((listing) => listing.listing_id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.every((id) => closetIds.has(id))).toBe(true)
    expect(ids.length).toBe(job.items_imported)
    expect(job.items_imported + job.items_conflicted).toBe(closetSize)
  })

  it('offers nothing on another closet', async () => {
    const page = await test.newPage()
    await page.goto('https://poshmark.com/closet/othercloset')
    await page.waitForSelector('h1')
    const lists = site.hits.lists
    await waitForContentScript({ chrome: test }, page)
    expect(await page.$('hapax-import')).toBeNull()
    expect(await page.$$('::-p-aria([role="button"])')).toHaveLength(0)
    expect(site.hits.lists).toBe(lists)
    await page.close()
  })

  it('shows both imports and signs out without a trace', async () => {
    const popup = await test.openPopup()
    await popup.waitForSelector('::-p-text(Poshmark)')
    await photograph(popup, 'popup-imports')
    await pressChecked(popup, '::-p-aria(Account and settings)')
    await pressChecked(popup, '::-p-aria(Sign out)')
    await popup.waitForSelector('input[name="email"]')
    await expect.poll(async () => (await test.worker()).evaluate('chrome.storage.local.get()')).toEqual({})
    await expect.poll(() => hapax.call('listApiKeys', {})).toEqual([])
    expect(await popup.$('.notice')).toBeNull()
    await popup.close()
    expect(test.errors).toEqual([])
  })
})
