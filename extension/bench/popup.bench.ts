import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { launchBrowser } from '#e2e/browser.ts'
import { startStandIn } from '#e2e/stand-in-http.ts'
import { sampleInventory } from '#extension/testing/sample-inventory.ts'

/**
 * Measures the last build in a real Chromium with 10,000 items: the popup until usable, the full page until its rows,
 * and the size of each bundle.
 */
const folder = join(import.meta.dirname, '..', '.output', 'chrome-mv3')
const count = 10_000
const scrapes = 7
const hapax = await startStandIn()
hapax.server.inventory.push(...sampleInventory(count))
const chrome = await launchBrowser({ extension: folder })
const print = (what: string, value: string) => console.log(`${what.padEnd(56)} ${value.padStart(12)}`)
const median = (times: number[]) => times.sort((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0

const popup = await chrome.openPopup()
await popup.locator('input[name=server]').fill(hapax.url)
await popup.locator('input[name=email]').fill(hapax.server.user.email ?? '')
await popup.locator('input[name=password]').fill(hapax.server.password)
const begun = performance.now()
await popup.locator('button[type=submit]').click()
await popup.waitForSelector('input[placeholder="Search 10,000 items"]', { timeout: 120_000 })
print(`sign-in to ${count} items in IndexedDB and searchable`, `${Math.round(performance.now() - begun)} ms`)
await popup.close()

/** Returns ms from navigation to an element, by the page's own clock. */
async function openTimes(path: string, selector: string): Promise<number> {
  const times: number[] = []
  for (let scrape = 0; scrape < scrapes; scrape++) {
    const page = await chrome.newPage()
    await page.evaluateOnNewDocument((wanted) => {
      const seen = () => {
        if (!document.querySelector(wanted)) return requestAnimationFrame(seen)
        Reflect.set(globalThis, 'usableAt', performance.now())
      }
      requestAnimationFrame(seen)
    }, selector)
    await page.goto(`chrome-extension://${chrome.extensionId}/${path}`)
    await page.waitForFunction(() => Reflect.get(globalThis, 'usableAt') !== undefined)
    times.push(await page.evaluate(() => Number(Reflect.get(globalThis, 'usableAt'))))
    await page.close()
  }
  return median(times)
}
print('popup: opened to usable (median)', `${Math.round(await openTimes('popup.html', 'main'))} ms`)
print(
  'popup: opened to 10,000 items searchable',
  `${Math.round(await openTimes('popup.html', 'input[role=combobox]'))} ms`,
)
print('full page: opened to rows of 10,000', `${Math.round(await openTimes('inventory.html', '.lines [role=row]'))} ms`)
await chrome.close()
await hapax.close()

for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
  if (!/\.(js|css)$/.test(name)) continue
  const size = statSync(join(folder, name)).size
  print(name, `${(size / 1024).toFixed(1)} KB`)
  print('', `${(gzipSync(readFileSync(join(folder, name))).length / 1024).toFixed(1)} KB gz`)
}
