import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { buildListing } from '#e2e/harness/listing.ts'
import { undoImport } from '#server/catalog/imports/resolve/undo-import.ts'
import type { ImportItem } from '#shared/contract/catalog/imports.ts'
import type { Listing } from '#shared/listing.ts'
import { type ImportHarness, type Seller, startImportHarness } from '../imports/testing/harness.ts'

let harness: ImportHarness
let seller: Seller
let onEtsy: Seller
beforeAll(async () => {
  harness = await startImportHarness()
})
afterAll(() => harness?.close())
beforeEach(async () => {
  harness.reset()
  seller = await harness.seller()
  onEtsy = await harness.etsyOf(seller)
})

const onPlatform = (given: Partial<Listing>) => {
  const listing = buildListing(given)
  return { ...listing, url: `https://www.etsy.com/listing/${listing.listing_id}` }
}
const base = '/api/v1/marketplace/import'
const changes = async () => (await seller.call('GET', '/api/v1/changes/')).body
const undo = (uid: string) => seller.call('POST', `/api/v1/changes/${uid}/undo/`)

/** Imports one listing from eBay and another one with its SKU from Etsy. */
async function conflict(): Promise<{
  job: string
  item: ImportItem
  mine: string
  resolve: (body: object) => Promise<string>
}> {
  harness.ebay.shop = [buildListing({ title: 'Mine', sku: 'S-1', price_minor: 9_000 })]
  await seller.import()
  harness.etsy.shop = [onPlatform({ title: 'Theirs', sku: 'S-1', price_minor: 12_000 })]
  const { id: job } = await onEtsy.import()
  const [item] = await onEtsy.items(job, 'status=conflict')
  const [mine] = await seller.inventory()
  return {
    ...{ job, item: item!, mine: mine.uid },
    async resolve(body) {
      const reply = await seller.call('POST', `${base}/jobs/${job}/items/${item!.id}/resolve/`, body)
      expect(reply).toMatchObject({ status: 200, body: { change_uid: expect.stringMatching(/^chg_/) } })
      return reply.body.change_uid
    },
  }
}

