import type { Page } from 'puppeteer'
import { afterEach, describe, expect, it } from 'vitest'
import { sampleInventory } from '#extension/testing/sample-inventory.ts'
import { sampleListing } from '#extension/testing/sample-listing.ts'
import { sampleTask } from '#extension/testing/sample-task.ts'
import {
  checkState,
  type Fixture,
  named,
  openInventory,
  prepareFixtures,
  signIn,
  signInWithoutPopup,
} from './fixture.ts'
import { tabThrough } from './tab-order.ts'

const fixtures = prepareFixtures()
afterEach(fixtures.signOutAll)

const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.textContent)

/** Starts a fixture with an inventory, tasks, and a finished import with a conflict and a failure. */
async function startWithFullShop(): Promise<Fixture> {
  const fixture = await fixtures.start()
  const { server } = fixture.hapax
  server.ebay = 'connected'
  server.inventory.push(...sampleInventory(30))
  const item = server.inventory[0]!
  server.tasks.push(
    sampleTask({ inventory_item_uid: item.uid, title: item.record.title }),
    sampleTask({ inventory_item_uid: item.uid, title: item.record.title, kind: 'list', platform: 'mercari' }),
  )
  const job = server.imports.openJob('poshmark', 'samplecloset')
  server.imports.fill(
    job,
    [sampleListing(1, { sku: item.sku ?? '' }), sampleListing(2)],
    [
      {
        listing_id: 'p-3',
        url: sampleListing(3).url,
        error_code: 'page_changed',
        error_message: 'page changed: price',
      },
    ],
  )
  job.status = 'completed'
  job.completed_at = new Date().toISOString()
  return fixture
}

