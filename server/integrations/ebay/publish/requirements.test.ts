import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { knownValue, standardSize } from '#server/integrations/item-texts/item-details.ts'
import type { ListingPort, PublishRequest, ShopAccess } from '#server/integrations/port.ts'
import type { EbaySandbox } from '#server/sandbox/ebay/index.ts'
import { usualScopes } from '#server/sandbox/ebay/oauth.ts'
import { completeOptions } from '#server/selling/listings/preflight/complete-options.ts'
import { conditionAmong } from '../condition.ts'
import { lastListed, type RunningEbaySandbox, specificsOf, startEbaySandbox } from '../testing/ebay-sandbox.ts'

const sellers = ['flat_fay', 'calculated_cat', 'no_policies_ned']
let running: RunningEbaySandbox
let sandbox: EbaySandbox
let port: ListingPort
const access: Record<string, ShopAccess> = {}
beforeAll(async () => {
  running = await startEbaySandbox({
    usual: false,
    sellers: sellers.map((username) => ({ username, items: [] })),
  })
  sandbox = running.sandbox
  port = running.adapter.listings!
  for (const seller of sellers) access[seller] = running.accessOf(seller)
})
afterAll(() => sandbox?.close())
beforeEach(() => void sandbox.requests.splice(0))

let made = 0
function request(given: Partial<PublishRequest> = {}): PublishRequest {
  made++
  return {
    externalKey: `REQ-${made}-abcdefghijklm`,
    sku: null,
    title: 'Canon AE-1 Film Camera',
    description: 'Works.',
    price_minor: 9_900,
    currency: 'USD',
    images: ['https://pictures.example.com/1.jpg'],
    condition: { label: 'Used', notes: 'A scratch.' },
    attributes: { brand: 'Canon' },
    address: { full_name: 'Cat', line1: '1 Quay', city: 'Portland', region: 'ME', postal_code: '04101', country: 'US' },
    options: {},
    ...given,
  }
}
const choicesOf = (seller: string, item: PublishRequest) => port.choices(access[seller]!, item)
async function complete(seller: string, item: PublishRequest) {
  const { options, missing } = completeOptions(item.options, {}, await choicesOf(seller, item))
  return { item: { ...item, options }, missing: missing.map(({ option }) => option) }
}
async function publish(seller: string, given: Partial<PublishRequest>) {
  const { item, missing } = await complete(seller, request(given))
  expect(missing).toEqual([])
  await port.publish(access[seller]!, item, async () => {})
  return lastListed(sandbox).item
}
describe('calculated shipping on eBay', () => {
  it('requires unknown weight and parcel size', async () => {
    const { missing } = await complete('calculated_cat', request())
    expect(missing).toEqual(['weight_grams', 'parcel_length_mm', 'parcel_width_mm', 'parcel_height_mm'])
    expect((await complete('flat_fay', request())).missing).toEqual([])
  })

  it('requires only the missing side', async () => {
    const attributes = { brand: 'Canon', weight_grams: 900, parcel: { length_mm: 200, width_mm: 150 } }
    expect((await complete('calculated_cat', request({ attributes }))).missing).toEqual(['parcel_height_mm'])
  })

  it('sends ounces and inches to the US site', async () => {
    const parcel = { length_mm: 254, width_mm: 200, height_mm: 100 }
    const sent = await publish('calculated_cat', { attributes: { brand: 'Canon', weight_grams: 560, parcel } })
    const measure = (unit: string, text: string) => ({ '@unit': unit, '@measurementSystem': 'English', '#text': text })
    expect(sent.ShippingPackageDetails).toEqual({
      PackageDepth: measure('in', '4'),
      PackageLength: measure('in', '10'),
      PackageWidth: measure('in', '8'),
      ShippingPackage: 'PackageThickEnvelope',
      WeightMajor: measure('lbs', '1'),
      WeightMinor: measure('oz', '4'),
    })
  })

  it('prefers the list request’s values to the item’s', async () => {
    const sizes = { parcel_length_mm: '254', parcel_width_mm: '254', parcel_height_mm: '254' }
    const sent = await publish('calculated_cat', {
      attributes: { brand: 'Canon', weight_grams: 10 },
      options: { weight_grams: '1000', ...sizes },
    })
    expect(sent.ShippingPackageDetails).toMatchObject({ WeightMajor: { '#text': '2' }, WeightMinor: { '#text': '4' } })
  })

  it('is refused without a weight', async () => {
    const { item } = await complete('calculated_cat', request())
    await expect(port.publish(access.calculated_cat!, item, async () => {})).rejects.toMatchObject({
      platformCode: '717',
      message: expect.stringContaining('The package weight is not valid or is missing'),
    })
  })
})

