import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { describe, expect, inject, it } from 'vitest'
import { sampleTask } from '#extension/testing/sample-task.ts'
import { launchBrowser } from './browser.ts'
import { inWorker, named, openInventory, signIn } from './fixture.ts'
import { startPoshmark } from './sites/poshmark.ts'
import { pictureHost } from './sites/poshmark-data.ts'
import { startStandIn } from './stand-in-http.ts'

const extension = inject('extension')

/** Hosts that the browser itself contacts, with or without extensions. */
const ofTheBrowser = /\.(google|googleapis|gstatic|gvt1)\.com$/

/** Starts a proxy for everything except the platform and the server; it records the host and hangs up. */
async function startEavesdropper() {
  const hosts: string[] = []
  const proxy = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (data) => {
      const asked = /^[A-Z]+ (?:http:\/\/)?([^/: ]+)/.exec(data.toString('latin1'))?.[1] ?? 'unknown'
      if (!ofTheBrowser.test(asked)) hosts.push(asked)
      socket.destroy()
    })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as AddressInfo
  return { hosts, port, close: () => new Promise<void>((resolve) => proxy.close(() => resolve())) }
}

describe('all traffic of a browser with the extension', () => {
  it('goes only to the platform and the seller’s server', async () => {
    const site = await startPoshmark({ listings: 30 })
    const hapax = await startStandIn()
    const others = await startEavesdropper()
    const direct = `--proxy-bypass-list=poshmark.com;${pictureHost}`
    const switches = [`--proxy-server=127.0.0.1:${others.port}`, direct]
    const chrome = await launchBrowser({ extension, switches })
    const fixture = { site, hapax, chrome }
    const atSite: string[] = []
    try {
      hapax.server.tasks.push(sampleTask())
      const popup = await signIn(fixture)
      const closet = await chrome.newPage()
      closet.on('request', (request) => atSite.push(`${request.url()} ${JSON.stringify(request.headers())}`))
      await closet.goto('https://poshmark.com/closet/samplecloset')
      await (await closet.waitForSelector(named('button', 'Import 30 listings')))!.click()
      await closet.waitForSelector(named('button', 'Import again'))
      await inWorker(fixture, "chrome.alarms.onAlarm.dispatch({ name: 'watch', scheduledTime: 0 })")
      const page = await openInventory(fixture)
      await page.waitForSelector('::-p-text(30 of 30)')
      await page.locator('.lines .title a').click()
      await page.waitForSelector('.pictures img')
      await page.waitForNetworkIdle({ idleTime: 500 })
      // Signing out ends it.
      const keys = [...hapax.server.keys.values()].map((one) => one.secret)
      expect(keys).toHaveLength(1)
      await popup.bringToFront()
      await popup.locator(named('button', 'Account and settings')).click()
      await popup.locator('form button[type=submit]').click()
      await popup.waitForSelector('input[name=email]')

      expect(atSite.length).toBeGreaterThan(0)
      for (const key of keys) expect(atSite.join('\n')).not.toContain(key)
      expect(others.hosts).toEqual([])

      // Prove that the proxy would notice a foreign request.
      await inWorker(fixture, "fetch('https://elsewhere.test/').catch(() => null)")
      await expect.poll(() => others.hosts).toContain('elsewhere.test')
    } finally {
      await chrome.close()
      await Promise.all([site.close(), hapax.close(), others.close()])
    }
  })
})
