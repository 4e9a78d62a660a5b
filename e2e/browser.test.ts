import type { Page } from 'puppeteer'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { violationsOn } from './accessibility.ts'
import { openBrowser, signOutAndClear, type TestBrowser } from './browser.ts'
import { signIn } from './fixture.ts'
import { type PoshmarkSite, startPoshmark } from './sites/poshmark.ts'
import { startStandIn } from './stand-in-http.ts'

const extension = inject('extension')
const feed = 'https://poshmark.com/feed'

let site: PoshmarkSite
const open: TestBrowser[] = []
beforeEach(async () => {
  site = await startPoshmark()
})
afterEach(async () => {
  for (const browser of open.splice(0)) await browser.close()
  await site.close()
})

/** Opens a state of the shared browser, which closes after the test. */
async function start(options?: { extension: string }): Promise<TestBrowser> {
  const browser = await openBrowser(options)
  open.push(browser)
  return browser
}

async function openFeed(browser: TestBrowser): Promise<Page> {
  const page = await browser.newPage()
  await page.goto(feed)
  return page
}

/** Leaves something in every storage that a page has. */
const leaveTraces = (page: Page) =>
  page.evaluate(async () => {
    localStorage.setItem('left', 'yes')
    // biome-ignore lint/suspicious/noDocumentCookie: as sites set it
    document.cookie = 'left=yes'
    await caches.open('left')
    await new Promise((resolve) => {
      indexedDB.open('left').onsuccess = resolve
    })
  })
const tracesIn = (page: Page) =>
  page.evaluate(async () => ({
    local: localStorage.getItem('left'),
    cookie: document.cookie.includes('left'),
    caches: await caches.keys(),
    databases: (await indexedDB.databases()).map(({ name }) => name).filter((name) => name === 'left'),
  }))
const none = { local: null, cookie: false, caches: [], databases: [] }

const inExtension = async (browser: TestBrowser, expression: string) =>
  (await browser.worker()).evaluate(`(async () => (${expression}))()`)

describe('the shared browser', () => {
  it('installs the extension anew for each test', async () => {
    const first = await start({ extension })
    const popup = await first.openPopup()
    await inExtension(first, "chrome.storage.local.set({ left: 'yes' })")
    await inExtension(first, "chrome.alarms.create('left', { periodInMinutes: 1 })")
    await leaveTraces(popup)
    await first.close()
    const second = await start({ extension })
    expect(second.extensionId).not.toBe(first.extensionId)
    expect(await inExtension(second, 'chrome.storage.local.get()')).toEqual({})
    expect(await inExtension(second, "chrome.alarms.get('left').then((alarm) => alarm ?? null)")).toBeNull()
    expect(await tracesIn(await second.openPopup())).toEqual(none)
    const ids = second.context.targets().flatMap((one) => /^chrome-extension:\/\/(\w+)/.exec(one.url())?.[1] ?? [])
    expect(new Set(ids)).toEqual(new Set([second.extensionId]))
  })

  it('forgets pages, storage and permissions of sites with it', async () => {
    const first = await start({ extension })
    const page = await openFeed(first)
    await leaveTraces(page)
    await first.context.overridePermissions(new URL(feed).origin, ['geolocation'])
    const permission = (of: Page) =>
      of.evaluate(async () => (await navigator.permissions.query({ name: 'geolocation' })).state)
    expect([await tracesIn(page), await permission(page)]).toEqual([
      { local: 'yes', cookie: true, caches: ['left'], databases: ['left'] },
      'granted',
    ])
    await first.close()
    expect((await first.context.pages()).map((one) => one.url())).toEqual(['about:blank'])
    const again = await openFeed(await start({ extension }))
    expect([await tracesIn(again), await permission(again)]).toEqual([none, 'prompt'])
  })

  it('keeps the extension, signed out, for the next test of a file', async () => {
    const hapax = await startStandIn()
    const chrome = await start({ extension })
    const popup = await signIn({ chrome, hapax })
    await popup.evaluate(() => localStorage.setItem('left', 'yes'))
    const page = await openFeed(chrome)
    await leaveTraces(page)
    await signOutAndClear(chrome)
    expect((await chrome.context.pages()).map((one) => one.url())).toEqual(['about:blank'])
    expect(await inExtension(chrome, 'chrome.storage.local.get()')).toEqual({})
    expect(await inExtension(chrome, 'chrome.action.getBadgeText({})')).toBe('')
    const next = await chrome.openPopup()
    await next.waitForSelector('input[name=email]')
    expect(await next.evaluate(() => localStorage.getItem('left'))).toBeNull()
    expect(await tracesIn(await openFeed(chrome))).toEqual(none)
    await hapax.close()
  })

  it('clears what an aborted test left open', async () => {
    const left = await openBrowser({ extension })
    await leaveTraces(await openFeed(left))
    const next = await start({ extension })
    expect(await tracesIn(await openFeed(next))).toEqual(none)
    // A late end of the first does not disturb the second.
    await left.close()
    expect(await inExtension(next, 'chrome.runtime.id')).toBe(next.extensionId)
  })

  it('keeps tests without the extension apart', async () => {
    const first = await start()
    await leaveTraces(await openFeed(first))
    const second = await start()
    expect(await tracesIn(await openFeed(second))).toEqual(none)
    expect(second.context.targets().filter((one) => one.url().startsWith('chrome-extension:'))).toEqual([])
  })

  it('is replaced after it was killed', async () => {
    const first = await openBrowser()
    await first.kill()
    expect(await (await openFeed(await start())).title()).toBe('Feed - Poshmark')
  })

  it('reaches no host but the stand-ins and this machine', async () => {
    const page = await (await start()).newPage()
    await expect(page.goto('https://hapax.example/')).rejects.toThrow('ERR_NAME_NOT_RESOLVED')
    // A stand-in that does not run.
    await expect(page.goto('https://www.depop.com/')).rejects.toThrow('ERR_EMPTY_RESPONSE')
  })
})

describe('the accessibility check of a long list', () => {
  const list = (lineOf: (n: number) => string) =>
    `<html lang="en"><title>List</title><main><h1>List</h1><ul>${Array.from({ length: 60 }, (_, n) => `<li>${lineOf(n)}</li>`).join('')}</ul></main></html>`
  const violationsOf = async (html: string) => {
    const page = await (await start()).newPage()
    await page.setContent(html)
    return violationsOn(page)
  }

  it('finds what all lines break, and what a single one breaks', async () => {
    expect(await violationsOf(list((n) => `<button>Item ${n}</button>`))).toEqual([])
    const broken = [expect.stringContaining('button-name')]
    expect(await violationsOf(list(() => '<button></button>'))).toEqual(broken)
    expect(await violationsOf(list((n) => `<button>${n === 50 ? '' : n}</button>`))).toEqual(broken)
    const pale = (n: number) => (n === 50 ? '<b style="color: #ddd">50</b>' : `<b style="color: #111">${n}</b>`)
    expect(await violationsOf(list(pale))).toEqual([expect.stringContaining('color-contrast')])
  })
})
