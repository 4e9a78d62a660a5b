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
import { type DepopSite, startDepop } from './sites/depop.ts'

const ownShop = 'https://www.depop.com/sample_shop/'
const fixtures = prepareSiteFixtures(startDepop)
afterEach(fixtures.signOutAll)

const ownIds = ({ site }: SiteFixture<DepopSite>) =>
  site.products.filter((product) => product.shop === site.shop).map((product) => String(product.id))

async function importShop(fixture: SiteFixture<DepopSite>, url = ownShop) {
  const page = await openPage(fixture, url)
  await startImport(page)
  return page
}

async function startImport(page: Page): Promise<void> {
  await (await page.waitForSelector(named('button', 'Import your listings')))!.click()
}

describe('importing from Depop', () => {
  it('imports every product once though the worker is killed', async () => {
    const fixture = await fixtures.start()
    const page = await openPage(fixture, ownShop)
    await killInTheMiddle(fixture.chrome, fixture.site.reads, 3, () => startImport(page))
    await page.waitForSelector(named('button', 'Import again'))
    expect(importedIds(fixture).sort()).toEqual(ownIds(fixture).sort())
    expect(fixture.hapax.server.jobs).toMatchObject([{ status: 'completed', shop: 'sample_shop' }])
    expect(fixture.hapax.server.jobs[0]!.items.filter((item) => item.status === 'failed')).toEqual([])
    expect(fixture.chrome.errors).toEqual([])
    await expectNothingSecretLeft(fixture)
  })

  it.each([
    ['if the API accepts cookies', true],
    ['if the API rejects cookies', false],
  ])('works with an HttpOnly token %s', async (_, takesCookies) => {
    const fixture = await fixtures.start({ listings: { selling: 30, sold: 3 } })
    Object.assign(fixture.site, { tokenCookie: 'http_only', takesCookies })
    const page = await importShop(fixture)
    await page.waitForSelector(named('button', 'Import again'))
    expect(importedIds(fixture).sort()).toEqual(ownIds(fixture).sort())
    await expectNothingSecretLeft(fixture)
  })

  it('works from the selling hub, too', async () => {
    const fixture = await fixtures.start({ listings: { selling: 3, sold: 1 } })
    const page = await importShop(fixture, 'https://www.depop.com/sellinghub/selling/active/')
    await page.waitForSelector(named('button', 'Import again'))
    expect(importedIds(fixture).sort()).toEqual(ownIds(fixture).sort())
  })

  it('retries a request without response', async () => {
    const fixture = await fixtures.start({ listings: { selling: 30, sold: 3 } })
    const page = await openPage(fixture, ownShop)
    // Only the extension's requests are lost, not the page's.
    await page.waitForSelector('[data-drawn=true]')
    const button = await page.waitForSelector(named('button', 'Import your listings'))
    fixture.site.lost = 2
    await button!.click()
    await page.waitForSelector(named('button', 'Import again'))
    expect(fixture.site.lost).toBe(0)
    expect(importedIds(fixture).sort()).toEqual(ownIds(fixture).sort())
  })

  it('reports an endpoint that is gone and a changed product', async () => {
    const fixture = await fixtures.start({ listings: { selling: 4, sold: 2 } })
    const { site } = fixture
    site.changes.set(site.products[1]!.slug, ({ pricing, ...rest }) => ({ ...rest, cost: pricing, description: 5 }))
    site.deprecated = true
    const page = await openPage(fixture, ownShop)
    // The shop's page was drawn before the endpoint disappeared.
    site.deprecated = false
    await page.reload()
    await page.waitForSelector('[data-drawn=true]')
    site.deprecated = true
    await (await page.waitForSelector(named('button', 'Import your listings')))!.click()
    await page.waitForSelector(named('button', 'Import again'))
    await fixture.popup.bringToFront()
    await fixture.popup.locator(named('button', 'Review, Depop')).click()
    await fixture.popup.waitForSelector('::-p-text(Depop changed its page: listings could not be read)')
    // The changed product was still readable from its structured data.
    expect(importedIds(fixture).sort()).toEqual(ownIds(fixture).slice(0, 4).sort())
  })

  it.each([
    ['slow_down', 'Depop asked to slow down'],
    ['challenge', 'Depop is checking that you are a person'],
  ] as const)('stops at %s and continues on request', async (fault, words) => {
    const fixture = await fixtures.start({ listings: { selling: 5, sold: 0 } })
    const page = await openPage(fixture, ownShop)
    const button = await page.waitForSelector(named('button', 'Import your listings'))
    fixture.site.fault = fault
    await button!.click()
    const continueButton = await page.waitForSelector(named('button', 'Continue'))
    await fixture.popup.bringToFront()
    await fixture.popup.waitForSelector(`::-p-text(${words})`)
    fixture.site.fault = null
    await page.bringToFront()
    await continueButton!.click()
    await page.waitForSelector(named('button', 'Import again'))
    expect(importedIds(fixture).sort()).toEqual(ownIds(fixture).sort())
  })
})

describe('on Depop’s pages', () => {
  it('offers nothing in other shops, on products or signed out', async () => {
    const fixture = await fixtures.start({ listings: { selling: 3, sold: 0 } })
    const { site } = fixture
    const page = await openPage(fixture, ownShop)
    await page.waitForSelector(named('button', 'Import your listings'))
    for (const path of ['/othershop/', '/', `/products/${site.products[0]!.slug}/`]) {
      await page.goto(`https://www.depop.com${path}`)
      await expectNothingOffered(fixture, page)
    }
    site.signedIn = false
    await page.goto(ownShop)
    await expectNothingOffered(fixture, page)
  })

  it('offers nothing after a client-side move to another shop', async () => {
    const fixture = await fixtures.start({ listings: { selling: 3, sold: 0 } })
    fixture.site.tokenCookie = 'http_only'
    const page = await openPage(fixture, ownShop)
    await page.waitForSelector(named('button', 'Import your listings'))
    await page.evaluate(() => history.pushState(null, '', '/othershop/'))
    await page.waitForSelector('hapax-import', { hidden: true })
    await expectNothingOffered(fixture, page)
  })
})
