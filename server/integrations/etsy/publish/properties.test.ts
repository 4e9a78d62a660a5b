import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ListingPort, PublishRequest, ShopAccess } from '#server/integrations/port.ts'
import { drawPicture } from '#server/sandbox/kit/picture.ts'
import { completeOptions } from '#server/selling/listings/preflight/complete-options.ts'
import { examineListing } from '#server/selling/listings/preflight/examine-listing.ts'
import type { ListingOptions } from '#shared/contract/selling/listings.ts'
import { type RunningEtsySandbox, startEtsySandbox } from '../testing/etsy-sandbox.ts'

/* Etsy's rules for some categories, and for goods that somebody else made. */

const shops = ['ThingTheoShop', 'PartneredPennyShop', 'ManyProfilesShop', 'NoProfilesShop']
/** Etsy's values of later years are not published. */
const year = 2026
const clock = () => new Date(Date.UTC(year, 5))
let running: RunningEtsySandbox
let port: ListingPort
const access: Record<string, ShopAccess> = {}
const fetched: string[] = []
beforeAll(async () => {
  running = await startEtsySandbox(
    { usual: false, clock, limits: null, shops: shops.map((shopName) => ({ shopName, listings: [] })) },
    {
      clock,
      fetchPicture: async (address) => {
        fetched.push(address)
        return { bytes: await drawPicture('one', 1, 'one'), type: 'image/png' }
      },
    },
  )
  port = running.adapter.listings!
  for (const shop of shops) access[shop] = running.accessOf(shop)
})
afterAll(() => running?.sandbox.close())

let made = 0
function request(options: ListingOptions, given: Partial<PublishRequest> = {}): PublishRequest {
  made++
  return {
    externalKey: `PROP-${made}-abcdefghijklm`,
    made: null,
    repeated: false,
    sku: null,
    title: 'A thing',
    description: 'Found in a loft.',
    price_minor: 2_000,
    currency: 'USD',
    images: ['https://pictures.example.com/1.png'],
    condition: { label: 'Used', notes: '' },
    attributes: {},
    address: { full_name: 'Theo', line1: '1 Quay', city: 'Portland', postal_code: '04101', country: 'US' },
    options: { who_made: 'someone_else', when_made: '1970s', ...options },
    ...given,
  }
}

const examine = (item: PublishRequest, shop = 'ThingTheoShop') =>
  examineListing(
    { port, access: access[shop]!, platformName: 'Etsy' },
    {
      given: item.options as ListingOptions,
      defaults: {},
      requestWith: (options) => ({ ...item, options }),
      maxAgeMs: 0,
    },
  )
const blockingOf = async (item: PublishRequest, shop?: string) =>
  (await examine(item, shop)).findings.filter(({ blocking }) => blocking)

/** Publishes an item as it stands, and returns the listing at Etsy. */
async function publish(item: PublishRequest, shop = 'ThingTheoShop') {
  const { options } = completeOptions(item.options, {}, await port.choices(access[shop]!, item))
  const { listing_id } = await port.publish(access[shop]!, { ...item, options }, async () => {})
  return running.sandbox.market.find(Number(listing_id))!.listing
}

