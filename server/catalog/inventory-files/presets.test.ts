import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { apiOf } from '#e2e/harness/api.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { readFile } from './read-file.ts'

let server: TestServer
let seller: TestAccount
beforeAll(async () => {
  server = await startTestServer({ works: false })
})
afterAll(() => server?.close())
beforeEach(async () => {
  seller = await buildAccount(server.services.db)
})

async function upload(csv: string, query = '') {
  const answer = await fetch(`${server.url}/api/v1/inventory/import/${query}`, {
    method: 'POST',
    headers: { ...seller.key, 'content-type': 'text/csv; charset=utf-8' },
    body: csv,
  })
  return answer.json()
}
const items = async () =>
  (await apiOf(server.url)('GET', '/api/v1/inventory/', { headers: seller.key })).body.results.reverse()

// The lines of column names are those of real files and templates (docs/files.md); the values are invented.
const etsy = `TITLE,DESCRIPTION,PRICE,CURRENCY_CODE,QUANTITY,TAGS,MATERIALS,IMAGE1,IMAGE2,IMAGE3,IMAGE4,IMAGE5,IMAGE6,IMAGE7,IMAGE8,IMAGE9,IMAGE10,VARIATION 1 TYPE,VARIATION 1 NAME,VARIATION 1 VALUES,VARIATION 2 TYPE,VARIATION 2 NAME,VARIATION 2 VALUES,SKU
Green ring,"Line one
Line two",26.15,GBP,1,"ring,green","Copper,Stone",https://i.etsystatic.com/1.jpg,https://i.etsystatic.com/2.jpg,,,,,,,,,,,,,,,RING-1
Mug,Many,8.30,GBP,3,mug,Clay,https://i.etsystatic.com/3.jpg,,,,,,,,,,,,,,,,MUG-1
`
const ebay = `Info,Version=1.0.0,Template=fx_category_template_EBAY_GB
*Action(SiteID=UK|Country=GB|Currency=GBP|Version=1193|CC=UTF-8),CustomLabel,*Category,*Title,*ConditionID,C:Brand,PicURL,*Description,*Format,*Duration,*StartPrice,*Quantity
Info,>>> Get more details on how to complete listings,,,,,,,,,,
Add,CAM-1,31388,Old camera,3000-Used,Kodak,https://a.example/1.jpg|https://a.example/2.jpg,<p>It <b>works</b></p>,FixedPrice,GTC,"1,250.00",1
End,CAM-2,31388,Gone,3000,Kodak,https://a.example/3.jpg,x,FixedPrice,GTC,5.00,1
`
const ebayDrafts = `#INFO,Version=0.0.2,Template= eBay-draft-listings-template_US,,,,,,,,
#INFO Action and Category ID are required fields. 1) Set Action to Draft 2) Please find the category ID for your listings here: https://pages.ebay.com/sellerinformation/news/categorychanges.html,,,,,,,,,,
"#INFO After you've successfully uploaded your draft from the Seller Hub Reports tab, complete your drafts to active listings here: https://www.ebay.com/sh/lst/drafts",,,,,,,,,,
#INFO,,,,,,,,,,
Action(SiteID=US|Country=US|Currency=USD|Version=1193|CC=UTF-8),Custom label (SKU),Category ID,Title,UPC,Price,Quantity,Item photo URL,Condition ID,Description,Format
Draft,LENS-1,3323,Old lens,012345678905,75.00,1,https://a.example/1.jpg|https://a.example/2.jpg,3000,<p>Clear</p>,FixedPrice
`
const ebayTemplate = `*Action(SiteID=US|Country=US|Currency=USD|Version=1193),Custom label (SKU),Category name,Title,Relationship,Relationship details,P:UPC,P:ISBN,P:EAN,P:EPID,Start price,Quantity,Item photo URL,Condition ID,Description,Format,Duration,Buy It Now price
Add,CARD-1,/Collectibles/Postcards,Linen postcard,,,,9780140328721,,,7.99,1,https://a.example/1.jpg,3000-Used,A card,FixedPrice,GTC,
`
const ebayReport = `Item number,Title,Variation details,Custom label (SKU),Available quantity,Format,Currency,Start price,Auction Buy It Now price,Reserve price,Current price,Sold quantity,Watchers,Bids,Start date,End date,eBay category 1 name,eBay category 1 number,eBay category 2 name,eBay category 2 number,Condition,CD:Professional Grader - (ID: 27501),CD:Grade - (ID: 27502),CDA:Certification Number - (ID: 27503),CD:Card Condition - (ID: 40001),eBay Product ID(ePID),Listing site,P:UPC,P:EAN,P:ISBN
"110000000001",Brass lamp,,LAMP-1,"1",FIXED_PRICE,USD,40.0,,,35.0,"0","2","",Jun-29-26 16:00:01 PDT,Jul-29-26 16:00:01 PDT,Lamps,112581,,,Used,,,,,,US,,4006381333931,
"110000000002",Bulbs,,BULB-1,"3",FIXED_PRICE,USD,4.0,,,4.0,"0","","",Jun-29-26 16:00:01 PDT,Jul-29-26 16:00:01 PDT,Lamps,112581,,,New,,,,,,US,,,
`
const vendoo = `"Images","Title","Description","Brand","Condition","Primary Color","Secondary Color","Tags","Sku","Category","Price","Status","Listed Date","Sold Date","Shipped Date","Listing Platforms","Sold Platform","Internal Notes","Price Sold","Cost of Goods","Marketplace Fees","Shipping Expenses","Labels","Quantity Left","Quantity Sold"
"https://images.example/1.jpeg?width=1600&canvas=1600,1600","Wool coat","Warm","Acme","Pre-Owned - Good","Blue","Red","coat, wool","V-1","Coats","45","Active","2026-01-02","","","eBay, Poshmark","","shelf 3","","12.50","","","winter","1",""
"https://images.example/2.jpeg?width=1600&canvas=1600,1600","Plain tank","Soft","Acme","Pre-Owned - Good","White","","","undefined","Tops","$15.00","Active","2026-01-02","","","Depop","","","","0","","","","1",""
"https://images.example/3.jpeg?width=1600&canvas=1600,1600","Sold hat","Gone","Acme","Pre-Owned - Good","Red","","","V-2","Hats","15","Sold","2026-01-02","2026-02-03","","eBay","eBay","","14","2","1.9","4","winter","","1"
"https://images.example/4.jpeg?width=1600&canvas=1600,1600","Socks","Many","Acme","New","Red","","","V-3","Socks","5","Active","2026-01-02","","","eBay","","","","1","","","","4",""
`
const listPerfectly = `Title,Description,Brand,Size,SKU,Price,COGS,Keywords,Image URLs
Silk scarf,Soft,Acme,One,L-1,18,4,scarf,"https://l.example/1.jpg, https://l.example/2.jpg"
`
const crosslistTemplate = `Id,Title,Description,Price,Original Price,Brand,Category id,Size id,Condition,Color,Secondary color,Images,Quantity,Shipping weight,Shipping weight unit,Shipping height,Shipping width,Shipping length,Domestic shipping price,Worldwide shipping price,Free domestic shipping,Free worldwide shipping,Tags,SKU,Who made,When made,Smart pricing,Smart pricing price,Accept offers,Is auction,Auction starting price,Cost of Goods,Internal note
,Boots,Brown,60,,Acme,53a08abc-4447-97e2-211b-4e5b23c79b26,,NewWithTags,Brown,Tan,https://c.example/1.jpg|https://c.example/2.jpg,1,,,,,,,,,,,C-1,,,,,,,,20,
,Bag,Black,60,,Acme,53a08abc-4447-97e2-211b-4e5b23c79b26,,Good,Black,,bag.jpg,1,,,,,,,,,,,C-2,,,,,,,,,
`
const crosslistExport = `Id,Title,Description,Price,OriginalPrice,Brand,CategoryLabel,SizeLabel,Condition,Color,Color2,Photos,Quantity,ShippingWeight,Tags,SKU,WhoMade,WhenMade,CostOfGoods,InternalNote,Labels,Created,LastListedOn,Sold
a1,Black joggers,Soft,12.00,,Acme,Womenswear > Trousers,S,VeryGood,Black,Navy,https://media.example/1.jpg|https://media.example/2.jpg,1,16.00,,J-1,,,,,,2026-03-10,2026-03-16,
a2,Black shirt,Gone,12.00,,Acme,Womenswear > Tops,M,Good,Black,,https://media.example/3.jpg,0,16.00,,J-2,,,,,,2025-09-30,2026-03-16,2026-03-16
`

