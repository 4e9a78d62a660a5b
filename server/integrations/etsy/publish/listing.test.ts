import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { ListingPort, PlatformAdapter, PublishRequest, ShopAccess } from '#server/integrations/port.ts'
import type { EtsySandbox } from '#server/sandbox/etsy/index.ts'
import { imagesOf, plainListing, plainProduct } from '#server/sandbox/etsy/listing.ts'
import { drawPicture } from '#server/sandbox/kit/picture.ts'
import { completeOptions } from '#server/selling/listings/preflight/complete-options.ts'
import { startEtsySandbox } from '../testing/etsy-sandbox.ts'
import { fetchEtsyPicture } from './etsy-picture.ts'
import { eraOf, suggestCategories } from './listing-choices.ts'
import { etsyTitle } from './listing-text.ts'

const shopName = 'ThingTheoShop'
let sandbox: EtsySandbox
let access: ShopAccess
let port: ListingPort
let shopId: number
/** Time that a test lets pass, added to the platform's clock. */
let aheadMs = 0
const clock = () => new Date(Date.now() + aheadMs)
/** Pictures by address; fetching them is tested elsewhere. */
const pictures = new Map<string, Buffer>()
let missingPictures = 0
/** Addresses of pictures that were fetched. */
const fetched: string[] = []
let adapter: PlatformAdapter
beforeAll(async () => {
  const running = await startEtsySandbox(
    { usual: false, clock, shops: [{ shopName, listings: [] }], limits: null },
    {
      fetchPicture: async (address) => {
        fetched.push(address)
        if (missingPictures-- > 0) throw new Error('the picture is missing')
        const bytes = pictures.get(address) ?? (await drawPicture(address, 1, address))
        pictures.set(address, bytes)
        return { bytes, type: 'image/png' }
      },
    },
  )
  sandbox = running.sandbox
  access = running.accessOf(shopName)
  shopId = sandbox.market.shopNamed(shopName)!.shopId
  adapter = running.adapter
  port = adapter.listings!
})
afterAll(() => sandbox?.close())
afterEach(() => {
  sandbox.faults.clear()
  sandbox.setReadLag(0)
})

let made = 0
function request(given: Partial<PublishRequest> = {}): PublishRequest {
  made++
  return {
    externalKey: `VE-${made}-abcdefghijklm`,
    made: null,
    repeated: false,
    sku: `VE ${made}`,
    title: `1970s Tea Dress #${made}`,
    description: '<p>Cotton &amp; lace.</p><ul><li>Size 10</li></ul>',
    price_minor: 8_550,
    currency: 'USD',
    images: [1, 2, 3].map((number) => `https://pictures.example.com/${made}/${number}.png`),
    condition: { label: 'Used', notes: 'A small mend at the hem.' },
    attributes: { category: "Clothing, Shoes & Accessories:Women's Clothing:Dresses" },
    address: { full_name: 'Theo', line1: '1 Quay Street', city: 'Portland', postal_code: '04101', country: 'US' },
    options: {},
    ...given,
  }
}
async function complete(item: PublishRequest): Promise<PublishRequest> {
  const { options, missing } = completeOptions(item.options, {}, await port.choices(access, item))
  expect(missing).toEqual([])
  return { ...item, options }
}

/** Publishes like the engine, which saves the state before each step for the next attempt. */
async function attempt(item: PublishRequest, steps: string[] = []) {
  return port.publish(access, item, async (name, id) => {
    steps.push(name)
    item.repeated = true
    if (id) item.made = id
  })
}
const own = (item: PublishRequest, state = 'active') =>
  sandbox.market
    .listingsOf(shopId)
    .filter((listing) => listing.state === state && listing.products[0]?.sku === item.externalKey)
const drafts = () => sandbox.market.listingsOf(shopId).filter(({ state }) => state === 'draft')