describe('undoing a decision', () => {
  it('gives an overwritten item its content back and asks again', async () => {
    const { job, item, resolve } = await conflict()
    const [before] = await seller.inventory()
    const change = await resolve({ resolution: 'overwrite' })
    expect((await seller.inventory())[0].record).toMatchObject({ title: 'Theirs', offer: { price_minor: 12_000 } })
    expect(await undo(change)).toMatchObject({ status: 200, body: { undone: 1, kept: 0, change: { can_undo: false } } })
    const [after] = await seller.inventory()
    const { version: _, updated_at: __, record, ...kept } = after
    expect(kept).toEqual((({ version, updated_at, record, ...rest }) => rest)(before))
    expect({ ...record, lifecycle: null }).toEqual({ ...before.record, lifecycle: null, offer: record.offer })
    expect(record.offer.price_minor).toBe(9_000)
    expect(await onEtsy.items(job, 'status=conflict')).toMatchObject([{ id: item.id, resolution: 'pending' }])
    // The listing is free to be linked again.
    await resolve({ resolution: 'link_existing' })
  })

  it('takes a linked listing off its item', async () => {
    const { resolve } = await conflict()
    const change = await resolve({ resolution: 'link_existing' })
    expect((await seller.inventory())[0].record.channel_listings).toHaveLength(2)
    expect((await undo(change)).status).toBe(200)
    expect((await seller.inventory())[0].record.channel_listings).toHaveLength(1)
  })

  it('removes the item that keeping both created', async () => {
    const { resolve } = await conflict()
    const change = await resolve({ resolution: 'create_new', sku: 'S-2' })
    expect(await seller.inventory()).toHaveLength(2)
    expect((await undo(change)).status).toBe(200)
    expect(await seller.inventory()).toHaveLength(1)
  })

  it('asks again about a skipped listing', async () => {
    const { job, resolve } = await conflict()
    expect((await undo(await resolve({ resolution: 'skip' }))).status).toBe(200)
    expect(await onEtsy.items(job, 'status=conflict')).toHaveLength(1)
  })

  it('repeated, changes nothing more', async () => {
    const { resolve } = await conflict()
    const change = await resolve({ resolution: 'link_existing' })
    await undo(change)
    expect(await undo(change)).toMatchObject({ status: 200, body: { undone: 0, kept: 0 } })
  })

  it('is refused where the overwritten item was edited since', async () => {
    const { mine, resolve } = await conflict()
    const change = await resolve({ resolution: 'overwrite' })
    await seller.call('PATCH', `/api/v1/inventory/${mine}/`, { title: 'Edited since' }, { 'if-match': '*' })
    expect(await undo(change)).toMatchObject({ status: 409, body: { code: 'changed_since' } })
    expect((await seller.inventory())[0].record.title).toBe('Edited since')
  })

  it('is refused where the linked item has sold since', async () => {
    const { mine, resolve } = await conflict()
    const change = await resolve({ resolution: 'link_existing' })
    await seller.call('POST', `/api/v1/inventory/${mine}/mark-sold/`, {})
    expect(await undo(change)).toMatchObject({ status: 409, body: { code: 'changed_since' } })
    expect((await seller.inventory())[0].record.channel_listings).toHaveLength(2)
  })

  it('is refused where a later import asks about the listing', async () => {
    const { resolve } = await conflict()
    const change = await resolve({ resolution: 'skip' })
    harness.etsy.shop = [{ ...harness.etsy.shop[0]!, title: 'Changed there' } as Listing]
    const again = await onEtsy.import()
    expect(again).toMatchObject({ items_conflicted: 1 })
    expect(await undo(change)).toMatchObject({ status: 409, body: { code: 'changed_since' } })
  })

  it('of many takes back those that have not changed', async () => {
    const titles = ['Leica M3 film camera', 'Handwoven willow basket']
    harness.ebay.shop = titles.map((title, n) => buildListing({ title, sku: `S-${n}` }))
    await seller.import()
    harness.etsy.shop = titles.map((title, n) => onPlatform({ title, sku: `S-${n}` }))
    await onEtsy.import()
    const { body } = await seller.call('POST', `${base}/conflicts/resolve/`, {
      ...{ resolution: 'link_existing', certainty: 'certain' },
    })
    const [newest] = (await changes()).results
    expect(newest).toMatchObject({ uid: body.change_uid, kind: 'link', count: 2, can_undo: true, marketplace: 'etsy' })
    const [sold] = await seller.inventory()
    await seller.call('POST', `/api/v1/inventory/${sold.uid}/mark-sold/`, {})
    expect(await undo(body.change_uid)).toMatchObject({ status: 200, body: { undone: 1, kept: 1 } })
    expect((await seller.call('GET', `${base}/conflicts/`)).body.count).toBe(1)
  })
})

describe('undoing a sale', () => {
  it('makes the item available again', async () => {
    const { mine } = await conflict()
    const { body } = await seller.call('POST', `/api/v1/inventory/${mine}/mark-sold/`, {})
    expect((await changes()).results[0]).toMatchObject({
      uid: body.change_uid,
      kind: 'mark_sold',
      title: 'Mine',
      count: 1,
    })
    expect((await undo(body.change_uid)).status).toBe(200)
    expect((await seller.inventory())[0].record.lifecycle.state).toBe('available')
    const again = await seller.call('POST', `/api/v1/inventory/${mine}/mark-sold/`, {})
    expect((await undo(body.change_uid)).body).toMatchObject({ undone: 0 })
    expect((await seller.inventory())[0].record.lifecycle.state).toBe('sold')
    await seller.call('POST', `/api/v1/inventory/${mine}/mark-unsold/`, {})
    expect(await undo(again.body.change_uid)).toMatchObject({ status: 409, body: { code: 'changed_since' } })
  })
})