const shopifyLine = 'Handle,Title,Variant SKU,Variant Price,Image Src'

// The column's names in WooCommerce's exporter and its translations.
it.each([
  ['"GTIN, UPC, EAN, or ISBN"', '885909950805', { upc: '885909950805' }],
  ['"GTIN, UPC, EAN oder ISBN"', '4006381333931', { ean: '4006381333931' }],
  ['"GTIN, UPC, EAN ou ISBN"', '978-0-14-032872-1', { isbn: '978-0-14-032872-1' }],
])("reads WooCommerce's product code %s %s", (heading, code, cells) => {
  const { rows, ignored_columns } = readFile(
    `Name,SKU,Regular price,Short description,Published,${heading}\nLamp,L-1,45,x,1,${code}\n`,
  )
  expect(rows[0]!.cells).toMatchObject(cells)
  expect(ignored_columns).toEqual([])
})

describe('files of other programs', () => {
  it.each([
    ['etsy', etsy],
    ['ebay', ebay],
    ['ebay', ebayDrafts],
    ['ebay', ebayTemplate],
    ['ebay', ebayReport],
    ['vendoo', vendoo],
    ['list_perfectly', listPerfectly],
    ['crosslist', crosslistTemplate],
    ['crosslist', crosslistExport],
    // Two pictures of each item, and remarks that a spreadsheet has shortened.
    ['ebay', ebayDrafts.replace(/,,+$/gm, '')],
    ['hapax', 'title,price,currency,condition,images\nA,1,USD,Used,https://a.example/1.jpg\n'],
  ])('recognizes a file of %s', async (format, csv) => {
    expect((await readFile(csv)).format).toBe(format)
  })

  it("imports Etsy's pictures and currency, and leaves out stock of several", async () => {
    const answer = await upload(etsy)
    expect(answer).toMatchObject({ format: 'etsy', created: 1, failed: 1 })
    expect(answer.results[1].errors).toMatchObject([{ code: 'left_out', message: 'offers more than one' }])
    expect(await items()).toMatchObject([
      {
        sku: 'RING-1',
        description: 'Line one\nLine two',
        attributes: { material: 'Copper,Stone' },
        record: {
          images: ['https://i.etsystatic.com/1.jpg', 'https://i.etsystatic.com/2.jpg'],
          offer: { price_minor: 2_615, currency: 'GBP' },
          condition: { label: 'not stated' },
        },
      },
    ])
  })

  it("imports eBay's condition, plain description and currency of the heading", async () => {
    expect(await upload(ebay)).toMatchObject({ created: 1, failed: 1 })
    expect(await items()).toMatchObject([
      {
        sku: 'CAM-1',
        description: 'It works',
        attributes: { brand: 'Kodak' },
        record: { condition: { label: 'Used' }, offer: { price_minor: 125_000, currency: 'GBP' } },
      },
    ])
  })

  it("imports eBay's drafts below their remarks, and listing templates", async () => {
    expect(await upload(ebayDrafts)).toMatchObject({ created: 1, failed: 0 })
    expect(await upload(ebayTemplate)).toMatchObject({ created: 1, failed: 0 })
    expect(await items()).toMatchObject([
      {
        sku: 'LENS-1',
        attributes: { upc: '012345678905' },
        record: {
          images: ['https://a.example/1.jpg', 'https://a.example/2.jpg'],
          condition: { label: 'Used' },
          offer: { price_minor: 7_500, currency: 'USD' },
        },
      },
      { sku: 'CARD-1', attributes: { isbn: '9780140328721' }, record: { offer: { price_minor: 799 } } },
    ])
  })

  it("changes known items by eBay's report, which has no pictures, and leaves out several pieces", async () => {
    await upload('sku,title,price,currency,condition,images\nLAMP-1,Lamp,30,USD,Mint,https://a.example/1.jpg\n')
    const answer = await upload(ebayReport)
    expect(answer).toMatchObject({ updated: 1, failed: 1 })
    expect(answer.results[1].errors).toMatchObject([{ message: 'offers more than one' }])
    expect(await items()).toMatchObject([
      {
        sku: 'LAMP-1',
        attributes: { category: 'Lamps', ean: '4006381333931' },
        record: { title: 'Brass lamp', offer: { price_minor: 3_500 }, condition: { label: 'Used' } },
      },
    ])
  })

  it('imports what Vendoo has for sale with its cost, in the given currency', async () => {
    expect(await upload(vendoo)).toMatchObject({ created: 0, failed: 4 })
    const answer = await upload(vendoo, '?currency=USD')
    expect(answer).toMatchObject({ created: 3, sales: 1, failed: 1 })
    expect(answer.results.slice(2)).toMatchObject([
      { sale: { platform: 'ebay', price: '14.00', fee: '1.90', shipping: '4.00' } },
      { errors: [{ message: 'offers more than one' }] },
    ])
    // The columns that are not kept are named. The notes are empty.
    expect(answer.ignored_columns).toEqual([
      ...['Tags', 'Listed Date', 'Shipped Date', 'Listing Platforms', 'Labels (only place and cost are read)'],
    ])
    expect(await items()).toMatchObject([
      {
        sku: 'V-1',
        attributes: { brand: 'Acme', category: 'Coats', colors: ['Blue', 'Red'], cost_minor: 1_250 },
        record: { images: ['https://images.example/1.jpeg?width=1600&canvas=1600,1600'] },
      },
      { sku: null, record: { title: 'Plain tank', offer: { price_minor: 1_500 } } },
      { sku: 'V-2', attributes: { cost_minor: 200 }, record: { title: 'Sold hat', lifecycle: { state: 'sold' } } },
    ])
  })

  // Sellers write bins and costs into labels (btxbtwn/vendoo-analytics reads `cog:` there). The values are invented.
  it.each([
    ['"winter, bin A3, cog:7.50"', '""', { storage_location: 'bin A3', cost_minor: 750 }, ['Labels']],
    ['"COG: $12"', '"Shelf 3, left"', { storage_location: 'Shelf 3', cost_minor: 1_200 }, ['Internal Notes']],
    ['"COG: $12"', '"Shelf 3"', { storage_location: 'Shelf 3', cost_minor: 1_200 }, []],
    // 958 of the 1,034 rows of that file have a label such as A15, and no other place.
    ['"clothing, A15, cog:1.24, 90days+"', '""', { storage_location: 'A15', cost_minor: 124 }, ['Labels']],
    ['"boxy fit, W32, 5profit, Y2K"', '"binding is loose"', {}, ['Internal Notes', 'Labels']],
  ])('reads place and cost from the labels %s and notes %s', async (labels, notes, expected, partly) => {
    const row = `"https://images.example/9.jpeg","Wool cap","","","Good","","","","V-9","","9","Active","","","","","",${notes},"","","","",${labels},"1",""`
    const { ignored_columns } = await upload(`${vendoo.split('\n')[0]}\n${row}\n`, '?currency=USD')
    expect(ignored_columns.slice(4)).toEqual(partly.map((name) => `${name} (only place and cost are read)`))
    const [item] = await items()
    expect({ storage_location: item.attributes.storage_location, cost_minor: item.attributes.cost_minor }).toEqual({
      storage_location: undefined,
      cost_minor: undefined,
      ...expected,
    })
  })

  it("keeps grader and grade of cards in eBay's file", async () => {
    // Headings of public programs that write eBay's templates for cards.
    const csv = `*Action(SiteID=US|Currency=USD),CustomLabel,*Category,*Title,*ConditionID,CD:Professional Grader - (ID: 27501),CD:Grade - (ID: 27502),CDA:Certification Number - (ID: 27503),CD:Kartenzustand - (ID: 40001),*Format,*StartPrice
Add,G-1,261328,Rookie,2750-Graded,275010,275022,12345678,,FixedPrice,20
Add,G-2,183454,Sprite,4000,,,,Near mint or better - (ID: 400010),FixedPrice,20
Add,G-3,31388,Camera,4000,,,,,FixedPrice,20
`
    expect(readFile(csv).rows.map(({ cells }) => [cells.condition, cells.condition_notes])).toEqual([
      ['Graded', 'Professional grader: PSA. Grade: 9. Certification number: 12345678.'],
      ['Ungraded', 'Card condition: Near mint or better.'],
      ['Used, very good', undefined],
    ])
  })

  it("leaves the titles of variations in eBay's report", () => {
    const rows = readFile(ebayReport.replace('Brass lamp,,', 'Brass lamp,Color=Red,')).rows
    expect(rows.map(({ cells }) => cells.title)).toEqual([undefined, 'Bulbs'])
  })

  // The names are Etsy's in its shops of these languages; Dutch and Italian ones are translations.
  it.each([
    'TITEL,BESCHREIBUNG,PREIS,WÄHRUNGSCODE,ANZAHL,TAGS,MATERIALIEN,BILD1,BESTANDSEINHEIT',
    'TITRE,DESCRIPTION,PRIX,CODE_DEVISE,QUANTITÉ,TAGS,MATÉRIAUX,IMAGE1,RÉFÉRENCE',
    'TITOLO,DESCRIZIONE,PREZZO,CODICE_VALUTA,QUANTITÀ,TAGS,MATERIALI,IMMAGINE1,CODICE ARTICOLO',
    'TÍTULO,DESCRIPCIÓN,PRECIO,CÓDIGO_DE_MONEDA,CANTIDAD,ETIQUETAS,MATERIALES,IMAGEN1,REFERENCIA',
    'TITEL,BESCHRIJVING,PRIJS,VALUTACODE,AANTAL,TAGS,MATERIALEN,AFBEELDING1,VOORRAADEENHEID',
  ])("knows the SKU and the pieces in Etsy's %s", (headings) => {
    const read = (pieces: number) =>
      readFile(`${headings}\nLamp,x,45.00,EUR,${pieces},a,b,https://a.example/1,L-1\n`).rows[0]!
    expect(read(1)).toMatchObject({ left: null, cells: { sku: 'L-1', title: 'Lamp', price: '45.00', currency: 'EUR' } })
    expect(read(1).cells.images).toBe('https://a.example/1')
    expect(read(0).left?.reason).toBe('has none left')
  })

  it('knows the columns of usual sheets, but not where they mean something else', () => {
    const { rows } = readFile(`${shopifyLine},Bin location\nhat,Hat,H-1,20,https://a.example/1.jpg,Shelf 3\n`)
    expect(rows[0]!.cells.storage_location).toBe('Shelf 3')
    const draft = ebayDrafts.replace('Description,Format', 'Location,Format').split('\n').slice(4).join('\n')
    const { storage_location, category } = readFile(draft).rows[0]!.cells
    expect([storage_location, category]).toEqual([undefined, undefined])
  })

  it("imports Crosslist's export with its pictures, without what is sold", async () => {
    expect(await upload(crosslistExport, '?currency=GBP')).toMatchObject({ created: 1, failed: 1 })
    expect(await items()).toMatchObject([
      {
        sku: 'J-1',
        attributes: { category: 'Womenswear > Trousers', size: 'S', colors: ['Black', 'Navy'] },
        record: {
          images: ['https://media.example/1.jpg', 'https://media.example/2.jpg'],
          condition: { label: 'Very good' },
          offer: { price_minor: 1_200, currency: 'GBP' },
        },
      },
    ])
  })

  it('fails only the row whose pictures are no links', async () => {
    const answer = await upload(crosslistTemplate, '?currency=USD')
    expect(answer).toMatchObject({ created: 1, failed: 1 })
    expect(answer.results[1].errors).toMatchObject([{ field: 'images.0' }])
    expect(await items()).toMatchObject([
      {
        attributes: { colors: ['Brown', 'Tan'], cost_minor: 2_000 },
        record: { condition: { label: 'New with tags' } },
      },
    ])
  })

  it('keeps the condition of a known item that the file does not state', async () => {
    const known = `sku,title,price,currency,condition,images\nRING-1,Ring,20,GBP,Mint,https://a.example/1.jpg\n`
    await upload(known)
    expect(await upload(etsy)).toMatchObject({ updated: 1 })
    expect((await items())[0].record).toMatchObject({ title: 'Green ring', condition: { label: 'Mint' } })
  })
})