describe('listing on Etsy', () => {
  it('suggests single and matching choices', async () => {
    const choices = await port.choices(access, request())
    const completed = completeOptions({}, {}, choices)
    expect(completed.missing).toEqual([])
    expect(completed.options).toEqual({
      taxonomy_id: '471',
      who_made: 'someone_else',
      when_made: '1970s',
      is_supply: 'false',
      shipping_profile_id: '314944410819',
      return_policy_id: '1513785862328',
      readiness_state_id: '1513785863458',
    })
    const unknown = completeOptions({}, {}, await port.choices(access, request({ title: 'A thing', attributes: {} })))
    expect(unknown.missing.map(({ option }) => option)).toEqual(['taxonomy_id', 'who_made', 'when_made'])
  })

  it('offers a shop its profiles and the maker', async () => {
    const ofShop = await port.shopChoices(access, { country: 'US', marketplace_id: null })
    const profiles = (await port.choices(access, request())).slice(4)
    expect(ofShop.map(({ option }) => option)).toEqual(['who_made', ...profiles.map(({ option }) => option)])
    expect(ofShop.slice(1)).toEqual(profiles)
    // Without an item nothing is suggested.
    expect(ofShop[0]?.values.filter(({ suggested }) => suggested)).toEqual([])
  })

  it('labels the choices', async () => {
    const choices = await port.choices(access, request({ options: { taxonomy_id: '323' } }))
    const names = Object.fromEntries(choices.map(({ option, values }) => [option, values.map(({ name }) => name)]))
    expect(names.when_made).toEqual(
      expect.arrayContaining(['Made to order', '2010 to 2019', `Before ${new Date().getUTCFullYear() - 19}`, '1970s']),
    )
    expect(names.return_policy_id).toEqual(['Returns within 30 days'])
    expect(names.readiness_state_id).toEqual(['Ready to ship, 1 - 2 days'])
    // The chosen category is included even though the item does not suggest it.
    expect(names.taxonomy_id).toContain('Books, Movies & Music > Books')
  })

  it('finds categories by words', async () => {
    const search = { country: 'US', marketplace_id: null }
    expect(await port.searchCategories(access, { ...search, words: 'cloth' })).toEqual([
      { id: '365', name: 'Clothing' },
      { id: '429', name: "Clothing > Men's Clothing" },
      { id: '374', name: "Clothing > Women's Clothing" },
      { id: '471', name: "Clothing > Women's Clothing > Dresses" },
    ])
    expect(await port.searchCategories(access, { ...search, words: 'violins' })).toEqual([])
  })

  it('publishes the item and its pictures in known steps', async () => {
    const item = await complete(request())
    const steps: string[] = []
    const published = await attempt(item, steps)
    expect(steps).toEqual([...['draft', 'draft-made', 'image-1', 'image-2', 'image-3', 'inventory', 'activate']])
    const [listing] = own(item)
    expect(listing).toMatchObject({
      listingId: Number(published.listing_id),
      state: 'active',
      title: etsyTitle(item.title),
      description: 'Cotton & lace.\nSize 10\n\nCondition: Used. A small mend at the hem.',
      whoMade: 'someone_else',
      whenMade: '1970s',
      taxonomyId: 471,
      products: [{ sku: item.externalKey, amount: 8_550, quantity: 1, isEnabled: true }],
      shippingProfileId: 314_944_410_819,
      readinessStateId: 1_513_785_863_458,
    })
    const sums = item.images.map((address) => createHash('sha256').update(pictures.get(address)!).digest('hex'))
    expect(listing?.uploads?.map((image) => 'sha256' in image && image.sha256)).toEqual(sums)
    for (const sum of sums) expect(createHash('sha256').update(sandbox.pictures.get(sum)!).digest('hex')).toBe(sum)
    const shown = await fetch(`${published.url}`)
    expect(shown.status).toBe(200)
    expect(await port.readState(access, published.listing_id)).toBe('live')
    expect((await port.findPublished(access, item.externalKey))?.listing_id).toBe(published.listing_id)
    expect(await port.findPublished(access, 'nobody-knows-this')).toBeNull()
  })

  it.each([
    'createDraftListing',
    'uploadListingImage',
    'updateListingInventory',
    'updateListing',
    'getListing',
    'getListingsByShop',
  ])('makes one listing after a lost answer to %s', async (call) => {
    const before = drafts().length
    const item = await complete(request())
    sandbox.faults.set({ call, kind: 'fail_after' })
    const published = await attempt(item).catch(() => attempt(item))
    sandbox.faults.clear()
    expect(own(item).map(({ listingId }) => String(listingId))).toEqual([published.listing_id])
    expect(own(item)[0]?.uploads).toHaveLength(3)
    expect(own(item)[0]?.description).not.toContain('draft')
    expect(drafts()).toHaveLength(before)
    expect((await attempt(item)).listing_id).toBe(published.listing_id)
    expect(own(item)).toHaveLength(1)
  })

  it('makes one live listing while Etsy’s reads are stale', async () => {
    const item = await complete(request())
    sandbox.setReadLag(60_000)
    sandbox.faults.set({ call: 'createDraftListing', kind: 'fail_after' })
    await expect(attempt(item)).rejects.toMatchObject({ failure: 'unavailable' })
    // Stale reads hide the first draft, so another is created and only that one goes live.
    sandbox.faults.set({ call: 'updateListing', kind: 'fail_after' })
    await expect(attempt(item)).rejects.toMatchObject({ failure: 'unavailable' })
    expect(own(item)).toHaveLength(1)
    // The live listing is hidden too, but no other is created.
    await attempt(item)
    expect(own(item)).toHaveLength(1)
  })

  it('makes one listing when workers share a draft', async () => {
    const item = await complete(request())
    sandbox.faults.set({ call: 'uploadListingImage', kind: 'fail_before' })
    await expect(attempt(item)).rejects.toThrow()
    await Promise.allSettled([attempt({ ...item }), attempt({ ...item }), attempt({ ...item })])
    await attempt(item)
    expect(own(item)).toHaveLength(1)
    expect(own(item)[0]?.uploads?.length).toBe(3)
  })

  it('leaves no draft if the shop has another currency', async () => {
    const before = drafts().length
    const item = await complete(request())
    await expect(attempt({ ...item, currency: 'EUR' })).rejects.toMatchObject({
      failure: 'refused',
      message: 'The shop on Etsy sells in USD, and the price is in EUR.',
    })
    expect(drafts()).toHaveLength(before)
  })

  it('relists the same listing, but replaces an expired one', async () => {
    const item = await complete(request())
    const first = await attempt(item)
    await port.withdraw(access, { listing_id: first.listing_id, externalKey: item.externalKey })
    expect(await port.readState(access, first.listing_id)).toBe('ended')
    const again = { ...item, price_minor: 7_000, made: first.listing_id, repeated: false }
    expect((await attempt(again)).listing_id).toBe(first.listing_id)
    expect(own(item)).toMatchObject([{ products: [{ amount: 7_000, quantity: 1 }] }])
    expect(own(item)[0]?.uploads).toHaveLength(3)
    sandbox.market.expire(Number(first.listing_id))
    const replacement = await attempt({ ...item, made: first.listing_id, repeated: false })
    expect(replacement.listing_id).not.toBe(first.listing_id)
    expect(await port.readState(access, first.listing_id)).toBe('expired')
  })

  it('relists a sold-out listing', async () => {
    const item = await complete(request())
    const { listing_id } = await attempt(item)
    sandbox.market.sell(Number(listing_id))
    expect(await port.readState(access, listing_id)).toBe('sold')
    await attempt({ ...item, made: listing_id, repeated: false })
    expect(own(item)).toMatchObject([{ products: [{ quantity: 1 }] }])
  })

  it('publishes nothing if a picture is missing', async () => {
    const item = await complete(request())
    missingPictures = 1
    await expect(attempt(item)).rejects.toThrow()
    missingPictures = 0
    expect(own(item)).toEqual([])
    await expect(attempt({ ...item, images: [] })).rejects.toMatchObject({ failure: 'refused' })
  })

  it.each([
    ['http_500', 'unavailable'],
    ['html_body', 'unavailable'],
    ['truncate', 'unavailable'],
    ['cut', 'unavailable'],
    ['garbage', 'unavailable'],
    ['rate_limit', 'rate_limited'],
    ['token_invalid', 'unauthorized'],
  ] as const)('classifies "%s" at any call as %s', async (kind, failure) => {
    for (const call of ['createDraftListing', 'uploadListingImage', 'updateListingInventory', 'updateListing']) {
      const item = await complete(request())
      sandbox.faults.set({ call, kind })
      await expect(attempt(item), call).rejects.toMatchObject({ failure })
      sandbox.faults.clear()
      await attempt(item)
      expect(own(item), call).toHaveLength(1)
    }
  })
})

