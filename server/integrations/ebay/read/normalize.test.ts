import { describe, expect, it } from 'vitest'
import { isListingFailure, Listing, ListingFailure } from '#shared/listing.ts'
import { fixtureText, rootOf } from '../testing/fixture.ts'
import { GetMyeBaySellingAnswer } from '../wire.ts'
import { parseXml } from '../xml.ts'
import { type ItemContext, normalizeItem } from './normalize.ts'
import { entriesOf } from './selling.ts'

const itemOf = (name: string) => rootOf(fixtureText(name)).Item
const read = (raw: unknown, context: Partial<ItemContext> = {}) => normalizeItem(raw, { list: null, ...context })

/** Normalizes the XML of an item, which must succeed. */
function listing(xml: string, context: Partial<ItemContext> = {}): Listing {
  const result = read(parseXml(`<Item><ItemID>110000000009</ItemID>${xml}</Item>`).Item, context)
  if (isListingFailure(result)) throw new Error(`${result.error_code}: ${result.error_message}`)
  return result
}
function failure(xml: string): ListingFailure {
  const result = read(parseXml(`<Item><ItemID>110000000009</ItemID>${xml}</Item>`).Item)
  if (!isListingFailure(result)) throw new Error('It succeeded.')
  return ListingFailure.parse(result)
}

const title = '<Title>Jug</Title>'
const quantity = '<Quantity>1</Quantity>'
const status = (listingStatus: string, sold = 0, price = '<CurrentPrice currencyID="USD">5.0</CurrentPrice>') =>
  `<SellingStatus>${price}<QuantitySold>${sold}</QuantitySold><ListingStatus>${listingStatus}</ListingStatus></SellingStatus>`
const plain = `${title}${quantity}${status('Active')}`

