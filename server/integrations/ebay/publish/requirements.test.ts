import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { knownValue, standardSize } from '#server/integrations/item-details.ts'
import type { ListingPort, PublishRequest, ShopAccess } from '#server/integrations/port.ts'
import type { EbaySandbox } from '#server/sandbox/ebay/index.ts'
import { usualScopes } from '#server/sandbox/ebay/oauth.ts'
import { completeOptions } from '#server/selling/listings/preflight/complete-options.ts'
import { conditionAmong } from '../condition.ts'
import { type RunningEbaySandbox, startEbaySandbox } from '../testing/ebay-sandbox.ts'

const sellers = ['flat_fay', 'calculated_cat', 'no_policies_ned']
let running: RunningEbaySandbox
let sandbox: EbaySandbox
let port: ListingPort
let aheadMs = 0
const access: Record<string, ShopAccess> = {}
beforeAll(async () => {
  running = await startEbaySandbox({
    usual: false,
    clock: () => new Date(Date.now() + aheadMs),
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
  return lastItem()
}
/** Returns the inventory item that was sent last. */
function lastItem() {
  const sent = sandbox.requests.filter(({ method, url }) => method === 'PUT' && url.includes('/inventory_item/')).at(-1)
  return JSON.parse(sent?.body ?? '{}') as {
    condition: string
    product: Record<string, unknown>
    packageWeightAndSize?: unknown
    conditionDescriptors?: unknown
  }
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
    const sent = await publish('calculated_cat', { attributes: { brand: 'Canon', weight_grams: 567, parcel } })
    expect(sent.packageWeightAndSize).toEqual({
      packageType: 'PACKAGE_THICK_ENVELOPE',
      weight: { value: 20.1, unit: 'OUNCE' },
      dimensions: { length: 10, width: 7.9, height: 4, unit: 'INCH' },
    })
  })

  it('prefers the list request’s values to the item’s', async () => {
    const sizes = { parcel_length_mm: '254', parcel_width_mm: '254', parcel_height_mm: '254' }
    const sent = await publish('calculated_cat', {
      attributes: { brand: 'Canon', weight_grams: 10 },
      options: { weight_grams: '1000', ...sizes },
    })
    expect(sent.packageWeightAndSize).toMatchObject({ weight: { value: 35.3, unit: 'OUNCE' } })
  })

  it('is refused without a weight or with a wrong package type', async () => {
    const { item } = await complete('calculated_cat', request())
    await expect(port.publish(access.calculated_cat!, item, async () => {})).rejects.toMatchObject({
      platformCode: '25020',
      message: expect.stringContaining('The package weight is not valid or is missing'),
    })
    const stored = sandbox.offers.item('calculated_cat', item.externalKey)!
    const packageWeightAndSize = { packageType: 'MAILING_BOX', weight: { value: 1, unit: 'POUND' } }
    sandbox.offers.putItem('calculated_cat', item.externalKey, { ...stored, packageWeightAndSize })
    const [offer] = sandbox.offers.offersOf('calculated_cat', item.externalKey)
    const answer = await fetch(`${running.url}/sell/inventory/v1/offer/${offer!.offerId}/publish`, {
      method: 'POST',
      headers: { authorization: `Bearer ${access.calculated_cat!.accessToken}`, 'accept-language': 'en-US' },
    })
    expect(await answer.json()).toMatchObject({ errors: [{ errorId: 25101 }] })
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
    expect(sent.product.isbn).toEqual(['9780306406157'])
  })

  it('sends "Does not apply" for a book without an ISBN', async () => {
    const sent = await publish('flat_fay', { ...novel, attributes: {} })
    expect(sent.product.isbn).toEqual(['Does not apply'])
  })

  it('offers the ISBN as a choice', async () => {
    const choices = await choicesOf('flat_fay', request({ ...novel, attributes: {} }))
    expect(choices.find(({ option }) => option === 'isbn')).toMatchObject({ required: true, free_text: true })
  })

  it('sends an EAN that eBay requires without an aspect', async () => {
    const sent = await publish('flat_fay', { title: 'Nokia Phone 3310', attributes: { brand: 'Nokia' } })
    expect(sent.product.ean).toEqual(['Does not apply'])
    const known = await publish('flat_fay', {
      title: 'Nokia Phone 3310',
      attributes: { brand: 'Nokia', ean: '6417182041488', upc: '041488123456' },
    })
    expect(known.product).toMatchObject({ ean: ['6417182041488'], upc: ['041488123456'] })
  })

  it('sends brand and part number as a pair', async () => {
    expect((await publish('flat_fay', { attributes: { brand: 'Canon' } })).product).toMatchObject({
      brand: 'Canon',
      mpn: 'Does not apply',
    })
    const both = await publish('flat_fay', { attributes: { brand: 'Canon', mpn: 'AE-1' } })
    expect(both.product).toMatchObject({ brand: 'Canon', mpn: 'AE-1' })
  })
})

