import type { Page } from 'puppeteer'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { edgeCases } from '#server/sandbox/ebay/edge-cases.ts'
import { createHapax } from '#shared/client/client.ts'
import type { Choice, ListingOptions } from '#shared/contract/selling/listings.ts'
import { expectAccessible } from './accessibility.ts'
import { openBrowser, type TestBrowser } from './browser.ts'
import { type Service, startService } from './service.ts'
import { connectShop, signUpInApp } from './web-seller.ts'

const email = 'second-thoughts@example.com'
let service: Service
let chromium: TestBrowser
let page: Page
let token: string | undefined
let uid: string
const hapax = () => createHapax({ baseUrl: service.url, token })

beforeAll(async () => {
  service = await startService()
  chromium = await openBrowser()
  page = await chromium.newPage()
  await page.setBypassCSP(true)
  await page.setViewport({ width: 390, height: 844, isMobile: true, hasTouch: true })
  token = await signUpInApp(page, service.url, email)
  const address = { full_name: 'Vera', line1: '1 Quay Street', city: 'Portland', region: 'ME' }
  await hapax().call('putAddress', { body: { ...address, postal_code: '04101', country: 'US' } })
  await connectShop(service.url, token, 'ebay')
  uid = await listOnEbay()
})
afterAll(async () => {
  await chromium?.close()
  await service?.close()
})

/** Lists a new item on the sandbox's eBay with the first value of every choice. */
async function listOnEbay(): Promise<string> {
  const { uid } = await hapax().call('createInventoryItem', {
    body: {
      title: 'Green wool coat',
      images: [`${service.config.EBAY_API_URL}/images/${edgeCases.noSku[0]}/1.png`],
      condition: { label: 'Used', notes: '' },
      offer: { price_minor: 8_500, currency: 'USD' },
    },
  })
  const params = { uid, slug: 'ebay' }
  const [category] = (await hapax().call('searchCategories', { params, query: { q: 'coat' } })).results
  const { choices } = await hapax().call('listingChoices', { params, query: { category_id: category!.id } })
  const options = { ...optionsOf(choices), category_id: category!.id }
  expect(await hapax().call('listItem', { params, body: { price: '85.00', options } })).toMatchObject({
    status: 'listed',
  })
  return uid
}

function optionsOf(choices: Choice[]): ListingOptions {
  const required = choices.filter((choice) => choice.required && choice.default_id === null)
  const value = ({ values }: Choice) => values[0]?.id ?? 'Other'
  const isAspect = ({ option }: Choice) => option.startsWith('aspects.')
  return {
    ...Object.fromEntries(required.filter((one) => !isAspect(one)).map((one) => [one.option, value(one)])),
    aspects: Object.fromEntries(
      required.filter(isAspect).map((one) => [one.option.slice('aspects.'.length), [value(one)]]),
    ),
  }
}

const press = (name: string) =>
  page.locator(`::-p-xpath(//*[self::button or self::a][normalize-space()="${name}"])`).click()
const live = async () =>
  ((await hapax().call('getInventoryItem', { params: { uid } })).listings ?? []).filter(
    ({ state }) => state === 'available',
  )
const picture = async (name: string) => {
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/undo-${name}.png` })
}

/** Ends the item's listing from its page and waits until it is down. */
async function takeDown(): Promise<void> {
  await page.goto(`${service.url}/app/#item/${uid}`)
  await page.locator('section[aria-labelledby=copies] ::-p-text(live)').wait()
  await page.locator('.item-actions button[aria-label=More]').click()
  await press('End listings…')
  await press('End listings of 1 item')
  await page.waitForSelector('dialog', { hidden: true })
  expect(await live()).toEqual([])
}

it('undoes a take-down from the toast', async () => {
  const [before] = await live()
  await takeDown()
  await page.locator('.toast ::-p-text(1 listing ended)').wait()
  await picture('toast')
  await expectAccessible(page)
  await page.locator('.toast .link').click()
  await page.locator('.toast ::-p-text(Undone)').wait()
  await expect.poll(live, { interval: 500 }).toMatchObject([{ platform: 'ebay', price_minor: 8_500 }])
  expect((await live())[0]!.listing_id).not.toBe(before!.listing_id)
})

it('undoes a take-down from the page of recent changes', async () => {
  await takeDown()
  await page.goto(`${service.url}/app/#changes`)
  await page.locator('main:not([hidden]) ::-p-text(1 eBay listing ended)').wait()
  await picture('page')
  await expectAccessible(page)
  await page.locator('main:not([hidden]) button[aria-label^="Undo, 1 eBay listing ended"]').click()
  await page.locator('.toast ::-p-text(Undone)').wait()
  await expect.poll(async () => (await live()).length, { interval: 500 }).toBe(1)
})
