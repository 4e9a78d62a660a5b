import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildListing } from '#e2e/harness/listing.ts'
import { until } from '#e2e/harness/until.ts'
import { type ImportHarness, type Seller, startImportHarness } from '../testing/harness.ts'
import { createTurns, takeBatch } from './take-batch.ts'

let harness: ImportHarness
let seller: Seller
/** Abort signals of the pictures being read. No picture ever arrives. */
let reading: AbortSignal[] = []

beforeAll(async () => {
  harness = await startImportHarness()
  // No read ends by itself while a test runs.
  harness.server.services.times.batchPicturesMs = 3_600_000
  harness.server.services.readPhoto = (_url, signal) => {
    reading.push(signal!)
    return new Promise((_, reject) => {
      signal!.addEventListener('abort', () => reject(signal!.reason))
    })
  }
})
afterAll(() => harness?.close())
beforeEach(async () => {
  reading = []
  seller = await harness.seller()
  harness.ebay.shop = [
    buildListing({ title: 'Pendleton wool coat', brand: 'Pendleton', images: ['https://i.example/1.jpg'] }),
  ]
  await seller.import()
})

async function startImport(): Promise<string> {
  const username = `closet${Math.random().toString(36).slice(2, 10)}`
  const shop = { username, url: `https://poshmark.com/closet/${username}` }
  const { body } = await seller.call('POST', '/api/v1/extension/imports/', { platform: 'poshmark', shop })
  return body.id
}
/** A listing whose words match the one on eBay, so that pictures are compared. */
const alike = () => {
  const images = [`https://i.example/${Math.random()}.jpg`]
  const listing = buildListing({ title: 'Wool coat by Pendleton', brand: 'Pendleton', images })
  return { ...listing, url: `https://poshmark.com/listing/${listing.listing_id}` }
}

describe('a batch whose pictures do not arrive', () => {
  it('is dropped with all its reads when the client leaves', async () => {
    const id = await startImport()
    const leaving = new AbortController()
    const sent = fetch(`${harness.server.url}/api/v1/extension/imports/${id}/batches/`, {
      method: 'POST',
      headers: { ...seller.account.key, 'content-type': 'application/json' },
      body: JSON.stringify({ batch_id: 'a', listings: [alike()] }),
      signal: leaving.signal,
    })
    await until(() => reading.length === 2)
    leaving.abort()
    await expect(sent).rejects.toThrow()
    await until(() => reading.every(({ aborted }) => aborted))
    expect((await seller.job(id)).items_conflicted).toBe(0)
  })

  it('waits beside one other; the next is decided by words', async () => {
    const { services } = harness.server
    const ref = { user_id: seller.account.user_id, job_uid: await startImport() }
    const turns = createTurns()
    const gone = new AbortController()
    const waiting = ['a', 'b'].map((batch_id) =>
      takeBatch(services, ref, { batch_id, listings: [alike()] }, { turns, gone: gone.signal }).catch(() => 'ended'),
    )
    await until(() => reading.length >= 3)
    const before = reading.length
    const third = await takeBatch(services, ref, { batch_id: 'c', listings: [alike()] }, { turns })
    expect(third.job.items_conflicted).toBe(1)
    expect(reading).toHaveLength(before)
    gone.abort(new Error('gone'))
    expect(await Promise.all(waiting)).toEqual(['ended', 'ended'])
  })
})
