import type { Page } from 'puppeteer'
import { afterEach, describe, expect, it } from 'vitest'
import { sampleInventory } from '#extension/testing/sample-inventory.ts'
import { sampleListing } from '#extension/testing/sample-listing.ts'
import { sampleTask } from '#extension/testing/sample-task.ts'
import { checkState, type Fixture, named, openInventory, prepareFixtures, signInWithoutPopup } from './fixture.ts'
import { until } from './timeouts.ts'

const fixtures = prepareFixtures()
afterEach(fixtures.signOutAll)

/** Signs in and opens the full page with `count` items. */
async function startWith(count: number): Promise<{ fixture: Fixture; page: Page }> {
  const fixture = await fixtures.start()
  const { server } = fixture.hapax
  server.ebay = 'connected'
  server.inventory.push(...sampleInventory(count))
  await signInWithoutPopup(fixture)
  const page = await openInventory(fixture)
  const shown = new Intl.NumberFormat('en-US').format(count)
  await page.waitForSelector(`::-p-text(${shown} of ${shown})`)
  return { fixture, page }
}

const count = (page: Page) => page.$eval('.count', (one) => one.textContent)
const titles = (page: Page) => page.$$eval('.lines .title', (all) => all.map((one) => one.textContent))
const choose = (page: Page, label: string, value: string) => page.select(`select[aria-label="${label}"]`, value)

