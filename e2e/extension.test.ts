import type { Page } from 'puppeteer'
import { afterEach, describe, expect, it } from 'vitest'
import { inventoryItem } from '#extension/testing/inventory-item.ts'
import { waitForContentScript } from './content-script.ts'
import {
  checkState,
  type Fixture,
  inContentScript,
  named,
  openInventory,
  pictures,
  prepareFixtures,
  signIn,
  signInWithoutPopup,
} from './fixture.ts'
import { killInTheMiddle } from './kill-in-the-middle.ts'
import { startStandIn } from './stand-in-http.ts'

const closet = 'https://poshmark.com/closet/samplecloset'

const fixtures = prepareFixtures()
const startFixture = fixtures.start
afterEach(fixtures.signOutAll)

async function openCloset({ chrome }: Fixture, url = closet): Promise<Page> {
  const page = await chrome.newPage()
  await page.setViewport({ width: 1000, height: 640 })
  await page.goto(url)
  return page
}

async function importCloset(fixture: Fixture, listings: number): Promise<Page> {
  const page = await openCloset(fixture)
  await startImport(page, listings)
  return page
}

async function startImport(page: Page, listings: number): Promise<void> {
  await (await page.waitForSelector(named('button', `Import ${listings} listings`)))!.click()
}

const importedIds = ({ hapax }: Fixture) =>
  hapax.server.inventory.flatMap((item) => item.record.channel_listings ?? []).map((one) => one.listing_id)
const listingIds = ({ site }: Fixture) => site.closets.get('samplecloset')!.posts.map((post) => post.id)

async function picture(page: Page, name: string): Promise<void> {
  if (!pictures) return
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
    await page.screenshot({ path: `${pictures}/page-${name}-${scheme}.png` })
  }
}

describe('importing the seller’s own closet', () => {
  it('imports every listing once though the worker is killed', async () => {
    const fixture = await startFixture({ listings: 300, sold: 60 })
    await signInWithoutPopup(fixture)
    const page = await openCloset(fixture)
    await killInTheMiddle(fixture.chrome, fixture.site.lists, 1, () => startImport(page, 300))
    await page.waitForSelector(named('button', 'Import again'))
    await picture(page, 'done')
    expect(importedIds(fixture).sort()).toEqual(listingIds(fixture).sort())
    expect(fixture.hapax.server.jobs).toMatchObject([{ status: 'completed', shop: 'samplecloset' }])
    expect(fixture.chrome.errors).toEqual([])
  })

  it('sends only changes the second time', async () => {
    const fixture = await startFixture({ listings: 30 })
    await signInWithoutPopup(fixture)
    const page = await importCloset(fixture, 30)
    const again = async () => {
      const button = await page.waitForSelector(named('button', 'Import again'))
      const letRead = fixture.site.lists.hold()
      await button!.click()
      await page.waitForSelector(named('button', 'Import again'), { hidden: true })
      letRead()
      await page.waitForSelector(named('button', 'Import again'))
    }
    await again()
    expect(fixture.hapax.server.jobs).toHaveLength(1)
    fixture.site.closets.get('samplecloset')!.posts[4]!.title = 'Another title'
    await again()
    expect(fixture.hapax.server.jobs[1]?.items).toMatchObject([{ status: 'skipped', listing_title: 'Another title' }])
    expect(importedIds(fixture)).toHaveLength(30)
  })

  it('continues in another page after its tab closes', async () => {
    const fixture = await startFixture({ listings: 300 })
    await signInWithoutPopup(fixture)
    const halfway = fixture.site.lists.holdAfter(1)
    const page = await importCloset(fixture, 300)
    const resume = await halfway()
    await page.goto('https://poshmark.com/feed')
    expect(importedIds(fixture).length).toBeLessThan(300)
    resume()
    await expect.poll(() => importedIds(fixture).length).toBe(300)
    expect(await page.$(named('button', 'Import again'))).toBeNull()
  })

  it('never sends the platform’s cookies, passwords or keys', async () => {
    const fixture = await startFixture({ listings: 60 })
    await signInWithoutPopup(fixture)
    const page = await importCloset(fixture, 60)
    await page.waitForSelector(named('button', 'Import again'))
    const sent = JSON.stringify(fixture.hapax.server.requests)
    for (const secret of [...fixture.site.secrets, 'm***@example.test', '_csrf']) expect(sent).not.toContain(secret)
    expect(fixture.hapax.server.requests.filter((request) => request.headers.cookie)).toEqual([])
  })

  it('completes a summary without description from the listing', async () => {
    const fixture = await startFixture({ listings: 30 })
    const [post] = fixture.site.closets.get('samplecloset')!.posts
    fixture.site.summarised.set(post!.id, ['description', 'pictures'])
    await signInWithoutPopup(fixture)
    const page = await importCloset(fixture, 30)
    await page.waitForSelector(named('button', 'Import again'))
    expect(fixture.site.hits.details).toBe(1)
    expect(importedIds(fixture)).toHaveLength(30)
  })

  it('stops at a human check, says so and continues on request', async () => {
    const fixture = await startFixture({ listings: 120 })
    const popup = await signIn(fixture)
    fixture.site.fault = 'challenge'
    const page = await importCloset(fixture, 120)
    const continueButton = await page.waitForSelector(named('button', 'Continue'))
    await picture(page, 'stopped')
    const asked = fixture.site.hits.lists
    await popup.bringToFront()
    await popup.waitForSelector('::-p-text(Poshmark is checking that you are a person)')
    await checkState(popup, 'stopped')
    expect(fixture.site.hits.lists).toBe(asked)
    fixture.site.fault = null
    await page.bringToFront()
    await continueButton!.click()
    await page.waitForSelector(named('button', 'Import again'))
    expect(importedIds(fixture).sort()).toEqual(listingIds(fixture).sort())
  })
})

