import { mkdir } from 'node:fs/promises'
import type { Page } from 'puppeteer'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { apiOf, bearer } from '#e2e/harness/api.ts'
import { messagesTo } from '#e2e/harness/outbox.ts'
import { startPushService } from '#server/accounts/web-push/testing/push-service.ts'
import { mailAlerts } from '#server/selling/alerts/mail-alerts.ts'
import { insertShop } from '#server/selling/listings/testing/build-item.ts'
import {
  buildListedItem,
  type ListedItem,
  listingOf,
  orderFor,
  placeOrder,
} from '#server/selling/sales/testing/sell.ts'
import { expectAccessible } from './accessibility.ts'
import { openBrowser, type TestBrowser } from './browser.ts'
import { signInTo } from './fixture.ts'
import { type Service, startService } from './service.ts'
import { password, signUpInApp } from './web-seller.ts'

/** Two items sell on eBay while they are live on Poshmark and Depop: what the seller sees, is mailed and is notified of. */
const seller = { email: 'still-live@example.com', password }

let service: Service
let chromium: TestBrowser
let page: Page
let popup: Page
let token: string
let user_id: number
let shops: Record<string, string>
const call = (method: string, path: string, body?: unknown) =>
  apiOf(service.url)(method, path, { headers: bearer(token), body })

beforeAll(async () => {
  service = await startService()
  chromium = await openBrowser({ extension: inject('extension') })
  page = await chromium.newPage()
  await page.setBypassCSP(true)
  await page.setViewport(phone)
  token = await signUpInApp(page, service.url, seller.email)
  const { db } = service.services
  const account = await db.one('update app_user set email_verified = true where email = $1 returning id', [
    seller.email,
  ])
  user_id = account.id
  shops = {}
  for (const platform of ['ebay', 'poshmark', 'depop'] as const)
    shops[platform] = await insertShop(db, user_id, platform)
  const pushes = await startPushService()
  expect((await call('PUT', '/api/v1/user/web-push/', pushes.subscribe())).status).toBe(200)
  await pushes.close()
})
afterAll(async () => {
  await chromium?.close()
  await service?.close()
})

const phone = { width: 390, height: 844, isMobile: true, hasTouch: true }
const desktop = { width: 1_280, height: 800 }

/** Builds an item that is live on eBay and one other marketplace. */
const itemOn = async (platform: 'poshmark' | 'depop', title: string): Promise<ListedItem> => {
  const { db } = service.services
  const item = await buildListedItem(db, {
    user_id,
    shops: { ebay: shops.ebay!, [platform]: shops[platform]! },
  })
  await db.none('update inventory_item set title = $2, images = $3 where uid = $1', [
    item.item_uid,
    title,
    [`${service.url}/icon/128.png`],
  ])
  return item
}
const sell = (item: ListedItem, given: object = {}) =>
  placeOrder(service.services.db, user_id, orderFor(item, 'ebay', { id: `o-${item.item_uid}`, ...given }))
/** Lets sales and alerts have happened so many minutes earlier. */
const pass = (minutes: number) =>
  service.services.db.none(
    `update sale set sold_at = sold_at - $1 * interval '1 minute';
     update alert set created_at = created_at - $1 * interval '1 minute', notify_at = notify_at - $1 * interval '1 minute'`,
    [minutes],
  )

const rows = (where: Page) =>
  where.$$eval('[aria-labelledby="needs-you"] li', (all) =>
    all.map((one) => ({
      words: (one as HTMLElement).innerText.replaceAll(/\s+/g, ' ').trim(),
      isRed: one.classList.contains('grave'),
    })),
  )
const inWorker = async (expression: string) => (await chromium.worker()).evaluate(expression)
const mails = async () =>
  (await messagesTo(service.services, seller.email)).filter(({ template }) => template === 'alert')
const pushed = () =>
  service.services.db.map(
    "select notice ->> 'title' as title from web_push_notice where user_id = $1 order by id",
    [user_id],
    ({ title }) => title as string,
  )

/** Takes pictures in two widths, light and dark, if SCREENSHOTS names a folder. */
async function photograph(name: string, where = page): Promise<void> {
  const folder = process.env.SCREENSHOTS
  if (!folder) return
  await mkdir(folder, { recursive: true })
  for (const scheme of ['light', 'dark']) {
    await where.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
    for (const viewport of where === page ? [desktop, phone] : [null]) {
      if (viewport) await where.setViewport(viewport)
      // Puppeteer reloads the page as a phone.
      await where.waitForSelector('.grave')
      await where.screenshot({ path: `${folder}/still-live-${name}-${viewport?.width ?? 'popup'}-${scheme}.png` })
    }
  }
  await where.emulateMediaFeatures([])
}