describe('by keyboard alone', () => {
  it('reaches every control of the popup; Escape goes back', async () => {
    const fixture = await startWithFullShop()
    const popup = await fixture.chrome.openPopup()
    await popup.waitForSelector('input[name=email]')
    await tabThrough(popup, 'signed out')
    await popup.locator(named('button', 'Use an API key instead')).click()
    await tabThrough(popup, 'API key')
    await popup.close()

    const home = await signIn(fixture)
    await home.waitForSelector('::-p-text(listing needs review)')
    await home.waitForSelector('input[placeholder="Search 31 items"]')
    const names = await tabThrough(home, 'home')
    expect(names).toEqual(expect.arrayContaining(['Review', 'Search 31 items', 'Account and settings']))

    for (const [button, screen] of [
      ['Account and settings', 'account'],
      ['Review', 'issues'],
    ] as const) {
      await home.focus(named('button', button))
      await home.keyboard.press('Enter')
      await home.waitForSelector('main.body select, main.body .rows li')
      await tabThrough(home, screen)
      await home.keyboard.press('Escape')
      await home.waitForSelector(named('button', 'Account and settings'))
      expect(await focused(home), screen).toBe(button)
    }

    await home.keyboard.press('Enter')
    await home.waitForSelector(named('button', 'Compare, Listing 1'))
    await home.focus(named('button', 'Compare, Listing 1'))
    await home.keyboard.press('Enter')
    await home.waitForSelector('.choices')
    expect(await tabThrough(home, 'conflict')).toEqual(expect.arrayContaining(['Same item: link them', 'Skip']))
    await home.keyboard.press('Escape')
    await home.waitForSelector('h1::-p-text(Poshmark: to review)')
    await home.keyboard.press('Escape')
    await home.waitForSelector(named('button', 'Account and settings'))
    await home.keyboard.press('/')
    await home.waitForSelector('[role=option]')
    expect(await tabThrough(home, 'search')).toContain('Close search')
    expect(fixture.chrome.errors).toEqual([])
  })

  it('reaches every control of the page; dialogs keep the focus', async () => {
    const fixture = await startWithFullShop()
    const { server } = fixture.hapax
    await signInWithoutPopup(fixture)
    const page = await openInventory(fixture)
    await page.waitForSelector('::-p-text(31 of 31)')
    await tabThrough(page, 'inventory')
    await page.focus('input[aria-label="Select all shown"]')
    await page.keyboard.press('Space')
    expect(await tabThrough(page, 'chosen')).toEqual(
      expect.arrayContaining(['List on…', 'Mark sold…', 'More', 'Clear selection']),
    )

    for (const button of ['List on…', 'Mark sold…']) {
      await page.focus(named('button', button))
      await page.keyboard.press('Enter')
      await page.waitForSelector('dialog[open]')
      expect(await page.evaluate(() => document.activeElement?.closest('dialog') !== null)).toBe(true)
      await tabThrough(page, button)
      await page.keyboard.press('Escape')
      await page.waitForSelector('dialog', { hidden: true })
      expect(await focused(page)).toBe(button)
    }

    await page.focus(named('button', 'List on…'))
    await page.keyboard.press('Enter')
    // Depop is the last one; its listing is left to the seller.
    await page.focus('dialog .where:last-child input')
    await page.keyboard.press('Space')
    // The dialog first asks for what the listing lacks.
    await page.waitForSelector('dialog button[type=submit][aria-disabled="false"]')
    await page.keyboard.press('Enter')
    await page.waitForSelector('dialog ::-p-text(added to your tasks)')
    expect(await page.evaluate(() => document.activeElement?.closest('dialog') !== null)).toBe(true)
    await checkState(page, 'bulk-tasks')
    expect(await tabThrough(page, 'bulk done')).toEqual([
      expect.stringMatching(/^Open the first of \d+ forms$/),
      'Close',
    ])
    server.selling.finishBulk()
    await page.focus('dialog .buttons .main')
    const form = page.browserContext().waitForTarget((target) => target.url() === server.tasks.at(-1)!.url)
    await page.keyboard.press('Enter')
    await form
    // The wait for an element needs frames, which Chromium draws for the front tab only.
    await page.bringToFront()
    await page.waitForSelector('dialog', { hidden: true })
    await page.evaluate(() => {
      location.hash = 'tasks'
    })
    await page.waitForSelector('.home .task')
    expect(await focused(page)).toBe('Home')
    await tabThrough(page, 'tasks')
    expect(fixture.chrome.errors).toEqual([])
  })

  it('leaves items, reviews and conflicts by Escape', async () => {
    const fixture = await startWithFullShop()
    const item = fixture.hapax.server.inventory[0]!
    await signInWithoutPopup(fixture)
    const page = await openInventory(fixture)
    await page.waitForSelector('::-p-text(31 of 31)')
    await page.keyboard.press('/')
    expect(await focused(page)).toBe('Search')
    // Chromium sometimes loses keys soon after a page opened, until the page is brought to the front.
    await page.$eval(
      '.filter input',
      (input, title) => {
        ;(input as HTMLInputElement).value = title
        input.dispatchEvent(new Event('input', { bubbles: true }))
      },
      item.record.title,
    )
    await page.waitForFunction(() => document.querySelector('.count')?.textContent === '1 of 31')
    await page.bringToFront()
    await page.focus('[role=grid]')
    await page.keyboard.press('Enter')
    await page.waitForSelector(`h1::-p-text(${item.record.title})`)
    await page.waitForSelector('.task')
    await checkState(page, 'item-to-do')
    expect(await tabThrough(page, 'item')).toEqual(expect.arrayContaining(['List on…', 'Mark sold…']))
    await page.keyboard.press('Escape')
    await page.waitForSelector('[role=grid]')
    expect(await page.evaluate(() => document.activeElement?.role)).toBe('grid')

    await page.goto(`chrome-extension://${fixture.chrome.extensionId}/inventory.html#imports`)
    await page.waitForSelector('.grid.review ::-p-text(Needs review)')
    await tabThrough(page, 'review')
    await page.focus('.grid.review')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.choices')
    await tabThrough(page, 'conflict')
    await page.keyboard.press('Escape')
    await page.waitForSelector('.grid.review')

    // Without a previous page, Escape leads to the table.
    const alone = await openInventory(fixture, `#item/${item.uid}`)
    await alone.waitForSelector('.pictures')
    await alone.keyboard.press('Escape')
    await alone.waitForSelector('::-p-text(31 of 31)')
    expect(fixture.chrome.errors).toEqual([])
  })
})
