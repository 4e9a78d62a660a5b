import { afterEach, describe, expect, it } from 'vitest'
import { sampleItem } from '#extension/testing/sample-inventory.ts'
import { sampleTask } from '#extension/testing/sample-task.ts'
import { checkState, inWorker, named, openInventory, prepareWorlds, signIn, type World } from './world.ts'

const worlds = prepareWorlds()
afterEach(worlds.closeAll)

/**
 * Replaces the worker's request timeouts, so that the test ends them. extension/background/session/api.test.ts tests
 * their length with a fake clock.
 */
async function holdPatience(world: World): Promise<{ end(): Promise<void>; hold(): Promise<void> }> {
  await inWorker(
    world,
    `(() => {
      const { setTimeout, clearTimeout } = globalThis
      const patiences = [5_000, 10_000, 20_000]
      const waiting = new Map()
      let ended = false
      globalThis.setTimeout = (act, ms, ...more) => {
        if (ended || !patiences.includes(ms)) return setTimeout(act, patiences.includes(ms) ? 0 : ms, ...more)
        const id = -1 - waiting.size
        waiting.set(id, act)
        return id
      }
      globalThis.clearTimeout = (id) => (id < 0 ? void waiting.set(id, null) : clearTimeout(id))
      globalThis.patience = (over) => {
        ended = over
        if (over) for (const [id, act] of waiting) waiting.set(id, act?.() ?? null)
      }
    })()`,
  )
  return { end: () => inWorker(world, 'patience(true)'), hold: () => inWorker(world, 'patience(false)') }
}

describe('a server that never answers', () => {
  it('leaves the popup with known data, then a wait, then an error', async () => {
    const world = await worlds.start()
    const { server } = world.hapax
    server.ebay = 'connected'
    server.inventory.push(sampleItem(0))
    server.tasks.push(sampleTask())
    const before = await signIn(world)
    await before.waitForSelector('.task')
    await before.close()
    const patience = await holdPatience(world)
    server.mood = 'hang'
    const popup = await world.chrome.openPopup()
    await popup.waitForSelector('.task')
    expect(await popup.$('[aria-busy=true]')).toBeNull()
    await popup.waitForSelector('::-p-text(The server has not answered yet. Showing)')
    await checkState(popup, 'server-slow')
    await patience.end()
    await popup.waitForSelector('::-p-text(Offline. Showing)')
    await popup.waitForSelector('.dot.old')
    const dots = await popup.$$eval('.dots li', (all) => all.map((one) => one.title))
    expect(dots[0]).toMatch(/^eBay: Worked .+\. The server is not reachable now\.$/)
    await checkState(popup, 'server-hung')

    await patience.hold()
    await popup.locator('button[aria-label^="Done: Take it down on Depop"]').click()
    await popup.waitForSelector('::-p-text(The server has not answered yet. Still trying…)')
    await checkState(popup, 'task-slow')
    await patience.end()
    await popup.waitForSelector('::-p-text(The server does not answer.)')
    expect(await popup.$$eval('.task', (all) => all.length)).toBe(1)
    expect(world.chrome.errors).toEqual([])
  })

  it('ends a sign-in with a sentence and no false claim', async () => {
    const world = await worlds.start()
    const { server } = world.hapax
    const popup = await world.chrome.openPopup()
    await popup.locator('input[name=server]').fill(world.hapax.url)
    await popup.locator('input[name=email]').fill(server.user.email ?? '')
    await popup.locator('input[name=password]').fill(server.password)
    const patience = await holdPatience(world)
    server.mood = 'stall'
    await popup.locator('button[type=submit]').click()
    await popup.waitForSelector('::-p-text(The server has not answered yet. Still trying…)')
    await checkState(popup, 'sign-in-slow')
    await patience.end()
    await popup.waitForSelector('::-p-text(The server does not answer.)')
    await patience.hold()
    server.mood = null
    server.faults.push({ operation: 'listImportJobs', code: 'hang', times: 100 })
    await popup.locator('button[type=submit]').click()
    await popup.waitForSelector('::-p-text(as soon as the server answers)')
    expect(await popup.$('::-p-text(Connect a shop)')).toBeNull()
    expect(await popup.$$eval('.dot.unknown', (all) => all.length)).toBe(5)
    await patience.end()
    await popup.waitForSelector('::-p-text(Offline. The server has not been reached yet.)')
    await checkState(popup, 'never-reached')
  })

  it('leaves the full page as it was, then a wait, then an error', async () => {
    const world = await worlds.start()
    const { server } = world.hapax
    server.inventory.push(sampleItem(0), sampleItem(1))
    await signIn(world)
    const page = await openInventory(world)
    await page.waitForSelector('::-p-text(2 of 2)')
    const patience = await holdPatience(world)
    server.mood = 'hang'
    await page.reload()
    await page.waitForSelector('::-p-text(2 of 2)')
    await page.waitForSelector('::-p-text(The server has not answered yet. Showing 2 items)')
    await checkState(page, 'inventory-slow')
    await patience.end()
    await page.waitForSelector('::-p-text(Offline. Showing 2 items as last read.)')
    await patience.hold()
    const title = await page.$eval('.lines .title a', (link) => link.textContent)
    await page.locator('.lines .title a').click()
    await page.waitForSelector(`h1::-p-text(${title})`)
    await page.waitForSelector('::-p-text(The server has not answered yet)')
    await checkState(page, 'item-slow')
    await patience.end()
    await page.waitForSelector('::-p-text(Offline. Showing the item as last read.)')
  })

  it('does not delay signing out', async () => {
    const world = await worlds.start()
    const popup = await signIn(world)
    const patience = await holdPatience(world)
    world.hapax.server.mood = 'hang'
    await popup.locator(named('button', 'Account and settings')).click()
    await popup.locator('button[type=submit]').click()
    await expect.poll(() => inWorker(world, 'chrome.storage.local.get()')).toEqual({})
    await patience.end()
    await popup.waitForSelector('input[name=email]')
    await popup.waitForSelector('::-p-text(did not confirm that the key)')
  })
})
