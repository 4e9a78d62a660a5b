import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { messagesTo } from '#e2e/harness/outbox.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { storeConnection } from '#server/integrations/connections/store-connection.ts'
import { type RunningEbaySandbox, startEbaySandbox } from '#server/integrations/ebay/testing/ebay-sandbox.ts'
import { mailAlerts } from '#server/selling/alerts/mail-alerts.ts'
import { insertLiveListing, insertShop } from '#server/selling/listings/testing/build-item.ts'
import { recordSale } from '#server/selling/sales/record-sale.ts'
import { listingOf, orderFor } from '#server/selling/sales/testing/sell.ts'
import { createSeller, type Seller } from './testing/harness.ts'

const [inLastHours, earlier, lamp] = ['278100000001', '278100000002', '278100000003'] as const
const seller = 'bidding_ben'

let ebay: RunningEbaySandbox
let server: TestServer
let ben: Seller
let user: { user_id: number; email: string }
let aheadMs = 0
beforeAll(async () => {
  ebay = await startEbaySandbox(
    { clock: () => new Date(Date.now() + aheadMs) },
    { now: () => new Date(Date.now() + aheadMs) },
  )
  server = await startTestServer({ platforms: [ebay.adapter] })
  const account = await buildAccount(server.services.db)
  user = account
  await server.services.db.none('update app_user set email_verified = true where id = $1', [account.user_id])
  const grant = {
    ...ebay.sandbox.grant(seller),
    ...{ expires_in_seconds: 7_200, refresh_expires_in_seconds: null, scopes: [] },
  }
  const shop = { external_id: ebay.sandbox.market.seller(seller)!.userId, external_name: seller, url: ebay.url }
  const { seller_account_uid } = await storeConnection(server.services, { ...account, platform: 'ebay', shop, grant })
  ben = createSeller(server, account, { uid: seller_account_uid, platform: 'ebay' })
})
afterAll(async () => {
  await server?.close()
  await ebay?.sandbox.close()
})

const itemOf = async (listing_id: string) => {
  const [found] = (await ben.inventory()).filter(({ record }) => record.offer_id === listing_id)
  return (await ben.call('GET', `/api/v1/inventory/${found!.uid}/`)).body
}
const alerts = async () => (await ben.call('GET', '/api/v1/alarms/')).body.results
const alertsOf = async (uid: string) =>
  (await alerts()).filter((alert: { inventory_item_uid: string }) => alert.inventory_item_uid === uid)
const onEbay = (listing_id: string) => ebay.sandbox.market.find(listing_id)!.item

/** Sells an item on Etsy. */
async function sellOnEtsy(item_uid: string) {
  const { db } = server.services
  const shops = { etsy: await insertShop(db, user.user_id, 'etsy') }
  const listing = { user_id: user.user_id, item_uid, seller_account_uid: shops.etsy, platform: 'etsy' as const }
  await insertLiveListing(db, { ...listing, listing_id: listingOf('etsy', item_uid) })
  await recordSale(db, user.user_id, {
    order: orderFor({ user_id: user.user_id, item_uid, shops }, 'etsy', { id: `etsy-${item_uid}` }),
    evidence: { by: 'poll', seen_at: new Date().toISOString() },
  })
}

describe('an auction', () => {
  it('is said to be unprotected on its import row, its item and its listing', async () => {
    const job = await ben.import()
    const words = /^Auction: not protected \(3 bids, ends .* UTC\)\. .*last 12 hours.*second time/
    const rows = await ben.items(job.id, 'page_size=100')
    const noteOf = (id: string) =>
      rows.find(({ external_listing_id }: { external_listing_id: string }) => external_listing_id === id)?.note
    expect(noteOf(inLastHours)).toMatch(words)
    expect(noteOf(lamp)).toBeNull()
    const item = await itemOf(inLastHours)
    expect(item.notes).toEqual([expect.stringMatching(/^eBay: Auction: not protected/)])
    const ends_at = onEbay(inLastHours).endsAt
    expect(item.listings).toMatchObject([
      { format: 'auction', bids: 3, ends_at, site: 'US', note: expect.stringMatching(words) },
    ])
    const fixed = await itemOf(lamp)
    expect(fixed).not.toHaveProperty('notes')
    expect(fixed.listings[0]).not.toHaveProperty('note')
  })

  it('shows its bids of now after another import', async () => {
    ebay.sandbox.market.change(earlier, { bids: 5 })
    await ben.import()
    expect((await itemOf(earlier)).listings).toMatchObject([{ bids: 5, note: expect.stringContaining('5 bids') }])
  })

  it('is ended with its bids when the item sells elsewhere in time', async () => {
    const { uid } = await itemOf(earlier)
    await sellOnEtsy(uid)
    await expect.poll(() => onEbay(earlier).status).toBe('Ended')
    expect(onEbay(earlier)).toMatchObject({ bids: 0, quantitySold: 0 })
    await expect.poll(async () => (await itemOf(earlier)).listings[0].state).toBe('removed')
    expect(await alertsOf(uid)).toEqual([])
  })

  it('alerts at once in its last hours, and never counts as down', async () => {
    const { uid } = await itemOf(inLastHours)
    await sellOnEtsy(uid)
    await expect.poll(() => alertsOf(uid)).toHaveLength(1)
    expect(await alertsOf(uid)).toMatchObject([
      {
        ...{ kind: 'delist_overdue', platform: 'ebay', sold_on: 'etsy', progress: { state: 'retrying' } },
        advice: expect.stringMatching(/3 bids.*last 12 hours.*Cancel the bids.*cancel that sale/),
      },
    ])
    // Without news, five minutes pass before an alert is mailed.
    await mailAlerts(server.services)
    const mails = await messagesTo(server.services, user.email)
    expect(mails.filter(({ template }) => template === 'alert')).toMatchObject([
      { subject: expect.stringMatching(/^Still live on eBay/), text: expect.stringContaining('Cancel the bids') },
    ])
    expect((await itemOf(inLastHours)).listings).toMatchObject([{ state: 'available' }, {}])
  })

  it('is a second sale when it ends with a buyer', async () => {
    const { uid } = await itemOf(inLastHours)
    aheadMs = 7 * 3_600_000
    const [alert] = await alertsOf(uid)
    await ben.call('POST', `/api/v1/alarms/${alert.uid}/retry/`)
    await expect.poll(() => alertsOf(uid)).toMatchObject([{ kind: 'oversell', platform: 'ebay' }])
    const { listings } = await itemOf(inLastHours)
    expect(listings.find(({ platform }: { platform: string }) => platform === 'ebay').state).toBe('sold')
  })
})

it('ends an auction whose bids are gone at the next try', async () => {
  aheadMs = 0
  const { itemId } = ebay.sandbox.market.add(seller, {
    ...{ title: 'Auction: Tin Robot', listingType: 'Chinese', bids: 1 },
    endsAt: new Date(Date.now() + 3_600_000).toISOString(),
  })
  await ben.import()
  const { uid } = await itemOf(itemId)
  await sellOnEtsy(uid)
  await expect.poll(() => alertsOf(uid)).toHaveLength(1)
  ebay.sandbox.market.change(itemId, { bids: 0 })
  await ben.call('POST', `/api/v1/alarms/${(await alertsOf(uid))[0].uid}/retry/`)
  await expect.poll(() => alertsOf(uid)).toEqual([])
  expect(onEbay(itemId).status).toBe('Ended')
})
