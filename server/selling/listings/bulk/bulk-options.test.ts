import { describe, expect, it } from 'vitest'
import { until } from '#e2e/harness/until.ts'
import { liveOf, useListingHarness } from '../testing/harness.ts'

const harness = useListingHarness()
const bulkList = (body: object, headers: Record<string, string> = {}) =>
  harness.api('POST', '/api/v1/inventory/bulk/list/', { headers: { ...harness.seller.bearer, ...headers }, body })
const finished = (uid: string) =>
  until(
    async () => (await harness.api('GET', `/api/v1/inventory/bulk/${uid}/`, { headers: harness.seller.bearer })).body,
    ({ status }) => status === 'completed',
  )
const queued = async () => (await harness.db.one('select count(*)::int from bulk_job')).count
const category = {
  option: 'taxonomy_id',
  required: true,
  values: [],
  default_id: null,
  free_text: false,
}

describe('options of a bulk listing', () => {
  it('are those of the item, else those of the request', async () => {
    harness.etsy.choices = [category]
    const [coat, hat, bag] = [await harness.newItem(), await harness.newItem(), await harness.newItem()]
    const made = await bulkList({
      uids: [bag],
      items: [
        { uid: coat, options: { etsy: { taxonomy_id: '11', who_made: 'i_did' }, ebay: { condition: 'NEW' } } },
        { uid: hat },
      ],
      platforms: ['ebay', 'etsy'],
      options: { etsy: { taxonomy_id: '7', when_made: '1990s' }, ebay: { aspects: { Brand: ['Acme'] } } },
    })
    expect(made).toMatchObject({ status: 202, body: { total: 6 } })
    expect(await finished(made.body.uid)).toMatchObject({ succeeded: 6, failed: 0 })
    const sent = (market: typeof harness.etsy, uid: string) => liveOf(market, uid)[0]?.request.options
    expect(sent(harness.etsy, coat)).toEqual({ taxonomy_id: '11', when_made: '1990s', who_made: 'i_did' })
    expect(sent(harness.ebay, coat)).toEqual({ condition: 'NEW', aspects: { Brand: ['Acme'] } })
    for (const uid of [hat, bag]) {
      expect(sent(harness.etsy, uid)).toEqual({ taxonomy_id: '7', when_made: '1990s' })
      expect(sent(harness.ebay, uid)).toEqual({ aspects: { Brand: ['Acme'] } })
    }
  })

  it('leave only the items without a required choice behind', async () => {
    harness.etsy.choices = [category]
    const [ready, unready] = [await harness.newItem(), await harness.newItem()]
    const items = [{ uid: ready, options: { etsy: { taxonomy_id: '11' } } }, { uid: unready }]
    const job = await finished((await bulkList({ items, platforms: ['etsy'] })).body.uid)
    expect(job.results).toMatchObject([
      { inventory_item_uid: ready, status: 'succeeded' },
      { inventory_item_uid: unready, status: 'failed', error_code: 'choice_required' },
    ])
  })

  it('stay with the item where they are about it', async () => {
    const uid = await harness.newItem()
    const items = [{ uid, options: { ebay: { weight_grams: '950' } } }]
    await finished((await bulkList({ items, platforms: ['ebay'] })).body.uid)
    const item = await harness.db.one('select attributes from inventory_item where uid = $1', [uid])
    expect(item.attributes).toMatchObject({ weight_grams: 950 })
  })

  it('are all checked before anything is queued', async () => {
    const uid = await harness.newItem()
    const before = await queued()
    const faults = async (body: object) => {
      const { status, body: problem } = await bulkList({ platforms: ['etsy'], ...body })
      expect(status).toBe(400)
      return problem.errors.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`)
    }
    expect(await faults({})).toEqual(['uids required'])
    expect(await faults({ items: [] })).toEqual(['items too_small'])
    expect(
      await faults({
        uids: [uid],
        items: [{ uid: 'inv_other', options: { ebay: {} } }, { uid }, { uid: 'inv_other' }],
        options: { ebay: { condition: 'NEW' } },
      }),
    ).toEqual([
      'options.ebay not_requested',
      'items.0.options.ebay not_requested',
      'items.1.uid duplicate',
      'items.2.uid duplicate',
    ])
    const wrong = { etsy: { who_made: 'nobody', taxonomie: '1' }, depop: {} }
    expect((await faults({ items: [{ uid }, { uid, options: wrong }] })).sort()).toEqual([
      'items.1.options.depop unknown_member',
      'items.1.options.etsy.taxonomie unknown_member',
      'items.1.options.etsy.who_made invalid_value',
    ])
    const many = Array.from({ length: 5_001 }, (_, n) => `inv_${n}`)
    expect(await faults({ uids: many, items: many.map((one) => ({ uid: `${one}b` })) })).toEqual(['items too_big'])
    expect(await queued()).toBe(before)
  })

  it('are part of what an Idempotency-Key stands for', async () => {
    const uid = await harness.newItem()
    const key = { 'idempotency-key': 'bulk-1' }
    const body = { items: [{ uid, options: { etsy: { taxonomy_id: '1' } } }], platforms: ['etsy'] }
    const made = await bulkList(body, key)
    expect((await bulkList(body, key)).body.uid).toBe(made.body.uid)
    const other = { ...body, items: [{ uid, options: { etsy: { taxonomy_id: '2' } } }] }
    expect((await bulkList(other, key)).body.code).toBe('idempotency_key_reused')
  })

  it('fit for 10,000 items', async () => {
    const options = { etsy: { taxonomy_id: '1627', who_made: 'i_did', when_made: '2020_2026' } }
    const items = Array.from({ length: 10_000 }, (_, n) => ({ uid: `inv_${String(n).padStart(22, '0')}`, options }))
    expect(await bulkList({ items, platforms: ['etsy'] })).toMatchObject({ status: 202, body: { total: 10_000 } })
  })
})

it('a bulk job has the same members in every answer', async () => {
  const uid = await harness.newItem()
  const made = await bulkList({ uids: [uid], platforms: ['ebay'] })
  const job = await finished(made.body.uid)
  const [listed] = (await harness.api('GET', '/api/v1/inventory/bulk/', { headers: harness.seller.bearer })).body
    .results
  for (const name of Object.keys(made.body)) expect([name, job[name]]).toEqual([name, listed[name]])
  expect(job.job).toEqual(listed)
})