describe('on pages of the platform', () => {
  it('shows nothing on other closets and pages, or signed out', async () => {
    const fixture = await startFixture({ listings: 3 })
    await signInWithoutPopup(fixture)
    const page = await openCloset(fixture)
    await page.waitForSelector(named('button', 'Import 3 listings'))
    await picture(page, 'offer')
    for (const url of ['https://poshmark.com/closet/othercloset', 'https://poshmark.com/feed']) {
      await page.goto(url)
      await waitForContentScript(fixture, page)
      expect(await page.$('hapax-import'), url).toBeNull()
    }
    fixture.site.signedInAs = null
    await page.goto(closet)
    await waitForContentScript(fixture, page)
    expect(await page.$('hapax-import')).toBeNull()
  })

  it('does not read a platform that the operator turned off', async () => {
    const fixture = await startFixture({ listings: 3 })
    const popup = await signIn(fixture)
    const page = await openCloset(fixture)
    const button = await page.waitForSelector(named('button', 'Import 3 listings'))
    fixture.hapax.server.readingOff.add('poshmark')
    // As if it had been asked a while ago.
    await popup.evaluate("chrome.storage.local.remove('catalogue')")
    const lists = fixture.site.hits.lists
    await button!.click()
    await page.waitForSelector(named('button', 'Import 3 listings'), { hidden: true })
    await waitForContentScript(fixture, page)
    await picture(page, 'off')
    expect([fixture.site.hits.lists - lists, fixture.hapax.server.jobs.length]).toEqual([0, 0])
    await popup.bringToFront()
    await popup.reload()
    await popup.waitForSelector('::-p-text(Paused until Hapax is updated)')
    await checkState(popup, 'reading-off')
  })

  it('follows a change of address without a page load', async () => {
    const fixture = await startFixture({ listings: 3 })
    await signInWithoutPopup(fixture)
    const page = await openCloset(fixture)
    await page.waitForSelector(named('button', 'Import 3 listings'))
    await page.evaluate(() => history.pushState(null, '', '/closet/othercloset'))
    await page.waitForSelector('hapax-import', { hidden: true })
    await page.evaluate(() => history.pushState(null, '', '/closet/samplecloset'))
    await page.waitForSelector(named('button', 'Import 3 listings'))
  })

  it('hides the button from the page’s scripts', async () => {
    const fixture = await startFixture({ listings: 3 })
    await signInWithoutPopup(fixture)
    const page = await openCloset(fixture)
    await page.waitForSelector(named('button', 'Import 3 listings'))
    const inside = await page.$eval('hapax-import', (host) => {
      if (host instanceof HTMLElement) host.click()
      host.dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true }))
      return host.shadowRoot
    })
    expect(inside).toBeNull()
    await waitForContentScript(fixture, page)
    await page.waitForSelector(named('button', 'Import 3 listings'))
    expect(fixture.hapax.server.jobs).toEqual([])
  })

  it('asks a signed-out seller to sign in, then offers the import', async () => {
    const fixture = await startFixture({ listings: 3 })
    const page = await openCloset(fixture)
    await expect.poll(() => said(page)).toContain('Sign in to Hapax to import')
    await picture(page, 'signed-out')
    await signInWithoutPopup(fixture)
    await page.bringToFront()
    await page.waitForSelector(named('button', 'Import 3 listings'))
  })

  it('hides the API key from content scripts', async () => {
    const fixture = await startFixture({ listings: 3 })
    await signInWithoutPopup(fixture)
    const page = await openCloset(fixture)
    await page.waitForSelector(named('button', 'Import 3 listings'))
    const key = [...fixture.hapax.server.keys.values()][0]!.secret
    const stored = await (await fixture.chrome.worker()).evaluate(async () => {
      const { storage } = Reflect.get(globalThis, 'chrome')
      return JSON.stringify(await storage.local.get())
    })
    expect(stored).toContain(key)
    const seen = await inContentScript(fixture, page, 'chrome.storage.local.get().then(JSON.stringify, String)')
    expect(seen).not.toContain(key)
    expect(seen).toContain('Access to storage is not allowed')
  })
})

