import type { Page } from 'puppeteer'
import { afterEach, describe, expect, it } from 'vitest'
import { killInTheMiddle } from './kill-in-the-middle.ts'
import {
  expectNothingOffered,
  expectNothingSecretLeft,
  importedIds,
  named,
  openPage,
  prepareSiteWorlds,
  type SiteWorld,
} from './site-world.ts'
import { type MercariSite, startMercari } from './sites/mercari.ts'

const ownLists = 'https://www.mercari.com/mypage/listings/active/'
const worlds = prepareSiteWorlds(startMercari)
afterEach(worlds.closeAll)

const ownIds = ({ site }: SiteWorld<MercariSite>) =>
  site.items.filter((item) => item.seller === site.seller).map((item) => item.id)

async function importShop(world: SiteWorld<MercariSite>) {
  const page = await openPage(world, ownLists)
  await startImport(page)
  return page
}

async function startImport(page: Page): Promise<void> {
  await (await page.waitForSelector(named('button', 'Import your listings')))!.click()
}

describe('importing from Mercari', () => {
  it('imports every item once though the worker is killed', async () => {
    const world = await worlds.start()
    const page = await openPage(world, ownLists)
    await killInTheMiddle(world.chrome, world.site.itemPages, 3, () => startImport(page))
    await page.waitForSelector(named('button', 'Import again'))
    expect(importedIds(world).sort()).toEqual(ownIds(world).sort())
    expect(world.hapax.server.jobs).toMatchObject([{ status: 'completed', shop: String(world.site.seller.id) }])
    const items = world.hapax.server.jobs[0]!.items
    expect(items.filter((item) => item.status === 'failed')).toEqual([])
    expect(world.chrome.errors).toEqual([])
    await expectNothingSecretLeft(world)
  })

  it('uses the query hash of the page itself', async () => {
    const world = await worlds.start({ listings: { on_sale: 25, trading: 1, sold_out: 1 } })
    world.site.hash = 'cd'.repeat(32)
    world.site.pageHash = world.site.hash
    const page = await importShop(world)
    await page.waitForSelector(named('button', 'Import again'))
    expect(importedIds(world)).toHaveLength(27)
    expect(world.hapax.server.jobs[0]!.items.filter((item) => item.status === 'failed')).toEqual([])
  })

  it('reports an unknown query and reads the open page', async () => {
    const world = await worlds.start({ listings: { on_sale: 5, trading: 0, sold_out: 0 } })
    const page = await openPage(world, ownLists)
    await page.waitForSelector('[data-drawn=true]')
    world.site.hash = 'cd'.repeat(32)
    await (await page.waitForSelector(named('button', 'Import your listings')))!.click()
    await page.waitForSelector(named('button', 'Import again'))
    expect(importedIds(world).sort()).toEqual(ownIds(world).sort())
    await world.popup.bringToFront()
    await world.popup.locator(named('button', 'Review, Mercari')).click()
    await world.popup.waitForSelector('::-p-text(Mercari changed its page: listings was not found)')
  })

  it('reads items without embedded state from their elements', async () => {
    const world = await worlds.start({ listings: { on_sale: 6, trading: 1, sold_out: 1 } })
    world.site.showsState = false
    const page = await importShop(world)
    await page.waitForSelector(named('button', 'Import again'))
    expect(importedIds(world).sort()).toEqual(ownIds(world).sort())
    const [item] = world.site.items
    const imported = world.hapax.server.inventory.find((one) => one.record.title === item!.name)!
    expect(imported).toMatchObject({ description: item!.description })
    expect(imported.record.offer.price_minor).toBe(item!.price)
  })

  it('stops at a human check, says so and continues on request', async () => {
    const world = await worlds.start({ listings: { on_sale: 5, trading: 0, sold_out: 0 } })
    const page = await openPage(world, ownLists)
    const button = await page.waitForSelector(named('button', 'Import your listings'))
    world.site.mood = 'challenge'
    await button!.click()
    const goOn = await page.waitForSelector(named('button', 'Continue'))
    const { hits } = world.site
    const asked = hits.lists + hits.items
    await world.popup.bringToFront()
    await world.popup.waitForSelector('::-p-text(Mercari is checking that you are a person)')
    expect(hits.lists + hits.items).toBe(asked)
    world.site.mood = null
    await page.bringToFront()
    await goOn!.click()
    await page.waitForSelector(named('button', 'Import again'))
    expect(importedIds(world).sort()).toEqual(ownIds(world).sort())
  })
})

describe('on Mercari’s pages', () => {
  it('offers nothing to other sellers, on items or signed out', async () => {
    const world = await worlds.start({ listings: { on_sale: 3, trading: 0, sold_out: 0 } })
    const { site } = world
    const page = await openPage(world, ownLists)
    await page.waitForSelector(named('button', 'Import your listings'))
    await page.goto(`https://www.mercari.com/u/${site.seller.id}/`)
    await page.waitForSelector(named('button', 'Import your listings'))
    for (const path of [`/u/${site.other.id}/`, '/', `/us/item/${site.items[0]!.id}/`]) {
      await page.goto(`https://www.mercari.com${path}`)
      await expectNothingOffered(world, page)
    }
    site.signedIn = false
    await page.goto(ownLists)
    await expectNothingOffered(world, page)
  })

  it('identifies the seller on their lists without statistics', async () => {
    const world = await worlds.start({ listings: { on_sale: 3, trading: 0, sold_out: 0 } })
    world.site.statistics = false
    const page = await openPage(world, `https://www.mercari.com/u/${world.site.other.id}/`)
    await page.waitForSelector('[data-drawn=true]')
    await expectNothingOffered(world, page)
    await page.goto(ownLists)
    await (await page.waitForSelector(named('button', 'Import your listings')))!.click()
    await page.waitForSelector(named('button', 'Import again'))
    expect(importedIds(world).sort()).toEqual(ownIds(world).sort())
  })
})
