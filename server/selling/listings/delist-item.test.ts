import { describe, expect, it } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { apiOf } from '#e2e/harness/api.ts'
import { startTestServer } from '#e2e/harness/server.ts'
import { newId } from '#shared/identity.ts'
import { insertItem, insertLiveListing } from './testing/build-item.ts'
import { liveOf, pathOf, useListingHarness } from './testing/harness.ts'

const harness = useListingHarness()
const { ebay, newItem, list, delist } = harness

describe('taking an item down', () => {
  it('answers delisted once the platform no longer shows it', async () => {
    const uid = await newItem()
    const { listing_id } = (await list(uid)).body
    expect(await delist(uid)).toMatchObject({ status: 200, body: { status: 'delisted', listing_id } })
    expect(liveOf(ebay, uid)).toEqual([])
    expect(await delist(uid)).toMatchObject({ status: 200, body: { status: 'not_listed' } })
  })

  it('takes down listings that Hapax did not publish', async () => {
    const uid = await newItem()
    const { listing_id } = ebay.add({})
    const { db } = harness
    await insertLiveListing(db, {
      user_id: harness.seller.user_id,
      item_uid: uid,
      seller_account_uid: harness.shop,
      platform: 'ebay',
      listing_id,
    })
    expect(await delist(uid)).toMatchObject({ status: 200, body: { status: 'delisted', listing_id } })
    expect(ebay.live().map((one) => one.listing_id)).not.toContain(listing_id)
  })

  it('answers delisting while the platform still shows it', async () => {
    const uid = await newItem()
    await list(uid)
    ebay.lagMs = 500
    const began = performance.now()
    expect(await delist(uid)).toMatchObject({ status: 200, body: { status: 'delisted' } })
    expect(performance.now() - began).toBeGreaterThan(450)
  })

  it('succeeds through lost answers and outages', async () => {
    const uid = await newItem()
    await list(uid)
    ebay.fail('withdraw', 'not_sent', 2)
    ebay.fail('withdraw', 'reply_lost')
    expect(await delist(uid)).toMatchObject({ status: 200, body: { status: 'delisted' } })
  })

  it('needs no subscription, address or general rate limit', async () => {
    const { db } = harness
    const uid = await newItem()
    await list(uid)
    await db.none("update app_user set created_at = now() - interval '400 days' where id = $1", [
      harness.seller.user_id,
    ])
    await db.none('delete from postal_address where user_id = $1', [harness.seller.user_id])
    expect(await list(await newItem())).toMatchObject({ status: 402 })
    expect(await delist(uid)).toMatchObject({ status: 200, body: { status: 'delisted' } })
  })

  it('ignores a used-up rate limit, and so does marking as sold', async () => {
    const limited = await startTestServer({ works: false, limits: { keyPerMinute: 3, userPerMinute: 3 } })
    try {
      const holder = await buildAccount(limited.services.db)
      const uid = await insertItem(limited.services.db, holder.user_id)
      const ask = (path: string, headers: Record<string, string>, body?: object) =>
        apiOf(limited.url)('POST', path, { headers, body })
      for (const headers of [holder.bearer, holder.key]) {
        const listing = () => ask(pathOf(uid, 'depop', 'list'), headers, { price: '5' })
        for (let count = 0; count < 6; count++) await listing()
        expect((await listing()).status).toBe(429)
        expect((await ask(pathOf(uid, 'ebay', 'delist'), headers)).status).toBe(200)
        const bulk = { uids: [uid], platforms: ['ebay'] }
        expect((await ask('/api/v1/inventory/bulk/delist/', headers, bulk)).status).toBe(202)
        expect((await ask(`/api/v1/inventory/${uid}/mark-sold/`, headers, {})).status).toBe(200)
      }
    } finally {
      await limited.close()
    }
  })

  it('answers 404 for unknown items and platforms alike', async () => {
    const foreign = await newItem({}, await buildAccount(harness.db))
    for (const [uid, slug] of [
      [foreign, 'ebay'],
      [newId('inv'), 'ebay'],
      [await newItem(), 'amazon'],
    ] as const) {
      expect(await delist(uid, slug)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    }
  })

  it('leaves nothing live when it races the listing', async () => {
    const uid = await newItem()
    const taken: ReturnType<typeof delist>[] = []
    ebay.during = async (call) => {
      if (call !== 'publish' || taken.length > 0) return
      taken.push(delist(uid))
      await expect
        .poll(() =>
          harness.db.one('select cancel_requested_at is not null as asked from listing_operation where item_uid = $1', [
            uid,
          ]),
        )
        .toEqual({ asked: true })
    }
    await list(uid)
    expect((await taken[0])?.body).toMatchObject({ status: 'delisted' })
    expect(liveOf(ebay, uid)).toEqual([])
  })
})
