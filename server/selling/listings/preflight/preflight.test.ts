import { describe, expect, it } from 'vitest'
import { newId } from '#shared/identity.ts'
import { insertLiveListing, insertShop } from '../testing/build-item.ts'
import { pathOf, useListingHarness } from '../testing/harness.ts'

const harness = useListingHarness()
const { ebay, etsy, api, newItem, list } = harness

const preflight = (uid: string, slug = 'ebay', query = '') =>
  api('GET', `${pathOf(uid, slug, 'preflight')}${query}`, { headers: harness.seller.bearer })
const ofRequest = (uid: string, body: object, slug = 'ebay') =>
  api('POST', pathOf(uid, slug, 'preflight'), { headers: harness.seller.bearer, body })
const bulk = (body: object) =>
  api('POST', '/api/v1/inventory/bulk/preflight/', { headers: harness.seller.bearer, body })
// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the server answered
const briefOf = ({ findings }: any): string[] =>
  findings.map(({ field, code, blocking }: Record<string, unknown>) => `${field} ${code}${blocking ? ' blocks' : ''}`)
// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the server answered
const briefly = ({ body }: { body: any }) => briefOf(body)

describe('preflight of a listing', () => {
  it('names the shipping that the listing would go up with', async () => {
    const uid = await newItem()
    const shipping = { option: 'fulfillment_policy_id', required: true }
    ebay.choices = [{ ...shipping, values: [{ id: 's1', name: 'USPS Ground' }] }]
    expect((await preflight(uid)).body.shipping).toBe('USPS Ground')
    ebay.choices = [{ ...shipping, values: [] }]
    expect((await preflight(uid)).body.shipping).toBeNull()
  })

  it('is ready when nothing blocks it', async () => {
    const uid = await newItem()
    ebay.choices = [{ option: 'category_id', required: true, values: [{ id: 'c1', name: 'Coats', suggested: true }] }]
    expect(await preflight(uid)).toMatchObject({
      status: 200,
      body: {
        inventory_item_uid: uid,
        platform: 'ebay',
        ready: true,
        findings: [],
        options: { category_id: 'c1' },
      },
    })
    expect((await list(uid)).status).toBe(200)
  })

  it.each(['category_id', 'condition'])(
    'takes no %s that is not suggested, even if it is the only one',
    async (option) => {
      const uid = await newItem()
      ebay.choices = [{ option, required: true, values: [{ id: 'c1', name: 'Coats' }] }]
      expect(briefly(await preflight(uid))).toEqual([`options.${option} choice_required blocks`])
      expect((await list(uid)).body.code).toBe('choice_required')
    },
  )

  it('says the price by the rule of the platform', async () => {
    const uid = await newItem()
    await api('PUT', '/api/v1/user/settings/', {
      headers: harness.seller.bearer,
      body: { price_rules: { ebay: { basis_points: 1_000, rounding: 'none' } } },
    })
    const { price_minor } = (await api('GET', `/api/v1/inventory/${uid}/`, { headers: harness.seller.bearer })).body
      .record.offer
    expect((await preflight(uid)).body).toMatchObject({ price_minor: price_minor * 1.1, currency: 'USD' })
    expect((await ofRequest(uid, { price: '7.00' })).body.price_minor).toBe(700)
  })

  it('names missing and invalid options with allowed values', async () => {
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
      { option: 'return_policy_id', required: true, values: [] },
      {
        option: 'condition',
        required: true,
        values: [
          { id: 'USED', name: 'Used' },
          { id: 'NEW', name: 'New' },
        ],
      },
      { option: 'aspects.Style', required: false, values: [{ id: 'Boho', name: 'Boho' }] },
    ]
    const refused = await ofRequest(uid, { price: '5.00', options: { condition: 'WORN' } })
    expect(refused.body.ready).toBe(false)
    expect(refused.body.findings).toMatchObject([
      {
        field: 'options.payment_policy_id',
        code: 'choice_required',
        blocking: true,
        allowed: [{ id: 'p1' }, { id: 'p2' }],
      },
      { field: 'options.return_policy_id', code: 'choice_required', blocking: true, allowed: [] },
      { field: 'options.condition', code: 'not_allowed', blocking: true, allowed: [{ id: 'USED' }, { id: 'NEW' }] },
      { field: 'options.aspects.Style', code: 'recommended', blocking: false, allowed: [{ id: 'Boho' }] },
    ])
    expect(refused.body.findings[1].message).toContain('Make one on eBay first')
    expect(ebay.calls.filter((call) => call === 'publish')).toEqual([])
  })

  it("blocks on the adapter's findings", async () => {
    const uid = await newItem()
    ebay.findings = [{ field: 'title', code: 'shortened', message: 'Too long.', blocking: false }]
    expect(briefly(await preflight(uid))).toEqual(['title shortened'])
    ebay.findings = [{ field: 'images', code: 'picture_required', message: 'No photo.', blocking: true }]
    const blocked = await preflight(uid)
    expect(briefly(blocked)).toEqual(['images picture_required blocks'])
    expect(blocked.body.ready).toBe(false)
  })

  it('predicts what publishing refuses before sending', async () => {
    const [one, two] = [await newItem(), await newItem()]
    ebay.findings = [{ field: 'images', code: 'picture_required', message: 'No photo.', blocking: true }]
    expect((await preflight(one)).body.ready).toBe(false)
    expect(await list(one)).toMatchObject({ status: 502, body: { code: 'platform_failed', detail: 'No photo.' } })

    ebay.findings = []
    ebay.choices = [{ option: 'condition', required: true, values: [{ id: 'USED', name: 'Used' }] }]
    const body = { price: '5.00', options: { condition: 'WORN' } }
    expect((await ofRequest(two, body)).body.ready).toBe(false)
    expect(await list(two, 'ebay', body)).toMatchObject({ status: 502, body: { code: 'platform_failed' } })
    expect(ebay.calls).not.toContain('publish')
  })

  it('reports subscription, address, connection and state at once', async () => {
    const uid = await newItem({ state: 'withdrawn' })
    await harness.db.none("update app_user set created_at = now() - interval '400 days' where id = $1", [
      harness.seller.user_id,
    ])
    await harness.db.none('delete from seller_account where user_id = $1', [harness.seller.user_id])
    expect(briefly(await preflight(uid))).toEqual([
      'state not_available blocks',
      'subscription subscription_required blocks',
      'connection connection_required blocks',
    ])
  })

  it('shows what the platform itself refuses and charges', async () => {
    const uid = await newItem()
    const asked: unknown[] = []
    const fees = [{ code: 'listing_fee', charged: 'on_listing', certain: true, amount_minor: 35, currency: 'USD' }]
    ebay.adapter.listings!.verify = async (_access, request) => {
      asked.push(request)
      const finding = { field: 'platform', code: 'not_allowed', message: 'No such word.', blocking: true } as const
      return { findings: [finding], fees: fees.map((fee) => ({ ...fee, message: 'It costs.' })) as never }
    }
    const refused = await preflight(uid)
    expect(briefly(refused)).toEqual(['platform not_allowed blocks'])
    expect(refused.body.fees).toMatchObject(fees)
    expect(asked).toHaveLength(1)
    expect(asked[0]).not.toHaveProperty('idempotencyKey')
    // It counts as publishing, so a selection does without, and so does a listing that something else keeps back.
    await bulk({ uids: [uid], platforms: ['ebay'] })
    ebay.choices = [{ option: 'category_id', required: true, values: [] }]
    expect(briefly(await preflight(uid))).toEqual(['options.category_id choice_required blocks'])
    expect(asked).toHaveLength(1)
    delete ebay.adapter.listings!.verify
  })

  it('names the terms of a listing without policies', async () => {
    const uid = await newItem()
    const choice = (option: string, id: string, name: string, free_text = false) => ({
      option,
      required: true,
      free_text,
      values: [{ id, name, suggested: true }],
    })
    ebay.choices = [
      choice('shipping_service', 'DE_DHLPaket', 'DHL Paket'),
      choice('shipping_cost', '6.19', '6.19 EUR', true),
      choice('handling_days', '2', 'Sent within 2 working days'),
      choice('returns_within', 'none', 'No returns'),
    ]
    expect((await preflight(uid)).body.shipping).toBe('DHL Paket, 6.19 EUR, Sent within 2 working days, No returns')
  })

  it('is not ready while the platform cannot be asked', async () => {
    const uid = await newItem()
    ebay.fail('choices', 'not_sent')
    const unknown = await preflight(uid)
    expect(briefly(unknown)).toEqual(['platform platform_failed'])
    expect(unknown.body.ready).toBe(false)
  })

  it('reports live listings, and platforms listed by hand', async () => {
    const uid = await newItem()
    await list(uid)
    expect(briefly(await preflight(uid))).toEqual(['listings already_listed'])
    expect(briefly(await preflight(uid, 'poshmark'))).toEqual(['platform by_hand'])
  })

  it('answers 404 for unknown items and platforms', async () => {
    const uid = await newItem()
    expect((await preflight(newId('inv'))).status).toBe(404)
    expect((await preflight(uid, 'amazon')).status).toBe(404)
    expect((await ofRequest(uid, { price: '0.00' })).status).toBe(400)
  })
})

