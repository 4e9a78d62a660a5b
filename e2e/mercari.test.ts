import type { Page } from 'puppeteer'
import { afterEach, describe, expect, it } from 'vitest'
import { named } from './fixture.ts'
import { killInTheMiddle } from './kill-in-the-middle.ts'
import {
  expectNothingOffered,
  expectNothingSecretLeft,
  importedIds,
  openPage,
  prepareSiteFixtures,
  type SiteFixture,
} from './site-fixture.ts'
import { type MercariSite, startMercari } from './sites/mercari.ts'

const ownLists = 'https://www.mercari.com/mypage/listings/active/'
const fixtures = prepareSiteFixtures(startMercari)
afterEach(fixtures.signOutAll)

const ownIds = ({ site }: SiteFixture<MercariSite>) =>
  site.items.filter((item) => item.seller === site.seller).map((item) => item.id)

async function importShop(fixture: SiteFixture<MercariSite>) {
  const page = await openPage(fixture, ownLists)
  await startImport(page)
  return page
}

async function startImport(page: Page): Promise<void> {
  await (await page.waitForSelector(named('button', 'Import your listings')))!.click()
}

describe('importing from Mercari', () => {
  it('imports every item once though the worker is killed', async () => {
    const fixture = await fixtures.start()
    const page = await openPage(fixture, ownLists)
    await killInTheMiddle(fixture.chrome, fixture.site.itemPages, 3, () => startImport(page))
    await page.waitForSelector(named('button', 'Import again'))
    expect(importedIds(fixture).sort()).toEqual(ownIds(fixture).sort())
    expect(fixture.hapax.server.jobs).toMatchObject([{ status: 'completed', shop: String(fixture.site.seller.id) }])
    const items = fixture.hapax.server.jobs[0]!.items
    expect(items.filter((item) => item.status === 'failed')).toEqual([])
    expect(fixture.chrome.errors).toEqual([])
    await expectNothingSecretLeft(fixture)
  })

  it('uses the query hash of the page itself', async () => {
    const fixture = await fixtures.start({ listings: { on_sale: 25, trading: 1, sold_out: 1 } })
    fixture.site.hash = 'cd'.repeat(32)
    fixture.site.pageHash = fixture.site.hash
    const page = await importShop(fixture)
    await page.waitForSelector(named('button', 'Import again'))
    expect(importedIds(fixture)).toHaveLength(27)
    expect(fixture.hapax.server.jobs[0]!.items.filter((item) => item.status === 'failed')).toEqual([])
  })

  it('reports an unknown query and reads the open page', async () => {
    const fixture = await fixtures.start({ listings: { on_sale: 5, trading: 0, sold_out: 0 } })
    const page = await openPage(fixture, ownLists)
    await page.waitForSelector('[data-drawn=true]')
    fixture.site.hash = 'cd'.repeat(32)
    await (await page.waitForSelector(named('button', 'Import your listings')))!.click()
    await page.waitForSelector(named('button', 'Import again'))
    expect(importedIds(fixture).sort()).toEqual(ownIds(fixture).sort())
    await fixture.popup.bringToFront()
    await fixture.popup.locator(named('button', 'Review, Mercari')).click()
    await fixture.popup.waitForSelector('::-p-text(Mercari changed its page: listings could not be read)')
  })

  it('reads items without embedded state from their elements', async () => {
    const fixture = await fixtures.start({ listings: { on_sale: 6, trading: 1, sold_out: 1 } })
    fixture.site.showsState = false
    const page = await importShop(fixture)
    await page.waitForSelector(named('button', 'Import again'))
    expect(importedIds(fixture).sort()).toEqual(ownIds(fixture).sort())
    const [item] = fixture.site.items
    const imported = fixture.hapax.server.inventory.find((one) => one.record.title === item!.name)!
    expect(imported).toMatchObject({ description: item!.description })
    expect(imported.record.offer.price_minor).toBe(item!.price)
  })

  it('stops at a human check, says so and continues on request', async () => {
    const fixture = await fixtures.start({ listings: { on_sale: 5, trading: 0, sold_out: 0 } })
    const page = await openPage(fixture, ownLists)
    const button = await page.waitForSelector(named('button', 'Import your listings'))
    fixture.site.fault = 'challenge'
    await button!.click()
    const continueButton = await page.waitForSelector(named('button', 'Continue'))
    const { hits } = fixture.site
    const asked = hits.lists + hits.items
    await fixture.popup.bringToFront()
    await fixture.popup.waitForSelector('::-p-text(Mercari is checking that you are a person)')
    expect(hits.lists + hits.items).toBe(asked)
    fixture.site.fault = null
    await page.bringToFront()
    await continueButton!.click()
    await page.waitForSelector(named('button', 'Import again'))
    expect(importedIds(fixture).sort()).toEqual(ownIds(fixture).sort())
  })
})

describe('on Mercari’s pages', () => {
  it('offers nothing to other sellers, on items or signed out', async () => {
    const fixture = await fixtures.start({ listings: { on_sale: 3, trading: 0, sold_out: 0 } })
    const { site } = fixture
    const page = await openPage(fixture, ownLists)
    await page.waitForSelector(named('button', 'Import your listings'))
    await page.goto(`https://www.mercari.com/u/${site.seller.id}/`)
    await page.waitForSelector(named('button', 'Import your listings'))
    for (const path of [`/u/${site.other.id}/`, '/', `/us/item/${site.items[0]!.id}/`]) {
      await page.goto(`https://www.mercari.com${path}`)
      await expectNothingOffered(fixture, page)
    }
    site.signedIn = false
    await page.goto(ownLists)
    await expectNothingOffered(fixture, page)
  })

  it('identifies the seller on their lists without statistics', async () => {
    const fixture = await fixtures.start({ listings: { on_sale: 3, trading: 0, sold_out: 0 } })
    fixture.site.statistics = false
    const page = await openPage(fixture, `https://www.mercari.com/u/${fixture.site.other.id}/`)
    await page.waitForSelector('[data-drawn=true]')
    await expectNothingOffered(fixture, page)
    await page.goto(ownLists)
    await (await page.waitForSelector(named('button', 'Import your listings')))!.click()
    await page.waitForSelector(named('button', 'Import again'))
    expect(importedIds(fixture).sort()).toEqual(ownIds(fixture).sort())
  })
})
