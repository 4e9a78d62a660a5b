import type { Page } from 'puppeteer'
import { afterEach, describe, expect, it } from 'vitest'
import { sampleItem } from '#extension/testing/sample-inventory.ts'
import { sampleTask } from '#extension/testing/sample-task.ts'
import { createHapax } from '#shared/client/client.ts'
import {
  badge,
  type Fixture,
  inContentScript,
  openInventory,
  prepareFixtures,
  signIn,
  signInTo,
  streaming,
} from './fixture.ts'
import { startService } from './service.ts'

const fixtures = prepareFixtures()
afterEach(fixtures.signOutAll)

/** Disables a page's own polling, so that any change is due to an event. */
async function withoutPolling(page: Page): Promise<Page> {
  await page.evaluateOnNewDocument(() => {
    const soon = globalThis.setTimeout
    Object.assign(globalThis, {
      setTimeout: (work: () => void, ms = 0) => (ms > 1_000 ? 0 : soon(work, ms)),
    })
  })
  await page.reload()
  return page
}

describe('server events', () => {
  it('update the popup, the full page and the badge', async () => {
    const fixture = await fixtures.start()
    const { server } = fixture.hapax
    server.inventory.push(sampleItem(0))
    await signIn(fixture)
    const page = await withoutPolling(await openInventory(fixture))
    await page.waitForSelector('::-p-text(1 of 1)')
    await streaming(fixture).toBe(1)
    server.selling.change(server.inventory[0]!, 'sold')
    server.stream.publish('item.state_changed')
    await page.waitForSelector('.lines .state.sold')

    const popup = await withoutPolling(await fixture.chrome.openPopup())
    await popup.waitForSelector('input[placeholder="Search 1 item"]')
    await streaming(fixture).toBe(1)
    server.tasks.push(sampleTask())
    server.stream.publish('task.opened')
    await popup.waitForSelector('::-p-text(Take it down on Depop)')
    await expect.poll(() => badge(fixture)).toBe('1')
    server.ebay = 'reconnect_required'
    server.stream.publish('connection.lost')
    await popup.waitForSelector('::-p-text(Reconnect eBay)')
    await expect.poll(() => badge(fixture)).toBe('2')
    expect(fixture.chrome.errors).toEqual([])
  })

  it('are received only while a page is visible', async () => {
    const fixture = await fixtures.start()
    const popup = await signIn(fixture)
    await streaming(fixture).toBe(1)
    await popup.close()
    await streaming(fixture).toBe(0)
    const again = await fixture.chrome.openPopup()
    await streaming(fixture).toBe(1)
    const other = await fixture.chrome.newPage()
    await other.bringToFront()
    await again.waitForFunction(() => document.visibilityState === 'hidden', { polling: 100 })
    await streaming(fixture).toBe(0)
    await again.bringToFront()
    await streaming(fixture).toBe(1)
  })

  it('resume where they were after the worker was stopped', async () => {
    const fixture = await fixtures.start()
    const { server } = fixture.hapax
    const popup = await withoutPolling(await signIn(fixture))
    await streaming(fixture).toBe(1)
    server.tasks.push(sampleTask())
    server.stream.publish('task.opened')
    await popup.waitForSelector('::-p-text(Take it down on Depop)')
    // The reload ends its first stream, and an event just then is missed: the popup reads everything itself.
    const heard = () => {
      server.stream.publish('task.opened')
      return stored(fixture)
    }
    await expect.poll(heard, { interval: 500 }).not.toBeNull()
    const last = server.stream.types.length
    await expect.poll(() => stored(fixture)).toBe(last)
    const before = server.stream.opened.length
    await fixture.chrome.killWorker()
    await expect.poll(() => server.stream.opened.length).toBeGreaterThan(before)
    expect(server.stream.opened.at(-1)).toBe(String(last))
  })

  it('are out of reach for a content script', async () => {
    const fixture = await fixtures.start({ listings: 3 })
    await signIn(fixture)
    const page = await fixture.chrome.newPage()
    await page.goto('https://poshmark.com/closet/samplecloset')
    await page.waitForSelector('hapax-import')
    const heard = await inContentScript(
      fixture,
      page,
      `new Promise((done) => {
        const port = chrome.runtime.connect({ name: 'news' })
        port.onMessage.addListener((news) => done(JSON.stringify(news)))
        port.onDisconnect.addListener(() => done('refused'))
      })`,
    )
    expect(heard).toBe('refused')
  })
})

describe('the real server', () => {
  it('reports a sale to an open page without polling', async () => {
    const service = await startService()
    try {
      const fixture = await fixtures.start()
      const email = 'live@example.com'
      const password = 'a fine green coat 7'
      const { token } = await createHapax({ baseUrl: service.url }).call('registerByEmail', {
        body: { email, password, password_confirm: password },
      })
      const hapax = createHapax({ baseUrl: service.url, token })
      const item = await hapax.call('createInventoryItem', {
        body: {
          title: 'Wool coat',
          images: ['https://example.com/coat.jpg'],
          condition: { label: 'Good', notes: '' },
          offer: { price_minor: 8_500, currency: 'USD' },
        },
      })
      const popup = await signInTo(fixture.chrome, { server: service.url, email, password })
      await popup.waitForSelector('input[placeholder="Search 1 item"]')
      const page = await withoutPolling(await openInventory(fixture))
      await page.waitForSelector('::-p-text(1 of 1)')
      await page.waitForSelector('.lines .state.available')
      // After the initial load that the opened stream causes.
      await page.waitForFunction(() => document.querySelector('main')?.ariaBusy !== 'true')
      await hapax.call('markItemSold', { params: { uid: item.uid }, body: {} })
      await page.waitForSelector('.lines .state.sold')
      expect(fixture.chrome.errors).toEqual([])
    } finally {
      await service.close()
    }
  })
})

/** Returns the number of the last event that the extension stored. */
async function stored({ chrome }: Fixture): Promise<number | null> {
  return (await chrome.worker()).evaluate(async () => {
    const { storage } = Reflect.get(globalThis, 'chrome')
    return (await storage.local.get('heard')).heard?.id ?? null
  })
}
