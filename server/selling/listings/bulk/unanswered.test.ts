import { beforeEach, describe, expect, it } from 'vitest'
import { until } from '#e2e/harness/until.ts'
import { useListingHarness } from '../testing/harness.ts'

const harness = useListingHarness()
const call = (method: string, path: string, body?: object) =>
  harness.api(method, `/api/v1/${path}`, { headers: harness.seller.bearer, ...(body ? { body } : {}) })
const unanswered = async (query = '') => (await call('GET', `unanswered-listings/${query}`)).body
const uids = ({ results }: { results: { inventory_item_uid: string }[] }) =>
  results.map(({ inventory_item_uid }) => inventory_item_uid)

/** Lists items in bulk and waits for the end of the job. */
async function bulkList(body: object) {
  const { uid } = (await call('POST', 'inventory/bulk/list/', { platforms: ['etsy'], ...body })).body
  await until(
    async () => (await call('GET', `inventory/bulk/${uid}/`)).body,
    ({ status }) => status === 'completed',
  )
  return uid
}
const category = { option: 'taxonomy_id', required: true, values: [], default_id: null, free_text: false }
const inCategory = { options: { etsy: { taxonomy_id: '11' } } }

describe('listings of bulk jobs that wait for an answer', () => {
  beforeEach(() => {
    harness.etsy.choices = [category]
  })

  it('are named with their number on each platform', async () => {
    const [ready, coat, hat] = [await harness.newItem(), await harness.newItem(), await harness.newItem()]
    const job = await bulkList({ items: [{ uid: ready, ...inCategory }, { uid: coat }, { uid: hat }] })
    const found = await unanswered()
    expect(found).toMatchObject({ count: 2, counts: { etsy: 2 } })
    expect(uids(found).sort()).toEqual([coat, hat].sort())
    expect(found.results[0]).toMatchObject({ platform: 'etsy', bulk_job_uid: job, title: expect.any(String) })
    expect(await unanswered('?platform=ebay')).toMatchObject({ count: 0, results: [], counts: { etsy: 2 } })
    expect(uids(await unanswered('?platform=etsy&page_size=1&page=2'))).toHaveLength(1)
  })

  it('go once they are listed, one by one or in bulk', async () => {
    const [coat, hat] = [await harness.newItem(), await harness.newItem()]
    await bulkList({ uids: [coat, hat] })
    expect((await harness.list(coat, 'etsy', { options: { taxonomy_id: '11' } })).status).toBe(200)
    expect(uids(await unanswered())).toEqual([hat])
    await bulkList({ items: [{ uid: hat, ...inCategory }] })
    expect(await unanswered()).toMatchObject({ count: 0, results: [], counts: {} })
    // A listing that ends later does not bring the question back.
    await harness.delist(coat, 'etsy')
    await harness.delist(hat, 'etsy')
    expect(await unanswered()).toMatchObject({ count: 0 })
  })

  it('stay, once each, when they are asked for again without an answer', async () => {
    const coat = await harness.newItem()
    await bulkList({ uids: [coat] })
    const again = await bulkList({ uids: [coat] })
    expect(await unanswered()).toMatchObject({ count: 1, results: [{ bulk_job_uid: again }] })
  })

  it('go when the item is sold, and when the seller leaves them unlisted', async () => {
    const [coat, hat, bag] = [await harness.newItem(), await harness.newItem(), await harness.newItem()]
    const job = await bulkList({ uids: [coat, hat, bag] })
    await call('POST', `inventory/${coat}/mark-sold/`, {})
    expect(uids(await unanswered()).sort()).toEqual([hat, bag].sort())
    const dismiss = (body: object) => call('POST', 'unanswered-listings/dismiss/', body)
    expect((await dismiss({ platform: 'etsy', uids: [hat] })).body).toEqual({ dismissed: 1 })
    expect(uids(await unanswered())).toEqual([bag])
    await dismiss({ platform: 'etsy' })
    expect(await unanswered()).toMatchObject({ count: 0 })
    expect((await dismiss({ platform: 'etsy' })).body).toEqual({ dismissed: 0 })
    expect((await dismiss({ platform: 'amazon' })).status).toBe(400)
    // The result of the job stays what it was.
    expect((await call('GET', `inventory/bulk/${job}/`)).body).toMatchObject({ failed: 3, cancelled: 0 })
  })

  it('are not those that failed for another reason', async () => {
    harness.etsy.choices = []
    harness.etsy.fail('publish', 'refused')
    await bulkList({ uids: [await harness.newItem()] })
    expect(await unanswered()).toMatchObject({ count: 0 })
  })
})
