import type { Page } from 'puppeteer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPushService } from '#server/accounts/web-push/testing/push-service.ts'
import { expectAccessible } from './accessibility.ts'
import { openBrowser, type TestBrowser } from './browser.ts'
import { type Service, startService } from './service.ts'
import { stepTimeoutMs } from './timeouts.ts'
import { signUpInApp } from './web-seller.ts'

/**
 * The switch of push notifications. A headless browser has no push service, so the page's PushManager is a stand-in; the
 * push itself reaches the real service worker by the protocol of the developer tools.
 */
let service: Service
let chromium: TestBrowser
let page: Page
beforeAll(async () => {
  service = await startService()
  chromium = await openBrowser()
  page = await chromium.newPage()
  await page.setBypassCSP(true)
  await page.setViewport({ width: 390, height: 844, isMobile: true, hasTouch: true })
  await signUpInApp(page, service.url, 'pushes@example.com')
})
afterAll(async () => {
  await chromium?.close()
  await service?.close()
})

const device = '::-p-xpath(//label[normalize-space()="Notify me on this device of sales and of what needs me"]/input)'
const isOn = () => page.$eval(device, (input) => (input as HTMLInputElement).checked)
const picture = async (name: string) => {
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/push-${name}.png` })
}

/** Gives pages a push manager with a subscription of the service, which survives reloading. */
async function giveSubscription(subscription: object): Promise<void> {
  await page.evaluateOnNewDocument((given) => {
    const key = 'stand-in push'
    const current = () =>
      localStorage.getItem(key) === null
        ? null
        : {
            ...given,
            toJSON: () => given,
            unsubscribe: async () => {
              localStorage.removeItem(key)
              return true
            },
          }
    PushManager.prototype.getSubscription = async () => current() as never
    PushManager.prototype.subscribe = async (options) => {
      if (!/^B[\w-]{86}$/.test(String(options?.applicationServerKey))) throw new Error('no key')
      localStorage.setItem(key, 'on')
      return current() as never
    }
    const permission = () => localStorage.getItem('stand-in permission') ?? 'default'
    Object.defineProperty(Notification, 'permission', { get: permission })
    Notification.requestPermission = async () => {
      if (permission() === 'default') localStorage.setItem('stand-in permission', 'granted')
      return permission() as NotificationPermission
    }
  }, subscription)
}

it('switches notifications on and off, with their kinds', async () => {
  const pushes = await startPushService()
  await giveSubscription(pushes.subscribe())
  await pushes.close()
  await page.goto(`${service.url}/app/#account/notifications`)
  await page.reload()
  await page.waitForSelector(device)
  expect(await isOn()).toBe(false)
  await picture('off')
  await page.locator(device).click()
  await page.locator('::-p-text(On all my devices)').wait()
  await page.$eval('#push', (heading) => heading.scrollIntoView())
  await picture('on')
  await expectAccessible(page)

  await page.locator('::-p-xpath(//label[normalize-space()="Sales"]/input)').click()
  await page.waitForSelector('::-p-xpath(//label[normalize-space()="Sales"]/input[not(@disabled)])')
  await page.reload()
  await page.waitForSelector('::-p-xpath(//label[normalize-space()="Sales"]/input)')
  expect(await isOn()).toBe(true)
  expect(
    await page.$eval(
      '::-p-xpath(//label[normalize-space()="Sales"]/input)',
      (input) => (input as HTMLInputElement).checked,
    ),
  ).toBe(false)

  await page.locator(device).click()
  await expect.poll(isOn).toBe(false)
  await page.reload()
  await page.waitForSelector(device)
  expect(await isOn()).toBe(false)
})

it('says that notifications are blocked', async () => {
  await page.evaluate("localStorage.setItem('stand-in permission', 'denied')")
  await page.reload()
  await page.locator('::-p-text(Notifications are blocked.)').wait()
  expect(await page.$(device)).toBeNull()
  await picture('blocked')
})

