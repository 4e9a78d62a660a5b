import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ListingPort, PublishRequest, ShopAccess } from '#server/integrations/port.ts'
import { examine } from '#server/integrations/testing/seller-answers.ts'
import { completeOptions } from '#server/selling/listings/preflight/complete-options.ts'
import type { Finding } from '#shared/contract/selling/preflight.ts'
import { lastListed, type RunningEbaySandbox, specificsOf, startEbaySandbox } from '../testing/ebay-sandbox.ts'
import type { XmlElement } from '../xml.ts'
import { ebayFees } from './fees.ts'
import { fieldsNamed } from './local-terms.ts'
import { identifiersOf } from './product.ts'

const sellers = ['abroad_anna', 'quebec_quentin', 'no_policies_ned']
let running: RunningEbaySandbox
let port: ListingPort
const access: Record<string, ShopAccess> = {}
beforeAll(async () => {
  running = await startEbaySandbox({ usual: false, sellers: sellers.map((username) => ({ username, items: [] })) })
  port = running.adapter.listings!
  for (const seller of sellers) access[seller] = running.accessOf(seller)
})
afterAll(() => running?.sandbox.close())
beforeEach(() => void running.sandbox.requests.splice(0))

const currencies: Record<string, string> = { US: 'USD', GB: 'GBP', DE: 'EUR', FR: 'EUR', CA: 'CAD' }
let made = 0
function request(country: string, given: Partial<PublishRequest> = {}): PublishRequest {
  made++
  return {
    externalKey: `AB-${made}-abcdefghijklm`,
    sku: null,
    title: 'Canon AE-1 Kamera film camera appareil',
    description: 'Works.',
    price_minor: 9_900,
    currency: currencies[country]!,
    images: ['https://pictures.example.com/1.jpg'],
    condition: { label: 'Used', notes: '' },
    attributes: { brand: 'Canon' },
    address: { full_name: 'A', line1: '1 Weg', city: 'Berlin', region: 'BE', postal_code: '10115', country },
    ...given,
    options: { marketplace_id: `EBAY_${country}`, ...given.options },
  }
}

/** Returns the request with all suggested options, and the names of the options that lack a value. */
async function complete(seller: string, item: PublishRequest) {
  const { options, missing } = completeOptions(item.options, {}, await port.choices(access[seller]!, item))
  return { item: { ...item, options }, missing: missing.map(({ option }) => option) }
}

/** Publishes and returns what was sent: the identifiers, the item specifics and the site. */
async function publish(seller: string, given: PublishRequest) {
  const { item, missing } = await complete(seller, given)
  expect(missing).toEqual([])
  await port.publish(access[seller]!, item, async () => {})
  const { item: sent, header } = lastListed(running.sandbox)
  return {
    product: (sent.ProductListingDetails ?? {}) as XmlElement,
    aspects: specificsOf(sent),
    site: sent.Site,
    siteId: header('x-ebay-api-siteid'),
    calls: running.sandbox.requests.filter(({ body }) => body.includes('<AddFixedPriceItemRequest')).length,
  }
}

const findingsOf = async (seller: string, item: PublishRequest) => (await examine(port, access[seller]!, item)).findings
const about = (findings: Finding[], field: string) => findings.filter((finding) => finding.field === field)

