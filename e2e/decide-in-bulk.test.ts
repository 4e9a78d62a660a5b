import type { Page } from 'puppeteer'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { apiOf, bearer } from '#e2e/harness/api.ts'
import { until } from '#e2e/harness/until.ts'
import { createReadPhoto, type ReadPhoto } from '#server/catalog/imports/matching/read-photo.ts'
import { createFetchPicture } from '#server/integrations/fetch-picture.ts'
import { expectAccessibleInBoth } from './accessibility.ts'
import { openBrowser, type TestBrowser } from './browser.ts'
import { type Service, startService } from './service.ts'
import { connectShop, signUpInApp } from './web-seller.ts'

const conflictsPath = '/api/v1/marketplace/import/conflicts/'

let service: Service
let chromium: TestBrowser
let token: string
let page: Page
const call = (method: string, path: string, body?: unknown) =>
  apiOf(service.url)(method, path, { headers: bearer(token), body })

/** As for shops whose imports have no time left for photos, and picture hosts that answer when the test says so. */
const mayCompare = Promise.withResolvers<void>()
const readPhoto: ReadPhoto = async (url, signal, user_id, isPatient) => {
  if (!isPatient) return undefined
  await mayCompare.promise
  const platformOrigins = [service.config.EBAY_API_URL, service.config.ETSY_API_URL].map((api) => new URL(api).origin)
  return createReadPhoto(createFetchPicture({ platformOrigins }))(url, signal, user_id, true)
}

beforeAll(async () => {
  service = await startService({}, { shops: 'dozens', services: { readPhoto } })
  chromium = await openBrowser()
  page = await chromium.newPage()
  await page.setBypassCSP(true)
  token = await signUpInApp(page, service.url, 'decides@example.com')
  await page.goto('about:blank')
  for (const slug of ['ebay', 'etsy'] as const) await connectShop(service.url, token, slug)
})
afterAll(async () => {
  await chromium?.close()
  await service?.close()
})

async function importShop(slug: string): Promise<void> {
  const { body } = await call('POST', `/api/v1/marketplace/${slug}/import/`)
  await until(
    () => call('GET', `/api/v1/marketplace/import/jobs/${body.id}/`),
    (job) => job.body.status === 'completed',
  )
}

const groups = async () => (await call('GET', conflictsPath)).body.groups as Record<string, number>

const reasonsOfSecond = () =>
  page.$$eval('.decision:nth-of-type(2) .reasons li', (all) => all.map((one) => one.textContent))

const check = (name: string) => expectAccessibleInBoth(page, name)

it('compares the photos of imports side by side, without a reload', async () => {
  await Promise.all([importShop('ebay'), importShop('etsy')])
  await page.goto(`${service.url}/app/#decisions`)
  await page.waitForSelector('::-p-text(Comparing photos,)')
  const { comparing } = (await call('GET', conflictsPath)).body
  expect(comparing).toBeGreaterThan(10)
  const texts = () => page.$$eval('.certainty', (all) => all.map((head) => head.textContent))
  expect((await texts()).at(-1)).toBe(`${comparing} listings not compared yet`)
  for (const text of await texts()) expect(text).not.toContain(' all ')
  for (const [name, width] of [
    ['phone', 390],
    ['desk', 1280],
  ] as const) {
    await page.setViewport({ width, height: 800 })
    await check(`decisions-comparing-${name}`)
  }
  mayCompare.resolve()
  await page.waitForFunction(() => !document.body.textContent.includes('Comparing photos'))
  expect(await reasonsOfSecond()).toContain('Same photo')
  const { groups } = (await call('GET', conflictsPath)).body
  expect(groups.certain).toBeGreaterThan(10)
  expect((await texts())[0]).toBe(
    `${groups.certain} certain matchesLink all ${groups.certain} certain matchesSkip all ${groups.certain}`,
  )
  await check('decisions-compared')
})

it.each([
  ['phone', { width: 390, height: 844, isMobile: true }],
  ['desk', { width: 1280, height: 800 }],
] as const)('shows both photos and what agrees on a %s', async (name, viewport) => {
  await page.setViewport(viewport)
  await page.goto(`${service.url}/app/#decisions`)
  await page.waitForSelector('.decision')
  // Both photos of the first listing, not the places that stand for missing ones.
  await page.waitForFunction(() => {
    const photos = [...document.querySelectorAll<HTMLImageElement>('.decision')][0]?.querySelectorAll('img') ?? []
    return photos.length === 2 && [...photos].every(({ naturalWidth }) => naturalWidth > 0)
  })
  expect(await reasonsOfSecond()).toEqual(expect.arrayContaining(['Same photo', 'Same size']))
  await check(`decisions-${name}`)
})