describe('on the pages of its own server', () => {
  it('is known to the web app and to nobody else', async () => {
    const fixture = await startFixture({ listings: 3 })
    const other = await startStandIn()
    try {
      const { url } = fixture.hapax
      const app = await fixture.chrome.newPage()
      await app.goto(`${url}/app/`)
      // The web app that is open while the seller signs in learns of it at once.
      await signIn(fixture)
      await app.waitForSelector('html[data-hapax-extension]')
      await app.reload()
      await app.waitForSelector('html[data-hapax-extension]')
      for (const elsewhere of [
        `${url}/`,
        `${url.replace('127.0.0.1', 'localhost')}/app/`,
        `${other.url}/app/`,
        closet,
      ]) {
        await app.goto(elsewhere)
        // The next load of the app is marked after this page would have been.
        const next = await fixture.chrome.newPage()
        await next.goto(`${url}/app/`)
        await next.waitForSelector('html[data-hapax-extension]')
        await next.close()
        expect(await app.$('html[data-hapax-extension]'), elsewhere).toBeNull()
      }
    } finally {
      await other.close()
    }
  })
})

describe('the popup', () => {
  it('signs in, keeps only its own key, and is accessible', async () => {
    const fixture = await startFixture({ listings: 30 })
    const { server } = fixture.hapax
    const popup = await fixture.chrome.openPopup()
    await popup.waitForSelector('input[name=email]')
    await checkState(popup, 'signed-out')
    await popup.locator('input[name=server]').fill(fixture.hapax.url)
    await popup.locator('input[name=email]').fill('seller@example.test')
    await popup.locator('input[name=password]').fill('wrong password')
    await popup.locator('button[type=submit]').click()
    await popup.waitForSelector('::-p-text(Email or password is wrong.)')
    await checkState(popup, 'sign-in-failed')
    await popup.locator('input[name=password]').fill(server.password)
    await popup.locator('button[type=submit]').click()
    await popup.waitForSelector('::-p-text(Connect a shop)')
    await checkState(popup, 'empty')
    expect([...server.keys.values()].map((key) => key.name)).toEqual(['Hapax extension (Chrome)'])
    expect(server.bearers.size).toBe(0)

    server.ebay = 'connected'
    await popup.evaluate('chrome.storage.local.set({ settings: { pace_ms: 0 } })')
    const page = await importCloset(fixture, 30)
    await page.waitForSelector(named('button', 'Import again'))
    await popup.bringToFront()
    await popup.waitForSelector('::-p-text(30 imported)')
    await checkState(popup, 'home')

    const shops = await openInventory(fixture, '#shops')
    await shops.locator(named('button', 'Import, eBay')).click()
    await popup.bringToFront()
    await popup.waitForSelector('.import progress')
    await checkState(popup, 'importing')
    server.ebay = 'reconnect_required'
    await popup.waitForSelector('::-p-text(Reconnect eBay)')
    await checkState(popup, 'needs-you')

    server.faults.push({ operation: 'listImportJobs', code: 'network', times: 1_000 })
    await popup.waitForSelector('::-p-text(Offline. Showing 30 items)')
    await checkState(popup, 'offline')
    server.faults.length = 0

    await popup.locator(named('button', 'Account and settings')).click()
    await popup.waitForSelector('::-p-text(Signed in as)')
    await checkState(popup, 'account')
    server.keys.clear()
    await popup.keyboard.press('Escape')
    await popup.waitForSelector('::-p-text(You have been signed out.)')
    await checkState(popup, 'expired')
    await popup.locator(named('button', 'Use an API key instead')).click()
    await popup.locator('input[name=key]').fill(server.createKey('pasted').key)
    await checkState(popup, 'api-key')
    await popup.locator('button[type=submit]').click()
    await popup.waitForSelector(named('button', 'Account and settings'))
    expect(fixture.chrome.errors).toEqual([])
  })

  it('shows a changed listing with its field and imports the rest', async () => {
    const fixture = await startFixture({ listings: 60 })
    const changed = [5, 50].map((n) => fixture.site.closets.get('samplecloset')!.posts[n]!)
    for (const post of changed) {
      post.pricing = post.price_amount
      delete post.price_amount
    }
    const popup = await signIn(fixture)
    const page = await importCloset(fixture, 60)
    await page.waitForSelector(named('button', 'Import again'))
    await picture(page, 'done-with-failures')
    expect(importedIds(fixture)).toHaveLength(58)
    await popup.bringToFront()
    await popup.locator(named('button', 'Review, Poshmark')).click()
    await popup.waitForSelector('::-p-text(Poshmark changed its page: price could not be read)')
    const links = await popup.$$eval('main a', (all) => all.map((link) => link.href))
    expect(links).toEqual(changed.map((post) => `https://poshmark.com/listing/${post.id}`))
    await checkState(popup, 'failures')
  })

  it('resolves a conflict in each of the four ways', async () => {
    const fixture = await startFixture({ listings: 30 })
    const { server } = fixture.hapax
    const posts = fixture.site.closets.get('samplecloset')!.posts
    const hostile = '<img src=x onerror="document.title=1"> Cream leather boots'
    posts[3]!.title = hostile
    for (const sku of ['SKU-4', 'SKU-11', 'SKU-18', 'SKU-25']) {
      server.inventory.push(mine(sku, `https://${'di2ponv0v5otw.cloudfront.net'}/mine/${sku}.jpg`))
    }
    const popup = await signIn(fixture)
    const page = await importCloset(fixture, 30)
    await page.waitForSelector(named('button', 'Import again'))
    await popup.bringToFront()
    await popup.waitForSelector('::-p-text(4 listings need review)')
    await checkState(popup, 'conflicts-home')
    await popup.locator(named('button', 'Review')).click()
    await popup.waitForSelector(`::-p-text(Two items, one SKU: SKU-4)`)
    await checkState(popup, 'issues')

    const titles = [3, 10, 17, 24].map((n) => posts[n]!.title)
    const choose = ['Same item: link them', 'Keep both', 'Overwrite my item', 'Skip']
    for (const [index, button] of choose.entries()) {
      await clickNamed(popup, `Compare, ${titles[index]}`)
      await popup.waitForSelector(named('button', button))
      expect(await popup.$$eval('.compare tbody tr', (rows) => rows.length)).toBeGreaterThan(2)
      if (index === 0) await checkState(popup, 'conflict')
      await popup.locator(named('button', button)).click()
      await popup.waitForSelector(named('button', button), { hidden: true })
    }
    await popup.waitForSelector('::-p-text(Nothing left to review.)')
    await checkState(popup, 'issues-none')
    const resolutions = server.jobs[0]!.items.map((item) => item.resolution).filter((resolution) => resolution !== null)
    expect(resolutions.sort()).toEqual(['create_new', 'link_existing', 'overwrite', 'skip'])
    expect(await popup.title()).toBe('Hapax')
    expect(fixture.chrome.errors).toEqual([])
  })

  it('works by keyboard with visible focus, and Escape goes back', async () => {
    const fixture = await startFixture({ listings: 3 })
    const popup = await signIn(fixture)
    await popup.waitForSelector('::-p-text(Connect a shop)')
    const reached: string[] = []
    await popup.keyboard.press('Tab')
    for (let press = 0; press < 4; press++) {
      reached.push(
        await popup.evaluate(() => {
          const now = document.activeElement
          const seen = now && getComputedStyle(now).outlineStyle !== 'none'
          return `${now?.getAttribute('aria-label') ?? now?.textContent} ${seen ? 'seen' : 'unseen'}`
        }),
      )
      await popup.keyboard.press('Tab')
    }
    expect(reached).toEqual(['Open the inventory seen', 'Account and settings seen', 'eBay seen', 'Etsy seen'])
    await popup.focus('[aria-label="Account and settings"]')
    await popup.keyboard.press('Enter')
    await popup.waitForSelector('h1::-p-text(Account and settings)')
    expect(await popup.evaluate(() => document.activeElement?.textContent)).toBe('Account and settings')
    await popup.keyboard.press('Escape')
    await popup.waitForSelector('::-p-text(Connect a shop)')
  })
})

function mine(sku: string, image: string) {
  return inventoryItem('ebay', {
    listing_id: `e-${sku}`,
    url: 'https://www.ebay.com/itm/1',
    title: `My thing of ${sku}`,
    description: '',
    price_minor: 4_200,
    currency: 'USD',
    state: 'available',
    images: [image],
    sku,
    condition: 'Pre-owned',
    size: 'M',
    brand: 'Marlowe',
  })
}

/** Returns everything that a screen reader finds on a page, including closed shadow roots. */
async function said(page: Page): Promise<string> {
  return JSON.stringify(await page.accessibility.snapshot({ interestingOnly: false }))
}

/** Clicks a button by its exact accessible name. */
async function clickNamed(page: Page, name: string): Promise<void> {
  await page.waitForFunction(
    (label) => [...document.querySelectorAll('button')].some((one) => one.ariaLabel === label),
    {},
    name,
  )
  await page.evaluate(
    (label) => [...document.querySelectorAll('button')].find((one) => one.ariaLabel === label)?.click(),
    name,
  )
}
