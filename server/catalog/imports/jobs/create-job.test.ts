import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { parallel, statuses } from '#e2e/harness/api.ts'
import { newId } from '#shared/identity.ts'
import { type ImportHarness, type Seller, startImportHarness } from '../testing/harness.ts'
import { connectTestShop } from '../testing/shop.ts'

const create = '/api/v1/marketplace/import/jobs/create/'
const jobs = '/api/v1/marketplace/import/jobs/'

let harness: ImportHarness
let seller: Seller
beforeAll(async () => {
  harness = await startImportHarness()
})
afterAll(() => harness?.close())
beforeEach(async () => {
  harness.reset()
  seller = await harness.seller()
})

/** Blocks the platform's answers until released. */
function holdPages(): () => void {
  let release = () => {}
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  harness.ebay.before = () => gate
  return release
}

describe('creating an import', () => {
  it('answers 201, then 200 with the live job', async () => {
    const release = holdPages()
    const body = { seller_account_uid: seller.shop, marketplace: 'ebay' }
    const first = await seller.call('POST', create, body)
    const second = await seller.call('POST', create, body)
    expect([first.status, second.status]).toEqual([201, 200])
    expect(second.body.id).toBe(first.body.id)
    release()
    await seller.settled(first.body.id)
    expect((await seller.call('POST', create, body)).status).toBe(201)
  })

  it('creates one job for 64 parallel requests', async () => {
    const release = holdPages()
    const replies = await parallel(64, () =>
      seller.call('POST', create, { seller_account_uid: seller.shop, marketplace: 'ebay' }),
    )
    expect(statuses(replies)).toEqual({ 200: 63, 201: 1 })
    expect(new Set(replies.map((reply) => reply.body.id)).size).toBe(1)
    release()
    await seller.settled(replies[0]!.body.id)
  })

  it.each<[string, object, number, string]>([
    ['an unknown marketplace', { marketplace: 'nowhere' }, 400, 'invalid_request'],
    ['an extension platform', { marketplace: 'poshmark' }, 400, 'invalid_request'],
    ['a path as marketplace', { marketplace: '../ebay' }, 400, 'invalid_request'],
    ["another platform than the shop's", { marketplace: 'etsy' }, 400, 'invalid_request'],
    ['a state the platform does not show', { states: ['inactive'] }, 400, 'invalid_request'],
    ['a state that is none', { states: ['asleep'] }, 400, 'invalid_request'],
    ['a shop that is not there', { seller_account_uid: newId('sel') }, 404, 'not_found'],
    ['an id of another kind', { seller_account_uid: newId('inv') }, 400, 'invalid_request'],
    ['an unknown member', { user_id: 1 }, 400, 'invalid_request'],
  ])('refuses %s', async (_name, given, status, code) => {
    const reply = await seller.call('POST', create, { seller_account_uid: seller.shop, marketplace: 'ebay', ...given })
    expect(reply).toMatchObject({ status, body: { code } })
  })

  it("answers 404 for unknown shops and other sellers'", async () => {
    const other = await harness.seller()
    const reply = await seller.call('POST', create, { seller_account_uid: other.shop, marketplace: 'ebay' })
    expect(reply).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })

  it('needs the scope imports:run', async () => {
    const account = await buildAccount(harness.server.services.db, { scopes: ['inventory:read'] })
    const reply = await harness.api('GET', jobs, { headers: account.key })
    expect(reply).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
    expect((await harness.api('GET', jobs)).status).toBe(401)
  })
})

describe('importing by platform', () => {
  const path = (slug: string) => `/api/v1/marketplace/${slug}/import/`

  it('uses the only connected shop', async () => {
    const reply = await seller.call('POST', path('ebay'))
    expect(reply).toMatchObject({ status: 201, body: { marketplace: 'ebay' } })
    await seller.settled(reply.body.id)
  })

  it.each([
    ['etsy', 400, 'connection_required'],
    ['poshmark', 400, 'platform_not_connectable'],
    ['nowhere', 404, 'not_found'],
    ['..%2Febay', 404, 'not_found'],
  ])('%s without a shop there answers %i %s', async (slug, status, code) => {
    expect(await seller.call('POST', path(slug))).toMatchObject({ status, body: { code } })
  })

  it('asks which shop when several are connected', async () => {
    await connectTestShop(harness.server.services, seller.account)
    expect(await seller.call('POST', path('ebay'))).toMatchObject({
      status: 400,
      body: { code: 'seller_account_required' },
    })
  })
})
