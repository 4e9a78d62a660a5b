import type { Page } from 'puppeteer'
import { apiOf, bearer } from '#e2e/harness/api.ts'
import { connectSandboxShop } from '#server/integrations/connections/testing/connect.ts'
import { press } from './press.ts'

/** A password that passes every rule. */
export const password = 'paper lantern 42'

/** Creates an account without a form, and returns its token. */
export async function signUp(server: string, email: string): Promise<string> {
  const { status, body } = await apiOf(server)('POST', '/api/auth/register/email/', {
    body: { email, password, password_confirm: password },
  })
  if (status !== 201) throw new Error(`Registering answered ${status}: ${JSON.stringify(body)}`)
  return body.token
}

/** Creates an account like `signUp`, and shows its seller the first screen of the web app. Typing takes a second more. */
export async function signUpInApp(page: Page, server: string, email: string): Promise<string> {
  const token = await signUp(server, email)
  const { hostname } = new URL(server)
  const session = { name: 'hapax-app', value: token, domain: hostname, httpOnly: true, sameSite: 'Strict' } as const
  await page.browserContext().setCookie(session)
  await page.goto(`${server}/app/?signed-in`)
  await page.waitForSelector('nav.top')
  return token
}

/** Connects a shop of the sandbox by its name, as `connectInApp` does by hand. */
export async function connectShop(
  server: string,
  token: string,
  slug: 'ebay' | 'etsy',
  seller = slug === 'ebay' ? 'vintage_vera' : 'VintageVeraShop',
): Promise<void> {
  const { text } = await connectSandboxShop(server, { bearer: bearer(token) }, { slug, seller })
  if (!text.includes('is connected')) throw new Error(`${slug} was not connected: ${text}`)
}

/** Creates an account from the first page and waits for the web app's first screen. */
export async function registerInApp(page: Page, server: string, email: string): Promise<void> {
  await page.goto(`${server}/`)
  await press(page, '::-p-xpath(//a[normalize-space()="Create an account"])')
  await page.waitForSelector('#password')
  // Typed key by key, a form takes many messages to the browser.
  await page.evaluate(
    (values) => {
      for (const [id, value] of Object.entries(values))
        document.querySelector<HTMLInputElement>(`#${id}`)!.value = value
    },
    { email, password },
  )
  await page.click('main form button:not([type])')
  await page.waitForSelector('nav.top')
}

/**
 * Connects one of the sandbox's shops on eBay or Etsy from Shops, and waits until the app is back. `shop` is its place
 * among the platform's shops, from 1, or its name; a shop belongs to one account.
 */
export async function connectInApp(
  page: Page,
  server: string,
  platform: 'eBay' | 'Etsy',
  shop: number | string = 1,
): Promise<void> {
  await page.goto(`${server}/app/#shops`)
  const choice =
    typeof shop === 'number' ? `(//input[@type="radio"])[${shop}]` : `//label[contains(., "${shop}")]/input`
  await press(page, `button[aria-label="Connect, ${platform}"]`)
  await press(page, `::-p-xpath(${choice})`)
  await press(page, 'button[value="agree"]')
  await page.waitForSelector(`.toast ::-p-text(${platform} is connected)`)
  // It would lie over buttons at the bottom of a phone.
  await press(page, '.toast button.icon')
}
