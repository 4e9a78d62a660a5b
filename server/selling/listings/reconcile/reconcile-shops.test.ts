import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { checkInvariants } from '#e2e/harness/campaigns/invariants.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { createSeller, type Seller } from '#server/catalog/imports/testing/harness.ts'
import { storeConnection } from '#server/integrations/connections/store-connection.ts'
import { ebay } from '#server/integrations/ebay/testing/compliance-subject.ts'
import { etsy } from '#server/integrations/etsy/testing/compliance-subject.ts'
import type { LiveState } from '#server/integrations/port.ts'
import type { ComplianceRun } from '#server/integrations/testing/compliance.ts'
import { recordSale } from '#server/selling/sales/record-sale.ts'
import { OAuthSlug } from '#shared/platforms.ts'
import { reconcileShops } from './reconcile-shops.ts'

/** Runs the real adapters against the sandbox platforms over real HTTP. */
describe.each([ebay, etsy])('a listing that its seller ends on $slug', (subject) => {
  let run: ComplianceRun
  let server: TestServer
  let seller: Seller
  let gone: string
  beforeAll(async () => {
    run = await subject.start({ fetch, timeoutMs: 30_000 })
    // The tests compare the shops themselves, when they say so.
    server = await startTestServer({ platforms: [run.adapter] })
  })
  afterAll(async () => {
    await server?.close()
    await run?.close()
  })
  beforeEach(async () => {
    const { db } = server.services
    await db.none(
      "update seller_account set status = 'revoked', encrypted_access_token = null, encrypted_refresh_token = null",
    )
    const account = await buildAccount(db)
    const { oauth } = run.adapter
    const codeVerifier = oauth.pkce ? 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk' : null
    const codeChallenge = oauth.pkce ? 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM' : null
    const url = oauth.authorizeUrl({ state: 's', redirectUri: run.redirectUri, codeChallenge })
    const code = new URL(await run.consent(url, run.sellers.small, 'agree')).searchParams.get('code') ?? ''
    const grant = await oauth.exchangeCode({ code, redirectUri: run.redirectUri, codeVerifier })
    const shop = await oauth.identify(grant.access_token)
    const platform = OAuthSlug.parse(subject.slug)
    const { seller_account_uid } = await storeConnection(server.services, {
      user_id: account.user_id,
      platform,
      shop,
      grant,
    })
    seller = createSeller(server, account, { uid: seller_account_uid, platform })
    gone = run.add(run.sellers.small, `Soon ended ${Math.random()}`)
    await seller.import()
    await passTime('2 hours')
  })

  /** Moves the shop and its listings this far into the past. */
  const passTime = async (interval: string) => {
    const { db } = server.services
    await db.none(
      `update seller_account set connected_at = connected_at - $2::interval, reconciled_at = reconciled_at - $2::interval,
         listings_changed_at = listings_changed_at - $2::interval
       where uid = $1`,
      [seller.shop, interval],
    )
    await db.none('update channel_listing set updated_at = updated_at - $2::interval where seller_account_uid = $1', [
      seller.shop,
      interval,
    ])
  }
  const states = () =>
    server.services.db.any<{ listing_id: string; state: string }>(
      'select listing_id, state from channel_listing where seller_account_uid = $1 order by listing_id',
      [seller.shop],
    )
  const reconcile = () => reconcileShops(server.services, { limit: 10 })

  it('is recorded as ended within the hour, others untouched', async () => {
    const before = await states()
    expect(await reconcile()).toBe(1)
    expect(await states()).toEqual(before)
    run.remove(gone)
    expect(await reconcile()).toBe(0)
    await passTime('61 minutes')
    expect(await reconcile()).toBe(1)
    expect(await states()).toEqual(
      before.map((each) => (each.listing_id === gone ? { ...each, state: 'removed' } : each)),
    )
    const [item] = (await seller.inventory()).filter((each) => each.record.offer_id === gone)
    expect(item.record.lifecycle.state).toBe('available')
    const reported = await server.services.db.any(
      "select data from event where user_id = $1 and type = 'listing.delisted'",
      [seller.account.user_id],
    )
    expect(reported).toMatchObject([{ data: { listing_id: gone, cause: 'reconcile' } }])
    await checkInvariants(server.services.db)
  })

  it('is checked soon after the platform reports a change', async () => {
    const { db } = server.services
    await reconcile()
    run.remove(gone)
    await db.none('update seller_account set listings_changed_at = now() where uid = $1', [seller.shop])
    expect(await reconcile()).toBe(0)
    await passTime('6 minutes')
    expect(await reconcile()).toBe(1)
    expect((await states()).find(({ listing_id }) => listing_id === gone)?.state).toBe('removed')
    await passTime('6 minutes')
    expect(await reconcile()).toBe(0)
  })

  it('is found behind thousands with open operations', async () => {
    const { db } = server.services
    const values = { user_id: seller.account.user_id, shop: seller.shop, platform: subject.slug }
    await db.none(
      `insert into channel_listing (
         user_id, seller_account_uid, listing_id, item_uid, platform, url, state, extra, price_minor, currency, observed_at,
         updated_at
       )
       select user_id, seller_account_uid, '0-' || n, item_uid, platform, url, 'available', true, 1, 'USD', now(), updated_at
       from (select * from channel_listing where user_id = $<user_id> and listing_id <> $<gone> limit 1) known,
         generate_series(1, 2500) n;
       insert into listing_operation (
         user_id, kind, item_uid, platform, seller_account_uid, listing_id, cause, next_attempt_at
       )
       select user_id, 'delist', item_uid, platform, seller_account_uid, listing_id, 'user', now() + interval '1 day'
       from channel_listing where user_id = $<user_id> and listing_id = '0-1'`,
      { ...values, gone },
    )
    run.remove(gone)
    expect(await reconcileShops(server.services, { limit: 10 })).toBe(1)
    expect(
      await db.one('select state from channel_listing where user_id = $1 and listing_id = $2', [values.user_id, gone]),
    ).toEqual({ state: 'removed' })
    await db.none('delete from listing_operation where user_id = $<user_id>', values)
    await db.none("delete from channel_listing where user_id = $<user_id> and listing_id like '0-%'", values)
  })

  it('is checked less often when there are too many shops', async () => {
    const { db } = server.services
    await reconcile()
    // At 57.6 and 28.8 s each they take more than an hour and a half.
    await db.none(
      `insert into seller_account (user_id, uid, platform, external_id, external_name, url, status, reconciled_at)
       select user_id, 'sel_many' || n, platform, 'many-' || n, 'many', 'https://example.com/', status, now()
       from seller_account, generate_series(1, case platform when 'ebay' then 100 else 200 end) n where uid = $1`,
      [seller.shop],
    )
    const age = (interval: string) =>
      db.none('update seller_account set reconciled_at = reconciled_at - $2::interval where uid = $1', [
        seller.shop,
        interval,
      ])
    await age('61 minutes')
    expect(await reconcile()).toBe(0)
    await age('40 minutes')
    expect(await reconcile()).toBe(1)
    await db.none("delete from seller_account where external_name = 'many'")
  })

  /** Makes the platform answer this for every listing until the test ends. */
  function showAs(state: LiveState): void {
    const listings = run.adapter.listings!
    const { readState } = listings
    Object.assign(listings, { readState: async () => state })
    onTestFinished(() => void Object.assign(listings, { readState }))
  }
  const itemState = async () =>
    (await seller.inventory()).find((each) => each.record.offer_id === gone)?.record.lifecycle.state

  it('is recorded as ended after an unpaid order is cancelled', async () => {
    run.remove(gone)
    showAs('sold')
    await server.services.db.none("update channel_listing set state = 'reserved' where listing_id = $1", [gone])
    await passTime('61 minutes')
    await reconcile()
    expect((await states()).find(({ listing_id }) => listing_id === gone)?.state).toBe('removed')
  })

  it('holds the item while it is sold without an order', async () => {
    const { db } = server.services
    run.remove(gone)
    showAs('sold')
    for (let round = 0; round < 2; round++) {
      await passTime('61 minutes')
      await reconcile()
      expect(await itemState()).toBe('reserved')
    }
    showAs('ended')
    await passTime('61 minutes')
    await reconcile()
    expect(await itemState()).toBe('available')
    expect(
      await db.any("select from alert where user_id = $1 and kind = 'oversell'", [seller.account.user_id]),
    ).toEqual([])
  })

  it('frees the item when it is on offer again', async () => {
    run.remove(gone)
    showAs('sold')
    await passTime('61 minutes')
    await reconcile()
    expect(await itemState()).toBe('reserved')
    const { imports } = run.adapter
    const readLiveIds = imports.readLiveIds!.bind(imports)
    onTestFinished(() => void Object.assign(imports, { readLiveIds }))
    Object.assign(imports, {
      readLiveIds: async (...given: Parameters<typeof readLiveIds>) => {
        const page = await readLiveIds(...given)
        return { ...page, ids: [...page.ids, gone] }
      },
    })
    await passTime('61 minutes')
    await reconcile()
    expect(await itemState()).toBe('available')
  })

  it('becomes the sale of its order once that is read', async () => {
    const { db } = server.services
    run.remove(gone)
    showAs('sold')
    await passTime('61 minutes')
    await reconcile()
    const { user_id } = seller.account
    const at = new Date().toISOString()
    const order = {
      platform: OAuthSlug.parse(subject.slug),
      seller_account_uid: seller.shop,
      external_order_id: 'paid-at-last',
      source: 'platform' as const,
      ordered_at: at,
      modified_at: at,
      lines: [
        {
          external_line_id: '1',
          listing_id: gone,
          sku: null,
          quantity: 1,
          price_minor: 4_500,
          currency: 'USD',
          status: 'paid' as const,
        },
      ],
    }
    await recordSale(db, user_id, { order: order, evidence: { by: 'poll', seen_at: at } })
    expect(await itemState()).toBe('sold')
    expect(
      await db.any('select external_order_id, status from marketplace_order where user_id = $1', [user_id]),
    ).toEqual([{ external_order_id: 'paid-at-last', status: 'paid' }])
    expect(await db.any('select state from order_line where user_id = $1', [user_id])).toEqual([{ state: 'sold' }])
    expect(await db.any("select from alert where user_id = $1 and kind = 'oversell'", [user_id])).toEqual([])
    await passTime('61 minutes')
    await reconcile()
    expect(await itemState()).toBe('sold')
  })

  it('waits for its order and for a failing platform', async () => {
    run.remove(gone)
    const before = await states()
    const { db } = server.services
    await db.none(
      `insert into listing_operation (user_id, kind, item_uid, platform, seller_account_uid, listing_id, cause)
       select user_id, 'delist', item_uid, platform, seller_account_uid, listing_id, 'user' from channel_listing
       where seller_account_uid = $1 and listing_id = $2`,
      [seller.shop, gone],
    )
    await reconcile()
    expect(await states()).toEqual(before)
    await db.none("update listing_operation set state = 'cancelled', finished_at = now()")
    await passTime('61 minutes')
    run.fault('ids', 'http_500', 1)
    expect(await reconcile()).toBe(1)
    expect(await states()).toEqual(before)
    run.clearFaults()
  })

  describe('and relists there', () => {
    /** Ends the listing long ago, here and there, then relists it and lets an hour go by. */
    const relist = async () => {
      await passTime('61 minutes')
      run.relist(gone)
      expect(await reconcile()).toBe(1)
    }
    const endThere = async () => {
      run.end(gone)
      await reconcile()
      expect(await stateOf()).toBe('removed')
    }
    const stateOf = async () => (await states()).find(({ listing_id }) => listing_id === gone)?.state
    const item = async () => (await seller.inventory()).find((each) => each.record.offer_id === gone)
    const comingDown = () =>
      server.services.db.any(
        "select listing_id, cause from listing_operation where user_id = $1 and kind = 'delist' and state = 'open'",
        [seller.account.user_id],
      )
    const markSold = async () =>
      expect((await seller.call('POST', `/api/v1/inventory/${(await item()).uid}/mark-sold/`, {})).status).toBe(200)

    it('is live again here, so that a sale elsewhere delists it', async () => {
      await endThere()
      await relist()
      expect(await stateOf()).toBe('available')
      expect((await item()).record.lifecycle.state).toBe('available')
      expect(await comingDown()).toEqual([])
      const reported = await server.services.db.any(
        "select data from event where user_id = $1 and type = 'listing.listed'",
        [seller.account.user_id],
      )
      expect(reported).toMatchObject([{ data: { listing_id: gone, cause: 'reconcile' } }])
      await markSold()
      expect(await comingDown()).toMatchObject([{ listing_id: gone }])
      await checkInvariants(server.services.db)
    })

    it('comes down at once if the item sold meanwhile', async () => {
      await endThere()
      await markSold()
      await relist()
      expect(await comingDown()).toEqual([{ listing_id: gone, cause: 'reconcile' }])
      await checkInvariants(server.services.db)
    })

    it('comes down at once if its seller withdrew the item here', async () => {
      await endThere()
      const path = `/api/v1/inventory/${(await item()).uid}/`
      expect((await seller.call('PATCH', path, { state: 'withdrawn' })).status).toBe(200)
      await relist()
      expect(await comingDown()).toEqual([{ listing_id: gone, cause: 'reconcile' }])
    })

    it('stays up if imported as unavailable, until a sale', async () => {
      gone = run.add(run.sellers.small, `Long over ${Math.random()}`)
      run.end(gone)
      await seller.import({ states: [subject.slug === 'etsy' ? 'inactive' : 'ended'] })
      expect((await item()).record.lifecycle.state).toBe('withdrawn')
      await relist()
      expect(await stateOf()).toBe('available')
      expect(await comingDown()).toEqual([])
      await markSold()
      expect(await comingDown()).toMatchObject([{ listing_id: gone }])
    })

    it('is left alone just after we delisted it', async () => {
      await endThere()
      await server.services.db.none(
        "update seller_account set reconciled_at = reconciled_at - interval '61 minutes' where uid = $1",
        [seller.shop],
      )
      run.relist(gone)
      expect(await reconcile()).toBe(1)
      expect(await stateOf()).toBe('removed')
    })

    it('is left alone if imported as sold by an unknown buyer', async () => {
      gone = run.add(run.sellers.small, `Sold before ${Math.random()}`)
      run.sell(gone)
      await seller.import({ states: ['sold'] })
      expect(await stateOf()).toBe('sold')
      await passTime('61 minutes')
      run.relist(gone)
      expect(await reconcile()).toBe(1)
      expect([await stateOf(), await comingDown()]).toEqual(['sold', []])
    })
  })
})
