import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { checkInvariants } from '#server/testing/invariants.ts'
import { buildListing } from '#server/testing/listing.ts'
import type { Listing } from '#shared/listing.ts'
import { type ImportHarness, type Seller, startImportHarness } from './testing/harness.ts'

/** A listing that we hold for down and that an import sees on offer: a sale elsewhere must take it down. */
let stand: ImportHarness
let seller: Seller
let listing: Listing
beforeAll(async () => {
  stand = await startImportHarness()
})
afterAll(() => stand?.close())
beforeEach(async () => {
  seller = await stand.seller()
  listing = buildListing()
})

const db = () => stand.server.services.db
const item = async () => (await seller.inventory())[0]
const stateOf = async () =>
  (await db().one('select state from channel_listing where user_id = $1', [seller.account.user_id])).state
/** The listing has ended on its platform so long ago. */
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

describe('a listing that is on offer again', () => {
  const again = async (options: object = {}) => {
    const job = await seller.import(options)
    return (await seller.items(job.id))[0]!
  }
  beforeEach(async () => {
    stand.ebay.shop = [listing]
    await seller.import()
  })

  it('is held for live from then on, and the import says so, once', async () => {
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

  it('comes down at once where its thing is sold, and the seller is asked all the same', async () => {
    await down('1 hour')
    await markSold()
    expect(await again()).toMatchObject({ status: 'conflict', conflict_type: 'sold_elsewhere' })
    expect(await comingDown()).toEqual([{ listing_id: listing.listing_id, cause: 'reconcile' }])
    await checkInvariants(db())
  })

  it('is left where it went down a moment ago, or after the import was begun: the platform may be behind', async () => {
    await down('5 minutes')
    await again()
    expect(await stateOf()).toBe('removed')
    stand.ebay.before = async () => void (await down('0 seconds'))
    await again()
    stand.ebay.before = () => {}
    expect(await stateOf()).toBe('removed')
  })

  it('is only told by a preview', async () => {
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

describe('a listing that the extension sees on offer again', () => {
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

  it('is held for live from then on, and a sale elsewhere asks for it to be taken down', async () => {
    await down('1 minute')
    await send(await begin())
    expect(await stateOf()).toBe('available')
    await markSold()
    expect((await seller.call('GET', '/api/v1/extension/tasks/')).body.results).toMatchObject([
      { kind: 'delist', listing_id: listing.listing_id },
    ])
  })

  it('is left where it went down after the import was begun: an old reading undoes nothing', async () => {
    const old = await begin()
    await down('0 seconds')
    await send(old)
    expect(await stateOf()).toBe('removed')
  })
})
