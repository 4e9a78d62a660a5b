import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CDPSession, Page } from 'puppeteer'
import { afterEach, describe, expect, inject, it, onTestFinished } from 'vitest'
import { launchBrowser, openBrowser, type TestBrowser } from './browser.ts'
import { checkState, named, pictures, signIn } from './fixture.ts'
import { type PoshmarkSite, startPoshmark } from './sites/poshmark.ts'
import { type RunningStandIn, startStandIn } from './stand-in-http.ts'

const listings = 300
const closet = 'https://poshmark.com/closet/samplecloset'

let site: PoshmarkSite
let hapax: RunningStandIn
let chrome: TestBrowser
afterEach(async () => {
  await chrome.close()
  await site.close()
  await hapax.close()
})

const extension = inject('extension')

const offer = named('button', `Import ${listings} listings`)

/** Opens the closet of a signed-in seller. `open` opens the browser. */
async function openCloset(open = () => openBrowser({ extension })): Promise<Page> {
  site = await startPoshmark({ listings })
  hapax = await startStandIn()
  chrome = await open()
  await signIn({ hapax, chrome })
  const page = await chrome.newPage()
  await page.goto(closet)
  await page.waitForSelector(offer)
  return page
}

/** Begins an import; resolves once `pages` of the closet were read, with the page and a function to continue. */
async function importUpTo(
  pages: number,
  open?: () => Promise<TestBrowser>,
): Promise<{ page: Page; resume: () => void }> {
  const page = await openCloset(open)
  const reached = site.lists.holdAfter(pages)
  await (await page.waitForSelector(offer))!.click()
  return { page, resume: await reached() }
}

function expectEachOnce(): void {
  const ids = hapax.server.inventory.flatMap((item) => item.record.channel_listings ?? []).map((one) => one.listing_id)
  const posts = site.closets.get('samplecloset')!.posts.map(({ id }) => id)
  expect(ids.sort()).toEqual(posts.sort())
  expect(hapax.server.jobs).toMatchObject([{ status: 'completed' }])
  expect(hapax.server.jobs[0]!.items).toHaveLength(listings)
}

/** Disconnects or reconnects the network of a page or the service worker. */
async function cut(session: CDPSession, offline: boolean): Promise<void> {
  await session.send('Network.enable')
  const none = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 }
  await session.send('Network.emulateNetworkConditions', { offline, ...none })
}

