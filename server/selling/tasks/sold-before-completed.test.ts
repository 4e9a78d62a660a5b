import { describe, expect, it } from 'vitest'
import { checkInvariants } from '#e2e/harness/campaigns/invariants.ts'
import { buildListing } from '#e2e/harness/listing.ts'
import { useListingHarness } from '#server/selling/listings/testing/harness.ts'
import { orderFor, placeOrder } from '#server/selling/sales/testing/sell.ts'

const harness = useListingHarness()
const { api, newItem, list, openTasks } = harness
let made = 0

/** The seller listed an item on Depop by form, and it sold there before its task was completed. */
describe('a listing that sold before its list task was completed', () => {
  const post = (path: string, body: object = {}) => api('POST', path, { headers: harness.seller.key, body })
  const report = (listing_id: string) =>
    post('/api/v1/extension/sales/', { platform: 'depop', shop: { username: 'ada' }, listing_ids: [listing_id] })

  /** Builds an item that is live on eBay, with a Depop listing that Hapax does not know yet. */
  async function listedByForm() {
    const item_uid = await newItem()
    const { listing_id: on_ebay } = (await list(item_uid)).body as { listing_id: string }
    await list(item_uid, 'depop')
    const task = (await openTasks()).find((one: Record<string, string>) => one.inventory_item_uid === item_uid)
    const listing_id = `d-early-${++made}`
    const reported = { listing_id, listing_url: `https://www.depop.com/products/${listing_id}/` }
    return {
      item_uid,
      on_ebay,
      listing_id,
      complete: () => post(`/api/v1/extension/tasks/${task.uid}/complete/`, reported),
    }
  }
  /** An import finds the listing in the shop and makes an item of it. */
  async function importIt(listing_id: string) {
    const shop = { username: 'ada', url: 'https://www.depop.com/ada/' }
    const { id } = (await post('/api/v1/extension/imports/', { platform: 'depop', shop })).body
    const listing = { ...buildListing({ title: `Only there ${listing_id}` }), listing_id }
    listing.url = `https://www.depop.com/products/${listing_id}/`
    await post(`/api/v1/extension/imports/${id}/batches/`, { batch_id: 'a', listings: [listing] })
    await post(`/api/v1/extension/imports/${id}/complete/`)
  }
  const stateOf = async (uid: string) =>
    (await api('GET', `/api/v1/inventory/${uid}/`, { headers: harness.seller.key })).body.record.lifecycle.state
  const live = (listing_id: string) =>
    harness.db.any(
      "select platform from channel_listing where user_id = $1 and listing_id = $2 and state in ('available', 'reserved')",
      [harness.seller.user_id, listing_id],
    )
  const comingDown = (item_uid: string) =>
    harness.db.any("select listing_id from listing_operation where item_uid = $1 and kind = 'delist'", [item_uid])
  const alerts = (item_uid: string) =>
    harness.db.any("select kind from alert where item_uid = $1 and state = 'open' and kind = 'oversell'", [item_uid])

  it.each([
    ['was reported', false],
    ['had become a thing of its own by an import, and was reported', true],
  ])('sells the item and delists elsewhere: %s', async (_what, imported) => {
    const { item_uid, on_ebay, listing_id, complete } = await listedByForm()
    if (imported) await importIt(listing_id)
    expect((await report(listing_id)).body.results).toMatchObject([{ state: imported ? 'sold' : 'unmatched' }])
    const done = await complete()
    expect(done).toMatchObject({ status: 200, body: { status: 'completed', listing_id } })
    expect((await complete()).body).toEqual(done.body)
    expect(await stateOf(item_uid)).toBe('sold')
    expect(await comingDown(item_uid)).toEqual([{ listing_id: on_ebay }])
    expect(await live(listing_id)).toEqual([])
    expect(await alerts(item_uid)).toEqual([])
    expect((await report(listing_id)).body.results).toMatchObject([{ state: 'known' }])
    await checkInvariants(harness.db)
  })

  it('is an oversell if the item sold on eBay as well', async () => {
    for (const imported of [false, true]) {
      const { item_uid, on_ebay, listing_id, complete } = await listedByForm()
      if (imported) await importIt(listing_id)
      await report(listing_id)
      const item = { user_id: harness.seller.user_id, item_uid, shops: { ebay: harness.shop } }
      const order = orderFor(item, 'ebay', { id: `order-${on_ebay}`, listing_id: on_ebay })
      await placeOrder(harness.db, harness.seller.user_id, order)
      expect((await complete()).status).toBe(200)
      expect(await alerts(item_uid)).toEqual([{ kind: 'oversell' }])
      expect(await live(listing_id)).toEqual([])
      await checkInvariants(harness.db)
    }
  })

  it('changes nothing if the seller marked the item sold', async () => {
    for (const imported of [false, true]) {
      const { item_uid, listing_id, complete } = await listedByForm()
      if (imported) await importIt(listing_id)
      await report(listing_id)
      await post(`/api/v1/inventory/${item_uid}/mark-sold/`)
      expect((await complete()).status).toBe(200)
      expect(await alerts(item_uid)).toEqual([])
      expect(await live(listing_id)).toEqual([])
      expect((await openTasks()).filter((one: Record<string, string>) => one.listing_id === listing_id)).toEqual([])
      await checkInvariants(harness.db)
    }
  })
})
