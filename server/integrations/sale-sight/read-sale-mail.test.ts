import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { createTestDatabase, type TestDatabase } from '#e2e/harness/database/database.ts'
import { listPlatforms } from '#server/integrations/connections/list-platforms.ts'
import { insertItem, insertLiveListing, insertShop } from '#server/selling/listings/testing/build-item.ts'
import { newOrderedId } from '#shared/identity.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import { stateOf } from './read-sale-mail.ts'

const now = new Date('2026-06-15T12:00:00Z')
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000).toISOString()

describe('sale mail of a marketplace', () => {
  it.each([
    ['off', { since: null, last_at: daysAgo(1), live: 9 }],
    ['waiting', { since: daysAgo(29), last_at: null, live: 200 }],
    ['silent', { since: daysAgo(31), last_at: null, live: 200 }],
    ['silent', { since: daysAgo(90), last_at: daysAgo(31), live: 1 }],
    ['working', { since: daysAgo(90), last_at: daysAgo(29), live: 200 }],
    ['working', { since: daysAgo(1), last_at: daysAgo(60), live: 200 }],
    ['working', { since: daysAgo(90), last_at: daysAgo(60), live: 0 }],
  ] as const)('is %s: %j', (state, facts) => {
    expect(stateOf(facts, now)).toBe(state)
  })
})

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

async function buildSeller(platforms: PlatformSlug[]) {
  const { db } = database
  const { user_id } = await buildAccount(db)
  const item_uid = await insertItem(db, user_id, {})
  for (const platform of platforms) {
    const seller_account_uid = await insertShop(db, user_id, platform)
    await insertLiveListing(db, { user_id, item_uid, seller_account_uid, platform, listing_id: newOrderedId('itm') })
  }
  const useAddress = (days: number) =>
    db.none(
      `insert into sale_mail_address (user_id, address_hash, encrypted_address, used_at)
       values ($1, $2, '', now() - make_interval(days => $3))`,
      [user_id, Buffer.from(newOrderedId('mal')), days],
    )
  const receive = (marketplace: string, days: number, outcome = 'held') =>
    db.none(
      `insert into sale_mail (user_id, uid, via, size, received_at, outcome, reason, marketplace)
       values ($1, $2, 'smtp', 1, now() - make_interval(days => $3), $4, $5, $6)`,
      [user_id, newOrderedId('mal'), days, outcome, outcome === 'refused' ? 'signature' : null, marketplace],
    )
  const states = async () =>
    Object.fromEntries((await listPlatforms(db, user_id)).map(({ slug, sale_mail }) => [slug, sale_mail]))
  return { user_id, useAddress, receive, states }
}

it('tells which marketplaces have gone silent since it was set up', async () => {
  const seller = await buildSeller(['ebay', 'poshmark', 'mercari'])
  const off = { state: 'off', last_at: null, live_listings: 1 }
  expect(await seller.states()).toEqual({ ebay: null, etsy: null, depop: null, poshmark: off, mercari: off })
  await seller.useAddress(40)
  await seller.receive('poshmark', 3)
  await seller.receive('poshmark', 50)
  await seller.receive('mercari', 2, 'refused')
  await seller.receive('ebay', 35, 'fetched')
  expect(await seller.states()).toMatchObject({
    ebay: { state: 'working', live_listings: 0 },
    etsy: null,
    poshmark: { state: 'working', last_at: expect.any(String), live_listings: 1 },
    mercari: { state: 'silent', last_at: null, live_listings: 1 },
  })
})

it('counts a mailbox as set up', async () => {
  const seller = await buildSeller(['depop'])
  await database.db.none(
    `insert into sale_mailbox (user_id, host, port, tls, username, encrypted_password, folder, created_at)
     values ($1, 'mail.example.com', 993, 'implicit', 'a', '', 'INBOX', now() - interval '2 days')`,
    [seller.user_id],
  )
  expect((await seller.states()).depop).toMatchObject({ state: 'waiting' })
  await database.db.none("update sale_mailbox set created_at = now() - interval '31 days' where user_id = $1", [
    seller.user_id,
  ])
  expect((await seller.states()).depop).toMatchObject({ state: 'silent' })
})
