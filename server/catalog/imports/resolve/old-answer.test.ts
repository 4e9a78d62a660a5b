import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { checkInvariants } from '#e2e/harness/campaigns/invariants.ts'
import { buildListing } from '#e2e/harness/listing.ts'
import type { Listing } from '#shared/listing.ts'
import { type ImportHarness, type Seller, startImportHarness } from '../testing/harness.ts'

/** A conflict raised on Monday is answered on Wednesday. Events of Tuesday count. */
let harness: ImportHarness
let seller: Seller
let shops = 0
let username: string
let listing: Listing
beforeAll(async () => {
  harness = await startImportHarness({ works: false })
})
afterAll(() => harness?.close())
beforeEach(async () => {
  seller = await harness.seller()
  username = `Old_${++shops}`
  listing = { ...buildListing(), url: `https://poshmark.com/listing/old-${shops}` }
})

/** Reads the closet. Returns its one import item and its resolve path. */
async function read(given: Partial<Listing> = {}) {
  const shop = { username, url: `https://poshmark.com/closet/${username}` }
  const job = (await seller.call('POST', '/api/v1/extension/imports/', { platform: 'poshmark', shop })).body.id
  const listings = [{ ...listing, ...given }]
  await seller.call('POST', `/api/v1/extension/imports/${job}/batches/`, { batch_id: 'a', listings })
  await seller.call('POST', `/api/v1/extension/imports/${job}/complete/`)
  const [item] = await seller.items(job)
  const path = `/api/v1/marketplace/import/jobs/${job}/items/${item!.id}/resolve/`
  return { item: item!, resolve: (resolution: string) => seller.call('POST', path, { resolution }) }
}
const listed = () =>
  harness.server.services.db.one('select state from channel_listing where user_id = $1', [seller.account.user_id])
const tasks = async () => (await seller.call('GET', '/api/v1/extension/tasks/')).body.results
const stateOf = async () => (await seller.inventory())[0].record.lifecycle.state

describe.each(['link_existing', 'overwrite'])('a changed price that %s answers', (resolution) => {
  async function ask() {
    const { item } = await read()
    const asked = await read({ price_minor: listing.price_minor - 500 })
    expect(asked.item).toMatchObject({ conflict_type: 'price_mismatch' })
    return { uid: item.created_inventory_item_uid!, resolve: asked.resolve }
  }

  it('leaves a sold listing sold and asks for nothing', async () => {
    const { resolve } = await ask()
    const reported = await seller.call('POST', '/api/v1/extension/sales/', {
      ...{ platform: 'poshmark', shop: { username }, listing_ids: [listing.listing_id] },
    })
    expect(reported.body.results).toMatchObject([{ state: 'sold' }])
    expect((await resolve(resolution)).status).toBe(200)
    expect(await listed()).toEqual({ state: 'sold' })
    expect(await stateOf()).toBe('sold')
    expect(await tasks()).toEqual([])
    await checkInvariants(harness.server.services.db)
  })

  it('leaves an ended listing down, to be listed anew', async () => {
    const { uid, resolve } = await ask()
    await seller.call('POST', `/api/v1/inventory/${uid}/platforms/poshmark/delist/`, {})
    const [task] = await tasks()
    expect((await seller.call('POST', `/api/v1/extension/tasks/${task.uid}/complete/`, {})).status).toBe(200)
    expect((await resolve(resolution)).status).toBe(200)
    expect(await listed()).toEqual({ state: 'removed' })
    expect(await stateOf()).toBe('available')
    await checkInvariants(harness.server.services.db)
  })
})

it('an old answer sells nothing that is on offer again', async () => {
  await read()
  // The seller took the sale back, so that the page raises a question.
  await read({ state: 'sold' })
  const [{ uid }] = await seller.inventory()
  await seller.call('POST', `/api/v1/inventory/${uid}/mark-unsold/`, {})
  const asked = await read({ state: 'sold' })
  expect(asked.item).toMatchObject({ conflict_type: 'sold_elsewhere' })
  // The later import ends the question.
  await read()
  expect((await asked.resolve('overwrite')).status).toBe(409)
  expect(await stateOf()).toBe('available')
  expect(await listed()).toEqual({ state: 'available' })
  await checkInvariants(harness.server.services.db)
})
