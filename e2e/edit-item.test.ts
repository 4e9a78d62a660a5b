import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ElementHandle, Page } from 'puppeteer'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { apiOf, bearer } from '#server/testing/api.ts'
import { expectAccessible } from './accessibility.ts'
import { openBrowser, type TestBrowser } from './browser.ts'
import { type Service, startService } from './service.ts'
import { password, registerInApp } from './web-seller.ts'

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
  await registerInApp(page, service.url, email)
  const api = apiOf(service.url)
  const { body: session } = await api('POST', '/api/auth/login/', { body: { email, password } })
  return {
    page,
    call: (method, path, body) => api(method, path, { headers: bearer(session.token), ...(body ? { body } : {}) }),
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
    for (const value of ['light', 'dark']) {
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }])
      await expectAccessible(page)
      const folder = process.env.SCREENSHOTS
      if (folder) await page.screenshot({ path: join(folder, `${name}-${width}-${value}.png`) as `${string}.png` })
    }
  }
}

it('edits an item and sends only what changed', async () => {
  const uid = await add()
  const page = await open(`item/${uid}`)
  await button(page, 'Edit').click()
  await write(page, '#form-title', 'Green loden coat')
  await write(page, '#form-price', '90')
  await write(page, '#form-cost', '12.50')
  await write(page, '#form-location', 'Shelf B')
  await expectSound(page, 'edit')
  await page.focus('#form-title')
  await page.keyboard.press('Enter')
  await page.locator('h1::-p-text(Green loden coat)').wait()
  await page.locator('.facts ::-p-text($12.50)').wait()
  const item = await itemOf(uid)
  expect(item).toMatchObject({
    version: 2,
    description: '<p>Warm &amp; green</p>',
    attributes: { brand: 'Marlowe', decade: '1970s', cost_minor: 1_250, storage_location: 'Shelf B' },
    record: { title: 'Green loden coat', offer: { price_minor: 9_000 } },
  })
})

it('shows problems beside their fields and focuses the first', async () => {
  const page = await open(`item/${await add()}/edit`)
  await write(page, '#form-title', ' ')
  await write(page, '#form-price', 'about 90')
  await button(page, 'Save').click()
  await page.locator('#form-price-wrong').wait()
  const focused = await page.evaluate(() => {
    const at = document.activeElement!
    return [at.id, at.ariaInvalid, document.getElementById(at.getAttribute('aria-describedby') ?? '')?.textContent]
  })
  expect(focused).toEqual(['form-title', 'true', 'Enter a value.'])
  await expectSound(page, 'problems')

  await seller.call('POST', '/api/v1/inventory/', { ...coat, sku: 'TAKEN' })
  await write(page, '#form-title', 'Green coat')
  await write(page, '#form-price', '90')
  await write(page, '#form-sku', 'TAKEN')
  await button(page, 'Save').click()
  await page.locator('#form-sku-wrong::-p-text(Another item has this SKU)').wait()
})

it('names what changed meanwhile and keeps the edits', async () => {
  const uid = await add()
  const page = await open(`item/${uid}/edit`)
  await write(page, '#form-title', 'My title')
  await seller.call('PATCH', `/api/v1/inventory/${uid}/`, { offer: { price_minor: 9_900 } })
  await button(page, 'Save').click()
  await page.locator('.notice ::-p-text(Price is now 99.00)').wait()
  await expectSound(page, 'changed')
  expect(await page.$eval('#form-title', (field) => (field as HTMLInputElement).value)).toBe('My title')
  await button(page, 'Save').click()
  await page.locator('h1::-p-text(My title)').wait()
  expect(await itemOf(uid)).toMatchObject({ record: { title: 'My title', offer: { price_minor: 9_900 } } })
})

it('fixes the price of a sold item and says so', async () => {
  const uid = await add()
  await seller.call('POST', `/api/v1/inventory/${uid}/mark-sold/`, {})
  const page = await open(`item/${uid}/edit`)
  await page.locator('#form-price[readonly]').wait()
  await page.locator('#form-price-note::-p-text(The item is sold)').wait()
})

it('asks before it discards edits', async () => {
  const uid = await add()
  const page = await open(`item/${uid}/edit`)
  await write(page, '#form-title', 'Not wanted')
  await button(page, 'Cancel').click()
  await inDialog(page, 'Keep editing').click()
  expect(await page.$eval('#form-title', (field) => (field as HTMLInputElement).value)).toBe('Not wanted')
  await button(page, 'Cancel').click()
  await inDialog(page, 'Discard').click()
  await page.locator('h1::-p-text(Green wool coat)').wait()
  expect((await itemOf(uid)).version).toBe(1)
})

it('withdraws an item and puts it back on sale', async () => {
  const uid = await add()
  const stateOf = async () => (await itemOf(uid)).record.lifecycle.state
  const page = await open(`item/${uid}`)
  await button(page, 'Withdraw…').click()
  await inDialog(page, 'Cancel').click()
  expect(await stateOf()).toBe('available')
  await button(page, 'Withdraw…').click()
  await expectSound(page, 'withdraw')
  await inDialog(page, 'Withdraw 1 item').click()
  await page.locator('dialog ::-p-text(1 withdrawn)').wait()
  expect(await stateOf()).toBe('withdrawn')
  await inDialog(page, 'Close').click()
  await button(page, 'Put back on sale…').click()
  await inDialog(page, 'Put 1 item back').click()
  await page.locator('dialog ::-p-text(1 back on sale)').wait()
  expect(await stateOf()).toBe('available')
})

