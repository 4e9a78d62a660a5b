import type { Page } from 'puppeteer'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { until } from '#e2e/harness/until.ts'
import { edgeCases } from '#server/sandbox/ebay/edge-cases.ts'
import { createHapax } from '#shared/client/client.ts'
import { openBrowser, type TestBrowser } from './browser.ts'
import { checkState, named, pictures, signInTo } from './fixture.ts'
import { type Service, startService } from './service.ts'
import { type PoshmarkSite, startPoshmark } from './sites/poshmark.ts'
import { tabThrough } from './tab-order.ts'
import { connectShop, password, signUp } from './web-seller.ts'

/**
 * Lists items from Poshmark on the sandbox's eBay and Etsy from the screen, choosing what the platforms require. The
 * steps build on one another.
 */
const email = 'chooser@example.com'

let service: Service
let site: PoshmarkSite
let chrome: TestBrowser
let page: Page
let token: string | undefined
const hapax = () => createHapax({ baseUrl: service.url, token })

beforeAll(async () => {
  service = await startService()
  site = await startPoshmark({ username: 'chooser', listings: 4 })
  chrome = await openBrowser({ extension: inject('extension') })
  token = await signUp(service.url, email)
  await hapax().call('putAddress', {
    body: {
      full_name: 'Vera',
      line1: '1 Quay Street',
      city: 'Portland',
      region: 'ME',
      postal_code: '04101',
      country: 'US',
    },
  })
  await connectShop(service.url, token, 'ebay')
  await connectShop(service.url, token, 'etsy')
  await signIn()
  await importCloset()
})
afterAll(async () => {
  await chrome?.close()
  await site?.close()
  await service?.close()
})

async function signIn(): Promise<void> {
  await (await signInTo(chrome, { server: service.url, email, password })).close()
}

async function importCloset(): Promise<void> {
  const tab = await chrome.newPage()
  await tab.goto('https://poshmark.com/closet/chooser')
  await tab.locator('::-p-aria(Import 4 listings)').click()
  const done = async () =>
    (await hapax().call('listImportJobs', { query: { marketplace: 'poshmark' } }))[0]?.items_imported
  await until(done, (count) => count === 4)
  await tab.close()
}

/** Gives an item pictures that the server can fetch, or one that it must not. */
async function setPictures(
  uid: string,
  base = `${service.config.EBAY_API_URL}/images/${edgeCases.noSku[0]}`,
  more: { title?: string; attributes?: Record<string, never> } = {},
): Promise<void> {
  await hapax().call('updateInventoryItem', {
    params: { uid },
    body: { images: [`${base}/1.png`], ...more },
    headers: { 'if-match': '*' },
  })
}

/** Makes the sandbox's eBay answer 500 to every call of a name until it is reset. */
async function failCalls(form: Record<string, string>): Promise<void> {
  const body = new URLSearchParams({ times: '1000', skip: '0', seconds: '0', ...form })
  await fetch(`${service.config.EBAY_API_URL}/faults`, { method: 'POST', body, redirect: 'manual' })
}

const inventory = async () => (await hapax().call('listInventory', {})).results
const liveOn = async (uid: string, platform: string) =>
  (await inventory())
    .find((item) => item.uid === uid)
    ?.listings?.filter((one) => one.platform === platform && one.state === 'available') ?? []

/** Opens an item's page with the dialog to list it. */
async function openDialog(uid: string): Promise<void> {
  await page?.close()
  page = await chrome.newPage()
  await page.setViewport({ width: 1280, height: 900 })
  await page.goto(`chrome-extension://${chrome.extensionId}/inventory.html#item/${uid}`)
  await page.locator(named('button', 'List on…')).click()
  await page.waitForSelector('dialog[open]')
}

const focused = () =>
  page.evaluate(() => {
    const at = document.activeElement
    const label = at?.id ? document.querySelector(`label[for="${CSS.escape(at.id)}"]`) : null
    return label?.textContent ?? at?.textContent
  })
const wrongs = () => page.$$eval('dialog .wrong', (all) => all.map((one) => one.textContent))
const go = () => page.locator('dialog form:not([hidden]) button[type=submit]').click()
const field = (label: string) => page.$eval(`::-p-aria([name="${label}"])`, (one) => (one as HTMLSelectElement).value)

/** Takes a picture at each common width in both color schemes. */
async function look(name: string): Promise<void> {
  await checkState(page, name)
  if (!pictures) return
  for (const scheme of ['light', 'dark'] as const) {
    await page.setViewport({ width: 320, height: 640 })
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
    await page.screenshot({ path: `${pictures}/${name}-${scheme}-320.png` })
  }
  await page.setViewport({ width: 1280, height: 900 })
  await page.emulateMediaFeatures([])
}

