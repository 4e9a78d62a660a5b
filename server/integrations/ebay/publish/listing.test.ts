import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { knownValue } from '#server/integrations/item-texts/item-details.ts'
import type { ListingPort, PublishRequest, ShopAccess } from '#server/integrations/port.ts'
import type { EbaySandbox } from '#server/sandbox/ebay/index.ts'
import { plainItem } from '#server/sandbox/ebay/shop.ts'
import { completeOptions } from '#server/selling/listings/preflight/complete-options.ts'
import { conditionOf } from '../condition.ts'
import { lastListed, startEbaySandbox } from '../testing/ebay-sandbox.ts'

const seller = 'thing_theo'
let sandbox: EbaySandbox
let url: string
let access: ShopAccess
let port: ListingPort
/** Time that a test lets pass, added to the platform's clock. */
let aheadMs = 0
const clock = () => new Date(Date.now() + aheadMs)
beforeAll(async () => {
  const running = await startEbaySandbox({ usual: false, clock, sellers: [{ username: seller, items: [] }] })
  ;({ sandbox, url } = running)
  access = running.accessOf(seller)
  port = running.adapter.listings!
})
afterAll(() => sandbox?.close())
afterEach(() => {
  sandbox.faults.clear()
  sandbox.setReadLag(0)
})

let made = 0
const address = {
  full_name: 'Theo',
  line1: '1 Quay Street',
  city: 'Portland',
  region: 'ME',
  postal_code: '04101',
  country: 'US',
}
function request(given: Partial<PublishRequest> = {}): PublishRequest {
  made++
  return {
    externalKey: `VV-${made}-abcdefghijklm`,
    idempotencyKey: randomUUID(),
    sku: `VV ${made}`,
    title: `Canon AE-1 Film Camera Black #${made}`,
    description: '<p>Shutter fires.</p>',
    price_minor: 12_550,
    currency: 'USD',
    images: [`${url}/images/1.png`, 'http://pictures.example.com/2.jpg', 'https://pictures.example.com/3.jpg'],
    condition: { label: 'Pre-owned - Good', notes: 'A scratch on the base plate.' },
    attributes: { brand: 'Canon' },
    address,
    options: {},
    ...given,
  }
}

/** Returns the request with all suggested options. */
async function complete(item: PublishRequest): Promise<PublishRequest> {
  const { options, missing } = completeOptions(item.options, {}, await port.choices(access, item))
  expect(missing).toEqual([])
  return { ...item, options }
}
const publish = (item: PublishRequest, steps: string[] = []) =>
  port.publish(access, item, async (name) => {
    steps.push(name)
    item.repeated = true
  })
const onSale = (item: PublishRequest) =>
  sandbox.market.itemsOf(seller).filter(({ sku, status }) => sku === item.externalKey && status === 'Active')