describe('product identifiers on eBay', () => {
  const novel = {
    title: 'Signed Hardcover Novel, First Edition',
    condition: { label: 'Very Good', notes: '' },
    options: { aspects: { Author: ['Ann Author'], 'Book Title': ['A Novel'], Language: ['English'] } },
  }
  it('sends the ISBN of a book without its hyphens', async () => {
    const sent = await publish('flat_fay', { ...novel, attributes: { isbn: '978-0-306-40615-7' } })
    expect(sent.ProductListingDetails).toMatchObject({ ISBN: '9780306406157' })
  })

  it('sends "Does not apply" for a book without an ISBN', async () => {
    const sent = await publish('flat_fay', { ...novel, attributes: {} })
    expect(sent.ProductListingDetails).toMatchObject({ ISBN: 'Does not apply' })
  })

  it('offers the ISBN as a choice', async () => {
    const choices = await choicesOf('flat_fay', request({ ...novel, attributes: {} }))
    expect(choices.find(({ option }) => option === 'isbn')).toMatchObject({ required: true, free_text: true })
  })

  it('sends an EAN that eBay requires without an aspect', async () => {
    const sent = await publish('flat_fay', { title: 'Nokia Phone 3310', attributes: { brand: 'Nokia' } })
    expect(sent.ProductListingDetails).toMatchObject({ EAN: 'Does not apply' })
    const known = await publish('flat_fay', {
      title: 'Nokia Phone 3310',
      attributes: { brand: 'Nokia', ean: '6417182041488', upc: '041488123456' },
    })
    expect(known.ProductListingDetails).toMatchObject({ EAN: '6417182041488', UPC: '041488123456' })
  })

  it('sends brand and part number as a pair', async () => {
    const one = await publish('flat_fay', { attributes: { brand: 'Canon' } })
    expect(one.ProductListingDetails).toMatchObject({ BrandMPN: { Brand: 'Canon', MPN: 'Does not apply' } })
    const both = await publish('flat_fay', { attributes: { brand: 'Canon', mpn: 'AE-1' } })
    expect(both.ProductListingDetails).toMatchObject({ BrandMPN: { Brand: 'Canon', MPN: 'AE-1' } })
  })
})

