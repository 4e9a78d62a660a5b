import { mkdir } from 'node:fs/promises'
import type { Page } from 'puppeteer'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { apiOf, bearer } from '#e2e/harness/api.ts'
import { expectAccessible } from './accessibility.ts'
import { openBrowser, type TestBrowser } from './browser.ts'
import { press } from './press.ts'
import { type Service, startService } from './service.ts'
import { signUpInApp } from './web-seller.ts'

let service: Service
let chromium: TestBrowser
beforeAll(async () => {
  service = await startService()
  chromium = await openBrowser()
})
afterAll(async () => {
  await chromium?.close()
  await service?.close()
})

/** Looks at the page as it is: accessible, and pictured in both widths and schemes where pictures are kept. */
async function look(page: Page, name: string): Promise<void> {
  await expectAccessible(page)
  const folder = process.env.SCREENSHOTS
  if (!folder) return
  await mkdir(folder, { recursive: true })
  for (const [width, scheme] of [
    [1280, 'light'],
    [390, 'dark'],
  ] as const) {
    await page.setViewport({ width, height: 844 })
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
    await page.screenshot({ path: `${folder}/shelf-${name}-${width}.png` })
  }
  await page.setViewport({ width: 1280, height: 844 })
  await page.emulateMediaFeatures([])
}

it('prints a label, reads it with the camera, and moves the item', async () => {
  const email = 'shelves@example.com'
  const page = await chromium.newPage()
  await page.setBypassCSP(true)
  await page.setViewport({ width: 1280, height: 844 })
  // The camera sees what is on the label's preview, drawn on a canvas.
  await page.evaluateOnNewDocument(() => {
    navigator.mediaDevices.getUserMedia = async () => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 480 })
      const context = canvas.getContext('2d')!
      const picture = new Image()
      picture.src = sessionStorage.getItem('label') ?? ''
      await picture.decode()
      setInterval(() => {
        context.fillStyle = '#999'
        context.fillRect(0, 0, 640, 480)
        context.drawImage(picture, 20, 60, 600, 333)
      }, 50)
      return canvas.captureStream(20)
    }
  })
  const token = await signUpInApp(page, service.url, email)
  const api = apiOf(service.url)
  const add = async (title: string, sku: string) =>
    (
      await api('POST', '/api/v1/inventory/', {
        headers: bearer(token),
        body: {
          ...{ title, sku, images: ['https://pictures.example.com/coat.jpg'] },
          ...{ condition: { label: 'Used' }, offer: { price_minor: 8_500, currency: 'USD' } },
        },
      })
    ).body.uid
  const uid = await add('Wool coat, green, with a title that is as long as titles on marketplaces are', 'COAT-7')
  await page.goto(`${service.url}/app/#item/${uid}`)
  await press(page, '.item-actions button[aria-label=More]')
  await press(page, 'button::-p-text(Labels…)')
  await page.locator('dialog svg.label-preview').wait()
  await look(page, 'labels')
  await page.select('dialog select', '5160')
  await look(page, 'labels-sheet')
  await page.select('dialog select', '2.25x1.25')
  await page.evaluate(() => {
    const label = new XMLSerializer().serializeToString(document.querySelector('svg.label-preview')!)
    const white = label.replace('<svg', '<svg width="600" height="333" style="background:#fff"')
    sessionStorage.setItem('label', `data:image/svg+xml,${encodeURIComponent(white)}`)
  })
  // The dialog has just become shorter, so its button moves under a pointer.
  await page.$eval('dialog button.main', (button) => (button as HTMLButtonElement).click())
  await page.locator('dialog ::-p-text(is in your downloads)').wait()

  await page.goto(`${service.url}/app/#scan/B-12`)
  await press(page, 'button::-p-text(Use camera)')
  await page.locator('.rows ::-p-text(Moved to B-12)').wait()
  await look(page, 'scan')
  const { body } = await api('GET', `/api/v1/inventory/${uid}/`, { headers: bearer(token) })
  expect(body.attributes.storage_location).toBe('B-12')

  await page.goto(`${service.url}/app/#shelf`)
  await page.locator('main.shelf input[type=checkbox]').click()
  await page.locator('main.shelf ::-p-text(COAT-7)').wait()
  await look(page, 'check')
  await page.close()
})