describe('an import', () => {
  it('resumes without loss or duplicates after a crash', async () => {
    const profile = await mkdtemp(join(tmpdir(), 'hapax-profile-'))
    onTestFinished(() => rm(profile, { recursive: true, force: true, maxRetries: 10 }))
    const launch = () => launchBrowser({ extension, profile })
    const { resume } = await importUpTo(3, launch)
    await chrome.kill()
    expect(hapax.server.inventory.length).toBeLessThan(listings)
    resume()
    chrome = await launch()
    // Any page of the platform continues it; the closet is not needed.
    const page = await chrome.newPage()
    await page.goto('https://poshmark.com/feed')
    await expect.poll(() => hapax.server.jobs.map(({ status }) => status)).toEqual(['completed'])
    expectEachOnce()
  })

  it('reports a lost network, keeps its data and continues', async () => {
    const { page, resume: letRead } = await importUpTo(1)
    const session = await page.createCDPSession()
    const worker = (await chrome.worker()).client
    await Promise.all([cut(session, true), cut(worker, true)])
    letRead()
    const continueButton = await page.waitForSelector(named('button', 'Continue'))
    const said = JSON.stringify(await page.accessibility.snapshot({ interestingOnly: false }))
    expect(said).toContain('Poshmark is not answering. Continue when it does.')
    expect(hapax.server.jobs.map(({ status }) => status)).not.toContain('completed')
    await Promise.all([cut(session, false), cut(worker, false)])
    await continueButton!.click()
    await page.waitForSelector(named('button', 'Import again'))
    await expect.poll(() => hapax.server.jobs.map(({ status }) => status)).toEqual(['completed'])
    expectEachOnce()
  })

  it('starts again after the browser deleted its database', async () => {
    const { page, resume: letRead } = await importUpTo(2)
    const session = await page.createCDPSession()
    const origin = `chrome-extension://${chrome.extensionId}`
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' })
    letRead()
    await (await page.waitForSelector(offer))!.click()
    await page.waitForSelector(named('button', 'Import again'))
    await expect.poll(() => hapax.server.jobs.map(({ status }) => status)).toEqual(['completed'])
    const ids = hapax.server.inventory.flatMap((item) => item.record.channel_listings ?? [])
    expect(new Set(ids.map((one) => one.listing_id)).size).toBe(listings)
    expect(ids).toHaveLength(listings)
  })

  it('reports a full disk in the page and continues with room', async () => {
    const page = await openCloset()
    const session = await page.createCDPSession()
    const origin = `chrome-extension://${chrome.extensionId}`
    await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1 })
    // Chromium caches an open database's quota for half a minute, so open a new one.
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' })
    await (await page.waitForSelector(offer))!.click()
    const continueButton = await page.waitForSelector(named('button', 'Continue'))
    const said = JSON.stringify(await page.accessibility.snapshot({ interestingOnly: false }))
    expect(said).toContain('This browser has no room left for Hapax.')
    if (pictures) await takeBoth(page, 'no-room')
    await session.send('Storage.overrideQuotaForOrigin', { origin })
    await continueButton!.click()
    await page.waitForSelector(named('button', 'Import again'))
    await expect.poll(() => hapax.server.jobs.map(({ status }) => status)).toEqual(['completed'])
    expectEachOnce()
  })

  it('waits for a new tab after its own was closed', async () => {
    const page = await openCloset()
    const popup = await chrome.openPopup()
    await popup.evaluate('chrome.storage.local.set({ settings: { pace_ms: 10000 } })')
    await page.bringToFront()
    await (await page.waitForSelector(offer))!.click()
    await popup.bringToFront()
    await popup.waitForSelector('::-p-text(Reading your shop)')
    await page.close()
    await popup.evaluate('chrome.storage.local.set({ settings: { pace_ms: 0 } })')
    // Retry in case the closed page still had the last word. An open popup asks once a minute, a new one at once.
    await expect
      .poll(async () => {
        await popup.evaluate(setBackAMinute)
        await popup.reload()
        await popup.waitForSelector('.dots')
        return popup.evaluate(() => document.body.textContent.includes('Open Poshmark to continue the import'))
      })
      .toBe(true)
    await popup.setViewport({ width: 380, height: 560 })
    await checkState(popup, 'import-waits')
    const shop = await popup.$eval('a.button[href*="closet"]', (link) => link.href)
    const again = await chrome.newPage()
    await again.goto(shop)
    await again.waitForSelector(named('button', 'Import again'))
    await expect.poll(() => hapax.server.jobs.map(({ status }) => status)).toEqual(['completed'])
    await popup.bringToFront()
    await popup.waitForSelector('::-p-text(Open Poshmark to continue)', { hidden: true })
    expectEachOnce()
  })
})

async function takeBoth(page: Page, name: string): Promise<void> {
  for (const scheme of ['light', 'dark']) {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
    await page.screenshot({ path: `${pictures}/${name}-${scheme}.png` })
  }
}

/** Runs in a page of the extension: makes the reading tab's last sign of life a minute older. */
function setBackAMinute(): Promise<void> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('hapax-import-queue')
    opening.onerror = () => reject(opening.error)
    opening.onsuccess = () => {
      const transaction = opening.result.transaction('scrapes', 'readwrite')
      const scrapes = transaction.objectStore('scrapes')
      const reading = scrapes.getAll()
      reading.onsuccess = () => {
        for (const scrape of reading.result) {
          const heard_at = scrape.updated_at - 70_000
          scrapes.put({ ...scrape, updated_at: heard_at, driver: scrape.driver && { ...scrape.driver, heard_at } })
        }
      }
      transaction.oncomplete = () => {
        opening.result.close()
        resolve()
      }
    }
  })
}
