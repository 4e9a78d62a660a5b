import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { type Api, apiOf } from '#e2e/harness/api.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'

let server: TestServer
let api: Api
let seller: TestAccount
beforeAll(async () => {
  server = await startTestServer()
  api = apiOf(server.url)
})
afterAll(() => server?.close())
beforeEach(async () => {
  seller = await buildAccount(server.services.db)
})

const stale = {
  name: 'Stale for 90 days',
  filter: { state: 'available', on: 'ebay', off: 'etsy', listed_days: 90, price_from: 20, lacks: ['cost', 'sku'] },
  columns: ['cost', 'listed'],
  sort: { by: 'listed', down: true },
}
const call = (method: 'GET' | 'POST' | 'DELETE', path = '/api/v1/views/', body?: object) =>
  api(method, path, { headers: seller.bearer, ...(body ? { body } : {}) })

it('keeps views by their name, in the order of saving', async () => {
  expect((await call('GET')).body).toEqual([])
  const saved = await call('POST', undefined, stale)
  expect(saved).toMatchObject({ status: 200, body: { uid: expect.stringMatching(/^viw_\w{22}$/), ...stale } })
  await call('POST', undefined, { ...stale, name: 'Everything', filter: {} })
  const again = await call('POST', undefined, { ...stale, sort: { by: 'price', down: false } })
  expect(again.body.uid).toBe(saved.body.uid)
  expect((await call('GET')).body).toEqual([
    { ...stale, uid: saved.body.uid, sort: { by: 'price', down: false } },
    expect.objectContaining({ name: 'Everything', filter: {} }),
  ])
  expect((await call('DELETE', `/api/v1/views/${saved.body.uid}/`)).status).toBe(204)
  expect((await call('DELETE', `/api/v1/views/${saved.body.uid}/`)).status).toBe(404)
  expect((await call('GET')).body).toHaveLength(1)
})

it('refuses more than a hundred, and still replaces one', async () => {
  for (let n = 0; n < 100; n++) await call('POST', undefined, { ...stale, name: `View ${n}` })
  expect(await call('POST', undefined, stale)).toMatchObject({ status: 409, body: { code: 'quota_exceeded' } })
  expect((await call('POST', undefined, { ...stale, name: 'View 7' })).status).toBe(200)
})

it.each([
  ['no name', { ...stale, name: ' ' }, 'name'],
  ['an unknown column', { ...stale, columns: ['secret'] }, 'columns.0'],
  ['an unknown condition', { ...stale, filter: { shop: 'ebay' } }, 'filter.shop'],
  ['a negative price', { ...stale, filter: { price_to: -1 } }, 'filter.price_to'],
])('refuses %s', async (_, view, field) => {
  expect(await call('POST', undefined, view)).toMatchObject({ status: 400, body: { errors: [{ field }] } })
})
