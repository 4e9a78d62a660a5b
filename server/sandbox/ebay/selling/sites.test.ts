import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningEbaySandbox, startEbaySandbox } from '#server/integrations/ebay/testing/ebay-sandbox.ts'

const sellers = ['abroad_anna', 'quebec_quentin']
let running: RunningEbaySandbox
beforeAll(async () => {
  running = await startEbaySandbox({ usual: false, sellers: sellers.map((username) => ({ username, items: [] })) })
})
afterAll(() => running?.sandbox.close())

/** Sends a REST call by hand, in a language of a site. */
async function send(seller: string, language: string, method: string, path: string, body?: object) {
  const response = await fetch(`${running.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${running.sandbox.grant(seller).access_token}`,
      ...{ 'accept-language': language, 'content-language': language },
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? null : JSON.parse(text) }
}

async function policyIds(seller: string, site: string, language: string) {
  const kinds = ['payment', 'fulfillment', 'return']
  const answers = kinds.map((kind) =>
    send(seller, language, 'GET', `/sell/account/v1/${kind}_policy?marketplace_id=${site}`),
  )
  const ids = (await Promise.all(answers)).map(
    ({ body }, index) => body[`${kinds[index]}Policies`][0]?.[`${kinds[index]}PolicyId`],
  )
  return { paymentPolicyId: ids[0], fulfillmentPolicyId: ids[1], returnPolicyId: ids[2] }
}

let made = 0
/** Publishes a film camera by hand and returns eBay's answer. */
async function publish(given: {
  seller?: string
  site: string
  language: string
  currency: string
  categoryId?: string
  condition?: string
  product: object
  offer?: object
}) {
  const { seller = 'abroad_anna', site, language, currency, categoryId = '15230', condition = 'USED_EXCELLENT' } = given
  made++
  const sku = `A-${made}`
  const location = { location: { address: { country: 'DE', postalCode: '10115', city: 'Berlin' } } }
  await send(seller, language, 'POST', '/sell/inventory/v1/location/here', location)
  const item = {
    availability: { shipToLocationAvailability: { quantity: 1 } },
    condition,
    product: {
      title: `Camera ${made}`,
      description: 'Works.',
      imageUrls: ['https://a.example/1.jpg'],
      ...given.product,
    },
  }
  expect((await send(seller, language, 'PUT', `/sell/inventory/v1/inventory_item/${sku}`, item)).status).toBe(201)
  const offer = {
    sku,
    marketplaceId: site,
    format: 'FIXED_PRICE',
    availableQuantity: 1,
    categoryId,
    listingDuration: 'GTC',
    listingPolicies: await policyIds(seller, site, language),
    merchantLocationKey: 'here',
    pricingSummary: { price: { value: '25.00', currency } },
    ...given.offer,
  }
  const { body } = await send(seller, language, 'POST', '/sell/inventory/v1/offer', offer)
  return send(seller, language, 'POST', `/sell/inventory/v1/offer/${body.offerId}/publish`)
}

