import type { Page } from 'puppeteer'

/** A password that passes every rule. */
export const password = 'paper lantern 42'

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
