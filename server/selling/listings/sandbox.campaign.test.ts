import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { type Api, apiOf } from '#e2e/harness/api.ts'
import { atEachBorder, endAt, openBorders } from '#e2e/harness/campaigns/borders.ts'
import { campaignSeed } from '#e2e/harness/campaigns/campaign.ts'
import { checkInvariants } from '#e2e/harness/campaigns/invariants.ts'
import { randomFrom } from '#e2e/harness/campaigns/random.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { createPlatforms } from '#server/integrations/registry.ts'
import { createEbaySandbox, type EbaySandbox } from '#server/sandbox/ebay/index.ts'
import { createEtsySandbox, type EtsySandbox } from '#server/sandbox/etsy/index.ts'
import type { OAuthSlug } from '#shared/platforms.ts'
import { insertAddress, insertItem, insertShop, storeGrant } from './testing/build-item.ts'
import { runOpen } from './testing/run-open.ts'
import { type ListingWorker, startListingWorker } from './worker.ts'

/** Runs the adapters and sandbox platforms over real HTTP, with workers that die. */
const seller = 'thing_theo'
const shopName = 'ThingTheoShop'
const client = { clientId: 'Test', clientSecret: 'secret' }

let ebay: EbaySandbox
let etsy: EtsySandbox
let server: TestServer
let api: Api
let environment: Record<string, string>
let ebayUrl: string
/** The item at eBay whose pictures all items have: a picture is drawn when it is first asked for. */
let pictured: string
let account: TestAccount
let worker: ListingWorker | null = null
beforeAll(async () => {
  ebay = createEbaySandbox({
    ...client,
    ruName: 'Ru',
    acceptUrl: 'http://127.0.0.1/cb',
    usual: false,
    sellers: [{ username: seller, items: [] }],
  })
  etsy = createEtsySandbox({
    ...client,
    redirectUris: [],
    usual: false,
    limits: null,
    shops: [{ shopName, listings: [] }],
  })
  ebayUrl = await ebay.listen(0)
  pictured = ebay.market.add(seller, { status: 'Ended', pictures: 2 }).itemId
  const etsyUrl = await etsy.listen(0)
  environment = {
    EBAY_AUTH_URL: ebayUrl,
    EBAY_API_URL: ebayUrl,
    EBAY_APIZ_URL: ebayUrl,
    EBAY_CLIENT_ID: client.clientId,
    EBAY_CLIENT_SECRET: client.clientSecret,
    EBAY_RU_NAME: 'Ru',
    ETSY_AUTH_URL: etsyUrl,
    ETSY_API_URL: etsyUrl,
    ETSY_CLIENT_ID: client.clientId,
    ETSY_CLIENT_SECRET: client.clientSecret,
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  }
  server = await startTestServer({ works: false, environment })
  // The same adapters as in production, over the sandbox.
  const platforms = createPlatforms({ config: server.services.config, fetch })
  Object.assign(server.services, { platforms })
  api = apiOf(server.url)
})
afterAll(async () => {
  await server?.close()
  await ebay?.close()
  await etsy?.close()
})
beforeEach(() => renewShops())
async function renewShops(): Promise<void> {
  const { db } = server.services
  await db.none(
    "update seller_account set status = 'revoked', encrypted_access_token = null, encrypted_refresh_token = null",
  )
  account = await buildAccount(db)
  await insertAddress(db, account.user_id)
  await connect('ebay')
  await connect('etsy')
}
afterEach(async () => {
  await worker?.stop(3_000)
  worker = null
  ebay.faults.clear()
  etsy.faults.clear()
  ebay.setReadLag(0)
  etsy.setReadLag(0)
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

async function newItem(): Promise<string> {
  const { db } = server.services
  const images = [1, 2].map((number) => `${ebayUrl}/images/${pictured}/${number}.png`)
  const uid = await insertItem(db, account.user_id, { title: '1970s Film Camera', images, sku: null })
  const attributes = { brand: 'Canon', category: 'Cameras & Photo:Film Photography:Film Cameras' }
  await db.none('update inventory_item set attributes = $2 where uid = $1', [uid, attributes])
  return uid
}
const call = (action: string, uid: string, platform: OAuthSlug, body?: object) =>
  api('POST', `/api/v1/inventory/${uid}/platforms/${platform}/${action}/`, { headers: account.bearer, body })
const list = (uid: string, platform: OAuthSlug) => call('list', uid, platform, { price: '120.00' })
const liveOn = (platform: OAuthSlug, uid: string): string[] => {
  const key = uid.slice(-13)
  if (platform === 'ebay') {
    return ebay.market
      .itemsOf(seller)
      .filter(({ sku, status }) => status === 'Active' && sku?.endsWith(key))
      .map(({ itemId }) => itemId)
  }
  return etsy.market
    .listingsOf(etsy.market.shopNamed(shopName)!.shopId)
    .filter(({ state, products }) => state === 'active' && products[0]?.sku.endsWith(key))
    .map(({ listingId }) => String(listingId))
}
const open = (uid: string) =>
  server.services.db.map(
    "select kind || ' ' || platform as what from listing_operation where item_uid = $1 and state = 'open'",
    [uid],
    ({ what }: { what: string }) => what,
  )
const startWorker = () => {
  worker = startListingWorker(server.services, { pollMs: 50 })
}

/** Runs the item's operations in a worker that ends at a border. Returns what reached one. */
async function runUntil(border: number, uid: string): Promise<readonly string[]> {
  const worker = openBorders(server.services, {
    at: endAt(border),
    platforms: (crossingFetch) => createPlatforms({ config: server.services.config, fetch: crossingFetch }),
  })
  await runOpen(server.services, uid, worker)
  await worker.close()
  await checkInvariants(server.services.db)
  return worker.crossed
}

/** Returns what Hapax holds of an item's listings on a platform: their states, and what it told of them by events. */
async function recorded(uid: string, platform: OAuthSlug): Promise<{ states: string[]; told: string[] }> {
  const { db } = server.services
  const listings = await db.any<{ state: string }>(
    'select state from channel_listing where item_uid = $1 and platform = $2',
    [uid, platform],
  )
  const events = await db.any<{ type: string }>(
    "select type from event where item_uid = $1 and type like 'listing.%' order by seq",
    [uid],
  )
  return { states: listings.map(({ state }) => state), told: events.map(({ type }) => type) }
}

/** Requests an action and waits until it is queued. */
async function queued(action: 'list' | 'price' | 'delist', uid: string, platform: OAuthSlug) {
  const prices = { list: { price: '120.00' }, price: { price: '99.50' }, delist: undefined }
  const reply = call(action, uid, platform, prices[action])
  await expect.poll(() => open(uid), { interval: 5 }).not.toEqual([])
  return { reply }
}

async function listed(uid: string, platform: OAuthSlug): Promise<void> {
  const { reply } = await queued('list', uid, platform)
  await runOpen(server.services, uid)
  await reply
}

/** Runs a worker in another process until it kills itself at a border, then ends its leases. */
async function killedAt(border: number): Promise<string | null> {
  const orders = JSON.stringify({
    environment: { ...environment, DATABASE_URL: server.services.config.DATABASE_URL },
    killAt: border,
  })
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('./testing/worker-child.ts', import.meta.url)), orders],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  const tooLong = setTimeout(() => child.kill('SIGTERM'), 120_000)
  const ended = await new Promise<string | null>((resolve) => child.once('exit', (_code, signal) => resolve(signal)))
  clearTimeout(tooLong)
  await server.services.db.none('update listing_operation set lease_until = now() where lease_until > now()')
  return ended
}

