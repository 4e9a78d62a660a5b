import { describe, expect, it } from 'vitest'
import { setTimes } from '#e2e/harness/database/set-times.ts'
import { until } from '#e2e/harness/until.ts'
import { liveOf, pathOf, useListingHarness } from '../testing/harness.ts'

const harness = useListingHarness()
const { ebay, api, newItem, list, delist } = harness

describe('choosing listing options', () => {
  it('asks only for what it cannot default or suggest', async () => {
    const uid = await newItem()
    ebay.choices = [
      {
        option: 'payment_policy_id',
        required: true,
        values: [
          { id: 'p1', name: 'One' },
          { id: 'p2', name: 'Two' },
        ],
      },
      { option: 'return_policy_id', required: true, values: [{ id: 'r1', name: 'Only' }] },
      {
        option: 'category_id',
        required: true,
        values: [
          { id: 'c1', name: 'A' },
          { id: 'c2', name: 'B', suggested: true },
        ],
      },
      { option: 'aspects.Brand', required: true, free_text: true, values: [] },
      { option: 'aspects.Style', required: false, values: [{ id: 'Boho', name: 'Boho' }] },
    ]
    const refused = await list(uid)
    expect(refused).toMatchObject({ status: 400, body: { code: 'choice_required' } })
    expect(refused.body.errors.map(({ field }: { field: string }) => field)).toEqual([
      'options.payment_policy_id',
      'options.aspects.Brand',
    ])
    const choices = await api('GET', pathOf(uid, 'ebay', 'choices'), { headers: harness.seller.bearer })
    expect(choices.body.choices.map(({ default_id }: { default_id: string }) => default_id)).toEqual([
      null,
      'r1',
      'c2',
      null,
      null,
    ])
    const defaults = '/api/v1/platforms/ebay/listing-defaults/'
    await api('PUT', defaults, { headers: harness.seller.bearer, body: { payment_policy_id: 'p2' } })
    expect((await api('GET', defaults, { headers: harness.seller.bearer })).body).toEqual({ payment_policy_id: 'p2' })
    const options = { aspects: { Brand: ['Leica'] }, category_id: 'c9' }
    expect((await list(uid, 'ebay', { price: '5', options })).status).toBe(200)
    expect(liveOf(ebay, uid)[0]?.request.options).toEqual({
      payment_policy_id: 'p2',
      return_policy_id: 'r1',
      category_id: 'c9',
      aspects: { Brand: ['Leica'] },
    })
  })

  it.each(['', 'eBay US'])('refuses %j as an eBay site without asking eBay', async (marketplace_id) => {
    const uid = await newItem()
    const headers = harness.seller.bearer
    const listed = await list(uid, 'ebay', { price: '5', options: { marketplace_id } })
    const saved = await api('PUT', '/api/v1/platforms/ebay/listing-defaults/', { headers, body: { marketplace_id } })
    const asked = `?marketplace_id=${encodeURIComponent(marketplace_id)}`
    const read = await api('GET', `/api/v1/platforms/ebay/choices/${asked}`, { headers })
    for (const refused of [listed, saved, read])
      expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
  })

  it('keeps weight, parcel size and identifiers with the item', async () => {
    const uid = await newItem()
    ebay.choices = [{ option: 'weight_grams', required: true, free_text: true, values: [] }]
    const refused = await list(uid)
    expect(refused.body.errors).toMatchObject([{ field: 'options.weight_grams', code: 'choice_required' }])
    const { bearer: headers } = harness.seller
    const item = async () => (await api('GET', `/api/v1/inventory/${uid}/`, { headers })).body
    const before = await item()
    const sizes = { parcel_length_mm: '300', parcel_width_mm: '200', parcel_height_mm: '80' }
    const options = { weight_grams: '450', ...sizes, isbn: '9780306406157', ean: 'Does not apply' }
    expect((await list(uid, 'ebay', { price: '5', options })).status).toBe(200)
    const after = await item()
    expect(after.attributes).toEqual({
      ...before.attributes,
      weight_grams: 450,
      parcel: { length_mm: 300, width_mm: 200, height_mm: 80 },
      isbn: '9780306406157',
    })
    expect(after.version).toBe(before.version + 1)
    // They describe this item and are no default of the shop.
    expect((await api('GET', '/api/v1/platforms/ebay/listing-defaults/', { headers })).body).not.toHaveProperty(
      'weight_grams',
    )
    const wrong = { weight_grams: '1.5 kg' }
    expect((await list(uid, 'ebay', { price: '5', options: wrong })).status).toBe(400)
    const attributes = { weight_grams: -4 }
    expect((await api('PATCH', `/api/v1/inventory/${uid}/`, { headers, body: { attributes } })).status).toBe(400)
  })

  it('asks the platform with the chosen site and category', async () => {
    const uid = await newItem()
    const { bearer: headers } = harness.seller
    await api('PUT', '/api/v1/platforms/ebay/listing-defaults/', { headers, body: { marketplace_id: 'EBAY_GB' } })
    const path = pathOf(uid, 'ebay', 'choices')
    await api('GET', path, { headers })
    await api('GET', `${path}?marketplace_id=EBAY_IE&category_id=c7`, { headers })
    expect(ebay.asked).toEqual([{ marketplace_id: 'EBAY_GB' }, { marketplace_id: 'EBAY_IE', category_id: 'c7' }])
    expect(await api('GET', `${path}?policy=1`, { headers })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ field: 'policy' }] },
    })
  })

  it('says whether a choice accepts free text', async () => {
    ebay.choices = [
      { option: 'aspects.Brand', required: true, values: [], free_text: true },
      { option: 'return_policy_id', required: true, values: [] },
    ]
    const { body } = await api('GET', pathOf(await newItem(), 'ebay', 'choices'), { headers: harness.seller.bearer })
    expect(body.choices.map(({ free_text }: { free_text: boolean }) => free_text)).toEqual([true, false])
  })

  it("remembers the shop's choices and not the item's", async () => {
    const defaults = async () =>
      (await api('GET', '/api/v1/platforms/ebay/listing-defaults/', { headers: harness.seller.bearer })).body
    const chosen = { payment_policy_id: 'p2', category_id: 'c9', aspects: { Brand: ['Leica'] }, condition: 'USED_GOOD' }
    ebay.fail('publish', 'refused')
    expect((await list(await newItem(), 'ebay', { price: '5', options: chosen })).status).toBe(502)
    expect(await defaults()).toEqual({})
    expect((await list(await newItem(), 'ebay', { price: '5', options: chosen })).status).toBe(200)
    expect(await defaults()).toEqual({ payment_policy_id: 'p2' })

    const next = await newItem()
    expect((await list(next, 'ebay', { price: '5' })).status).toBe(200)
    expect(liveOf(ebay, next)[0]?.request.options).toMatchObject({ payment_policy_id: 'p2' })
    expect(liveOf(ebay, next)[0]?.request.options).not.toHaveProperty('category_id')

    // An exception does not replace a saved default.
    const options = { payment_policy_id: 'p1', return_policy_id: 'r2' }
    await list(await newItem(), 'ebay', { price: '5', options })
    expect(await defaults()).toEqual({ payment_policy_id: 'p2', return_policy_id: 'r2' })
  })

  it('asks for the terms of a listing once', async () => {
    const suggested = (option: string, id: string) => ({
      option,
      required: true,
      values: [{ id, name: id, suggested: true }],
    })
    ebay.choices = [
      suggested('shipping_service', 'DE_DHLPaket'),
      {
        option: 'shipping_cost',
        required: true,
        free_text: true,
        values: [
          { id: '6.19', name: '6.19 EUR' },
          { id: '0.00', name: 'Free' },
        ],
      },
      suggested('handling_days', '2'),
      suggested('returns_within', '30'),
    ]
    const uid = await newItem()
    expect(await list(uid, 'ebay', { price: '5' })).toMatchObject({ status: 400, body: { code: 'choice_required' } })
    const options = { shipping_cost: '5.49' }
    expect((await list(uid, 'ebay', { price: '5', options })).status).toBe(200)
    const terms = { shipping_service: 'DE_DHLPaket', shipping_cost: '5.49', handling_days: '2', returns_within: '30' }
    const next = await newItem()
    expect((await list(next, 'ebay', { price: '5' })).status).toBe(200)
    expect(liveOf(ebay, next)[0]?.request.options).toMatchObject(terms)
  })

  it('remembers choices of a listing that finishes late', async () => {
    const uid = await newItem()
    let release = () => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    ebay.during = (call) => (call === 'publish' ? gate : Promise.resolve())
    setTimes(harness.server.services, { listingOutcomeMs: 200 })
    const options = { payment_policy_id: 'p2', category_id: 'c9' }
    expect(await list(uid, 'ebay', { price: '5', options })).toMatchObject({ status: 202, body: { status: 'pending' } })
    release()
    const defaults = async () =>
      (await api('GET', '/api/v1/platforms/ebay/listing-defaults/', { headers: harness.seller.bearer })).body
    expect(await until(defaults, ({ payment_policy_id }) => payment_policy_id !== undefined)).toEqual({
      payment_policy_id: 'p2',
    })
  })

  it("repeats an item's choices when it is listed again", async () => {
    const uid = await newItem()
    ebay.choices = [
      { option: 'aspects.Brand', required: true, free_text: true, values: [] },
      { option: 'category_id', required: true, values: [{ id: 'c1', name: 'A', suggested: true }] },
    ]
    const options = { aspects: { Brand: ['Leica'] }, category_id: 'c9' }
    expect((await list(uid)).status).toBe(400)
    expect((await list(uid, 'ebay', { price: '5', options })).status).toBe(200)
    await delist(uid)
    const choices = await api('GET', pathOf(uid, 'ebay', 'choices'), { headers: harness.seller.bearer })
    expect(choices.body.choices.map(({ default_id }: { default_id: string }) => default_id)).toEqual(['Leica', 'c9'])
    expect((await list(uid)).status).toBe(200)
    expect(liveOf(ebay, uid)[0]?.request.options).toMatchObject(options)
    await delist(uid)
    expect((await list(uid, 'ebay', { price: '5', options: { category_id: 'c3' } })).status).toBe(200)
    expect(liveOf(ebay, uid)[0]?.request.options).toMatchObject({ ...options, category_id: 'c3' })
    // Another item is asked anew.
    expect((await list(await newItem())).status).toBe(400)
  })
})