describe('withdrawing on Etsy', () => {
  it('ends any listing, also after a lost answer', async () => {
    const { listingId } = sandbox.market.add(shopId, { state: 'active' })
    sandbox.faults.set({ call: 'updateListing', kind: 'fail_after' })
    const down = () => port.withdraw(access, { listing_id: String(listingId), externalKey: null })
    await expect(down()).rejects.toMatchObject({ failure: 'unavailable' })
    await down()
    await down()
    expect(sandbox.market.find(listingId)?.listing.state).toBe('inactive')
    expect(sandbox.market.find(listingId)?.listing.pictures).toBe(1)
  })

  it('succeeds for a sold-out, expired or deleted listing', async () => {
    const sold = sandbox.market.add(shopId, { state: 'active' })
    sandbox.market.sell(sold.listingId)
    const expired = sandbox.market.add(shopId, { state: 'expired' })
    const gone = sandbox.market.add(shopId, {})
    sandbox.market.remove(gone.listingId)
    const states = []
    for (const { listingId } of [sold, expired, gone]) {
      await port.withdraw(access, { listing_id: String(listingId), externalKey: null })
      states.push(await port.readState(access, String(listingId)))
    }
    expect(states).toEqual(['sold', 'expired', 'missing'])
  })

  it('reads stale data as live until Etsy updates it', async () => {
    const { listingId } = sandbox.market.add(shopId, { state: 'active' })
    aheadMs += 600_000
    sandbox.setReadLag(500_000)
    await port.withdraw(access, { listing_id: String(listingId), externalKey: null })
    expect(await port.readState(access, String(listingId))).toBe('live')
    aheadMs += 500_000
    expect(await port.readState(access, String(listingId))).toBe('ended')
  })
})