describe('a required property of a category', () => {
  it('is asked for with its values', async () => {
    const item = request({ taxonomy_id: '6592' })
    const [finding, ...others] = await blockingOf(item)
    expect(others).toEqual([])
    expect(finding).toMatchObject({ field: 'options.aspects.Craft type', code: 'choice_required' })
    expect(finding?.allowed?.map(({ id }) => id)).toEqual(['Crewel', 'Knitting', 'Sewing', 'Weaving & tapestry'])
    // Nothing is sent without it.
    const before = running.sandbox.faults.count('createDraftListing')
    await expect(publish(item)).rejects.toMatchObject({ failure: 'refused', message: expect.stringContaining('Craft') })
    expect(running.sandbox.faults.count('createDraftListing')).toBe(before)
  })

  it('is asked for the suggested category', async () => {
    const { options, findings } = await examine(request({}, { title: '1970s Sandals' }))
    expect(options.taxonomy_id).toBe('1430')
    expect(findings.map(({ field }) => field)).toContain('options.aspects.Shoe size')
  })

  it('is sent with the ids of its values', async () => {
    const one = await publish(request({ taxonomy_id: '6592', aspects: { 'Craft type': ['Weaving & tapestry'] } }))
    expect(one).toMatchObject({ state: 'active', attributes: { 4562: { valueIds: [545], scaleId: null } } })
    const two = await publish(request({ taxonomy_id: '6592', aspects: { 'Craft type': ['Sewing', 'Knitting'] } }))
    expect(two.attributes?.[4562]).toEqual({ valueIds: [544, 543], values: ['Sewing', 'Knitting'], scaleId: null })
  })

  it('is sent with its scale', async () => {
    const european = await publish(request({ taxonomy_id: '1430', aspects: { 'Shoe size': ['EU 38'] } }))
    expect(european.attributes?.[3710]).toEqual({ valueIds: [1_394], values: ['38'], scaleId: 17 })
    const american = await publish(request({ taxonomy_id: '1430', aspects: { 'Shoe size': ['US/Canada 38'] } }))
    expect(american.attributes?.[3710]).toEqual({ valueIds: [1_333], values: ['38'], scaleId: 19 })
  })

  it('may be free text', async () => {
    const item = request({ taxonomy_id: '121' })
    const choice = (await port.choices(access.ThingTheoShop!, item)).find(({ option }) => option === 'aspects.Height')
    expect(choice).toMatchObject({ required: true, free_text: true, label: 'Height, in inches', values: [] })
    const listing = await publish({ ...item, options: { ...item.options, aspects: { Height: ['12'] } } })
    expect(listing.attributes?.[5121]).toEqual({ valueIds: [], values: ['12'], scaleId: 5 })
  })

  it('is filled in from a measurement, required or not', async () => {
    const item = request({ taxonomy_id: '121' }, { attributes: { height: '30.5 cm', width: '8 in' } })
    const listing = await publish(item)
    expect(listing.attributes?.[5121]).toEqual({ valueIds: [], values: ['12'], scaleId: 5 })
    expect(listing.attributes?.[5122]).toEqual({ valueIds: [], values: ['8'], scaleId: 5 })
  })

  it('that is not required is not asked for without a measurement', async () => {
    const choices = await port.choices(access.ThingTheoShop!, request({ taxonomy_id: '121' }))
    expect(choices.map(({ option }) => option)).not.toContain('aspects.Width')
  })

  it.each([
    ['its title', { title: '1970s sewing pattern' }, '6592', 'Sewing'],
    ['its attributes', { attributes: { 'craft type': 'knitting' } }, '6592', 'Knitting'],
    ['its size', { attributes: { size: 'EU 38' } }, '1430', 'EU 38'],
    ['a size of one scale', { attributes: { size: '40' } }, '1430', 'EU 40'],
    ['a size of two scales', { attributes: { size: '38' } }, '1430', undefined],
  ])('is suggested from %s', async (_name, given, taxonomy_id, expected) => {
    const choices = await port.choices(access.ThingTheoShop!, request({ taxonomy_id }, given))
    const choice = choices.find(({ option }) => option.startsWith('aspects.'))
    expect(choice?.values.find(({ suggested }) => suggested)?.id).toBe(expected)
  })

  it('must have no parentheses, which Etsy refuses', async () => {
    const item = request({ taxonomy_id: '121', aspects: { Height: ['12 (about)'] } })
    expect(await blockingOf(item)).toMatchObject([{ field: 'options.aspects.Height', code: 'not_allowed' }])
    await expect(publish(item)).rejects.toMatchObject({ failure: 'refused' })
  })

  it('must have a value of the category', async () => {
    const item = request({ taxonomy_id: '6592', aspects: { 'Craft type': ['Dancing'] } })
    expect(await blockingOf(item)).toMatchObject([{ field: 'options.aspects.Craft type', code: 'not_allowed' }])
    await expect(publish(item)).rejects.toMatchObject({ failure: 'refused' })
  })

  it('is not looked up beyond the calls that are allowed', async () => {
    const choices = await running
      .createAdapter({})
      .listings!.choices(access.ThingTheoShop!, request({ taxonomy_id: '6592' }), { mayLookUp: () => false })
    expect(choices.filter(({ option }) => option.startsWith('aspects'))).toMatchObject([{ unread: true }])
  })
})

