import { describe, expect, it } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { insertAddress, insertWorkingShop } from '../testing/build-item.ts'
import { useListingHarness } from '../testing/harness.ts'

const harness = useListingHarness()
const { ebay, api } = harness
const get = (path: string, by = harness.seller) => api('GET', `/api/v1/platforms/${path}`, { headers: by.key })

describe('choices of a whole shop', () => {
  it('come with the seller’s defaults, for their site', async () => {
    ebay.choices = [
      { option: 'return_policy_id', required: true, values: [{ id: 'r1', name: 'Only' }] },
      {
        option: 'payment_policy_id',
        required: true,
        values: [
          { id: 'p1', name: 'One' },
          { id: 'p2', name: 'Two' },
        ],
      },
    ]
    const defaults = { payment_policy_id: 'p2', marketplace_id: 'EBAY_GB' }
    const { bearer: headers } = harness.seller
    expect((await get('ebay/choices/')).body.choices.map((one: { default_id: unknown }) => one.default_id)).toEqual([
      'r1',
      null,
    ])
    await api('PUT', '/api/v1/platforms/ebay/listing-defaults/', { headers, body: defaults })
    expect((await get('ebay/choices/')).body.choices.map((one: { default_id: unknown }) => one.default_id)).toEqual([
      'r1',
      'p2',
    ])
    await get('ebay/choices/?marketplace_id=EBAY_DE')
    expect(ebay.asked).toEqual([
      { country: 'US', marketplace_id: null },
      { country: 'US', marketplace_id: 'EBAY_GB' },
      { country: 'US', marketplace_id: 'EBAY_DE' },
    ])
  })
})

describe('searching categories', () => {
  it('asks the platform for the words, on the chosen site', async () => {
    expect((await get('ebay/categories/?q=%20wool%20coat%20&marketplace_id=EBAY_DE')).body).toEqual({
      results: [{ id: 'c1', name: 'Found > wool coat' }],
    })
    expect(ebay.asked).toEqual([{ country: 'US', marketplace_id: 'EBAY_DE', words: 'wool coat' }])
  })

  it.each(['', '?q=', '?q=%20%20', `?q=${'a'.repeat(101)}`])('refuses %j, naming the field', async (query) => {
    expect(await get(`ebay/categories/${query}`)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ field: 'q' }] },
    })
    expect(ebay.calls).toEqual([])
  })
})

// Both endpoints ask a shop and refuse alike.
describe.each([
  ['choices/', 'choices'],
  ['categories/?q=coat', 'results'],
])('%s', (endpoint, name) => {
  it('is empty where only the seller lists, 404 elsewhere', async () => {
    expect(await get(`poshmark/${endpoint}`)).toMatchObject({ status: 200, body: { [name]: [] } })
    expect(await get(`myspace/${endpoint}`)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })

  it('names what is missing: shop, address, connection', async () => {
    const bare = await buildAccount(harness.db)
    const refused = async (by = bare) => (await get(`ebay/${endpoint}`, by)).body.code
    expect(await refused()).toBe('connection_required')
    await insertWorkingShop(harness.server.services, bare.user_id, 'ebay')
    expect(await refused()).toBe('address_required')
    await insertAddress(harness.db, bare.user_id)
    expect(await refused()).toBeUndefined()
    const second = await insertWorkingShop(harness.server.services, bare.user_id, 'ebay')
    expect(await refused()).toBe('seller_account_required')
    const joint = endpoint.includes('?') ? '&' : '?'
    expect((await get(`ebay/${endpoint}${joint}seller_account_uid=${second}`, bare)).status).toBe(200)
    ebay.fail('choices', 'reconnect')
    expect(await refused(harness.seller)).toBe('reconnect_required')
  })

  it('hides shops of other accounts', async () => {
    const other = await buildAccount(harness.db)
    await insertAddress(harness.db, other.user_id)
    await insertWorkingShop(harness.server.services, other.user_id, 'ebay')
    const joint = endpoint.includes('?') ? '&' : '?'
    expect(await get(`ebay/${endpoint}${joint}seller_account_uid=${harness.shop}`, other)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ field: 'seller_account_uid' }] },
    })
    expect(ebay.calls).toEqual([])
  })

  it('answers 503 with the wait when the quota is used up', async () => {
    ebay.fail('choices', 'rate_limited')
    const reply = await get(`ebay/${endpoint}`)
    expect(reply).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(reply.headers.get('retry-after')).toBe('1')
  })

  it("passes on the platform's failure", async () => {
    ebay.fail('choices', 'not_sent')
    expect(await get(`ebay/${endpoint}`)).toMatchObject({
      status: 502,
      body: { code: 'platform_failed', detail: 'It could not be reached.' },
    })
  })
})
