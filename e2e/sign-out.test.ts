import type { Page } from 'puppeteer'
import { afterEach, describe, expect, it } from 'vitest'
import { sampleInventory } from '#extension/testing/sample-inventory.ts'
import { sampleTask } from '#extension/testing/sample-task.ts'
import {
  badge,
  checkState,
  type Fixture,
  inWorker,
  named,
  openInventory,
  prepareFixtures,
  sellerOf,
  typeSignIn,
} from './fixture.ts'

const fixtures = prepareFixtures()
afterEach(fixtures.closeAll)

/** Returns everything that the extension stores in the browser, by place. */
async function storedData(page: Page): Promise<Record<string, unknown>> {
  return page.evaluate(async () => {
    const { storage, alarms, action, notifications } = Reflect.get(globalThis, 'chrome')
    const rows: Record<string, number> = {}
    for (const { name } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open(name!)
        opening.onerror = () => reject(opening.error)
        opening.onsuccess = () => resolve(opening.result)
      })
      for (const table of database.objectStoreNames) {
        const counting = database.transaction(table).objectStore(table).count()
        await new Promise((resolve) => {
          counting.onsuccess = resolve
        })
        rows[`${name} ${table}`] = counting.result
      }
      database.close()
    }
    const areas: Record<string, string[]> = {}
    for (const area of ['local', 'session', 'sync']) areas[area] = Object.keys(await storage[area].get())
    return {
      rows: Object.entries(rows).filter(([, count]) => count > 0),
      ...areas,
      localStorage: Object.keys(localStorage),
      sessionStorage: Object.keys(sessionStorage),
      caches: await caches.keys(),
      cookies: document.cookie,
      alarms: (await alarms.getAll()).map(({ name }: { name: string }) => name),
      badge: await action.getBadgeText({}),
      notifications: Object.keys(await notifications.getAll()).length,
    }
  })
}

const nothing = {
  rows: [],
  local: [],
  session: [],
  sync: [],
  localStorage: [],
  sessionStorage: [],
  caches: [],
  cookies: '',
  alarms: [],
  badge: '',
  notifications: 0,
}

/** After a sign-out in the popup, which keeps the server's address for the next sign-in. */
const onlyServer = { ...nothing, localStorage: ['draft.server'] }

/** Creates a seller with a half-imported closet, an inventory, a notified task and settings. */
async function busySeller(): Promise<{ fixture: Fixture; popup: Page }> {
  const fixture = await fixtures.start({ listings: 30 })
  const { server } = fixture.hapax
  server.inventory.push(...sampleInventory(20))
  const first = await fixture.chrome.openPopup()
  // The form keeps the server's address.
  await typeSignIn(first, sellerOf(fixture.hapax))
  await first.waitForSelector(named('button', 'Account and settings'))
  await first.close()
  server.tasks.push(sampleTask())
  await inWorker(fixture, "chrome.alarms.onAlarm.dispatch({ name: 'watch', scheduledTime: 0 })")
  await expect.poll(() => badge(fixture)).toBe('1')
  // Whether a notification exists depends on timing; the browser will not withdraw this one in time.
  await inWorker(
    fixture,
    "new Promise((done) => chrome.notifications.create('hapax-task ', { type: 'basic', iconUrl: 'icon/128.png', title: 'One', message: 'more', requireInteraction: true }, done))",
  )
  server.faults.push({ operation: 'startExtensionImport', code: 'network', times: 100 })
  const closet = await fixture.chrome.newPage()
  await closet.goto('https://poshmark.com/closet/samplecloset')
  await (await closet.waitForSelector(named('button', 'Import 30 listings')))!.click()
  const popup = await fixture.chrome.openPopup()
  await popup.locator(named('button', 'Account and settings')).click()
  await popup.locator('input[type=checkbox]').click()
  await popup.waitForSelector('input[type=checkbox]:not(:checked)')
  const tables = async () => ((await storedData(popup)).rows as [string, number][]).map(([name]) => name)
  await expect.poll(tables).toEqual(expect.arrayContaining(['hapax-import-queue outbox', 'hapax-inventory-cache rows']))
  return { fixture, popup }
}

describe('signing out', () => {
  it('leaves only the server’s address and ends the key on the server', async () => {
    const { fixture, popup } = await busySeller()
    const before = await storedData(popup)
    expect(Object.keys(before)).toEqual(Object.keys(nothing))
    expect(before.badge).toBe('1')
    expect(before.notifications).not.toBe(0)
    expect(before.alarms).not.toEqual([])
    const page = await openInventory(fixture)
    await page.waitForSelector('.lines .title')
    await popup.bringToFront()
    await checkState(popup, 'signing-out')
    await popup.locator('form button[type=submit]').click()
    await popup.waitForSelector('input[name=email]')
    // Local data goes first, then the server is told.
    await expect.poll(() => [fixture.hapax.server.keys.size, fixture.hapax.server.bearers.size]).toEqual([0, 0])
    await checkState(popup, 'signed-out-emptied')
    expect(await popup.$('.notice')).toBeNull()
    await page.bringToFront()
    await page.waitForSelector('input[name=email]')
    await expect.poll(() => storedData(popup)).toEqual(onlyServer)
    expect(fixture.chrome.errors).toEqual([])
  })

  it('clears the browser while the server is unreachable', async () => {
    const { fixture, popup } = await busySeller()
    fixture.hapax.server.outage = 'network'
    await popup.locator('form button[type=submit]').click()
    await popup.waitForSelector('::-p-text(did not confirm that the key “Hapax extension (Chrome)” has ended)')
    await checkState(popup, 'signed-out-key-kept')
    expect(fixture.hapax.server.keys.size).toBe(1)
    await expect.poll(() => storedData(popup)).toEqual(onlyServer)
  })

  it('is completed after the browser quit in the middle', async () => {
    const { fixture, popup } = await busySeller()
    await popup.evaluate(async () => {
      const { local } = Reflect.get(globalThis, 'chrome').storage
      const { session } = await local.get('session')
      // The state from the first moment on.
      await local.set({ session: { ...session, status: 'leaving' } })
      localStorage.clear()
    })
    await fixture.chrome.killWorker()
    const again = await fixture.chrome.openPopup()
    await again.waitForSelector('input[name=email]')
    await expect.poll(() => storedData(again)).toEqual(nothing)
    await expect.poll(() => fixture.hapax.server.keys.size).toBe(0)
  })

  it('keeps a key that was created elsewhere, and says so', async () => {
    const fixture = await fixtures.start()
    const { server, url } = fixture.hapax
    const { key } = server.createKey('made elsewhere')
    const popup = await fixture.chrome.openPopup()
    await popup.locator(named('button', 'Use an API key instead')).click()
    await popup.locator('input[name=server]').fill(url)
    await popup.locator('input[name=key]').fill(key)
    await popup.locator('form button[type=submit]').click()
    await popup.locator(named('button', 'Account and settings')).click()
    await popup.waitForSelector('::-p-text(The key itself stays valid. Delete it where you made it.)')
    await checkState(popup, 'signing-out-pasted-key')
    await popup.locator('form button[type=submit]').click()
    await popup.waitForSelector('input[name=email]')
    expect([await popup.$('.notice'), server.keys.size]).toEqual([null, 1])
  })
})
