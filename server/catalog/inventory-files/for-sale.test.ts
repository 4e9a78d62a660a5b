import { describe, expect, it } from 'vitest'
import { readFile } from './read-file.ts'

/** Returns the reason why the row of a file with one more column is left out. */
async function reasonOf(column: string, cell: string, rest = 'SKU,Title,Price'): Promise<string | undefined> {
  const { rows } = await readFile(`${rest},${column}\n${rest.replaceAll(/\w+/g, 'x')},"${cell}"\n`)
  return rows[0]!.left?.reason
}

describe("a row of someone's own sheet", () => {
  it.each([
    ...[
      ['Status', 'Sold'],
      ['STATUS', 'SOLD'],
      ['State', 'sold'],
      ['Status', 'Verkauft'],
      ['Statut', 'Vendu'],
      ['Stato', 'Venduto'],
    ],
    ...[
      ['Estado', 'Vendido'],
      ['Sold', 'yes'],
      ['Sold', '2026-11-18'],
      ['Verkauft', 'ja'],
      ['Date Sold', '11/18/2026'],
    ],
    ...[
      ['Sold On', 'Poshmark'],
      ['Verkauft am', '18.11.2026'],
      ['Vendu le', '18/11/2026'],
      ['Data vendita', '18/11/2026'],
    ],
    ...[
      ['Fecha de venta', '18/11/2026'],
      ['Sold Price', '12.00'],
      ['Buyer', 'vera'],
      ['Order Number', '12-345'],
      ['item_status', 'Sold out'],
    ],
    // Columns of published sheets of resellers.
    ...[
      ['Is Sold (Y/N)', 'Y'],
      ['Sold Price (USD)', '12.00'],
      ['Date Sold (MM/DD/YYYY)', '11/18/2025'],
      ['Platform Sold', 'eBay'],
      ['Status (Listed/Sold)', 'Sold'],
      ['Prix vendu', '12'],
      ['Sold', '✓'],
      ['Sold', '☑'],
    ],
    ...[
      ['Quantity,Sold Quantity', '1","1'],
      ['Quantity,Qty Sold', '1","1'],
      ['Units sold', '2'],
      ['Items Sold', '1.0'],
      ['Verkaufte Menge', '1'],
      ['Quantité vendue', '1'],
    ],
  ])('is left out as sold by %s %s', async (column, cell) => {
    expect(await reasonOf(column, cell)).toBe('is sold there')
  })

  it.each([
    'Ended',
    'Draft',
    'Inactive',
    'Archived',
    'Removed',
    'Beendet',
    'Entwurf',
    'Brouillon',
    'Terminé',
    'Bozza',
    'Scaduto',
    'Borrador',
    'Finalizado',
    'ON HOLD',
  ])('is left out by the status %s', async (status) => {
    expect(await reasonOf('Status', status)).toBe(`has the status "${status}" there`)
  })

  it.each(['Returned', 'Refunded', 'Cancelled'])('is not sold where it is %s after its sale', async (status) => {
    const reason = await reasonOf('Status,Date Sold,Price Sold', `${status}","11/18/2025","12.00`)
    expect(reason).toContain(`has the status "${status}"`)
  })

  it.each(['Foo', 'Good', '-1'])('is left out by the unknown status %s', async (status) => {
    expect(await reasonOf('Listing Status', status)).toBe(`has the status "${status}", which Hapax does not know`)
  })

  it.each([
    ...[
      ['Quantity', '0', 'has none left'],
      ['Stock On Hand', '0', 'has none left'],
      ['Qty Remaining', '0', 'has none left'],
      // Square's, Shopify's and Wix's names.
      ['Archived', 'Y', 'is not for sale there'],
      ['Sellable', 'N', 'is not for sale there'],
      ['Published on online store', 'FALSE', 'is not for sale there'],
      ['visible', 'FALSE', 'is not for sale there'],
      ['Qty on hand', '3', 'offers more than one'],
      ['Qty', '3', 'offers more than one'],
      ['Anzahl', '2 Stk', 'offers more than one'],
    ],
    ...[
      ['Menge', '0', 'has none left'],
      // Reverb's, Shopify's and TCGplayer's names.
      ['inventory', '0', 'has none left'],
      ['On hand (current)', '0', 'has none left'],
      ['Total Quantity', '0', 'has none left'],
      ['Quantité', '2', 'offers more than one'],
      ['Cantidad', '0', 'has none left'],
    ],
    ...[
      ['Quantità', '5', 'offers more than one'],
      ['Stock', 'out of stock', 'has none left'],
      ['In stock?', '0', 'is not for sale there'],
    ],
    ...[
      ['Stock', '-1', 'has none left'],
      ['Published', '-1', 'is not for sale there'],
      ['Quantity', '1,000', 'has the quantity "1,000", which Hapax does not understand'],
    ],
    ['Quantity', 'some', 'has the quantity "some", which Hapax does not understand'],
    ...[
      ['End Date', '2025-11-01', 'has ended there'],
      ['Expires', 'Jul-29-25 16:00:01 PDT', 'has ended there'],
      ['Listing ends', 'Nov 1, 2025', 'has ended there'],
      ['Enddatum', '01.11.2025', 'has ended there'],
      ['Date de fin', '13/11/2025', 'has ended there'],
    ],
  ])('is left out by %s %s: %s', async (column, cell, reason) => {
    expect(await reasonOf(column, cell)).toBe(reason)
  })

  it.each([
    ...[
      ['Status', 'Active'],
      ['Status', 'Listed'],
      ['status', 'For sale'],
      ['Status', 'Verfügbar'],
      ['Statut', 'En vente'],
      ['Status', ''],
    ],
    ...[
      ['State', 'withdrawn'],
      ['state', 'Reserved'],
      ['Quantity', '1'],
      ['Quantity', '1.0'],
      ['Anzahl', '1 Stück'],
      ['Quantity', ''],
    ],
    ...[
      ['Archived', 'N'],
      ['Visible', 'TRUE'],
      ['Is Sold (Y/N)', 'N'],
      ['Sold', 'no'],
      ['Sold', ''],
      ['Date Sold', '-'],
      ['Date Sold', 'n/a'],
      ['In stock', 'yes'],
      ['Published', 'TRUE'],
      ['Stock', '1'],
    ],
    ...[
      ['Sold Quantity', '0'],
      ['Units sold', '0.0'],
      ['Sold Price', '$0.00'],
      ['End Date', '2999-11-01'],
      ['End Date', 'GTC'],
    ],
  ])('is for sale with %s %s', async (column, cell) => {
    expect(await reasonOf(column, cell)).toBeUndefined()
  })

  it('keeps a condition that is headed Estado', async () => {
    const { rows } = await readFile('SKU,Título,Precio,Estado\nA,Abrigo,12,Usado\n')
    expect(rows[0]).toMatchObject({ left: null, cells: { condition: 'Usado', title: 'Abrigo', price: '12' } })
  })
})

