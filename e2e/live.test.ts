import type { Page } from 'puppeteer'
import { afterEach, describe, expect, it } from 'vitest'
import { sampleItem } from '#extension/testing/sample-inventory.ts'
import { sampleTask } from '#extension/testing/sample-task.ts'
import { createClient } from '#shared/contract/client.ts'
import { contract } from '#shared/contract/index.ts'
import { startStack } from './stack.ts'
import { badge, inContentScript, openInventory, prepareWorlds, signIn, streaming, type World } from './world.ts'

const worlds = prepareWorlds()
afterEach(worlds.closeAll)

/** Disables a page's own polling, so that any change is due to an event. */
async function deaf(page: Page): Promise<Page> {
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
    const world = await worlds.start()
    const { server } = world.hapax
    server.inventory.push(sampleItem(0))
    await signIn(world)
    const page = await deaf(await openInventory(world))
    await page.waitForSelector('::-p-text(1 of 1)')
    await streaming(world).toBe(1)
    server.selling.change(server.inventory[0]!, 'sold')
    server.stream.publish('item.state_changed')
    await page.waitForSelector('.lines .state.sold')

    const popup = await deaf(await world.chrome.openPopup())
    await popup.waitForSelector('input[placeholder="Search 1 item"]')
    await streaming(world).toBe(1)
    server.tasks.push(sampleTask())
    server.stream.publish('task.opened')
    await popup.waitForSelector('::-p-text(Take it down on Depop)')
    await expect.poll(() => badge(world)).toBe('1')
    server.ebay = 'reconnect_required'
    server.stream.publish('connection.lost')
    await popup.waitForSelector('::-p-text(Reconnect eBay)')
    await expect.poll(() => badge(world)).toBe('2')
    expect(world.chrome.errors).toEqual([])
  })

  it('are received only while a page is visible', async () => {
    const world = await worlds.start()
    const popup = await signIn(world)
    await streaming(world).toBe(1)
    await popup.close()
    await streaming(world).toBe(0)
    const again = await world.chrome.openPopup()
    await streaming(world).toBe(1)
    const other = await world.chrome.newPage()
    await other.bringToFront()
    await again.waitForFunction(() => document.visibilityState === 'hidden', { polling: 100 })
    await streaming(world).toBe(0)
    await again.bringToFront()
    await streaming(world).toBe(1)
  })

  it('resume where they were after the worker was stopped', async () => {
    const world = await worlds.start()
    const { server } = world.hapax
    const popup = await deaf(await signIn(world))
    await streaming(world).toBe(1)
    server.tasks.push(sampleTask())
    server.stream.publish('task.opened')
    await popup.waitForSelector('::-p-text(Take it down on Depop)')
    // The reload ends its first stream, and an event just then is missed: the popup reads everything itself.
    const heard = () => {
      server.stream.publish('task.opened')
      return stored(world)
    }
    await expect.poll(heard, { interval: 500 }).not.toBeNull()
    const last = server.stream.types.length
    await expect.poll(() => stored(world)).toBe(last)
    const before = server.stream.opened.length
    await world.chrome.killWorker()
    await expect.poll(() => server.stream.opened.length).toBeGreaterThan(before)
    expect(server.stream.opened.at(-1)).toBe(String(last))
  })

  it('are out of reach for a content script', async () => {
    const world = await worlds.start({ listings: 3 })
    await signIn(world)
    const page = await world.chrome.newPage()
    await page.goto('https://poshmark.com/closet/samplecloset')
    await page.waitForSelector('hapax-import')
    const heard = await inContentScript(
      world,
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
    const stack = await startStack()
    try {
      const world = await worlds.start()
      let token = ''
      const call = createClient({
        baseUrl: stack.url,
        fetch,
        headers: (): Record<string, string> => (token ? { authorization: `Bearer ${token}` } : {}),
      })
      const email = 'live@example.com'
      const password = 'a fine green coat 7'
      token = (await call(contract.registerByEmail, { body: { email, password, password_confirm: password } })).token
      const item = await call(contract.createInventoryItem, {
        body: {
          title: 'Wool coat',
          images: ['https://example.com/coat.jpg'],
          condition: { label: 'Good', notes: '' },
          offer: { price_minor: 8_500, currency: 'USD' },
        },
      })
      const popup = await world.chrome.openPopup()
      await popup.locator('input[name=server]').fill(stack.url)
      await popup.locator('input[name=email]').fill(email)
      await popup.locator('input[name=password]').fill(password)
      await popup.locator('button[type=submit]').click()
      await popup.waitForSelector('input[placeholder="Search 1 item"]')
      const page = await deaf(await openInventory(world))
      await page.waitForSelector('::-p-text(1 of 1)')
      await page.waitForSelector('.lines .state.available')
      // After the initial load that the opened stream causes.
      await page.waitForFunction(() => document.querySelector('main')?.ariaBusy !== 'true')
      await call(contract.markItemSold, { params: { uid: item.uid }, body: {} })
      await page.waitForSelector('.lines .state.sold')
      expect(world.chrome.errors).toEqual([])
    } finally {
      await stack.close()
    }
  })
})

/** Returns the number of the last event that the extension stored. */
async function stored({ chrome }: World): Promise<number | null> {
  return (await chrome.worker()).evaluate(async () => {
    const { storage } = Reflect.get(globalThis, 'chrome')
    return (await storage.local.get('heard')).heard?.id ?? null
  })
}