it('shows a sold item that is still live first and red, the oldest on top, until it is seen down', async () => {
  const [coat, boots, lamp] = [
    await itemOn('poshmark', 'Wool coat, green'),
    await itemOn('depop', 'Cream boots'),
    await itemOn('depop', 'Brass lamp'),
  ]
  popup = await signInTo(chromium, { server: service.url, ...seller })

  await sell(lamp)
  await sell(lamp, { status: 'cancelled', at: 1 })
  await sell(coat)
  await pass(4)
  await sell(boots)

  const live = (platform: string, title: string, when: string) => ({
    words: `Still live on ${platform} ${title} Sold on eBay ${when}. I ended it Take it down`,
    isRed: true,
  })
  const expected = [
    live('Poshmark', 'Wool coat, green', '4 min. ago'),
    live('Depop', 'Cream boots', 'just now'),
    {
      words: expect.stringMatching(
        /^Sale canceled\. The item is available again.*Checking whether eBay lists it again/,
      ),
      isRed: false,
    },
  ]
  await page.bringToFront()
  await page.goto(`${service.url}/app/#home`)
  await page.reload()
  await expect.poll(() => rows(page)).toEqual(expected)
  expect(await page.title()).toBe('(2) Hapax')
  await page.waitForSelector('.top .badge.urgent')
  const link = '.grave a.button'
  expect(await page.$eval(link, (a) => (a as HTMLAnchorElement).href)).toBe('https://example.com/listing')
  await expectAccessible(page)
  await photograph('home')

  await popup.bringToFront()
  await popup.reload()
  await expect.poll(() => rows(popup)).toEqual(expected)
  await photograph('popup', popup)
  await inWorker("chrome.alarms.onAlarm.dispatch({ name: 'watch' })")
  await expect.poll(() => inWorker('chrome.action.getBadgeText({})')).toBe('!')

  expect([await mails(), await pushed()]).toEqual([[], []])
  await pass(1.1)
  for (let round = 0; round < 2; round++) await mailAlerts(service.services)
  expect((await mails()).map(({ subject }) => subject)).toEqual(['Still live on Poshmark: Wool coat, green'])
  expect(await pushed()).toEqual(['Still live on Poshmark: Wool coat, green'])

  await page.bringToFront()
  for (const place of ['Poshmark, Wool coat, green', 'Depop, Cream boots']) {
    // Presses count once the act before has its answer.
    await page.locator(`button[aria-label="I ended it: Still live on ${place}"]:not([aria-disabled="true"])`).click()
    await page.waitForSelector(`button[aria-label="I ended it: Still live on ${place}"]`, { hidden: true })
  }
  const said = (platform: string, title: string, when: string) => ({
    words: expect.stringMatching(
      `^You ended it on ${platform}. Not seen yet ${title} Sold on eBay ${when}. .+ Dismiss Open listing$`,
    ),
    isRed: true,
  })
  await expect
    .poll(() => rows(page))
    .toEqual([
      said('Poshmark', 'Wool coat, green', '\\d+ min. ago'),
      said('Depop', 'Cream boots', '\\d+ min. ago'),
      expected[2],
    ])
  expect(await page.title()).toBe('(2) Hapax')
  const sold = () => page.$eval('[aria-labelledby="sold"]', (section) => (section as HTMLElement).innerText)
  expect(await sold()).not.toContain('Ended on')
  await expectAccessible(page)
  await photograph('said')
  expect((await call('GET', '/api/v1/extension/tasks/')).body.results).toEqual([])
  await pass(10)
  await mailAlerts(service.services)
  expect(await mails()).toHaveLength(1)

  const body = { platform: 'poshmark', shop: { username: 'A shop' }, state: 'ended' }
  const listing_ids = [listingOf('poshmark', coat.item_uid)]
  await call('POST', '/api/v1/extension/sales/', { ...body, listing_ids })
  await expect.poll(() => rows(page)).toHaveLength(2)
  await expect.poll(sold).toContain('Ended on Poshmark')
  await page.locator('button[aria-label="Dismiss: You ended it on Depop. Not seen yet, Cream boots"]').click()
  await expect.poll(() => rows(page)).toEqual(expected.slice(2))
  await expect.poll(() => page.title()).toBe('Hapax')
})