describe('undoing an import', () => {
  it('removes what it created, except what changed since', async () => {
    harness.ebay.shop = [
      buildListing({ title: 'Plain' }),
      buildListing({ title: 'Edited' }),
      buildListing({ title: 'Sold' }),
    ]
    const job = await seller.import()
    const items = await seller.inventory()
    const uidOf = (title: string) => items.find(({ record }) => record.title === title).uid
    await seller.call('PATCH', `/api/v1/inventory/${uidOf('Edited')}/`, { description: 'Mine' }, { 'if-match': '*' })
    await seller.call('POST', `/api/v1/inventory/${uidOf('Sold')}/mark-sold/`, {})
    const change = (await changes()).results.find(({ kind }: { kind: string }) => kind === 'import_job')
    expect(change).toMatchObject({ count: 3, marketplace: 'ebay', can_undo: true })
    expect(await undo(change.uid)).toMatchObject({ status: 200, body: { undone: 1, kept: 2 } })
    expect((await seller.inventory()).map(({ record }) => record.title).sort()).toEqual(['Edited', 'Sold'])
    expect(await seller.job(job.id)).toMatchObject({ items_imported: 2, items_skipped: 1 })
    // The next import brings it back.
    expect(await seller.import()).toMatchObject({ items_imported: 1 })
  })

  it('counts each item once when a deadlock repeats the transaction', async () => {
    harness.ebay.shop = [buildListing({ title: 'One' }), buildListing({ title: 'Two' })]
    const job = await seller.import()
    const { services } = harness.server
    const added = vi.spyOn(services.quotas, 'add')
    let tries = 0
    const finish = async () => {
      tries++
      if (tries === 1) throw Object.assign(new Error('deadlock detected'), { code: '40P01' })
    }
    const { user_id } = seller.account
    expect(await undoImport(services, { user_id, subject_uid: job.id }, finish)).toEqual({ undone: 2, kept: 0 })
    expect(tries).toBe(2)
    expect(added).toHaveBeenCalledExactlyOnceWith(user_id, { items: -2 })
  })
})

it("shows and undoes no other seller's changes", async () => {
  const { resolve } = await conflict()
  const change = await resolve({ resolution: 'skip' })
  const another = await harness.seller()
  expect((await another.call('GET', '/api/v1/changes/')).body).toEqual({ count: 0, results: [] })
  expect(await another.call('POST', `/api/v1/changes/${change}/undo/`)).toMatchObject({ status: 404 })
})

describe('the history of an item', () => {
  const historyOf = async (uid: string) => (await seller.call('GET', `/api/v1/inventory/${uid}/history/`)).body

  it('says decisions and edits with old and new values', async () => {
    const { mine, resolve } = await conflict()
    await undo(await resolve({ resolution: 'overwrite' }))
    await resolve({ resolution: 'link_existing' })
    await seller.call('PATCH', `/api/v1/inventory/${mine}/`, { title: 'Edited' }, { 'if-match': '*' })
    const both = (from: string, to: string, one: string, other: string) => [
      { field: 'title', from, to },
      { field: 'price', from: one, to: other },
    ]
    expect(await historyOf(mine)).toMatchObject([
      { reason: 'Changed by the seller', changes: [{ field: 'title', from: 'Mine', to: 'Edited' }] },
      { reason: 'Linked to the Etsy listing "Theirs"', changes: [], from_state: 'available', to_state: 'available' },
      {
        reason: 'Restored what Etsy had overwritten',
        changes: expect.arrayContaining(both('Theirs', 'Mine', '120.00 USD', '90.00 USD')),
      },
      {
        reason: 'Overwritten with the Etsy listing',
        changes: expect.arrayContaining(both('Mine', 'Theirs', '90.00 USD', '120.00 USD')),
      },
      { reason: 'Imported from eBay', from_state: null },
    ])
  })

  it('says what was done with its listings', async () => {
    const { mine } = await conflict()
    const { db } = harness.server.services
    for (const [kind, price] of [
      ['list', 8_500],
      ['update', 8_000],
      ['delist', null],
    ] as const) {
      await db.none(
        `insert into listing_operation (
           user_id, kind, item_uid, platform, seller_account_uid, listing_id, external_key, price_minor, currency, state,
           cause, finished_at
         ) values ($1, $2, $3, 'etsy', $4, '77', 'S-1', $5, 'USD', 'done', 'user', clock_timestamp())`,
        [seller.account.user_id, kind, mine, onEtsy.shop, price],
      )
    }
    expect((await historyOf(mine)).map(({ reason }: { reason: string }) => reason)).toEqual([
      'Ended on Etsy',
      'Price on Etsy changed to 80.00 USD',
      'Listed on Etsy for 85.00 USD',
      'Imported from eBay',
    ])
  })
})