it('withdraws the available ones of the selected items', async () => {
  const [first, second] = [await add(), await add()]
  await seller.call('PATCH', `/api/v1/inventory/${second}/`, { state: 'reserved' })
  const page = await open('inventory')
  // The rows of this moment, not those of the last visit.
  await page.locator('.lines .state.reserved').wait()
  await page.locator('input[aria-label="Select all shown"]').click()
  await button(page, 'Withdraw…').click()
  await page.locator('dialog ::-p-text(reserved, sold or already withdrawn)').wait()
  await expectSound(page, 'withdraw-many')
  await page.locator('dialog button.main').click()
  await page.locator('dialog ::-p-text( withdrawn)').wait()
  await inDialog(page, 'Close').click()
  expect((await itemOf(first)).record.lifecycle.state).toBe('withdrawn')
  expect((await itemOf(second)).record.lifecycle.state).toBe('reserved')
})

it('adds an item with photos in the order of the seller', async () => {
  const page = await open('inventory')
  await button(page, 'Add item').click()
  await write(page, '#form-title', 'Brass lamp')
  await button(page, 'Save').click()
  await page.locator('#form-images-wrong::-p-text(Add at least one photo)').wait()
  await write(page, '#form-condition', 'Good')
  await write(page, '#form-price', '45')
  for (const name of ['a', 'b', 'c']) {
    await write(page, '#form-images', `https://pictures.example.com/${name}.jpg`)
    await page.focus('#form-images')
    await page.keyboard.press('Enter')
  }
  await page.locator('button[aria-label="Make photo 3 the cover"]').click()
  await page.locator('button[aria-label="Move photo 2 later"]').click()
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('photo-later-2')
  await page.locator('button[aria-label="Remove photo 3"]').click()
  await expectSound(page, 'new')
  await button(page, 'Save').click()
  await page.locator('h1::-p-text(Brass lamp)').wait()
  const uid = new URL(page.url()).hash.slice('#item/'.length)
  expect((await itemOf(uid)).record).toMatchObject({
    images: ['https://pictures.example.com/c.jpg', 'https://pictures.example.com/b.jpg'],
    offer: { price_minor: 4_500, currency: 'USD' },
  })
})

it('proposes the currency of the account, whatever the newest item has', async () => {
  const inYen = { ...coat, title: 'Kimono', offer: { price_minor: 8_500, currency: 'JPY' } }
  expect((await seller.call('POST', '/api/v1/inventory/', inYen)).status).toBe(201)
  const page = await open('inventory')
  await page.locator('.grid ::-p-text(¥8,500)').wait()
  const proposed = async () => {
    await open('new')
    await write(page, '#form-price', '45')
    await page.locator('main ::-p-text(Buyers pay)').wait()
    return page.$eval('#form-currency', (select) => [
      (select as HTMLSelectElement).value,
      document.getElementById('form-price-note')?.textContent,
    ])
  }
  expect(await proposed()).toEqual(['USD', 'Buyers pay $45.00.'])
  const address = { full_name: 'Vera', line1: 'High Street 1', city: 'Leeds', postal_code: 'LS1 1AA', country: 'GB' }
  expect((await seller.call('PUT', '/api/v1/user/address/', address)).status).toBe(200)
  expect(await proposed()).toEqual(['GBP', 'Buyers pay £45.00.'])
  await page.select('#form-currency', 'JPY')
  await page.locator('#form-price-note::-p-text(Buyers pay ¥45.)').wait()
  await page.goto(`${service.url}/app/#files`)
  await page.waitForSelector('main.files select')
  expect(await page.$eval('main.files select', (select) => (select as HTMLSelectElement).value)).toBe('GBP')
  await expectSound(page, 'new')
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
  await page.locator('button[aria-label="Turn photo 1"]').click()
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

it('duplicates an item without its SKU, and deletes it after a confirmation', async () => {
  const uid = (await seller.call('POST', '/api/v1/inventory/', { ...coat, sku: 'FIRST' })).body.uid as string
  const page = await open(`item/${uid}`)
  await button(page, 'Duplicate').click()
  await write(page, '#form-title', 'Second coat')
  await button(page, 'Save').click()
  await page.locator('h1::-p-text(Second coat)').wait()
  const copy = new URL(page.url()).hash.slice('#item/'.length)
  expect(await itemOf(copy)).toMatchObject({ sku: null, attributes: { brand: 'Marlowe' } })

  await button(page, 'Delete').click()
  await inDialog(page, 'Cancel').click()
  expect((await itemOf(copy)).uid).toBe(copy)
  await button(page, 'Delete').click()
  await expectSound(page, 'delete')
  await inDialog(page, 'Delete item').click()
  await page.waitForFunction(() => location.hash === '#inventory')
  expect((await seller.call('GET', `/api/v1/inventory/${copy}/`)).status).toBe(404)
  const titles = () => page.$$eval('.lines .title', (all) => all.map((one) => one.textContent))
  await expect.poll(titles).not.toContain('Second coat')
})
