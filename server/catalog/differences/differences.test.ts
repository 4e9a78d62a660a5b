import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildListing } from '#server/testing/listing.ts'
import { newId } from '#shared/identity.ts'
import { type ImportHarness, type Seller, startImportHarness } from '../imports/testing/harness.ts'

let harness: ImportHarness
let seller: Seller
beforeAll(async () => {
  harness = await startImportHarness()
})
afterAll(() => harness?.close())
beforeEach(async () => {
  harness.reset()
  seller = await harness.seller()
})

const base = '/api/v1/differences/'
const list = async (query = '') => (await seller.call('GET', `${base}?${query}`)).body
const decide = (action: string, differences: string[]) => seller.call('POST', `${base}decide/`, { action, differences })

describe('a difference', () => {
  it('is ignored on request', async () => {
    harness.ebay.shop = [buildListing({ title: 'Mine', listing_id: '1' })]
    await seller.import()
    const uid = newId('dif')
    await harness.server.services.db.none(
      `insert into listing_difference (user_id, uid, seller_account_uid, listing_id, field, theirs, theirs_hash, noticed_at)
       select user_id, $1, seller_account_uid, listing_id, 'title', '"Theirs"', '', now()
       from channel_listing where user_id = $2`,
      [uid, seller.account.user_id],
    )
    const shown = await list()
    expect(shown).toMatchObject({ count: 1, results: [{ uid, field: 'title', mine: 'Mine', theirs: 'Theirs' }] })
    const reply = await decide('ignore', [uid])
    expect(reply.body).toMatchObject({ done: 1, left: [], change: { kind: 'ignore_difference', count: 1 } })
    expect((await list()).count).toBe(0)
    expect((await list('state=ignored')).count).toBe(1)
  })
})
