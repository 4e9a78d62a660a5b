import type { Page } from 'puppeteer'
import { apiOf, bearer } from '#e2e/harness/api.ts'
import { type Browser, createBrowser } from '#server/integrations/connections/testing/browser.ts'
import { consentAs as consentOnEbay } from '#server/sandbox/ebay/consent.ts'
import { consentAs as consentOnEtsy } from '#server/sandbox/etsy/consent.ts'

/** A password that passes every rule. */
export const password = 'paper lantern 42'

/** A seller of a test of later steps, who came in without a browser. */
export interface SignedUp {
  /** A token of the account. */
  token: string
  /** Holds the web app's session. */
  browser: Browser
}

/** Creates an account without a form. */
export async function signUp(server: string, email: string): Promise<SignedUp> {
  const { body } = await apiOf(server)('POST', '/api/auth/register/email/', {
    body: { email, password, password_confirm: password },
  })
  const browser = createBrowser()
  await browser.post(`${server}/connect/?to=app`, { email, password })
  return { token: body.token, browser }
}

/** Creates an account like `signUp`, and shows its seller the first screen of the web app. Typing takes a second more. */
export async function signUpInApp(page: Page, server: string, email: string): Promise<SignedUp> {
  const signedUp = await signUp(server, email)
  const { hostname, origin } = new URL(server)
  for (const [name, value] of signedUp.browser.cookies.get(origin) ?? []) {
    await page.browserContext().setCookie({ name, value, domain: hostname, httpOnly: true, sameSite: 'Strict' })
  }
  await page.goto(`${server}/app/?signed-in`)
  await page.waitForSelector('nav.top')
  return signedUp
}

/** Connects a shop of the sandbox by its name, as `connectInApp` does by hand. */
export async function connectShop(
  server: string,
  { token, browser }: SignedUp,
  slug: 'ebay' | 'etsy',
  shop = slug === 'ebay' ? 'vintage_vera' : 'VintageVeraShop',
): Promise<void> {
  const { body } = await apiOf(server)('POST', `/api/v1/platforms/${slug}/connect/`, { headers: bearer(token) })
  const asked = await browser.get(body.connection_url)
  if (!asked.location) throw new Error(`Connecting ${slug} answered ${asked.status}.`)
  const back = await (slug === 'ebay' ? consentOnEbay : consentOnEtsy)(asked.location, shop)
  const connected = await browser.get(back)
  if (!connected.text.includes('is connected')) throw new Error(`${slug} was not connected: ${connected.text}`)
}

/** Creates an account from the first page and waits for the web app's first screen. */
export async function registerInApp(page: Page, server: string, email: string): Promise<void> {
  await page.goto(`${server}/`)
  await page.locator('::-p-xpath(//a[normalize-space()="Create an account"])').click()
  await page.waitForSelector('#password_confirm')
  // Typed key by key, a form takes many messages to the browser.
  await page.evaluate(
    (values) => {
      for (const [id, value] of Object.entries(values))
        document.querySelector<HTMLInputElement>(`#${id}`)!.value = value
    },
    { email, password, password_confirm: password },
  )
  await page.click('main form button')
  await page.waitForSelector('nav.top')
}

/**
 * Connects one of the sandbox's shops on eBay or Etsy from Home, and waits until the app is back. `shop` is its place
 * among the platform's shops, from 1, or its name; a shop belongs to one account.
 */
export async function connectInApp(
  page: Page,
  server: string,
  platform: 'eBay' | 'Etsy',
  shop: number | string = 1,
): Promise<void> {
  await page.goto(`${server}/app/#home`)
  const choice =
    typeof shop === 'number' ? `(//input[@type="radio"])[${shop}]` : `//label[contains(., "${shop}")]/input`
  for (let presses = 1; ; presses++) {
    await page.locator(`button[aria-label="Connect, ${platform}"]`).click()
    const isThere = await page.waitForSelector(`::-p-xpath(${choice})`, { timeout: 20_000 }).catch(() => null)
    if (isThere) break
    // A press may miss while Home still grows. The words of the page tell whether that was it.
    const words = `${page.url()}: ${await page.evaluate(() => document.body.innerText.slice(0, 500))}`
    if (presses === 3) throw new Error(`${platform} was not reached from ${words}`)
    process.stderr.write(`Pressing "Connect, ${platform}" again. It was not reached from ${words}\n`)
  }
  await page.locator(`::-p-xpath(${choice})`).click()
  await page.locator('button[value="agree"]').click()
  await page.waitForSelector(`.toast ::-p-text(${platform} is connected)`)
  // It would lie over buttons at the bottom of a phone.
  await page.locator('.toast button.icon').click()
}