it('is worked by keys, and goes on to the next listing', async () => {
  const before = await groups()
  const current = () => page.$eval('.decision.active .side:first-child .clamp', (title) => title.textContent)
  const first = await current()
  await page.keyboard.press('j')
  const second = await current()
  expect(second).not.toBe(first)
  await page.keyboard.press('k')
  expect(await current()).toBe(first)
  await page.keyboard.press('l')
  await page.waitForSelector('::-p-text(1 listing linked)')
  await expect.poll(current).toBe(second)
  await page.keyboard.press('s')
  await page.waitForSelector('::-p-text(1 listing skipped)')
  await expect.poll(current).not.toBe(second)
  expect(await page.evaluate(() => document.activeElement?.classList.contains('decision'))).toBe(true)
  const after = await groups()
  const sum = (all: Record<string, number>) => Object.values(all).reduce((one, other) => one + other, 0)
  expect(sum(after)).toBe(sum(before) - 2)
})

it.each([
  ['phone', { width: 390, height: 844, isMobile: true }],
  ['desk', { width: 1280, height: 800 }],
] as const)('never hides what has the focus behind a head or foot on a %s', async (_name, viewport) => {
  await page.setViewport(viewport)
  for (let n = 0; n < 12; n++) await page.keyboard.press('j')
  await page.keyboard.down('Shift')
  const hidden = []
  for (let n = 0; n < 40; n++) {
    await page.keyboard.press('Tab')
    hidden.push(await page.evaluate(coverOfFocus))
  }
  await page.keyboard.up('Shift')
  expect(hidden.filter((cover) => cover !== null)).toEqual([])
  await page.setViewport({ width: 1280, height: 800 })
})

it('decides the selected ones together', async () => {
  const before = (await call('GET', conflictsPath)).body.count
  // Keys may come faster than the screen is drawn, and each is about the listing that the one before led to.
  await page.evaluate(async () => {
    for (const key of ['x', 'j', 'x']) {
      dispatchEvent(new KeyboardEvent('keydown', { key }))
      await new Promise((resolve) => setTimeout(resolve))
    }
  })
  await page.waitForSelector('::-p-text(2 items selected)')
  await check('decisions-selected')
  await page.locator('::-p-text(Skip 2 listings)').click()
  await page.waitForSelector('::-p-text(2 listings skipped)')
  expect((await call('GET', conflictsPath)).body.count).toBe(before - 2)
})

it('reads the failed listings of an import again with one press', async () => {
  const jobs = '/api/v1/marketplace/import/jobs/'
  const job = (await call('GET', jobs)).body.find((one: { items_failed: number }) => one.items_failed > 0)
  const readAt = async (): Promise<string[]> =>
    (await call('GET', `${jobs}${job.id}/items/?status=failed`)).body.results.map(
      ({ processed_at }: { processed_at: string }) => processed_at,
    )
  const before = (await readAt()).sort()
  expect(before).toHaveLength(job.items_failed)
  await page.goto(`${service.url}/app/#imports/${job.id}`)
  await page.locator(`::-p-xpath(//button[normalize-space()="Retry ${job.items_failed} failed"])`).click()
  await expect.poll(async () => (await readAt()).sort()[0]! > before.at(-1)!).toBe(true)
  await page.setViewport({ width: 390, height: 844 })
  await check('retried-phone')
  await page.setViewport({ width: 1280, height: 800 })
  await check('retried-desk')
  await page.goto(`${service.url}/app/#decisions`)
})

it('links all certain matches with one press', async () => {
  const { certain = 0 } = await groups()
  expect(certain).toBeGreaterThan(1)
  const items = (await call('GET', '/api/v1/inventory/')).body.count
  await page.locator(`::-p-text(Link all ${certain} certain matches)`).click()
  await page.waitForSelector(`::-p-text(${certain} listings linked)`)
  expect(await groups()).toMatchObject({ certain: 0 })
  expect((await call('GET', '/api/v1/inventory/')).body.count).toBe(items)
  expect(await page.$$eval('.decisions .certainty h2', (heads) => heads.map((head) => head.textContent))).not.toContain(
    expect.stringContaining('certain'),
  )
  await check('decisions-linked')
})

