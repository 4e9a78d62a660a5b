import { afterEach, describe, expect, it } from 'vitest'
import { sampleItem } from '#extension/testing/sample-stock.ts'
import { sampleTask } from '#extension/testing/sample-task.ts'
import { checkState, inWorker, named, openInventory, prepareWorlds, signIn, type World } from './world.ts'

const worlds = prepareWorlds()
afterEach(worlds.closeAll)

/**
 * Lets the worker's patience end in little more than half of its time: how long it is, is tested with a clock of its own
 * (extension/session/api.test.ts); here it is about what the seller is shown meanwhile and after.
 */
async function hasten(world: World): Promise<void> {
  await inWorker(
    world,
    'globalThis.setTimeout = ((wait) => (act, ms, ...more) => wait(act, ms === 10_000 || ms === 20_000 ? ms / 2 + 2_000 : ms, ...more))(setTimeout)',
  )
}

describe('a server that takes requests and never answers', () => {
  it('F38: the popup shows what it knows at once, soon says that it waits, and then that there is no answer', async () => {
    const world = await worlds.start()
    const { server } = world.hapax
    server.ebay = 'connected'
    server.inventory.push(sampleItem(0))
    server.tasks.push(sampleTask())
    const before = await signIn(world)
    await before.waitForSelector('.task')
    await before.close()
    await hasten(world)
    server.mood = 'hang'
    const popup = await world.chrome.openPopup()
    await popup.waitForSelector('.task')
    expect(await popup.$('[aria-busy=true]')).toBeNull()
    await popup.waitForSelector('::-p-text(The server has not answered yet. Showing)', { timeout: 20_000 })
    await checkState(popup, 'server-slow')
    await popup.waitForSelector('::-p-text(Offline. Showing)', { timeout: 40_000 })
    await popup.waitForSelector('.dot.old')
    const dots = await popup.$$eval('.dots li', (all) => all.map((one) => one.title))
    expect(dots[0]).toMatch(/^eBay: worked .+; the server cannot be asked now$/)
    await checkState(popup, 'server-hung')

    await popup.locator('button[aria-label^="Done: Take it down on Depop"]').click()
    await popup.waitForSelector('::-p-text(The server has not answered yet. Still asking…)', { timeout: 20_000 })
    await checkState(popup, 'task-slow')
    await popup.waitForSelector('::-p-text(The server does not answer.)', { timeout: 60_000 })
    expect(await popup.$$eval('.task', (all) => all.length)).toBe(1)
    expect(world.chrome.errors).toEqual([])
  })

  it('F38: signing in ends with a sentence, and nothing is claimed that nobody said', async () => {
    const world = await worlds.start()
    const { server } = world.hapax
    const popup = await world.chrome.openPopup()
    await popup.locator('input[name=server]').fill(world.hapax.url)
    await popup.locator('input[name=email]').fill(server.user.email ?? '')
    await popup.locator('input[name=password]').fill(server.password)
    await hasten(world)
    server.mood = 'stall'
    await popup.locator('button[type=submit]').click()
    await popup.waitForSelector('::-p-text(The server has not answered yet. Still asking…)', { timeout: 20_000 })
    await checkState(popup, 'sign-in-slow')
    await popup.waitForSelector('::-p-text(The server does not answer.)', { timeout: 60_000 })
    server.mood = null
    server.faults.push({ operation: 'listImportJobs', code: 'hang', times: 100 })
    await popup.locator('button[type=submit]').click()
    await popup.waitForSelector('::-p-text(as soon as the server answers)')
    expect(await popup.$('::-p-text(Connect a shop)')).toBeNull()
    expect(await popup.$$eval('.dot.unknown', (all) => all.length)).toBe(2)
    await popup.waitForSelector('::-p-text(Offline. The server was not reached yet.)', { timeout: 40_000 })
    await checkState(popup, 'never-reached')
  })

  it('F38: the full page shows table and item as they were read, says that it waits, and gives up', async () => {
    const world = await worlds.start()
    const { server } = world.hapax
    server.inventory.push(sampleItem(0), sampleItem(1))
    await signIn(world)
    const page = await openInventory(world)
    await page.waitForSelector('::-p-text(2 of 2)')
    await hasten(world)
    server.mood = 'hang'
    await page.reload()
    await page.waitForSelector('::-p-text(2 of 2)')
    await page.waitForSelector('::-p-text(The server has not answered yet. Showing 2 items)', { timeout: 20_000 })
    await checkState(page, 'inventory-slow')
    await page.waitForSelector('::-p-text(Offline. Showing 2 items as last read.)', { timeout: 60_000 })
    const title = await page.$eval('.lines .title a', (link) => link.textContent)
    await page.locator('.lines .title a').click()
    await page.waitForSelector(`h1::-p-text(${title})`)
    await page.waitForSelector('::-p-text(the server has not answered yet)', { timeout: 20_000 })
    await checkState(page, 'item-slow')
    await page.waitForSelector('::-p-text(Offline. Showing the item as it was last read.)', { timeout: 60_000 })
  })

  it('T100: delays no signing out', async () => {
    const world = await worlds.start()
    const popup = await signIn(world)
    world.hapax.server.mood = 'hang'
    await popup.locator(named('button', 'Account and settings')).click()
    await popup.locator('button[type=submit]').click()
    await expect.poll(() => inWorker(world, 'chrome.storage.local.get()'), { timeout: 4_000 }).toEqual({})
    await popup.waitForSelector('input[name=email]')
    await popup.waitForSelector('::-p-text(did not say that the key)')
  })
})