describe('a digital listing on Etsy', () => {
  it.each([
    ['download', 'made_to_order'],
    ['both', 'made_to_order'],
    ['download', '2010_2019'],
    ['physical', 'made_to_order'],
  ] as const)('stays what it is when changed and ended (%s, %s)', async (type, whenMade) => {
    const { listingId } = sandbox.market.add(shopId, { state: 'active', type, whenMade, whoMade: 'i_did' })
    const before = sandbox.market.find(listingId)!.listing
    const fields = ['title', 'images'] as const
    await port.updateContent(
      access,
      { listing_id: String(listingId), externalKey: null },
      { ...request({ title: 'A chart' }), price: null, fields },
    )
    await port.withdraw(access, { listing_id: String(listingId), externalKey: null })
    const { listing } = sandbox.market.find(listingId)!
    const { whoMade, isSupply, taxonomyId } = before
    expect(listing).toMatchObject({ state: 'inactive', title: 'A chart', whenMade, whoMade, isSupply, taxonomyId })
    expect([listing.type, listing.isInstant]).toEqual([type, undefined])
  })
})

describe('prices on Etsy', () => {
  it('change without changing the rest of the inventory', async () => {
    const properties = [{ id: 200, name: 'Primary color', values: ['Rust'] }]
    const { listingId } = sandbox.market.add(shopId, {
      ...plainListing({ listingId: 1_999_999_001 }),
      products: [plainProduct({ sku: 'MINE-1', amount: 2_000, properties })],
    })
    const change = { listing_id: String(listingId), externalKey: null, price_minor: 1_850, currency: 'USD' }
    await port.changePrice(access, change)
    expect(sandbox.market.find(listingId)?.listing.products).toEqual([
      plainProduct({ sku: 'MINE-1', amount: 1_850, properties }),
    ])
    await expect(port.changePrice(access, { ...change, currency: 'EUR' })).rejects.toMatchObject({ failure: 'refused' })
    sandbox.market.change(listingId, { products: [plainProduct({ amount: 1_000 }), plainProduct({ amount: 2_000 })] })
    await expect(port.changePrice(access, change)).rejects.toMatchObject({ platformCode: 'variations' })
  })

  it('change in a listing of three variations', async () => {
    const names = ['Size', 'Primary color', 'Frame']
    const properties = names.map((name, index) => ({ id: 511 + index, name, values: ['Jade'] }))
    const { listingId } = sandbox.market.add(shopId, { products: [plainProduct({ amount: 2_000, properties })] })
    const change = { listing_id: String(listingId), externalKey: null, price_minor: 1_850, currency: 'USD' }
    await port.changePrice(access, change)
    expect(sandbox.market.find(listingId)?.listing.products).toEqual([plainProduct({ amount: 1_850, properties })])
  })

  it('never rename a value, a property or a SKU', async () => {
    const properties = [
      { id: 513, name: 'Size & fit', values: ['5" x 7"', 'Black & White', "Men's <L>", '&amp;'] },
      { id: 514, name: 'Größe', values: ['Ünïcode ☂'] },
    ]
    const products = [plainProduct({ sku: "O'Neil & Co", amount: 2_000, properties })]
    const { listingId } = sandbox.market.add(shopId, { products })
    const change = { listing_id: String(listingId), externalKey: null, currency: 'USD' }
    for (const price_minor of [1_500, 1_900]) await port.changePrice(access, { ...change, price_minor })
    expect(sandbox.market.find(listingId)?.listing.products).toEqual([
      plainProduct({ sku: "O'Neil & Co", amount: 1_900, properties }),
    ])
  })

  it.each([
    ['Primary color', 'Black (matte)'],
    ['Primary color', 'Black ('],
    ['Primary color', 'matte)'],
    ['Size (EU)', ''],
  ])('are not sent with the variation %s "%s"', async (name, text) => {
    const value = text || name
    const properties = [{ id: 513, name, values: [text || 'M'] }]
    const { listingId } = sandbox.market.add(shopId, { products: [plainProduct({ properties })] })
    const before = sandbox.faults.count('updateListingInventory')
    const change = { listing_id: String(listingId), externalKey: null, price_minor: 1_500, currency: 'USD' }
    await expect(port.changePrice(access, change)).rejects.toMatchObject({
      failure: 'refused',
      platformCode: 'variation_characters',
      message: expect.stringContaining(`“${value}”`),
    })
    expect(sandbox.faults.count('updateListingInventory')).toBe(before)
  })

  it.each([19, 5_000_001])('are not sent if Etsy takes none of %i cents', async (price_minor) => {
    const { listingId } = sandbox.market.add(shopId, {})
    const before = sandbox.faults.count('updateListingInventory')
    const change = { listing_id: String(listingId), externalKey: null, price_minor, currency: 'USD' }
    await expect(port.changePrice(access, change)).rejects.toMatchObject({ failure: 'refused' })
    expect(sandbox.faults.count('updateListingInventory')).toBe(before)
  })
})