describe('conditions by category on eBay', () => {
  const jacket = {
    title: 'Vintage Levi’s Denim Jacket Navy',
    attributes: { brand: 'Levi’s', size: 'Size Medium', colors: ['Navy'], material: 'Denim' },
  }
  it.each([
    ['Pre-owned - Excellent', '2990'],
    ['Pre-owned - Good', '3000'],
    ['Pre-owned - Fair', '3010'],
    ['Used, good', '3000'],
    ['New with tags', '1000'],
    ['Very Good', '3000'],
    ['Acceptable', '3010'],
  ])('lists "%s" clothing as %s', async (label, condition) => {
    const sent = await publish('flat_fay', { ...jacket, condition: { label, notes: '' } })
    expect(sent.ConditionID).toBe(condition)
  })

  it('offers the category’s conditions under its names', async () => {
    const choices = await choicesOf('flat_fay', request(jacket))
    const names = choices.find(({ option }) => option === 'condition')?.values.map(({ name }) => name)
    expect(names).toContain('Pre-owned - Good')
    expect(names).not.toContain('Used, good')
  })

  it('reads the conditions of a category once a day', async () => {
    await choicesOf('flat_fay', request(jacket))
    await choicesOf('flat_fay', request(jacket))
    const reads = sandbox.requests.filter(({ url }) => url.includes('get_item_condition_policies'))
    expect(reads.length).toBeLessThanOrEqual(1)
  })

  it('offers them to a seller whose consent lacks the Inventory API', async () => {
    // Another adapter has no answers yet.
    const other = await startEbaySandbox({ usual: false, sellers: [{ username: 'flat_fay', items: [] }] })
    const scopes = usualScopes.filter((scope) => !scope.endsWith('sell.inventory'))
    const { access_token } = other.sandbox.grant('flat_fay', scopes)
    const shop = { ...other.accessOf('flat_fay'), accessToken: access_token }
    const choices = await other.adapter.listings!.choices(shop, request(jacket))
    await other.sandbox.close()
    const names = choices.find(({ option }) => option === 'condition')?.values.map(({ name }) => name)
    expect(names).toContain('Pre-owned - Good')
  })

  it('is refused for another condition', async () => {
    const { item } = await complete('flat_fay', request({ ...jacket, options: { condition: 'USED_GOOD' } }))
    await expect(port.publish(access.flat_fay!, item, async () => {})).rejects.toMatchObject({
      platformCode: '21916884',
    })
  })

  it('offers recommended aspects, and sizes in the standard form', async () => {
    const sent = await publish('flat_fay', jacket)
    expect(specificsOf(sent)).toMatchObject({ Size: ['M'], Material: ['Denim'], Brand: ['Levi’s'] })
  })

  it.each([
    ['Medium', 'M'],
    ['Size 10', '10'],
    ['US 12', '12'],
    ['X-Large', 'XL'],
    ['extra large', 'XL'],
    ['One size fits all', 'One Size'],
    ['xl', 'XL'],
    ['38R', null],
  ])('maps the size "%s" to %s', (size, standard) => {
    expect(standardSize(size, ['S', 'M', 'L', 'XL', '10', '12', 'One Size'])).toBe(standard)
  })

  it('suggests nothing without information', () => {
    expect(conditionAmong('not stated', [{ condition: 'NEW', name: 'New' }])).toBeNull()
    expect(knownValue('Size', ['S', 'M'], true, request({ attributes: {} }))?.value ?? null).toBeNull()
  })
})

describe('trading cards on eBay', () => {
  const card = { title: 'Pokemon Holo Charizard', attributes: {}, options: { aspects: { Game: ['Pokémon TCG'] } } }

  it('requires a condition and its descriptors', async () => {
    expect((await complete('flat_fay', request(card))).missing).toEqual(['condition'])
    const missingFor = async (condition: string) =>
      (await complete('flat_fay', request({ ...card, options: { ...card.options, condition } }))).missing
    expect(await missingFor('USED_VERY_GOOD')).toEqual(['condition_descriptors.40001'])
    expect(await missingFor('LIKE_NEW')).toEqual([
      'condition_descriptors.27501',
      'condition_descriptors.27502',
      'condition_descriptors.27503',
    ])
  })

  it('shows the names of descriptors and values', async () => {
    const options = { ...card.options, condition: 'USED_VERY_GOOD' }
    const choices = await choicesOf('flat_fay', request({ ...card, options }))
    expect(choices.find(({ option }) => option === 'condition_descriptors.40001')).toMatchObject({
      label: 'Card Condition',
      values: [{ id: '400010', name: 'Near mint or better' }, { id: '400015' }],
    })
  })

  it('sends value ids and the certification number', async () => {
    const ungraded = await publish('flat_fay', {
      ...card,
      options: { ...card.options, condition: 'USED_VERY_GOOD', condition_descriptors: { 40001: '400015' } },
    })
    expect(ungraded.ConditionDescriptors).toEqual({ ConditionDescriptor: { Name: '40001', Value: '400015' } })
    const graded = await publish('flat_fay', {
      ...card,
      options: {
        ...card.options,
        condition: 'LIKE_NEW',
        condition_descriptors: { 27501: '275010', 27502: '275020', 27503: '12345678' },
      },
    })
    expect(graded.ConditionDescriptors).toEqual({
      ConditionDescriptor: [
        { Name: '27501', Value: '275010' },
        { Name: '27502', Value: '275020' },
        { Name: '27503', AdditionalInfo: '12345678' },
      ],
    })
  })
})

