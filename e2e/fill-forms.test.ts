import { readFile } from 'node:fs/promises'
import type { Page } from 'puppeteer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ExtensionSlug } from '#shared/platforms.ts'
import { type AnySite, prepareSiteFixtures, type SiteFixture } from './site-fixture.ts'
import { startDepop } from './sites/depop.ts'
import { type Expected, formItems, required } from './sites/forms/form-items.ts'
import type { FormModel } from './sites/forms/form-kit.ts'
import { ownTestIds } from './sites/forms/mercari-form.ts'
import { startMercari } from './sites/mercari.ts'
import { startPoshmark } from './sites/poshmark.ts'
import { addListTasks, openTask, type PanelLine, readForm, sampleCoat, waitForPanel } from './task-panel.ts'

const fixtures = prepareSiteFixtures((site?: AnySite) => Promise.resolve(site!))

/** Enough items for forms that differ only in their markup. */
const some = formItems.filter((_, index) => [0, 3, 4].includes(index))

/** The sites' shops are not tested here. */
const none = { on_sale: 0, trading: 0, sold_out: 0, selling: 0, sold: 0 }

interface Cell {
  field: string
  /**
   * `right`: as a careful seller would fill it in; `open`: empty, though the item has a value; `not_offered`: correctly
   * empty, as the form has no such option; `wrong`: anything else.
   */
  verdict: 'right' | 'open' | 'not_offered' | 'wrong'
  needed: boolean
  why: string
}

interface Row {
  form: string
  item: string
  cells: Cell[]
}

const rows: Row[] = []

/** Fills in a form with each item and compares what the site's own scripts then hold. */
async function fillInAll(
  fixture: SiteFixture<AnySite>,
  platform: ExtensionSlug,
  form: string,
  chosen = formItems,
): Promise<Row[]> {
  await forgetForms(fixture)
  // The forms of all items are open at once, since filling in waits more than it works.
  const pages: Page[] = []
  const listings = chosen.map(({ listing }, index) =>
    sampleCoat({ listing_id: `11000000000${index}`, ...emptied, ...listing }),
  )
  // The popup shows five tasks at first.
  for (const five of [listings.slice(0, 5), listings.slice(5)]) {
    if (five.length === 0) continue
    for (const task of await addListTasks(fixture, platform, five)) {
      const page = await openTask(fixture, task)
      await page.emulateFocusedPage(true)
      pages.push(page)
    }
  }
  const done: Row[] = []
  for (const [index, item] of chosen.entries()) {
    const page = pages[index]!
    const { lines } = await waitForPanel(page, /filled in: “/)
    const { model, presses } = await readForm(page)
    expect(
      presses.filter((press) => press !== 'cover'),
      `${form}: nothing is pressed but by the seller`,
    ).toEqual([])
    expect(await page.evaluate(() => document.body.dataset.hacked), 'a script of the item ran').toBeUndefined()
    done.push({ form, item: item.name, cells: classify(item[platform], model, lines, platform) })
  }
  rows.push(...done)
  return done
}

/** Closes the forms of an earlier test, and removes their tasks. */
async function forgetForms({ chrome, hapax, popup }: SiteFixture<AnySite>): Promise<void> {
  const pages = await chrome.context.pages()
  await Promise.all(pages.filter((page) => page.url().startsWith('https:')).map((page) => page.close()))
  await popup.bringToFront()
  hapax.server.tasks.length = 0
  hapax.server.inventory.length = 0
}

/** Members that the test's item lacks are removed. */
const emptied = { brand: undefined, size: undefined, colors: undefined, sku: undefined } as const

function classify(expected: Expected, model: FormModel, lines: PanelLine[], platform: ExtensionSlug): Cell[] {
  return Object.entries(expected).map(([field, value]) => {
    const held = model[field as keyof FormModel]
    const line = lines.find(({ label }) => label.toLowerCase() === field)
    const same = field === 'photos' ? isInOrder(model, expected.photos) : equal(held, value)
    const empty = held.length === 0
    // The panel must report exactly what was filled in, or the seller is misled.
    const said = line !== undefined && (line.sign === 'left') === empty
    // Part of a value that the seller is asked to check is not a mistake.
    const partly = line?.sign === 'check' && Array.isArray(value) && equal(held, value.slice(0, held.length))
    const verdict = said && same ? 'right' : said && (empty || partly) ? 'open' : 'wrong'
    const needed = (required[platform] as readonly string[]).includes(field)
    return {
      field,
      verdict: value === null && verdict === 'right' ? 'not_offered' : verdict,
      needed,
      why: line?.why ?? '?',
    }
  })
}

function equal(held: unknown, value: unknown): boolean {
  if (value === null) return (held as { length: number }).length === 0
  const plain = (one: unknown) => JSON.stringify(one).replace(/\\u202e/g, '')
  return plain(held) === plain(value) || Number(held) === Number(value)
}

function isInOrder({ photos }: FormModel, count: number): boolean {
  return photos.length === count && photos.every(({ name }, index) => name === `photo-${index + 1}.png`)
}

function share(cells: readonly Cell[], needed: boolean): { right: number; of: number } {
  const counted = cells.filter((cell) => cell.needed === needed && cell.verdict !== 'not_offered')
  return { right: counted.filter(({ verdict }) => verdict === 'right').length, of: counted.length }
}

/** Expects no wrong field, all required ones right, and 95 % of the optional ones that the form offers. */
function expectFilled(done: readonly Row[]): void {
  const cells = done.flatMap((row) => row.cells.map((cell) => ({ ...cell, item: row.item })))
  expect(cells.filter(({ verdict }) => verdict === 'wrong')).toEqual([])
  const optional = share(cells, false)
  expect(cells.filter(({ needed, verdict }) => needed && verdict === 'open')).toEqual([])
  expect(optional.right / optional.of).toBeGreaterThanOrEqual(0.95)
}

