import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { messagesTo } from '#e2e/harness/outbox.ts'
import { PlatformError } from '#server/integrations/errors.ts'
import { mailAlerts } from '#server/selling/alerts/mail-alerts.ts'
import { recordSale } from '#server/selling/sales/record-sale.ts'
import { orderFor } from '#server/selling/sales/testing/sell.ts'
import { useListingHarness } from '../testing/harness.ts'

const harness = useListingHarness()
const { api, etsy, newItem, list, delist } = harness

let withdraw: NonNullable<typeof etsy.adapter.listings>['withdraw']
beforeEach(async () => {
  const port = etsy.adapter.listings!
  withdraw = port.withdraw
  port.withdraw = async () => {
    throw new PlatformError('etsy', 'unavailable', 'Etsy answered 503.')
  }
  await harness.db.none('update app_user set email_verified = true where id = $1', [harness.seller.user_id])
})
afterEach(() => {
  etsy.adapter.listings!.withdraw = withdraw
})

/** Sells an item on eBay while Etsy fails. Returns its uid. */
async function sellWhileEtsyFails(): Promise<string> {
  const uid = await newItem()
  const { listing_id } = (await list(uid)).body as { listing_id: string }
  await list(uid, 'etsy')
  const shops = { ebay: harness.shop }
  await recordSale(harness.db, harness.seller.user_id, {
    order: orderFor({ user_id: harness.seller.user_id, item_uid: uid, shops }, 'ebay', { id: uid, listing_id }),
    evidence: { by: 'poll', seen_at: new Date().toISOString() },
  })
  return uid
}
/** Lets the take-down have begun so many seconds ago, and be tried now. */
const began = (uid: string, seconds: number) =>
  harness.db.none(
    `update listing_operation set seen_at = now() - $2 * interval '1 second', next_attempt_at = now()
     where item_uid = $1 and kind = 'delist' and state = 'open'`,
    [uid, seconds],
  )
const failures = async (uid: string): Promise<number> =>
  (await harness.db.one("select failures from listing_operation where item_uid = $1 and kind = 'delist'", [uid]))
    .failures
const alerts = async () => (await api('GET', '/api/v1/alarms/', { headers: harness.seller.key })).body.results
const events = (uid: string) =>
  harness.db.any("select seq from event where item_uid = $1 and type = 'listing.delist_overdue'", [uid])
const mails = async () => {
  await mailAlerts(harness.server.services)
  return (await messagesTo(harness.server.services, harness.seller.email)).filter(
    ({ template }) => template === 'alert',
  )
}

describe('a failing take-down of a sold item', () => {
  it('is shown within the first minute, and mailed after five', async () => {
    const uid = await sellWhileEtsyFails()
    await expect.poll(() => failures(uid)).toBeGreaterThan(0)
    expect(await alerts()).toEqual([])
    await began(uid, 11)
    await expect
      .poll(alerts)
      .toMatchObject([{ kind: 'delist_overdue', platform: 'etsy', sold_on: 'ebay', progress: { state: 'retrying' } }])
    expect([await events(uid), await mails()]).toEqual([[], []])
    await began(uid, 301)
    await expect.poll(() => events(uid)).toHaveLength(1)
    expect(await mails()).toMatchObject([{ subject: expect.stringMatching(/^Still live on Etsy/) }])
    expect(await alerts()).toHaveLength(1)
    await began(uid, 400)
    const before = await failures(uid)
    await expect.poll(() => failures(uid)).toBeGreaterThan(before)
    expect([await events(uid), await mails()]).toMatchObject([{ length: 1 }, { length: 1 }])
  })

  it('is over once the listing is down', async () => {
    const uid = await sellWhileEtsyFails()
    await began(uid, 11)
    await expect.poll(alerts).toHaveLength(1)
    etsy.adapter.listings!.withdraw = withdraw
    await began(uid, 12)
    await expect.poll(alerts).toEqual([])
    expect(await mails()).toEqual([])
  })

  it('stays put aside until it is overdue', async () => {
    const uid = await sellWhileEtsyFails()
    await began(uid, 11)
    await expect.poll(alerts).toHaveLength(1)
    const [{ uid: alert }] = await alerts()
    await api('POST', `/api/v1/alarms/${alert}/dismiss/`, { headers: harness.seller.key })
    const before = await failures(uid)
    await began(uid, 20)
    await expect.poll(() => failures(uid)).toBeGreaterThan(before)
    expect(await alerts()).toEqual([])
    await began(uid, 301)
    await expect.poll(alerts).toHaveLength(1)
  })
})

it('does not show a take-down of an available item before it is overdue', async () => {
  const uid = await newItem()
  await list(uid, 'etsy')
  const delisting = delist(uid, 'etsy')
  await expect.poll(() => failures(uid)).toBeGreaterThan(0)
  const before = await failures(uid)
  await began(uid, 60)
  await expect.poll(() => failures(uid)).toBeGreaterThan(before)
  expect(await alerts()).toEqual([])
  await began(uid, 301)
  await expect.poll(alerts).toMatchObject([{ kind: 'delist_overdue', sold_on: null }])
  etsy.adapter.listings!.withdraw = withdraw
  await began(uid, 302)
  expect((await delisting).status).toBe(200)
})
