import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'puppeteer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waysIn } from '#server/infra/ways-in/ways-in.ts'
import { openBrowser, type TestBrowser } from './browser.ts'
import { type Service, startService } from './service.ts'
import { signUpInApp } from './web-seller.ts'

/** Pages of other sites against a seller who is signed in. */

let service: Service
let chromium: TestBrowser
let hostile: Server
let page: Page
/** The page that the other site answers with, and its policy on referrers. */
let answer = { body: '', referrer: 'unsafe-url' }
beforeAll(async () => {
  service = await startService()
  chromium = await openBrowser()
  hostile = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html', 'referrer-policy': answer.referrer }).end(answer.body),
  )
  await new Promise<void>((resolve) => hostile.listen(0, '127.0.0.1', resolve))
  page = await chromium.newPage()
  await signUpInApp(page, service.url, 'other-sites@example.com')
})
afterAll(async () => {
  hostile?.close()
  await chromium?.close()
  await service?.close()
})

/** Opens a page of another site. */
async function visit(body: string, referrer = 'unsafe-url'): Promise<void> {
  answer = { body, referrer }
  await page.goto(`http://localhost:${(hostile.address() as AddressInfo).port}/`)
}

it('shows no page of the server in a frame of another site', async () => {
  const paths = [
    '/',
    '/app/',
    '/connect/',
    '/docs',
    '/docs/errors',
    '/privacy',
    '/extension',
    '/items/itm_1',
    '/healthz',
  ]
  await visit(paths.map((path) => `<iframe src="${service.url}${path}"></iframe>`).join(''))
  const shown = page.frames().filter((frame) => frame !== page.mainFrame())
  expect(shown.map((frame) => frame.url())).toEqual(paths.map(() => 'chrome-error://chromewebdata/'))
})

describe('a form that another site posts to the share target', () => {
  const form = () =>
    `<form method="post" enctype="multipart/form-data" action="${service.url}/app/share">
     <input name="title" value="Not mine"><button>Win a prize</button></form>`
  const stored = () =>
    page.evaluate(async () => {
      const boxes = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()))
      const read = (name: string) =>
        new Promise<unknown[]>((resolve) => {
          const opening = indexedDB.open('hapax-drafts')
          opening.onsuccess = () => {
            const { result: database } = opening
            if (!database.objectStoreNames.contains(name)) return resolve([])
            const reading = database.transaction(name).objectStore(name).getAll()
            reading.onsuccess = () => resolve(reading.result)
          }
        })
      const drafts = await read('drafts')
      return { shares: boxes.flat().filter(({ url }) => url.includes('/shared/')).length, drafts: drafts.length }
    })
  const post = async (referrer: string) => {
    await page.goto(`${service.url}/app/`)
    await page.evaluate(async () => void (await navigator.serviceWorker.ready))
    await page.reload()
    await visit(form(), referrer)
    await Promise.all([page.waitForNavigation(), page.click('button')])
    await page.waitForSelector('nav.top')
  }

  it('keeps no more than the bounds of a share', async () => {
    const { parts, bytes, atOnce } = waysIn.share
    await page.goto(`${service.url}/app/`)
    const share = (photos: number, size: number) =>
      page.evaluate(
        async (photos, size) => {
          const form = new FormData()
          const photo = new File([new Uint8Array(size)], 'a.jpg')
          for (let count = 0; count < photos; count++) form.append('photos', photo)
          await fetch('/app/share', { method: 'POST', body: form })
        },
        photos,
        size,
      )
    await share(parts + 1, 1)
    await share(1, bytes + 1)
    await share(11, bytes)
    expect((await stored()).shares).toBe(0)
    for (let count = 0; count < atOnce.all + 2; count++) await share(1, 1)
    expect((await stored()).shares).toBe(atOnce.all)
    await page.evaluate(() => caches.delete('hapax-shared'))
  })

  it('keeps nothing', async () => {
    await post('unsafe-url')
    expect(page.url()).toBe(`${service.url}/app/#drafts/lost`)
    expect(await stored()).toEqual({ shares: 0, drafts: 0 })
  })

  it('is named as a share, and gone after sign-out', async () => {
    await post('no-referrer')
    await page.locator('.drafts ::-p-text(by another app or site)').wait()
    expect(await stored()).toEqual({ shares: 0, drafts: 1 })
    await page.evaluate(() => {
      location.hash = 'account'
    })
    await Promise.all([page.waitForNavigation(), page.locator('main button::-p-text(Sign out)').click()])
    expect(await stored()).toEqual({ shares: 0, drafts: 0 })
  })
})
