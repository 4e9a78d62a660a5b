import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ListingPort, PublishRequest, ShopAccess } from '#server/integrations/port.ts'
import { type RunningEtsySandbox, startEtsySandbox } from '../testing/etsy-sandbox.ts'

const shopName = 'FeeFionaShop'
let running: RunningEtsySandbox
let port: ListingPort
let access: ShopAccess
beforeAll(async () => {
  running = await startEtsySandbox({ usual: false, limits: null, shops: [{ shopName, listings: [] }] })
  port = running.adapter.listings!
  access = running.accessOf(shopName)
})
afterAll(() => running?.sandbox.close())

const today = Math.floor(Date.now() / 1000)
const add = (state: 'active' | 'inactive' | 'sold_out' | 'expired' | 'draft', created = today) =>
  running.sandbox.market.add(running.sandbox.market.shopNamed(shopName)!.shopId, { state, created })

/** Returns whether the listing fee is certain, and null for none. */
async function listingFee(made: number | null, mayLookUp?: () => boolean): Promise<boolean | null> {
  const request = { made: made === null ? null : String(made), options: {} } as PublishRequest
  const fees = await port.fees(request, access, mayLookUp)
  expect(fees.map(({ code }) => code)).toContain('sale_fee')
  return fees.find(({ code }) => code === 'listing_fee')?.certain ?? null
}

describe('the listing fee of Etsy', () => {
  it('is charged for a new listing', async () => expect(await listingFee(null)).toBe(true))

  it('is not charged for an inactive listing that has not expired', async () =>
    expect(await listingFee(add('inactive').listingId)).toBeNull())

  it.each(['expired', 'sold_out', 'draft'] as const)('is charged for a listing that is %s', async (state) =>
    expect(await listingFee(add(state).listingId)).toBe(true),
  )

  it('is charged for an inactive listing whose four months are over', async () =>
    expect(await listingFee(add('inactive', today - 130 * 86_400).listingId)).toBe(true))

  it('is charged for a listing that is gone', async () => expect(await listingFee(7)).toBe(true))

  it('is uncertain while the state is not looked up', async () =>
    expect(await listingFee(add('inactive').listingId, () => false)).toBe(false))

  it('is uncertain while Etsy does not answer', async () => {
    running.sandbox.faults.set({ call: 'getListing', kind: 'http_500', times: 10 })
    expect(await listingFee(add('inactive').listingId)).toBe(false)
    running.sandbox.faults.clear()
  })
})
