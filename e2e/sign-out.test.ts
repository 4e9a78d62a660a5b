import type { Page } from 'puppeteer'
import { afterEach, describe, expect, it } from 'vitest'
import { sampleInventory } from '#extension/testing/sample-inventory.ts'
import { sampleTask } from '#extension/testing/sample-task.ts'
import { badge, checkState, inWorker, named, openInventory, prepareWorlds, signIn, type World } from './world.ts'

const worlds = prepareWorlds()
afterEach(worlds.closeAll)

/** Returns everything that the extension stores in the browser, by place. */
async function kept(page: Page): Promise<Record<string, unknown>> {
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

/** Creates a seller with a half-imported closet, an inventory, a notified task and settings. */
async function busySeller(): Promise<{ world: World; popup: Page }> {
  const world = await worlds.start({ listings: 30 })
  const { server } = world.hapax
  server.inventory.push(...sampleInventory(20))
  const first = await signIn(world)
  await first.close()
  server.tasks.push(sampleTask())
  await inWorker(world, "chrome.alarms.onAlarm.dispatch({ name: 'watch', scheduledTime: 0 })")
  await expect.poll(() => badge(world)).toBe('1')
  // Whether a notification exists depends on timing; the browser will not withdraw this one in time.
  await inWorker(
    world,
    "new Promise((done) => chrome.notifications.create('hapax-task ', { type: 'basic', iconUrl: 'icon/128.png', title: 'One', message: 'more', requireInteraction: true }, done))",
  )
  server.faults.push({ operation: 'startExtensionImport', code: 'network', times: 100 })
  const closet = await world.chrome.newPage()
  await closet.goto('https://poshmark.com/closet/samplecloset')
  await (await closet.waitForSelector(named('button', 'Import 30 listings')))!.click()
  const popup = await world.chrome.openPopup()
  await popup.locator(named('button', 'Account and settings')).click()
  await popup.locator('input[type=checkbox]').click()
  await popup.waitForSelector('input[type=checkbox]:not(:checked)')
  const tables = async () => ((await kept(popup)).rows as [string, number][]).map(([name]) => name)
  await expect.poll(tables).toEqual(expect.arrayContaining(['hapax-import-queue outbox', 'hapax-inventory-cache rows']))
  return { world, popup }
}

describe('signing out', () => {
  it('leaves nothing in the browser and ends the key on the server', async () => {
    const { world, popup } = await busySeller()
    const before = await kept(popup)
    expect(Object.keys(before)).toEqual(Object.keys(nothing))
    expect(before.badge).toBe('1')
    expect(before.notifications).not.toBe(0)
    expect(before.alarms).not.toEqual([])
    const page = await openInventory(world)
    await page.waitForSelector('.lines .title')
    await popup.bringToFront()
    await checkState(popup, 'signing-out')
    await popup.locator('form button[type=submit]').click()
    await popup.waitForSelector('input[name=email]')
    // Local data goes first, then the server is told.
    await expect.poll(() => [world.hapax.server.keys.size, world.hapax.server.bearers.size]).toEqual([0, 0])
    await checkState(popup, 'signed-out-emptied')
    expect(await popup.$('.notice')).toBeNull()
    await page.bringToFront()
    await page.waitForSelector('input[name=email]')
    await expect.poll(() => kept(popup)).toEqual(nothing)
    expect(world.chrome.errors).toEqual([])
  })

  it('clears the browser while the server is unreachable', async () => {
    const { world, popup } = await busySeller()
    world.hapax.server.mood = 'network'
    await popup.locator('form button[type=submit]').click()
    await popup.waitForSelector('::-p-text(did not confirm that the key “Hapax extension (Chrome)” has ended)')
    await checkState(popup, 'signed-out-key-kept')
    expect(world.hapax.server.keys.size).toBe(1)
    await expect.poll(() => kept(popup)).toEqual(nothing)
  })

  it('is completed after the browser quit in the middle', async () => {
    const { world, popup } = await busySeller()
    await popup.evaluate(async () => {
      const { local } = Reflect.get(globalThis, 'chrome').storage
      const { session } = await local.get('session')
      // The state from the first moment on.
      await local.set({ session: { ...session, status: 'leaving' } })
      localStorage.clear()
    })
    await world.chrome.killWorker()
    const again = await world.chrome.openPopup()
    await again.waitForSelector('input[name=email]')
    await expect.poll(() => kept(again)).toEqual(nothing)
    await expect.poll(() => world.hapax.server.keys.size).toBe(0)
  })

  it('keeps a key that was created elsewhere, and says so', async () => {
    const world = await worlds.start()
    const { server, url } = world.hapax
    const { key } = server.createKey('made elsewhere')
    const popup = await world.chrome.openPopup()
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