describe('content on Etsy', () => {
  const content = {
    title: '1980s Dress: Red & Gold & Silver',
    description: 'New words.',
    condition: { label: 'Used', notes: 'A small mend.' },
    price: null,
  }
  const update = (listingId: number, change: Partial<Parameters<ListingPort['updateContent']>[2]>) =>
    port.updateContent(
      access,
      { listing_id: String(listingId), externalKey: null },
      { ...content, images: [], fields: ['images'], ...change },
    )
  const shown = (listingId: number) => sandbox.market.find(listingId)!.listing
  const shas = (listingId: number) => shown(listingId).uploads?.map((image) => 'sha256' in image && image.sha256)
  const shaOf = async (address: string) =>
    createHash('sha256')
      .update(await drawPicture(address, 1, address))
      .digest('hex')
  const addressesOf = async (listingId: number) => {
    const listing = await adapter.imports.readOne(access, String(listingId))
    return 'images' in listing ? listing.images : []
  }

  it('changes the title and the description alone', async () => {
    const { listingId } = sandbox.market.add(shopId, { state: 'active', title: 'Old', pictures: 2 })
    const before = shown(listingId)
    await update(listingId, { fields: ['title', 'description'] })
    expect(shown(listingId)).toEqual({
      ...before,
      title: '1980s Dress: Red & Gold and Silver',
      description: 'New words.\n\nCondition: Used. A small mend.',
      measures: {},
      updated: expect.any(Number),
    })
  })

  it.each([1, 2, 5])('replaces 2 pictures by %i', async (count) => {
    const { listingId } = sandbox.market.add(shopId, { state: 'active', pictures: 2 })
    const images = Array.from({ length: count }, (_, index) => `https://pictures.example.com/new-${index}.png`)
    await update(listingId, { images })
    expect(shas(listingId)).toEqual(await Promise.all(images.map(shaOf)))
    expect(shown(listingId)).toMatchObject({ state: 'active', pictures: count })
  })

  it('replaces all pictures of a full listing', async () => {
    const { listingId } = sandbox.market.add(shopId, { state: 'active', pictures: 20 })
    const images = Array.from({ length: 21 }, (_, index) => `https://pictures.example.com/full-${index}.png`)
    await update(listingId, { images })
    expect(shas(listingId)).toEqual(await Promise.all(images.slice(0, 20).map(shaOf)))
  })

  it('keeps pictures that Etsy serves and sets their new order', async () => {
    const { listingId } = sandbox.market.add(shopId, { state: 'active', pictures: 3 })
    const [first, second, third] = await addressesOf(listingId)
    const before = imagesOf(shown(listingId))
    const added = 'https://pictures.example.com/added.png'
    fetched.length = 0
    await update(listingId, { images: [third!, added, first!] })
    expect(fetched).toEqual([added])
    expect(shown(listingId).uploads).toEqual([
      before[2],
      expect.objectContaining({ sha256: await shaOf(added) }),
      before[0],
    ])
    expect(await addressesOf(listingId)).not.toContain(second)
  })

  it('sends nothing if the pictures are as they should be', async () => {
    const { listingId } = sandbox.market.add(shopId, { state: 'active', pictures: 3 })
    const before = shown(listingId)
    await update(listingId, { images: await addressesOf(listingId) })
    expect(shown(listingId)).toEqual(before)
  })

  it.each(['getListingImages', 'uploadListingImage', 'updateListing'])(
    'can be repeated after a lost answer to %s',
    async (call) => {
      const { listingId } = sandbox.market.add(shopId, { state: 'active', pictures: 4 })
      const images = [1, 2].map((number) => `https://pictures.example.com/again-${number}.png`)
      sandbox.faults.set({ call, kind: 'fail_after' })
      await expect(update(listingId, { images })).rejects.toMatchObject({ failure: 'unavailable' })
      expect(shown(listingId).pictures).toBeGreaterThan(0)
      await update(listingId, { images })
      expect(shas(listingId)).toEqual(await Promise.all(images.map(shaOf)))
    },
  )

  it('never leaves a listing without pictures', async () => {
    const { listingId } = sandbox.market.add(shopId, { state: 'active', pictures: 2 })
    await expect(update(listingId, { images: [] })).rejects.toMatchObject({ platformCode: 'missing_picture' })
    missingPictures = 1
    await expect(update(listingId, { images: ['https://pictures.example.com/gone.png'] })).rejects.toThrow('missing')
    expect(shown(listingId).pictures).toBe(2)
  })

  it('sends no picture if Etsy refuses the title', async () => {
    const { listingId } = sandbox.market.add(shopId, { state: 'active', pictures: 2 })
    const images = ['https://pictures.example.com/unsent.png']
    const refused = update(listingId, { title: '\u{1f600}', images, fields: ['title', 'images'] })
    await expect(refused).rejects.toMatchObject({ failure: 'refused' })
    expect(shown(listingId).uploads).toBeUndefined()
  })
})