describe('the sandbox eBay abroad', () => {
  it.each([
    ['EBAY_US', 'en-US', '0', 'Cameras & Photo', 'Brand', 'Paid at once', 'USD'],
    ['EBAY_GB', 'en-GB', '3', 'Cameras & Photography', 'Brand', 'Paid at once', 'GBP'],
    ['EBAY_DE', 'de-DE', '77', 'Foto & Camcorder', 'Marke', 'Sofortzahlung', 'EUR'],
    ['EBAY_CA', 'en-CA', '2', 'Cameras & Photo', 'Brand', 'Paid at once', 'CAD'],
  ])('speaks the language of %s and lists there', async (site, language, tree, root, brand, policy, currency) => {
    const base = '/commerce/taxonomy/v1'
    const ask = (path: string) => send('abroad_anna', language, 'GET', path)
    const found = await ask(`${base}/get_default_category_tree_id?marketplace_id=${site}`)
    expect(found.body.categoryTreeId).toBe(tree)
    const suggested = await ask(`${base}/category_tree/${tree}/get_category_suggestions?q=film%20camera`)
    const [best] = suggested.body.categorySuggestions
    expect(best.categoryTreeNodeAncestors.at(-1).categoryName).toBe(root)
    const { categoryId } = best.category
    const aspects = await ask(`${base}/category_tree/${tree}/get_item_aspects_for_category?category_id=${categoryId}`)
    expect(aspects.body.aspects[0].localizedAspectName).toBe(brand)
    const payment = await ask(`/sell/account/v1/payment_policy?marketplace_id=${site}`)
    expect(payment.body.paymentPolicies[0].name).toBe(policy)
    expect((await publish({ site, language, currency, product: { aspects: { [brand]: ['Canon'] } } })).status).toBe(200)
    const dear = await publish({ site, language, currency: 'JPY', product: { aspects: { [brand]: ['Canon'] } } })
    expect(dear.body.errors[0].errorId).toBe(25003)
  })

  it('has policies of Canada in one of its languages', async () => {
    const names = async (seller: string, language: string) => {
      const { body } = await send(seller, language, 'GET', '/sell/account/v1/payment_policy?marketplace_id=EBAY_CA')
      return body.paymentPolicies.map(({ name }: { name: string }) => name)
    }
    expect(await names('abroad_anna', 'fr-CA')).toEqual([])
    expect(await names('quebec_quentin', 'en-CA')).toEqual([])
    expect(await names('quebec_quentin', 'fr-CA')).toEqual(['Paiement immédiat'])
    const given = { seller: 'quebec_quentin', site: 'EBAY_CA', language: 'fr-CA', currency: 'CAD' }
    expect((await publish({ ...given, product: { aspects: { Marque: ['Canon'] } } })).status).toBe(200)
    const refused = await publish({ ...given, product: { aspects: { Brand: ['Canon'] } } })
    expect(refused.body.errors[0].parameters).toContainEqual({ name: '2', value: 'Marque' })
  })

  it('takes its own text for a missing code alone', async () => {
    const given = { site: 'EBAY_DE', language: 'de-DE', currency: 'EUR', categoryId: '9355' }
    const product = (ean?: string) => ({ aspects: { Marke: ['Nokia'] }, ...(ean ? { ean: [ean] } : {}) })
    const missing = await publish({ ...given, product: product() })
    expect(missing.body.errors[0].message).toContain('Das Feld EAN fehlt.')
    expect((await publish({ ...given, product: product('Does not apply') })).status).toBe(400)
    expect((await publish({ ...given, product: product('Nicht zutreffend') })).status).toBe(200)
  })

  it.each([
    ['a year that is none', { Erscheinungsjahr: ['um 1931'] }],
    ['two values of an aspect with one', { Sprache: ['Deutsch', 'Englisch'] }],
    ['a long value of an aspect of the seller’s', { Signiert: ['x'.repeat(51)] }],
    ['a name that is too long', { ['x'.repeat(41)]: ['ja'] }],
  ])('refuses %s', async (_case, wrong) => {
    const right = { Autor: ['Grünwald'], Buchtitel: ['Übersee'], Sprache: ['Deutsch'], Erscheinungsjahr: ['1931'] }
    const given = { site: 'EBAY_DE', language: 'de-DE', currency: 'EUR', categoryId: '261186' }
    const answer = (aspects: object) =>
      publish({ ...given, condition: 'USED_GOOD', product: { isbn: ['9783161484100'], aspects } })
    expect((await answer(right)).status).toBe(200)
    expect((await answer({ ...right, ...wrong })).body.errors[0].errorId).toBe(25002)
  })

  it('refuses contacts that are all outside the EU', async () => {
    const contact = (country: string) => ({
      companyName: 'Acme',
      ...{ addressLine1: '1 Mill', city: 'Leeds', postalCode: 'LS1 1AA', country },
    })
    const answer = (regulatory: object) =>
      publish({
        ...{ site: 'EBAY_DE', language: 'de-DE', currency: 'EUR', offer: { regulatory } },
        product: { aspects: { Marke: ['Canon'] } },
      })
    expect((await answer({ manufacturer: contact('GB') })).body.errors[0].errorId).toBe(25115)
    const person = { ...contact('IE'), types: ['EUResponsiblePerson'] }
    expect((await answer({ manufacturer: contact('GB'), responsiblePersons: [person] })).status).toBe(200)
  })

  it('names the marketplace where no policies can exist', async () => {
    const { body } = await send('abroad_anna', 'zh-HK', 'GET', '/sell/account/v1/return_policy?marketplace_id=EBAY_HK')
    expect(body.errors[0]).toMatchObject({ errorId: 20403, parameters: [{ name: 'marketplaceId', value: 'EBAY_HK' }] })
  })

  it('drops condition notes about a new item with a warning', async () => {
    const { sandbox } = running
    const answer = await publish({
      ...{ site: 'EBAY_US', language: 'en-US', currency: 'USD' },
      product: { aspects: { Brand: ['Canon'] } },
    })
    expect(answer.body.warnings).toEqual([])
    const sku = `A-${made}`
    const item = { ...sandbox.offers.item('abroad_anna', sku), condition: 'NEW', conditionDescription: 'A scratch.' }
    sandbox.offers.putItem('abroad_anna', sku, item)
    const [offer] = sandbox.offers.offersOf('abroad_anna', sku)
    const path = `/sell/inventory/v1/offer/${offer!.offerId}`
    await send('abroad_anna', 'en-US', 'POST', `${path}/withdraw`)
    const again = await send('abroad_anna', 'en-US', 'POST', `${path}/publish`)
    expect(again.body.warnings).toMatchObject([{ errorId: 25030 }])
    expect(sandbox.market.find(again.body.listingId)?.item.conditionNotes).toBeNull()
  })

  it('needs a language for the Inventory API alone', async () => {
    const ask = (path: string) =>
      fetch(`${running.url}${path}`, {
        headers: { authorization: `Bearer ${running.sandbox.grant('abroad_anna').access_token}` },
      })
    const open = ['/sell/account/v1/program/get_opted_in_programs', '/commerce/taxonomy/v1/category_tree/0/x']
    expect(await Promise.all(open.map(async (path) => (await ask(path)).status))).toEqual([200, 404])
    const refused = await (await ask('/sell/inventory/v1/offer?sku=A-1')).json()
    expect(refused).toMatchObject({ errors: [{ errorId: 25709 }] })
  })
})
