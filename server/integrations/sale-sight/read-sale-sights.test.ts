import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { createTestDatabase, type TestDatabase } from '#e2e/harness/database/database.ts'
import { listPlatforms } from '#server/integrations/connections/list-platforms.ts'
import { insertShop } from '#server/selling/listings/testing/build-item.ts'
import { newOrderedId } from '#shared/identity.ts'
import type { PlatformSlug } from '#shared/platforms.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

/** Builds an account with a shop, and returns how soon a sale in it would be seen. */
async function sightOf(platform: PlatformSlug, columns: { shop?: string; sync?: string } = {}) {
  const { db } = database
  const { user_id } = await buildAccount(db)
  const uid = await insertShop(db, user_id, platform)
  if (columns.shop) await db.none(`update seller_account set ${columns.shop} where uid = $1`, [uid])
  if (columns.sync) {
    await db.none('insert into order_sync (user_id, seller_account_uid, platform) values ($1, $2, $3)', [
      user_id,
      uid,
      platform,
    ])
    await db.none(`update order_sync set ${columns.sync} where seller_account_uid = $1`, [uid])
  }
  const found = (await listPlatforms(db, user_id)).find(({ slug }) => slug === platform)!.sale_sight
  return { ...found, by: found?.witnesses.map(({ by }) => by) }
}

const read = 'last_success_at = now()'

it.each([
  ['seconds', 'ebay', { shop: "sale_notices = 'subscribed'", sync: read }],
  ['seconds', 'etsy', { sync: `${read}, last_push_at = now() - interval '2 days'` }],
  ['minutes', 'etsy', { sync: `${read}, last_push_at = now() - interval '2 days', last_missed_push_at = now()` }],
  ['minutes', 'ebay', { shop: "sale_notices = 'subscribed'", sync: `${read}, last_missed_push_at = now()` }],
  ['minutes', 'ebay', { shop: "sale_notices = 'consent_needed'", sync: `${read}, interval_seconds = 300` }],
  ['hours', 'etsy', { sync: `${read}, interval_seconds = 21600` }],
  ['none', 'ebay', { shop: "status = 'reconnect_required', sale_notices = 'subscribed'", sync: read }],
  ['none', 'etsy', { sync: "last_success_at = now() - interval '2 hours', last_push_at = now()" }],
  ['none', 'etsy', { sync: `${read}, failures = 1` }],
  ['browser', 'poshmark', {}],
  ['browser', 'depop', {}],
] as const)('a sale is seen within %s: %s %j', async (speed, platform, columns) => {
  expect((await sightOf(platform, columns)).speed).toBe(speed)
})

it('names what would tell of a sale', async () => {
  const ebay = await sightOf('ebay', { shop: "sale_notices = 'subscribed'", sync: `${read}, interval_seconds = 300` })
  expect(ebay).toMatchObject({ seconds: 300, by: ['api', 'notice', 'comparison'] })
  expect((await sightOf('mercari', { shop: 'last_seen_at = now()' })).witnesses).toMatchObject([
    { by: 'page', last_at: expect.any(String) },
  ])
})

it('is of the shop where it takes longest, and null without one', async () => {
  const { db } = database
  const { user_id } = await buildAccount(db)
  expect((await listPlatforms(db, user_id)).map(({ sale_sight }) => sale_sight)).toEqual([null, null, null, null, null])
  for (const columns of ["sale_notices = 'subscribed'", "status = 'reconnect_required'"]) {
    const uid = await insertShop(db, user_id, 'ebay')
    await db.none(`update seller_account set ${columns} where uid = $1`, [uid])
  }
  expect((await listPlatforms(db, user_id))[0]!.sale_sight!.speed).toBe('none')
})

it.each([
  ['minutes', 'smtp', 'held', '10 days', null],
  ['browser', 'smtp', 'held', '31 days', null],
  ['browser', 'smtp', 'unmatched', '1 day', null],
  ['browser', 'smtp', 'ambiguous', '1 day', null],
  ['browser', 'smtp', 'refused', '1 day', null],
  ['minutes', 'imap', 'held', '1 day', 'waiting'],
  ['browser', 'imap', 'held', '1 day', 'failed'],
  ['browser', 'imap', 'held', '1 day', null],
] as const)(
  'a sale on Poshmark is seen within %s: by %s, %s, %s ago, mailbox %s',
  async (speed, via, outcome, age, state) => {
    const { db } = database
    const { user_id } = await buildAccount(db)
    await insertShop(db, user_id, 'poshmark')
    await db.none(
      `insert into sale_mail (user_id, uid, via, size, received_at, outcome, reason, marketplace, kind)
    values ($1, $2, $3, 1, now() - $4::interval, $5, $6, 'poshmark', 'sale')`,
      [user_id, newOrderedId('mal'), via, age, outcome, outcome === 'refused' ? 'signature' : null],
    )
    if (state) {
      await db.none(
        `insert into sale_mailbox (user_id, host, port, tls, username, encrypted_password, folder, state)
      values ($1, 'mail.example.com', 993, 'implicit', 'a', '', 'INBOX', $2)`,
        [user_id, state],
      )
    }
    const sight = (await listPlatforms(db, user_id)).find(({ slug }) => slug === 'poshmark')!.sale_sight!
    expect(sight.speed).toBe(speed)
    expect(sight.witnesses.map(({ by }) => by)).toEqual(speed === 'minutes' ? ['page', 'mail'] : ['page'])
  },
)