describe('the table', () => {
  it('scrolls through 1,000 items and renders only visible rows', async () => {
    const { fixture, page } = await startWith(1_000)
    await checkState(page, 'inventory')
    expect(await page.$eval('[role=grid]', (grid) => grid.getAttribute('aria-rowcount'))).toBe('1001')
    const rows = await page.$eval('[role=grid]', async (grid) => {
      let most = 0
      for (let step = 0; step < 90; step++) {
        grid.scrollTop += 480
        grid.dispatchEvent(new Event('scroll'))
        await new Promise((resolve) => requestAnimationFrame(resolve))
        most = Math.max(most, grid.querySelectorAll('.lines [role=row]').length)
      }
      grid.scrollTop = grid.scrollHeight
      return most
    })
    expect(rows).toBeLessThan(60)
    const last = () =>
      page.$$eval('.lines [role=row]', (all) => Math.max(...all.map((row) => Number(row.ariaRowIndex))))
    await expect.poll(last).toBe(1_001)
    expect(fixture.chrome.errors).toEqual([])
  })

  it('keeps filters and columns over a reload, accessible in each state', async () => {
    const { page, fixture } = await startWith(60)
    await page.locator('input[type=search]').fill('nothing like this')
    await page.waitForSelector('::-p-text(No items match.)')
    await checkState(page, 'inventory-none')
    await page.locator(named('button', 'Clear filters')).click()
    await choose(page, 'State', 'available')
    await choose(page, 'Live on', 'ebay')
    const filtered = await count(page)
    await checkState(page, 'inventory-filtered')

    await page.focus('.save-view button')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.menu input')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Live on eBay')
    await checkState(page, 'inventory-save-view')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.view-list [aria-pressed=true]::-p-text(Live on eBay)')
    await checkState(page, 'inventory-saved-filter')

    await page.locator(named('button', 'Columns')).click()
    for (const column of ['Brand', 'Location', 'Cost', 'Days listed', 'Size']) {
      await page.locator(`.menu label::-p-text(${column})`).click()
    }
    await checkState(page, 'inventory-columns-menu')
    await page.mouse.click(600, 600)
    await page.waitForSelector('.menu .panel', { hidden: true })
    const headings = await page.$$eval('[role=columnheader]', (all) => all.map((one) => one.textContent))
    await checkState(page, 'inventory-columns')

    await page.reload()
    await page.waitForSelector('::-p-text(60 of 60)')
    expect(await page.$$eval('[role=columnheader]', (all) => all.map((one) => one.textContent))).toEqual(headings)
    await page.locator(named('button', 'Live on eBay')).click()
    await expect.poll(() => count(page)).toBe(filtered)
    fixture.hapax.server.faults.push({ operation: 'listInventory', code: 'network', times: 1_000 })
    await page.reload()
    await page.waitForSelector('::-p-text(Offline. Showing 60 items as last read.)')
    await checkState(page, 'inventory-offline')
    expect(fixture.chrome.errors).toEqual([])
  })

  it('is a workplace: cells, edits of many, filters and commands', async () => {
    const { page, fixture } = await startWith(60)
    await page.locator(named('button', 'Columns')).click()
    for (const column of ['Brand', 'Category', 'Location', 'Cost', 'Days listed', 'Size']) {
      await page.locator(`.menu label::-p-text(${column})`).click()
    }
    await page.keyboard.press('Escape')
    const titleBox = () =>
      page.$eval('.lines .title', (title) => {
        const { left, width } = title.getBoundingClientRect()
        return { left, width }
      })
    expect((await titleBox()).width).toBeGreaterThanOrEqual(320)
    await page.$eval('[role=grid]', (grid) => grid.scrollTo({ left: 1_000 }))
    expect((await titleBox()).left).toBeGreaterThanOrEqual(0)
    await checkState(page, 'inventory-scrolled')

    await page.focus('[role=grid]')
    await page.keyboard.press('e')
    await page.waitForSelector('.editor input:focus')
    await checkState(page, 'inventory-cell')
    await page.keyboard.type('24.50')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.lines [role=row]:first-child .price::-p-text($24.50)')
    await page.keyboard.press('Escape')
    await checkState(page, 'inventory-cell-saved')

    await page.locator(named('button', 'More filters')).click()
    await page.locator('.filter-fields input').fill('50')
    await page.locator('.filter-fields .check').click()
    await checkState(page, 'inventory-filter-menu')
    await page.keyboard.press('Escape')
    await checkState(page, 'inventory-filter-chips')
    await page.setViewport({ width: 390, height: 844 })
    await page.locator(named('button', 'More filters')).click()
    await checkState(page, 'inventory-filter-phone')
    const isWithin = await page.$eval('.filter-menu .panel', (panel) => {
      const { left, right } = panel.getBoundingClientRect()
      return left >= 0 && right <= innerWidth
    })
    expect(isWithin).toBe(true)
    await page.keyboard.press('Escape')
    await page.setViewport({ width: 1280, height: 800 })

    await page.locator('input[aria-label="Select all shown"]').click()
    await page.locator('.selection button[aria-label=More]').click()
    await page.locator(named('button', 'Edit…')).click()
    await page.locator('#edit-value').fill('1960s')
    await page.waitForSelector('dialog [role=grid]')
    await checkState(page, 'inventory-edit')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.waitForSelector('dialog', { hidden: true })
    // The items beside one are those of the table.
    for (let chips = 2; chips > 0; chips--) {
      await page.locator('.filter-chip').click()
      await page.waitForFunction((left) => document.querySelectorAll('.filter-chip').length === left, {}, chips - 1)
    }

    await page.keyboard.down('Control')
    await page.keyboard.press('k')
    await page.keyboard.up('Control')
    await page.waitForSelector('dialog input:focus')
    await page.keyboard.type('coat')
    await checkState(page, 'inventory-palette')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.steps')
    await checkState(page, 'inventory-item-steps')
    await page.keyboard.press('?')
    await page.waitForSelector('dialog .keys')
    await checkState(page, 'inventory-keys')
    expect(fixture.chrome.errors).toEqual([])
  })

  it('works by keyboard alone, with one tab stop', async () => {
    const { page } = await startWith(200)
    const all = await titles(page)
    await page.focus('[role=grid]')
    await page.keyboard.press(' ')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.down('Shift')
    await page.keyboard.press(' ')
    await page.keyboard.up('Shift')
    await page.waitForSelector('::-p-text(3 items selected)')
    await page.keyboard.press('End')
    const active = () =>
      page.$eval('[role=grid]', (grid) => {
        const row = document.getElementById(grid.getAttribute('aria-activedescendant') ?? '')
        const box = row?.getBoundingClientRect()
        return [row?.ariaRowIndex, box && box.bottom <= grid.getBoundingClientRect().bottom + 1]
      })
    await expect.poll(active).toEqual(['201', true])
    await page.keyboard.press('Home')
    await page.keyboard.press('Enter')
    await page.waitForSelector(`h1::-p-text(${all[0]})`)
    await page.goBack()
    await page.waitForSelector('::-p-text(3 items selected)')
  })

  it('returns to the first row on a new search or order', async () => {
    const { page } = await startWith(300)
    const place = () =>
      page.$eval('[role=grid]', (grid) => [
        grid.scrollTop,
        document.getElementById(grid.getAttribute('aria-activedescendant') ?? '')?.ariaRowIndex,
      ])
    await page.focus('[role=grid]')
    await page.keyboard.press('End')
    await expect.poll(async () => (await place())[1]).toBe('301')
    await page.locator('input[type=search]').fill('navy')
    await expect.poll(() => count(page)).not.toBe('300 of 300')
    await expect.poll(place).toEqual([0, '2'])
    await page.focus('[role=grid]')
    await page.keyboard.press('End')
    await expect.poll(async () => (await place())[0]).toBeGreaterThan(0)
    await page.locator(named('button', 'Price')).click()
    await expect.poll(place).toEqual([0, '2'])
  })
})