describe('listing on eBay', () => {
  it('suggests single, default and matching choices', async () => {
    const choices = await port.choices(access, request())
    const suggested = Object.fromEntries(
      choices.map(({ option, values }) => [option, values.find((value) => value.suggested)?.name ?? values.length]),
    )
    expect(suggested).toEqual({
      marketplace_id: 'eBay US',
      category_id: 'Cameras & Photo > Film Photography > Film Cameras',
      'aspects.Brand': 'Canon',
      condition: 'Used',
      payment_policy_id: 'Paid at once',
      fulfillment_policy_id: 'USPS Ground',
      return_policy_id: '30 days',
    })
  })

  it('offers a shop its policies and its country’s site first', async () => {
    const ofShop = await port.shopChoices(access, { country: 'US', marketplace_id: null })
    const ofItem = await port.choices(access, request())
    const [sites, ...policies] = ofShop
    expect(policies).toEqual(ofItem.filter(({ option }) => option.endsWith('_policy_id')))
    expect(sites?.values[0]).toEqual({ id: 'EBAY_US', name: 'eBay US', suggested: true })
    const abroad = await port.shopChoices(access, { country: 'US', marketplace_id: 'EBAY_PL' })
    expect(abroad[0]?.values.filter(({ suggested }) => suggested)).toMatchObject([{ id: 'EBAY_PL' }])
    // Policies belong to a site, and this seller has none there, so a listing has its own terms.
    expect(abroad.slice(1).map(({ option }) => option)).toEqual([
      ...['shipping_service', 'shipping_cost', 'handling_days', 'returns_within'],
    ])
  })

  it('finds categories by words and offers their aspects', async () => {
    const search = { country: 'US', marketplace_id: null }
    const found = await port.searchCategories(access, { ...search, words: 'hardcover novel' })
    expect(found).toEqual([{ id: '261186', name: 'Books & Magazines > Books' }])
    const choices = await port.choices(access, request({ options: { category_id: found[0]!.id } }))
    const aspects = choices.filter(({ option }) => option.startsWith('aspects.'))
    expect(aspects.map(({ option, free_text }) => [option, free_text])).toEqual([
      ['aspects.Author', true],
      ['aspects.Book Title', true],
      ['aspects.Language', true],
    ])
  })

  it('publishes the item as requested, in known steps', async () => {
    const item = await complete(request())
    const steps: string[] = []
    const published = await publish(item, steps)
    expect(steps).toEqual(['publish'])
    expect(published).toEqual({ listing_id: published.listing_id, url: `${url}/itm/${published.listing_id}` })
    expect(onSale(item)).toMatchObject([
      {
        itemId: published.listing_id,
        title: item.title,
        description: '<p>Shutter fires.</p>',
        price: '125.50',
        currency: 'USD',
        quantity: 1,
        conditionNotes: 'A scratch on the base plate.',
        specifics: [{ name: 'Brand', values: ['Canon'] }],
        imageUrls: [`${url}/images/1.png`, 'https://pictures.example.com/2.jpg', 'https://pictures.example.com/3.jpg'],
      },
    ])
    expect(lastListed(sandbox).item).toMatchObject({
      ...{ Country: 'US', Location: 'Portland, ME', PostalCode: '04101', Site: 'US', SKU: item.externalKey },
      UUID: item.idempotencyKey?.replaceAll('-', ''),
    })
    expect(await port.readState(access, published.listing_id)).toBe('live')
    expect(await port.findPublished(access, item.externalKey)).toEqual(published)
    expect(await port.findPublished(access, 'nobody-knows-this')).toBeNull()
  })

  it('makes one listing after a lost answer', async () => {
    const item = await complete(request())
    sandbox.faults.set({ call: 'AddFixedPriceItem', kind: 'fail_after' })
    await expect(publish(item)).rejects.toMatchObject({ failure: 'unavailable' })
    const published = await publish(item)
    expect(onSale(item).map(({ itemId }) => itemId)).toEqual([published.listing_id])
    expect(await publish(item)).toEqual(published)
    expect(await port.findPublished(access, item.externalKey)).toEqual(published)
    expect(onSale(item)).toHaveLength(1)
  })

  it('answers a repeat with the first listing, even ended', async () => {
    const item = await complete(request())
    sandbox.setReadLag(60_000)
    const first = await publish(item)
    sandbox.market.end(first.listing_id)
    expect(await publish({ ...item, price_minor: 1 })).toEqual(first)
    sandbox.setReadLag(0)
    expect(await port.readState(access, first.listing_id)).toBe('ended')
    expect(onSale(item)).toEqual([])
  })

  it('reads the first listing’s id in words too', async () => {
    const item = await complete(request())
    const long = 'The specified UUID has already been used; ListedByRequestAppId=1, item ID=110040602158'
    const answer = `<AddFixedPriceItemResponse><Ack>Failure</Ack><Errors><ShortMessage>Duplicate UUID used.</ShortMessage><LongMessage>${long}</LongMessage><ErrorCode>488</ErrorCode><SeverityCode>Error</SeverityCode></Errors></AddFixedPriceItemResponse>`
    const answering: typeof fetch = (at, init) =>
      new Headers(init?.headers).get('x-ebay-api-call-name') === 'AddFixedPriceItem'
        ? Promise.resolve(new Response(answer))
        : fetch(at, init)
    const other = await startEbaySandbox(
      { usual: false, sellers: [{ username: seller, items: [] }] },
      {
        fetch: answering as never,
      },
    )
    const published = await other.adapter.listings!.publish(other.accessOf(seller), item, async () => {})
    expect(published.listing_id).toBe('110040602158')
    await other.sandbox.close()
  })

  it('asks for fees and refusals without listing', async () => {
    const item = await complete(request())
    const { findings, fees } = await port.verify!(access, item)
    expect(findings).toEqual([])
    expect(fees[0]).toMatchObject({ code: 'listing_fee', certain: true, amount_minor: 0, currency: 'USD' })
    const refused = await port.verify!(access, { ...item, options: { ...item.options, category_id: '999' } })
    expect(refused.findings).toMatchObject([{ blocking: true, message: expect.stringContaining('leaf category') }])
    expect(onSale(item)).toEqual([])
    sandbox.faults.set({ call: 'VerifyAddFixedPriceItem', kind: 'rate_limit' })
    expect(await port.verify!(access, item)).toMatchObject({ findings: [], fees: [{ certain: false }, {}] })
  })

  it('blocks a mix of eBay’s own pictures and others', async () => {
    const images = ['https://i.ebayimg.com/images/g/1.jpg', 'https://pictures.example.com/2.jpg']
    const item = await complete(request({ images }))
    expect(await port.findings(access, item)).toMatchObject([{ field: 'images', blocking: true }])
    await expect(publish(item)).rejects.toMatchObject({ message: expect.stringContaining('mixture') })
    const theirs = await complete(request({ images: images.slice(0, 1) }))
    expect(await port.findings(access, theirs)).toEqual([])
    await publish(theirs)
  })

  it('reports eBay’s reason for a missing value', async () => {
    const item = await complete(request({ attributes: {}, options: { aspects: { Brand: ['Canon'] } } }))
    const without = { ...item, options: { ...item.options, aspects: {} } }
    await expect(publish(without)).rejects.toMatchObject({
      failure: 'refused',
      message: expect.stringContaining('The item specific Brand is missing'),
    })
    await expect(publish({ ...item, options: { ...item.options, category_id: '999' } })).rejects.toMatchObject({
      failure: 'refused',
      platformCode: '87',
    })
    await expect(publish({ ...item, options: {} })).rejects.toMatchObject({ failure: 'refused' })
    expect(onSale(item)).toEqual([])
  })

  it('shortens a title that is too long', async () => {
    const title = `${'Film Camera '.repeat(6)}Canon 👜👜👜👜`
    const item = await complete(request({ title, description: '<script>alert(1)</script>', sku: null }))
    await publish(item)
    expect(onSale(item)[0]?.title.length).toBeLessThanOrEqual(80)
    expect(onSale(item)[0]?.title.isWellFormed()).toBe(true)
  })

  it('lists a text with characters that XML cannot have', async () => {
    const item = await complete(request({ description: 'Shutter\u000b fires\u0001.' }))
    await publish(item)
    expect(onSale(item)).toMatchObject([{ description: 'Shutter fires.' }])
  })

  it('relists a withdrawn item under a new id', async () => {
    const item = await complete(request())
    const first = await publish(item)
    await port.withdraw(access, { listing_id: first.listing_id, externalKey: item.externalKey })
    expect(await port.findPublished(access, item.externalKey)).toBeNull()
    const second = await publish({ ...item, idempotencyKey: randomUUID() })
    expect(second.listing_id).not.toBe(first.listing_id)
    // A late repetition of the first withdrawal does not end the new listing.
    await port.withdraw(access, { listing_id: first.listing_id, externalKey: item.externalKey })
    expect(onSale(item)).toHaveLength(1)
  })

  it.each([
    ['http_500', 'unavailable'],
    ['html_body', 'unavailable'],
    ['cut', 'unavailable'],
    ['rate_limit', 'rate_limited'],
    ['token_invalid', 'unauthorized'],
    ['fail_before', 'unavailable'],
  ] as const)('classifies "%s" as %s', async (kind, failure) => {
    const item = await complete(request())
    sandbox.faults.set({ call: 'AddFixedPriceItem', kind })
    await expect(publish(item)).rejects.toMatchObject({ failure })
  })
})

