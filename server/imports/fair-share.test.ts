import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildListing } from '#server/testing/listing.ts'
import { connectTestShop } from './testing/shop.ts'
import { type ImportStand, startImportStand } from './testing/stand.ts'

const create = '/api/v1/marketplace/import/jobs/create/'

let stand: ImportStand
beforeAll(async () => {
  stand = await startImportStand()
})
afterAll(() => stand?.close())

describe('the worker', () => {
  it("F32: starts a seller's import within seconds while another's forty are under way", async () => {
    stand.ebay.shop = [buildListing()]
    let release = () => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    stand.ebay.before = () => gate
    const greedy = await stand.seller()
    const asked = []
    for (let number = 0; number < 40; number++) {
      const shop = await connectTestShop(stand.server.services, greedy.account)
      asked.push(await greedy.call('POST', create, { seller_account_uid: shop.uid, marketplace: 'ebay' }))
    }
    await greedy.until(
      async () => asked.length && stand.ebay.calls.length,
      (reading) => reading === 2,
    )
    // Two at a time are one seller's share; the gate is shut for those that came, and open for those that come.
    stand.ebay.before = () => {}
    const modest = await stand.seller()
    expect(await modest.import()).toMatchObject({ status: 'completed', items_imported: 1 })
    release()
    for (const reply of asked) await greedy.settled(reply.body.id)
  })
})
