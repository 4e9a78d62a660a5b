import type { Page } from 'puppeteer'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openBrowser, type TestBrowser } from './browser.ts'
import { type Service, startService } from './service.ts'

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

/** Presses the first button on the screen whose text fits, once there is one. */
async function press(page: Page, words: RegExp): Promise<void> {
  await page.waitForFunction(
    (source) => {
      const fits = new RegExp(source)
      const buttons = [...document.querySelectorAll<HTMLElement>('button')]
      const found = buttons.find((one) => fits.test(one.innerText.trim()) && one.checkVisibility())
      found?.click()
      return found !== undefined
    },
    {},
    words.source,
  )
}

it('shows, searches and tries the API without another host', async () => {
  const page = await chromium.newPage()
  await page.setViewport({ width: 1280, height: 900 })
  const asked: string[] = []
  const problems: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  await page.goto(`${service.url}/docs`)
  await page.locator('::-p-text(Register with an email address)').wait()
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/reference.png` })
  await page.keyboard.down('Control')
  await page.keyboard.press('k')
  await page.keyboard.up('Control')
  await page.keyboard.type('Is my token still valid')
  await page.locator('[role=option] ::-p-text(/api/auth/validate/)').click()
  const answered = page.waitForResponse((response) => response.url() === `${service.url}/api/auth/validate/`)
  await press(page, /Test Request\s+\(get .api.auth.validate/)
  await press(page, /^Send/)
  expect((await answered).status()).toBe(401)
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/reference-try.png` })
  const others = asked.filter(
    (url) => !url.startsWith(service.url) && !url.startsWith('data:') && !url.startsWith('blob:'),
  )
  expect(others).toEqual([])
  // The tried request has no credential.
  expect(problems.filter((problem) => !problem.includes('401'))).toEqual([])
})
