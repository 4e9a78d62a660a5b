import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningEbaySandbox, startEbaySandbox } from '#server/integrations/ebay/testing/ebay-sandbox.ts'

const sellers = ['abroad_anna', 'quebec_quentin', 'no_policies_ned', 'limited_lou']
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
    ({ body }, index) => body[`${kinds[index]}Policies`]?.[0]?.[`${kinds[index]}PolicyId`],
  )
  return { paymentPolicyId: ids[0], fulfillmentPolicyId: ids[1], returnPolicyId: ids[2] }
}

let made = 0
/** Lists a film camera by hand and returns eBay's answer, and its code if it is refused. */
async function publish(given: {
  seller?: string
  site: string
  siteId: string
  language: string
  currency: string
  categoryId?: string
  condition?: string
  specifics: Record<string, string[]>
  more?: string
}) {
  const { seller = 'abroad_anna', site, siteId, language, currency, categoryId = '15230', condition = '3000' } = given
  made++
  const ids = await policyIds(seller, site, language)
  const lists = Object.entries(given.specifics).map(
    ([name, values]) =>
      `<NameValueList><Name>${name}</Name>${values.map((value) => `<Value>${value}</Value>`).join('')}</NameValueList>`,
  )
  const item = `<Item><Country>DE</Country><Currency>${currency}</Currency><Description>Works.</Description><ListingDuration>GTC</ListingDuration><ListingType>FixedPriceItem</ListingType><PrimaryCategory><CategoryID>${categoryId}</CategoryID></PrimaryCategory><Quantity>1</Quantity><StartPrice currencyID="${currency}">25.00</StartPrice><Title>Camera ${made}</Title><PostalCode>10115</PostalCode><PictureDetails><PictureURL>https://a.example/1.jpg</PictureURL></PictureDetails><ItemSpecifics>${lists.join('')}</ItemSpecifics><ConditionID>${condition}</ConditionID>${given.more ?? ''}<SellerProfiles><SellerShippingProfile><ShippingProfileID>${ids.fulfillmentPolicyId}</ShippingProfileID></SellerShippingProfile><SellerReturnProfile><ReturnProfileID>${ids.returnPolicyId}</ReturnProfileID></SellerReturnProfile><SellerPaymentProfile><PaymentProfileID>${ids.paymentPolicyId}</PaymentProfileID></SellerPaymentProfile></SellerProfiles></Item>`
  const response = await fetch(`${running.url}/ws/api.dll`, {
    method: 'POST',
    headers: {
      'x-ebay-api-call-name': 'AddFixedPriceItem',
      'x-ebay-api-compatibility-level': '1455',
      'x-ebay-api-siteid': siteId,
      'x-ebay-api-iaf-token': running.sandbox.grant(seller).access_token,
    },
    body: `<AddFixedPriceItemRequest xmlns="urn:ebay:apis:eBLBaseComponents">${item}</AddFixedPriceItemRequest>`,
  })
  const text = await response.text()
  return { text, code: /<ErrorCode>(\d+)/.exec(text)?.[1], itemId: /<ItemID>(\d+)/.exec(text)?.[1] }
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
    const given = { site, siteId: tree, language, specifics: { [brand]: ['Canon'] } }
    expect((await publish({ ...given, currency })).code).toBeUndefined()
    expect((await publish({ ...given, currency: 'JPY' })).code).toBe('95')
  })

  it('has policies of Canada in one of its languages', async () => {
    const names = async (seller: string, language: string) => {
      const { body } = await send(seller, language, 'GET', '/sell/account/v1/payment_policy?marketplace_id=EBAY_CA')
      return body.paymentPolicies.map(({ name }: { name: string }) => name)
    }
    expect(await names('abroad_anna', 'fr-CA')).toEqual([])
    expect(await names('quebec_quentin', 'en-CA')).toEqual([])
    expect(await names('quebec_quentin', 'fr-CA')).toEqual(['Paiement immédiat'])
    const given = { seller: 'quebec_quentin', site: 'EBAY_CA', siteId: '210', language: 'fr-CA', currency: 'CAD' }
    expect((await publish({ ...given, specifics: { Marque: ['Canon'] } })).code).toBeUndefined()
    const refused = await publish({ ...given, specifics: { Brand: ['Canon'] } })
    expect(refused.text).toContain('<ErrorParameters ParamID="2"><Value>Marque</Value></ErrorParameters>')
  })

  it('takes its own text for a missing code alone', async () => {
    const given = { site: 'EBAY_DE', siteId: '77', language: 'de-DE', currency: 'EUR', categoryId: '9355' }
    const codeWith = async (more: string) => (await publish({ ...given, specifics: { Marke: ['Nokia'] }, more })).code
    const ean = (text: string) => `<ProductListingDetails><EAN>${text}</EAN></ProductListingDetails>`
    expect(await codeWith('')).toBe('21919301')
    expect(await codeWith(ean('Does not apply'))).toBe('37')
    expect(await codeWith(ean('Nicht zutreffend'))).toBeUndefined()
  })

  it.each([
    ['a year that is none', { Erscheinungsjahr: ['um 1931'] }],
    ['two values of an aspect with one', { Sprache: ['Deutsch', 'Englisch'] }],
    ['a long value of an aspect of the seller’s', { Signiert: ['x'.repeat(51)] }],
    ['a name that is too long', { ['x'.repeat(41)]: ['ja'] }],
  ])('refuses %s', async (_case, wrong) => {
    const right = { Autor: ['Grünwald'], Buchtitel: ['Übersee'], Sprache: ['Deutsch'], Erscheinungsjahr: ['1931'] }
    const given = { site: 'EBAY_DE', siteId: '77', language: 'de-DE', currency: 'EUR', categoryId: '261186' }
    const more = '<ProductListingDetails><ISBN>9783161484100</ISBN></ProductListingDetails>'
    const answer = (specifics: object) =>
      publish({ ...given, condition: '5000', more, specifics: specifics as Record<string, string[]> })
    expect((await answer(right)).code).toBeUndefined()
    expect((await answer({ ...right, ...wrong })).code).toBe('21919302')
  })

  it('refuses contacts that are all outside the EU', async () => {
    const contact = (country: string) =>
      `<CompanyName>Acme</CompanyName><Street1>1 Mill</Street1><CityName>Leeds</CityName><PostalCode>LS1</PostalCode><Country>${country}</Country>`
    const made = `<Manufacturer>${contact('GB')}</Manufacturer>`
    const answer = (regulatory: string) =>
      publish({
        ...{ site: 'EBAY_DE', siteId: '77', language: 'de-DE', currency: 'EUR', specifics: { Marke: ['Canon'] } },
        more: `<Regulatory>${regulatory}</Regulatory>`,
      })
    expect((await answer(made)).code).toBe('37')
    const person = `<ResponsiblePerson>${contact('IE')}<Types><Type>EUResponsiblePerson</Type></Types></ResponsiblePerson>`
    expect((await answer(`${made}<ResponsiblePersons>${person}</ResponsiblePersons>`)).code).toBeUndefined()
  })

  it('names the marketplace where no policies can exist', async () => {
    const { body } = await send('abroad_anna', 'zh-HK', 'GET', '/sell/account/v1/return_policy?marketplace_id=EBAY_HK')
    expect(body.errors[0]).toMatchObject({ errorId: 20403, parameters: [{ name: 'marketplaceId', value: 'EBAY_HK' }] })
  })

  it('drops condition notes about a new item', async () => {
    const { itemId } = await publish({
      ...{ site: 'EBAY_US', siteId: '0', language: 'en-US', currency: 'USD', specifics: { Brand: ['Canon'] } },
      ...{ condition: '1000', more: '<ConditionDescription>A scratch.</ConditionDescription>' },
    })
    expect(running.sandbox.market.find(itemId!)?.item.conditionNotes).toBeNull()
  })

  it('takes policies, or terms of the listing, but not both', async () => {
    const given = { site: 'EBAY_US', siteId: '0', language: 'en-US', currency: 'USD', specifics: { Brand: ['Canon'] } }
    expect((await publish({ ...given, more: '<DispatchTimeMax>2</DispatchTimeMax>' })).code).toBe('37')
    expect((await publish({ ...given, seller: 'no_policies_ned' })).code).toBe('37')
  })

  it('lists no more than a seller may', async () => {
    const given = { site: 'EBAY_US', siteId: '0', language: 'en-US', currency: 'USD', specifics: { Brand: ['Canon'] } }
    const codes = [1, 2, 3].map(() => () => publish({ ...given, seller: 'limited_lou' }))
    const answers: (string | undefined)[] = []
    for (const ask of codes) answers.push((await ask()).code)
    expect(answers).toEqual([undefined, undefined, '21919188'])
  })
})
