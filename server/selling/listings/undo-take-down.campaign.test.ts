import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { apiOf } from '#e2e/harness/api.ts'
import { atEachBorder, endAt, openBorders } from '#e2e/harness/campaigns/borders.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { newId } from '#shared/identity.ts'
import { takeDown } from './take-down.ts'
import {
  insertAddress,
  insertItem,
  insertLiveListing,
  insertPublished,
  insertWorkingShop,
} from './testing/build-item.ts'
import { createFakeMarket } from './testing/fake-market.ts'
import { runOpen } from './testing/run-open.ts'

describe('undoing a take-down that has not ended', () => {
  const market = createFakeMarket('etsy')
  let server: TestServer
  let seller: TestAccount
  let uid: string
  let first: string
  beforeAll(async () => {
    server = await startTestServer({ works: false, platforms: [market.adapter] })
  })
  afterAll(() => server?.close())
  beforeEach(() => listItem())
  const listItem = async () => {
    const { db } = server.services
    seller = await buildAccount(db)
    const { user_id } = seller
    await insertAddress(db, user_id)
    uid = await insertItem(db, user_id)
    const seller_account_uid = await insertWorkingShop(server.services, user_id, 'etsy')
    first = market.add({}).listing_id
    const listing = { user_id, item_uid: uid, seller_account_uid, platform: 'etsy', listing_id: first } as const
    await insertLiveListing(db, listing)
    await insertPublished(db, listing)
  }
  const end = async () => {
    const change_uid = newId('chg')
    const asked = { user_id: seller.user_id, item_uid: uid, platform: 'etsy', change_uid } as const
    await server.services.db.tx((tx) => takeDown(tx, { ...asked, cause: 'user', cause_ref: null }))
    return change_uid
  }
  const undo = (change: string) =>
    apiOf(server.url)('POST', `/api/v1/changes/${change}/undo/`, { headers: seller.bearer })
  const operations = () =>
    server.services.db.any('select kind, state from listing_operation where item_uid = $1 order by created_at', [uid])
  const hasBegun = async () =>
    (
      await server.services.db.one<{ attempts: number }>(
        "select attempts from listing_operation where item_uid = $1 and kind = 'delist'",
        [uid],
      )
    ).attempts > 0
  const live = () =>
    server.services.db.map(
      "select listing_id from channel_listing where item_uid = $1 and state = 'available'",
      [uid],
      ({ listing_id }) => listing_id,
    )

  it('cancels an end that no worker has begun', async () => {
    const change = await end()
    expect(await undo(change)).toMatchObject({ body: { undone: 1, kept: 0 } })
    expect(await operations()).toEqual([
      { kind: 'list', state: 'done' },
      { kind: 'delist', state: 'cancelled' },
    ])
    expect(await live()).toEqual([first])
    expect(market.calls).toEqual([])
  })

  it('lists again after a worker died before any statement, commit or call', async () => {
    const { services } = server
    let begun = 0
    await atEachBorder(async (border) => {
      await listItem()
      const change = await end()
      const worker = openBorders(services, { at: endAt(border) })
      await runOpen(services, uid, worker)
      await worker.close()
      const isBegun = await hasBegun()
      expect(await undo(change)).toMatchObject({ body: { undone: 1, kept: 0 } })
      await runOpen(services, uid)
      // The worker died before it claimed the end.
      if (!isBegun) {
        expect(await operations()).toEqual([
          { kind: 'list', state: 'done' },
          { kind: 'delist', state: 'cancelled' },
        ])
        expect(await live()).toEqual([first])
        return worker.crossed
      }
      begun++
      expect(await operations()).toEqual(['list', 'delist', 'list'].map((kind) => ({ kind, state: 'done' })))
      expect(market.listings.find(({ listing_id }) => listing_id === first)?.state).toBe('ended')
      expect(await live()).toEqual([market.live().at(-1)?.listing_id])
      return worker.crossed
    })
    expect(begun).toBeGreaterThan(3)
  })
})