describe('withdrawing on eBay', () => {
  it('ends our listing, also after a lost answer', async () => {
    const item = await complete(request())
    const { listing_id } = await publish(item)
    sandbox.faults.set({ call: 'EndFixedPriceItem', kind: 'fail_after' })
    const down = () => port.withdraw(access, { listing_id, externalKey: item.externalKey })
    await expect(down()).rejects.toMatchObject({ failure: 'unavailable' })
    await down()
    await down()
    expect(onSale(item)).toEqual([])
    expect(await port.readState(access, listing_id)).toBe('ended')
  })

  it('ends listings that Hapax did not make', async () => {
    for (const listingType of ['FixedPriceItem', 'Chinese'] as const) {
      const { itemId } = sandbox.market.add(seller, { listingType })
      sandbox.faults.set({ call: 'EndFixedPriceItem', kind: 'fail_after' })
      const down = () => port.withdraw(access, { listing_id: itemId, externalKey: null })
      await down().catch(() => {})
      await down()
      expect(await port.readState(access, itemId)).toBe('ended')
    }
  })

  it('treats a listing that is already down as success', async () => {
    const ended = sandbox.market.add(seller, {})
    sandbox.market.end(ended.itemId)
    const sold = sandbox.market.add(seller, {})
    sandbox.market.sell(sold.itemId)
    const gone = sandbox.market.add(seller, {})
    sandbox.market.remove(gone.itemId)
    for (const { itemId } of [ended, sold, gone]) await port.withdraw(access, { listing_id: itemId, externalKey: null })
    expect(await port.readState(access, sold.itemId)).toBe('sold')
    expect(await port.readState(access, gone.itemId)).toBe('missing')
    sandbox.market.addSeller({ username: 'other_olga', items: [plainItem({ itemId: '299000000001' })] })
    await expect(port.withdraw(access, { listing_id: '299000000001', externalKey: null })).rejects.toMatchObject({
      failure: 'not_found',
    })
    expect(sandbox.market.find('299000000001')?.item.status).toBe('Active')
  })

  it('reads stale data as live until eBay updates it', async () => {
    const item = await complete(request())
    const { listing_id } = await publish(item)
    aheadMs += 600_000
    sandbox.setReadLag(500_000)
    await port.withdraw(access, { listing_id, externalKey: item.externalKey })
    expect(await port.readState(access, listing_id)).toBe('live')
    aheadMs += 500_000
    expect(await port.readState(access, listing_id)).toBe('ended')
  })
})

