import type { Page } from 'puppeteer'
import { afterEach, describe, expect, it } from 'vitest'
import type { ExtensionSlug } from '#shared/platforms.ts'
import { named } from './fixture.ts'
import {
  type AnySite,
  expectNothingSecretLeft,
  openPage,
  prepareSiteFixtures,
  type SiteFixture,
} from './site-fixture.ts'
import { type DepopSite, startDepop } from './sites/depop.ts'
import { buildProduct } from './sites/depop-data.ts'
import { ownTestIds } from './sites/forms/mercari-form.ts'
import { type MercariSite, startMercari } from './sites/mercari.ts'
import { buildItem } from './sites/mercari-data.ts'
import { type PoshmarkSite, startPoshmark } from './sites/poshmark.ts'
import { buildPost } from './sites/poshmark-data.ts'
import { addListTask, openTask, readForm, readPanel, sampleCoat, takePictures, waitForPanel } from './task-panel.ts'

const fixtures = prepareSiteFixtures((site?: AnySite) => Promise.resolve(site!))
afterEach(() => fixtures.signOutAll())

const few = { on_sale: 1, trading: 0, sold_out: 0, selling: 1, sold: 0 }
const item = sampleCoat()

/** Presses the given elements in turn. */
async function press(page: Page, ...selectors: string[]): Promise<void> {
  for (const selector of selectors) await (await page.waitForSelector(selector, { visible: true }))!.click()
}

/** The seller's steps on each platform after the form was filled in, and the listing's page then. */
const publish: Record<ExtensionSlug, (page: Page) => Promise<void>> = {
  poshmark: (page) => press(page, '[data-et-name=next]', '[data-et-name=list_item]'),
  mercari: (page) => press(page, '[data-testid=MercariShipping]', '[data-testid=ListButton]'),
  depop: (page) => press(page, '[data-testid=usps__shipping__input]', '::-p-xpath(//button[text()="Post"])'),
}

async function start(
  platform: ExtensionSlug,
): Promise<{ fixture: SiteFixture<AnySite>; addressOf: (nth?: number) => string }> {
  if (platform === 'poshmark') {
    const site = await startPoshmark({ listings: 3 })
    return {
      fixture: await fixtures.start(site),
      addressOf: (nth = 0) => `https://poshmark.com/listing/${site.made[nth]?.id}`,
    }
  }
  if (platform === 'mercari') {
    const site = await startMercari({ listings: few })
    return {
      fixture: await fixtures.start(site),
      addressOf: (nth = 0) => `https://www.mercari.com/us/item/${site.made[nth]?.id}/`,
    }
  }
  const site = await startDepop({ listings: few })
  return {
    fixture: await fixtures.start(site),
    addressOf: (nth = 0) => `https://www.depop.com/products/${site.made[nth]?.slug}/`,
  }
}

const done = /“Wool coat, green” is listed\./

describe.each(['poshmark', 'mercari', 'depop'] as const)('listing on %s by its form', (platform) => {
  it('fills in the form, completes its task and leads to the next', async () => {
    const { fixture, addressOf } = await start(platform)
    const { selling } = fixture.hapax.server
    const task = await addListTask(fixture, platform, item)
    const next = await addListTask(
      fixture,
      platform,
      sampleCoat({ listing_id: '110000000002', sku: 'COAT-8', title: 'Wool coat, blue' }),
    )
    const page = await openTask(fixture, task)
    const { status, lines } = await waitForPanel(page, /filled in: “/)
    expect(status).toBe(`${lines.length} of ${lines.length} filled in: “Wool coat, green”`)
    expect(lines.filter(({ sign }) => sign === 'left')).toEqual([])
    const pressed = (await readForm(page)).presses.filter((one) => one !== 'cover')
    expect(pressed, 'the form is sent by the seller only').toEqual([])
    expect(selling.reported).toEqual([])
    await takePictures(page, `${platform}-filled`)
    const tabs = async () => (await fixture.chrome.context.pages()).length
    const open = await tabs()
    await publish[platform](page)
    // The form's tab goes on with the next one.
    await waitForPanel(page, /filled in: “Wool coat, blue”/)
    expect(await tabs()).toBe(open)
    expect(selling.reported).toEqual([{ task: task.uid, listing_id: expect.any(String), listing_url: addressOf() }])
    expect(task.status).toBe('completed')

    await fixture.chrome.killWorker()
    await page.bringToFront()
    await publish[platform](page)
    await waitForPanel(page, /“Wool coat, blue” is listed\./)
    await takePictures(page, `${platform}-listed`)
    expect(selling.reported.slice(1), 'by a new worker').toMatchObject([{ task: next.uid, listing_url: addressOf(1) }])
    await expectNothingSecretLeft(fixture)
    expect(fixture.chrome.errors).toEqual([])
  })
})

