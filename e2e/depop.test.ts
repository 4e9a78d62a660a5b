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
import { type DepopSite, startDepop } from './sites/depop.ts'

const ownShop = 'https://www.depop.com/sample_shop/'
const worlds = prepareSiteWorlds(startDepop)
afterEach(worlds.closeAll)

const ownIds = ({ site }: SiteWorld<DepopSite>) =>
  site.products.filter((product) => product.shop === site.shop).map((product) => String(product.id))

async function importShop(world: SiteWorld<DepopSite>, url = ownShop) {
  const page = await openPage(world, url)
  await startImport(page)
  return page
}

async function startImport(page: Page): Promise<void> {
  await (await page.waitForSelector(named('button', 'Import your listings')))!.click()
}

describe('importing from Depop', () => {
  it('imports every product once though the worker is killed', async () => {
    const world = await worlds.start()
    const page = await openPage(world, ownShop)
    await killInTheMiddle(world.chrome, world.site.reads, 3, () => startImport(page))
    await page.waitForSelector(named('button', 'Import again'))
    expect(importedIds(world).sort()).toEqual(ownIds(world).sort())
    expect(world.hapax.server.jobs).toMatchObject([{ status: 'completed', shop: 'sample_shop' }])
    expect(world.hapax.server.jobs[0]!.items.filter((item) => item.status === 'failed')).toEqual([])
    expect(world.chrome.errors).toEqual([])
    await expectNothingSecretLeft(world)
  })

  it.each([
    ['is added by the browser where the other host takes cookies', true],
    ['is done without where it takes none, since shops are public', false],
  ])('with a token that scripts cannot read %s', async (_, takesCookies) => {
    const world = await worlds.start({ listings: { selling: 30, sold: 3 } })
    Object.assign(world.site, { tokenCookie: 'http_only', takesCookies })
    const page = await importShop(world)
    await page.waitForSelector(named('button', 'Import again'))
    expect(importedIds(world).sort()).toEqual(ownIds(world).sort())
    await expectNothingSecretLeft(world)
  })

  it('works from the selling hub, too', async () => {
    const world = await worlds.start({ listings: { selling: 3, sold: 1 } })
    const page = await importShop(world, 'https://www.depop.com/sellinghub/selling/active/')
    await page.waitForSelector(named('button', 'Import again'))
    expect(importedIds(world).sort()).toEqual(ownIds(world).sort())
  })

  it('retries a request without response', async () => {
    const world = await worlds.start({ listings: { selling: 30, sold: 3 } })
    const page = await openPage(world, ownShop)
    // Only the extension's requests are lost, not the page's.
    await page.waitForSelector('[data-drawn=true]')
    const button = await page.waitForSelector(named('button', 'Import your listings'))
    world.site.lost = 2
    await button!.click()
    await page.waitForSelector(named('button', 'Import again'))
    expect(world.site.lost).toBe(0)
    expect(importedIds(world).sort()).toEqual(ownIds(world).sort())
  })

  it('reports an endpoint that is gone and a changed product', async () => {
    const world = await worlds.start({ listings: { selling: 4, sold: 2 } })
    const { site } = world
    site.changes.set(site.products[1]!.slug, ({ pricing, ...rest }) => ({ ...rest, cost: pricing, description: 5 }))
    site.deprecated = true
    const page = await openPage(world, ownShop)
    // The shop's page was drawn before the endpoint disappeared.
    site.deprecated = false
    await page.reload()
    await page.waitForSelector('[data-drawn=true]')
    site.deprecated = true
    await (await page.waitForSelector(named('button', 'Import your listings')))!.click()
    await page.waitForSelector(named('button', 'Import again'))
    await world.popup.bringToFront()
    await world.popup.locator(named('button', 'Review, Depop')).click()
    await world.popup.waitForSelector('::-p-text(Depop changed its page: listings was not found)')
    // The changed product was still readable from its structured data.
    expect(importedIds(world).sort()).toEqual(ownIds(world).slice(0, 4).sort())
  })

  it.each([
    ['slow_down', 'Depop asked to slow down'],
    ['challenge', 'Depop is checking that you are a person'],
  ] as const)('stops politely (%s), says so, and goes on when told to', async (mood, words) => {
    const world = await worlds.start({ listings: { selling: 5, sold: 0 } })
    const page = await openPage(world, ownShop)
    const button = await page.waitForSelector(named('button', 'Import your listings'))
    world.site.mood = mood
    await button!.click()
    const goOn = await page.waitForSelector(named('button', 'Continue'))
    await world.popup.bringToFront()
    await world.popup.waitForSelector(`::-p-text(${words})`)
    world.site.mood = null
    await page.bringToFront()
    await goOn!.click()
    await page.waitForSelector(named('button', 'Import again'))
    expect(importedIds(world).sort()).toEqual(ownIds(world).sort())
  })
})

describe('on Depop’s pages', () => {
  it('offers nothing in other shops, on products or signed out', async () => {
    const world = await worlds.start({ listings: { selling: 3, sold: 0 } })
    const { site } = world
    const page = await openPage(world, ownShop)
    await page.waitForSelector(named('button', 'Import your listings'))
    for (const path of ['/othershop/', '/', `/products/${site.products[0]!.slug}/`]) {
      await page.goto(`https://www.depop.com${path}`)
      await expectNothingOffered(world, page)
    }
    site.signedIn = false
    await page.goto(ownShop)
    await expectNothingOffered(world, page)
  })

  it('offers nothing after a client-side move to another shop', async () => {
    const world = await worlds.start({ listings: { selling: 3, sold: 0 } })
    world.site.tokenCookie = 'http_only'
    const page = await openPage(world, ownShop)
    await page.waitForSelector(named('button', 'Import your listings'))
    await page.evaluate(() => history.pushState(null, '', '/othershop/'))
    await page.waitForSelector('hapax-import', { hidden: true })
    await expectNothingOffered(world, page)
  })
})
