import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { client, type RunningEtsySandbox, startEtsySandbox } from '#server/integrations/etsy/testing/etsy-sandbox.ts'
import { plainProduct } from './listing.ts'

/* Refusals of the calls that create and change listings, each as Etsy documents or was seen to answer it. */

const currencies = { DollarDanaShop: 'USD', EuroEvaShop: 'EUR', DongDungShop: 'VND', YenYuiShop: 'JPY' } as const
type ShopName = keyof typeof currencies
let running: RunningEtsySandbox
/** Etsy's values of later years are not published. */
const year = 2026
beforeAll(async () => {
  running = await startEtsySandbox({
    usual: false,
    clock: () => new Date(Date.UTC(year, 5)),
    shops: [
      ...Object.entries(currencies).map(([shopName, currency]) => ({ shopName, currency, listings: [] })),
      { shopName: 'ManyProfilesShop', listings: [] },
    ],
  })
})
afterAll(() => running?.sandbox.close())

const shopOf = (name: string) => running.sandbox.market.shopNamed(name)!.shopId
const listingOf = (id: number) => running.sandbox.market.find(id)!.listing

async function call(shop: string, method: string, path: string, body?: Record<string, unknown> | { json: unknown }) {
  const isJson = body !== undefined && 'json' in body
  const form = new URLSearchParams(Object.entries(body ?? {}).map(([name, value]) => [name, String(value)]))
  const response = await fetch(`${running.url}/v3/application${path}`, {
    method,
    headers: {
      'x-api-key': `${client.clientId}:${client.clientSecret}`,
      authorization: `Bearer ${running.sandbox.grant(shop).access_token}`,
      ...(isJson ? { 'content-type': 'application/json' } : {}),
    },
    ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body.json) : form }),
  })
  return { status: response.status, body: await response.json() }
}

const draft = {
  ...{ quantity: 1, title: 'A tea dress', description: 'Cotton.', price: '20.00', taxonomy_id: 471 },
  ...{ who_made: 'someone_else', when_made: '1970s', is_supply: false, shipping_profile_id: 314_944_410_819 },
  readiness_state_id: 1_513_785_863_458,
}
const create = (given: Record<string, unknown> = {}, shop: ShopName = 'DollarDanaShop') =>
  call(shop, 'POST', `/shops/${shopOf(shop)}/listings`, { ...draft, ...given })
const activate = (listingId: number, shop: ShopName = 'DollarDanaShop') =>
  call(shop, 'PATCH', `/shops/${shopOf(shop)}/listings/${listingId}`, { state: 'active' })