describe('texts for Etsy', () => {
  it.each([
    ['Leica M3 🌸 100% & more: 50% & less: yes', 'Leica M3 100% & more: 50 and less yes'],
    ['  A\tcoat\n“quoted” — it’s <new>  ', 'A coat “quoted” — it’s <new>'],
    ['x'.repeat(300), 'x'.repeat(140)],
  ])('reduce the title %j to %j', (given, expected) => expect(etsyTitle(given)).toBe(expected))

  it.each([
    ['Vintage 1970s Tea Dress', '1970s'],
    ["70's band shirt", '1970s'],
    ['Kidnapped 1938 Everyman', '1930s'],
    ['Map of 1795', '1700s'],
    ['Canon AE-1', null],
    ['50mm lens', null],
    ['From 1955, restored 1972', null],
    ['Made 2015', '2010_2019'],
  ])('name the era in "%s" as %s', (title, era) => expect(eraOf(title)).toBe(era))

  it('read Y2K as the 2000s', () => expect(eraOf('Y2K studded belt', 2026)).toBe('2000_2006'))

  it('suggest a category by shared words', () => {
    const categories = new Map([
      [471, "Clothing > Women's Clothing > Dresses"],
      [382, 'Electronics & Accessories > Cameras'],
    ])
    const [first] = suggestCategories(
      categories,
      request({ title: 'Rangefinder', attributes: { category: 'Cameras & Photo:Film Cameras' } }),
    )
    expect(first).toMatchObject({ id: '382', suggested: true })
    expect(suggestCategories(categories, request({ title: 'Jug', attributes: {} }))).toEqual([])
  })
})

