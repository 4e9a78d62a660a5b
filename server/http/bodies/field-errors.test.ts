import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { type Api, apiOf } from '#e2e/harness/api.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'

/** Field errors: path, stable code and a helpful sentence. */
let server: TestServer
let api: Api
let account: TestAccount
beforeAll(async () => {
  server = await startTestServer({ works: false })
  api = apiOf(server.url)
  account = await buildAccount(server.services.db)
})
afterAll(() => server?.close())

const item = {
  title: 'A camera',
  images: ['https://example.com/1.jpg'],
  condition: { label: 'Used' },
  offer: { price_minor: 100, currency: 'USD' },
}
const address = 'must be a web address that begins with http:// or https://'
const state = 'must be one of available, reserved, sold, withdrawn'

describe('a body with one fault', () => {
  it.each([
    ['missing', { ...item, title: undefined }, 'title', 'required', 'is required'],
    ['missing deeper', { ...item, offer: {} }, 'offer.price_minor', 'required', 'is required'],
    ['unknown', { ...item, titel: 'A' }, 'titel', 'unknown_member', 'is not a member of this request'],
    ['another type', { ...item, title: 5 }, 'title', 'invalid_type', 'must be text'],
    ['null', { ...item, images: null }, 'images', 'invalid_type', 'must be a list'],
    [
      'a fraction',
      { ...item, offer: { price_minor: 1.5 } },
      'offer.price_minor',
      'invalid_type',
      'must be a whole number',
    ],
    ['below', { ...item, offer: { price_minor: -1 } }, 'offer.price_minor', 'too_small', 'must be at least 0'],
    ['empty', { ...item, title: ' ' }, 'title', 'too_small', 'must not be empty'],
    ['too long', { ...item, sku: 'x'.repeat(501) }, 'sku', 'too_big', 'must have at most 500 characters'],
    ['too few', { ...item, images: [] }, 'images', 'too_small', 'must have at least 1 entry'],
    ['no address', { ...item, images: ['x'] }, 'images.0', 'invalid_format', address],
  ])('%s', async (_name, body, field, code, message) => {
    const answer = await api('POST', '/api/v1/inventory/', { headers: account.key, body })
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', detail: `${field}: ${message}.`, errors: [{ field, code, message }] },
    })
  })

  it('two different passwords', async () => {
    const body = { email: 'a@example.com', password: 'a fine coat 1', password_confirm: 'another coat 1' }
    const answer = await api('POST', '/api/auth/register/email/', { body })
    expect(answer.body.errors).toEqual([
      { field: 'password_confirm', code: 'invalid_value', message: 'must equal password' },
    ])
  })
})

describe('a query with one fault', () => {
  it.each([
    ['/api/v1/inventory/?state=gone', 'state', 'invalid_value', state],
    ['/api/v1/inventory/?state=sold&state=sold', 'state', 'given_twice', 'is given twice'],
    ['/api/v1/inventory/?stat=sold', 'stat', 'unknown_member', 'is not a member of this request'],
    ['/api/v1/inventory/?q=%00', 'q', 'invalid_text', 'contains a character that is not text'],
    ['/api/v1/inventory/?page_size=0', 'page_size', 'too_small', 'must be at least 1'],
    ['/api/v1/platforms/?page=1', 'page', 'unknown_member', 'is not a parameter of this request'],
  ])('%s', async (path, field, code, message) => {
    const answer = await api('GET', path, { headers: account.key })
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ field, code, message }] } })
  })
})
