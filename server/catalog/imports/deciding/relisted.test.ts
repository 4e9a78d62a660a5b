import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { checkInvariants } from '#e2e/harness/campaigns/invariants.ts'
import { buildListing } from '#e2e/harness/listing.ts'
import type { Listing } from '#shared/listing.ts'
import { type ImportHarness, type Seller, startImportHarness } from '../testing/harness.ts'

/** An import sees a listing on offer that is down in our records. A sale elsewhere must take it down. */
let harness: ImportHarness
let seller: Seller
let listing: Listing
beforeAll(async () => {
  harness = await startImportHarness()
})
afterAll(() => harness?.close())
beforeEach(async () => {
  seller = await harness.seller()
  listing = buildListing()
})

const db = () => harness.server.services.db
const item = async () => (await seller.inventory())[0]
const stateOf = async () =>
  (await db().one('select state from channel_listing where user_id = $1', [seller.account.user_id])).state
/** Ends the listing on its platform this long ago. */
const down = (ago: string) =>
  db().none("update channel_listing set state = 'removed', updated_at = now() - $2::interval where user_id = $1", [
    seller.account.user_id,
    ago,
  ])
const comingDown = () =>
  db().any(
    "select listing_id, cause from listing_operation where user_id = $1 and kind = 'delist' and state = 'open'",
    [seller.account.user_id],
  )
const markSold = async () => seller.call('POST', `/api/v1/inventory/${(await item()).uid}/mark-sold/`, {})

describe('a relisted listing', () => {
  const again = async (options: object = {}) => {
    const job = await seller.import(options)
    return (await seller.items(job.id))[0]!
  }
  beforeEach(async () => {
    harness.ebay.shop = [listing]
    await seller.import()
  })

  it('is live again, and the import says so once', async () => {
    await down('1 hour')
    expect(await again()).toMatchObject({
      status: 'skipped',
      conflict_details: 'Already imported; different now: live there again.',
    })
    expect(await stateOf()).toBe('available')
    expect(await again()).toMatchObject({ status: 'skipped', conflict_details: null })
    expect((await item()).record.lifecycle.state).toBe('available')
    await markSold()
    expect(await comingDown()).toMatchObject([{ listing_id: listing.listing_id, cause: 'mark_sold' }])
    await checkInvariants(db())
  })

  it('comes down at once if its item is sold', async () => {
    await down('1 hour')
    await markSold()
    expect(await again()).toMatchObject({ status: 'conflict', conflict_type: 'sold_elsewhere' })
    expect(await comingDown()).toEqual([{ listing_id: listing.listing_id, cause: 'reconcile' }])
    await checkInvariants(db())
  })

  it('is left alone if it went down only a moment ago', async () => {
    await down('5 minutes')
    await again()
    expect(await stateOf()).toBe('removed')
    harness.ebay.before = async () => void (await down('0 seconds'))
    await again()
    harness.ebay.before = () => {}
    expect(await stateOf()).toBe('removed')
  })

  it('is only reported by a preview', async () => {
    await down('1 hour')
    const base = '/api/v1/marketplace/import/'
    const created = await seller.call('POST', `${base}jobs/create/`, {
      ...{ seller_account_uid: seller.shop, marketplace: 'ebay', auto_start: false },
    })
    const { id } = created.body
    await seller.call('POST', `${base}preview/`, { job_uid: id })
    const preview = () => seller.call('GET', `${base}jobs/${id}/preview/`)
    const { body } = await seller.until(preview, (reply) => reply.body.count > 0)
    expect(body.results).toMatchObject([
      { status: 'skipped', conflict_details: expect.stringMatching(/live there again/) },
    ])
    expect(await stateOf()).toBe('removed')
    await seller.call('POST', `${base}start/`, { job_uid: id })
    await seller.settled(id)
    expect(await stateOf()).toBe('available')
  })
})

describe('a relisted listing seen by the extension', () => {
  const imports = '/api/v1/extension/imports/'
  const begin = async () => {
    const shop = { username: `vera-${seller.account.user_id}`, url: 'https://poshmark.com/closet/vera' }
    return (await seller.call('POST', imports, { platform: 'poshmark', shop })).body.id
  }
  const send = async (job: string) => {
    const batch = { batch_id: 'a', listings: [listing] }
    expect((await seller.call('POST', `${imports}${job}/batches/`, batch)).status).toBe(200)
    expect((await seller.call('POST', `${imports}${job}/complete/`)).status).toBe(200)
  }
  beforeEach(async () => {
    const { quantity: _, ...scraped } = buildListing()
    listing = { ...scraped, url: `https://poshmark.com/listing/${scraped.listing_id}` }
    await send(await begin())
  })

  it('is live again, so a sale elsewhere delists it', async () => {
    await down('1 minute')
    await send(await begin())
    expect(await stateOf()).toBe('available')
    await markSold()
    expect((await seller.call('GET', '/api/v1/extension/tasks/')).body.results).toMatchObject([
      { kind: 'delist', listing_id: listing.listing_id },
    ])
  })

  it('stays down in an import begun before it went down', async () => {
    const old = await begin()
    await down('0 seconds')
    await send(old)
    expect(await stateOf()).toBe('removed')
  })
})
