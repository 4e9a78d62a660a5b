import { afterEach, beforeEach, expect, it } from 'vitest'
import { PlatformError } from '#server/integrations/errors.ts'
import type { ListingPort } from '#server/integrations/port.ts'
import { useListingHarness } from '../testing/harness.ts'

const harness = useListingHarness()
const { api, ebay, newItem, list, openOperations } = harness

let changePrice: ListingPort['changePrice']
beforeEach(() => {
  changePrice = ebay.adapter.listings!.changePrice
})
afterEach(() => {
  ebay.adapter.listings!.changePrice = changePrice
})

const reprice = (uid: string, price_minor: number) =>
  api('PATCH', `/api/v1/inventory/${uid}/`, { headers: harness.seller.bearer, body: { offer: { price_minor } } })
const listingOf = async (uid: string) =>
  (await api('GET', `/api/v1/inventory/${uid}/`, { headers: harness.seller.key })).body.listings[0]
const alerts = async () => (await api('GET', '/api/v1/alarms/', { headers: harness.seller.key })).body.results
const operation = (uid: string) =>
  harness.db.one(
    `select state, failures, attempts, extract(epoch from next_attempt_at - now())::integer as wait_seconds
     from listing_operation where item_uid = $1 and kind = 'update' order by created_at desc limit 1`,
    [uid],
  )
/** Lets the change have been asked for so many days ago, and be tried now. */
const asked = (uid: string, days: number) =>
  harness.db.none(
    `update listing_operation set seen_at = now() - $2 * interval '1 day', next_attempt_at = now()
     where item_uid = $1 and kind = 'update' and state = 'open'`,
    [uid, days],
  )
const refuse = (retryAfterMs?: number) => {
  ebay.adapter.listings!.changePrice = async () => {
    throw new PlatformError('ebay', 'not_yet', 'A buyer’s offer is open.', {
      platformCode: 'bid_or_offer',
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    })
  }
}

it('tries a change again when the platform takes it, and says until when', async () => {
  const uid = await newItem()
  await list(uid)
  refuse(2 * 3_600_000)
  await reprice(uid, 3_900)
  await expect.poll(async () => (await operation(uid)).attempts).toBe(1)
  await expect
    .poll(async () => (await listingOf(uid)).update)
    .toMatchObject({
      state: 'pending',
      error_message: expect.stringMatching(
        /^A buyer’s offer is open\. Hapax tries again at [-\d]+ [:\d]+ UTC, and for the last time at [-\d]+ [:\d]+ UTC\.$/,
      ),
    })
  const waiting = await operation(uid)
  expect(waiting).toMatchObject({ state: 'open', failures: 0 })
  expect(waiting.wait_seconds).toBeGreaterThan(7_100)
  expect(await alerts()).toEqual([])

  ebay.adapter.listings!.changePrice = changePrice
  await asked(uid, 1)
  await expect.poll(() => openOperations(uid)).toEqual([])
  expect(await listingOf(uid)).toMatchObject({ price_minor: 3_900 })
})

it('asks again within an hour where the platform does not say when', async () => {
  const uid = await newItem()
  await list(uid)
  refuse()
  await reprice(uid, 3_900)
  await expect.poll(async () => (await operation(uid)).attempts).toBe(1)
  await expect.poll(async () => (await operation(uid)).wait_seconds).toBeGreaterThan(3_500)
  expect((await operation(uid)).wait_seconds).toBeLessThanOrEqual(3_600)
})

it('gives up after three days, and alerts the seller', async () => {
  const uid = await newItem()
  await list(uid)
  refuse()
  await reprice(uid, 3_900)
  await expect.poll(async () => (await operation(uid)).attempts).toBe(1)
  await asked(uid, 3.1)
  await expect.poll(async () => (await operation(uid)).state).toBe('failed')
  expect(await alerts()).toMatchObject([
    { kind: 'update_refused', progress: { last_error: 'A buyer’s offer is open.' } },
  ])
})

it('shows that the platform keeps a listing on hold, until it does not', async () => {
  const uid = await newItem()
  await list(uid)
  const hold = async (isOnHold: boolean, price_minor: number) => {
    ebay.adapter.listings!.changePrice = (access, listing) => {
      if (isOnHold) throw new PlatformError('ebay', 'refused', 'It is on hold.', { platformCode: 'listing_on_hold' })
      return changePrice(access, listing)
    }
    await reprice(uid, price_minor)
    await expect.poll(() => openOperations(uid)).toEqual([])
    return listingOf(uid)
  }
  expect(await hold(true, 3_900)).toMatchObject({
    ...{ state: 'available', on_hold: true },
    note: expect.stringMatching(/^On hold: .*blocks purchases.*still ends/),
  })
  const free = await hold(false, 3_800)
  expect([free.on_hold, free.note]).toEqual([undefined, undefined])
})

it('takes down a listing that the platform keeps on hold', async () => {
  const uid = await newItem()
  await list(uid)
  ebay.adapter.listings!.changePrice = async () => {
    throw new PlatformError('ebay', 'refused', 'It is on hold.', { platformCode: 'listing_on_hold' })
  }
  await reprice(uid, 3_900)
  await expect.poll(() => openOperations(uid)).toEqual([])
  await harness.delist(uid)
  expect(await listingOf(uid)).toMatchObject({ state: 'removed' })
})