describe('prices on eBay', () => {
  it('change for all live listings', async () => {
    const item = await complete(request())
    const { listing_id } = await publish(item)
    await port.changePrice(access, { listing_id, externalKey: item.externalKey, price_minor: 4_000, currency: 'USD' })
    expect(onSale(item)[0]?.price).toBe('40.00')
    const other = sandbox.market.add(seller, { price: '20.0' })
    const change = { listing_id: other.itemId, externalKey: null, price_minor: 1_999, currency: 'USD' }
    await port.changePrice(access, change)
    expect(sandbox.market.find(other.itemId)?.item.price).toBe('19.99')
    sandbox.market.end(other.itemId)
    await expect(port.changePrice(access, change)).rejects.toMatchObject({ failure: 'refused' })
  })
})

describe('content on eBay', () => {
  const content = {
    title: `${'A better title '.repeat(6)}`,
    description: 'New words.\nIn two lines.',
    images: ['http://pictures.example.com/9.jpg'],
    condition: { label: 'Used', notes: '' },
    price: null,
  }
  const all = ['title', 'description', 'images'] as const
  const update = (
    listing: { listing_id: string; externalKey: string | null },
    change: Partial<Parameters<ListingPort['updateContent']>[2]>,
  ) => port.updateContent(access, listing, { ...content, fields: all, ...change })
  const published = async () => {
    const item = await complete(request())
    const { listing_id } = await publish(item)
    return { item, listing: { listing_id, externalKey: item.externalKey } }
  }

  it('changes the title, the description and the pictures', async () => {
    const { item, listing } = await published()
    const [before] = onSale(item)
    await update(listing, {})
    expect(onSale(item)).toMatchObject([
      {
        itemId: listing.listing_id,
        title: content.title.slice(0, 80).trim(),
        description: 'New words.<br>In two lines.',
        imageUrls: ['https://pictures.example.com/9.jpg'],
      },
    ])
    expect(onSale(item)[0]?.specifics).toEqual(before?.specifics)
  })

  it('leaves fields that are not named', async () => {
    const { item, listing } = await published()
    const [before] = onSale(item)
    await update(listing, { fields: ['title'] })
    expect(onSale(item)).toEqual([{ ...before, title: content.title.slice(0, 80).trim() }])
  })

  it('can be repeated after a lost answer', async () => {
    const { item, listing } = await published()
    sandbox.faults.set({ call: 'ReviseFixedPriceItem', kind: 'fail_after' })
    await expect(update(listing, {})).rejects.toMatchObject({ failure: 'unavailable' })
    await update(listing, {})
    expect(onSale(item)).toMatchObject([{ title: content.title.slice(0, 80).trim(), quantity: 1 }])
  })

  it('reports what eBay refuses', async () => {
    const { item, listing } = await published()
    const [before] = onSale(item)
    await expect(update(listing, { images: [] })).rejects.toMatchObject({ failure: 'refused' })
    await expect(update(listing, { images: ['ftp://example.com/1.jpg'] })).rejects.toMatchObject({
      failure: 'refused',
      message: expect.stringContaining('pictures'),
    })
    expect(onSale(item)).toEqual([before])
  })

  it('changes listings that Hapax did not make', async () => {
    const { itemId } = sandbox.market.add(seller, { title: 'Old', description: 'Old words', price: '20.0' })
    const listing = { listing_id: itemId, externalKey: null }
    const shown = () => sandbox.market.find(itemId)!.item
    const before = shown()
    await update(listing, { fields: ['title'] })
    expect(shown()).toEqual({ ...before, title: content.title.slice(0, 80).trim() })
    const images = [1, 2].map((number) => `https://pictures.example.com/${number}.jpg?a=1&b=2`)
    await update(listing, { fields: ['description', 'images'], description: '<b>Bold</b> & "plain"', images })
    expect(shown()).toMatchObject({ description: '<b>Bold</b> &amp; "plain"', imageUrls: images, price: '20.0' })
  })

  it('reports a refusal of a listing that Hapax did not make', async () => {
    const ended = sandbox.market.add(seller, {})
    sandbox.market.end(ended.itemId)
    await expect(update({ listing_id: ended.itemId, externalKey: null }, {})).rejects.toMatchObject({
      failure: 'refused',
    })
  })
})

