import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { createTestDatabase, type TestDatabase } from '#e2e/harness/database/database.ts'
import { insertItem, insertLiveListing, insertShop } from '../testing/build-item.ts'
import { queueDelisting } from './queue-delisting.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

describe('queueing delists', () => {
  it('delists every other live listing, or opens a task', async () => {
    const { db } = database
    const { user_id } = await buildAccount(db)
    const item_uid = await insertItem(db, user_id)
    for (const platform of ['ebay', 'etsy', 'depop'] as const) {
      const shop = await insertShop(db, user_id, platform)
      await insertLiveListing(db, {
        user_id,
        item_uid,
        seller_account_uid: shop,
        platform,
        listing_id: `${platform}-1`,
      })
    }
    const order = {
      user_id,
      item_uid,
      except: { platform: 'ebay', listing_id: 'ebay-1' },
      cause: 'sale',
      cause_ref: 'ord_1',
      reason: 'Sold on eBay',
    } as const
    const first = await db.tx((tx) => queueDelisting(tx, order))
    expect(first.operations).toMatchObject([{ platform: 'etsy', listing_id: 'etsy-1' }])
    expect(first.tasks).toEqual(['depop'])
    const again = await db.tx((tx) => queueDelisting(tx, order))
    expect(again.operations).toEqual(first.operations)
    expect(await db.one('select count(*)::int as n from listing_operation')).toEqual({ n: 1 })
    expect(await db.any('select kind, platform, reason, listing_id from extension_task')).toEqual([
      { kind: 'delist', platform: 'depop', reason: 'Sold on eBay', listing_id: 'depop-1' },
    ])
  })

  it('leaves other users and items alone', async () => {
    const { db } = database
    const [one, other] = [await buildAccount(db), await buildAccount(db)]
    const item_uid = await insertItem(db, other.user_id)
    const shop = await insertShop(db, other.user_id, 'etsy')
    await insertLiveListing(db, {
      user_id: other.user_id,
      item_uid,
      seller_account_uid: shop,
      platform: 'etsy',
      listing_id: 'etsy-2',
    })
    const made = await db.tx((tx) =>
      queueDelisting(tx, {
        user_id: one.user_id,
        item_uid,
        except: null,
        cause: 'user',
        reason: 'You took it down',
      }),
    )
    expect(made).toEqual({ operations: [], tasks: [], cancelled: [] })
  })
})
