import { mkdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'puppeteer'
import { expect, inject } from 'vitest'
import { launchBrowser, type TestBrowser } from './browser.ts'
import { type PoshmarkOptions, type PoshmarkSite, startPoshmark } from './sites/poshmark.ts'
import { type RunningStandIn, startStandIn } from './stand-in-http.ts'

/** A folder for pictures of every state: SCREENSHOTS=folder. */
export const pictures = process.env.SCREENSHOTS
if (pictures) await mkdir(pictures, { recursive: true })
const axeSource = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Poshmark's site, our server's stand-in, and a browser with the extension. */
export interface Fixture {
  site: PoshmarkSite
  hapax: RunningStandIn
  chrome: TestBrowser
}

/** `start` opens fixtures with the extension, `closeAll` ends them. */
export function prepareFixtures() {
  const extension = inject('extension')
  const open: Fixture[] = []
  return {
    async start(options: PoshmarkOptions = {}): Promise<Fixture> {
      const site = await startPoshmark(options)
      const hapax = await startStandIn()
      const chrome = await launchBrowser({ extension, hostRules: site.hostRules })
      const fixture = { site, hapax, chrome }
      open.push(fixture)
      return fixture
    },
    async closeAll(): Promise<void> {
      for (const { chrome, site, hapax } of open.splice(0)) {
        await chrome.close()
        await site.close()
        await hapax.close()
      }
    },
  }
}

/** Returns the selector of an element by role and accessible name. */
export const named = (role: string, name: string) => `::-p-aria([name="${name}"][role="${role}"])`

/** Signs in to the stand-in in the popup and returns the popup's page. */
export async function signIn({ chrome, hapax }: Fixture): Promise<Page> {
  const popup = await chrome.openPopup()
  await popup.locator('input[name=server]').fill(hapax.url)
  await popup.locator('input[name=email]').fill(hapax.server.user.email ?? '')
  await popup.locator('input[name=password]').fill(hapax.server.password)
  await popup.locator('button[type=submit]').click()
  await popup.waitForSelector(named('button', 'Account and settings'))
  return popup
}

/** Expects a number of open event streams: one while a page of the extension is visible. */
export const streaming = (fixture: Fixture) => expect.poll(() => fixture.hapax.server.stream.open)

/** Closes the extension's only page and waits until the worker knows, since open pages suppress notifications. */
export async function closePopup(fixture: Fixture, popup: Page): Promise<void> {
  await streaming(fixture).toBe(1)
  await popup.close()
  await streaming(fixture).toBe(0)
}

/** Opens the full page in a tab. */
export async function openInventory({ chrome }: Fixture, hash = ''): Promise<Page> {
  const page = await chrome.newPage()
  await page.setViewport({ width: 1280, height: 800 })
  await page.goto(`chrome-extension://${chrome.extensionId}/inventory.html${hash}`)
  return page
}

/** Evaluates an expression in the extension's worker. */
export async function inWorker<T>({ chrome }: Fixture, expression: string): Promise<T> {
  return (await chrome.worker()).evaluate(`(async () => (${expression}))()`) as Promise<T>
}

/** Returns the number on the toolbar button. */
export const badge = (fixture: Fixture) => inWorker<string>(fixture, 'chrome.action.getBadgeText({})')

/** Evaluates an expression in the world of the extension's content script. */
export async function inContentScript({ chrome }: Fixture, page: Page, expression: string): Promise<string> {
  const session = await page.createCDPSession()
  const contexts: { id: number; origin: string }[] = []
  session.on('Runtime.executionContextCreated', ({ context }) => contexts.push(context))
  await session.send('Runtime.enable')
  const own = contexts.find((context) => context.origin === `chrome-extension://${chrome.extensionId}`)
  if (!own) throw new Error('The content script has no world on this page.')
  const { result } = await session.send('Runtime.evaluate', { expression, contextId: own.id, awaitPromise: true })
  await session.detach()
  return String(result.value)
}

/** AA and best practices; rules that can differ between light and dark. */
const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const aboutColours = ['color-contrast', 'link-in-text-block']

/** Returns violations of the standards, or of some rules, each with its first element. */
export async function axe(page: Page, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource)
  return page.evaluate(
    async (runOnly) => {
      const { violations } = await Reflect.get(globalThis, 'axe').run(document, { runOnly })
      return violations.map((one: { id: string; nodes: { html: string }[] }) => `${one.id}: ${one.nodes[0]?.html}`)
    },
    rules ? { type: 'rule', values: rules } : { type: 'tag', values: standards },
  )
}

/** Checks a state in light and dark, and takes its picture on request. */
export async function checkState(page: Page, name: string): Promise<void> {
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
    expect(await axe(page, scheme === 'dark' ? aboutColours : undefined), `${name}, ${scheme}`).toEqual([])
    if (pictures) await page.screenshot({ path: `${pictures}/${name}-${scheme}.png` })
  }
}
