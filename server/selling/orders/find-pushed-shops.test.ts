import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#e2e/harness/database/database.ts'
import { rowsRead } from '#e2e/harness/database/rows-read.ts'
import * as sql from './queries.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ checked: false })
  await database.db.tx(async (tx) => {
    // Shops without their accounts.
    await tx.none('set local session_replication_role = replica')
    await tx.none(`
      insert into seller_account (user_id, uid, platform, external_id, external_name, url, status)
      select n, 'sel_' || n, 'ebay', 'id-' || n, 'name-' || n, 'https://example.com',
        case when n % 3 = 0 then 'reconnect_required' else 'connected' end
      from generate_series(1, 3000) n`)
  })
  await database.db.none('analyze')
})
afterAll(() => database?.drop())

it.each([
  ['its id', { external_id: 'id-7', external_name: null }],
  ['its name', { external_id: null, external_name: 'name-7' }],
  ['its name, where it must be connected again', { external_id: null, external_name: 'name-9' }],
])('a push finds its shop among thousands by %s alone', async (_, shop) => {
  expect(await rowsRead(database.db, sql.findPushedShops({ platform: 'ebay', ...shop }))).toEqual({ seller_account: 1 })
})
