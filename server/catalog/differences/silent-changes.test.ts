import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { type Api, apiOf } from '#e2e/harness/api.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { createPlatforms } from '#server/integrations/registry.ts'
import { createEbaySandbox, type EbaySandbox } from '#server/sandbox/ebay/index.ts'
import type { SandboxItem } from '#server/sandbox/ebay/item.ts'
import { createEtsySandbox, type EtsySandbox } from '#server/sandbox/etsy/index.ts'
import { imagesOf, type SandboxListing } from '#server/sandbox/etsy/listing.ts'
import { insertAddress, insertItem, insertShop, storeGrant } from '#server/selling/listings/testing/build-item.ts'
import { type ListingWorker, startListingWorker } from '#server/selling/listings/worker.ts'
import type { OAuthSlug } from '#shared/platforms.ts'

/* The sandbox platforms over real HTTP. A test changes what they keep between the last write and the reading. */
const seller = 'thing_theo'
const shopName = 'ThingTheoShop'
const client = { clientId: 'Test', clientSecret: 'secret' }

let ebay: EbaySandbox
let etsy: EtsySandbox
let ebayUrl: string
let server: TestServer
let api: Api
let account: TestAccount
let worker: ListingWorker
/** Changes the listing that is about to be read back. */
let plant: ((listing_id: string) => void) | null = null
let calls: string[] = []

/** Returns the listing that a request reads back; null for another request. */
function readBackIn(url: string, init?: RequestInit): string | null {
  if (new Headers(init?.headers).get('x-ebay-api-call-name') === 'GetItem') {
    return /<ItemID>(\d+)</.exec(String(init?.body))?.[1] ?? null
  }
  return (init?.method ?? 'GET') === 'GET' ? (/\/application\/listings\/(\d+)\?/.exec(url)?.[1] ?? null) : null
}

beforeAll(async () => {
  const shop = { ...client, usual: false }
  ebay = createEbaySandbox({
    ...{ ...shop, ruName: 'Ru', acceptUrl: 'http://127.0.0.1/cb' },
    sellers: [{ username: seller, items: [] }],
  })
  etsy = createEtsySandbox({ ...shop, redirectUris: [], limits: null, shops: [{ shopName, listings: [] }] })
  ebayUrl = await ebay.listen(0)
  const etsyUrl = await etsy.listen(0)
  const environment = {
    ...{ EBAY_AUTH_URL: ebayUrl, EBAY_API_URL: ebayUrl, EBAY_APIZ_URL: ebayUrl, EBAY_RU_NAME: 'Ru' },
    ...{ EBAY_CLIENT_ID: client.clientId, EBAY_CLIENT_SECRET: client.clientSecret },
    ...{ ETSY_AUTH_URL: etsyUrl, ETSY_API_URL: etsyUrl },
    ...{ ETSY_CLIENT_ID: client.clientId, ETSY_CLIENT_SECRET: client.clientSecret },
  }
  server = await startTestServer({ works: false, environment })
  const platforms = createPlatforms({
    config: server.services.config,
    fetch: (url, init) => {
      calls.push(url)
      const listing_id = readBackIn(url, init)
      if (listing_id !== null) plant?.(listing_id)
      return fetch(url, init)
    },
  })
  Object.assign(server.services, { platforms })
  api = apiOf(server.url)
  account = await buildAccount(server.services.db)
  await insertAddress(server.services.db, account.user_id)
  await connect('ebay')
  await connect('etsy')
  worker = startListingWorker(server.services, { pollMs: 20 })
})
afterAll(async () => {
  await worker?.stop(3_000)
  await server?.close()
  await ebay?.close()
  await etsy?.close()
})
afterEach(() => {
  plant = null
})

async function connect(platform: OAuthSlug): Promise<void> {
  const { user_id } = account
  const seller_account_uid = await insertShop(server.services.db, user_id, platform)
  const tokens = platform === 'ebay' ? ebay.grant(seller) : etsy.grant(shopName)
  const external_id = platform === 'ebay' ? seller : String(etsy.market.shopNamed(shopName)?.shopId)
  await server.services.db.none('update seller_account set external_id = $2 where uid = $1', [
    seller_account_uid,
    external_id,
  ])
  const grant = { ...tokens, expires_in_seconds: 3_600, refresh_expires_in_seconds: null, scopes: [] }
  await storeGrant(server.services, { user_id, seller_account_uid }, grant)
}

const title = '1970s  Film Camera & Case'
const description = '<p>Shutter fires at all speeds.</p><p>The light meter &amp; the timer work.</p>'