describe('many items at once', () => {
  it('are listed once after a preview, with their results', async () => {
    const { fixture, page } = await startWith(60)
    const { server } = fixture.hapax
    server.selling.bulkAtOnce = false
    const failing = server.inventory.find(
      (item) => item.record.lifecycle.state === 'available' && !item.listings?.some((one) => one.platform === 'ebay'),
    )
    server.selling.unlistable.add(failing!.uid)
    await page.locator('input[aria-label="Select all shown"]').click()
    await page.waitForSelector('::-p-text(60 items selected)')
    await checkState(page, 'inventory-chosen')
    await page.locator(named('button', 'List on…')).click()
    await page.waitForSelector('dialog[open]')
    const boxes = await page.$$('dialog input[type=checkbox]')
    for (const box of [boxes[0]!, boxes[4]!]) {
      // The dialog grows under the pointer.
      const isChecked = () => box.evaluate((input) => (input as HTMLInputElement).checked)
      const press = () => box.click().then(isChecked)
      await until('the platform to be chosen', async () => (await isChecked()) || press())
    }
    await page.waitForSelector('dialog button[type=submit][aria-disabled="false"]')
    await page.waitForSelector('dialog .listing-lines ::-p-text(Suggested, check it)')
    await checkState(page, 'bulk-list')
    server.faults.push({ operation: 'bulkList', code: 'lost_reply', times: 1 })
    // The response is lost. The browser retries on a reused connection; otherwise the seller is told and presses again.
    // Either way there is one job.
    await page.locator('dialog button[type=submit]').click()
    await page.waitForSelector('dialog progress, dialog .notice.bad')
    if (await page.$('dialog .notice.bad')) await page.locator('dialog button[type=submit]').click()
    await page.waitForSelector('dialog progress')
    await checkState(page, 'bulk-working')
    server.selling.finishBulk()
    await page.waitForSelector('::-p-text(eBay asks for a category.)')
    await checkState(page, 'bulk-done')
    expect(server.selling.bulkJobs).toHaveLength(1)
    const { job } = server.selling.bulkJobs[0]!
    expect(job.succeeded + job.manual + job.failed).toBe(job.total)
    expect([job.failed, job.manual > 0]).toEqual([2, true])
    await page.locator('dialog button.main').click()
    await page.waitForSelector('dialog', { hidden: true })
    expect(fixture.chrome.errors).toEqual([])
  })

  it('are named before an action, which Escape stops', async () => {
    const { fixture, page } = await startWith(40)
    const { server } = fixture.hapax
    await choose(page, 'State', 'available')
    await page.focus('[role=grid]')
    await page.keyboard.press(' ')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press(' ')
    await page.waitForSelector('::-p-text(2 items selected)')
    await choose(page, 'State', 'reserved')
    await page.waitForSelector('::-p-text(2 items selected, 2 not shown here)')
    await checkState(page, 'inventory-unseen')
    await page.locator('.selection button[aria-label=More]').click()
    await page.locator(named('button', 'End listings…')).click()
    await page.waitForSelector('dialog[open]')
    await checkState(page, 'delist-unseen')
    await page.locator(named('button', 'Cancel')).click()
    await page.locator(named('button', 'Mark sold…')).click()
    await page.waitForSelector('dialog[open]')
    await checkState(page, 'sold-unseen')
    const release = server.hold(/mark-sold/)
    await page.locator('dialog button.main').click()
    await page.waitForSelector('dialog progress')
    await checkState(page, 'sold-working')
    await page.keyboard.press('Escape')
    await page.waitForSelector('dialog::-p-text(Stopping…)')
    release()
    await page.waitForSelector('::-p-text(1 marked as sold, 1 not started)')
    await checkState(page, 'sold-stopped')
    await page.locator(named('button', 'Close')).click()
    await page.waitForSelector('dialog', { hidden: true })
    expect(server.requests.filter((one) => one.operation === 'markItemSold')).toHaveLength(1)
    server.faults.push({ operation: 'exportItems', code: 'network', times: 1_000 })
    await page.locator('.selection button[aria-label=More]').click()
    await page.locator(named('button', 'Export CSV')).click()
    await page.waitForSelector('.selection [role=alert]')
    await checkState(page, 'inventory-export-offline')
    expect(fixture.chrome.errors).toEqual([])
  })
})