describe('the sandbox platforms', () => {
  it('list an item on both, and a sale on one delists the other', async () => {
    startWorker()
    const uid = await newItem()
    const onEbay = await list(uid, 'ebay')
    expect(onEbay).toMatchObject({ status: 200, body: { status: 'listed' } })
    expect(onEbay.body.listing_url).toBe(`${ebayUrl}/itm/${onEbay.body.listing_id}`)
    const onEtsy = await list(uid, 'etsy')
    expect(onEtsy).toMatchObject({ status: 200, body: { status: 'listed' } })
    expect(liveOn('etsy', uid)).toEqual([onEtsy.body.listing_id])
    await api('POST', `/api/v1/inventory/${uid}/mark-sold/`, { headers: account.bearer, body: {} })
    await expect.poll(() => [...liveOn('ebay', uid), ...liveOn('etsy', uid)], { interval: 10 }).toEqual([])
    await expect.poll(() => open(uid), { interval: 20 }).toEqual([])
  })

  it('offer choices, change prices and delist', async () => {
    startWorker()
    const uid = await newItem()
    const choices = await api('GET', `/api/v1/inventory/${uid}/platforms/etsy/choices/`, { headers: account.bearer })
    expect(choices.body.choices.map(({ option }: { option: string }) => option)).toContain('shipping_profile_id')
    for (const platform of ['ebay', 'etsy'] as const) {
      await list(uid, platform)
      expect(await call('price', uid, platform, { price: '99.50' })).toMatchObject({ status: 200 })
      expect(await call('delist', uid, platform)).toMatchObject({ status: 200, body: { status: 'delisted' } })
      expect(liveOn(platform, uid)).toEqual([])
    }
    expect(ebay.market.itemsOf(seller).find(({ sku }) => sku?.endsWith(uid.slice(-13)))?.price).toBe('99.50')
  })

  it('take as many calls of eBay’s Trading API as docs/growing.md counts', async () => {
    startWorker()
    const uid = await newItem()
    const names = () =>
      ebay.requests.map(({ body }) => /<(\w+)Request xmlns/.exec(body)?.[1]).filter((name) => name !== undefined)
    // On a slow machine the answer comes before the listing is read again.
    const expectCalls = async (work: () => Promise<unknown>, calls: string[]) => {
      ebay.requests.length = 0
      await work()
      await expect.poll(names).toEqual(calls)
    }
    const price = { price: '120.00' }
    await expectCalls(() => call('preflight', uid, 'ebay', price), ['VerifyAddFixedPriceItem'])
    await expectCalls(() => list(uid, 'ebay'), ['AddFixedPriceItem', 'GetItem'])
    const change = () => call('price', uid, 'ebay', { price: '99.50' })
    await expectCalls(change, ['GetItem', 'ReviseFixedPriceItem', 'GetItem'])
    await expectCalls(() => call('delist', uid, 'ebay'), ['EndFixedPriceItem', 'GetItem'])
  })

  it.each(['ebay', 'etsy'] as const)('%s with late reads is never delisted too early', async (platform) => {
    startWorker()
    const uid = await newItem()
    await list(uid, platform)
    // The late reads see it.
    await new Promise((resolve) => setTimeout(resolve, 510))
    const fake = platform === 'ebay' ? ebay : etsy
    fake.setReadLag(500)
    const began = performance.now()
    const reply = await call('delist', uid, platform)
    expect(reply).toMatchObject({ status: 200, body: { status: 'delisted' } })
    expect(performance.now() - began).toBeGreaterThan(450)
  })
})

