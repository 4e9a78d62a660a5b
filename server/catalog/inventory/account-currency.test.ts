import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ImportHarness, type Seller, startImportHarness } from '#server/catalog/imports/testing/harness.ts'
import { newId } from '#shared/identity.ts'

let harness: ImportHarness
beforeAll(async () => {
  harness = await startImportHarness()
})
afterAll(() => harness?.close())

const currencyOf = async (seller: Seller) => (await seller.call('GET', '/api/v1/user/currency/')).body
const addItem = async (seller: Seller, currency: string) => {
  const images = ['https://i.example/belt.jpg']
  const body = { title: 'Belt', images, condition: { label: 'Good' }, offer: { price_minor: 45, currency } }
  expect((await seller.call('POST', '/api/v1/inventory/', body)).status).toBe(201)
}
const live = async (seller: Seller, country: string) => {
  const address = { full_name: 'Vera', line1: 'Main Street 1', city: 'Town', postal_code: '12345', country }
  expect((await seller.call('PUT', '/api/v1/user/address/', address)).status).toBe(200)
}
let n = 0
/** Connects a shop, later than those before it. */
async function connect(seller: Seller, currency: string | null, status = 'connected'): Promise<void> {
  n += 1
  const values = [seller.account.user_id, newId('sel'), status, currency, n]
  await harness.server.services.db.none(
    `insert into seller_account (user_id, uid, platform, external_id, external_name, url, status, currency, connected_at)
     values ($1, $2, 'etsy', 'currency-' || $5, 'shop', 'https://www.etsy.com/shop/shop', $3, $4,
       now() + $5 * interval '1 second')`,
    values,
  )
}
/** A seller without a shop. */
async function seller(): Promise<Seller> {
  const made = await harness.seller()
  await harness.server.services.db.none('update seller_account set currency = null')
  return made
}

it('is unknown for a new account, whatever its items say', async () => {
  const vera = await seller()
  await addItem(vera, 'JPY')
  expect(await currencyOf(vera)).toEqual({ currency: null, source: null })
})

it.each([
  ['US', 'USD'],
  ['GB', 'GBP'],
  ['DE', 'EUR'],
  ['JP', 'JPY'],
  ['CH', 'CHF'],
  ['AU', 'AUD'],
])('is that of the address in %s: %s', async (country, currency) => {
  const vera = await seller()
  await live(vera, country)
  await addItem(vera, currency === 'JPY' ? 'USD' : 'JPY')
  expect(await currencyOf(vera)).toEqual({ currency, source: 'address' })
})

it('is that of a connected shop before that of the address', async () => {
  const vera = await seller()
  await live(vera, 'US')
  await connect(vera, 'EUR')
  await connect(vera, null)
  expect(await currencyOf(vera)).toEqual({ currency: 'EUR', source: 'shop' })
})

it('is that of the shop of the seller’s country, else of the first shop', async () => {
  const vera = await seller()
  await connect(vera, 'SEK', 'revoked')
  await connect(vera, 'EUR')
  await connect(vera, 'GBP', 'reconnect_required')
  expect(await currencyOf(vera)).toEqual({ currency: 'EUR', source: 'shop' })
  await live(vera, 'GB')
  expect(await currencyOf(vera)).toEqual({ currency: 'GBP', source: 'shop' })
})

it('is that of the settings before all others', async () => {
  const vera = await seller()
  await live(vera, 'US')
  await connect(vera, 'EUR')
  await vera.call('PUT', '/api/v1/user/settings/', { default_currency: 'PLN' })
  expect(await currencyOf(vera)).toEqual({ currency: 'PLN', source: 'settings' })
})

it('is nothing of another account', async () => {
  const [vera, walt] = [await seller(), await seller()]
  await connect(vera, 'EUR')
  await live(vera, 'DE')
  expect(await currencyOf(walt)).toEqual({ currency: null, source: null })
})