async function newItem(): Promise<string> {
  const { db } = server.services
  const { itemId } = ebay.market.add(seller, { status: 'Ended', pictures: 3 })
  const images = [1, 2, 3].map((number) => `${ebayUrl}/images/${itemId}/${number}.png`)
  const uid = await insertItem(db, account.user_id, { title, images, sku: null })
  const attributes = {
    ...{ brand: 'Canon', material: 'Steel, Leather' },
    category: 'Cameras & Photo:Film Photography:Film Cameras',
  }
  await db.none(
    "update inventory_item set attributes = $2, description = $3, condition_notes = 'Light scratches.' where uid = $1",
    [uid, attributes, description],
  )
  return uid
}
const call = (action: string, uid: string, platform: OAuthSlug, body?: object) =>
  api('POST', `/api/v1/inventory/${uid}/platforms/${platform}/${action}/`, { headers: account.bearer, body })

/** Returns the listing's id. */
async function list(uid: string, platform: OAuthSlug): Promise<string> {
  const reply = await call('list', uid, platform, { price: '120.00' })
  expect(reply).toMatchObject({ status: 200, body: { status: 'listed' } })
  // The answer comes before the reading.
  await whenDone(uid)
  return reply.body.listing_id
}

interface Shown {
  field: string
  mine: string
  theirs: string
  can_overwrite: boolean
  uid: string
}
async function differencesOf(uid: string): Promise<Shown[]> {
  const reply = await api('GET', `/api/v1/differences/?item=${uid}`, { headers: account.bearer })
  expect(reply.status).toBe(200)
  return reply.body.results
}
const fieldsOf = async (uid: string) => (await differencesOf(uid)).map(({ field }) => field)
const whenDone = (uid: string) =>
  expect
    .poll(() =>
      server.services.db.one(
        "select count(*)::integer as n from listing_operation where item_uid = $1 and state = 'open'",
        [uid],
      ),
    )
    .toEqual({ n: 0 })

const onEbay: [string, string, (item: SandboxItem) => Partial<SandboxItem>][] = [
  ['a title that was cut', 'title', ({ title }) => ({ title: title.slice(0, 12) })],
  ['another word in the title', 'title', ({ title }) => ({ title: title.replace('Film', 'Photo') })],
  ['a description that was cut', 'description', ({ description }) => ({ description: description.slice(0, 30) })],
  [
    'a description without a sentence',
    'description',
    (item) => ({ description: item.description.replace('timer', '') }),
  ],
  ['a higher price', 'price', () => ({ price: '129.00' })],
  ['a price without its cents', 'price', () => ({ price: '119.99' })],
  ['another currency', 'price', () => ({ currency: 'CAD' })],
  ['the item’s own price', 'price', () => ({ price: '42.50' })],
  ['a missing last photo', 'photos', ({ imageUrls }) => ({ imageUrls: imageUrls!.slice(0, 2) })],
  ['a missing first photo', 'photos', ({ imageUrls }) => ({ imageUrls: imageUrls!.slice(1) })],
  ['another order of photos', 'photos', ({ imageUrls }) => ({ imageUrls: [...imageUrls!].reverse() })],
  ['no photo of ours', 'photos', () => ({ imageUrls: ['https://i.ebayimg.com/images/g/abc/s-l500.jpg'] })],
  ['another condition', 'condition', () => ({ conditionId: 5000, conditionName: 'Good' })],
  ['a condition of another name', 'condition', () => ({ conditionId: 7000, conditionName: null })],
  ['dropped notes on the condition', 'condition', () => ({ conditionNotes: null })],
  ['another category', 'category', () => ({ category: { id: 99, name: 'Everything Else' } })],
  ['a dropped SKU', 'sku', () => ({ sku: null })],
  ['another quantity', 'quantity', () => ({ quantity: 4 })],
  ['another item specific', 'details', () => ({ specifics: [{ name: 'Brand', values: ['Nikon'] }] })],
  ['a dropped item specific', 'details', () => ({ specifics: [], product: {} })],
]

const withProduct = (listing: SandboxListing, change: object): Partial<SandboxListing> => ({
  products: [{ ...listing.products[0]!, ...change }],
})
const onEtsy: [string, string, (listing: SandboxListing) => Partial<SandboxListing>][] = [
  ['a title that was cut', 'title', ({ title }) => ({ title: title.slice(0, 12) })],
  ['another word in the title', 'title', ({ title }) => ({ title: title.replace('Film', 'Photo') })],
  ['a description that was cut', 'description', ({ description }) => ({ description: description.slice(0, 30) })],
  [
    'a description without its condition',
    'description',
    (it) => ({ description: it.description.split('\n\nCond')[0]! }),
  ],
  ['a higher price', 'price', (listing) => withProduct(listing, { amount: 12_900 })],
  ['a price without its cents', 'price', (listing) => withProduct(listing, { amount: 11_999 })],
  ['another currency', 'price', () => ({ currency: 'CAD' })],
  ['the item’s own price', 'price', (listing) => withProduct(listing, { amount: 4_250 })],
  ['a missing last photo', 'photos', (it) => ({ uploads: imagesOf(it).slice(0, 2), pictures: 2 })],
  ['a missing first photo', 'photos', (it) => ({ uploads: imagesOf(it).slice(1), pictures: 2 })],
  ['another order of photos', 'photos', (it) => ({ uploads: imagesOf(it).reverse() })],
  ['one photo more', 'photos', (it) => ({ uploads: [...imagesOf(it), { id: 77, drawn: 1 }], pictures: 4 })],
  ['another category', 'category', () => ({ taxonomyId: 471 })],
  ['a dropped SKU', 'sku', (listing) => withProduct(listing, { sku: '' })],
  ['another quantity', 'quantity', (listing) => withProduct(listing, { quantity: 3 })],
  ['another maker', 'details', () => ({ whoMade: 'i_did' })],
  ['another time of making', 'details', () => ({ whenMade: '1980s' })],
  ['a supply', 'details', () => ({ isSupply: true })],
  ['dropped materials', 'details', () => ({ materials: [] })],
  ['other materials', 'details', () => ({ materials: ['Steel', 'Plastic'] })],
]

