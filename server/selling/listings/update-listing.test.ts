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

describe('updating a live listing', () => {
  const change = (uid: string, body: object) =>
    api('PATCH', `/api/v1/inventory/${uid}/`, { headers: harness.seller.bearer, body })
  const update = (uid: string, body: object, slug = 'ebay') =>
    api('POST', pathOf(uid, slug, 'update'), { headers: harness.seller.bearer, body })
  const shownBy = (market: FakeMarket, uid: string) => {
    const { title, description, images } = liveOf(market, uid)[0]!.request
    return { title, description, images, price_minor: liveOf(market, uid)[0]!.price_minor }
  }
  const atRest = (uid: string) => expect.poll(() => openOperations(uid)).toEqual([])
  const listed = async (...slugs: string[]) => {
    const uid = await newItem()
    for (const slug of slugs) await list(uid, slug)
    return uid
  }
  /** Holds the first call of this name until it is released. */
  const hold = (market: FakeMarket, name: string) => {
    const sent = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    let isFirst = true
    market.during = async (call) => {
      if (call !== name || !isFirst) return
      isFirst = false
      sent.resolve()
      await gate.promise
    }
    return { sent: sent.promise, release: () => gate.resolve() }
  }

  it('sends what changes to the named platforms alone', async () => {
    const uid = await listed('ebay', 'etsy')
    const before = shownBy(etsy, uid)
    const body = {
      title: 'A new title',
      description: 'New words.',
      images: ['https://example.com/2.jpg'],
      offer: { price_minor: 3_900 },
      update_listings: ['ebay'],
    }
    expect((await change(uid, body)).status).toBe(200)
    await atRest(uid)
    expect(shownBy(ebay, uid)).toEqual({
      title: 'A new title',
      description: 'New words.',
      images: ['https://example.com/2.jpg'],
      price_minor: 3_900,
    })
    expect(shownBy(etsy, uid)).toEqual(before)
  })

  it('sends measurements in the units of the seller', async () => {
    const uid = await listed('ebay')
    expect(shownBy(ebay, uid).description).not.toContain('Measurements')
    await change(uid, { attributes: { particulars: { pit_to_pit: 533 } }, update_listings: ['ebay'] })
    await atRest(uid)
    expect(shownBy(ebay, uid).description).toContain('Measurements\nPit to pit: 21 in')
    const settings = { headers: harness.seller.bearer, body: { units: 'metric' } }
    expect((await api('PUT', '/api/v1/user/settings/', settings)).body.units).toBe('metric')
    await update(uid, { fields: ['description'] })
    await atRest(uid)
    expect(shownBy(ebay, uid).description).toContain('Measurements\nPit to pit: 53.3 cm')
  })

  it('sends only fields that changed', async () => {
    const uid = await listed('ebay')
    await change(uid, { title: 'A new title', description: '', update_listings: ['ebay'] })
    await atRest(uid)
    expect(ebay.updates).toMatchObject([{ fields: ['title'] }])
  })

  it('sends nothing for an empty list, not even the price', async () => {
    const uid = await listed('ebay')
    await change(uid, { title: 'Another', offer: { price_minor: 3_900 }, update_listings: [] })
    await atRest(uid)
    expect(shownBy(ebay, uid).price_minor).toBe(4_250)
    expect(ebay.updates).toEqual([])
  })

  it('refuses a platform where only the seller can edit', async () => {
    const uid = await listed('ebay')
    expect(await change(uid, { title: 'Another', update_listings: ['ebay', 'poshmark'] })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'update_listings.1', code: 'invalid_value' }] },
    })
    const item = await api('GET', `/api/v1/inventory/${uid}/`, { headers: harness.seller.bearer })
    expect(item.body.version).toBe(1)
  })

  it('sends the item as it is when the worker runs', async () => {
    const uid = await listed('ebay')
    await change(uid, { title: 'Kept here', update_listings: [] })
    ebay.fail('content', 'reply_lost')
    expect(await update(uid, { fields: ['title', 'price'] })).toMatchObject({ status: 200, body: { status: 'listed' } })
    expect(shownBy(ebay, uid)).toMatchObject({ title: 'Kept here', price_minor: 4_250 })
  })

  it('answers with the reason of a refusal', async () => {
    const uid = await listed('ebay')
    ebay.fail('content', 'refused')
    expect(await update(uid, { fields: ['title'] })).toMatchObject({
      status: 502,
      body: { code: 'platform_failed', detail: 'The title is too long.' },
    })
    const events = await api('GET', '/api/v1/events/?after=0', { headers: harness.seller.key })
    expect(events.body.results.at(-1)).toMatchObject({ type: 'listing.failed', data: { action: 'update' } })
  })

  const updateOf = async (uid: string) => {
    const item = await api('GET', `/api/v1/inventory/${uid}/`, { headers: harness.seller.bearer })
    return item.body.listings[0].update
  }

  it('shows a refusal with the listing until an update succeeds', async () => {
    const uid = await listed('ebay')
    ebay.fail('content', 'refused')
    await change(uid, { title: 'Refused', offer: { price_minor: 3_900 }, update_listings: ['ebay'] })
    await atRest(uid)
    expect(await updateOf(uid)).toMatchObject({
      state: 'failed',
      fields: ['price', 'title'],
      error_code: 'platform_failed',
      error_message: 'The title is too long.',
    })
    await update(uid, { fields: ['title'] })
    expect(await updateOf(uid)).toBeUndefined()
  })

  const refusals = async (state = 'open') => {
    const { body } = await api('GET', `/api/v1/alarms/?state=${state}`, { headers: harness.seller.key })
    return body.results.filter(({ kind }: { kind: string }) => kind === 'update_refused')
  }

  it('raises an alert until the listing has what was refused', async () => {
    const uid = await listed('ebay')
    ebay.fail('content', 'refused')
    await change(uid, { title: 'Refused', offer: { price_minor: 3_900 }, update_listings: ['ebay'] })
    await atRest(uid)
    expect(await refusals()).toMatchObject([
      {
        platform: 'ebay',
        inventory_item_uid: uid,
        title: 'Refused',
        seller_account_uid: expect.stringMatching(/^sel_/),
        listing_url: expect.stringMatching(/^https:/),
        progress: { state: 'waiting_for_seller', last_error: 'The title is too long.' },
        actions: [
          { action: 'edit_item', url: expect.stringMatching(new RegExp(`/app/#item/${uid}/edit$`)) },
          { action: 'dismiss', url: null },
        ],
        suggestion: 'edit_item',
      },
    ])
    await update(uid, { fields: ['description'] })
    expect(await refusals()).toHaveLength(1)
    await update(uid, { fields: ['title'] })
    expect(await refusals()).toEqual([])
    expect(await refusals('resolved')).toHaveLength(1)
  })

  it('adds a second refusal to the alert', async () => {
    const uid = await listed('ebay')
    for (const field of ['title', 'description'] as const) {
      ebay.fail('content', 'refused')
      await update(uid, { fields: [field] })
    }
    expect(await refusals()).toHaveLength(1)
    await update(uid, { fields: ['title'] })
    expect(await refusals()).toHaveLength(1)
    await update(uid, { fields: ['description'] })
    expect(await refusals()).toEqual([])
  })

  it('drops the alert with the listing', async () => {
    const uid = await listed('ebay')
    ebay.fail('content', 'refused')
    await update(uid, { fields: ['title'] })
    expect(await refusals()).toHaveLength(1)
    expect((await harness.delist(uid)).status).toBe(200)
    expect(await refusals()).toEqual([])
  })

  it('shows an update that is under way', async () => {
    const uid = await listed('ebay')
    const { sent, release } = hold(ebay, 'content')
    await change(uid, { title: 'New', update_listings: ['ebay'] })
    await sent
    expect(await updateOf(uid)).toMatchObject({ state: 'pending', fields: ['title'], error_code: null })
    release()
    await atRest(uid)
  })

  it('keeps the new price if the content is refused', async () => {
    const uid = await listed('ebay')
    ebay.fail('content', 'refused')
    await change(uid, { title: 'Refused', offer: { price_minor: 3_900 }, update_listings: ['ebay'] })
    await atRest(uid)
    expect(shownBy(ebay, uid).price_minor).toBe(3_900)
    expect(await harness.db.one('select price_minor from channel_listing where item_uid = $1', [uid])).toEqual({
      price_minor: 3_900,
    })
  })

  it('answers 409 where the item is not live or cannot be edited', async () => {
    const uid = await listed('ebay')
    expect((await update(uid, { fields: ['title'] }, 'etsy')).status).toBe(409)
    expect((await update(uid, { fields: ['title'] }, 'depop')).status).toBe(409)
    expect((await update(uid, { fields: [] })).status).toBe(400)
  })

  it('merges the fields of open updates', async () => {
    const uid = await listed('ebay')
    const { sent, release } = hold(ebay, 'content')
    await change(uid, { title: 'First', update_listings: ['ebay'] })
    await sent
    await change(uid, { description: 'Second', update_listings: ['ebay'] })
    await change(uid, { offer: { price_minor: 3_900 } })
    await change(uid, { images: ['https://example.com/3.jpg'], update_listings: ['ebay'] })
    expect(await openOperations(uid)).toHaveLength(2)
    release()
    await atRest(uid)
    expect(ebay.updates.map(({ fields }) => fields)).toEqual([['title'], ['description', 'images', 'title']])
    expect(shownBy(ebay, uid)).toEqual({
      title: 'First',
      description: 'Second',
      images: ['https://example.com/3.jpg'],
      price_minor: 3_900,
    })
  })

  it('reaches a listing that is being published', async () => {
    const uid = await newItem()
    const { sent, release } = hold(ebay, 'publish')
    const listing = list(uid)
    await sent
    await change(uid, { title: 'Changed meanwhile', update_listings: ['ebay'] })
    release()
    await listing
    await atRest(uid)
    expect(shownBy(ebay, uid).title).toBe('Changed meanwhile')
  })

  it('sends nothing of an item that was sold meanwhile', async () => {
    const uid = await listed('ebay', 'etsy')
    const { sent, release } = hold(etsy, 'content')
    await change(uid, { title: 'First', update_listings: ['etsy'] })
    await sent
    await change(uid, { title: 'Second', update_listings: ['etsy'] })
    await api('POST', `/api/v1/inventory/${uid}/mark-sold/`, { headers: harness.seller.bearer, body: {} })
    release()
    await atRest(uid)
    expect(etsy.updates).toHaveLength(1)
    expect(await update(uid, { fields: ['title'] })).toMatchObject({ status: 409 })
  })
})