it('shows a push as a notification of its matter', async () => {
  const other = await chromium.newPage()
  await other.browserContext().overridePermissions(service.url, ['notifications'])
  await other.goto(`${service.url}/app/`)
  // Chromium drops pushes to a worker that is not active yet.
  await other.evaluate(async () => void (await navigator.serviceWorker.ready))
  const session = await other.createCDPSession()
  const registered = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [first] = registrations.filter(({ isDeleted }) => !isDeleted)
      if (first) resolve(first.registrationId)
    })
  })
  await session.send('ServiceWorker.enable')
  const data = JSON.stringify({ title: 'Sold on eBay', body: 'Brass sextant', path: '/app/#item/inv_1', tag: 'sale 1' })
  const push = { origin: service.url, registrationId: await registered, data }
  // Delivered again and again: two of one matter are one notification, and a worker that is not active yet hears none.
  const shown = async () => {
    await session.send('ServiceWorker.deliverPushMessage', push)
    await session.send('ServiceWorker.deliverPushMessage', push)
    return other.evaluate(async () =>
      (await (await navigator.serviceWorker.ready).getNotifications()).map(({ title, body, data, tag }) => ({
        ...{ title, body, tag, path: data.path },
      })),
    )
  }
  await expect
    .poll(shown)
    .toEqual([{ title: 'Sold on eBay', body: 'Brass sextant', tag: 'sale 1', path: '/app/#item/inv_1' }])
})

describe('a click on a notification', () => {
  /**
   * Clicks as the browser does. Focusing and opening windows is permitted to real clicks only, so both are stand-ins.
   * Returns the windows that the worker opens, how often it focuses one, and the notifications that are left.
   */
  async function click(path: string, more: { listing_url?: string; action?: string } = {}): Promise<unknown> {
    const address = `${service.url}/app/sw.js`
    const target = await chromium.context.waitForTarget((each) => each.url() === address, { timeout: stepTimeoutMs })
    const worker = (await target.worker())!
    return worker.evaluate(`(async (path, { listing_url, action }) => {
      const opened = []
      let focused = 0
      clients.openWindow = async (url) => void opened.push(url)
      WindowClient.prototype.focus = async () => void focused++
      const tag = 'click'
      await registration.showNotification('Sold on eBay', { tag, data: { path, listing_url } })
      const [notification] = await registration.getNotifications({ tag })
      const event = new NotificationEvent('notificationclick', { notification, action })
      const work = []
      event.waitUntil = (promise) => void work.push(promise)
      dispatchEvent(event)
      await Promise.all(work)
      return { opened, focused, left: (await registration.getNotifications({ tag })).length }
    })(${JSON.stringify(path)}, ${JSON.stringify(more)})`)
  }

  it('shows its page in a window of the app', async () => {
    await page.goto(`${service.url}/app/`)
    for (const each of await chromium.context.pages()) if (each !== page) await each.goto('about:blank')
    expect(await click('/app/#tasks')).toEqual({ opened: [], focused: 1, left: 0 })
    await expect.poll(() => page.url()).toBe(`${service.url}/app/#tasks`)
  })

  it('opens a window where there is none', async () => {
    await page.goto('about:blank')
    const opened = [`${service.url}/app/#item/inv_1`]
    expect(await click('/app/#item/inv_1')).toEqual({ opened, focused: 0, left: 0 })
  })

  it('opens a listing that only the seller can end, and leaves the task as the way back', async () => {
    const listing_url = 'https://poshmark.com/listing/x-65f000000000000000000001'
    await page.goto(`${service.url}/app/`)
    for (const each of await chromium.context.pages()) if (each !== page) await each.goto('about:blank')
    const given = { listing_url }
    expect(await click('/app/#item/inv_1', given)).toEqual({ opened: [listing_url], focused: 0, left: 0 })
    await expect.poll(() => page.url()).toBe(`${service.url}/app/#item/inv_1`)
    expect(await click('/app/#tasks', { ...given, action: 'app' })).toEqual({ opened: [], focused: 1, left: 0 })
    for (const other of ['https://elsewhere.example/', 'https://poshmark.com.elsewhere.example/', 'javascript:1']) {
      expect(await click('/app/#tasks', { listing_url: other })).toEqual({ opened: [], focused: 1, left: 0 })
    }
  })

  it('opens no page elsewhere', async () => {
    expect(await click('https://elsewhere.example/')).toEqual({ opened: [], focused: 0, left: 0 })
  })
})
