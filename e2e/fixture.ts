import { mkdir } from 'node:fs/promises'
import type { Page } from 'puppeteer'
import { afterAll, expect, inject } from 'vitest'
import { aboutColors, violationsOn } from './accessibility.ts'
import { askWorker, openBrowser, signOutAndClear, type TestBrowser } from './browser.ts'
import { type PoshmarkSite, startPoshmark } from './sites/poshmark.ts'
import { type RunningStandIn, startStandIn } from './stand-in-http.ts'

/** A folder for pictures of every state: SCREENSHOTS=folder. */
export const pictures = process.env.SCREENSHOTS
if (pictures) await mkdir(pictures, { recursive: true })

/** A platform's site, our server's stand-in, and a browser with the extension. */
export interface Fixture<Site = PoshmarkSite> {
  site: Site
  hapax: RunningStandIn
  chrome: TestBrowser
}

interface Closable {
  close(): Promise<void>
}

/**
 * `start` opens fixtures with a site and the extension. `closeAll` ends them. `signOutAll` keeps the signed-out extension
 * for the next test of the file: for tests that change nothing in its worker but by what a seller does.
 */
export function prepareFixturesOf<Site extends Closable, Options>(startSite: (options?: Options) => Promise<Site>) {
  const extension = inject('extension')
  const open: Closable[] = []
  let chrome: TestBrowser | null = null
  const opened = <One extends Closable>(one: One): One => {
    open.push(one)
    return one
  }
  const closeServers = async () => {
    for (const one of open.splice(0).reverse()) await one.close()
  }
  afterAll(() => chrome?.close())
  return {
    async start(options?: Options): Promise<Fixture<Site>> {
      const site = opened(await startSite(options))
      const hapax = opened(await startStandIn())
      chrome ??= await openBrowser({ extension })
      return { site, hapax, chrome }
    },
    async signOutAll(): Promise<void> {
      if (chrome) await signOutAndClear(chrome)
      await closeServers()
    },
    async closeAll(): Promise<void> {
      await chrome?.close()
      chrome = null
      await closeServers()
    },
  }
}

/** Fixtures with Poshmark's site. */
export const prepareFixtures = () => prepareFixturesOf(startPoshmark)

/** Returns the selector of an element by role and accessible name. */
export const named = (role: string, name: string) => `::-p-aria([name="${name}"][role="${role}"])`

/** An account on a server, with which the extension signs in. */
export interface Account {
  server: string
  email: string
  password: string
}

/** Returns the account of the stand-in. */
export const sellerOf = ({ url, server }: RunningStandIn): Account => ({
  server: url,
  email: server.user.email ?? '',
  password: server.password,
})

/**
 * Signs in as the popup's form does, without typing, and lets the extension read pages without pauses. Returns the
 * popup's page.
 */
export async function signIn({ chrome, hapax }: Pick<Fixture, 'chrome' | 'hapax'>): Promise<Page> {
  return signInTo(chrome, sellerOf(hapax))
}

/** Signs in like `signIn`, without a page: for tests that open another one. */
export async function signInWithoutPopup(fixture: Pick<Fixture, 'chrome' | 'hapax'>): Promise<void> {
  expect(await askWorker(fixture.chrome, 'popup.signIn', sellerOf(fixture.hapax))).toMatchObject({ ok: true })
  await inWorker(fixture, 'chrome.storage.local.set({ settings: { pace_ms: 0 } })')
}

/** Signs in like `signIn` to any server. */
export async function signInTo(chrome: TestBrowser, account: Account): Promise<Page> {
  const popup = await chrome.openPopup()
  const answer = await popup.evaluate(async (request) => {
    const { runtime, storage } = Reflect.get(globalThis, 'chrome')
    const answered = await runtime.sendMessage({ name: 'popup.signIn', request })
    await storage.local.set({ settings: { pace_ms: 0 } })
    return answered
  }, account)
  expect(answer).toMatchObject({ ok: true })
  await popup.waitForSelector(named('button', 'Account and settings'))
  return popup
}

/** Signs in by typing into the popup's form. */
export async function typeSignIn(popup: Page, { server, email, password }: Account): Promise<void> {
  await popup.locator('input[name=server]').fill(server)
  await popup.locator('input[name=email]').fill(email)
  await popup.locator('input[name=password]').fill(password)
  await popup.locator('button[type=submit]').click()
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
export async function openInventory({ chrome }: Pick<Fixture, 'chrome'>, hash = ''): Promise<Page> {
  const page = await chrome.newPage()
  await page.setViewport({ width: 1280, height: 800 })
  await page.goto(`chrome-extension://${chrome.extensionId}/inventory.html${hash}`)
  return page
}

/** Evaluates an expression in the extension's worker. */
export async function inWorker<T>({ chrome }: Pick<Fixture, 'chrome'>, expression: string): Promise<T> {
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

/** AA and best practices. */
const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Returns violations of the standards, or of some rules, each with its first element. */
const axe = (page: Page, rules?: string[]): Promise<string[]> =>
  violationsOn(page, rules ? { type: 'rule', values: rules } : { type: 'tag', values: standards })

/** Checks a state in light and dark, or in one of them, and takes its picture on request. */
export async function checkState(page: Page, name: string, schemes = ['light', 'dark']): Promise<void> {
  for (const scheme of schemes) {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
    expect(await axe(page, scheme === 'dark' ? aboutColors : undefined), `${name}, ${scheme}`).toEqual([])
    if (pictures) await page.screenshot({ path: `${pictures}/${name}-${scheme}.png` })
  }
}