describe('an item that somebody else made', () => {
  const modern = [`2020_${year}`, '2010_2019', `${year - 19}_2009`, 'made_to_order']
  it.each(modern)('is blocked on Etsy before pictures are prepared if it is of %s', async (when_made) => {
    const item = request({ taxonomy_id: '471', when_made })
    const [finding, ...others] = await blockingOf(item)
    expect(others).toEqual([])
    expect(finding).toMatchObject({ field: 'options.when_made', code: 'not_allowed' })
    expect(finding?.message).toContain(`made before ${year - 19}`)
    expect(finding?.message).toContain('elsewhere')
    expect(finding?.allowed?.map(({ id }) => id)).not.toContain(when_made)
    fetched.length = 0
    await expect(publish(item)).rejects.toMatchObject({ failure: 'refused', fields: ['marketplace'] })
    expect(fetched).toEqual([])
  })

  it.each([`before_${year - 19}`, `2000_${year - 20}`, '1990s', 'before_1700'])(
    'is taken if it is of %s',
    async (when_made) => {
      const item = request({ taxonomy_id: '471', when_made })
      expect(await blockingOf(item)).toEqual([])
      expect(await publish(item)).toMatchObject({ state: 'active', whenMade: when_made })
    },
  )

  it('is taken as a supply', async () => {
    const item = request({ taxonomy_id: '471', when_made: '2010_2019', is_supply: 'true' })
    expect(await blockingOf(item)).toEqual([])
    expect(await publish(item)).toMatchObject({ state: 'active', isSupply: true })
  })

  it('is taken from a production partner of the shop', async () => {
    const shop = 'PartneredPennyShop'
    const item = request({ taxonomy_id: '471', when_made: '2010_2019', production_partner_ids: '4410881' })
    const offered = (await port.choices(access[shop]!, item)).find(({ option }) => option === 'production_partner_ids')
    expect(offered).toMatchObject({ required: false, values: [{ id: '4410881', name: 'Quay Print House' }] })
    expect(await blockingOf(item, shop)).toEqual([])
    expect(await publish(item, shop)).toMatchObject({ state: 'active' })
    // The partner of another shop is none.
    expect(await blockingOf(item)).toMatchObject([{ field: 'options.production_partner_ids', code: 'not_allowed' }])
  })

  it('is no question for what the seller made', async () => {
    const item = request({ taxonomy_id: '471', who_made: 'i_did', when_made: '2010_2019' })
    expect(await blockingOf(item)).toEqual([])
    expect(await publish(item)).toMatchObject({ state: 'active' })
  })
})

describe('processing profiles', () => {
  it('are all offered', async () => {
    const choices = await port.choices(access.ManyProfilesShop!, request({ taxonomy_id: '471' }))
    const profiles = choices.find(({ option }) => option === 'readiness_state_id')?.values ?? []
    expect(new Set(profiles.map(({ id }) => id)).size).toBe(130)
    const last = profiles.at(-1)!.id
    const item = request({ taxonomy_id: '471', readiness_state_id: last })
    expect(await publish(item, 'ManyProfilesShop')).toMatchObject({ readinessStateId: Number(last) })
  })

  it('are made on the page that the finding links to', async () => {
    const [finding, ...others] = await blockingOf(request({ taxonomy_id: '471' }), 'NoProfilesShop')
    expect(others).toEqual([])
    expect(finding).toMatchObject({ field: 'options.readiness_state_id', code: 'choice_required' })
    expect(finding?.message).toBe('Your shop has no processing profile yet. Make one on Etsy first.')
    expect(finding?.link).toMatch(/^https?:.+\/your\/shops\/me\/tools\/shipping-profiles$/)
  })
})
