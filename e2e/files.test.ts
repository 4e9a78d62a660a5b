import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import type { ElementHandle, Page } from 'puppeteer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiOf, bearer } from '#e2e/harness/api.ts'
import type { InventoryItem } from '#shared/contract/catalog/inventory.ts'
import { expectAccessibleInBoth } from './accessibility.ts'
import { openBrowser, type TestBrowser } from './browser.ts'
import { type Service, startService } from './service.ts'
import { connectShop, signUpInApp } from './web-seller.ts'

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
  await page.setBypassCSP(true)
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
  // The outcome of an earlier file stays until it was read.
  await (await page.$('.files button ::-p-text(Import another file)'))?.click()
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
    await page.locator('.files ::-p-text(1 to add, 2 cannot be imported)').wait()
    await page.locator('.files ::-p-text(Left out, since it is sold there)').wait()
    const api = apiOf(service.url)
    const count = async () => (await api('GET', '/api/v1/inventory/', { headers: bearer(token) })).body.results.length
    expect(await count()).toBe(0)
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/files-dry.png` })

    await page.locator('button ::-p-text(Import 1 item)').click()
    await page.locator('.files ::-p-text(1 added, 2 failed)').wait()
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/files-done.png` })
    expect(await count()).toBe(1)
    await page.locator('.files a[href="#inventory"]').click()
    await page.locator('main:not([hidden]) ::-p-text(Wool coat)').wait()
  })

  it('has sold rows, which are past sales with profit, and can be taken back', async () => {
    await page.evaluate(() => {
      location.hash = '#files'
    })
    const sold = (title: string, more: string) => `${title},Acme,,$20.00,$4.00,Sold,A15,2026-01-31,,${more}`
    await choose(
      `${csv.split('\n')[0]},Sold Date,Sold Platform,Price Sold,Marketplace Fees,Shipping Expenses
${sold('Linen shirt', '2026-03-08,Poshmark,18.00,3.60,0')}
${sold('Denim jacket', '2026-03-09,eBay,30.00,4.38,7.10')}
${sold('Silk tie', '2026-03-09,eBay,,,')}
`,
    )
    await page.locator('.files ::-p-text(2 past sales, in Sales with their costs. No listing changes.)').wait()
    await page.locator('.files ::-p-text(Past sale: $30.00 on eBay, Mar 9, 2026)').wait()
    await page.locator('.files ::-p-text(the file does not say for how much)').wait()
    await expectAccessibleInBoth(page, 'files-past-sales')
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/files-past-sales.png` })
    await page.locator('button ::-p-text(Import 2 items)').click()
    await page.locator('.toast ::-p-text(2 past sales added)').wait()
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/files-past-sales-done.png` })
    await page.evaluate(() => {
      location.hash = '#sales'
    })
    await page.waitForSelector('main.sales select')
    await page.select('main.sales select', 'all')
    await page.locator('main.sales button ::-p-text(By item)').click()
    await page.locator('main.sales ::-p-text(From your file)').wait()
    await page.locator('main.sales ::-p-text(Profit $14.52)').wait()
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/sales-of-a-file.png` })
    await page.locator('.toast ::-p-text(Undo)').click()
    await page.locator('main.sales ::-p-text(No sales in this period)').wait()
    await page.evaluate(() => {
      location.hash = '#inventory'
    })
  })

  it('is exported again with every column of the selected items', async () => {
    const session = await page.createCDPSession()
    const browserContextId = page.browserContext().id!
    await session.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: folder, browserContextId })
    await page.locator('input[aria-label="Select all shown"]').click()
    await page.locator('.selection button[aria-label=More]').click()
    await page.locator('.selection button ::-p-text(Export CSV)').click()
    const file = join(folder, 'hapax-inventory.csv')
    await expect.poll(() => readFile(file, 'utf8').catch(() => '')).toContain('Wool coat')
    const [row, ...more] = parse<object>(await readFile(file), { columns: true, bom: true })
    expect(more).toEqual([])
    expect(row).toMatchObject({ sku: 'V-1', brand: 'Acme', cost: '12.50', images: 'https://v.example/1.jpg' })
  })

  it('says that the columns of List Perfectly are not confirmed', async () => {
    await page.evaluate(() => {
      location.hash = '#files'
    })
    await choose('Title,SKU,Price,COGS,Keywords,Image URLs\nSilk scarf,L-1,18,4,scarf,https://l.example/1.jpg\n')
    await page.locator('.files .notice ::-p-text(Columns not confirmed.)').wait()
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/files-unconfirmed.png` })
    await page.locator('.files button ::-p-text(Cancel)').click()
  })

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
  })

  it('names a file of sold items, and imports none of them', async () => {
    await page.evaluate(() => {
      location.hash = '#files'
    })
    await choose(
      'Sale Date,Item Name,Buyer,Price,Currency,Transaction ID,SKU\n11/02/26,Wool coat,vera,1.00,USD,41,V-1\n',
    )
    await page.locator(".files [role=alert] ::-p-text(This is Etsy's list of sold items.)").wait()
  })

  it('asks before it changes live prices, and about look-alikes', async () => {
    await connectShop(service.url, token, 'ebay')
    const api = apiOf(service.url)
    const headers = bearer(token)
    const { body: job } = await api('POST', '/api/v1/marketplace/ebay/import/', { headers })
    const status = async () => (await api('GET', `/api/v1/marketplace/import/jobs/${job.id}/`, { headers })).body.status
    await expect.poll(status).toBe('completed')
    const live = async (): Promise<InventoryItem[]> =>
      (await api('GET', '/api/v1/inventory/?platform=ebay&state=available&page_size=100', { headers })).body.results
    const fixed = (await live()).filter(
      ({ sku, listings, record }) =>
        sku && listings?.every(({ format }) => format !== 'auction') && record.offer.price_minor > 1_000,
    )
    const [one, two, three, four, five] = fixed as [InventoryItem, ...InventoryItem[]] & InventoryItem[]
    const price = (item: InventoryItem, factor: number) => ((item.record.offer.price_minor * factor) / 100).toFixed(2)
    const line = (item: InventoryItem, factor: number, sku = item.sku ?? '') =>
      `"${sku}","${item.record.title.replaceAll('"', '""')}",${price(item, factor)},${item.record.offer.currency},Used,${item.record.images[0]}`
    await page.evaluate(() => {
      location.hash = '#files'
    })
    const lines = [line(one, 1.1), line(two!, 0.9), line(three!, 3), line(four!, 1, `0${four!.sku!.toLowerCase()}`)]
    await choose(
      `SKU,Title,Price,Currency,Condition,Images\n${lines.join('\n')}\n"${five!.sku}","Zinc watering can",${price(five!, 1)},USD,Used,https://v.example/9.jpg\nV-9,Brass bell,9.00,USD,Used,https://v.example/8.jpg\n`,
    )
    await page.locator('.files ::-p-text(3 rows need your answer)').wait()
    await page.locator('.files ::-p-text(Import 3 items, change 2 live prices)').wait()
    await page.setViewport({ width: 1280, height: 1100 })
    await expectAccessibleInBoth(page, 'files-questions')
    await page.setViewport({ width: 390, height: 844 })
    await expectAccessibleInBoth(page, 'files-questions-phone')
    await page.evaluate(() => document.querySelector('.file-choice')?.scrollIntoView())
    if (process.env.SCREENSHOTS) {
      await page.screenshot({ path: `${process.env.SCREENSHOTS}/files-questions-phone-rows.png` })
    }
    await page.setViewport({ width: 1280, height: 800 })
    await page.locator('.file-rows input[type=checkbox]').click()
    await page.locator('::-p-xpath(//label[normalize-space()="Same item"]/input)').click()
    await page.locator('::-p-xpath(//label[normalize-space()="New item, without the SKU"]/input)').click()
    await page.locator('.files .main ::-p-text(Import 6 items, change 3 live prices)').click()
    await page.locator('.files ::-p-text(2 added, 4 changed)').wait()
    await page.locator('.toast ::-p-text(3 prices changed)').wait()
    if (process.env.SCREENSHOTS) {
      await page.screenshot({ path: `${process.env.SCREENSHOTS}/files-questions-done.png` })
    }
    const { body } = await api('GET', `/api/v1/inventory/${three!.uid}/`, { headers })
    expect(body.record.offer.price_minor).toBe(three!.record.offer.price_minor * 3)
    await expect
      .poll(async () => (await api('GET', `/api/v1/inventory/${three!.uid}/`, { headers })).body.listings)
      .toMatchObject([{ price_minor: three!.record.offer.price_minor * 3 }])
  })

  it('keeps the letters of a spreadsheet on Windows', async () => {
    await page.evaluate(() => {
      location.hash = '#files'
    })
    const csv = 'SKU;Title;Price;Images\nBL-38;Gr\u00fcne Bluse \u0080;24,90;https://v.example/1.jpg\n'
    await choose(Buffer.from(csv, 'latin1'))
    await page.locator('.files ::-p-text(Gr\u00fcne Bluse \u20ac)').wait()
    await page.locator('.files button ::-p-text(Cancel)').click()
  })

  it('says what is wrong with a file that is no list of items', async () => {
    await page.evaluate(() => {
      location.hash = '#files'
    })
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/files-start.png` })
    await choose('a,b\n1,2\n')
    await page.locator('.files [role=alert] ::-p-text(The first line must name the columns)').wait()
  })
})
