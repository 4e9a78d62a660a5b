import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildListing } from '#e2e/harness/listing.ts'
import { deactivateAccount } from '#server/accounts/closing/deactivate.ts'
import { closesAfterAuthorization } from '#server/accounts/closing/testing/closes-after-authorization.ts'
import { runImport } from '../run-import.ts'
import { type ImportHarness, type Seller, startImportHarness } from '../testing/harness.ts'

const jobs = '/api/v1/marketplace/import/jobs/'

const closing = closesAfterAuthorization()
let harness: ImportHarness
let seller: Seller
beforeAll(async () => {
  harness = await startImportHarness({ works: false, prepare: closing.prepare })
})
afterAll(() => harness?.close())
beforeEach(async () => {
  Object.assign(harness.ebay, { before: () => {}, pageSize: 50, shop: [], calls: [] })
  seller = await harness.seller()
})

async function begin(by = seller) {
  const { body } = await by.call('POST', `${jobs}create/`, { seller_account_uid: by.shop, marketplace: 'ebay' })
  const ref = { user_id: by.account.user_id, job_uid: String(body.id) }
  return { ref, run: () => runImport(harness.server.services, ref, { sliceMs: 600_000 }) }
}

describe('an import whose shop is disconnected meanwhile', () => {
  it('writes nothing more and reads no more pages', async () => {
    harness.ebay.pageSize = 5
    harness.ebay.shop = Array.from({ length: 40 }, () => buildListing())
    const { run } = await begin()
    let asked = 0
    const kept = Promise.withResolvers<number>()
    harness.ebay.before = async ({ kind }) => {
      if (kind !== 'page' || ++asked !== 3) return
      // The seller disconnects while the third page is read.
      const path = `/api/v1/seller-accounts/${seller.shop}/`
      expect((await harness.api('DELETE', path, { headers: seller.account.bearer })).status).toBe(204)
      kept.resolve((await seller.inventory()).length)
    }
    expect(await run()).toEqual({ kind: 'done' })
    expect(await seller.inventory()).toHaveLength(await kept.promise)
    expect(asked).toBeLessThan(6)
  })
})

type Ids = Record<'job' | 'item' | 'inventory', string>

/** Counts an account's rows of imports and inventory. */
const countsOf = (user_id: number) =>
  harness.server.services.db.one(
    `select
       (select json_agg(json_build_array(status, resolution) order by uid) from import_item where user_id = $1) as items,
       (select count(*)::integer from import_action where user_id = $1) as actions,
       (select count(*)::integer from inventory_item where user_id = $1) as inventory,
       (select count(*)::integer from channel_listing where user_id = $1) as listings,
       (select count(*)::integer from jobs.job where data->>'user_id' = $1::text and state < 'active') as queued`,
    [user_id],
  )

describe('an account closed between authorization and work', () => {
  const operations: [string, string, (ids: Ids) => string, ((ids: Ids) => object)?][] = [
    ['a start', 'POST', () => '/api/v1/marketplace/import/start/', ({ job }) => ({ job_uid: job })],
    ['a retry', 'POST', ({ job }) => `${jobs}${job}/retry-failed/`],
    ['a preview', 'POST', () => '/api/v1/marketplace/import/preview/', ({ job }) => ({ job_uid: job })],
    ['skipping all conflicts', 'POST', ({ job }) => `${jobs}${job}/skip-all-conflicts/`],
    [
      'an answer to a conflict',
      'POST',
      ({ job, item }) => `${jobs}${job}/items/${item}/resolve/`,
      () => ({ resolution: 'create_new', sku: 'OTHER' }),
    ],
    ['the end of an item', 'DELETE', ({ inventory }) => `/api/v1/inventory/${inventory}/`],
  ]

  async function imported(by: Seller): Promise<Ids> {
    harness.ebay.shop = [
      buildListing({ sku: 'TWICE' }),
      buildListing({ sku: 'TWICE' }),
      buildListing({ state: 'removed' }),
    ]
    const { body } = await by.call('POST', `${jobs}create/`, {
      seller_account_uid: by.shop,
      marketplace: 'ebay',
      states: ['active', 'ended'],
    })
    await runImport(harness.server.services, { user_id: by.account.user_id, job_uid: body.id })
    const items = await by.items(body.id)
    const deletable = (await by.inventory()).find(({ record }) => record.availability !== 'available')
    return {
      job: body.id,
      item: items.find(({ status }) => status === 'conflict')!.id,
      inventory: deletable?.uid,
    }
  }

  it.each(operations)('stores nothing of %s', async (_name, method, path, body) => {
    const [quiet, open] = [await harness.seller(), await harness.seller()]
    // The same call succeeds for an open account, so only the closing can refuse it.
    const ids = await imported(open)
    const allowed = await open.call(method, path(ids), body?.(ids))
    expect([allowed.status, allowed.body]).toEqual([expect.toSatisfy((status: number) => status < 300), allowed.body])
    await imported(quiet)
    await deactivateAccount(harness.server.services, quiet.account.user_id)
    const own = await imported(seller)
    closing.next(seller.account.user_id)
    const reply = await seller.call(method, path(own), body?.(own))
    // Some notice first that the shop has been closed too.
    expect([401, 409]).toContain(reply.status)
    expect(await countsOf(seller.account.user_id)).toEqual(await countsOf(quiet.account.user_id))
  })
})