describe('product identifiers abroad on eBay', () => {
  it.each([
    ['US', 'Does not apply'],
    ['GB', 'Does not apply'],
    ['DE', 'Nicht zutreffend'],
    ['FR', 'Non applicable'],
  ])('has the own text of %s for a code that does not exist', async (country, text) => {
    const phone = request(country, { title: 'Nokia phone 3310 handy téléphone', attributes: { brand: 'Nokia' } })
    const { product } = await publish('abroad_anna', phone)
    expect(product).toMatchObject({ EAN: text, BrandMPN: { Brand: 'Nokia', MPN: text } })
  })

  it.each([
    ['EBAY_AT', 'Nicht zutreffend', 'Markenlos'],
    ['EBAY_CH', 'Nicht zutreffend', 'Markenlos'],
    ['EBAY_IT', 'Non applicabile', 'Senza marca'],
    ['EBAY_ES', 'No aplicable', 'Sin marca'],
    ['EBAY_NL', 'Niet van toepassing', 'Merkloos'],
    ['EBAY_PL', 'Nie dotyczy', 'Bez marki'],
    ['EBAY_AU', 'Does not apply', 'Unbranded'],
  ])('has the own texts of %s', (site, none, unbranded) => {
    const options = { marketplace_id: site, upc: 'Does not apply' }
    const item = request('DE', { attributes: { mpn: 'does not apply' }, options })
    expect(identifiersOf(item, {}, new Set(['isbn', 'brand']))).toEqual({
      isbn: none,
      upc: none,
      brand: unbranded,
      mpn: none,
    })
  })

  it('takes codes and brand from aspects with local names', () => {
    const aspects = { Marke: ['Leica'], Herstellernummer: ['M3'], EAN: ['4006381333931'] }
    const item = request('DE', { attributes: {} })
    expect(identifiersOf(item, aspects)).toEqual({ brand: 'Leica', mpn: 'M3', ean: '4006381333931' })
  })

  it('replaces another site’s text in aspects and attributes', async () => {
    const aspects = { EAN: ['Does not apply'], Marke: ['Unbranded'], Merkmale: ['Does not apply'] }
    const sent = await publish('abroad_anna', request('DE', { attributes: {}, options: { aspects } }))
    expect(sent.aspects).toMatchObject({
      ...{ EAN: ['Nicht zutreffend'], Marke: ['Markenlos'], Merkmale: ['Does not apply'] },
    })
    expect(sent.product).toMatchObject({ EAN: 'Nicht zutreffend', BrandMPN: { Brand: 'Markenlos' } })
    const imported = await publish('abroad_anna', request('DE', { attributes: { brand: 'Unbranded' } }))
    expect(imported.aspects).toMatchObject({ Marke: ['Markenlos'] })
  })

  it('offers the site’s own text as a choice', async () => {
    const choices = await port.choices(access.abroad_anna!, request('DE', { title: 'Roman Buch', attributes: {} }))
    expect(choices.find(({ option }) => option === 'isbn')?.values.map(({ id }) => id)).toEqual(['Nicht zutreffend'])
  })

  it.each([
    ['US', 'lamp', { Type: ['Table Lamp'] }, 'Unbranded', 'Does not apply'],
    ['DE', 'Lampe', { Produktart: ['Tischlampe'] }, 'Markenlos', 'Nicht zutreffend'],
    ['FR', 'lamp', { Type: ['Table Lamp'] }, 'Sans marque', 'Non applicable'],
  ])('sends a part number that eBay asks for in the words of %s', async (country, title, aspects, brand, mpn) => {
    const { product, calls } = await publish(
      'abroad_anna',
      request(country, { title, attributes: {}, options: { aspects } }),
    )
    expect(calls).toBe(2)
    expect(product).toMatchObject({ BrandMPN: { Brand: brand, MPN: mpn } })
  })
})

describe('refusals that name a missing field', () => {
  it.each([
    ['Das Feld „Herstellernummer“ fehlt.', ['mpn']],
    ['Bitte geben Sie Marke und Herstellernummer ein.', ['mpn', 'brand']],
    ['Le champ Marque est manquant.', ['brand']],
    ['Numéro de pièce fabricant : champ obligatoire', ['mpn']],
    ['Il campo Marca è obbligatorio. Codice EAN mancante.', ['ean', 'brand']],
    ['Falta el campo Número de pieza del fabricante (MPN).', ['mpn']],
    ['Het veld Merk ontbreekt.', ['brand']],
    ['Pole Kod producenta jest wymagane.', ['mpn']],
    ['The UPC field is missing.', ['upc']],
    ['Bitte prüfen Sie die Marken Ihrer Vermarktung. European.', []],
  ])('are read in the language of the site: %s', (text, fields) => {
    expect([...fieldsNamed([text])]).toEqual(fields)
  })
})

describe('the second language of a site on eBay', () => {
  it('is that of the seller’s policies', async () => {
    const shop = await port.shopChoices(access.quebec_quentin!, { country: 'CA', marketplace_id: null })
    expect(shop.find(({ option }) => option === 'payment_policy_id')?.values).toMatchObject([
      { name: 'Paiement immédiat' },
    ])
    const sent = await publish('quebec_quentin', request('CA'))
    expect(sent).toMatchObject({ site: 'CanadaFrench', siteId: '210', aspects: { Marque: ['Canon'] } })
  })

  it('is not asked where the first has policies', async () => {
    const sent = await publish('abroad_anna', request('CA'))
    expect(sent).toMatchObject({ site: 'Canada', siteId: '2', aspects: { Brand: ['Canon'] } })
    expect(running.sandbox.requests.filter(({ rawHeaders }) => rawHeaders.includes('fr-CA'))).toEqual([])
  })

  it('stays that of the listing when its content changes', async () => {
    const { item } = await complete('quebec_quentin', request('CA'))
    const { listing_id } = await port.publish(access.quebec_quentin!, item, async () => {})
    const change = { ...item, description: 'Fonctionne.', fields: ['description'] as const, price: null }
    await port.updateContent(access.quebec_quentin!, { listing_id, externalKey: item.externalKey }, change)
    const changed = running.sandbox.requests.filter(({ body }) => body.includes('<ReviseFixedPriceItemRequest')).at(-1)
    const names = changed!.rawHeaders.map((name) => name.toLowerCase())
    expect(changed!.rawHeaders[names.indexOf('x-ebay-api-siteid') + 1]).toBe('210')
  })
})

