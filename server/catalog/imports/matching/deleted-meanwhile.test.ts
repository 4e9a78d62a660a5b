import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { apiOf } from '#e2e/harness/api.ts'
import { untilBlocked } from '#e2e/harness/campaigns/blocked.ts'
import { buildListing } from '#e2e/harness/listing.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { createMatcher } from './matcher.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ works: false })
})
afterAll(() => server?.close())

describe('the word index', () => {
  it('leaves out an item that is deleted while it is indexed', async () => {
    const { db } = server.services
    const account = await buildAccount(db)
    const uids: string[] = []
    for (const title of ['Wool coat', 'Silk scarf']) {
      const { body } = await apiOf(server.url)('POST', '/api/v1/inventory/', {
        headers: account.key,
        body: {
          ...{ title, images: ['https://example.com/1.jpg'], condition: { label: 'Good' } },
          offer: { price_minor: 100, currency: 'USD' },
        },
      })
      uids.push(body.uid)
    }
    const matcher = createMatcher({ user_id: account.user_id, platform: 'depop' })
    const taken = await db.tx(async (tx) => {
      await tx.none('delete from inventory_item where user_id = $1 and uid = $2', [account.user_id, uids[0]])
      const prepared = matcher.prepare(server.services, [buildListing()]).then(
        () => 'taken in',
        (error: Error) => error.message,
      )
      await untilBlocked(db, tx)
      return [prepared]
    })
    expect(await taken[0]).toBe('taken in')
    const known = await db.any('select item_uid from match_item where user_id = $1', [account.user_id])
    expect(known).toEqual([{ item_uid: uids[1] }])
  })
})
