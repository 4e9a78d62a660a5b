import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import puppeteer, { type Browser, type Page, type Target, type WebWorker } from 'puppeteer'
import { patienceMs, until, within } from './patience.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))

/** Where browsers that can load an unpacked extension are installed, most wanted first. */
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
 * Path of a Chromium: CHROMIUM_PATH, an installed one, else one that is downloaded into .cache/ once.
 * Throws an error that says what to do when there is none and none can be had.
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
    // Only here: `npm ci` leaves the download out ("skipDownload" in package.json), since most machines have a browser.
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

export interface BrowserOptions {
  /** Folder of a built extension to load, such as extension/.output/chrome-mv3. */
  extension?: string
  /** Rules such as "MAP poshmark.com 127.0.0.1:1234" (see sites/). */
  hostRules?: string[]
  /** Folder of a profile that outlives the browser; a fresh one unless told. */
  profile?: string
  /** Further switches of Chromium. */
  switches?: string[]
}

export interface TestBrowser {
  browser: Browser
  extensionId: string
  /** A page, with the errors it threw collected in `errors`. */
  newPage(): Promise<Page>
  /** The page that is opened by itself and fits, as `newPage` gives one; `what`: for the message where none comes. */
  opened(what: string, fits: (target: Target) => boolean): Promise<Page>
  /** The popup's page in a tab of the popup's size. */
  openPopup(): Promise<Page>
  /** The extension's service worker, as soon as one runs. */
  worker(): Promise<WebWorker>
  /** Ends the service worker as the browser does; the next event wakes a new one. */
  killWorker(): Promise<void>
  /** Uncaught errors of all pages and violations of their policies, for asserting that there were none. */
  errors: string[]
  /** Ends the whole browser at once, as a power cut does: nothing of it can say or store anything more. */
  kill(): Promise<void>
  close(): Promise<void>
}

/** Starts a Chromium of its own, with a fresh profile, and the extension in it. */
export async function launchBrowser(options: BrowserOptions = {}): Promise<TestBrowser> {
  const browser = await puppeteer.launch({
    executablePath: await findChromium(),
    pipe: true,
    // Slow machines, with the others' tests beside.
    timeout: patienceMs,
    // One call may be nearly all of a test, as where 10,000 messages are sent.
    protocolTimeout: 150_000,
    enableExtensions: true,
    ...(options.profile ? { userDataDir: options.profile } : {}),
    args: [
      // Root in a container has no user namespace for the sandbox.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--ignore-certificate-errors',
      ...(options.switches ?? []),
      ...(options.hostRules?.length ? [`--host-resolver-rules=${options.hostRules.join(', ')}`] : []),
    ],
  })
  const extensionId = options.extension ? await browser.installExtension(options.extension) : ''
  const errors: string[] = []
  const attend = (page: Page) => {
    page.setDefaultTimeout(patienceMs)
    page.on('pageerror', (error) => errors.push(String(error)))
    return page
  }
  const newPage = async () => attend(await browser.newPage())
  const found = (what: string, fits: (target: Target) => boolean) =>
    within(what, browser.waitForTarget(fits, { timeout: 0 }))
  const workerTarget = () =>
    found(
      'a service worker of the extension',
      (target) => target.type() === 'service_worker' && target.url().includes(`://${extensionId}/`),
    )
  /** The worker of a target, once its script has run. */
  const runningWorker = async (target: Target) => {
    const worker = await target.worker()
    if (!worker) throw new Error('The service worker cannot be reached.')
    await within('the service worker to start', worker.evaluate('0'))
    return worker
  }
  return {
    browser,
    extensionId,
    errors,
    newPage,
    opened: async (what, fits) => attend((await (await found(what, fits)).page())!),
    async openPopup() {
      const page = await newPage()
      // Sharp where it is looked at: four times as many pixels to draw.
      await page.setViewport({ width: 380, height: 560, deviceScaleFactor: process.env.SCREENSHOTS ? 2 : 1 })
      await page.goto(`chrome-extension://${extensionId}/popup.html`)
      return page
    },
    async worker() {
      return runningWorker(await workerTarget())
    },
    async killWorker() {
      const target = await workerTarget()
      // Chromium starts one that is ended while it starts once more under the same id: it would never be seen to go.
      const worker = await runningWorker(target)
      const session = await browser.target().createCDPSession()
      const { targetInfos } = await session.send('Target.getTargets')
      const [info] = targetInfos.filter(({ type, url }) => type === target.type() && url === target.url())
      // We let go of it first: one that is called again while we hold the old one waits a minute for a debugger.
      await worker.client.detach()
      await session.send('Target.closeTarget', { targetId: info!.targetId })
      await until('the service worker to end', () => !browser.targets().includes(target))
      await session.detach()
    },
    async kill() {
      const child = browser.process()!
      const gone = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await gone
    },
    close: () => browser.close(),
  }
}
