import { describe, expect, it } from 'vitest'
import { readFile } from '../read-file.ts'

/** 2026-11-28, noon. */
const now = Date.UTC(2026, 10, 28, 12)
const read = async (csv: string) => readFile(csv, now)

/** Returns the price of each row, or why it has none. */
const pricesOf = (csv: string) =>
  readFile(csv, now).rows.map(({ cells, left, errors }) => left?.reason ?? errors?.[0]?.code ?? cells.price)

const noBuyNow = 'is an auction there, without a price to buy it now'

describe('the asking price of a sheet', () => {
  it.each([
    ['Retail Price,Listing Price', '180,65', '65'],
    ['MSRP,Unit Price,Cost Price,Asking Price,Price', '90,8,2,20,25', '20'],
    ['Original Price,Compare-at price,Floor price,Lowest offer,Price USD', '90,80,10,15,25', '25'],
    ['UVP,Stückpreis,Preis', '90,8,25', '25'],
    ['Starting bid,Buy It Now price', '1,25', '25'],
    ['Regular price,Sale price', '25,20', '20'],
  ])('is chosen among %s', (headings, cells, price) => {
    expect(pricesOf(`SKU,Title,${headings}\nA,Lamp,${cells}\n`)).toEqual([price])
  })

  it.each([
    ['Price', 'Selling Price'],
    ['Price', 'Sale Price'],
    ['Preis', 'Verkaufspreis'],
    ['Price (USD)', 'Price (EUR)'],
    ['Listing price', 'Asking price'],
    ['Price', 'Buy It Now price'],
    ['Etsy price', 'eBay price'],
  ])('is asked for where %s and %s could be it', async (first, second) => {
    await expect(read(`SKU,Title,${first},${second}\nA,Lamp,20,25\n`)).rejects.toMatchObject({
      message: expect.stringContaining(`"${first}" and "${second}"`),
      errors: [{ code: 'two_prices' }],
    })
  })

  it.each(['Retail Price', 'MSRP (Price)', 'Unit price', 'Stückpreis', 'Startpreis', 'Sale price'])(
    'is not the %s alone',
    async (heading) => {
      await expect(read(`SKU,Title,${heading}\nA,Lamp,20\n`)).rejects.toMatchObject({ code: 'file_not_understood' })
    },
  )

  it('is our own in an export, whatever was put beside it', () => {
    expect(pricesOf('uid,title,price,Preis\nu,Lamp,20,25\n')).toEqual(['20'])
  })
})

describe('a row that is sold otherwise', () => {
  // Seller Hub's report of active listings, as public programs read it.
  const report =
    'Item number,Title,Custom label (SKU),Available quantity,Format,Start price,Auction Buy It Now price,Current price,Bids'
  // Seller Hub's category template.
  const template = '*Action(SiteID=US|Currency=USD),CustomLabel,*Title,PicURL,*Format,*StartPrice,BuyItNowPrice'
  it.each([
    [report, '1,Lamp,L-1,1,AUCTION,0.99,,5.50,3', noBuyNow],
    [report, '1,Lamp,L-1,1,AUCTION,0.99,45.0,5.50,', '45.0'],
    [report, '1,Lamp,L-1,1,FIXED_PRICE,80.0,,75.0,', '75.0'],
    [report, '1,Lamp,L-1,1,,0.99,,5.50,', 'does not say whether its price is fixed, or that of an auction'],
    [template, 'Add,L-1,Lamp,https://a.example/1.jpg,Auction,0.99,', noBuyNow],
    [template, 'Add,L-1,Lamp,https://a.example/1.jpg,FixedPrice,45.00,', '45.00'],
    // Whatnot's template, as a public program writes it.
    ['Title,SKU,Quantity,Type,Price', 'Lamp,L-1,1,Auction,1.00', noBuyNow],
    ['Title,SKU,Quantity,Type,Price', 'Lamp,L-1,1,Giveaway,0', 'is given away there'],
    ['Title,SKU,Quantity,Format,Price', 'Lamp,L-1,1,Bidding,1', noBuyNow],
    ['Title,SKU,Quantity,Format,Price', 'Lamp,L-1,1,Timed,1', noBuyNow],
    ['Title,SKU,Quantity,Format,Price', 'Lamp,L-1,1,Not for sale,1', 'is not for sale there'],
    ['Title,SKU,Quantity,Type,Price', 'Lamp,L-1,1,Buy it Now,12.00', '12.00'],
    ['Title,SKU,Price,Is auction', 'Boots,B-1,60,TRUE', noBuyNow],
    ['Titel,SKU,Angebotsformat,Aktueller Preis', 'Lampe,L-1,Auktion,5.50', noBuyNow],
    ['Title,SKU,Listing type,Price', 'Lamp,L-1,Scheduled,12.00', 'has the status "scheduled" there'],
    ['Title,SKU,Type,Price', 'Vase,L-1,Chinese,12.00', '12.00'],
  ])('of %s: %s is %s', (headings, cells, expected) => {
    expect(pricesOf(`${headings}\n${cells}\n`)).toEqual([expected])
  })
})

describe('a sale price', () => {
  // The columns of WooCommerce's export; German ones as public programs write them.
  const english =
    'Name,SKU,Short description,Published,Date sale price starts,Date sale price ends,Sale price,Regular price'
  const german =
    'Name,Artikelnummer,Kurzbeschreibung,Veröffentlicht,"Datum, an dem Angebotspreis beginnt","Datum, an dem Angebotspreis endet",Angebotspreis,Regulärer Preis'
  it.each([
    [english, '2026-09-01,2026-09-30', '140'],
    [english, '2027-01-01,2027-01-15', '140'],
    [english, '2026-11-01,2026-12-31', '90'],
    [english, ',', '90'],
    [english, ',2026-11-28', '90'],
    [english, ',2026-11-27T23:59:59', '140'],
    [english, '2026-11-28T15:00:00+03:00,', '90'],
    [english, '2026-11-28T12:00:01,', '140'],
    [english, '46300,46400', '90'],
    [english, '11/20/2026,12/20/2026', '90'],
    [english, '10/12/2026,', 'unclear_price'],
    [english, 'soon,', 'unclear_price'],
    [german, '01.09.2026,30.09.2026', '140'],
    [german, '01.11.2026,31.12.2026', '90'],
  ])('of %s counts between its dates %s', (headings, dates, price) => {
    expect(pricesOf(`${headings}\nClock,CLK-1,x,1,${dates},90,140\n`)).toEqual([price])
  })
})
