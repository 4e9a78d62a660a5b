import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { buildListing } from '#e2e/harness/listing.ts'
import { type ImportHarness, type Seller, startImportHarness } from '#server/catalog/imports/testing/harness.ts'
import { newId } from '#shared/identity.ts'

let harness: ImportHarness
let seller: Seller
beforeAll(async () => {
  harness = await startImportHarness()
})
afterAll(() => harness?.close())
beforeEach(async () => {
  seller = await harness.seller()
})

describe('the inventory', () => {
  it('pages newest first by a cursor, each item once', async () => {
    harness.ebay.shop = Array.from({ length: 45 }, (_, index) => buildListing({ sku: `S-${index}` }))
    await seller.import()
    const seen: string[] = []
    let cursor = ''
    do {
      const page = (await seller.call('GET', `/api/v1/inventory/?page_size=10${cursor}`)).body
      seen.push(...page.results.map((item: { sku: string }) => item.sku))
      cursor = page.next_cursor ? `&cursor=${page.next_cursor}` : ''
    } while (cursor)
    expect(seen).toEqual(Array.from({ length: 45 }, (_, index) => `S-${44 - index}`))
    expect((await seller.call('GET', '/api/v1/inventory/')).body.results).toHaveLength(20)
  })

  it('filters by state, platform, SKU, words and time', async () => {
    harness.ebay.shop = [
      buildListing({ sku: 'AB-12', title: 'Green wool coat', brand: 'Marimekko' }),
      buildListing({ sku: 'CD-34', title: 'Blue linen shirt', state: 'sold' }),
    ]
    await seller.import({ states: ['active', 'sold'] })
    const skus = async (query: string) => (await seller.inventory(`&${query}`)).map((item) => item.sku).sort()
    expect(await skus('state=sold')).toEqual(['CD-34'])
    expect(await skus('platform=ebay')).toEqual(['AB-12', 'CD-34'])
    expect(await skus('platform=etsy')).toEqual([])
    expect(await skus('sku=AB-12')).toEqual(['AB-12'])
    // Filters clean a SKU in the same way as storing it does.
    expect(await skus('sku=%20AB-12%20')).toEqual(['AB-12'])
    expect(await skus('q=coat%20green')).toEqual(['AB-12'])
    expect(await skus('q=MARIM')).toEqual(['AB-12'])
    expect(await skus('q=cd-34')).toEqual(['CD-34'])
    expect(await skus('q=coat%20shirt')).toEqual([])
    expect(await skus("q=')%20%26%20!!")).toEqual([])
    const [item] = await seller.inventory('&sku=AB-12')
    expect(await skus(`updated_since=${encodeURIComponent(item.updated_at)}`)).toEqual(['AB-12', 'CD-34'])
    expect(await skus('updated_since=2099-01-01T00:00:00Z')).toEqual([])
  })

  it('says when each listing went up', async () => {
    const before = Date.now()
    harness.ebay.shop = [
      buildListing({ sku: 'DATED', listed_at: '2026-03-04T05:06:07Z' }),
      buildListing({ sku: 'UNDATED', listed_at: undefined }),
    ]
    await seller.import()
    const [undated, dated] = await seller.inventory()
    expect(dated.listings[0].listed_at).toBe('2026-03-04T05:06:07.000Z')
    // Where the platform does not say, it is the time at which Hapax first saw it.
    expect(Math.abs(Date.parse(undated.listings[0].listed_at) - before)).toBeLessThan(3_600_000)
  })

  it.each([
    ['levis', 'an apostrophe'],
    ["LEVI'S 501", 'case'],
    ['levi’s', 'a curly apostrophe'],
    ['cafe', 'an accent'],
    ['CAFÉ racer', 'an accent in the search'],
    ['mat124g', 'a hyphen in the SKU'],
    ['MAT-124G', 'a SKU as it is'],
    ['124g', 'a part of the SKU'],
    ['t-shirt', 'a hyphen in the title'],
    ['tshirt', 'a hyphen left out'],
    ['shirt lev', 'the beginning of the last word'],
    ['294.99', 'the price'],
    ['$294.99', 'the price with its sign'],
    ['294', 'the price in full units'],
    ['straße', 'a letter that is no ASCII'],
    ['привет', 'another script'],
  ])('finds %j, whatever %s', async (q) => {
    harness.ebay.shop = [
      buildListing({
        ...{ sku: 'MAT-124G', title: 'Café racer t-shirt 501, Große Straße, привет', brand: 'Levi’s' },
        price_minor: 29_499,
      }),
      buildListing({ sku: 'OTHER', title: 'Plain vase', brand: 'Nobody', price_minor: 9_900 }),
    ]
    await seller.import()
    const found = await seller.inventory(`&q=${encodeURIComponent(q)}`)
    expect(found.map(({ sku }) => sku)).toEqual(['MAT-124G'])
  })

  it.each(['99', 'levis vase', "' | 'a", 'a:* & b', '\\', '-'])('finds nothing for %j', async (q) => {
    harness.ebay.shop = [buildListing({ sku: 'MAT-124G', title: 'T-shirt', brand: 'Levi’s', price_minor: 29_499 })]
    await seller.import()
    expect(await seller.inventory(`&q=${encodeURIComponent(q)}`)).toEqual([])
  })

  it('refuses invalid filters, cursors and pages', async () => {
    for (const query of [
      'state=asleep',
      'platform=nowhere',
      'updated_since=yesterday',
      'cursor=x',
      'page_size=0',
      'sort=x',
    ]) {
      expect((await seller.call('GET', `/api/v1/inventory/?${query}`)).status, query).toBe(400)
    }
  })

  it('shows an item to its owner only', async () => {
    harness.ebay.shop = [buildListing({ sku: 'A', brand: 'Acme', colors: ['green'], category: 'Coats' })]
    await seller.import()
    const [listed] = await seller.inventory()
    const path = `/api/v1/inventory/${listed.uid}/`
    expect(await seller.call('GET', path)).toMatchObject({ status: 200, body: listed })
    expect(listed).toMatchObject({
      sku: 'A',
      description: '<p>Worn twice. Smoke-free home.</p>',
      attributes: { brand: 'Acme', colors: ['green'], category: 'Coats' },
      version: 1,
      seller_account_uids: [seller.shop],
      record: {
        physical_item_id: listed.uid,
        product_id: 'A',
        canonical_url: `${harness.server.url}/items/${listed.uid}`,
        offer: { shipping_policy_url: 'https://platform.example/shipping' },
      },
    })
    const other = await harness.seller()
    const refused = await other.call('GET', path)
    const absent = await other.call('GET', `/api/v1/inventory/${newId('inv')}/`)
    expect([refused.status, absent.status]).toEqual([404, 404])
    expect({ ...refused.body, request_id: '' }).toEqual({ ...absent.body, request_id: '' })
    expect(await other.inventory()).toEqual([])
  })

  it('needs the scope inventory:read', async () => {
    const account = await buildAccount(harness.server.services.db, { scopes: ['imports:run'] })
    expect((await harness.api('GET', '/api/v1/inventory/', { headers: account.key })).status).toBe(403)
  })
})
