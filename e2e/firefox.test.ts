import { afterEach, describe, expect, it } from 'vitest'
import { sampleTask } from '#extension/testing/sample-task.ts'
import { buildExtension } from '#tools/build-extension.ts'
import { findFirefox, launchFirefox, type TestFirefox } from './firefox.ts'
import { type PoshmarkSite, startPoshmark } from './sites/poshmark.ts'
import { type RunningStandIn, startStandIn } from './stand-in-http.ts'

const path = findFirefox()

const open: (PoshmarkSite | RunningStandIn | TestFirefox)[] = []
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
})

describe.skipIf(!path)('in Firefox, if installed or named by FIREFOX_PATH', () => {
  it('signs in, imports a closet and signs out without a trace', async () => {
    const folder = await buildExtension('firefox', { output: '.cache/builds' })
    const site = await startPoshmark({ listings: 30 })
    const hapax = await startStandIn()
    open.push(site, hapax)
    const { server } = hapax
    server.tasks.push(sampleTask())
    const firefox = await launchFirefox(path!, folder)
    open.push(firefox)

    const popup = await firefox.openExtensionPage('popup.html', { width: 380, height: 560 })
    await popup.locator('input[name=server]').fill(hapax.url)
    await popup.locator('input[name=email]').fill(server.user.email ?? '')
    await popup.locator('input[name=password]').fill(server.password)
    await popup.locator('button[type=submit]').click()
    await popup.waitForSelector('.task')
    expect([...server.keys.values()].map((key) => key.name)).toEqual(['Hapax extension (Firefox)'])
    // Firefox lets content scripts read storage.local, so it must be empty.
    const inStorage = 'browser.storage.local.get().then((all) => Object.keys(all))'
    expect(await popup.evaluate(inStorage)).toEqual([])

    const closet = await firefox.browser.newPage()
    await closet.setViewport({ width: 1000, height: 640 })
    await closet.goto('https://poshmark.com/closet/samplecloset')
    await closet.waitForSelector('hapax-import')
    // The button is in a closed shadow root in the corner.
    await closet.mouse.click(920, 604)
    await expect.poll(() => server.jobs[0]?.status).toBe('completed')
    expect(server.inventory).toHaveLength(30)

    const page = await firefox.openExtensionPage('inventory.html', { width: 1280, height: 800 })
    await page.waitForFunction(() => document.querySelector('.count')?.textContent === '30 of 30')
    await popup.bringToFront()
    await popup.locator('button[aria-label="Account and settings"]').click()
    await popup.locator('form button[type=submit]').click()
    await popup.waitForSelector('input[name=email]')
    const rows = await popup.evaluate(async () => {
      const counts: number[] = []
      for (const { name } of await indexedDB.databases()) {
        const database = await new Promise<IDBDatabase>((resolve) => {
          const opening = indexedDB.open(name!)
          opening.onsuccess = () => resolve(opening.result)
        })
        for (const table of database.objectStoreNames) {
          const counting = database.transaction(table).objectStore(table).count()
          await new Promise((resolve) => {
            counting.onsuccess = resolve
          })
          counts.push(counting.result)
        }
        database.close()
      }
      return counts
    })
    expect(rows.length).toBeGreaterThan(3)
    expect(rows.filter((count) => count > 0)).toEqual([])
    expect(firefox.errors).toEqual([])
  })
})