describe('the drafts of the sandbox Etsy', () => {
  it.each([
    ['title', 'Ring 💍', '/title/1', 'invalid_characters', 'contains invalid characters'],
    ['when_made', '2020_2021', '/when_made', 'invalid_enum', 'is not one of the allowed values'],
    ['who_made', 'nobody', '/who_made', 'invalid_enum', 'is not one of the allowed values'],
  ])('refuse a wrong %s with a list', async (field, value, path, type, message) => {
    const { status, body } = await create({ [field]: value })
    // The document is checked first, and it lists the makers.
    if (field === 'who_made') expect([status, body]).toEqual([400, { error: expect.stringContaining('who_made') }])
    else expect([status, body]).toEqual([400, [{ path, type, message }]])
  })

  it.each(['made_to_order', `2020_${year}`, '2010_2019', `${year - 19}_2009`])(
    'refuse what somebody else made in %s',
    async (when_made) => {
      expect(await create({ when_made })).toMatchObject({
        status: 400,
        body: { error: 'There was a problem with /marketplace : Oh dear, you cannot sell this item on Etsy.' },
      })
      expect((await create({ when_made, is_supply: true })).status).toBe(201)
      expect((await create({ when_made, who_made: 'i_did' })).status).toBe(201)
      expect((await create({ when_made, production_partner_ids: 7 })).status).toBe(400)
    },
  )

  it.each<[ShopName, string, string]>([
    ['DollarDanaShop', '0.19', 'must be above min price $0.20 USD'],
    ['DollarDanaShop', '50000.01', 'must be below max price $50,000.00 USD'],
    ['EuroEvaShop', '0.17', 'must be above min price €0.18 EUR'],
    ['EuroEvaShop', '60000', 'must be below max price €45,000.00 EUR'],
    ['DongDungShop', '2000', 'must be above min price ₫4,420 VND'],
    ['YenYuiShop', '1', 'must be above min price ¥24 JPY'],
  ])('refuse in %s a price of %s', async (shop, price, reason) => {
    expect(await create({ price }, shop)).toEqual({
      status: 400,
      body: { error: `There was a problem with /price : ${reason}` },
    })
  })

  it.each<[ShopName, string]>([
    ['DollarDanaShop', '0.20'],
    ['EuroEvaShop', '0.18'],
    ['DongDungShop', '442000'],
  ])('take in %s a price of %s', async (shop, price) => expect((await create({ price }, shop)).status).toBe(201))

  it('are not published without a picture', async () => {
    const { body } = await create({ return_policy_id: 1_513_785_862_328 })
    expect(await activate(body.listing_id)).toEqual({
      status: 400,
      body: [{ path: '/images', type: 'array_too_short', message: 'cannot be less than 1 items' }],
    })
  })

  it('need a return policy outside the EU only', async () => {
    for (const [shop, expected] of [
      ['DollarDanaShop', 400],
      ['EuroEvaShop', 200],
    ] as const) {
      const { body } = await create({}, shop)
      running.sandbox.market.change(body.listing_id, { pictures: 1, uploads: [{ id: 1, drawn: 1 }] })
      expect((await activate(body.listing_id, shop)).status, shop).toBe(expected)
    }
  })

  it('need the required properties of their category', async () => {
    const { body } = await create({ taxonomy_id: 6592, return_policy_id: 1_513_785_862_328 })
    const id = body.listing_id
    running.sandbox.market.change(id, { pictures: 1, uploads: [{ id: 1, drawn: 1 }] })
    const lacking = { error: 'There was a problem with /attributes : Must supply all required attributes' }
    expect(await activate(id)).toEqual({ status: 400, body: lacking })
    const put = (form: Record<string, unknown>, property = 4562) =>
      call('DollarDanaShop', 'PUT', `/shops/${shopOf('DollarDanaShop')}/listings/${id}/properties/${property}`, form)
    for (const wrong of [
      { values: 'Sewing' },
      { value_ids: 544, values: 'Knitting' },
      { value_ids: 544, values: 'Sewing (by hand)' },
      { value_ids: '542,543,544', values: 'Crewel,Knitting,Sewing' },
    ]) {
      expect((await put(wrong)).status, JSON.stringify(wrong)).toBe(400)
    }
    expect((await put({ value_ids: 1, values: 'EU 38' }, 3710)).status).toBe(400)
    expect(await put({ value_ids: '544,543', values: 'Sewing,Knitting' })).toMatchObject({
      status: 200,
      body: { property_id: 4562, value_ids: [544, 543], values: ['Sewing', 'Knitting'] },
    })
    expect((await activate(id)).status).toBe(200)
  })
})

describe('a digital listing of the sandbox Etsy', () => {
  const add = (whenMade: string) =>
    running.sandbox.market.add(shopOf('DollarDanaShop'), { type: 'download', state: 'active', whenMade }).listingId
  const change = (id: number, form: Record<string, unknown>) =>
    call('DollarDanaShop', 'PATCH', `/shops/${shopOf('DollarDanaShop')}/listings/${id}`, form)

  it('fails to change without its type', async () => {
    const id = add('2010_2019')
    const { status, body } = await change(id, { state: 'inactive' })
    expect([status, body]).toEqual([500, { error: 'Server Error' }])
    expect((await change(id, { state: 'inactive', type: 'download' })).body.listing_type).toBe('download')
  })

  it('made to order becomes an instant download without its era', async () => {
    const id = add('made_to_order')
    const era = { who_made: 'i_did', when_made: 'made_to_order', is_supply: false }
    await change(id, { title: 'A pattern', type: 'download', ...era })
    expect(listingOf(id).isInstant).toBeUndefined()
    await change(id, { title: 'A pattern', type: 'download' })
    expect(listingOf(id).isInstant).toBe(true)
  })
})

