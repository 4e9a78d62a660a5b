import { describe, expect, it } from 'vitest'
import type { BulkJob, BulkResult } from '#shared/contract/selling/listings.ts'
import { liveOf, useListingHarness } from '../testing/harness.ts'

const harness = useListingHarness()
const { ebay, etsy, api, newItem, list, openOperations } = harness

const call = (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) =>
  api(method, path, { headers: harness.seller.bearer, ...(body ? { body } : {}) })
const send = (body: object) => call('POST', '/api/v1/inventory/bulk/edit/', body)
const item = async (uid: string) => (await call('GET', `/api/v1/inventory/${uid}/`)).body
const titleOf = async (uid: string) => (await item(uid)).record.title
const skuOf = async (uid: string) => (await item(uid)).sku
const undo = (uid: string | null) => call('POST', `/api/v1/changes/${uid}/undo/`)

/** Edits items and returns the finished job with its results. */
async function edit(
  uids: string[],
  edits: object[],
  more: object = {},
): Promise<{ job: BulkJob; results: BulkResult[] }> {
  const made = await send({ uids, edits, ...more })
  expect(made).toMatchObject({ status: 202, body: { action: 'edit', total: uids.length } })
  const read = async () => (await call('GET', `/api/v1/inventory/bulk/${made.body.uid}/`)).body
  await expect.poll(async () => (await read()).job.status).toBe('completed')
  return read()
}

