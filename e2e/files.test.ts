import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import type { ElementHandle, Page } from 'puppeteer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiOf, bearer } from '#e2e/harness/api.ts'
import { openBrowser, type TestBrowser } from './browser.ts'
import { type Service, startService } from './service.ts'
import { signUpInApp } from './web-seller.ts'

const email = 'files@example.com'

let service: Service
let chromium: TestBrowser
let folder: string
let page: Page
let token: string
beforeAll(async () => {
  service = await startService()
  chromium = await openBrowser()
  folder = await mkdtemp(join(tmpdir(), 'hapax-files-'))
  page = await chromium.newPage()
  await page.setViewport({ width: 1280, height: 800 })
  token = await signUpInApp(page, service.url, email)
})
afterAll(async () => {
  await chromium?.close()
  await service?.close()
  if (folder) await rm(folder, { recursive: true })
})

async function choose(csv: string | Buffer): Promise<void> {
  const path = join(folder, 'vendoo.csv')
  await writeFile(path, csv)
  const input = (await page.waitForSelector('input[type=file]')) as ElementHandle<HTMLInputElement>
  await input.uploadFile(path)
}

const csv = `Title,Brand,SKU,Price,Cost Of Goods,Status,Labels,Listed Date,Images
Wool coat,Acme,V-1,$45.00,$12.50,Active,winter,2026-01-31,https://v.example/1.jpg
Sold hat,Acme,V-2,$15.00,$2.00,Sold,winter,2026-01-31,https://v.example/2.jpg
No picture,Acme,V-3,$15.00,$2.00,Active,winter,2026-01-31,
`

describe('a file of another program', () => {
  it('is imported after a look at what would happen', async () => {
    await page.locator('nav a[href="#inventory"]').click()
    await page.locator('main:not([hidden]) .more button').click()
    await page.locator('main:not([hidden]) a[href="#files"]').click()
    await choose(csv)
    await page.locator('.files ::-p-text(1 to add, 0 to change, 0 unchanged, 2 cannot be imported)').wait()
    await page.locator('.files ::-p-text(Left out, since it is sold there)').wait()
    const api = apiOf(service.url)
    const count = async () => (await api('GET', '/api/v1/inventory/', { headers: bearer(token) })).body.results.length
    expect(await count()).toBe(0)
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/files-dry.png` })

    await page.locator('button ::-p-text(Import 1 item)').click()
    await page.locator('.files ::-p-text(1 added, 0 changed, 0 unchanged, 2 failed)').wait()
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/files-done.png` })
    expect(await count()).toBe(1)
    await page.locator('.files a[href="#inventory"]').click()
    await page.locator('main:not([hidden]) ::-p-text(Wool coat)').wait()
  }, 60_000)

  it('is exported again with every column of the selected items', async () => {
    const session = await page.createCDPSession()
    const browserContextId = page.browserContext().id!
    await session.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: folder, browserContextId })
    await page.locator('input[aria-label="Select all shown"]').click()
    await page.locator('.selection button ::-p-text(Export CSV)').click()
    const file = join(folder, 'hapax-inventory.csv')
    await expect.poll(() => readFile(file, 'utf8').catch(() => '')).toContain('Wool coat')
    const [row, ...more] = parse<object>(await readFile(file), { columns: true, bom: true })
    expect(more).toEqual([])
    expect(row).toMatchObject({ sku: 'V-1', brand: 'Acme', cost: '12.50', images: 'https://v.example/1.jpg' })
  }, 60_000)

  it('says that the columns of List Perfectly are not confirmed', async () => {
    await page.evaluate(() => {
      location.hash = '#files'
    })
    await choose('Title,SKU,Price,COGS,Keywords,Image URLs\nSilk scarf,L-1,18,4,scarf,https://l.example/1.jpg\n')
    await page.locator('.files .notice ::-p-text(Columns not confirmed.)').wait()
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/files-unconfirmed.png` })
    await page.locator('.files button ::-p-text(Cancel)').click()
  }, 60_000)

  it('shows old and new values, and a price in another currency as a problem', async () => {
    await page.evaluate(() => {
      location.hash = '#files'
    })
    await choose('SKU,Title,Price (USD),Location\nV-1,Wool coat,48.00,Shelf 3\n')
    await page.locator('.file-changes .old ::-p-text(45.00)').wait()
    await page.locator('.file-changes ::-p-text(Shelf 3)').wait()
    await page.locator('.files button ::-p-text(Cancel)').click()
    await choose('SKU,Title,Preis in EUR\nV-1,Wool coat,48.00\n')
    await page.locator('.files .fails ::-p-text(Currency is EUR in the file and USD in Hapax.)').wait()
    await page.locator('.files button ::-p-text(Cancel)').click()
  }, 60_000)

  it('names a file of sold items, and imports none of them', async () => {
    await page.evaluate(() => {
      location.hash = '#files'
    })
    await choose(
      'Sale Date,Item Name,Buyer,Price,Currency,Transaction ID,SKU\n11/02/26,Wool coat,vera,1.00,USD,41,V-1\n',
    )
    await page.locator(".files [role=alert] ::-p-text(This is Etsy's list of sold items.)").wait()
  }, 60_000)

  it('keeps the letters of a spreadsheet on Windows', async () => {
    await page.evaluate(() => {
      location.hash = '#files'
    })
    const csv = 'SKU;Title;Price;Images\nBL-38;Gr\u00fcne Bluse \u0080;24,90;https://v.example/1.jpg\n'
    await choose(Buffer.from(csv, 'latin1'))
    await page.locator('.files ::-p-text(Gr\u00fcne Bluse \u20ac)').wait()
    await page.locator('.files button ::-p-text(Cancel)').click()
  }, 60_000)

  it('says what is wrong with a file that is no list of items', async () => {
    await page.evaluate(() => {
      location.hash = '#files'
    })
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/files-start.png` })
    await choose('a,b\n1,2\n')
    await page.locator('.files [role=alert] ::-p-text(The first line must name the columns)').wait()
  }, 60_000)
})
