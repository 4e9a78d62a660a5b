import { describe, expect, it } from 'vitest'
import type { FakeMarket } from './testing/fake-market.ts'
import { liveOf, pathOf, useListingHarness } from './testing/harness.ts'

const harness = useListingHarness()
const { ebay, etsy, api, newItem, list, delist, openOperations } = harness

describe('changing a price', () => {
  const price = (uid: string, body: object, slug = 'ebay') =>
    api('POST', pathOf(uid, slug, 'price'), { headers: harness.seller.bearer, body })

  it('changes the live listing, even if the answer is lost', async () => {
    const uid = await newItem()
    const { listing_id } = (await list(uid)).body
    ebay.fail('price', 'reply_lost')
    expect(await price(uid, { price: '39.00' })).toMatchObject({ status: 200, body: { status: 'listed', listing_id } })
    expect(liveOf(ebay, uid)[0]?.price_minor).toBe(3_900)
    expect(await harness.db.one('select price_minor from channel_listing where item_uid = $1', [uid])).toEqual({
      price_minor: 3_900,
    })
    expect((await price(uid, { price: '0' })).status).toBe(400)
    expect((await price(uid, { price: '5' }, 'etsy')).status).toBe(409)
  })

  const change = (uid: string, price_minor: number) =>
    api('PATCH', `/api/v1/inventory/${uid}/`, { headers: harness.seller.bearer, body: { offer: { price_minor } } })
  const priceOf = (market: FakeMarket, uid: string) => liveOf(market, uid)[0]?.price_minor
  const atRest = (uid: string) => expect.poll(() => openOperations(uid)).toEqual([])

  it('changes every live listing with the item, and only those', async () => {
    const uid = await newItem()
    await list(uid, 'ebay')
    await list(uid, 'etsy', { price: '50.00' })
    expect((await change(uid, 3_900)).status).toBe(200)
    await atRest(uid)
    expect([priceOf(ebay, uid), priceOf(etsy, uid)]).toEqual([3_900, 3_900])
    const kept = await harness.db.any('select price_minor from channel_listing where item_uid = $1', [uid])
    expect(kept).toEqual([{ price_minor: 3_900 }, { price_minor: 3_900 }])

    const calls = () => [...ebay.calls, ...etsy.calls].filter((call) => call === 'price').length
    const before = calls()
    // The same price, or other text, queues nothing. A listing that came down is not touched.
    await change(uid, 3_900)
    await api('PATCH', `/api/v1/inventory/${uid}/`, {
      headers: harness.seller.bearer,
      body: { title: 'Another title' },
    })
    await delist(uid, 'etsy')
    await change(uid, 2_000)
    await atRest(uid)
    expect(calls() - before).toBe(1)
    expect(priceOf(ebay, uid)).toBe(2_000)
  })

  it('refuses zero for live items and changes nothing', async () => {
    const uid = await newItem()
    expect((await change(uid, 0)).status).toBe(200)
    await change(uid, 4_250)
    await list(uid, 'ebay')
    expect(await change(uid, 0)).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'offer.price_minor', code: 'invalid_price' }] },
    })
    const item = await api('GET', `/api/v1/inventory/${uid}/`, { headers: harness.seller.bearer })
    expect(item.body.record.offer.price_minor).toBe(4_250)
  })

  it('reaches a listing that is being published', async () => {
    const uid = await newItem()
    let isUp = () => {}
    const up = new Promise<void>((resolve) => {
      isUp = resolve
    })
    let goOn = () => {}
    const gate = new Promise<void>((resolve) => {
      goOn = resolve
    })
    ebay.during = async (call) => {
      if (call !== 'publish') return
      isUp()
      await gate
    }
    const listing = list(uid)
    await up
    expect((await change(uid, 3_100)).status).toBe(200)
    goOn()
    expect((await listing).status).toBe(200)
    await atRest(uid)
    expect(priceOf(ebay, uid)).toBe(3_100)
  })

  it('ends with the last of several prices', async () => {
    const uid = await newItem()
    await list(uid)
    let isSent = () => {}
    const sent = new Promise<void>((resolve) => {
      isSent = resolve
    })
    let goOn = () => {}
    const gate = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const slow = ebay.adapter.listings!
    const changePrice = slow.changePrice
    let first = true
    slow.changePrice = async (access, listing) => {
      if (first) {
        first = false
        isSent()
        await gate
      }
      return changePrice(access, listing)
    }
    try {
      await change(uid, 3_000)
      await sent
      await change(uid, 2_000)
      await change(uid, 1_000)
      goOn()
      await atRest(uid)
      expect(priceOf(ebay, uid)).toBe(1_000)
    } finally {
      slow.changePrice = changePrice
    }
  })

  it('reports a price that the platform refuses', async () => {
    const uid = await newItem()
    await list(uid)
    ebay.fail('price', 'refused')
    await change(uid, 1)
    await atRest(uid)
    const events = await api('GET', '/api/v1/events/?after=0', { headers: harness.seller.key })
    expect(events.body.results.at(-1)).toMatchObject({
      type: 'listing.failed',
      inventory_item_uid: uid,
      data: { platform: 'ebay', error_code: 'platform_failed' },
    })
    expect(priceOf(ebay, uid)).toBe(4_250)
  })
})
