import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { checkInvariants } from '#server/testing/invariants.ts'
import { buildListing } from '#server/testing/listing.ts'
import type { Listing } from '#shared/listing.ts'
import { type ImportHarness, type Seller, startImportHarness } from '../testing/harness.ts'

/** A conflict that was put on Monday and is answered on Wednesday: what happened on Tuesday stands. */
let stand: ImportHarness
let seller: Seller
let shops = 0
let username: string
let listing: Listing
beforeAll(async () => {
  stand = await startImportHarness({ works: false })
})
afterAll(() => stand?.close())
beforeEach(async () => {
  seller = await stand.seller()
  username = `Old_${++shops}`
  listing = { ...buildListing(), url: `https://poshmark.com/listing/old-${shops}` }
})

/** Reads the closet; answers its one import item and how to resolve it. */
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
  stand.server.services.db.one('select state from channel_listing where user_id = $1', [seller.account.user_id])
const tasks = async () => (await seller.call('GET', '/api/v1/extension/tasks/')).body.results
const stateOf = async () => (await seller.inventory())[0].record.lifecycle.state

describe.each(['link_existing', 'overwrite'])('a changed price that %s answers', (resolution) => {
  async function ask() {
    const { item } = await read()
    const asked = await read({ price_minor: listing.price_minor - 500 })
    expect(asked.item).toMatchObject({ conflict_type: 'price_mismatch' })
    return { uid: item.created_inventory_item_uid!, resolve: asked.resolve }
  }

  it('after the listing was sold leaves it sold, and asks for nothing', async () => {
    const { resolve } = await ask()
    const reported = await seller.call('POST', '/api/v1/extension/sales/', {
      ...{ platform: 'poshmark', shop: { username }, listing_ids: [listing.listing_id] },
    })
    expect(reported.body.results).toMatchObject([{ state: 'sold' }])
    expect((await resolve(resolution)).status).toBe(200)
    expect(await listed()).toEqual({ state: 'sold' })
    expect(await stateOf()).toBe('sold')
    expect(await tasks()).toEqual([])
    await checkInvariants(stand.server.services.db)
  })

  it('after the listing was taken down leaves it down: listing the thing there again asks for a new one', async () => {
    const { uid, resolve } = await ask()
    await seller.call('POST', `/api/v1/inventory/${uid}/platforms/poshmark/delist/`, {})
    const [task] = await tasks()
    expect((await seller.call('POST', `/api/v1/extension/tasks/${task.uid}/complete/`, {})).status).toBe(200)
    expect((await resolve(resolution)).status).toBe(200)
    expect(await listed()).toEqual({ state: 'removed' })
    expect(await stateOf()).toBe('available')
    await checkInvariants(stand.server.services.db)
  })
})

it('"sold there" that is answered after the listing was on offer again sells nothing', async () => {
  await read()
  // Its sale was taken back by the seller, so that what the page says is a question.
  await read({ state: 'sold' })
  const [{ uid }] = await seller.inventory()
  await seller.call('POST', `/api/v1/inventory/${uid}/mark-unsold/`, {})
  const asked = await read({ state: 'sold' })
  expect(asked.item).toMatchObject({ conflict_type: 'sold_elsewhere' })
  await read()
  expect((await asked.resolve('overwrite')).status).toBe(200)
  expect(await stateOf()).toBe('available')
  expect(await listed()).toEqual({ state: 'available' })
  await checkInvariants(stand.server.services.db)
})
