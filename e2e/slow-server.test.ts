import { afterEach, describe, expect, it } from 'vitest'
import { sampleItem } from '#extension/testing/sample-inventory.ts'
import { sampleTask } from '#extension/testing/sample-task.ts'
import {
  checkState,
  type Fixture,
  inWorker,
  named,
  openInventory,
  prepareFixtures,
  signIn,
  signInWithoutPopup,
} from './fixture.ts'

const fixtures = prepareFixtures()
afterEach(fixtures.closeAll)

/**
 * Replaces the worker's request timeouts, so that the test ends them. extension/background/session/api.test.ts tests
 * their length with a fake clock.
 */
async function holdTimeouts(fixture: Fixture): Promise<{ end(): Promise<void>; hold(): Promise<void> }> {
  await inWorker(
    fixture,
    `(() => {
      const { setTimeout, clearTimeout } = globalThis
      const requestTimeouts = [5_000, 10_000, 20_000]
      const waiting = new Map()
      let ended = false
      globalThis.setTimeout = (act, ms, ...more) => {
        if (ended || !requestTimeouts.includes(ms)) return setTimeout(act, requestTimeouts.includes(ms) ? 0 : ms, ...more)
        const id = -1 - waiting.size
        waiting.set(id, act)
        return id
      }
      globalThis.clearTimeout = (id) => (id < 0 ? void waiting.set(id, null) : clearTimeout(id))
      globalThis.timeouts = (over) => {
        ended = over
        if (over) for (const [id, act] of waiting) waiting.set(id, act?.() ?? null)
      }
    })()`,
  )
  return { end: () => inWorker(fixture, 'timeouts(true)'), hold: () => inWorker(fixture, 'timeouts(false)') }
}

describe('a server that never answers', () => {
  it('leaves the popup with known data, then a wait, then an error', async () => {
    const fixture = await fixtures.start()
    const { server } = fixture.hapax
    server.ebay = 'connected'
    server.inventory.push(sampleItem(0))
    server.tasks.push(sampleTask())
    const before = await signIn(fixture)
    await before.waitForSelector('.task')
    await before.close()
    const timeouts = await holdTimeouts(fixture)
    server.outage = 'hang'
    const popup = await fixture.chrome.openPopup()
    await popup.waitForSelector('.task')
    expect(await popup.$('[aria-busy=true]')).toBeNull()
    await popup.waitForSelector('::-p-text(The server has not answered yet. Showing)')
    await checkState(popup, 'server-slow')
    await timeouts.end()
    await popup.waitForSelector('::-p-text(Offline. Showing)')
    await popup.waitForSelector('.dot.old')
    const dots = await popup.$$eval('.dots li', (all) => all.map((one) => one.title))
    expect(dots[0]).toMatch(/^eBay: Worked .+\. The server is not reachable now\.$/)
    await checkState(popup, 'server-hung')

    await timeouts.hold()
    await popup.locator('button[aria-label^="Done: Take it down on Depop"]').click()
    await popup.waitForSelector('::-p-text(The server has not answered yet. Still trying…)')
    await checkState(popup, 'task-slow')
    await timeouts.end()
    await popup.waitForSelector('::-p-text(The server does not answer.)')
    expect(await popup.$$eval('.task', (all) => all.length)).toBe(1)
    expect(fixture.chrome.errors).toEqual([])
  })

  it('reports a sign-in without an answer and claims no shop state', async () => {
    const fixture = await fixtures.start()
    const { server } = fixture.hapax
    const popup = await fixture.chrome.openPopup()
    await popup.locator('input[name=server]').fill(fixture.hapax.url)
    await popup.locator('input[name=email]').fill(server.user.email ?? '')
    await popup.locator('input[name=password]').fill(server.password)
    const timeouts = await holdTimeouts(fixture)
    server.outage = 'stall'
    await popup.locator('button[type=submit]').click()
    await popup.waitForSelector('::-p-text(The server has not answered yet. Still trying…)')
    await checkState(popup, 'sign-in-slow')
    await timeouts.end()
    await popup.waitForSelector('::-p-text(The server does not answer.)')
    await timeouts.hold()
    server.outage = null
    server.faults.push({ operation: 'listImportJobs', code: 'hang', times: 100 })
    await popup.locator('button[type=submit]').click()
    await popup.waitForSelector('::-p-text(as soon as the server answers)')
    expect(await popup.$('::-p-text(Connect a shop)')).toBeNull()
    expect(await popup.$$eval('.dot.unknown', (all) => all.length)).toBe(5)
    await timeouts.end()
    await popup.waitForSelector('::-p-text(Offline. The server has not been reached yet.)')
    await checkState(popup, 'never-reached')
  })

  it('leaves the full page as it was, then a wait, then an error', async () => {
    const fixture = await fixtures.start()
    const { server } = fixture.hapax
    server.inventory.push(sampleItem(0), sampleItem(1))
    await signInWithoutPopup(fixture)
    const page = await openInventory(fixture)
    await page.waitForSelector('::-p-text(2 of 2)')
    const timeouts = await holdTimeouts(fixture)
    server.outage = 'hang'
    await page.reload()
    await page.waitForSelector('::-p-text(2 read so far)')
    await page.waitForSelector('::-p-text(The server has not answered yet. Showing 2 items)')
    await checkState(page, 'inventory-slow')
    await timeouts.end()
    await page.waitForSelector('::-p-text(Offline. Showing 2 items as last read.)')
    await timeouts.hold()
    const title = await page.$eval('.lines .title a', (link) => link.textContent)
    await page.locator('.lines .title a').click()
    await page.waitForSelector(`h1::-p-text(${title})`)
    await page.waitForSelector('::-p-text(The server has not answered yet)')
    await checkState(page, 'item-slow')
    await timeouts.end()
    await page.waitForSelector('::-p-text(Offline. Showing the item as last read.)')
  })

  it('does not delay signing out', async () => {
    const fixture = await fixtures.start()
    const popup = await signIn(fixture)
    const timeouts = await holdTimeouts(fixture)
    fixture.hapax.server.outage = 'hang'
    await popup.locator(named('button', 'Account and settings')).click()
    await popup.locator('button[type=submit]').click()
    await expect.poll(() => inWorker(fixture, 'chrome.storage.local.get()')).toEqual({})
    await timeouts.end()
    await popup.waitForSelector('input[name=email]')
    await popup.waitForSelector('::-p-text(did not confirm that the key)')
  })
})