describe('a listing that a marketplace changes silently', () => {
  it.each(onEbay)('shows on eBay %s', async (_name, field, change) => {
    const uid = await newItem()
    plant = (id) => void ebay.market.change(id, change(ebay.market.find(id)!.item))
    await list(uid, 'ebay')
    expect(await fieldsOf(uid)).toEqual([field])
  })

  it.each(onEtsy)('shows on Etsy %s', async (_name, field, change) => {
    const uid = await newItem()
    plant = (id) => void etsy.market.change(Number(id), change(etsy.market.find(Number(id))!.listing))
    await list(uid, 'etsy')
    expect(await fieldsOf(uid)).toEqual([field])
  })

  it.each(['ebay', 'etsy'] as const)('shows nothing on %s where nothing was changed', async (platform) => {
    const uid = await newItem()
    await list(uid, platform)
    expect(await differencesOf(uid)).toEqual([])
    expect(await call('price', uid, platform, { price: '99.50' })).toMatchObject({ status: 200 })
    await edit(uid, platform, {
      title: 'A longer title: 50 % off, light & small',
      description: 'One\n\ntwo  three, 5 < 6 &amp;amp; “more”.',
    })
    expect(await differencesOf(uid)).toEqual([])
  })

  it.each(['ebay', 'etsy'] as const)('shows on %s what became of a change', async (platform) => {
    const uid = await newItem()
    const id = await list(uid, platform)
    const keep = { title: 'Something else' }
    plant = () => void (platform === 'ebay' ? ebay.market.change(id, keep) : etsy.market.change(Number(id), keep))
    await edit(uid, platform, { title: 'Film camera with a case' })
    expect(await differencesOf(uid)).toMatchObject([{ field: 'title', theirs: 'Something else', can_overwrite: true }])
    plant = null
    await edit(uid, platform, { title: 'Film camera with a strap' })
    expect(await differencesOf(uid)).toEqual([])
  })

  it('tells what was sent, and takes only to be ignored what an item cannot adopt', async () => {
    const uid = await newItem()
    plant = (id) => void ebay.market.change(id, { conditionId: 5000, conditionName: 'Good' })
    await list(uid, 'ebay')
    const [difference] = await differencesOf(uid)
    expect(difference).toMatchObject({ field: 'condition', mine: 'Used', theirs: 'Used, good', can_overwrite: false })
    const decide = async (action: string) =>
      (
        await api('POST', '/api/v1/differences/decide/', {
          headers: account.bearer,
          body: { action, differences: [difference!.uid] },
        })
      ).body
    expect(await decide('adopt')).toMatchObject({ done: 0, left: [{ reason: 'not_supported' }] })
    expect(await decide('overwrite')).toMatchObject({ done: 0, left: [{ reason: 'not_supported' }] })
    expect(await decide('ignore')).toMatchObject({ done: 1, left: [] })
    expect(await differencesOf(uid)).toEqual([])
  })

  it.each(['ebay', 'etsy'] as const)('costs no call on %s to publish, and one to change', async (platform) => {
    const port = server.services.platforms.get(platform)!.listings!
    const { readBack } = port
    const callsOf = async () => {
      const uid = await newItem()
      calls = []
      await list(uid, platform)
      const toPublish = calls.length
      calls = []
      await call('price', uid, platform, { price: '99.50' })
      await whenDone(uid)
      return { toPublish, toChange: calls.length }
    }
    // The shop's choices are read once.
    await callsOf()
    delete port.readBack
    const before = await callsOf()
    port.readBack = readBack!
    const after = await callsOf()
    expect(after).toEqual({ toPublish: before.toPublish, toChange: before.toChange + 1 })
  })
})

/** Changes an item, sends the change to a listing, and waits until it was read back. */
async function edit(uid: string, platform: OAuthSlug, body: object): Promise<void> {
  const reply = await api('PATCH', `/api/v1/inventory/${uid}/`, { headers: account.bearer, body })
  expect(reply.status, JSON.stringify(reply.body)).toBe(200)
  const sent = await call('update', uid, platform, { fields: Object.keys(body) })
  expect(sent.status, JSON.stringify(sent.body)).toBe(200)
  await whenDone(uid)
}
