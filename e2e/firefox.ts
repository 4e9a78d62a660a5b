import { existsSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import puppeteer, { type Browser, type Page } from 'puppeteer'
import { expect, vi } from 'vitest'
import { siteHosts, sitesPort } from './sites/https-site.ts'
import { stepTimeoutMs } from './timeouts.ts'

/** Install locations of Firefox. */
const places = [
  process.env.FIREFOX_PATH,
  '/usr/bin/firefox-esr',
  '/usr/bin/firefox',
  '/Applications/Firefox.app/Contents/MacOS/firefox',
  'C:\\Program Files\\Mozilla Firefox\\firefox.exe',
]

/** Returns the path of an installed Firefox, or null. */
export function findFirefox(): string | null {
  return places.find((path) => path && existsSync(path)) ?? null
}

/** The host of the extension's pages, which Firefox otherwise generates per profile. */
const uuid = '6b3c1d7e-2f0a-4c55-9d1b-0a1b2c3d4e5f'

export interface TestFirefox {
  browser: Browser
  /** Opens a page of the extension, such as popup.html. */
  openExtensionPage(path: string, size: { width: number; height: number }): Promise<Page>
  /** Uncaught errors of the extension's pages. */
  errors: string[]
  close(): Promise<void>
}

/** Starts a Firefox with the extension from `folder`. The sites' hosts resolve to the stand-ins. */
export async function launchFirefox(path: string, folder: string): Promise<TestFirefox> {
  const hosts = new Set<string | undefined>(siteHosts)
  const port = await sitesPort()
  // Firefox has no host rules, so a proxy connects the sites' hosts to the stand-ins and refuses all others.
  const proxy = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (head) => {
      const host = /^CONNECT ([^: ]+):/.exec(String(head))?.[1]
      if (!hosts.has(host)) return socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
      const upstream = connect(port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
        upstream.pipe(socket).pipe(upstream)
      })
      upstream.on('error', () => socket.destroy())
      socket.on('close', () => upstream.destroy())
    })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: path,
    acceptInsecureCerts: true,
    timeout: stepTimeoutMs,
    protocolTimeout: stepTimeoutMs,
    // Without system access, the driver cannot open extension pages.
    args: ['-remote-allow-system-access'],
    extraPrefsFirefox: {
      'network.proxy.type': 1,
      'network.proxy.ssl': '127.0.0.1',
      'network.proxy.ssl_port': (proxy.address() as { port: number }).port,
      'extensions.webextensions.uuids': JSON.stringify({ '{ba08e102-2e83-4886-89bc-77915386cc81}': uuid }),
    },
  })
  await browser.installExtension(folder)
  const errors: string[] = []
  return {
    browser,
    errors,
    async openExtensionPage(file, size) {
      const page = await browser.newPage()
      page.setDefaultTimeout(stepTimeoutMs)
      page.on('pageerror', (error) => errors.push(String(error)))
      await page.setViewport(size)
      // The page loads in a new process, and the driver waits for its load event in the old one forever.
      void page.goto(`moz-extension://${uuid}/${file}`).catch(() => null)
      await vi.waitFor(async () => expect(await page.$('#app > *')).not.toBeNull(), {
        timeout: stepTimeoutMs,
        interval: 200,
      })
      return page
    },
    async close() {
      await browser.close()
      await new Promise<void>((resolve) => proxy.close(() => resolve()))
    },
  }
}
