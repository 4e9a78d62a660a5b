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

it('shows, searches and tries the API without another host', async () => {
  const page = await chromium.newPage()
  await page.setViewport({ width: 1280, height: 900 })
  const asked: string[] = []
  const problems: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  await page.goto(`${service.url}/docs`)
  await page.locator('.opblock-tag').wait()
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/reference.png` })
  await page.locator('.operation-filter-input').fill('Accounts')
  await page.evaluate(() =>
    document.querySelector<HTMLElement>('.opblock-tag-section:not(.is-open) .opblock-tag')?.click(),
  )
  await page.locator('.opblock-summary ::-p-text(Is my token still valid)').click()
  const answered = page.waitForResponse((response) => response.url() === `${service.url}/api/auth/validate/`)
  await page.locator('button.execute').click()
  expect((await answered).status()).toBe(401)
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/reference-try.png` })
  const others = asked.filter(
    (url) => !url.startsWith(service.url) && !url.startsWith('data:') && !url.startsWith('blob:'),
  )
  expect(others).toEqual([])
  // The tried request has no credential.
  expect(problems.filter((problem) => !problem.includes('401'))).toEqual([])
})