describe('a form that the web app opened', () => {
  it.each(['poshmark', 'mercari', 'depop'] as const)('is filled in without a press: %s', async (platform) => {
    const { fixture } = await start(platform)
    const task = await addListTask(fixture, platform, item)
    const page = await openPage(fixture, `${task.url}#${task.uid}`)
    await waitForPanel(page, /filled in: “Wool coat, green”/)
    expect(fixture.chrome.errors).toEqual([])
  })
})

describe('a new listing', () => {
  it('of an item sold meanwhile is reported for take-down', async () => {
    const { fixture, addressOf } = await start('poshmark')
    const { server } = fixture.hapax
    const task = await addListTask(fixture, 'poshmark', item)
    const page = await openTask(fixture, task)
    await waitForPanel(page, /filled in: “/)
    server.selling.sell(server.inventory.find(({ uid }) => uid === task.inventory_item_uid)!)
    await publish.poshmark(page)
    const { status } = await waitForPanel(page, /It was sold while you listed it/)
    expect(status).toMatch(/[eE]nd “Wool coat, green” (again|here)\.$/)
    await takePictures(page, 'poshmark-sold-meanwhile')
    expect(server.selling.reported).toMatchObject([{ task: task.uid, listing_url: addressOf() }])
    await fixture.popup.bringToFront()
    await fixture.popup.reload()
    const link = await fixture.popup.waitForSelector(named('link', 'Open: Take it down on Poshmark, Wool coat, green'))
    expect(await link!.evaluate((element) => element.getAttribute('href'))).toBe(addressOf())
  })

  it('is kept and reported later if the server is unreachable', async () => {
    const { fixture, addressOf } = await start('mercari')
    const task = await addListTask(fixture, 'mercari', item)
    const page = await openTask(fixture, task)
    await waitForPanel(page, /filled in: “/)
    fixture.hapax.server.faults.push({ operation: 'completeTask', code: 'network', times: 100 })
    await publish.mercari(page)
    const { status } = await waitForPanel(page, done)
    expect(status).toBe('“Wool coat, green” is listed. Hapax keeps its address and tells the server when it answers.')
    expect(fixture.hapax.server.selling.reported).toEqual([])
    await fixture.chrome.killWorker()
    fixture.hapax.server.faults.length = 0
    // The browser's alarm does this once a minute.
    await fixture.popup.bringToFront()
    await fixture.popup.evaluate(() => {
      const { alarms } = Reflect.get(globalThis, 'chrome')
      return alarms.create('watch', { when: Date.now() + 100 })
    })
    await expect
      .poll(() => fixture.hapax.server.selling.reported)
      .toMatchObject([{ task: task.uid, listing_url: addressOf() }])
  })

  it('of a sold item is reported once the sale is known', async () => {
    const { fixture, addressOf } = await start('poshmark')
    const { server } = fixture.hapax
    const task = await addListTask(fixture, 'poshmark', item)
    const page = await openTask(fixture, task)
    await waitForPanel(page, /filled in: “/)
    server.selling.sell(server.inventory.find(({ uid }) => uid === task.inventory_item_uid)!)
    await fixture.popup.bringToFront()
    await fixture.popup.reload()
    await fixture.popup.waitForSelector('::-p-text(All done.)')
    await page.bringToFront()
    await waitForPanel(page, /“Wool coat, green” should no longer be listed/)
    await takePictures(page, 'poshmark-ended')
    await publish.poshmark(page)
    await waitForPanel(page, /It was sold while you listed it/)
    expect(server.selling.reported).toMatchObject([{ task: task.uid, listing_url: addressOf() }])
  })

  it('is not mistaken for the next one’s', async () => {
    const { fixture, addressOf } = await start('poshmark')
    const { server } = fixture.hapax
    const page = await openTask(fixture, await addListTask(fixture, 'poshmark', item))
    await waitForPanel(page, /filled in: “/)
    await publish.poshmark(page)
    await waitForPanel(page, done)
    const next = await addListTask(fixture, 'poshmark', sampleCoat({ listing_id: '110000000002', sku: 'COAT-8' }))
    await page.bringToFront()
    await page.goto('https://poshmark.com/create-listing')
    await waitForPanel(page, /List from your inventory|is listed/)
    await press(page, named('button', 'Fill in: Wool coat, green'))
    await waitForPanel(page, /filled in: “/)
    await page.goto(addressOf())
    await waitForPanel(page, /^Is “Wool coat, green” listed\?/)
    expect(server.selling.reported).toHaveLength(1)
    expect(next.status).toBe('open')
  })

  /** Posts the item in another way than by the filled form, as a draft is posted later, and returns its address. */
  const postLater: Record<ExtensionSlug, (site: unknown) => string> = {
    poshmark(site) {
      const closet = (site as PoshmarkSite).closets.get('samplecloset')!
      const id = `${Math.floor(Date.now() / 1_000).toString(16)}${'7'.repeat(16)}`
      closet.posts.unshift(buildPost(closet, 1, 0, { id, title: item.title }))
      return `https://poshmark.com/listing/${id}`
    },
    mercari(site) {
      const { items, seller } = site as MercariSite
      const created = Math.floor(Date.now() / 1_000)
      items.unshift(buildItem(seller, 0, { id: 'm90000000077', name: item.title, created }))
      return 'https://www.mercari.com/us/item/m90000000077/'
    },
    depop(site) {
      const { products, shop } = site as DepopSite
      const slug = `${shop.username}-a-posted-draft-b077`
      products.unshift(buildProduct(shop, 977, { slug, description: `${item.title}\n\nWarm.` }))
      return `https://www.depop.com/products/${slug}/`
    },
  }
  const ownLists: Record<ExtensionSlug, string> = {
    poshmark: 'https://poshmark.com/closet/samplecloset',
    mercari: 'https://www.mercari.com/mypage/listings/active/',
    depop: 'https://www.depop.com/sellinghub/selling/active/',
  }

  it.each(['poshmark', 'mercari', 'depop'] as const)('of a draft posted later is found: %s', async (platform) => {
    const { fixture } = await start(platform)
    const task = await addListTask(fixture, platform, item)
    const form = await openTask(fixture, task)
    await waitForPanel(form, /filled in: “/)
    await form.close()
    const listing_url = postLater[platform](fixture.site)
    const page = await openPage(fixture, ownLists[platform])
    await waitForPanel(page, /^Is this the new listing of “Wool coat, green”\?/)
    await press(page, named('button', 'Yes'))
    await waitForPanel(page, done)
    expect(fixture.hapax.server.selling.reported).toMatchObject([{ task: task.uid, listing_url }])
  })

  it('of another seller, or from before, never counts', async () => {
    const site = await startPoshmark({ listings: 3 })
    const fixture = await fixtures.start(site)
    const { server } = fixture.hapax
    const task = await addListTask(fixture, 'poshmark', item)
    const page = await openTask(fixture, task)
    await waitForPanel(page, /filled in: “/)
    const older = site.closets.get('samplecloset')!.posts[0]!
    await page.goto(`https://poshmark.com/listing/x-${older.id}`)
    await waitForPanel(page, /^Is “Wool coat, green” listed\?/)
    expect(server.selling.reported).toEqual([])
    expect(task.status).toBe('open')
    const fresh = (n: number) => `${Math.floor(Date.now() / 1_000).toString(16)}${String(n).padStart(16, '0')}`
    const [own, other] = [site.closets.get('samplecloset')!, site.closets.get('othercloset')!]
    const [mine, strangers] = [fresh(1), fresh(2)]
    other.posts.unshift(buildPost(other, 2, 0, { id: strangers, title: item.title }))
    own.posts.unshift(buildPost(own, 1, 0, { id: mine, title: 'Silk scarf' }))
    await page.goto(`https://poshmark.com/listing/x-${strangers}`)
    await waitForPanel(page, /^Is “Wool coat, green” listed\?/)
    await page.goto(`https://poshmark.com/listing/x-${mine}`)
    await waitForPanel(page, /^Is this the new listing of “Wool coat, green”\?/)
    expect(server.selling.reported).toEqual([])
    expect(task.status).toBe('open')
    await press(page, named('button', 'No'))
    await waitForPanel(page, /^Is “Wool coat, green” listed\?/)
  })
})