describe('calculated shipping on Etsy', () => {
  const parcel = { length_mm: 300, width_mm: 200, height_mm: 80 }
  let calculated: ShopAccess
  beforeAll(() => {
    sandbox.market.addShop({ shopName: 'CalculatedCatShop', listings: [] })
    const { shopId: id } = sandbox.market.shopNamed('CalculatedCatShop')!
    const { access_token } = sandbox.grant('CalculatedCatShop')
    calculated = { accessToken: access_token, shop: { external_id: String(id), external_name: 'x', url: 'x' } }
  })
  const listed = async (item: PublishRequest) => {
    const { options, missing } = completeOptions(item.options, {}, await port.choices(calculated, item))
    const published = missing.length > 0 ? null : await port.publish(calculated, { ...item, options }, async () => {})
    return { missing: missing.map(({ option }) => option), published, options }
  }

  it('requires unknown weight and parcel size', async () => {
    const { missing } = await listed(request())
    expect(missing).toEqual(['weight_grams', 'parcel_length_mm', 'parcel_width_mm', 'parcel_height_mm'])
  })

  it('sends weight and size with their units', async () => {
    const attributes = { ...request().attributes, weight_grams: 450, parcel, material: 'Cotton & lace' }
    const { published } = await listed(request({ attributes }))
    const { listing } = sandbox.market.find(Number(published?.listing_id))!
    expect(listing.measures).toEqual({
      item_weight: 450,
      item_weight_unit: 'g',
      item_length: 300,
      item_width: 200,
      item_height: 80,
      item_dimensions_unit: 'mm',
    })
    expect(listing.materials).toEqual(['Cotton', 'lace'])
    // A withdrawal does not send the parcel and is not refused for that.
    await port.withdraw(calculated, { listing_id: published!.listing_id, externalKey: null })
    expect(sandbox.market.find(listing.listingId)?.listing.state).toBe('inactive')
  })

  it('is refused by Etsy if something is missing', async () => {
    const item = request()
    const { options } = await listed(item)
    await expect(port.publish(calculated, { ...item, options }, async () => {})).rejects.toMatchObject({
      failure: 'refused',
      message: expect.stringContaining('Could not set a calculated shipping profile'),
    })
  })
})

