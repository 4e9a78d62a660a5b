import type { Page } from 'puppeteer'
import { afterEach, describe, expect, it } from 'vitest'
import type { ExtensionSlug } from '#shared/platforms.ts'
import { waitForContentScript } from './content-script.ts'
import { named } from './fixture.ts'
import { few, startWithListings } from './live-listing.ts'
import {
  type AnySite,
  expectNothingSecretLeft,
  openPage,
  prepareSiteFixtures,
  type SiteFixture,
} from './site-fixture.ts'
import { startMercari } from './sites/mercari.ts'
import type { startPoshmark } from './sites/poshmark.ts'
import { addDelistTask, openTask, readPanel, takePictures, waitForPanel } from './task-panel.ts'

const fixtures = prepareSiteFixtures((site?: AnySite) => Promise.resolve(site!))
afterEach(() => fixtures.signOutAll())

async function start(platform: ExtensionSlug) {
  const { site, listings, isUp, remove } = await startWithListings(platform)
  return { fixture: await fixtures.start(site), site, listing: listings[0]!, isUp, remove }
}

/** The labels of the buttons to press, in order. */
const deleteButtons: Record<ExtensionSlug, readonly string[]> = {
  poshmark: ['Edit', 'Delete Listing', 'Yes'],
  mercari: ['Edit', 'Delete', 'Delete listing'],
  depop: ['Manage listing', 'Delete listing', 'Delete'],
}

/** Presses the button that the panel highlights, as it names it. */
async function pressHighlighted(page: Page, word: string): Promise<void> {
  await waitForPanel(page, new RegExp(`Click “${word}” on the page`))
  const found = await page.waitForSelector(
    `::-p-xpath(//*[self::a or self::button][normalize-space()="${word}"][not(ancestor::dialog[not(@open)])])`,
    { visible: true },
  )
  await found!.click()
}

/** As extension/content/form-filler/take-down.ts has it: where it differs, this only takes longer. */
const askAfterMs = [800, 2_500, 6_000, 12_000]

/** Makes the panel check the site at once instead of after some seconds, on every page of this tab. */
async function hastenAsking({ chrome }: SiteFixture<AnySite>, page: Page): Promise<void> {
  const session = await page.createCDPSession()
  const waits = JSON.stringify(askAfterMs)
  const expression = `globalThis.setTimeout = ((wait) => (act, ms) => wait(act, ${waits}.includes(ms) ? 0 : ms))(setTimeout)`
  session.on('Runtime.executionContextCreated', ({ context }) => {
    if (context.origin !== `chrome-extension://${chrome.extensionId}`) return
    // A page that was left meanwhile needs no acceleration.
    session.send('Runtime.evaluate', { expression, contextId: context.id }).catch(() => null)
  })
  await session.send('Runtime.enable')
}

describe.each(['poshmark', 'mercari', 'depop'] as const)('taking down on %s', (platform) => {
  it('highlights each button and completes once it has ended', async () => {
    const { fixture, listing, isUp } = await start(platform)
    const task = await addDelistTask(fixture, platform, listing)
    const page = await openTask(fixture, task)
    await waitForPanel(page, /^Sold on eBay\. End “/)
    for (const word of deleteButtons[platform]) {
      expect(isUp(), 'nothing is taken down but by the seller').toBe(true)
      expect(task.status).toBe('open')
      await waitForPanel(page, new RegExp(`Click “${word}” on the page`))
      await takePictures(page, `${platform}-down-${word.replaceAll(' ', '-')}`)
      await pressHighlighted(page, word)
    }
    await waitForPanel(page, /” has ended\./)
    expect(isUp()).toBe(false)
    expect(fixture.hapax.server.selling.reported).toEqual([{ task: task.uid, seen_down: true }])
    await expectNothingSecretLeft(fixture)
    expect(fixture.chrome.errors).toEqual([])
  })

  it('completes by itself if the listing was deleted elsewhere', async () => {
    const { fixture, listing, remove } = await start(platform)
    remove()
    const task = await addDelistTask(fixture, platform, listing)
    const page = await openTask(fixture, task)
    await waitForPanel(page, /” has ended\./)
    await takePictures(page, `${platform}-down-gone`)
    expect(fixture.hapax.server.selling.reported).toEqual([{ task: task.uid, seen_down: true }])
  })

  it('never reports success while the listing is still up', async () => {
    const { fixture, site, listing, isUp } = await start(platform)
    site.keepsDeleted = true
    const task = await addDelistTask(fixture, platform, listing)
    const page = await openTask(fixture, task)
    await waitForPanel(page, /^Sold on eBay\./)
    await (await page.waitForSelector(named('button', 'I ended it')))!.click()
    await waitForPanel(page, /It is still live\./)
    await hastenAsking(fixture, page)
    let asked = 0
    page.on('response', (answer) => {
      const ofPage = answer.request().isNavigationRequest() || answer.request().method() !== 'GET'
      if (!ofPage && answer.url().includes(listing.listing_id)) asked++
    })
    for (const word of deleteButtons[platform]) {
      asked = 0
      await pressHighlighted(page, word)
    }
    // As often as the panel checks after a click, and earlier requests.
    await expect.poll(() => asked).toBeGreaterThan(4)
    await waitForContentScript(fixture, page, 'page.tabTasks')
    expect((await readPanel(page))?.status ?? '').not.toMatch(/has ended\./)
    expect(isUp()).toBe(true)
    expect(task.status).toBe('open')
    expect(fixture.hapax.server.selling.reported).toEqual([])
  })
})

describe('a listing to take down', () => {
  it('is not reported as ended after it sold here as well', async () => {
    const site = await startMercari({ listings: few })
    const fixture = await fixtures.start(site)
    const [item] = site.items
    item!.status = 'trading'
    const url = `https://www.mercari.com/us/item/${item!.id}/`
    const task = await addDelistTask(fixture, 'mercari', { listing_id: item!.id, url, title: item!.name })
    const page = await openTask(fixture, task)
    await waitForPanel(page, /^Sold on eBay\./)
    await (await page.waitForSelector(named('button', 'I ended it')))!.click()
    await waitForPanel(page, /It sold here too\./)
    expect(task.status).toBe('open')
  })

  it('is not reported as ended when the site does not answer', async () => {
    const { fixture, listing } = await start('poshmark')
    const task = await addDelistTask(fixture, 'poshmark', listing)
    const page = await openTask(fixture, task)
    await waitForPanel(page, /^Sold on eBay\./)
    const { site } = fixture as unknown as { site: { fault: string } }
    site.fault = 'challenge'
    await (await page.waitForSelector(named('button', 'I ended it')))!.click()
    await waitForPanel(page, /does not show whether it has ended/)
    expect(task.status).toBe('open')
  })

  it('is highlighted on its own page only', async () => {
    const { fixture, listing } = await start('poshmark')
    await addDelistTask(fixture, 'poshmark', listing)
    const { site } = fixture as unknown as { site: Awaited<ReturnType<typeof startPoshmark>> }
    const another = site.closets.get('samplecloset')!.posts[1]!
    const foreign = site.closets.get('othercloset')!.posts[0]!
    const page = await openPage(fixture, listing.url)
    await waitForPanel(page, /^Sold on eBay\./)
    for (const path of [`listing/x-${another.id}`, `listing/x-${foreign.id}`, 'closet/othercloset', 'feed']) {
      await page.goto(`https://poshmark.com/${path}`)
      await waitForContentScript(fixture, page, 'page.tabTasks')
      expect(await readPanel(page), path).toBeNull()
    }
  })
})
