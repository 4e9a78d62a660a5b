import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'puppeteer'
import { startHapax } from '#server/main.ts'
import { freePorts } from '#server/testing/free-ports.ts'
import { buildExtension } from '../.tools/build-extension.ts'
import { buildWeb } from '../.tools/build-web.ts'
import { launchBrowser } from './browser.ts'
import { password, registerInApp } from './web-seller.ts'

/**
 * Opens the inventory of 10,000 items in Chromium, in the web app and in the extension, against the whole service: the
 * first rows on a warm cache, and the search. Each figure stands beside the part of it that is not Hapax's: loading the
 * code, and an empty frame.
 */
const count = 10_000
const runs = 9
await buildWeb()
const folder = await mkdtemp(join(tmpdir(), 'hapax-bench-'))
const hapax = await startHapax(
  // Copying ten thousand photos would compete with the browser.
  { SANDBOX: 'on', DATA_DIR: folder, PORT: String(await freePorts(5)), IMAGE_COPIES: 'off' },
  { logFile: join(folder, 'hapax.log') },
)
const { PUBLIC_URL } = hapax.config
const chromium = await launchBrowser({ extension: await buildExtension('chrome') })
try {
  const account = { email: 'bench@example.com', password }
  const page = await chromium.newPage()
  await registerInApp(page, PUBLIC_URL, account.email)
  await fillInventory(account)
  console.log('the web app')
  await measure(page, `${PUBLIC_URL}/app/#inventory`)
  await page.close()

  const popup = await chromium.openPopup()
  await popup.locator('input[name=server]').fill(PUBLIC_URL)
  await popup.locator('input[name=email]').fill(account.email)
  await popup.locator('input[name=password]').fill(account.password)
  await popup.locator('button[type=submit]').click()
  await popup.waitForSelector('::-p-aria([name="Account and settings"][role="button"])')
  await popup.close()
  console.log('the extension')
  await measure(await chromium.newPage(), `chrome-extension://${chromium.extensionId}/inventory.html`)
} finally {
  await chromium.close()
  await hapax.close()
  await rm(folder, { recursive: true, force: true })
}

/** Opens the inventory, waits until all of it is cached, and prints the figures of reloading and searching it. */
async function measure(page: Page, address: string): Promise<void> {
  await page.setViewport({ width: 1280, height: 800 })
  await page.goto(address)
  await page.waitForSelector('.count::-p-text(10,000 of 10,000)', { timeout: 120_000 })
  await page.evaluateOnNewDocument(() => {
    new MutationObserver((_, observer) => {
      if (!document.querySelector('.lines .title a')) return
      observer.disconnect()
      requestAnimationFrame(() => Object.assign(globalThis, { firstRowMs: performance.now() }))
    }).observe(document, { childList: true, subtree: true })
  })
  const loads = []
  for (let run = 0; run < runs; run++) loads.push(await timeLoad(page))
  print('  first rows after a reload', middle(loads.map(({ rows }) => rows)))
  print('    of it, until the code has run', middle(loads.map(({ code }) => code)))

  const searches = await timeSearches(page)
  print('  search, from the key to the frame, median', middle(searches.map(({ search }) => search)))
  print('  search, slowest', Math.max(...searches.map(({ search }) => search)))
  print('    an empty frame, median', middle(searches.map(({ empty }) => empty)))
}

async function fillInventory(account: { email: string; password: string }): Promise<void> {
  const call = async (path: string, headers: Record<string, string>, body: string) => {
    const response = await fetch(PUBLIC_URL + path, { method: 'POST', headers, body })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return response.json()
  }
  const login = { 'content-type': 'application/json' }
  const { token } = (await call('/api/auth/login/', login, JSON.stringify(account))) as { token: string }
  const what = ['wool coat', 'silk scarf', 'leather boots', 'denim jacket', '35mm camera', 'signed novel', 'tea set']
  const colors = ['green', 'navy', 'mustard', 'cream', 'black', 'rust']
  const rows = Array.from({ length: count }, (_, n) => {
    const title = `Vintage ${colors[n % colors.length]} ${what[n % what.length]} no. ${n}`
    return `HX-${n},${title},${(n % 300) + 5}.00,USD,Good,https://pictures.example.com/${n}.jpg`
  })
  const csv = ['sku,title,price,currency,condition,images', ...rows].join('\n')
  const begun = performance.now()
  await call('/api/v1/inventory/import/', { authorization: `Bearer ${token}`, 'content-type': 'text/csv' }, csv)
  print(`${count} items from a CSV file`, performance.now() - begun)
}

async function timeLoad(page: Page): Promise<{ rows: number; code: number }> {
  await page.reload()
  await page.waitForFunction('globalThis.firstRowMs > 0')
  return page.evaluate(() => {
    const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    return {
      rows: (globalThis as never as { firstRowMs: number }).firstRowMs,
      code: entry?.domContentLoadedEventEnd ?? 0,
    }
  })
}

async function timeSearches(page: Page): Promise<{ search: number; empty: number }[]> {
  return page.$eval('input[type=search]', async (field) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
    const times = []
    for (const typed of ['w', 'wo', 'woo', 'wool', 'wool g', 'wool green', 'zzz', 'HX-0999', 'si', '']) {
      await frame()
      const begun = performance.now()
      await frame()
      const empty = performance.now() - begun
      const from = performance.now()
      ;(field as HTMLInputElement).value = typed
      field.dispatchEvent(new InputEvent('input', { bubbles: true }))
      await frame()
      times.push({ search: performance.now() - from, empty })
    }
    return times
  })
}

function middle(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

function print(what: string, ms: number): void {
  console.log(`${what.padEnd(52)} ${ms.toFixed(1).padStart(9)} ms`)
}
