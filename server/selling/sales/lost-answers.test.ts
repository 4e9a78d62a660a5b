import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CommitCutter, startCommitCutter } from '#e2e/harness/campaigns/commit-cutter.ts'
import { createTestDatabase, type TestDatabase } from '#e2e/harness/database/database.ts'
import { closeDatabase, type Database, isDatabaseUnavailable, openDatabase } from '#server/infra/db/index.ts'
import { markSoldInPerson } from './mark-sold-in-person.ts'
import { buildListedItem, buildSeller, minute, orderFor, placeOrder } from './testing/sell.ts'

let database: TestDatabase
let cutter: CommitCutter
/** Connects through the fault injector, as the server would. */
let db: Database
beforeAll(async () => {
  database = await createTestDatabase()
  cutter = await startCommitCutter(database.url)
  db = openDatabase({ url: cutter.url, max: 4 })
})
afterAll(async () => {
  if (db) await closeDatabase(db)
  await cutter?.close()
  await database?.drop()
})

const build = async () => buildListedItem(database.db, await buildSeller(database.db))

describe('a connection that dies after COMMIT', () => {
  it('keeps the sale, and recording it again does nothing', async () => {
    const item = await build()
    cutter.cutNext(1)
    const lost = await placeOrder(db, item.user_id, orderFor(item, 'ebay')).catch((error: unknown) => error)
    expect(isDatabaseUnavailable(lost)).toBe(true)
    expect(cutter.cut).toBe(1)
    expect(await database.db.one('select state from inventory_item where uid = $1', [item.item_uid])).toEqual({
      state: 'sold',
    })
    const again = await placeOrder(db, item.user_id, orderFor(item, 'ebay'))
    expect(again.lines).toMatchObject([{ outcome: 'already_known', state: 'sold' }])
    expect(
      await database.db.one(
        `select (select count(*) from sale where user_id = $1) as sales,
           (select count(*) from listing_operation where user_id = $1) as operations,
           (select count(*) from event where user_id = $1) as events`,
        [item.user_id],
      ),
    ).toEqual({ sales: 1, operations: 1, events: 2 })
  })

  it('keeps a cancellation, a second sale and a sale in person', async () => {
    const item = await build()
    const report = async (platform: 'ebay' | 'etsy', status: 'paid' | 'cancelled', at: number) => {
      cutter.cutNext(1)
      const order = orderFor(item, platform, { status, at })
      await expect(placeOrder(db, item.user_id, order)).rejects.toSatisfy(isDatabaseUnavailable)
      return (await placeOrder(db, item.user_id, order)).lines[0]!.outcome
    }
    expect(await report('ebay', 'paid', 0)).toBe('already_known')
    expect(await report('etsy', 'paid', 1)).toBe('already_known')
    expect(await report('ebay', 'cancelled', 2)).toBe('already_known')
    const states = await database.db.map(
      'select state from order_line where user_id = $1 order by 1',
      [item.user_id],
      ({ state }) => state,
    )
    expect(states).toEqual(['cancelled', 'sold'])

    const other = await build()
    const say = () => markSoldInPerson({ db, now: () => new Date(minute(5)) }, other)
    cutter.cutNext(1)
    await expect(say()).rejects.toSatisfy(isDatabaseUnavailable)
    expect(await say()).toMatchObject({ state: 'sold', taking_down: ['ebay', 'etsy'] })
  })

  it('records every sale once through many cuts', async () => {
    const seller = await buildSeller(database.db)
    for (let round = 0; round < 30; round++) {
      const item = await buildListedItem(database.db, seller)
      cutter.cutNext(round % 3)
      const order = orderFor(item, 'ebay', { id: `r${round}` })
      for (let attempt = 0; ; attempt++) {
        try {
          await placeOrder(db, seller.user_id, order)
          break
        } catch (error) {
          if (!isDatabaseUnavailable(error) || attempt > 5) throw error
        }
      }
    }
    cutter.cutNext(0)
    expect(await database.db.one('select count(*) from sale where user_id = $1', [seller.user_id])).toEqual({
      count: 30,
    })
  })
})