it('a worker that dies before anything of a listing that lacks an answer leaves one refusal that is told', async () => {
  await atEachBorder(async (border) => {
    const uid = await newItem()
    // Nothing names a category, and Etsy suggests none.
    await server.services.db.none('update inventory_item set title = $2, attributes = $3 where uid = $1', [
      uid,
      'Lot from the attic',
      {},
    ])
    const { reply } = await queued('list', uid, 'etsy')
    const crossed = await runUntil(border, uid)
    await runOpen(server.services, uid)
    await reply
    expect([await open(uid), liveOn('etsy', uid)]).toEqual([[], []])
    expect(await recorded(uid, 'etsy')).toEqual({ states: [], told: ['listing.failed'] })
    return crossed
  })
})

describe.each(['ebay', 'etsy'] as const)(
  'a worker that dies before any statement, commit or request to %s',
  (platform) => {
    it('of a listing leaves exactly one live listing', async () => {
      await atEachBorder(async (border) => {
        const uid = await newItem()
        const { reply } = await queued('list', uid, platform)
        const crossed = await runUntil(border, uid)
        await runOpen(server.services, uid)
        const { status, body } = await reply
        expect(await open(uid)).toEqual([])
        expect(liveOn(platform, uid)).toHaveLength(1)
        expect(await recorded(uid, platform)).toEqual({ states: ['available'], told: ['listing.listed'] })
        // 202 where the machine was too slow to answer in time.
        expect([200, 202]).toContain(status)
        if (status === 200) expect(body).toMatchObject({ status: 'listed', listing_id: liveOn(platform, uid)[0] })
        return crossed
      })
    })

    it('of a listing, before a sale, leaves nothing live', async () => {
      await atEachBorder(async (border) => {
        const uid = await newItem()
        const { reply } = await queued('list', uid, platform)
        const crossed = await runUntil(border, uid)
        await api('POST', `/api/v1/inventory/${uid}/mark-sold/`, { headers: account.bearer, body: {} })
        // A batch that was sent long ago has arrived, or never will.
        await server.services.db.none(
          "update listing_operation set sent_at = sent_at - interval '10 minutes' where item_uid = $1",
          [uid],
        )
        await runOpen(server.services, uid)
        await reply
        expect(liveOn(platform, uid)).toEqual([])
        return crossed
      })
    })

    it('of a changed price leaves it changed, and told once', async () => {
      await atEachBorder(async (border) => {
        const uid = await newItem()
        await listed(uid, platform)
        const { reply } = await queued('price', uid, platform)
        const crossed = await runUntil(border, uid)
        await runOpen(server.services, uid)
        await reply
        expect(await open(uid)).toEqual([])
        expect(await recorded(uid, platform)).toEqual({
          states: ['available'],
          told: ['listing.listed', 'listing.updated'],
        })
        const { price_minor } = await server.services.db.one(
          'select price_minor from channel_listing where item_uid = $1',
          [uid],
        )
        expect(price_minor).toBe(9_950)
        return crossed
      })
    })

    it('of a delisting leaves it to the next worker', async () => {
      await atEachBorder(async (border) => {
        const uid = await newItem()
        await listed(uid, platform)
        const { reply } = await queued('delist', uid, platform)
        const crossed = await runUntil(border, uid)
        await runOpen(server.services, uid)
        const { status, body } = await reply
        expect(liveOn(platform, uid)).toEqual([])
        expect(await recorded(uid, platform)).toEqual({
          states: ['removed'],
          told: ['listing.listed', 'listing.delisted'],
        })
        expect([200, 202]).toContain(status)
        if (status === 200) expect(body).toMatchObject({ status: 'delisted' })
        return crossed
      })
    })

    it('while a token is renewed delists the sold item or asks the seller', async () => {
      const { db } = server.services
      await atEachBorder(async (border) => {
        // A shop whose token was lost is of no use to the next round.
        await renewShops()
        const uid = await newItem()
        await listed(uid, platform)
        await db.none(
          "update seller_account set access_expires_at = now() - interval '1 minute' where user_id = $1 and platform = $2",
          [account.user_id, platform],
        )
        await api('POST', `/api/v1/inventory/${uid}/mark-sold/`, { headers: account.bearer, body: {} })
        const all = await runUntil(border, uid)
        // The delisting that follows is cut above.
        const renewed = all.findIndex((what) => what.startsWith('call ') && !/oauth2?\/token$/.test(what))
        const crossed = renewed < 0 ? all : all.slice(0, renewed)
        // A lost shop keeps the operation open.
        await runOpen(server.services, uid).catch(() => {})
        const { status } = await db.one<{ status: string }>(
          'select status from seller_account where user_id = $1 and platform = $2 and status <> $3',
          [account.user_id, platform, 'revoked'],
        )
        if (status === 'connected') {
          expect(liveOn(platform, uid)).toEqual([])
          return crossed
        }
        // Etsy issues a new refresh token each time, and the only copy died with the worker.
        expect(platform).toBe('etsy')
        const tasks = async () => (await api('GET', '/api/v1/extension/tasks/', { headers: account.key })).body.results
        expect(await tasks()).toMatchObject([{ kind: 'delist', platform: 'etsy', inventory_item_uid: uid }])
        expect(await open(uid)).toEqual(['delist etsy'])
        return crossed
      })
    })
  },
)

