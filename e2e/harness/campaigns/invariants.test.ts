import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { insertShop } from '#server/selling/listings/testing/build-item.ts'
import { buildAccount } from '../account.ts'
import { createTestDatabase, type TestDatabase } from '../database/database.ts'
import { checkInvariants } from './invariants.ts'

let database: TestDatabase
let user_id: number
beforeEach(async () => {
  database = await createTestDatabase({ checked: false })
  user_id = (await buildAccount(database.db)).user_id
})
afterEach(() => database?.drop())

/** Creates an import that a worker has. */
async function insertJob(): Promise<void> {
  const shop = await insertShop(database.db, user_id, 'ebay')
  await database.db.none(
    `insert into import_job (user_id, uid, seller_account_uid, platform, source, states, lease_epoch, lease_until, status)
     values ($1, 'job_1', $2, 'ebay', 'pull', '{active}', 2, now() + interval '1 minute', 'in_progress')`,
    [user_id, shop],
  )
}

const write = (statement: string) => database.db.none(statement, [user_id])
const storeItem = `insert into import_item (user_id, job_uid, uid, external_listing_id, found, observed_at, external_sku, listing_title)
  values ($1, 'job_1', 'itm_1', 'l-1', '{}', now(), '', 'Coat')`

describe('checkInvariants', () => {
  it('accepts valid data', async () => {
    await insertJob()
    await write(`${storeItem}; update import_job set found_so_far = 1 where user_id = $1`)
    await write("update import_item set status = 'skipped', processed_at = now() where user_id = $1")
    await write('update import_job set decided_so_far = 1 where user_id = $1')
    await checkInvariants(database.db)
  })

  it('detects a wrong count of a job', async () => {
    await insertJob()
    await write(`${storeItem}; update import_job set found_so_far = 1 where user_id = $1`)
    await checkInvariants(database.db)
    await database.db.none('update import_count set conflicted = 1')
    await expect(checkInvariants(database.db)).rejects.toThrow(/I6 the status counts/)
  })

  it.each([
    ['twice', "now() + interval '1 minute'", 2],
    ['after its expiry', "now() - interval '1 minute'", 1],
  ])('detects a token used %s', async (_how, expiresAt, times) => {
    await database.db.none(
      `insert into mailbox_token (user_id, token_hash, purpose, email, expires_at)
       values ($1, sha256('token'), 'reset', 'ada@example.com', ${expiresAt})`,
      [user_id],
    )
    if (times > 1) await database.db.none('update mailbox_token set used_at = clock_timestamp()')
    if (times > 1) await checkInvariants(database.db)
    await database.db.none('update mailbox_token set used_at = clock_timestamp()')
    await expect(checkInvariants(database.db)).rejects.toThrow('I9')
  })
})
