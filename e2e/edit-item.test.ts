import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ElementHandle, Page } from 'puppeteer'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { apiOf, bearer } from '#e2e/harness/api.ts'
import { expectAccessibleInBoth } from './accessibility.ts'
import { openBrowser, type TestBrowser } from './browser.ts'
import { type Service, startService } from './service.ts'
import { signUpInApp } from './web-seller.ts'

/** The screens where a seller edits, adds, duplicates and deletes items, in the web app. */

let service: Service
let chromium: TestBrowser
let seller: Seller
beforeAll(async () => {
  service = await startService()
  chromium = await openBrowser()
  seller = await register('editor@example.com')
})
afterAll(async () => {
  await chromium?.close()
  await service?.close()
})

interface Seller {
  page: Page
  call: (method: 'GET' | 'POST' | 'PUT' | 'PATCH', path: string, body?: object) => ReturnType<ReturnType<typeof apiOf>>
}

/** Creates an account in the web app, and returns its page and its API. */
async function register(email: string): Promise<Seller> {
  const page = await chromium.newPage()
  await page.setBypassCSP(true)
  const token = await signUpInApp(page, service.url, email)
  return {
    page,
    call: (method, path, body) =>
      apiOf(service.url)(method, path, { headers: bearer(token), ...(body ? { body } : {}) }),
  }
}

const coat = {
  title: 'Green wool coat',
  images: ['https://pictures.example.com/coat.jpg', 'https://pictures.example.com/lining.jpg'],
  description: '<p>Warm &amp; green</p>',
  condition: { label: 'Good', notes: '' },
  offer: { price_minor: 8_500, currency: 'USD' },
  attributes: { brand: 'Marlowe', decade: '1970s' },
}
const add = async () => (await seller.call('POST', '/api/v1/inventory/', coat)).body.uid as string
const itemOf = async (uid: string) => (await seller.call('GET', `/api/v1/inventory/${uid}/`)).body

async function open(place: string): Promise<Page> {
  // Another page between, so that no field of the last screen is taken for one of this.
  await seller.page.goto('about:blank')
  await seller.page.goto(`${service.url}/app/#${place}`)
  return seller.page
}
const button = (page: Page, name: string) =>
  page.locator(`::-p-xpath(//main//*[self::button or self::a][normalize-space()="${name}"])`)
/**
 * Types over a field's value. `fill()` empties the field without an event, and a render in that moment would bring the
 * old value back.
 */
async function write(page: Page, field: string, words: string): Promise<void> {
  await page.waitForSelector(field)
  await page.$eval(field, (input) => (input as HTMLInputElement).select())
  await page.type(field, words)
}
const inDialog = (page: Page, name: string) => page.locator(`::-p-xpath(//dialog//button[normalize-space()="${name}"])`)

/** Fails on violations of accessibility rules and on a page that scrolls sideways, on phone and desk, light and dark. */
async function expectSound(page: Page, name: string): Promise<void> {
  for (const width of [390, 1280]) {
    await page.setViewport({ width, height: width === 390 ? 844 : 800 })
    await expectAccessibleInBoth(page, `${name}-${width}`)
  }
}

it('edits an item, withdraws it and deletes it, accessible in each state', async () => {
  const uid = await add()
  const page = await open(`item/${uid}`)
  await page.locator('a[aria-label=Edit]').click()
  await write(page, '#form-title', 'Green loden coat')
  await write(page, '#form-cost', '12.50')
  await write(page, '#form-location', 'Shelf B')
  await expectSound(page, 'edit')
  // No field that Tab reaches is below the bar with the buttons.
  await page.focus('#photo-grip-0')
  const covered: string[] = []
  for (let at = ''; at !== 'form-location'; ) {
    await page.keyboard.press('Tab')
    const { id, isCovered } = await page.evaluate(() => {
      const [field, bar] = [document.activeElement!, document.querySelector('.form-end')!]
      const { bottom } = field.getBoundingClientRect()
      return { id: field.id, isCovered: field.matches('input') && bottom > bar.getBoundingClientRect().top }
    })
    if (isCovered) covered.push(id)
    at = id
  }
  expect(covered).toEqual([])
  await write(page, '#form-price', 'about 90')
  await button(page, 'Save').click()
  await page.locator('#form-price-wrong').wait()
  await expectSound(page, 'problems')
  await write(page, '#form-price', '90')
  // The condition changes elsewhere meanwhile.
  await seller.call('PATCH', `/api/v1/inventory/${uid}/`, { condition: { label: 'Fair' } })
  await page.focus('#form-title')
  await page.keyboard.press('Enter')
  await page.locator('.notice ::-p-text(Condition is now Fair)').wait()
  await expectSound(page, 'changed')
  await button(page, 'Save').click()
  await page.locator('h1::-p-text(Green loden coat)').wait()
  await page.locator('.facts ::-p-text($12.50)').wait()
  expect(await itemOf(uid)).toMatchObject({
    version: 3,
    description: '<p>Warm &amp; green</p>',
    attributes: { brand: 'Marlowe', decade: '1970s', cost_minor: 1_250, storage_location: 'Shelf B' },
    record: { title: 'Green loden coat', condition: { label: 'Fair' }, offer: { price_minor: 9_000 } },
  })

  await page.locator('.item-actions button[aria-label=More]').click()
  await expectSound(page, 'item-menu')
  await button(page, 'Pause').click()
  await page.locator('.toast ::-p-text(1 paused)').wait()
  expect((await itemOf(uid)).record.lifecycle.state).toBe('withdrawn')
  // The buttons of a withdrawn item stand elsewhere. A click while they move would miss.
  await button(page, 'Put back on sale…').wait()
  await page.locator('.item-actions button[aria-label=More]').click()
  await button(page, 'Delete').click()
  await inDialog(page, 'Delete item').wait()
  await expectSound(page, 'delete')
  await inDialog(page, 'Delete item').click()
  await page.waitForFunction(() => location.hash === '#inventory')
  expect((await seller.call('GET', `/api/v1/inventory/${uid}/`)).status).toBe(404)
})