describe('a sell form', () => {
  it('gets plain text for HTML, and only known values are to copy', async () => {
    const { fixture } = await start('mercari')
    const description = '<p>Wool coat, green</p><p><b>Kept</b> folded &amp; clean.</p><ul><li>Lined</li></ul>'
    const { condition: _, size: __, ...unsaid } = item
    const page = await openTask(fixture, await addListTask(fixture, 'mercari', { ...unsaid, description }))
    const { lines } = await waitForPanel(page, /filled in: “/)
    expect((await readForm(page)).model.description).toBe('Wool coat, green\nKept folded & clean.\nLined')
    for (const label of ['Condition', 'Size']) {
      expect(lines).toContainEqual({ sign: 'left', label, why: 'not in your inventory' })
      expect(await page.$(named('button', `Copy: ${label}`))).toBeNull()
    }
    expect(await page.$(named('button', 'Fill in again'))).not.toBeNull()
  })

  it('opened by the seller offers its tasks and changes nothing', async () => {
    const { fixture } = await start('depop')
    await addListTask(fixture, 'depop', item)
    const page = await openPage(fixture, 'https://www.depop.com/products/create/')
    const { lines } = await waitForPanel(page, /List from your inventory/)
    expect(lines).toEqual([{ sign: 'none', label: 'Wool coat, green', why: '' }])
    await takePictures(page, 'depop-offer')
    expect((await readForm(page)).model).toMatchObject({ description: '', photos: [], category: [] })
    await press(page, named('button', 'Fill in: Wool coat, green'))
    await waitForPanel(page, /filled in: “/)
    expect((await readForm(page)).model).toMatchObject({ category: ['Womenswear', 'Coats'] })
  })

  it('that is not understood stays unchanged', async () => {
    const site = await startMercari({ listings: few })
    const renamed = Object.fromEntries(Object.entries(ownTestIds).map(([key, id]) => [key, `New${id}`]))
    site.form.testIds = renamed as typeof ownTestIds
    const fixture = await fixtures.start(site)
    const page = await openTask(fixture, await addListTask(fixture, 'mercari', item))
    await waitForPanel(page, /does not recognize this form\. Nothing was filled in/)
    const { model } = await readForm(page)
    expect([model.title, model.description, model.category, model.price]).toEqual(['', '', [], ''])
  })

  it('keeps the seller’s own words', async () => {
    const { fixture } = await start('mercari')
    await addListTask(fixture, 'mercari', item)
    const page = await openPage(fixture, 'https://www.mercari.com/sell/')
    await waitForPanel(page, /List from your inventory/)
    await page.waitForSelector('[data-drawn=true]')
    await page.type('[data-testid=Title]', 'My own words')
    await press(page, named('button', 'Fill in: Wool coat, green'))
    const { lines } = await waitForPanel(page, /filled in: “/)
    expect(lines.find(({ label }) => label === 'Title')).toMatchObject({
      sign: 'left',
      why: 'already filled in',
    })
    await takePictures(page, 'mercari-kept')
    expect((await readForm(page)).model.title).toBe('My own words')
  })

  it('cannot access the panel by its scripts', async () => {
    const { fixture } = await start('mercari')
    await addListTask(fixture, 'mercari', item)
    const page = await openPage(fixture, 'https://www.mercari.com/sell/')
    await waitForPanel(page, /List from your inventory/)
    const seen = await page.evaluate(() => {
      const host = document.querySelector('hapax-form')!
      host.dispatchEvent(new MouseEvent('click', { bubbles: true }))
      return { root: host.shadowRoot, text: host.textContent, html: document.documentElement.outerHTML }
    })
    expect(seen).toMatchObject({ root: null, text: '' })
    expect(seen.html).not.toContain('Wool coat')
    expect((await readPanel(page))?.status).toBe('List from your inventory')
  })
})