describe('editing many items', () => {
  it('changes every kind of field, with a history, and undoes it', async () => {
    const uids = [await newItem({ title: 'Wool coat' }), await newItem({ title: 'Silk coat' })]
    await call('PATCH', `/api/v1/inventory/${uids[0]}/`, { attributes: { brand: 'Acme', shelf: 'kept' } })
    const before = await Promise.all(uids.map(item))
    const { job } = await edit(uids, [
      { act: 'replace', field: 'title', find: 'coat', value: 'jacket' },
      { act: 'add_after', field: 'title', value: ' 1960s' },
      { act: 'set', field: 'storage_location', value: 'Shelf 4' },
      { act: 'set', field: 'cost_minor', value: 1_250, currency: 'USD' },
      { act: 'set', field: 'weight_grams', value: 800 },
      { act: 'set', field: 'parcel', value: { length_mm: 300, width_mm: 200, height_mm: 100 } },
      { act: 'set', field: 'condition', value: 'Very good' },
      { act: 'set', field: 'colors', value: 'Navy, White' },
      { act: 'number', field: 'sku', value: 'COAT-{009}' },
      { act: 'clear', field: 'brand' },
    ])
    expect(job).toMatchObject({ succeeded: 2, failed: 0, change_uid: expect.stringMatching(/^chg_/) })
    const [first, second] = await Promise.all(uids.map(item))
    expect([first.record.title, second.record.title]).toEqual(['Wool jacket 1960s', 'Silk jacket 1960s'])
    expect([first.sku, second.sku]).toEqual(['COAT-009', 'COAT-010'])
    expect(first.record.condition.label).toBe('Very good')
    expect(first.attributes).toEqual({
      ...{ shelf: 'kept', storage_location: 'Shelf 4', cost_minor: 1_250, weight_grams: 800 },
      ...{ parcel: { length_mm: 300, width_mm: 200, height_mm: 100 }, colors: ['Navy', 'White'] },
    })
    const [newest] = (await call('GET', `/api/v1/inventory/${uids[0]}/history/`)).body
    expect(newest).toMatchObject({ actor: 'user', reference: job.change_uid })
    expect(newest.changes).toContainEqual({ field: 'brand', from: 'Acme', to: null })
    expect(newest.changes).toContainEqual({ field: 'cost', from: null, to: '12.50 USD' })
    const [change] = (await call('GET', '/api/v1/changes/')).body.results
    expect(change).toMatchObject({ uid: job.change_uid, kind: 'edit_items', count: 2, can_undo: true })
    expect(await undo(job.change_uid)).toMatchObject({ status: 200, body: { undone: 2, kept: 0 } })
    const restored = await Promise.all(uids.map(item))
    for (const [n, { attributes, sku, record }] of restored.entries()) {
      expect({ attributes, sku, title: record.title, condition: record.condition }).toEqual({
        ...{ attributes: before[n].attributes, sku: before[n].sku },
        ...{ title: before[n].record.title, condition: before[n].record.condition },
      })
    }
  })

  it('leaves an item whole that cannot take a step, and says why', async () => {
    const [taken, coat, shirt, euro] = [
      await newItem({ sku: 'A-2' }),
      await newItem({ title: 'coat', sku: 'B-1' }),
      await newItem({ title: 'Shirt' }),
      await newItem({ title: 'Hat' }),
    ]
    await call('PATCH', `/api/v1/inventory/${euro}/`, { offer: { currency: 'EUR' } })
    const { job, results } = await edit(
      [coat, shirt, euro, 'inv_unknown'],
      [
        { act: 'set', field: 'storage_location', value: 'Attic' },
        { act: 'replace', field: 'title', find: 'coat', value: '' },
        { act: 'set', field: 'cost_minor', value: 100, currency: 'USD' },
        { act: 'number', field: 'sku', value: 'A-{1}' },
      ],
    )
    expect(job).toMatchObject({ succeeded: 0, failed: 4, change_uid: null })
    expect(results.map(({ error_code, error_message }) => [error_code, error_message])).toEqual([
      ['invalid_request', 'The title or condition would be empty.'],
      ['sku_in_use', 'Another item has this SKU.'],
      ['invalid_request', 'The item has another currency.'],
      ['not_found', 'There is no such item.'],
    ])
    expect((await item(shirt)).attributes.storage_location).toBeUndefined()
    expect(await Promise.all([taken, coat].map(skuOf))).toEqual(['A-2', 'B-1'])
  })

  it('gives a SKU that all would get to the first alone', async () => {
    const uids = [await newItem(), await newItem(), await newItem()]
    const { results } = await edit(uids, [{ act: 'set', field: 'sku', value: 'ONE' }])
    expect(results.map(({ error_code }) => error_code)).toEqual([null, 'sku_in_use', 'sku_in_use'])
    expect(await Promise.all(uids.map(skuOf))).toEqual(['ONE', null, null])
  })

  it('sends what changed to the live listings that are named, and the undo too', async () => {
    const uid = await newItem({ title: 'Brass sextant' })
    await list(uid)
    await list(uid, 'etsy')
    const { job } = await edit([uid], [{ act: 'add_before', field: 'title', value: 'Old ' }], {
      update_listings: ['ebay'],
    })
    await expect.poll(() => openOperations(uid)).toEqual([])
    const titles = () => [ebay, etsy].map((market) => liveOf(market, uid)[0]?.request.title)
    expect(titles()).toEqual(['Old Brass sextant', 'Brass sextant'])
    await undo(job.change_uid)
    await expect.poll(() => openOperations(uid)).toEqual([])
    expect(titles()).toEqual(['Brass sextant', 'Brass sextant'])
  })

  it('keeps what was changed since when it is undone', async () => {
    const [edited, moved, other] = [await newItem(), await newItem(), await newItem({ sku: 'OLD' })]
    const uids = [edited, moved, other]
    const { job } = await edit(uids, [
      { act: 'set', field: 'title', value: 'Lamp' },
      { act: 'number', field: 'sku', value: 'L-{1}' },
    ])
    await call('PATCH', `/api/v1/inventory/${edited}/`, { title: 'Desk lamp' })
    // Another item has the former SKU by now.
    await newItem({ sku: 'OLD' })
    await call('PATCH', `/api/v1/inventory/${moved}/`, { attributes: { storage_location: 'Attic' } })
    expect((await undo(job.change_uid)).body).toMatchObject({ undone: 1, kept: 2 })
    expect(await titleOf(edited)).toBe('Desk lamp')
    expect(await item(moved)).toMatchObject({ sku: null, attributes: { storage_location: 'Attic' } })
    expect(await skuOf(other)).toBe('L-3')
  })

  it.each([
    ['a title that is cleared', [{ act: 'clear', field: 'title' }], 'edits.0.field'],
    ['a number that is a text', [{ act: 'set', field: 'cost_minor', value: '12' }], 'edits.0.value'],
    ['a text that is a number', [{ act: 'set', field: 'brand', value: 12 }], 'edits.0.value'],
    ['no weight', [{ act: 'set', field: 'weight_grams', value: 0 }], 'edits.0.value'],
    [
      'a location that is too long',
      [{ act: 'set', field: 'storage_location', value: 'x'.repeat(201) }],
      'edits.0.value',
    ],
    ['a pattern without a number', [{ act: 'number', field: 'sku', value: 'COAT' }], 'edits.0.value'],
    ['words added to a number', [{ act: 'add_after', field: 'cost_minor', value: '1' }], 'edits.0.field'],
    ['no steps', [], 'edits'],
  ])('refuses %s', async (_, edits, field) => {
    const reply = await send({ uids: [await newItem()], edits })
    expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_request', errors: [{ field }] } })
  })

  it('refuses to update listings that only their marketplace can change', async () => {
    const edits = [{ act: 'set', field: 'brand', value: 'Acme' }]
    const reply = await send({ uids: [await newItem()], edits, update_listings: ['ebay', 'poshmark'] })
    expect(reply).toMatchObject({ status: 400, body: { errors: [{ field: 'update_listings.1' }] } })
  })
})