describe('the inventory of the sandbox Etsy', () => {
  const add = (state: 'active' | 'inactive' = 'active') =>
    running.sandbox.market.add(shopOf('DollarDanaShop'), { state, products: [plainProduct({})] }).listingId
  const offering = { price: 20, quantity: 1, is_enabled: true, readiness_state_id: null }
  const put = (id: number, product: object) =>
    call('DollarDanaShop', 'PUT', `/listings/${id}/inventory`, { json: { products: [product] } })

  it.each([
    ['Black (matte)', { property_id: 200, value_ids: [1], values: ['Black (matte)'] }, 'Black (matte) is malformed'],
    [
      'a name with parentheses',
      { property_id: 513, property_name: 'Size (EU)', value_ids: [], values: ['M'] },
      'Size (EU) is malformed',
    ],
    ['an id of 0', { property_id: 200, value_ids: [0], values: ['Black'] }, ''],
    ['no ids', { property_id: 200, values: ['Black'] }, 'value_ids'],
  ])('refuses a value with %s', async (_name, value, reason) => {
    const { status, body } = await put(add(), { sku: '', property_values: [value], offerings: [offering] })
    expect([status, body.error]).toEqual([400, expect.stringContaining(reason)])
  })

  it('takes a third variation only when told so', async () => {
    const property_values = [100, 200, 513].map((property_id) => ({ property_id, value_ids: [], values: ['Jade'] }))
    const json = { products: [{ sku: '', property_values, offerings: [offering] }] }
    const id = add()
    const statuses = []
    for (const query of ['', '?max_variations_supported=2', '?max_variations_supported=3']) {
      statuses.push((await call('DollarDanaShop', 'PUT', `/listings/${id}/inventory${query}`, { json })).status)
    }
    expect(statuses).toEqual([409, 409, 200])
  })

  it.each(['active', 'inactive'] as const)('refuses no unit while %s', async (state) => {
    const { status, body } = await put(add(state), { sku: '', offerings: [{ ...offering, quantity: 0 }] })
    expect([status, body]).toEqual([400, { error: 'One offering must have quantity greater than 0' }])
  })

  it.each([0.19, 50_000.01])('refuses a price of %d', async (price) => {
    const id = add()
    expect((await put(id, { sku: '', offerings: [{ ...offering, price }] })).status).toBe(400)
    expect(listingOf(id).products[0]?.amount).toBe(2_000)
  })

  it('escapes what it returns', async () => {
    const { listingId } = running.sandbox.market.add(shopOf('DollarDanaShop'), {
      products: [plainProduct({ sku: 'A&B', properties: [{ id: 513, name: 'Ink & paper', values: ['<Black>'] }] })],
    })
    const { body } = await call('DollarDanaShop', 'GET', `/listings/${listingId}/inventory`)
    expect(body.products).toMatchObject([
      { sku: 'A&amp;B', property_values: [{ property_name: 'Ink &amp; paper', values: ['&lt;Black&gt;'] }] },
    ])
  })
})

describe('the processing profiles of the sandbox Etsy', () => {
  const page = (query: string) =>
    call('ManyProfilesShop', 'GET', `/shops/${shopOf('ManyProfilesShop')}/readiness-state-definitions${query}`)

  it('come 25 at a time, 100 at most', async () => {
    const sizes = []
    for (const query of ['', '?limit=100', '?limit=100&offset=100', '?limit=100&offset=200']) {
      const { body } = await page(query)
      sizes.push([body.count, body.results.length])
    }
    expect(sizes).toEqual([
      [130, 25],
      [130, 100],
      [130, 30],
      [130, 0],
    ])
    for (const query of ['?limit=101', '?limit=0', '?offset=-1']) expect((await page(query)).status).toBe(400)
  })
})