describe('around New Year on Etsy', () => {
  it.each([
    ['2026-12-31T23:00:00Z', '2027-01-01T00:30:00Z', '2020_2026', '2020_2027'],
    ['2027-01-01T00:30:00Z', '2026-12-31T23:00:00Z', 'before_2008', 'before_2007'],
    // A remembered value of an earlier year.
    ['2027-06-01T12:00:00Z', '2027-06-01T12:00:00Z', '2006_2009', '2008_2009'],
  ])('lists at %s when Etsy’s clock is at %s', async (here, there, era, taken) => {
    const running = await startEtsySandbox(
      { usual: false, clock: () => new Date(there), shops: [{ shopName: 'NewYearShop', listings: [] }], limits: null },
      {
        clock: () => new Date(here),
        fetchPicture: async () => ({ bytes: await drawPicture('1', 1, 'x'), type: 'image/png' }),
      },
    )
    try {
      const seller = running.accessOf('NewYearShop')
      const etsy = running.adapter.listings!
      const item = request({ options: { when_made: era, who_made: 'i_did', taxonomy_id: '471' } })
      const { options } = completeOptions(item.options, {}, await etsy.choices(seller, item))
      const { listing_id } = await etsy.publish(seller, { ...item, options }, async () => {})
      expect(running.sandbox.market.find(Number(listing_id))?.listing.whenMade).toBe(taken)
    } finally {
      await running.sandbox.close()
    }
  })
})

describe('pictures for Etsy', () => {
  it.each(['webp', 'avif'] as const)('converts a %s picture to JPEG', async (format) => {
    const plain = sharp({ create: { width: 60, height: 40, channels: 4, background: '#2f4fd080' } })
    const bytes = await plain[format]().toBuffer()
    const running = await startEtsySandbox(
      { usual: false, shops: [{ shopName: 'WebpShop', listings: [] }], limits: null },
      { fetchPicture: async () => ({ bytes, type: `image/${format}` }) },
    )
    try {
      const seller = running.accessOf('WebpShop')
      const etsy = running.adapter.listings!
      const item = request({ images: ['https://pictures.example.com/1.webp'] })
      const { options } = completeOptions({}, {}, await etsy.choices(seller, item))
      const { listing_id } = await etsy.publish(seller, { ...item, options }, async () => {})
      expect(running.sandbox.market.find(Number(listing_id))?.listing.uploads).toMatchObject([{ type: 'image/jpeg' }])
    } finally {
      await running.sandbox.close()
    }
  })

  it('names the format that cannot be converted', async () => {
    const fetchPicture = async () => ({ bytes: Buffer.from('no picture'), type: 'image/heic' as const })
    const access = { accessToken: 'x', shop: { external_id: '1', external_name: 'A', url: 'https://a.example' } }
    await expect(fetchEtsyPicture(fetchPicture, 'https://pictures.example.com/1.heic', access)).rejects.toThrow(/HEIC/)
  })
})
