import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { delimiter, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import puppeteer, { type Browser, type BrowserContext, type Page, type Target, type WebWorker } from 'puppeteer'
import type { PopupRequestName } from '#extension/messaging/protocol.ts'
import { memoryFolder } from '#tools/memory-folder.ts'
import { siteHosts, sitesPort } from './sites/https-site.ts'
import { stepTimeoutMs, until, within } from './timeouts.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))

/** Install locations of browsers that can load an unpacked extension, most preferred first. */
const places: Partial<Record<NodeJS.Platform, string[]>> = {
  linux: [
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/usr/bin/google-chrome-stable',
    '/snap/bin/chromium',
  ],
  darwin: [
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: ['C:\\Program Files', 'C:\\Program Files (x86)'].flatMap((folder) => [
    `${folder}\\Google\\Chrome\\Application\\chrome.exe`,
    `${folder}\\Microsoft\\Edge\\Application\\msedge.exe`,
  ]),
}

/**
 * Returns the path of a Chromium: CHROMIUM_PATH, an installed one, else one downloaded into .cache/ once. Throws an
 * error with advice if there is none.
 */
export async function findChromium(): Promise<string> {
  const named = process.env.CHROMIUM_PATH
  if (named && existsSync(named)) return named
  if (named) throw new Error(`CHROMIUM_PATH names ${named}, which does not exist.`)
  const installed = places[process.platform]?.find((path) => existsSync(path))
  return installed ?? downloadChromium()
}

async function downloadChromium(): Promise<string> {
  try {
    const path = resolve(root, await puppeteer.executablePath())
    const program = fileURLToPath(import.meta.resolve('puppeteer/lib/puppeteer/node/cli.js'))
    // Download here: `npm ci` skips it ("skipDownload" in package.json), since most machines have a browser.
    if (!existsSync(path)) await run(process.execPath, [program, 'browsers', 'install', 'chrome'], { cwd: root })
    return path
  } catch (cause) {
    throw new Error(
      'The browser tests need Chromium: none is installed and none could be downloaded. ' +
        'Install Chromium or Chrome, or set CHROMIUM_PATH to its program.',
      { cause },
    )
  }
}

interface BrowserOptions {
  /** Folder of a built extension, such as extension/.output/chrome-mv3. */
  extension?: string
}

interface LaunchOptions extends BrowserOptions {
  /** Folder of a persistent profile; a fresh one by default. */
  profile?: string
  /** Additional switches of Chromium. */
  switches?: string[]
}

export interface TestBrowser {
  /** Its targets and pages. */
  context: BrowserContext
  extensionId: string
  /** Opens a page; its errors are collected in `errors`. */
  newPage(): Promise<Page>
  /** Returns a matching page that the browser opens by itself; `what` names it in the error. */
  opened(what: string, fits: (target: Target) => boolean): Promise<Page>
  /** Opens the popup's page in a tab of the popup's size. */
  openPopup(): Promise<Page>
  /** Returns the extension's service worker once it runs. */
  worker(): Promise<WebWorker>
  /** Ends the service worker as the browser does; the next event starts a new one. */
  killWorker(): Promise<void>
  /** Uncaught errors and policy violations of all pages. */
  errors: string[]
  /** Kills the whole browser like a power failure, so that it cannot store anything more. */
  kill(): Promise<void>
  close(): Promise<void>
}

/** Starts a Chromium of its own with a fresh profile and the extension: for tests that kill it or need switches. */
export async function launchBrowser(options: LaunchOptions = {}): Promise<TestBrowser> {
  const browser = await launch(options)
  const extensionId = options.extension ? await browser.installExtension(options.extension) : ''
  return control(browser.defaultBrowserContext(), extensionId, () => browser.close())
}

/** The browser that the tests of this process share. It ends with the process, however that ends. */
interface SharedBrowser {
  browser: Browser
  /** The page that stays, since a browser without pages may quit. */
  firstPage: Page
  installed: { extensionId: string; folder: string } | null
  /** Web origins that the default context has shown since it was last cleared. */
  origins: Set<string>
}

let shared: Promise<SharedBrowser> | undefined

/**
 * Opens a fresh state of the shared browser: with the extension the default context, of which there is one, and
 * otherwise a separate context. Closing it deletes all that the test left behind.
 */
export async function openBrowser({ extension }: BrowserOptions = {}): Promise<TestBrowser> {
  const common = await sharedBrowser()
  const { browser } = common
  if (!extension) {
    const context = await browser.createBrowserContext()
    return control(context, '', () => context.close())
  }
  // A file that was aborted may have left it there.
  await clear(common)
  // The path makes the id. A new one leaves an earlier installation's storage out of reach, even while it is deleted.
  const folder = await mkdtemp(join(memoryFolder(), 'hapax-installed-'))
  await cp(extension, folder, { recursive: true })
  const extensionId = await browser.installExtension(folder)
  common.installed = { extensionId, folder }
  return control(browser.defaultBrowserContext(), extensionId, async () => {
    if (common.installed?.extensionId === extensionId) await clear(common)
  })
}

async function sharedBrowser(): Promise<SharedBrowser> {
  const running = await shared?.catch(() => null)
  if (running?.browser.connected) return running
  shared = launchShared()
  return shared
}

async function launchShared(): Promise<SharedBrowser> {
  const browser = await launch()
  const [firstPage] = await browser.pages()
  const origins = new Set<string>()
  const note = (target: Target) => {
    if (target.url().startsWith('http')) origins.add(new URL(target.url()).origin)
  }
  const context = browser.defaultBrowserContext()
  context.on('targetcreated', note)
  context.on('targetchanged', note)
  return { browser, firstPage: firstPage!, installed: null, origins }
}

/** Sends a request to the extension's worker as its popup does, and returns the answer. Spares the test a page. */
export async function askWorker(chrome: TestBrowser, name: PopupRequestName, request: object): Promise<unknown> {
  const message = JSON.stringify({ name, request })
  return (await chrome.worker()).evaluate(`(async () => {
    const sender = { id: chrome.runtime.id, url: chrome.runtime.getURL('popup.html') }
    const { results } = chrome.runtime.onMessage.dispatch(${message}, sender, () => {})
    return (await Promise.all(results))[0]
  })()`)
}

/**
 * Signs the extension out, which deletes all that it keeps, and clears pages and sites, so that another test can go on with
 * the same installation. It takes half of the processor time of a new one.
 */
export async function signOutAndClear(chrome: TestBrowser): Promise<void> {
  await askWorker(chrome, 'popup.signOut', {})
  const common = await sharedBrowser()
  await clearSites(common)
  const session = await common.firstPage.createCDPSession()
  // Its pages remember choices there, such as columns. Its databases are empty already.
  const origin = `chrome-extension://${chrome.extensionId}`
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage' })
  await session.detach()
  chrome.errors.length = 0
}

/**
 * Removes the extension, if it is installed, with its data, and the pages, cookies, permissions and storage of all
 * sites. Closes a browser that cannot be cleared, so that the next test gets another.
 */
async function clear(common: SharedBrowser): Promise<void> {
  const { browser, installed } = common
  if (!installed) return
  common.installed = null
  try {
    // First, or its service worker could open more pages.
    await browser.uninstallExtension(installed.extensionId)
    await clearSites(common)
  } catch (error) {
    await browser.close()
    throw error
  } finally {
    await rm(installed.folder, { recursive: true })
  }
}

async function clearSites({ browser, firstPage, origins }: SharedBrowser): Promise<void> {
  const context = browser.defaultBrowserContext()
  const otherPages = async () => (await context.pages()).filter((page) => page !== firstPage)
  await until('all pages to close', async () => {
    await Promise.allSettled((await otherPages()).map((page) => page.close()))
    return (await otherPages()).length === 0
  })
  await context.clearPermissionOverrides()
  const session = await firstPage.createCDPSession()
  for (const origin of origins) await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  origins.clear()
  await session.send('Network.clearBrowserCookies')
  await session.send('Network.clearBrowserCache')
  await session.detach()
}

async function launch({ profile, switches = [] }: LaunchOptions = {}): Promise<Browser> {
  const port = await sitesPort()
  const resolverRules = [
    ...siteHosts.map((host) => `MAP ${host} 127.0.0.1:${port}`),
    // Nothing leaves this machine.
    'MAP * ~NOTFOUND',
    'EXCLUDE 127.0.0.1',
    'EXCLUDE localhost',
  ]
  return puppeteer.launch({
    executablePath: await findChromium(),
    pipe: true,
    // For slow machines that run other tests at once.
    timeout: stepTimeoutMs,
    // One call may take most of a test, such as sending 10,000 messages.
    protocolTimeout: 600_000,
    enableExtensions: true,
    env: { ...process.env, PATH: [join(root, 'e2e/harness/without-menu'), process.env.PATH].join(delimiter) },
    ...(profile ? { userDataDir: profile } : {}),
    args: [
      // In a container, root has no user namespace for the sandbox.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--ignore-certificate-errors',
      ...switches,
      `--host-resolver-rules=${resolverRules.join(', ')}`,
    ],
  })
}

/** Lets a test control a context of a browser. */
function control(context: BrowserContext, extensionId: string, close: () => Promise<void>): TestBrowser {
  const browser = context.browser()
  const errors: string[] = []
  const attend = (page: Page) => {
    page.setDefaultTimeout(stepTimeoutMs)
    page.on('pageerror', (error) => errors.push(String(error)))
    return page
  }
  const newPage = async () => attend(await context.newPage())
  const found = (what: string, fits: (target: Target) => boolean) =>
    within(what, context.waitForTarget(fits, { timeout: 0 }))
  const isWorker = (target: Target) => target.type() === 'service_worker' && target.url().includes(`://${extensionId}/`)
  const workerTarget = () => found('a service worker of the extension', isWorker)
  /** Returns the worker of a target once its script has run. */
  const runningWorker = async (target: Target) => {
    const worker = await target.worker()
    if (!worker) throw new Error('The service worker cannot be reached.')
    await within('the service worker to start', worker.evaluate('0'))
    return worker
  }
  const openPopup = async () => {
    const page = await newPage()
    // Sharp pictures only on request: they take four times as many pixels.
    await page.setViewport({ width: 380, height: 560, deviceScaleFactor: process.env.SCREENSHOTS ? 2 : 1 })
    await page.goto(`chrome-extension://${extensionId}/popup.html`)
    return page
  }
  return {
    context,
    extensionId,
    errors,
    newPage,
    opened: async (what, fits) => attend((await (await found(what, fits)).page())!),
    openPopup,
    async worker() {
      // It ends after half a minute without work. A page of the extension wakes it.
      const waking = context.targets().some(isWorker) ? null : await openPopup()
      const worker = await runningWorker(await workerTarget())
      await waking?.close()
      return worker
    },
    async killWorker() {
      const target = context.targets().find(isWorker)
      // On a slow machine the browser has ended it already.
      if (!target) return
      // Chromium restarts a worker that is stopped while starting under the same id, so it would never seem to end.
      const worker = await runningWorker(target)
      const session = await browser.target().createCDPSession()
      const { targetInfos } = await session.send('Target.getTargets')
      const [info] = targetInfos.filter(({ type, url }) => type === target.type() && url === target.url())
      // Detach first: a worker restarted while attached would wait a minute for a debugger.
      await worker.client.detach()
      await session.send('Target.closeTarget', { targetId: info!.targetId })
      await until('the service worker to end', () => !context.targets().includes(target))
      await session.detach()
    },
    async kill() {
      // Its exit may be seen before its pipe closes, and until then it counts as connected.
      const gone = new Promise((resolve) => browser.once('disconnected', resolve))
      browser.process()!.kill('SIGKILL')
      await gone
    },
    close,
  }
}