describe('Poshmark', () => {
  let site: Awaited<ReturnType<typeof startPoshmark>>
  let fixture: SiteFixture<AnySite>
  beforeAll(async () => {
    site = await startPoshmark({ listings: 3 })
    fixture = await fixtures.start(site)
  })
  afterAll(fixtures.closeAll)

  it('our own form', async () => {
    expectFilled(await fillInAll(fixture, 'poshmark', 'Poshmark, ours', some))
  })

  it('a form shaped like a recorded one', async () => {
    site.recordedForm = await readFile(new URL('./sites/forms/fixtures/poshmark-form.html', import.meta.url), 'utf8')
    expectFilled(await fillInAll(fixture, 'poshmark', 'Poshmark, recorded'))
  })
})

/** Fills a form whose site would change the price by itself, and returns the line and the remark about the price. */
async function fillPriced(fixture: SiteFixture<AnySite>, platform: ExtensionSlug, form: string): Promise<Cell> {
  const [row] = await fillInAll(fixture, platform, form, formItems.slice(0, 1))
  return row!.cells.find(({ field }) => field === 'price')!
}

describe('Mercari', () => {
  let site: Awaited<ReturnType<typeof startMercari>>
  let fixture: SiteFixture<AnySite>
  beforeAll(async () => {
    site = await startMercari({ listings: none })
    fixture = await fixtures.start(site)
  })
  afterAll(fixtures.closeAll)

  it('a form of earlier years, with names around the fields', async () => {
    site.form = { testIds: ownTestIds, ids: 'around_fields', chooser: 'levels', smart: false }
    expectFilled(await fillInAll(fixture, 'mercari', 'Mercari, ours', some))
  })

  it('today’s form, which reads the photos', async () => {
    site.form = { testIds: ownTestIds, ids: 'on_fields', chooser: 'dialog', smart: false }
    expectFilled(await fillInAll(fixture, 'mercari', 'Mercari, recorded names'))
  })
})

describe('a price that the site would change by itself', () => {
  it('is said of Smart Pricing on Mercari', async () => {
    const site = await startMercari({ listings: none })
    site.form.smart = true
    const price = await fillPriced(await fixtures.start(site), 'mercari', 'Mercari, Smart Pricing')
    expect(price).toMatchObject({ verdict: 'right', why: expect.stringMatching(/^Smart Pricing is on/) })
    await fixtures.closeAll()
  })

  it('is said of Smart Sell on Poshmark, whose dialog stays', async () => {
    const site = await startPoshmark({ listings: 3 })
    site.smartSell = true
    const price = await fillPriced(await fixtures.start(site), 'poshmark', 'Poshmark, Smart Sell')
    expect(price).toMatchObject({ why: expect.stringMatching(/^Smart Sell is on/) })
    await fixtures.closeAll()
  })
})

describe('Depop', () => {
  let site: Awaited<ReturnType<typeof startDepop>>
  let fixture: SiteFixture<AnySite>
  beforeAll(async () => {
    site = await startDepop({ listings: none })
    fixture = await fixtures.start(site)
  })
  afterAll(fixtures.closeAll)

  it('our own form, with departments as groups', async () => {
    site.form.headings = 'groups'
    expectFilled(await fillInAll(fixture, 'depop', 'Depop, ours', some))
  })

  it('a form with recorded options', async () => {
    site.form.headings = 'lines'
    expectFilled(await fillInAll(fixture, 'depop', 'Depop, recorded options'))
  })

  it.each([
    { country: 'GB', sign: '£', currency: 'GBP', price: 'right' },
    { country: 'GB', sign: '£', currency: 'USD', price: 'open' },
    { country: 'GB', sign: null, currency: 'USD', price: 'open' },
    { country: null, sign: null, currency: 'USD', price: 'open' },
  ])('in $country: $currency with $sign is $price', async (seller) => {
    site.country = seller.country
    site.form.sign = seller.sign
    const [item] = formItems
    const listing = { ...item!.listing, currency: seller.currency }
    const [row] = await fillInAll(fixture, 'depop', 'Depop, abroad', [{ ...item!, listing }])
    const price = row!.cells.find(({ field }) => field === 'price')
    expect(price).toMatchObject({
      verdict: seller.price,
      ...(seller.price === 'open' ? { why: expect.stringContaining('currency') } : {}),
    })
  })
})

afterAll(() => {
  const file = process.env.FORM_TABLE
  if (!file) return
  const forms = [...new Set(rows.map(({ form }) => form))]
  const lines = forms.map((form) => {
    const cells = rows.filter((row) => row.form === form).flatMap((row) => row.cells)
    const [needed, optional] = [share(cells, true), share(cells, false)]
    const wrong = cells.filter(({ verdict }) => verdict === 'wrong').length
    const missing = rows
      .filter((row) => row.form === form)
      .flatMap((row) => row.cells.filter(({ verdict }) => verdict !== 'right').map((cell) => ({ ...cell, row })))
      .map(({ field, why, verdict, row }) => `${row.item}: ${field} ${verdict} (${why})`)
    return `| ${form} | ${needed.right} of ${needed.of} | ${optional.right} of ${optional.of} | ${wrong} | ${missing.join('; ')} |`
  })
  return import('node:fs/promises').then(({ writeFile }) => writeFile(file, `${lines.join('\n')}\n`))
})