describe('an item', () => {
  it('is accessible in each state, offline and gone, and takes back a sale', async () => {
    const { fixture, page } = await startWith(10)
    const { server } = fixture.hapax
    const item = server.inventory[0]!
    item.listings![1]!.price_minor += 500
    server.selling.change(item, 'reserved')
    server.tasks.push(sampleTask({ inventory_item_uid: item.uid, platform: 'depop', kind: 'list' }))
    const open = async (uid: string) => {
      await page.goto(`chrome-extension://${fixture.chrome.extensionId}/inventory.html#item/${uid}`)
      await page.reload()
    }
    await open(item.uid)
    await page.waitForSelector('::-p-text(Listed at)')
    await page.waitForSelector('::-p-text(Available → Reserved)')
    await checkState(page, 'item')
    server.faults.push({ operation: 'getInventoryItem', code: 'network', times: 1_000 })
    await page.reload()
    await page.waitForSelector('::-p-text(Offline. Showing the item as last read.)')
    await checkState(page, 'item-offline')
    server.faults.length = 0
    await open('inv_0000000000000000000000')
    await page.waitForSelector('::-p-text(This no longer exists.)')
    await checkState(page, 'item-gone')

    server.selling.change(item, 'sold')
    server.selling.soldByOrder.add(item.uid)
    await open(item.uid)
    await page.locator('.item-actions button[aria-label=More]').click()
    await page.locator(named('button', 'Undo sale')).click()
    await page.waitForSelector('dialog[open]')
    await checkState(page, 'unsold')
    await page.locator(named('button', 'Undo sale')).click()
    await page.waitForSelector('dialog [role=alert]')
    await checkState(page, 'unsold-refused')
    expect(fixture.chrome.errors).toEqual([])
  })
})

describe('the review of an import', () => {
  it('is accessible from the empty page to the conflict', async () => {
    const fixture = await fixtures.start()
    const { server } = fixture.hapax
    const before = await openInventory(fixture)
    await before.waitForSelector('input[name=email]')
    await checkState(before, 'inventory-signed-out')
    await signInWithoutPopup(fixture)
    const page = await openInventory(fixture)
    await page.waitForSelector('::-p-text(No items yet)')
    await checkState(page, 'inventory-empty')
    await page.goto(`chrome-extension://${fixture.chrome.extensionId}/inventory.html#imports`)
    await page.waitForSelector('::-p-text(No imports yet)')
    await checkState(page, 'review-empty')

    server.inventory.push(...sampleInventory(5))
    const job = server.imports.openJob('poshmark', 'samplecloset')
    const listings = Array.from({ length: 250 }, (_, n) =>
      sampleListing(n, n === 7 ? { sku: server.inventory[0]!.sku ?? '' } : {}),
    )
    const failures = [
      {
        listing_id: 'p-x',
        url: 'https://poshmark.com/listing/p-x',
        title: 'Broken one',
        error_code: 'page_changed' as const,
        error_message: 'page changed: price',
      },
    ]
    server.imports.fill(job, listings, failures)
    await page.reload()
    await page.waitForSelector('::-p-text(Needs review: Two items, one SKU)')
    await choose(page, 'Result', 'any')
    await page.waitForSelector('::-p-text(In your inventory)')
    await checkState(page, 'review')
    await page.focus('.grid.review')
    await page.keyboard.press('End')
    await page.waitForSelector('::-p-text(Not imported: The page changed)')
    await choose(page, 'Result', 'conflict')
    await page.waitForSelector('::-p-text(Needs review: Two items, one SKU)')
    await page.focus('.grid.review')
    await page.keyboard.press('Enter')
    await page.waitForSelector(named('button', 'Same item: link them'))
    await checkState(page, 'review-conflict')
    await page.goBack()
    await page.waitForSelector('::-p-text(Needs review: Two items, one SKU)')
    await page.evaluate(() => {
      location.hash = 'imports/imp_0000000000000000000000'
    })
    await page.waitForSelector('::-p-text(This import is no longer available)')
    await checkState(page, 'review-gone')
    await page.locator(named('link', 'View the newest import')).click()
    await page.waitForSelector('.grid.review')
    expect(fixture.chrome.errors).toEqual([])
  })

  it('follows a running import and keeps its place', async () => {
    const { fixture, page } = await startWith(1)
    const { server } = fixture.hapax
    const job = server.imports.openJob('poshmark', 'samplecloset')
    const listings = Array.from({ length: 30 }, (_, n) => sampleListing(n))
    server.imports.fill(job, listings.slice(0, 20))
    await page.goto(`chrome-extension://${fixture.chrome.extensionId}/inventory.html#imports`)
    await page.reload()
    const rows = () => page.$eval('.grid.review', (grid) => grid.getAttribute('aria-rowcount'))
    await page.waitForSelector('.grid.review')
    expect(await rows()).toBe('21')
    await page.$eval('.grid.review', (grid) => grid.scrollTo(0, 128))
    server.imports.fill(job, listings)
    await expect.poll(rows).toBe('31')
    expect(await page.$eval('.grid.review', (grid) => grid.scrollTop)).toBe(128)
    job.items[2]!.status = 'skipped'
    job.items[2]!.resolution = 'skip'
    await expect.poll(() => page.$eval('.grid.review', (grid) => grid.textContent)).toContain('Skipped by you')
    expect(fixture.chrome.errors).toEqual([])
  })
})