/** Returns the elements that overflow a narrow screen. */
async function fitsNarrow(): Promise<string[]> {
  await page.setViewport({ width: 320, height: 640 })
  const wide = await page.evaluate(() =>
    [...(document.querySelector('dialog[open]') ?? document.body).querySelectorAll('*')]
      .filter((one) => one.checkVisibility() && !one.closest('.hidden, option'))
      .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
      .map((one) => one.outerHTML.slice(0, 80)),
  )
  await page.setViewport({ width: 1280, height: 900 })
  return wide
}

describe('an item from Poshmark', () => {
  it('is listed on Etsy by keyboard, with errors at their fields', async () => {
    const [item] = await inventory()
    // Nothing names a category.
    await setPictures(item!.uid, 'https://127.0.0.1/private', { title: 'Lot from the attic', attributes: {} })
    await openDialog(item!.uid)
    await page.locator(named('button', 'Edit details for Etsy')).click()
    await page.waitForSelector('::-p-text(What Etsy needs to know)')
    expect(await focused()).toBe('What Etsy needs to know')
    await page.waitForSelector('dialog select')
    await look('choose-etsy')
    expect(await fitsNarrow()).toEqual([])

    // The description names the era, and Etsy takes vintage of others.
    expect([await field('When it was made'), await field('Who made it')]).toEqual(['1970s', 'someone_else'])
    // Without a category, its field has an error and the focus, and nothing was sent.
    await go()
    await page.waitForSelector('dialog [role=alert]')
    await expect.poll(wrongs).toEqual(['Choose a category.'])
    await expect.poll(focused).toBe('Search Etsy’s categories')
    await look('choose-etsy-missing')
    expect(await liveOn(item!.uid, 'etsy')).toEqual([])

    await page.keyboard.type('dresses')
    await page.keyboard.press('Enter')
    await page.waitForSelector('dialog ::-p-text(1 category found)')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    expect(await page.$eval('dialog input[type=radio]:checked', (one) => one.parentElement?.textContent)).toContain(
      'Dresses',
    )
    expect(await wrongs()).not.toContain('Choose a category.')
    // A chosen category that the search no longer finds stays chosen, by name.
    await page.locator('dialog .search input').fill('no such thing')
    await page.keyboard.press('Enter')
    await page.waitForSelector('dialog ::-p-text(No categories match “no such thing”.)')
    expect(await page.$eval('dialog input[type=radio]:checked', (one) => one.parentElement?.textContent)).toContain(
      'Dresses',
    )

    // The category decides what else is asked.
    await page.locator('dialog .search input').fill('sandals')
    await page.keyboard.press('Enter')
    await page.waitForSelector('dialog ::-p-text(1 category found)')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowDown')
    await page.waitForSelector(named('combobox', 'Shoe size'))
    await page.select('::-p-aria([name="Shoe size"])', 'EU 38')

    // Etsy refuses ordinary second-hand goods.
    await page.select('::-p-aria([name="Who made it"])', 'someone_else')
    await page.select('::-p-aria([name="When it was made"])', '2010_2019')
    await page.waitForSelector('dialog [role=alert] ::-p-text(ordinary second-hand)')
    await look('choose-etsy-second-hand')
    expect(await fitsNarrow()).toEqual([])
    await page.select('::-p-aria([name="When it was made"])', '1990s')
    await page.waitForSelector('dialog [role=alert] ::-p-text(ordinary second-hand)', { hidden: true })
    await expect.poll(wrongs).toEqual([])

    // The shop's only profiles are preselected. Leaving and returning loses nothing.
    expect(await page.$eval('dialog summary', (one) => one.textContent)).toContain('Parcel, tracked')
    await page.keyboard.press('Escape')
    await page.locator(named('button', 'Edit details for Etsy')).click()
    await page.waitForSelector('dialog select')
    expect(await field('When it was made')).toBe('1990s')
    await look('choose-etsy-chosen')

    // After a failed listing, the error is shown and the choices stay.
    await go()
    await page.waitForSelector('dialog [role=alert]')
    expect(await field('When it was made')).toBe('1990s')
    expect(await page.$('dialog input[type=radio]:checked')).not.toBeNull()
    await look('choose-etsy-refused')
    await setPictures(item!.uid)
    await go()
    await page.waitForSelector('dialog ::-p-text(Listed on Etsy.)')
    await look('choose-etsy-listed')
    const [live] = await liveOn(item!.uid, 'etsy')
    const shown = await (await fetch(live!.url)).text()
    expect(shown).toContain('active')
    expect(chrome.errors).toEqual([])
  })

  it('is listed on eBay, where the category decides the choices', async () => {
    const [, item] = await inventory()
    await openDialog(item!.uid)
    await failCalls({ action: 'set', kind: 'http_500', call: 'getCategorySuggestions' })
    await page.locator(named('button', 'Edit details for eBay')).click()
    await page.waitForSelector('dialog [role=alert]')
    await look('choose-ebay-unasked')
    await failCalls({ action: 'clear' })
    await page.locator('dialog .notice button').click()
    await page.waitForSelector('dialog .category')
    await look('choose-ebay')
    await page.locator('dialog .search input').fill('novel')
    await page.locator(named('button', 'Search')).click()
    await page.locator('dialog .offered ::-p-text(Books & Magazines > Books)').click()
    await page.waitForSelector(named('combobox', 'Author'))
    await go()
    await page.waitForSelector('dialog [role=alert]')
    await expect
      .poll(wrongs)
      .toEqual(expect.arrayContaining(['Fill in Author.', 'Fill in Book Title.', 'Fill in Language.']))
    await expect.poll(focused).toBe('Author')
    await look('choose-ebay-missing')
    await page.keyboard.type('Ada Writer')
    await page.locator(named('combobox', 'Book Title')).fill('A Book')
    await page.locator(named('combobox', 'Language')).fill('English')
    if ((await field('Condition')) === '') await page.select('::-p-aria([name="Condition"])', 'USED_GOOD')
    await page.locator('dialog summary').click()
    await page.select('::-p-aria([name="Shipping policy"])', await freightOf())
    await look('choose-ebay-chosen')
    await go()
    await page.waitForSelector('dialog ::-p-text(Listed on eBay.)')
    await look('choose-ebay-listed')
    expect(await page.$eval('dialog input[type=checkbox]', (one) => one.disabled)).toBe(true)
    expect(await liveOn(item!.uid, 'ebay')).toHaveLength(1)
    expect(chrome.errors).toEqual([])
  })

  it("reuses the shop's choices, which the defaults page shows", async () => {
    await page.close()
    page = await chrome.newPage()
    await page.setViewport({ width: 1280, height: 900 })
    await page.goto(`chrome-extension://${chrome.extensionId}/inventory.html#choices`)
    await page.waitForSelector(named('combobox', 'Shipping policy'))
    await page.waitForSelector(named('combobox', 'Who made it'))
    const params = { slug: 'etsy' }
    const before = await hapax().call('getListingDefaults', { params })
    await hapax().call('putListingDefaults', { params, body: { ...before, when_made: '1990s' } })
    // Remembered when the listing went live.
    const freight = await freightOf()
    expect(await field('Shipping policy')).toBe(freight)
    await look('usual-choices')
    await tabThrough(page, 'usual-choices')
    expect(await fitsNarrow()).toEqual([])
    await page.select('::-p-aria([name="Who made it"])', 'i_did')
    await page.locator('.usual button[type=submit]').click()
    await page.waitForSelector('::-p-text(Saved.)')
    await look('usual-saved')
    // Stored options that are not shown stay.
    const kept = await hapax().call('getListingDefaults', { params })
    expect(kept).toEqual({ ...before, when_made: '1990s', who_made: 'i_did' })
    await hapax().call('putListingDefaults', { params, body: { ...before, who_made: 'i_did' } })

    const [, , item] = await inventory()
    await openDialog(item!.uid)
    await page.locator(named('button', 'Edit details for Etsy')).click()
    await page.waitForSelector(named('combobox', 'Who made it'))
    expect(await field('Who made it')).toBe('i_did')
    await page.locator(named('button', 'Back')).click()

    // A vanished option is reported and not considered chosen.
    await hapax().call('putListingDefaults', { params: { slug: 'ebay' }, body: { return_policy_id: '999' } })
    await page.goto(`chrome-extension://${chrome.extensionId}/inventory.html#choices`)
    await page.reload()
    await page.waitForSelector('::-p-text(Your earlier choice no longer exists on eBay.)')
    await look('usual-gone')

    // Listing requires another, which replaces it.
    await openDialog(item!.uid)
    await page.locator(named('button', 'Edit details for eBay')).click()
    await page.waitForSelector(named('combobox', 'Return policy'))
    expect(await field('Return policy')).toBe('')
    await go()
    await page.waitForSelector('dialog [role=alert]')
    // eBay suggests men's shirts only, which are not taken for a women's shirt.
    await expect.poll(wrongs).toEqual(expect.arrayContaining(['Choose a category.', 'Choose a return policy.']))
    await page.locator("dialog .offered ::-p-text(Men's Clothing > Shirts)").click()
    const policies = await page.$$eval('::-p-aria([name="Return policy"][role="combobox"]) option', (all) =>
      all.map((one) => one.value),
    )
    await page.select('::-p-aria([name="Return policy"])', policies.at(-1)!)
    // The fields of the category may come after those of the shop, and the form takes no answers while it asks.
    await expect
      .poll(
        async () => {
          for (const name of ['Brand', 'Size', 'Color']) await fillIn(name, 'Other')
          // eBay's clothing categories have their own conditions: this one is "Pre-owned - Good".
          const condition = await page.$('::-p-aria([name="Condition"])')
          if (condition && (await field('Condition')) === '')
            await page.select('::-p-aria([name="Condition"])', 'USED_EXCELLENT')
          const submit = await page.$('dialog form:not([hidden]) button[type=submit]:not([aria-disabled=true])')
          await submit?.click().catch(() => {})
          return (await page.$('dialog ::-p-text(Listed on eBay.)')) !== null
        },
        { interval: 500 },
      )
      .toBe(true)
    const after = await hapax().call('getListingDefaults', { params: { slug: 'ebay' } })
    expect(after.return_policy_id).toBe(policies.at(-1))
    expect(chrome.errors).toEqual([])
  })

  it('warns before listing what eBay would change or refuse', async () => {
    const [, , , item] = await inventory()
    const { uid } = item!
    const { title } = item!.record
    const change = (body: { title: string; images: string[] }) =>
      hapax().call('updateInventoryItem', { params: { uid }, body, headers: { 'if-match': '*' } })
    await change({
      title: `${title} ${'with every detail '.repeat(5)}`,
      images: ['https://photos.example.com/plan.svg'],
    })
    await openDialog(uid)
    await page.locator('dialog label ::-p-text(eBay)').click()
    await page.waitForSelector('dialog ::-p-text(1 is not ready yet.)')
    await page.waitForSelector('dialog .listing-lines .wrong::-p-text(Photo 1 is no photo file)')
    await look('preflight-selection')
    expect(await fitsNarrow()).toEqual([])

    await page.locator(named('button', 'Edit details for eBay')).click()
    await page.waitForSelector('dialog [role=alert] ::-p-text(Photo 1 is no photo file)')
    await page.waitForSelector('dialog .findings ::-p-text(eBay takes 80 characters of a title)')
    await look('preflight-item')
    expect(await fitsNarrow()).toEqual([])
    await go()
    expect(await liveOn(uid, 'ebay')).toEqual([])
    await change({ title, images: item!.record.images })
    expect(chrome.errors).toEqual([])
  })

  it('shows category, price and site before the press, and the category can be changed there', async () => {
    const item = (await inventory())[0]!
    await setPictures(item.uid)
    const coat = {
      title: 'Wool barn coat, rust, men’s L',
      attributes: { brand: 'Pendleton', size: 'L', colors: ['rust'] },
    }
    const was = { title: item.record.title, attributes: item.attributes }
    const change = (body: object) =>
      hapax().call('updateInventoryItem', { params: { uid: item.uid }, body, headers: { 'if-match': '*' } })
    await change(coat)
    await openDialog(item.uid)
    await page.locator('dialog label ::-p-text(eBay)').click()
    const line = 'dialog .listing-lines li'
    await page.waitForSelector(`${line} ::-p-text(eBay US)`)
    await look('lines-asked')
    expect(await fitsNarrow()).toEqual([])
    const category = 'dialog .same-answers .category'
    await page.waitForSelector(`${category} .offered ::-p-text(Women's Clothing)`)
    await look('lines-choosing')
    await page.locator(`${category} .search input`).fill('denim jacket')
    await page.keyboard.press('Enter')
    await page.locator(`${category} .offered ::-p-text(Men's Clothing > Coats)`).click()
    await page.waitForSelector(`${line} ::-p-text(Men's Clothing > Coats)`)
    await look('lines-chosen')
    expect(await liveOn(item.uid, 'ebay')).toEqual([])

    // A suggestion that fits is marked.
    await change({ ...coat, title: 'Wool coat, rust, women’s L' })
    await openDialog(item.uid)
    await page.locator('dialog label ::-p-text(eBay)').click()
    await page.waitForSelector(`${line} ::-p-text(Suggested, check it)`)
    const shown = await page.$eval(line, (one) => one.textContent)
    expect(shown).toContain("Women's Clothing > Coats, Jackets & Vests")
    expect(shown).toMatch(/eBay US · \$\d+\.\d\d/)
    await look('lines-suggested')
    await change(was)
    expect(chrome.errors).toEqual([])
  })
})

/** Sets an aspect if the category requires it. */
async function fillIn(name: string, value: string): Promise<void> {
  const input = await page.$(named('combobox', name))
  if (input && (await input.evaluate((one) => (one as HTMLInputElement).value)) === '') await input.type(value)
}

/** Returns the sandbox eBay seller's shipping policy that is not the suggested one. */
async function freightOf(): Promise<string> {
  const { choices } = await hapax().call('shopChoices', { params: { slug: 'ebay' } })
  const policies = choices.find(({ option }) => option === 'fulfillment_policy_id')!.values
  return policies.find(({ name }) => name === 'Freight')!.id
}
