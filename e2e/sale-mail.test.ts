import { mkdir } from 'node:fs/promises'
import type { Page } from 'puppeteer'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { apiOf, bearer } from '#e2e/harness/api.ts'
import { waitForMessage } from '#e2e/harness/outbox.ts'
import { until } from '#e2e/harness/until.ts'
import { insertItem, insertLiveListing, insertShop } from '#server/selling/listings/testing/build-item.ts'
import { expectAccessible } from './accessibility.ts'
import { openBrowser, type TestBrowser } from './browser.ts'
import { press } from './press.ts'
import { type Service, startService } from './service.ts'
import { password, signUpInApp } from './web-seller.ts'

const email = 'mails@example.com'
/** The address that the marketplaces write to. */
const shop = 'shop@example.com'
const coat = 'Wool Peacoat Navy Vintage 70s'
const scarf = 'Silk Scarf With Horses'
let service: Service
let chromium: TestBrowser
let page: Page
let token: string
let coats: string[]
let scarfItem: string

beforeAll(async () => {
  service = await startService()
  chromium = await openBrowser()
  page = await chromium.newPage()
  await page.setBypassCSP(true)
  await page.setViewport({ width: 1280, height: 800 })
  token = await signUpInApp(page, service.url, email)
  const { db } = service.services
  const { id } = await db.one('update app_user set email_verified = true where email = $1 returning id', [email])
  const shops = { poshmark: await insertShop(db, id, 'poshmark'), depop: await insertShop(db, id, 'depop') }
  const list = async (title: string, n: number) => {
    const item_uid = await insertItem(db, id, { title, price_minor: 6_400 })
    for (const platform of ['poshmark', 'depop'] as const) {
      const listing = { user_id: id, item_uid, seller_account_uid: shops[platform], platform }
      await insertLiveListing(db, { ...listing, listing_id: `${platform}-${n}` })
    }
    await db.none('update channel_listing set price_minor = 6400 where item_uid = $1', [item_uid])
    return item_uid
  }
  scarfItem = await list(scarf, 1)
  coats = [await list(coat, 2), await list(coat, 3)]
})
afterAll(async () => {
  await chromium?.close()
  await service?.close()
})

const stateOf = async (uid: string) =>
  (await service.services.db.one('select state from inventory_item where uid = $1', [uid])).state

/** Checks a screen on a phone and a desk in both color schemes, and takes pictures if SCREENSHOTS names a folder. */
async function check(name: string): Promise<void> {
  const views = { phone: { width: 390, height: 844 }, desk: { width: 1280, height: 800 } }
  for (const [device, viewport] of Object.entries(views)) {
    await page.setViewport(viewport)
    for (const scheme of ['light', 'dark']) {
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
      await expectAccessible(page, `${name} ${device} ${scheme}`)
      if (!process.env.SCREENSHOTS) continue
      await mkdir(process.env.SCREENSHOTS, { recursive: true })
      await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}-${device}-${scheme}.png` })
    }
  }
}

/** Has the sandbox send a sale mail of Poshmark, signed by its domain. */
async function sendSale(address: string, title: string, order: string): Promise<void> {
  const query = new URLSearchParams({ seller: shop, address, title, price: '64.00', order })
  await page.goto(`http://${service.config.SALE_MAIL_DNS}/?${query}`)
  await press(page, 'button[value="poshmark-sale"]')
  await page.waitForSelector('[role=status] ::-p-text(250)')
}

it('leads from the address to the item that is held, and asks where two fit', async () => {
  await page.goto(`${service.url}/app/#account`)
  await press(page, 'main a[href="#sale-mail"]')
  const address = await page
    .waitForSelector('section[aria-labelledby=forward] code')
    .then((code) => code!.evaluate((element) => element.textContent ?? ''))
  expect(address).toMatch(/^sales-[0-9a-v]{30}@sale-mail\.localhost$/)
  await press(page, 'section[aria-labelledby=recipients] summary')
  await page.type('section[aria-labelledby=recipients] input', shop)
  await press(page, 'section[aria-labelledby=recipients] form button')
  await page.waitForSelector(`::-p-text(A link is on its way to ${shop}.)`)
  await check('sale-mail-setup')

  // The link is opened where nobody is signed in.
  const { text } = await waitForMessage(service.services, shop, 'sale-mail-recipient')
  const link = /https?:\/\/\S+/.exec(text)![0]
  await (await page.createCDPSession()).send('Network.clearBrowserCookies')
  await page.goto('about:blank')
  await page.goto(link)
  await page.waitForSelector('#password')
  expect(page.url()).not.toContain('token')
  await page.type('#email', email)
  await page.type('#password', password)
  await page.click('main form button')
  await page.waitForSelector(`::-p-text(${shop} is confirmed.)`)
  expect(page.url()).not.toContain('token')

  await sendSale(address, scarf, '6ab7cb1fff8a471e6bfa36e1')
  await until(
    () => stateOf(scarfItem),
    (state) => state === 'reserved',
  )
  for (const place of ['home', 'sales']) {
    await page.goto(`${service.url}/app/#${place}`)
    await page.waitForSelector(`main ::-p-text(${scarf})`)
    await page.waitForSelector('main ::-p-text(Told by a mail. Held until Poshmark shows it.)')
    await check(`${place}-held`)
  }
  await sendSale(address, coat, '6ab7cb1fff8a471e6bfa36e2')
  await page.goto(`${service.url}/app/#sale-mail`)
  await page.waitForSelector(`.mail a[href="#item/${scarfItem}"]`)
  await page.waitForSelector('.mail ::-p-text(None of them)')
  await check('sale-mail-mails')

  await page.goto(`${service.url}/app/#home`)
  await page.waitForSelector('.candidates li')
  await check('sale-mail-question')
  await press(page, '.candidates button[aria-label^="This one sold"]')
  await until(
    async () => [await stateOf(coats[0]!), await stateOf(coats[1]!)].toSorted().join(),
    (states) => states === 'available,reserved',
  )
  await page.waitForFunction("!document.querySelector('.candidates')")
})

it('says that a marketplace has gone silent, and where a page has not confirmed a mail', async () => {
  const { db } = service.services
  await db.none("update sale_mail_address set used_at = now() - interval '40 days'")
  await db.none("update order_line set recorded_at = now() - interval '1 hour'")
  await db.none("update seller_account set last_seen_at = now() - interval '1 day'")
  const { body } = await apiOf(service.url)('GET', '/api/v1/checks/?kind=sale_unconfirmed', { headers: bearer(token) })
  expect(body.count).toBe(2)
  await page.goto(`${service.url}/app/#home`)
  await page.reload()
  await page.waitForSelector('::-p-text(No sale mail from Depop for 30 days although)')
  await check('sale-mail-home')
  await page.goto(`${service.url}/app/#shops`)
  await page.waitForSelector('::-p-text(No sale mail from Depop for 30 days although)')
  await check('sale-mail-shops')
  await page.goto(`${service.url}/app/#checks`)
  await page.waitForSelector('::-p-text(Sold on Poshmark by mail.)')
  await check('sale-mail-checks')
  await press(page, `button[aria-label="It was no sale: ${scarf}"]`)
  await page.waitForSelector('.toast ::-p-text(The item is available again)')
  expect(await stateOf(scarfItem)).toBe('available')
  await page.locator('.toast button::-p-text(Undo)').click()
  await until(
    () => stateOf(scarfItem),
    (state) => state === 'reserved',
  )
})
