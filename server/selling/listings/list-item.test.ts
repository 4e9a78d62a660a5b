import { describe, expect, it } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { parallel } from '#e2e/harness/api.ts'
import { newId } from '#shared/identity.ts'
import { insertAddress, insertWorkingShop, moveItem } from './testing/build-item.ts'
import { liveOf, useListingHarness } from './testing/harness.ts'

const harness = useListingHarness()
const { ebay, api, newItem, list, openOperations } = harness

describe('listing an item', () => {
  it('publishes it, reads it back, records it, returns its address', async () => {
    const uid = await newItem({ sku: 'VV-0012' })
    const reply = await list(uid)
    const [live] = liveOf(ebay, uid)
    expect(reply).toMatchObject({
      status: 200,
      body: {
        status: 'listed',
        listing_id: live?.listing_id,
        listing_url: `https://market.example/${live?.listing_id}`,
      },
    })
    expect(live).toMatchObject({ price_minor: 4_250, request: { sku: 'VV-0012', address: { postal_code: '04101' } } })
    expect(live?.key).toMatch(/^VV-0012-/)
    const record = (await api('GET', `/api/v1/inventory/${uid}/`, { headers: harness.seller.bearer })).body.record
    expect(record.channel_listings).toEqual([
      { channel: 'ebay', listing_id: live?.listing_id, url: reply.body.listing_url },
    ])
    expect(
      await harness.db.one(
        'select state, confirmed_at is not null as read_back from listing_operation where item_uid = $1',
        [uid],
      ),
    ).toEqual({ state: 'done', read_back: true })
  })

  it('refuses in order: 404, 402, 400 address, 400 shop, 409', async () => {
    const { db } = harness
    const bare = await buildAccount(db)
    const uid = await newItem({ state: 'withdrawn' }, bare)
    const check = async (status: number, code: string, slug = 'ebay') =>
      expect(await list(uid, slug, { price: '1' }, bare)).toMatchObject({ status, body: { code } })
    await db.none("update app_user set created_at = now() - interval '400 days' where id = $1", [bare.user_id])
    // Unknown items and platforms get the same answer, whatever else the caller lacks.
    const foreign = await newItem()
    for (const [item, slug] of [
      [foreign, 'ebay'],
      [newId('inv'), 'ebay'],
      [uid, 'amazon'],
    ] as const) {
      expect(await list(item, slug, { price: '1' }, bare)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    }
    await check(402, 'subscription_required')
    // Where no subscription is sold, none is asked for. The sandbox sells one.
    const { config } = harness.server.services
    Object.assign(config, { STRIPE_WEBHOOK_SECRET: undefined })
    await check(400, 'address_required')
    Object.assign(config, { sandbox: true })
    await check(402, 'subscription_required')
    Object.assign(config, { sandbox: false, STRIPE_WEBHOOK_SECRET: 'whsec_sells' })
    await db.none("insert into subscription_grant (user_id, ends_at) values ($1, now() + interval '1 day')", [
      bare.user_id,
    ])
    await check(400, 'address_required')
    await insertAddress(db, bare.user_id)
    await check(400, 'connection_required')
    await insertWorkingShop(harness.server.services, bare.user_id, 'ebay')
    const second = await insertWorkingShop(harness.server.services, bare.user_id, 'ebay')
    await check(400, 'seller_account_required')
    await db.none('delete from seller_account where uid = $1', [second])
    await check(409, 'not_available')
    await moveItem(db, uid, 'available')
    expect((await list(uid, 'ebay', { price: '1' }, bare)).status).toBe(200)
  })

  it('lists in the named one of several shops', async () => {
    const second = await insertWorkingShop(harness.server.services, harness.seller.user_id, 'ebay')
    const uid = await newItem()
    expect((await list(uid)).body.code).toBe('seller_account_required')
    expect((await list(uid, 'ebay', { price: '3', seller_account_uid: newId('sel') })).status).toBe(400)
    expect((await list(uid, 'ebay', { price: '3', seller_account_uid: second })).status).toBe(200)
    expect(await harness.db.one('select seller_account_uid from channel_listing where item_uid = $1', [uid])).toEqual({
      seller_account_uid: second,
    })
  })

  it.each([
    ['-1'],
    ['0'],
    ['0.00'],
    ['NaN'],
    ['1e3'],
    ['1,00'],
    ['1.00000000000000000000'],
    ['1000000000000000'],
    [''],
    [' 5'],
    [5],
    [null],
  ])('refuses the price %j', async (price) => {
    const uid = await newItem()
    expect((await list(uid, 'ebay', { price })).status).toBe(400)
    expect(await openOperations(uid)).toEqual([])
  })

  it('respects the decimals of a currency', async () => {
    const uid = await newItem()
    await list(uid, 'ebay', { price: '9999999999.99' })
    expect(liveOf(ebay, uid)[0]?.price_minor).toBe(999_999_999_999)
    const yen = await newItem()
    await harness.db.none("update inventory_item set currency = 'JPY' where uid = $1", [yen])
    expect((await list(yen, 'ebay', { price: '10.50' })).status).toBe(400)
    expect((await list(yen, 'ebay', { price: '1050' })).status).toBe(200)
    expect(liveOf(ebay, yen)[0]?.price_minor).toBe(1_050)
  })

  it('makes one listing of double clicks and retries', async () => {
    const uid = await newItem()
    const replies = await parallel(12, () => list(uid))
    expect(new Set(replies.map(({ status, body }) => `${status} ${body.listing_id}`)).size).toBe(1)
    expect(await list(uid)).toMatchObject({ status: 200, body: replies[0]?.body })
    expect(liveOf(ebay, uid)).toHaveLength(1)
  })

  it('makes no second listing when an answer is lost', async () => {
    const uid = await newItem()
    ebay.fail('publish', 'reply_lost')
    expect(await list(uid)).toMatchObject({ status: 200, body: { status: 'listed' } })
    expect(liveOf(ebay, uid)).toHaveLength(1)
    expect(ebay.calls.filter((call) => call === 'publish')).toHaveLength(1)
    const other = await newItem()
    ebay.fail('publish', 'not_sent', 2)
    expect((await list(other)).status).toBe(200)
    expect(liveOf(ebay, other)).toHaveLength(1)
  })

  it('reports a refusal at once and leaves nothing behind', async () => {
    const uid = await newItem()
    ebay.fail('publish', 'refused')
    expect(await list(uid)).toMatchObject({
      status: 502,
      body: { code: 'platform_failed', detail: 'The title is too long.' },
    })
    expect(await openOperations(uid)).toEqual([])
    expect(liveOf(ebay, uid)).toEqual([])
    expect((await list(uid)).status).toBe(200)
  })

  it('asks the seller to connect again when the platform does', async () => {
    const uid = await newItem()
    ebay.fail('choices', 'reconnect')
    expect(await list(uid)).toMatchObject({ status: 400, body: { code: 'reconnect_required' } })
    expect(await list(uid)).toMatchObject({ status: 400, body: { code: 'reconnect_required' } })
    expect(await openOperations(uid)).toEqual([])
  })

  it('waits for a rate limit instead of failing', async () => {
    const uid = await newItem()
    ebay.fail('publish', 'rate_limited', 2)
    expect(await list(uid)).toMatchObject({ status: 200, body: { status: 'listed' } })
  })

  it('refuses reserved, sold and withdrawn items', async () => {
    for (const state of ['reserved', 'sold', 'withdrawn']) {
      expect(await list(await newItem({ state }))).toMatchObject({ status: 409, body: { code: 'not_available' } })
    }
  })

  it('takes the listing down if the item sells meanwhile', async () => {
    const { db } = harness
    for (const when of ['before', 'lost'] as const) {
      const uid = await newItem()
      if (when === 'lost') ebay.fail('publish', 'reply_lost')
      ebay.during = async (call) => {
        if (call !== 'publish') return
        const sold = await api('POST', `/api/v1/inventory/${uid}/mark-sold/`, {
          headers: harness.seller.bearer,
          body: {},
        })
        expect(sold).toMatchObject({ status: 200, body: { taking_down: ['ebay'] } })
      }
      await list(uid)
      await expect.poll(() => liveOf(ebay, uid)).toEqual([])
      expect(ebay.listings.filter(({ key }) => key.endsWith(uid.slice(-13)))).toHaveLength(1)
      await expect.poll(() => openOperations(uid)).toEqual([])
      const states = await db.map('select state from channel_listing where item_uid = $1', [uid], ({ state }) => state)
      expect(states).toEqual(['removed'])
    }
  })
})