describe('forms of aspects on eBay', () => {
  const novel = (aspects: Record<string, string[]>, attributes = {}) =>
    request('DE', {
      title: 'Roman Buch Erstausgabe',
      condition: { label: 'Very Good', notes: '' },
      attributes,
      options: { aspects: { Autor: ['A'], Buchtitel: ['B'], Sprache: ['Deutsch'], ...aspects } },
    })
  it.each([
    ['a year with words', 'Erscheinungsjahr', ['um 1931'], 'too_long'],
    ['two values where one is taken', 'Sprache', ['Deutsch', 'Englisch'], 'not_allowed'],
    ['a value over the limit of the metadata', 'Autor', ['x'.repeat(66)], 'too_long'],
    ['a value over 50 of an aspect without metadata', 'Signiert von', ['x'.repeat(51)], 'too_long'],
    ['a name over 40', 'x'.repeat(41), ['ja'], 'too_long'],
  ])('blocks %s before anything is sent', async (_case, name, values) => {
    const findings = await findingsOf('abroad_anna', novel({ [name]: values }))
    const [finding, ...others] = about(findings, `options.aspects.${name}`)
    expect(others).toEqual([])
    expect(finding).toMatchObject({ blocking: true, message: expect.stringContaining(name) })
  })

  it('offers what a value can become', async () => {
    const findings = await findingsOf('abroad_anna', novel({ Erscheinungsjahr: ['um 1931'], Autor: ['x'.repeat(70)] }))
    expect(about(findings, 'options.aspects.Erscheinungsjahr')[0]?.allowed).toEqual([{ id: '1931', name: '1931' }])
    expect(about(findings, 'options.aspects.Autor')[0]?.allowed).toEqual([{ id: 'x'.repeat(65), name: 'x'.repeat(65) }])
  })

  it.each([
    ['NUMBER', 'Number of Pieces', '1200', true],
    ['NUMBER', 'Number of Pieces', '1.200 Teile', false],
    ['NUMBER', 'Number of Pieces', '12.5', false],
    ['NUMBER', 'Number of Pieces', '3000000000', false],
    ['DATE', 'Year', '1909', true],
    ['DATE', 'Year', '1909-10', false],
  ])('knows a %s: %s %s', async (_type, name, value, isRight) => {
    const isLego = name === 'Number of Pieces'
    const item = request('US', {
      title: isLego ? 'lego minifigure' : 'penny coin cent',
      attributes: {},
      options: { aspects: { [name]: [value] } },
    })
    const findings = await findingsOf('abroad_anna', item)
    expect(about(findings, `options.aspects.${name}`).filter(({ blocking }) => blocking)).toHaveLength(isRight ? 0 : 1)
  })

  it('says what it cuts of the item’s own value', async () => {
    const item = request('US', { title: 'vinyl lp', attributes: { artist: `The ${'Long '.repeat(10)}Names` } })
    const findings = await findingsOf('abroad_anna', item)
    const cut = item.attributes.artist as string
    expect(about(findings, 'options.aspects.Artist')).toMatchObject([
      { code: 'shortened', blocking: false, message: expect.stringContaining(cut.slice(0, 40).trim()) },
    ])
  })

  it('says which of the item’s own values it takes', async () => {
    const one = (findings: Finding[]) => about(findings, 'options.aspects.Style')
    const item = request('US', { title: 'tote handbag', attributes: { brand: 'Coach', style: ['Tote', 'Clutch'] } })
    expect(one(await findingsOf('abroad_anna', item))).toMatchObject([
      { code: 'shortened', blocking: false, message: 'eBay takes one value for Style: "Tote".' },
    ])
    const several = request('US', {
      title: 'denim jacket',
      attributes: { brand: 'Lee', size: 'M', colors: ['Navy', 'Cream'] },
    })
    expect(about(await findingsOf('abroad_anna', several), 'options.aspects.Color')).toEqual([])
  })

  it('lists several values where the aspect takes them', async () => {
    const jacket = request('US', {
      title: 'denim jacket',
      attributes: { brand: 'Lee', size: 'M' },
      options: { aspects: { Color: ['Navy', 'Cream'] } },
    })
    expect((await publish('abroad_anna', jacket)).aspects).toMatchObject({ Color: ['Navy', 'Cream'] })
  })
})

