import { afterAll, beforeAll, expect, it } from 'vitest'
import { apiOf, bearer } from '#e2e/harness/api.ts'
import { expectAccessible } from './accessibility.ts'
import { openBrowser, type TestBrowser } from './browser.ts'
import { type Service, startService } from './service.ts'

/** The pages behind links in mail, from the sandbox's outbox, on a phone and on a desktop. */

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

async function linkTo(email: string, path: string): Promise<string> {
  const api = apiOf(service.url)
  const find = async () => {
    const messages: { to: string; text: string }[] = (await api('GET', '/sandbox/outbox')).body
    return messages
      .flatMap(({ to, text }) => (to === email ? (/https?:\S+/.exec(text) ?? []) : []))
      .find((url) => url.includes(path))
  }
  await expect.poll(find).toBeTruthy()
  return (await find())!
}

it.each([
  ['phone', { width: 390, height: 844, isMobile: true }],
  ['desk', { width: 1280, height: 800 }],
] as const)('sets a password and confirms an address by links in mail, without scripts: %s', async (name, viewport) => {
  const api = apiOf(service.url)
  const email = `vera-${name}@example.com`
  const password = 'paper lantern 42'
  const { body } = await api('POST', '/api/auth/register/email/', {
    body: { email, password, password_confirm: password },
  })
  await api('POST', '/api/auth/email-verification/request/', { headers: bearer(body.token) })
  await api('POST', '/api/auth/password/reset/request/', { body: { email } })
  const [verify, reset] = [await linkTo(email, 'verify-email'), await linkTo(email, 'reset-password')]

  const page = await chromium.newPage()
  await page.setBypassCSP(true)
  await page.setViewport(viewport)
  const submit = () => Promise.all([page.waitForNavigation(), page.click('main button')])
  const heading = () => page.$eval('h1', (element) => element.textContent)
  // Its button is pressed: nobody is signed in here, so the password is asked for.
  await page.goto(verify)
  await page.locator('#password').wait()
  await expectAccessible(page)
  await page.goto(reset)
  await expectAccessible(page)
  await page.goto(`${service.url}/connect/`)
  await Promise.all([page.waitForNavigation(), page.click('main a[href="/account/forgot-password"]')])
  expect(await heading()).toBe('Forgot your password?')
  await expectAccessible(page)

  await page.setJavaScriptEnabled(false)
  await page.goto(verify)
  await submit()
  await page.type('#password', 'wrong lantern 42')
  await submit()
  expect(await page.$eval('#problem', (element) => element.textContent)).toContain('not the password')
  await page.type('#password', password)
  await submit()
  expect(await heading()).toBe('Your email address is confirmed')
  await page.goto(verify)
  expect(await heading()).toBe('This link does not work')

  // Confirming the address ended earlier links, including the reset link.
  await page.goto(reset)
  expect(await heading()).toBe('This link does not work')
  await Promise.all([page.waitForNavigation(), page.click('main a.button')])
  await page.type('#email', email)
  await submit()
  expect(await heading()).toBe('Check your inbox')
  await expect.poll(() => linkTo(email, 'reset-password')).not.toBe(reset)
  await page.goto(await linkTo(email, 'reset-password'))
  await page.type('#password', 'Password1')
  await page.type('#password_confirm', 'Password1')
  await submit()
  expect(await page.$eval('#password-problem', (element) => element.textContent)).toContain('tried first')
  await page.setJavaScriptEnabled(true)
  await expectAccessible(page)
  await page.type('#password', 'quiet harbour 77')
  await page.type('#password_confirm', 'quiet harbour 77')
  await submit()
  expect(await heading()).toBe('The new password is set')
  expect((await api('POST', '/api/auth/login/', { body: { email, password: 'quiet harbour 77' } })).status).toBe(200)

  await page.goto(`${service.url}/sandbox/`)
  await expectAccessible(page)
  expect(chromium.errors).toEqual([])
})

it('confirms an address by the link alone where the seller is signed in', async () => {
  const api = apiOf(service.url)
  const [email, password] = ['vera-signed-in@example.com', 'paper lantern 42']
  const { body } = await api('POST', '/api/auth/register/email/', {
    body: { email, password, password_confirm: password },
  })
  await api('POST', '/api/auth/email-verification/request/', { headers: bearer(body.token) })
  const page = await chromium.newPage()
  await page.goto(`${service.url}/connect/?to=app`)
  await page.type('#email', email)
  await page.type('#password', password)
  await Promise.all([page.waitForNavigation(), page.click('main form button[type=submit], main form > div > button')])
  await page.goto(await linkTo(email, 'verify-email'))
  await page.locator('::-p-text(Your email address is confirmed)').wait()
})