it('keeps what another app shares until the seller presses', async () => {
  const page = await open('inventory')
  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
  await page.reload()
  // The screen opens without a network, too.
  const isKept = async () => {
    const requests = await (await caches.open('hapax-app-1')).keys()
    return requests.some(({ url }) => url.includes('drafts-page'))
  }
  await page.waitForFunction(isKept, { polling: 200 })
  const bytes = [...(await readFile((await filesToChoose())[0]!))]
  await Promise.all([
    page.waitForNavigation(),
    // As Android does with the files that a gallery hands over.
    page.evaluate((bytes) => {
      const files = new DataTransfer()
      files.items.add(new File([new Uint8Array(bytes)], 'shared.jpg', { type: 'image/jpeg' }))
      const form = Object.assign(document.createElement('form'), { method: 'POST', action: '/app/share' })
      form.enctype = 'multipart/form-data'
      form.innerHTML = '<input name="title" value="From the gallery"><input name="photos" type="file">'
      document.body.append(form)
      form.querySelectorAll('input')[1]!.files = files.files
      form.submit()
    }, bytes),
  ])
  expect(page.url()).toBe(`${service.url}/app/#drafts`)
  await page.locator('.drafts ::-p-text(Shared with Hapax)').wait()
  await expectSound(page, 'drafts-shared')
  await page.locator('.drafts ::-p-xpath(.//button[.="Keep draft"])').click()
  await page.waitForFunction(() => !document.querySelector('.drafts'))
  const { body } = await seller.call('GET', '/api/v1/inventory/')
  expect(body.results[0].record).toMatchObject({ title: 'From the gallery', images: [expect.stringMatching(/img_/)] })
})

/** Writes files for the seller to choose: two photos, the first wider than high, and a text that claims to be one. */
async function filesToChoose(): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'hapax-photos-'))
  const photo = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#2f5d50' } })
      .jpeg()
      .toBuffer()
  const files: [string, Buffer][] = [
    ['front.jpg', await photo(1_200, 800)],
    ['label.jpg', await photo(900, 900)],
    ['notes.jpg', Buffer.from('no picture')],
  ]
  return Promise.all(
    files.map(async ([name, bytes]) => {
      await writeFile(join(folder, name), bytes)
      return join(folder, name)
    }),
  )
}

it('uploads photos, turns one and leaves a bad file out', async () => {
  const page = await open('new')
  await page.setViewport({ width: 390, height: 844 })
  await write(page, '#form-title', 'Wool coat with photos')
  await write(page, '#form-condition', 'Good')
  await write(page, '#form-price', '85')
  const input = (await page.$('#photo-files')) as ElementHandle<HTMLInputElement>
  await input.uploadFile(...(await filesToChoose()))
  await page.locator('.photo-uploads ::-p-text(notes.jpg was not uploaded)').wait()
  await page.waitForFunction(() => document.querySelectorAll('.photos li').length === 2)
  await expectSound(page, 'photos')
  await button(page, 'Leave out').click()

  const sources = () => page.$$eval('.photos img', (all) => all.map((image) => (image as HTMLImageElement).src))
  const before = await sources()
  await page.locator('button[aria-label="Photo 1 of 2"]').click()
  await page.locator('button::-p-text(Rotate photo 1)').click()
  await expect.poll(async () => (await sources())[0]).not.toBe(before[0])
  await button(page, 'Save').click()
  await page.locator('h1::-p-text(Wool coat with photos)').wait()

  const { record } = await itemOf(new URL(page.url()).hash.slice('#item/'.length))
  expect(record.images).toHaveLength(2)
  const shapes = await Promise.all(
    record.images.map(async (address: string) => {
      const answer = await fetch(address)
      const { width, height } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
      return [width, height]
    }),
  )
  expect(shapes).toEqual([
    [800, 1_200],
    [900, 900],
  ])
})