describe('normalizing an eBay item', () => {
  it('reads every field of a fixed-price listing', () => {
    expect(read(itemOf('get-item-fixed-price.xml'), { sellerUrl: 'https://www.ebay.com/usr/made_up_seller' })).toEqual({
      listing_id: '110000000001',
      url: 'http://cgi.example-ebay.com/Stoneware-Jug-/110000000001',
      title: 'Stoneware Jug & Saucer “Ode”',
      description: '<p>Stoneware jug, 1950s. <b>No chips</b> &amp; no cracks&nbsp;😀</p>',
      price_minor: 1750,
      currency: 'USD',
      state: 'available',
      images: [
        'https://i.ebayimg.com/images/g/aaaAAOSwMadeUp1/s-l1600.jpg',
        'https://i.ebayimg.com/00/s/MTYwMFgxMjAw/z/bbbAAOSwMadeUp2/$_57.JPG?set_id=880000500F',
        'https://pictures.example.com/3.jpg',
      ],
      sku: ' Specimen 1432 ',
      brand: 'Høganæs',
      size: 'Large',
      condition: 'Used',
      category: 'Pottery & Glass:Decorative Cookware, Tableware:Jugs',
      colors: ['Brown', 'Cream'],
      listed_at: '2026-01-05T08:30:00.000Z',
      quantity: 1,
      format: 'fixed_price',
      condition_notes: 'Glaze a little worn.',
      seller_url: 'https://www.ebay.com/usr/made_up_seller',
    })
  })

  const specific = (name: string, value: string) =>
    `<NameValueList><Name>${name}</Name><Value>${value}</Value></NameValueList>`
  const withSpecifics = (site: string, entries: Record<string, string>) =>
    listing(
      `${plain}<Site>${site}</Site><ItemSpecifics>${Object.entries(entries)
        .map(([name, value]) => specific(name, value))
        .join('')}</ItemSpecifics>`,
    )

  it.each<[string, Record<string, string>]>([
    ['Germany', { Marke: 'M', 'EU-Schuhgröße': '43', 'UK-Schuhgröße': '9', Farbe: 'Blau', Obermaterial: 'Textil' }],
    ['Austria', { Marke: 'M', 'US-Schuhgröße': '10', 'EU-Schuhgröße': '43', Farbe: 'Blau', Außenmaterial: 'Textil' }],
    [
      'France',
      { Marque: 'M', 'Pointure UK': '9', 'Pointure EU': '43', Couleur: 'Blau', 'Matière de la tige': 'Textil' },
    ],
    ['France', { Marque: 'M', 'Taille de chaussures (UE)': '43', Couleur: 'Blau', 'Matière extérieure': 'Textil' }],
    ['Italy', { Marca: 'M', 'Numero di scarpa EU': '43', Colore: 'Blau', 'Materiale tomaia': 'Textil' }],
    ['Italy', { Marca: 'M', 'Misura scarpe EUR': '43', Colore: 'Blau', 'Materiale esterno': 'Textil' }],
    ['Spain', { Marca: 'M', 'Talla de calzado EU': '43', Color: 'Blau', 'Material exterior': 'Textil' }],
    ['Spain', { Marca: 'M', 'EU - Número de zapato': '43', Color: 'Blau', 'Material del empeine': 'Textil' }],
    ['Netherlands', { Merk: 'M', 'EU-schoenmaat': '43', Kleur: 'Blau', Bovenmateriaal: 'Textil' }],
    ['Poland', { Marka: 'M', 'Rozmiar buta EU': '43', Kolor: 'Blau', 'Materiał wierzchni': 'Textil' }],
    ['Poland', { Marka: 'M', Rozmiar: '43', 'Typ rozmiaru': 'Regular', Kolor: 'Blau', Materiał: 'Textil' }],
  ])('reads shoes on the site %s (%o)', (site, entries) => {
    const size = { brand: 'M', size: '43', colors: ['Blau'], material: 'Textil' }
    expect(withSpecifics(site, entries)).toMatchObject(size)
  })

  it.each([
    ['UK', '9'],
    ['US', '10'],
    ['Germany', '43'],
  ])('takes the size of the site %s', (site, size) => {
    const sizes = { 'EU Shoe Size': '43', 'UK Shoe Size': '9', 'US Shoe Size': '10' }
    expect(withSpecifics(site, sizes).size).toBe(size)
  })

  it('takes no other specific for a size or a material', () => {
    const others = {
      'Size Type': 'Regular',
      Größentyp: 'Normal',
      'Shoe Width': 'D',
      Schuhweite: 'F',
      Innenmaterial: 'Wolle',
    }
    const read = withSpecifics('Germany', { ...others, 'Obermaterial Futter': 'Wolle', Laufsohlenmaterial: 'Gummi' })
    expect([read.size, read.material]).toEqual([undefined, undefined])
  })

  const descriptor = (name: string, value: string) =>
    `<ConditionDescriptor><Name>${name}</Name>${value}</ConditionDescriptor>`
  const card = (id: string, category: string, descriptors = '', more = '') =>
    listing(
      `${plain}<PrimaryCategory><CategoryID>${category}</CategoryID><CategoryName>Cards</CategoryName></PrimaryCategory><ConditionID>${id}</ConditionID>${more}${descriptors && `<ConditionDescriptors>${descriptors}</ConditionDescriptors>`}`,
    )

  it('reads graded cards with grader, grade and number', () => {
    const graded = [
      descriptor('27501', '<Value>2750115</Value>'),
      descriptor('27502', '<Value>275022</Value>'),
      descriptor('27503', '<AdditionalInfo>AB 12345</AdditionalInfo>'),
    ]
    expect(card('2750', '261328', graded.join(''))).toMatchObject({
      condition: 'Graded',
      condition_notes: 'Professional grader: TAG. Grade: 9. Certification number: AB 12345.',
    })
    const notes = '<ConditionDescription>A chip in the slab.</ConditionDescription>'
    expect(card('2750', '183050', graded[0], notes).condition_notes).toBe(
      'Professional grader: TAG. A chip in the slab.',
    )
  })

  it('reads ungraded cards, and keeps what it does not know', () => {
    expect(card('4000', '183454')).toMatchObject({ condition: 'Ungraded' })
    expect(card('4000', '183454', descriptor('40001', '<Value>400016</Value>'))).toMatchObject({
      condition: 'Ungraded',
      condition_notes: 'Card condition: Moderately played (Very good).',
    })
    expect(card('2750', '253', descriptor('27599', '<Value>1</Value><Value>2</Value>'))).toMatchObject({
      condition: 'Graded',
      condition_notes: 'eBay condition descriptor 27599: 1, 2.',
    })
  })

  it('reads the same ids of other things as before', () => {
    expect(card('2750', '11450').condition).toBe('Like New')
    expect(card('4000', '261186').condition).toBe('Very Good')
  })

  it('reads identifiers, material, weight and parcel size', () => {
    const details =
      '<ProductListingDetails><ISBN>9780306406157</ISBN><UPC>Does not apply</UPC><BrandMPN><Brand>Canon</Brand><MPN>AE-1</MPN></BrandMPN></ProductListingDetails>'
    const specifics =
      '<ItemSpecifics><NameValueList><Name>Material</Name><Value>Brass</Value></NameValueList><NameValueList><Name>EAN</Name><Value>4006381333931</Value></NameValueList></ItemSpecifics>'
    const parcel = (pounds: string, length: string) =>
      `<ShippingPackageDetails><PackageDepth unit="in">4</PackageDepth><PackageLength unit="in">${length}</PackageLength><PackageWidth unit="in">8</PackageWidth><WeightMajor unit="lbs">${pounds}</WeightMajor><WeightMinor unit="oz">4</WeightMinor></ShippingPackageDetails>`
    const read = listing(`${plain}${details}${specifics}${parcel('1', '10')}`)
    expect(read).toMatchObject({
      isbn: '9780306406157',
      ean: '4006381333931',
      mpn: 'AE-1',
      material: 'Brass',
      weight_grams: 567,
      parcel: { length_mm: 254, width_mm: 203, height_mm: 102 },
    })
    expect(read).not.toHaveProperty('upc')
    expect(listing(`${plain}${parcel('1', '0')}`)).not.toHaveProperty('parcel')
    expect(
      listing(`${plain}<ShippingPackageDetails><WeightMajor>heavy</WeightMajor></ShippingPackageDetails>`),
    ).not.toHaveProperty('weight_grams')
  })

  it('reads what an auction can be bought for at once', () => {
    expect(read(itemOf('get-item-auction.xml'))).toMatchObject({
      format: 'auction',
      price_minor: 9000,
      currency: 'GBP',
      quantity: 1,
      condition: 'For parts or not working',
    })
  })

  it.each([
    ['what it sold for once it is over', 'Completed', 1, '90.0', 4_100],
    ['its bid where it has no other price', 'Active', 0, '0.0', 4_100],
  ])('reads as price of an auction %s', (_, listingStatus, sold, buyItNow, price_minor) => {
    const bid = '<CurrentPrice currencyID="GBP">41.0</CurrentPrice>'
    const xml = `<BuyItNowPrice currencyID="GBP">${buyItNow}</BuyItNowPrice><ListingType>Chinese</ListingType>`
    expect(listing(`${title}${quantity}${xml}${status(listingStatus, sold, bid)}`)).toMatchObject({ price_minor })
  })

  it('adds up the units of variations', () => {
    const both = fixtureText('get-item-variations.xml').replace('<Quantity>3</Quantity>', '<Quantity>5</Quantity>')
    expect(read(rootOf(both).Item)).toMatchObject({ quantity: 6, sku: 'BAND', price_minor: 1250 })
  })

  it.each([1, 4])('reads SKU, price and options of the only variation left (%i)', (left) => {
    const blue = fixtureText('get-item-variations.xml').replace(
      '<Quantity>4</Quantity>',
      `<Quantity>${left}</Quantity>`,
    )
    expect(read(rootOf(blue).Item)).toMatchObject({
      quantity: left,
      sku: 'BAND-BLUE',
      price_minor: 1300,
      colors: ['Blue'],
      size: 'L',
      brand: 'Unbranded',
    })
  })

  it('ignores ended variations', () => {
    const over = fixtureText('get-item-variations.xml').replace(
      '<QuantitySold>0</QuantitySold></SellingStatus></Variation>',
      '<QuantitySold>0</QuantitySold><ListingStatus>Ended</ListingStatus></SellingStatus></Variation>',
    )
    expect(read(rootOf(over).Item)).toMatchObject({ quantity: 0, state: 'sold' })
  })

  it('reads an ended listing as sold if all variations are sold', () => {
    const ended = (text: string) => text.replaceAll('>Active</ListingStatus>', '>Ended</ListingStatus>')
    const text = ended(fixtureText('get-item-variations.xml'))
    expect(text).toContain('>Ended</ListingStatus>')
    expect(read(rootOf(text).Item)).toMatchObject({ quantity: 0, state: 'removed' })
    const soldOut = text.replaceAll(/<Quantity>\d+<\/Quantity>/g, '<Quantity>0</Quantity>')
    expect(read(rootOf(soldOut).Item)).toMatchObject({ quantity: 0, state: 'sold' })
  })

  it('prefers QuantityAvailable to Quantity', () => {
    const answer = GetMyeBaySellingAnswer.parse(rootOf(fixtureText('selling-active.xml')))
    expect(read(entriesOf(answer, 'ActiveList')[0], { list: 'ActiveList' })).toMatchObject({
      quantity: 1,
      price_minor: 530,
      sku: '0012',
      state: 'available',
    })
  })

  it('reads sold items of both shapes', () => {
    const answer = GetMyeBaySellingAnswer.parse(rootOf(fixtureText('selling-sold.xml')))
    const sold = entriesOf(answer, 'SoldList').map((raw) => read(raw, { list: 'SoldList' }))
    expect(sold).toMatchObject([
      { listing_id: '110000000021', state: 'sold', quantity: 0, price_minor: 800 },
      { listing_id: '110000000022', state: 'sold', quantity: 0, price_minor: 925 },
      { listing_id: '110000000023', state: 'sold', quantity: 0, price_minor: 999 },
    ])
  })

  describe('the state', () => {
    const cases = [
      ['Active', 0, 'available'],
      ['Active', 1, 'sold'],
      ['Completed', 1, 'sold'],
      ['Completed', 0, 'removed'],
      ['Ended', 1, 'sold'],
      ['Ended', 0, 'removed'],
    ] as const
    it.each(cases)('reads %s with %i sold of one as %s', (listingStatus, sold, state) => {
      expect(listing(`${title}${quantity}${status(listingStatus, sold)}`).state).toBe(state)
    })

    it.each([
      ['Completed', 3, 2, 'removed'],
      ['Ended', 3, 2, 'removed'],
      ['Completed', 3, 3, 'sold'],
      ['Ended', 3, 0, 'removed'],
    ] as const)('reads %s with %i offered and %i sold as %s', (listingStatus, offered, sold, state) => {
      const xml = `${title}<Quantity>${offered}</Quantity>${status(listingStatus, sold)}`
      for (const list of [null, 'SoldList', 'UnsoldList'] as const) expect(listing(xml, { list }).state).toBe(state)
    })

    it.each([
      ['Completed', 'ActiveList'],
      ['Ended', 'ActiveList'],
    ] as const)('never reads %s as available, even in the %s', (listingStatus, list) => {
      expect(listing(`${title}<Quantity>9</Quantity>${status(listingStatus)}`, { list })).toMatchObject({
        state: 'removed',
        quantity: 0,
      })
    })

    it.each(['Custom', 'CustomCode', 'Paused', ''])('fails for the unknown status "%s"', (word) => {
      expect(failure(`${title}${quantity}${status(word)}`)).toMatchObject({
        error_code: 'page_changed',
        field: 'SellingStatus/ListingStatus',
      })
    })

    it('reads an active listing without units as removed', () => {
      expect(listing(`${title}<Quantity>0</Quantity>${status('Active')}`)).toMatchObject({
        state: 'removed',
        quantity: 0,
      })
    })
  })

  // Elements of PromotionalSaleDetailsType (1451); amounts and times are made up.
  describe('the price during a sale event', () => {
    const at = '2026-11-20T12:00:00.000Z'
    const shown = (listed: string, now = '2026-11-22T00:00:00.000Z') => listing(listed, { now: new Date(now) })
    const details = (original: string, start = at, end = '2026-12-01T08:00:00.000Z') =>
      `<PromotionalSaleDetails><EndTime>${end}</EndTime><OriginalPrice currencyID="GBP">${original}</OriginalPrice><StartTime>${start}</StartTime></PromotionalSaleDetails>`
    const onSale = (sale: string, { current = '28.0', start = '40.0', type = 'FixedPriceItem' } = {}) =>
      `${title}${quantity}<Currency>GBP</Currency><ListingType>${type}</ListingType><StartPrice currencyID="GBP">${start}</StartPrice><SellingStatus><CurrentPrice currencyID="GBP">${current}</CurrentPrice>${sale}<ListingStatus>Active</ListingStatus></SellingStatus>`

    it.each(['40.0', '28.0'])('stays the original one (StartPrice %s)', (start) => {
      expect(shown(onSale(details('40.0'), { start }))).toMatchObject({
        price_minor: 4_000,
        terms: { sale: { price_minor: 2_800, currency: 'GBP', ends_at: '2026-12-01T08:00:00.000Z' } },
      })
    })

    it.each([
      ['before it', '2026-11-20T11:59:59.000Z'],
      ['after it', '2026-12-01T08:00:00.000Z'],
    ])('is the listing’s own %s', (_, now) => {
      const result = shown(onSale(details('40.0'), { start: '35.0', current: '35.0' }), now)
      expect(result.price_minor).toBe(3_500)
      expect(result.terms?.sale).toBeUndefined()
    })

    it('is the start price where eBay names no original one', () => {
      const result = shown(onSale('<PromotionalSaleDetails></PromotionalSaleDetails>'))
      expect([result.price_minor, result.terms?.sale]).toEqual([4_000, undefined])
    })

    it('is the original one of the only variation left', () => {
      const variation = `<Variations><Variation><StartPrice currencyID="GBP">18.0</StartPrice><Quantity>1</Quantity><SellingStatus><QuantitySold>0</QuantitySold>${details('24.0')}</SellingStatus></Variation></Variations>`
      expect(shown(`${onSale('', { start: '18.0', current: '18.0' })}${variation}`)).toMatchObject({
        price_minor: 2_400,
        terms: { sale: { price_minor: 1_800 } },
      })
    })

    it('is the bid of an auction, whose start price is no price', () => {
      expect(shown(onSale('', { type: 'Chinese', start: '0.99', current: '52.0' })).price_minor).toBe(5_200)
    })

    it('names the original one of a listing that cannot be read', () => {
      const unreadable = onSale(details('40.0', at, '2126-12-01T08:00:00.000Z')).replace(title, '')
      expect(failure(unreadable)).toMatchObject({ price_minor: 4_000 })
    })
  })

  describe('the price', () => {
    const priced = (amount: string) =>
      `${title}${quantity}${status('Active', 0, `<CurrentPrice currencyID="USD">${amount}</CurrentPrice>`)}`
    it.each([
      ['5.3', 530],
      ['250.0', 25_000],
      ['17.99', 1799],
      ['0.0', 0],
      ['1234567.1', 123_456_710],
      ['19.990', 1999],
    ])('reads %s as %i cents', (amount, cents) => {
      expect(listing(priced(amount)).price_minor).toBe(cents)
    })

    it.each(['', 'free', '1,50', '-5.0', '1e3', '17.995', 'NaN'])('fails for the price "%s"', (amount) => {
      expect(failure(priced(amount))).toMatchObject({
        error_code: 'invalid_price',
        listing_id: '110000000009',
        title: 'Jug',
      })
    })

    it('falls back to the currency of the item', () => {
      const xml = `${title}${quantity}<Currency>CAD</Currency>${status('Active', 0, '<CurrentPrice>5.0</CurrentPrice>')}`
      expect(listing(xml).currency).toBe('CAD')
    })

    it('reads currencies without cents', () => {
      const yen = status('Active', 0, '<CurrentPrice currencyID="JPY">500.0</CurrentPrice>')
      expect(listing(`${title}${quantity}${yen}`)).toMatchObject({ price_minor: 500, currency: 'JPY' })
    })
  })

  describe('absent elements', () => {
    it('are undefined in the listing', () => {
      const read = listing(plain)
      expect(
        Object.entries(read)
          .filter(([, value]) => value !== undefined)
          .map(([name]) => name)
          .sort(),
      ).toEqual(['currency', 'description', 'images', 'listing_id', 'price_minor', 'quantity', 'state', 'title', 'url'])
      expect(read).toMatchObject({ url: 'https://www.ebay.com/itm/110000000009', images: [], description: '' })
    })

    it('include a blank SKU', () => {
      expect(listing(`${plain}<SKU>\n\t\t</SKU>`).sku).toBeUndefined()
      expect(listing(`${plain}<SKU/>`).sku).toBeUndefined()
    })

    it.each([
      ['Title', `${quantity}${status('Active')}`],
      ['Quantity', `${title}${status('Active')}`],
      ['SellingStatus/CurrentPrice', `${title}${quantity}${status('Active', 0, '')}`],
      ['SellingStatus/ListingStatus', `${title}${quantity}<StartPrice currencyID="USD">5.0</StartPrice>`],
      ['CurrentPrice/@currencyID', `${title}${quantity}${status('Active', 0, '<CurrentPrice>5.0</CurrentPrice>')}`],
    ])('fail an item without %s, naming it', (field, xml) => {
      expect(failure(xml)).toMatchObject({ error_code: 'page_changed', field })
    })

    it('fail an item with a malformed quantity', () => {
      expect(failure(`${title}<Quantity>many</Quantity>${status('Active')}`)).toMatchObject({ field: 'Quantity' })
    })

    it('use the gallery picture if there are no others', () => {
      expect(
        listing(`${plain}<PictureDetails><GalleryURL>https://a.example/1.jpg</GalleryURL></PictureDetails>`).images,
      ).toEqual(['https://a.example/1.jpg'])
    })

    it('use the requested id for an item without one', () => {
      expect(read(parseXml(`<Item>${plain}</Item>`).Item, { itemId: '110000000044' })).toMatchObject({
        listing_id: '110000000044',
        error_code: 'page_changed',
        field: 'ItemID',
      })
    })
  })

  it('reads item specifics in the languages of eBay’s sites', () => {
    const specific = (name: string, value: string) =>
      `<NameValueList><Name>${name}</Name><Value>${value}</Value></NameValueList>`
    const xml = `${plain}<ItemSpecifics>${specific('Marke', 'Rosenthal')}${specific('Größe', 'M')}${specific('Farbe', 'Blau')}</ItemSpecifics>`
    expect(listing(xml)).toMatchObject({ brand: 'Rosenthal', size: 'M', colors: ['Blau'] })
  })

  it.each([
    { raw: null },
    { raw: undefined },
    { raw: 'text' },
    { raw: [] },
    { raw: {} },
    { raw: { ItemID: {} } },
    { raw: { ItemID: ['1', '2'] } },
    { raw: { ItemID: '1', Title: { a: 'b' } } },
  ])('returns a failure for $raw', ({ raw }) => {
    expect(isListingFailure(read(raw))).toBe(true)
  })

  it('fails a listing that is too large, naming the field', () => {
    expect(failure(`${plain}<Description>${'x'.repeat(600_001)}</Description>`)).toMatchObject({
      error_code: 'record_invalid',
      field: 'description',
    })
  })

  it('returns what the shared schema accepts', () => {
    for (const name of ['get-item-fixed-price.xml', 'get-item-auction.xml', 'get-item-variations.xml']) {
      expect(() => Listing.parse(read(itemOf(name)))).not.toThrow()
    }
  })
})