describe('condition and aspects of an item', () => {
  it.each([
    ['Used', 'USED_EXCELLENT'],
    ['Pre-owned - Fair', 'PRE_OWNED_FAIR'],
    ['New with tags', 'NEW'],
    ['New without tags', 'NEW_OTHER'],
    ['Very Good', 'USED_VERY_GOOD'],
    ['For parts or not working', 'FOR_PARTS_OR_NOT_WORKING'],
    ['not stated', null],
  ])('maps the condition "%s" to %s', (label, condition) => expect(conditionOf(label)).toBe(condition))

  it('takes aspects from attributes or the title only', () => {
    const item = request({ title: 'Forest Green Wool Coat', attributes: { brand: 'Pendleton', colors: ['rust'] } })
    expect(knownValue('Brand', ['Levi’s'], true, item)?.value ?? null).toBe('Pendleton')
    expect(knownValue('Brand', ['Levi’s'], false, item)?.value ?? null).toBeNull()
    expect(knownValue('Color', ['Rust', 'Forest Green'], true, item)?.value ?? null).toBe('Rust')
    expect(knownValue('Colour', ['Forest Green', 'Green'], true, request({ title: item.title }))?.value ?? null).toBe(
      'Forest Green',
    )
    expect(knownValue('Size', ['S', 'M'], true, request({ title: "Men's Coat" }))?.value ?? null).toBeNull()
  })
})