describe('preflight of a selection', () => {
  it('answers each pair once, in order, and counts the ready', async () => {
    const [one, two] = [await newItem(), await newItem({ state: 'withdrawn' })]
    await insertLiveListing(harness.db, {
      user_id: harness.seller.user_id,
      item_uid: one,
      seller_account_uid: await insertShop(harness.db, harness.seller.user_id, 'depop'),
      platform: 'depop',
      listing_id: 'd-1',
    })
    etsy.choices = [{ option: 'shipping_profile_id', required: true, values: [] }]
    const { status, body } = await bulk({ uids: [one, two, one, newId('inv')], platforms: ['ebay', 'etsy', 'depop'] })
    expect(status).toBe(200)
    expect(body.results.map((one: { platform: string; ready: boolean }) => `${one.platform} ${one.ready}`)).toEqual([
      'ebay true',
      'etsy false',
      'depop true',
      'ebay false',
      'etsy false',
      'depop false',
    ])
    expect(body).toMatchObject({ ready: 2, not_ready: 4 })
    expect(body.results[1].findings[0]).toEqual({
      field: 'options.shipping_profile_id',
      code: 'choice_required',
      message: 'Your shop has no shipping profile yet. Make one on Etsy first.',
      blocking: true,
    })
  })

  it('checks items with the options of their own', async () => {
    const [plain, answered] = [await newItem(), await newItem()]
    ebay.choices = [
      {
        option: 'condition',
        required: true,
        values: [
          { id: 'NEW', name: 'New' },
          { id: 'USED', name: 'Used' },
        ],
      },
    ]
    const items = [{ uid: answered, options: { ebay: { condition: 'USED' } } }]
    const { body } = await bulk({ uids: [plain], items, platforms: ['ebay'] })
    expect(body).toMatchObject({ ready: 1, not_ready: 1 })
    expect(body.results).toMatchObject([
      { inventory_item_uid: plain, ready: false },
      { inventory_item_uid: answered, ready: true, options: { condition: 'USED' } },
    ])
    const many = Array.from({ length: 60 }, () => ({ uid: newId('inv') }))
    const uids = Array.from({ length: 60 }, () => newId('inv'))
    expect((await bulk({ uids, items: many, platforms: ['ebay'] })).status).toBe(400)
    expect((await bulk({ platforms: ['ebay'] })).status).toBe(400)
  })

  it('looks up at most 20 items and reports the rest unchecked', async () => {
    ebay.choices = [{ option: 'category_id', required: true, values: [{ id: 'c1', name: 'Coats', suggested: true }] }]
    const uids: string[] = []
    for (let n = 0; n < 23; n++) uids.push(await newItem())
    const { body } = await bulk({ uids, platforms: ['ebay'] })
    expect(body).toMatchObject({ ready: 20, not_ready: 0, not_checked: 3 })
    expect(ebay.calls.filter((call) => call === 'choices')).toHaveLength(20)
    expect(briefly({ body: body.results.at(-1) })).toEqual(['options.category_id not_checked'])
  })

  it("checks the price in each item's currency", async () => {
    const [dollars, yen] = [await newItem(), await newItem()]
    await harness.db.none("update inventory_item set currency = 'JPY' where uid = $1", [yen])
    const { status, body } = await bulk({ uids: [dollars, yen], platforms: ['ebay'], price: '10.50' })
    expect(status).toBe(200)
    expect(body.results.map(briefOf)).toEqual([[], ['price invalid_price blocks']])
    expect((await bulk({ uids: [dollars], platforms: ['ebay'], price: '0.00' })).status).toBe(400)
  })

  it('uses a named shop for its own platform only', async () => {
    const uid = await newItem()
    const { status, body } = await bulk({ uids: [uid], platforms: ['ebay', 'etsy'], seller_account_uid: harness.shop })
    expect(status).toBe(200)
    expect(body).toMatchObject({ ready: 2, not_ready: 0 })
  })

  it('accepts 100 items, and refuses more, none, or a bad platform', async () => {
    const uids = Array.from({ length: 100 }, () => newId('inv'))
    expect(await bulk({ uids, platforms: ['ebay'] })).toMatchObject({ status: 200, body: { results: [] } })
    expect((await bulk({ uids: [...uids, newId('inv')], platforms: ['ebay'] })).status).toBe(400)
    expect((await bulk({ uids: [], platforms: ['ebay'] })).status).toBe(400)
    expect((await bulk({ uids, platforms: ['amazon'] })).status).toBe(400)
  })
})