it('offers no press that could link nothing', async () => {
  // Items with another live listing on the same marketplace take no second one.
  const { body } = await call('POST', `${conflictsPath}resolve/`, { resolution: 'link_existing', certainty: 'likely' })
  const left = body.results.filter(({ outcome }: { outcome: string }) => outcome === 'left').length
  expect(left).toBeGreaterThan(0)
  await page.reload()
  await page.waitForSelector(`::-p-text(${left} likely matches)`)
  const heads = await page.$$eval('.certainty', (all) => all.map((head) => head.textContent))
  expect(heads[0]).toBe(`${left} likely matchesSkip all ${left}`)
  expect(await page.$$eval('.decision .why p', (all) => all.map((one) => one.textContent))).toEqual(
    expect.arrayContaining([expect.stringMatching(/^This item is already live on (eBay|Etsy)\.$/)]),
  )
  await check('decisions-live-already')
})

it('goes from one compared listing to the next', async () => {
  await page.locator('.decision a.sides').click()
  await page.waitForSelector('.choices')
  const first = page.url()
  await page.locator('::-p-xpath(//section[@class="choices"]//button[normalize-space()="Skip"])').click()
  await page.waitForFunction((before) => location.href !== before && location.hash.startsWith('#conflict/'), {}, first)
  await page.waitForSelector('.choices')
  await check('decisions-compare')
  for (const width of [390, 1280]) {
    await page.setViewport({ width, height: 800 })
    expect(await page.evaluate(touching, '.toast:not(.none)', '.choices button')).toEqual([])
  }
})

it('skips all from the list of an import', async () => {
  await page.goto(`${service.url}/app/#imports`)
  await page.waitForSelector('.issues')
  await check('imports-issues')
  await page.locator('::-p-xpath(//section[@class="issues"]//button[starts-with(normalize-space(), "Skip")])').click()
  await page.waitForFunction(() => !document.querySelector('.issues')?.textContent?.includes('Review'))
  const { body } = await call('GET', '/api/v1/marketplace/import/jobs/')
  expect(body[0].items_conflicted).toBe(0)
  expect(chromium.errors).toEqual([])
})

it('undoes the last decision by a key, and older ones on the page of recent changes', async () => {
  await page.goto(`${service.url}/app/#changes`)
  await page.waitForSelector('.changes .rows li')
  for (const [name, width] of [
    ['phone', 390],
    ['desk', 1280],
  ] as const) {
    await page.setViewport({ width, height: 844 })
    await check(`changes-${name}`)
  }
  const label = 'listings linked'
  await page.locator(`::-p-xpath(//li[contains(., "${label}")]//button)`).click()
  await page.waitForSelector('::-p-text(Undone)')
  const { body } = await call('GET', conflictsPath)
  expect(body.count).toBeGreaterThan(1)
  await page.goto(`${service.url}/app/#decisions`)
  await page.waitForSelector('.decision')
  await page.keyboard.press('s')
  await page.waitForSelector('::-p-text(1 listing skipped)')
  await check('decisions-toast')
  await page.keyboard.press('u')
  await page.waitForSelector('::-p-text(Undone)')
  expect((await call('GET', conflictsPath)).body.count).toBe(body.count)
})

/** Returns the text of what covers the middle of the focused element; null if nothing does. */
function coverOfFocus(): string | null {
  const focused = document.activeElement!
  const { x, y, width, height } = focused.getBoundingClientRect()
  const top = document.elementFromPoint(x + width / 2, y + height / 2)
  return top === null || focused.contains(top) || top.contains(focused) ? null : top.textContent
}

/** Returns the texts of elements that touch another. */
function touching(other: string, elements: string): (string | null)[] {
  const one = document.querySelector(other)!.getBoundingClientRect()
  return [...document.querySelectorAll(elements)]
    .filter((element) => {
      const box = element.getBoundingClientRect()
      return box.left < one.right && box.right > one.left && box.top < one.bottom && box.bottom > one.top
    })
    .map((element) => element.textContent)
}