describe('a seller without business policies on a site', () => {
  const optionsOf = async (seller: string, marketplace_id: string) =>
    (await port.shopChoices(access[seller]!, { country: 'US', marketplace_id })).map(({ option }) => option)

  it.each([
    ['abroad_anna', 'EBAY_HK'],
    ['no_policies_ned', 'EBAY_HK'],
    ['no_policies_ned', 'EBAY_DE'],
  ])('chooses terms: %s on %s', async (seller, site) => {
    expect(await optionsOf(seller, site)).toEqual([
      ...['marketplace_id', 'shipping_service', 'shipping_cost', 'handling_days', 'returns_within'],
    ])
  })

  it.each([
    ['US', 'USPSParcel'],
    ['GB', 'UK_RoyalMailSecondClassStandard'],
    ['DE', 'DE_DHLPaket'],
    ['CA', 'CA_PostExpeditedParcel'],
  ])('lists in %s by %s', async (country, service) => {
    const given = request(country, { options: { shipping_cost: '4.90' } })
    const { item, missing } = await complete('no_policies_ned', given)
    expect(missing).toEqual([])
    await port.publish(access.no_policies_ned!, item, async () => {})
    expect(lastListed(running.sandbox).item).toMatchObject({
      ShippingDetails: { ShippingServiceOptions: { ShippingService: service } },
    })
  })
})

describe('contacts for product safety on eBay', () => {
  const contact = (country: string, postal_code = '1234') =>
    ({ name: 'Acme', line1: '1 Mill', city: 'Town', postal_code, country }) as const
  const regulated = (country: string, regulatory: object) =>
    findingsOf('abroad_anna', request(country, { attributes: { brand: 'Canon', regulatory } }))

  it.each([
    ['a manufacturer in Britain', { manufacturer: contact('GB') }],
    ['both in the US', { manufacturer: contact('US'), responsible_person: contact('US') }],
    ['a person in Switzerland', { responsible_person: contact('CH') }],
    ['a person in Britain', { responsible_person: contact('GB', 'B1 1AA') }],
  ])('block %s', async (_case, regulatory) => {
    expect(about(await regulated('DE', regulatory), 'attributes.regulatory')).toMatchObject([
      { code: 'not_allowed', blocking: true, message: expect.stringContaining('EU') },
    ])
  })

  it.each([
    ['a person in the EU', 'DE', { manufacturer: contact('US'), responsible_person: contact('IE') }],
    ['a manufacturer in the EU', 'FR', { manufacturer: contact('RO') }],
    ['a person in Northern Ireland', 'DE', { responsible_person: contact('GB', 'BT1 5GS') }],
    ['a site outside the EU', 'GB', { manufacturer: contact('GB') }],
  ])('pass %s', async (_case, country, regulatory) => {
    expect(about(await regulated(country, regulatory), 'attributes.regulatory')).toEqual([])
  })
})

describe('product safety of sellers in Northern Ireland', () => {
  const findings = (postal_code: string, regulatory?: object) => {
    const item = request('GB', { attributes: { brand: 'Canon', ...(regulatory ? { regulatory } : {}) } })
    return findingsOf('abroad_anna', { ...item, address: { ...item.address, postal_code } })
  }

  it('is recommended to them on the British site', async () => {
    expect(about(await findings('BT9 6AX'), 'attributes.regulatory')).toMatchObject([
      { code: 'recommended', blocking: false },
    ])
    expect(about(await findings('M1 1AE'), 'attributes.regulatory')).toEqual([])
  })
})

describe('fees on eBay', () => {
  const saleFee = (country: string, options: object = {}) =>
    ebayFees(request(country, { options: options as Record<string, string> })).find(({ code }) => code === 'sale_fee')

  it('are certain in the US alone', () => {
    expect(saleFee('US')).toMatchObject({ certain: true })
    for (const country of ['GB', 'DE', 'FR', 'CA']) expect(saleFee(country)).toMatchObject({ certain: false })
  })

  it('say that private sellers in Britain and Germany pay none', () => {
    expect(saleFee('GB')?.message).toMatch(/private sellers .*no/i)
    expect(saleFee('DE')?.message).toMatch(/private sellers .*no/i)
    expect(saleFee('FR')?.message).toMatch(/not known/i)
  })

  it('are those of the chosen site', () => {
    expect(saleFee('DE', { marketplace_id: 'EBAY_FR' })?.message).toMatch(/not known/i)
    expect(saleFee('US', { marketplace_id: undefined })).toMatchObject({ certain: true })
  })
})
