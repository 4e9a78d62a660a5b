import { Secret, TOTP } from 'otpauth'
import type { Page } from 'puppeteer'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { apiOf } from '#e2e/harness/api.ts'
import { cheapPasswords } from '#e2e/harness/cheap-passwords.ts'
import { goodPassword, register } from '#e2e/harness/register.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { expectAccessibleInBoth } from './accessibility.ts'
import { openBrowser, type TestBrowser } from './browser.ts'

/** Sign-in and the security part of the web app's account, on a phone and on a desktop. */

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

const button = (page: Page, label: string, within = 'main') =>
  page.locator(`::-p-xpath(//${within}//button[normalize-space()="${label}"])`)
const says = (page: Page, words: string) => page.locator(`main ::-p-text(${words})`).wait()
/** Presses a button of a page that the server sends. */
const submit = (page: Page, label: string) => Promise.all([page.waitForNavigation(), button(page, label).click()])

/** Checks a screen on a phone and on a desktop. */
async function check(page: Page, name: string): Promise<void> {
  for (const [device, width] of [
    ['phone', 390],
    ['desk', 1280],
  ] as const) {
    await page.setViewport({ width, height: 844 })
    await expectAccessibleInBoth(page, `${device}-${name}`)
  }
}

it('sets up and uses an authenticator app and a passkey', async () => {
  const { email, id } = await register(apiOf(server.url))
  const page = await chromium.newPage()
  await page.setBypassCSP(true)
  const signIn = async () => {
    await page.goto(`${home}/app/#account/security`)
    await page.waitForSelector('form[action="/connect/?to=security"]')
    await page.type('#email', email)
    await page.type('#password', goodPassword)
    await submit(page, 'Sign in')
  }
  const isIn = async () => {
    await says(page, 'This browser')
    expect(page.url()).toBe(`${home}/app/#account/security`)
  }
  const forget = async () => {
    await page.goto('about:blank')
    await page.browserContext().deleteCookie(...(await page.browserContext().cookies()))
  }

  await forget()
  await signIn()
  await isIn()
  await says(page, 'numbers can be taken over')
  await check(page, 'security')
  await button(page, 'Set up an app').click()
  await page.waitForSelector('svg.qr')
  const secret = (await page.$eval('main form code', (code) => code.textContent)).replaceAll(' ', '')
  const code = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: nowMs })
  await check(page, 'app')
  const field = page.locator('form:has(svg.qr) input')
  await field.fill(code() === '123456' ? '654321' : '123456')
  await button(page, 'Switch it on').click()
  await says(page, 'This code does not work')
  await field.fill(code())
  await button(page, 'Switch it on').click()
  await page.waitForSelector('dialog code.secret')
  const recovery = (await page.$eval('dialog code.secret', (one) => one.textContent)).split('\n')
  expect(recovery).toHaveLength(10)
  await check(page, 'recovery-codes')
  await button(page, 'Close', 'dialog').click()
  await says(page, '10 recovery codes left')
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
  const addPasskey = async (device: string) => {
    await page.locator('section[aria-labelledby="passkeys"] input').fill(device)
    await button(page, 'Add passkey').click()
  }
  await addPasskey('My phone')
  await page.locator('button[aria-label="Remove, My phone"]').wait()
  await check(page, 'all-set-up')

  // A session that is older asks for a code or a passkey. A password alone does not change factors.
  const age = () =>
    server.services.db.none(
      "update bearer_token set verified_at = now() - interval '16 minutes' where user_id = $1",
      id,
    )
  await age()
  await button(page, 'Get new recovery codes').click()
  await page.waitForSelector('dialog input[autocomplete="one-time-code"]')
  expect(await page.$('dialog input[type="password"]')).toBeNull()
  await check(page, 'prove')
  await page.locator('dialog input').fill(code())
  await button(page, 'Continue', 'dialog').click()
  await page.waitForSelector('dialog code.secret')
  await button(page, 'Close', 'dialog').click()
  nowMs += 30_000
  await age()
  await button(page, 'Get new recovery codes').click()
  await button(page, 'Use a passkey', 'dialog').click()
  await page.waitForSelector('dialog code.secret')
  const renewed = (await page.$eval('dialog code.secret', (one) => one.textContent)).split('\n')
  await button(page, 'Close', 'dialog').click()

  // The second step: a wrong code, a right one, a recovery code and a passkey.
  await forget()
  await signIn()
  await check(page, 'second-step')
  await page.type('#code', 'nonsense')
  await submit(page, 'Sign in')
  await says(page, 'This code does not work')
  await page.type('#code', code())
  await submit(page, 'Sign in')
  await isIn()
  await forget()
  await signIn()
  await page.type('#code', renewed[0]!)
  await submit(page, 'Sign in')
  await isIn()
  await says(page, '9 recovery codes left')
  await forget()
  await page.goto(`${home}/connect/?to=security`)
  await submit(page, 'Sign in with a passkey')
  await submit(page, 'Continue')
  await isIn()

  await button(page, 'Sign out everywhere else').click()
  await page.waitForFunction(() => document.querySelectorAll('section[aria-labelledby="sessions"] li').length === 1)
  await page.locator('button[aria-label="Remove, My phone"]').click()
  await button(page, 'Remove', 'dialog').click()
  await says(page, 'No passkeys yet')
  await button(page, 'Remove the app').click()
  await button(page, 'Remove the app', 'dialog').click()
  await button(page, 'Set up an app').wait()
  await forget()
  await signIn()
  await isIn()
  await page.goto(`${home}/app/#account`)
  await button(page, 'Sign out', 'main').click()
  await button(page, 'Sign in with a passkey').wait()
  await page.close()
})

it('names the host that passkeys belong to', async () => {
  const page = await chromium.newPage()
  const { email } = await register(apiOf(server.url))
  await page.goto(`${server.url}/connect/?to=security`)
  await page.type('#email', email)
  await page.type('#password', goodPassword)
  await submit(page, 'Sign in')
  await page.locator('section[aria-labelledby="passkeys"] input').fill('My phone')
  await button(page, 'Add passkey').click()
  await says(page, 'Passkeys work at localhost only')
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