describe('a bulk job whose worker is killed by SIGKILL', () => {
  it.each(['list', 'delist'] as const)('of %sing, anywhere, resumes with true results', async (action) => {
    const killAt = 10 + Math.floor(randomFrom(campaignSeed)() * 150)
    const uids = [await newItem(), await newItem(), await newItem(), await newItem()]
    const platforms = ['ebay', 'etsy'] as const
    const bulk = async (what: string) =>
      (
        await api('POST', `/api/v1/inventory/bulk/${what}/`, {
          headers: account.bearer,
          body: { uids, platforms, ...(what === 'list' ? { price: '120.00' } : {}) },
        })
      ).body.uid as string
    const read = async (uid: string) =>
      (await api('GET', `/api/v1/inventory/bulk/${uid}/?page_size=100`, { headers: account.bearer })).body
    const completed = (uid: string) => expect.poll(async () => (await read(uid)).job.status).toBe('completed')
    if (action === 'delist') {
      startWorker()
      await completed(await bulk('list'))
      await worker?.stop()
    }
    const job = await bulk(action)
    expect(await killedAt(killAt), `border ${killAt}`).toBe('SIGKILL')
    startWorker()
    await completed(job)
    const { results } = await read(job)
    expect(results).toHaveLength(8)
    for (const row of results) {
      expect(row).toMatchObject({ status: 'succeeded', verified_at: expect.any(String) })
      const live = liveOn(row.platform, row.inventory_item_uid)
      expect(live).toEqual(action === 'list' ? [row.listing_id] : [])
    }
  })
})

