import { Secret, TOTP } from 'otpauth'
import type { Page } from 'puppeteer'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { apiOf } from '#server/testing/api.ts'
import { cheapPasswords } from '#server/testing/cheap-passwords.ts'
import { goodPassword, register } from '#server/testing/register.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { expectAccessible } from './accessibility.ts'
import { openBrowser, type TestBrowser } from './browser.ts'

/** The pages of sign-in and security, on a phone and on a desktop. */

let server: TestServer
let chromium: TestBrowser
/** The server under a host name that a passkey can belong to. */
let home: string
let nowMs = Date.now()
beforeAll(async () => {
  server = await startTestServer({ works: false, passwords: cheapPasswords, now: () => new Date(nowMs) })
  chromium = await openBrowser()
  home = server.url.replace('127.0.0.1', 'localhost')
})
afterAll(async () => {
  await chromium?.close()
  await server?.close()
})

/** Checks a page in light and dark for accessibility and width. */
async function look(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS
  for (const scheme of ['dark', 'light'] as const) {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
    if (folder) await page.screenshot({ path: `${folder}/${name}-${scheme}.png`, fullPage: true })
    await expectAccessible(page, `${name}, ${scheme}`)
  }
}

const press = (page: Page, label: string) =>
  Promise.all([
    page.waitForNavigation(),
    page.locator(`::-p-xpath(//main//button[normalize-space()="${label}"])`).click(),
  ])
const words = (page: Page) => page.$eval('main', (main) => (main as HTMLElement).innerText)

it.each([
  ['phone', { width: 390, height: 844, isMobile: true }],
  ['desk', { width: 1280, height: 800 }],
] as const)('sets up and uses an authenticator app and a passkey: %s', async (name, viewport) => {
  const { email } = await register(apiOf(server.url))
  const page = await chromium.newPage()
  await page.setViewport(viewport)
  const signIn = async () => {
    await page.goto(`${home}/connect/?to=security`)
    await page.type('#email', email)
    await page.type('#password', goodPassword)
    await press(page, 'Sign in')
  }
  const forget = async () => page.browserContext().deleteCookie(...(await page.browserContext().cookies()))

  await forget()
  await signIn()
  expect(await words(page)).toContain('Where you are signed in')
  expect(await words(page)).toContain('numbers can be taken over')
  await look(page, `${name}-security`)
  await press(page, 'Set up an app')
  const secret = (await page.$eval('main code', (code) => code.textContent ?? '')).replaceAll(' ', '')
  const code = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: nowMs })
  await look(page, `${name}-app`)
  await page.type('#code', code() === '123456' ? '654321' : '123456')
  await press(page, 'Switch it on')
  expect(await words(page)).toContain('This code does not work')
  await page.type('#code', code())
  await press(page, 'Switch it on')
  const recovery = (await page.$eval('main pre', (pre) => pre.textContent ?? '')).split('\n')
  expect(recovery).toHaveLength(10)
  await look(page, `${name}-recovery-codes`)
  nowMs += 30_000

  const cdp = await page.createCDPSession()
  await cdp.send('WebAuthn.enable')
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await page.goto(`${home}/connect/security/`)
  await press(page, 'Add a passkey')
  await look(page, `${name}-passkey`)
  await page.type('#name', 'My phone')
  await press(page, 'Add the passkey')
  expect(await words(page)).toContain('My phone')
  await look(page, `${name}-all-set-up`)

  // The second step: a wrong code, a right one, a recovery code and a passkey.
  await forget()
  await signIn()
  await look(page, `${name}-second-step`)
  await page.type('#code', 'nonsense')
  await press(page, 'Sign in')
  expect(await words(page)).toContain('This code does not work')
  await page.type('#code', code())
  await press(page, 'Sign in')
  expect(new URL(page.url()).pathname).toBe('/connect/security/')
  await forget()
  await signIn()
  await page.type('#code', recovery[0]!)
  await press(page, 'Sign in')
  expect(await words(page)).toContain('9 recovery codes left')
  await forget()
  await page.goto(`${home}/connect/?to=security`)
  await press(page, 'Sign in with a passkey')
  await press(page, 'Continue')
  expect(new URL(page.url()).pathname).toBe('/connect/security/')

  await press(page, 'Sign out everywhere else')
  expect(await page.$$eval('form[action*="/sessions/"]', (forms) => forms.length)).toBe(0)
  await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
  await press(page, 'Remove My phone')
  await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
  await press(page, 'Remove the app')
  expect(await words(page)).toContain('Set up an app')
  await forget()
  await signIn()
  expect(new URL(page.url()).pathname).toBe('/connect/security/')
  await press(page, 'Sign out')
  expect(await words(page)).toContain('Sign in with a passkey')
  await page.goto(`${home}/connect/security/`)
  expect(await words(page)).not.toContain('Where you are signed in')
  await page.close()
})

it('runs no script but its own on a passkey page', async () => {
  const page = await fetch(`${server.url}/connect/passkey/`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
    body: '',
  })
  expect(page.status).toBe(200)
  expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'.*; script-src 'sha256-[^' ]+'$/)
  const elsewhere = await fetch(`${server.url}/connect/`)
  expect(elsewhere.headers.get('content-security-policy')).not.toContain('script-src')
})