describe("a row of a program's file", () => {
  const etsy = 'TITLE,DESCRIPTION,PRICE,CURRENCY_CODE,TAGS,MATERIALS,IMAGE1'
  const shopify = 'Handle,Title,Variant SKU,Variant Price,Image Src'
  const amazon = 'item-name,seller-sku,listing-id,asin1,price'
  it.each([
    [etsy, 'QUANTITY', '0', 'has none left'],
    [shopify, 'Status', 'draft', 'has the status "draft" there'],
    [shopify, 'Variant Inventory Qty', '4', 'offers more than one'],
    [amazon, 'status', 'Inactive', 'has the status "Inactive" there'],
    ['Token,Item Name,Variation Name,SKU,Price', 'Current Quantity Shop', '0', 'has none left'],
    ['Name,SKU,Regular price,Short description,Images', 'In stock?', '0', 'is not for sale there'],
    ['Titel,Bestandseinheit (SKU),Aktueller Preis', 'Verfügbare Stückzahl', '0', 'has none left'],
  ])('of %s is left out by %s %s', async (rest, column, cell, reason) => {
    const { rows } = await readFile(`${rest},${column}\n${rest.replaceAll(/[^,]+/g, 'x')},${cell}\n`)
    expect(rows[0]!.left?.reason).toBe(reason)
  })

  // Shopify's product export, and one of a plugin for WooCommerce.
  it.each([
    [shopify, 'Variant Inventory Tracker,Variant Inventory Qty', ',0', undefined],
    [shopify, 'Variant Inventory Tracker,Variant Inventory Qty', 'shopify,0', 'has none left'],
    ['Title,URL handle,SKU,Price,Option1 value', 'Inventory tracker,Inventory quantity', ',-2', undefined],
    ['Name,SKU,Regular price,Short description,Published', 'Manage stock?,Stock', 'no,0', undefined],
    ['Name,SKU,Regular price,Short description,Published', 'Manage stock?,Stock', 'yes,0', 'has none left'],
    ['Name,SKU,Regular price,Short description,Published', 'Manage stock?,Stock', ',0', 'has none left'],
    ['Token,Item Name,Variation Name,SKU,Price', 'Stockable,Current Quantity Shop', 'N,0', undefined],
    ['SKU,Title,Price', 'Quantity,Sold', 'Not tracked,', undefined],
  ])('of %s with %s says by %s: %s', (rest, columns, cells, reason) => {
    const { rows } = readFile(`${rest},${columns}\n${rest.replaceAll(/[^,]+/g, '1x')},${cells}\n`)
    expect(rows[0]!.left?.reason).toBe(reason)
  })

  it('of Shopify is left out where it is another picture of the row above', async () => {
    const { rows } = await readFile(
      `${shopify}\ncoat,Coat,C-1,40,https://a.example/1.jpg\ncoat,,,,https://a.example/2.jpg\n`,
    )
    expect(rows.map(({ left }) => left?.reason)).toEqual([undefined, 'is another picture or variant of the row above'])
  })
})

it('keeps a row whose label begins as a remark of eBay does', async () => {
  const heading = 'Custom label (SKU),Item number,Title,Available quantity,Currency,Current price,Listing site'
  const row = '#A12,123456789012,Jordan rookie card,1,USD,45.00,US'
  const { rows } = await readFile(`${heading}\n${row}\nInfo,Version=1.0.0,,,,,\n`)
  expect(rows.map(({ cells }) => cells.sku)).toEqual(['#A12'])
})

it.each([
  // The technical names of Amazon's flat files: the list price is the maker's.
  ['item_sku,item_name,standard_price,quantity,list_price', 'A1,Coat,45.00,1,120.00', '45.00'],
  ['Title,Price,List Price (MSRP),Listed At', 'Coat,50.00,120.00,45.00', '45.00'],
])('takes the asking price of %s', async (heading, row, price) => {
  const { rows } = await readFile(`${heading}\n${row}\n`)
  expect(rows[0]!.cells.price).toBe(price)
})

it.each(['New Price', 'Final Price', 'Your Price', 'eBay Listing Price', 'Online Sale Price'])(
  'asks which is the price beside %s',
  (name) => {
    expect(() => readFile(`Title,Price,${name}\nCoat,50.00,45.00\n`)).toThrow(/Two columns of this file/)
  },
)