describe('a category that eBay suggests', () => {
  const titled = async (title: string, category = 'Coats') => {
    const uid = await newItem()
    const attributes = { brand: 'Pendleton', size: 'L', category }
    await server.services.db.none('update inventory_item set title = $2, attributes = $3 where uid = $1', [
      uid,
      title,
      attributes,
    ])
    return uid
  }

  it.each([
    ['Wool barn coat, rust, men’s L', 'Coats'],
    ['Vintage coat, green, boys 8', 'Coats'],
    // The item's own category counts where the title says nothing.
    ['Pendleton coat, rust, L', 'Men > Coats'],
  ])('is asked for, not taken, where it contradicts "%s"', async (title, category) => {
    const uid = await titled(title, category)
    const checked = await call('preflight', uid, 'ebay', { price: '120.00' })
    expect(checked.body).toMatchObject({ ready: false, category: null })
    expect(checked.body.findings).toContainEqual(
      expect.objectContaining({
        field: 'options.category_id',
        code: 'choice_required',
        blocking: true,
        message: 'Choose a category. Those suggested may not fit the title.',
      }),
    )
    startWorker()
    const refused = await list(uid, 'ebay')
    expect([refused.status, refused.body.code]).toEqual([400, 'choice_required'])
    expect(refused.body.errors.map(({ field }: { field: string }) => field)).toContain('options.category_id')
    expect(liveOn('ebay', uid)).toEqual([])
  })

  it('gives way to a later one that fits the title', async () => {
    // eBay suggests women's coats first: two of its words are in the title.
    const uid = await titled('Trench coat like the men’s denim jacket')
    expect((await call('preflight', uid, 'ebay', { price: '120.00' })).body.category).toEqual({
      id: '57988',
      name: "Clothing, Shoes & Accessories > Men's Clothing > Coats, Jackets & Vests",
      suggested: true,
    })
  })

  it('is named with its path, price and site before anything is sent', async () => {
    const uid = await titled('Wool coat, green, women’s M')
    const { body } = await call('preflight', uid, 'ebay', { price: '120.00' })
    expect(body).toMatchObject({
      price_minor: 12_000,
      currency: 'USD',
      marketplace: 'eBay US',
      category: { id: '63862', name: expect.stringContaining("Women's Clothing"), suggested: true },
    })
    const chosen = await call('preflight', uid, 'ebay', { price: '120.00', options: { category_id: '57988' } })
    expect(chosen.body.category).toMatchObject({ id: '57988', suggested: false })
  })
})