describe('conditions by category on eBay', () => {
  const jacket = {
    title: 'Vintage Levi’s Denim Jacket Navy',
    attributes: { brand: 'Levi’s', size: 'Size Medium', colors: ['Navy'], material: 'Denim' },
  }
  it.each([
    ['Pre-owned - Excellent', 'PRE_OWNED_EXCELLENT'],
    ['Pre-owned - Good', 'USED_EXCELLENT'],
    ['Pre-owned - Fair', 'PRE_OWNED_FAIR'],
    ['Used, good', 'USED_EXCELLENT'],
    ['New with tags', 'NEW'],
    ['Very Good', 'USED_EXCELLENT'],
    ['Acceptable', 'PRE_OWNED_FAIR'],
  ])('lists "%s" clothing as %s', async (label, condition) => {
    const sent = await publish('flat_fay', { ...jacket, condition: { label, notes: '' } })
    expect(sent.condition).toBe(condition)
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

  it('is refused with 25021 for another condition', async () => {
    const { item } = await complete('flat_fay', request({ ...jacket, options: { condition: 'USED_GOOD' } }))
    await expect(port.publish(access.flat_fay!, item, async () => {})).rejects.toMatchObject({ platformCode: '25021' })
  })

  it('offers recommended aspects, and sizes in the standard form', async () => {
    const sent = await publish('flat_fay', jacket)
    expect(sent.product.aspects).toMatchObject({ Size: ['M'], Material: ['Denim'], Brand: ['Levi’s'] })
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
    expect(knownValue('Size', ['S', 'M'], true, request({ attributes: {} }))).toBeNull()
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
    expect(ungraded.conditionDescriptors).toEqual([{ name: '40001', values: ['400015'] }])
    const graded = await publish('flat_fay', {
      ...card,
      options: {
        ...card.options,
        condition: 'LIKE_NEW',
        condition_descriptors: { 27501: '275010', 27502: '275020', 27503: '12345678' },
      },
    })
    expect(graded.conditionDescriptors).toEqual([
      { name: '27501', values: ['275010'] },
      { name: '27502', values: ['275020'] },
      { name: '27503', additionalInfo: '12345678' },
    ])
  })
})

describe('sellers without business policies on eBay', () => {
  it('are opted in on request and can list a day later', async () => {
    await expect(choicesOf('no_policies_ned', request())).rejects.toMatchObject({
      failure: 'refused',
      platformCode: 'business_policies',
    })
    await expect(
      port.shopChoices(access.no_policies_ned!, { country: 'US', marketplace_id: null }),
    ).rejects.toMatchObject({ platformCode: 'business_policies' })
    await port.optIn!(access.no_policies_ned!)
    await port.optIn!(access.no_policies_ned!)
    await expect(choicesOf('no_policies_ned', request())).rejects.toMatchObject({ platformCode: 'business_policies' })
    aheadMs += 86_400_000
    access.no_policies_ned = running.accessOf('no_policies_ned')
    await publish('no_policies_ned', {})
  })
})