describe('sellers without business policies on eBay', () => {
  const terms = { shipping_service: 'USPSParcel', shipping_cost: '7.25', handling_days: '3', returns_within: '60' }
  const ofTerms = (option: string) => option.startsWith('shipping_') || /^(handling|returns)_/.test(option)

  it('are asked for the price of shipping alone', async () => {
    const { item, missing } = await complete('no_policies_ned', request())
    expect(missing).toEqual(['shipping_cost'])
    expect(item.options).toMatchObject({ shipping_service: 'USPSParcel', handling_days: '2', returns_within: '30' })
    const ofShop = await port.shopChoices(access.no_policies_ned!, { country: 'US', marketplace_id: null })
    const services = ofShop.find(({ option }) => option === 'shipping_service')?.values.map(({ id }) => id)
    expect(services).toEqual(['UPSGround', 'USPSParcel', 'USPSPriority', 'USPSMedia'])
  })

  it.each([
    ['US', 'USD', 'USPSParcel', '8.50'],
    ['GB', 'GBP', 'UK_RoyalMailSecondClassStandard', '3.95'],
    ['DE', 'EUR', 'DE_DHLPaket', '6.19'],
    ['CA', 'CAD', 'CA_PostExpeditedParcel', '16.00'],
    ['AU', 'AUD', 'AU_Regular', '0.00'],
  ])('see proposals of %s', async (country, currency, service, cost) => {
    const address = { ...request().address, country }
    const choices = await choicesOf('no_policies_ned', request({ address, currency }))
    expect(choices.filter(({ option }) => option.endsWith('_policy_id'))).toEqual([])
    const proposed = choices.find(({ option }) => option === 'shipping_service')?.values.find((one) => one.suggested)
    expect(proposed?.id).toBe(service)
    const costs = choices.find(({ option }) => option === 'shipping_cost')
    expect(costs?.values[0]?.id).toBe(cost)
    expect(costs?.values.some(({ suggested }) => suggested)).toBe(false)
  })

  it('list with terms of the listing’s own', async () => {
    const sent = await publish('no_policies_ned', { options: terms })
    expect(sent.SellerProfiles).toBeUndefined()
    expect(sent).toMatchObject({
      DispatchTimeMax: '3',
      ReturnPolicy: {
        ...{ ReturnsAcceptedOption: 'ReturnsAccepted', ReturnsWithinOption: 'Days_60' },
        ShippingCostPaidByOption: 'Buyer',
      },
      ShippingDetails: {
        ShippingServiceOptions: {
          ShippingService: 'USPSParcel',
          ShippingServiceCost: { '@currencyID': 'USD', '#text': '7.25' },
        },
      },
    })
  })

  it('list with free shipping and without returns', async () => {
    const sent = await publish('no_policies_ned', {
      options: { ...terms, shipping_cost: '0.00', returns_within: 'none' },
    })
    expect(sent.ReturnPolicy).toEqual({ ReturnsAcceptedOption: 'ReturnsNotAccepted' })
    expect(sent.ShippingDetails).toMatchObject({ ShippingServiceOptions: { FreeShipping: 'true' } })
  })

  it('are refused another site’s shipping service', async () => {
    const { item } = await complete(
      'no_policies_ned',
      request({ options: { ...terms, shipping_service: 'DE_DHLPaket' } }),
    )
    await expect(port.publish(access.no_policies_ned!, item, async () => {})).rejects.toMatchObject({
      message: expect.stringContaining('ShippingService'),
    })
  })

  it('read a site’s services once a day', async () => {
    await choicesOf('no_policies_ned', request())
    await choicesOf('no_policies_ned', request())
    expect(sandbox.requests.filter(({ body }) => body.includes('<GeteBayDetails')).length).toBeLessThanOrEqual(1)
  })

  it('do not see the terms where they have policies', async () => {
    expect((await choicesOf('flat_fay', request())).filter(({ option }) => ofTerms(option))).toEqual([])
    const sent = await publish('flat_fay', { options: terms })
    expect(sent.ShippingDetails).toBeUndefined()
    expect(sent.SellerProfiles).toMatchObject({ SellerShippingProfile: { ShippingProfileID: expect.any(String) } })
  })
})
