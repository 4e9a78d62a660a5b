import { describe, expect, it } from 'vitest'
import { readFile } from './read-file.ts'

const read = async (csv: string) => readFile(csv)

/** Returns a file with these column names and one row of texts. */
const fileOf = (heading: string, separator = ',') =>
  `${heading}\n${heading
    .split(separator)
    .map((_, index) => `x${index}`)
    .join(separator)}\n`

// The lines of column names are those of reports as public programs read them, or parts of them.
const refused: [string, string, string][] = [
  [
    "Etsy's list of sold items",
    'sales',
    'Sale Date,Item Name,Buyer,Quantity,Price,Coupon Code,Coupon Details,Discount Amount,Shipping Discount,Order Shipping,Order Sales Tax,Item Total,Currency,Transaction ID,Listing ID,Date Paid,Date Shipped,Ship Name,Ship Address1,Ship Address2,Ship City,Ship State,Ship Zipcode,Ship Country,Order ID,Variations,Order Type,Listings Type,Payment Type,InPerson Discount,InPerson Location,VAT Paid by Buyer,SKU',
  ],
  [
    "Etsy's list of orders",
    'orders',
    'Sale Date,Order ID,Buyer User ID,Full Name,First Name,Last Name,Number of Items,Payment Method,Date Shipped,Street 1,Street 2,Ship City,Ship State,Ship Zipcode,Ship Country,Currency,Order Value,Coupon Code,Coupon Details,Discount Amount,Shipping Discount,Shipping,Sales Tax,Order Total,Status,Card Processing Fees,Order Net,Adjusted Order Total,Adjusted Card Processing Fees,Adjusted Net Order Amount,Buyer,Order Type,Payment Type,InPerson Discount,InPerson Location,SKU',
  ],
  ["Etsy's statement of payments", 'payouts', 'Date,Type,Title,Info,Currency,Amount,Fees & Taxes,Net,Tax Details'],
  [
    "Etsy's statement of payments",
    'payouts',
    'Datum,Art,Titel,Info,Währung,Betrag,Gebühren & Steuern,Netto,Steuerdetails',
  ],
  ["Etsy's statement of payments", 'payouts', 'Date,Amount,Currency,Status,Bank Account Ending Digits'],
  [
    "Etsy's statement of payments",
    'payouts',
    'Payment ID,Buyer Username,Buyer Name,Order ID,Gross Amount,Fees,Net Amount,Currency,Listing Amount,Listing Currency,VAT Amount,Status,Order Date,Buyer,Refund Amount',
  ],
  [
    "eBay's list of orders",
    'orders',
    'Sales Record Number,Order Number,Buyer Username,Buyer Name,Buyer Email,Ship To Name,Item Number,Item Title,Custom Label,Sold Via Promoted Listings,Quantity,Sold For,Shipping And Handling,Total Price,Payment Method,Sale Date,Paid On Date',
  ],
  [
    "eBay's list of orders",
    'orders',
    'Verkaufsprotokollnummer,Bestellnummer,Nutzername des Käufers,Artikelnummer,Angebotstitel,Bestandseinheit,Verkauft über Anzeigen,Anzahl,Verkauft für,Verpackung und Versand,Gesamtbetrag,Verkauft am',
  ],
  [
    "eBay's list of orders",
    'orders',
    "Numéro de commande,Pseudo de l'acheteur,Numéro d'objet,Titre de l'objet,Quantité,Vendu pour",
  ],
  [
    "eBay's report of transactions and payouts",
    'payouts',
    'Transaction creation date,Type,Order number,Item title,Custom label,Net amount',
  ],
  [
    "eBay's report of transactions and payouts",
    'payouts',
    'Datum der Transaktionserstellung,Typ,Bestellnummer,Alte Bestellnummer,Nutzername des Käufers,Angebotstitel,Bestandseinheit,Betrag abzügl. Kosten,Auszahlung Nr.,Auszahlungsdatum',
  ],
  [
    "Poshmark's report of sales",
    'sales',
    'Listing Date,Order Date,SKU,Order Id,Listing Title,Department,Category,Subcategory,Brand,Color,Size,Bundle Order,Cost Price,Order Price,Net Earnings,Buyer State,Buyer Username',
  ],
  [
    "Mercari's report of sales",
    'sales',
    'Item Id,Sold Date,Canceled Date,Completed Date,Item Title,Order Status,Shipped to State,Item Price,Mercari Selling Fee,Net Seller Proceeds',
  ],
  [
    "Depop's list of sales",
    'sales',
    'Date of sale,Time of sale,Date of listing,Bundle,Buyer,Brand,Description,Item price,Buyer shipping cost,Total,USPS Cost,Depop fee,Payment type,Category,SKU',
  ],
  [
    "Shopify's list of orders",
    'orders',
    'Name,Email,Financial Status,Paid at,Fulfillment Status,Currency,Subtotal,Total,Lineitem quantity,Lineitem name,Lineitem price,Lineitem sku,SKU,Title',
  ],
  [
    "WooCommerce's list of orders",
    'orders',
    'Order Number,Order Status,Order Date,Customer Note,First Name (Billing),SKU,Item Name,Item Cost',
  ],
  [
    "Amazon's list of orders",
    'orders',
    'amazon-order-id,merchant-order-id,purchase-date,order-status,product-name,sku,quantity,item-price',
  ],
  [
    "Amazon's list of orders",
    'orders',
    'order-id,order-item-id,purchase-date,buyer-name,sku,product-name,quantity-purchased',
  ],
  [
    "Square's report of sales",
    'sales',
    'Date,Time,Category,Item,Qty,Price Point Name,SKU,Gross Sales,Discounts,Net Sales,Tax,Transaction ID,Payment ID',
  ],
  [
    "Hapax's list of sales",
    'sales',
    'date,platform,title,price,fee,fee_source,shipping,cost,profit,currency,days_to_sell,order_uid,inventory_item_uid',
  ],
  [
    "eBay's report of sales by listing",
    'sales',
    'Listing title,eBay item ID,Quantity sold,Total sales (Includes taxes),Item sales,Net sales (Net of taxes and selling costs),Average selling price',
  ],
  ["Amazon's report of sales by item", 'sales', '(Parent) ASIN,Title,SKU,Sessions,Units Ordered,Ordered Product Sales'],
  [
    "Shopify's report of payouts",
    'payouts',
    'Transaction Date,Type,Order,Payout Status,Payout Date,Amount,Fee,Net,SKU,Title',
  ],
  [
    'a list of sales or orders',
    'orders',
    'Date,Time,Name,Type,Status,Currency,Gross,Fee,Net,From Email Address,Transaction ID,Item Title,Item ID',
  ],
  ['a report of sales', 'sales', 'Product,SKU,Title,Quantity Sold,Gross Sales'],
  ['a report of sales', 'sales', 'SKU,Titel,Verkaufte Menge,Umsatz'],
  ['a list of sales or orders', 'orders', 'Order No,Customer Name,SKU,Title,Price'],
  ['a list of sales or orders', 'orders', 'Bestellnummer,Bestelldatum,SKU,Titel,Preis'],
  ['a list of sales or orders', 'orders', 'Numero ordine,Acquirente,SKU,Titolo,Prezzo'],
  ['a list of sales or orders', 'orders', 'N° de commande,Date de vente,SKU,Titre,Prix'],
  ['a list of sales or orders', 'orders', 'Número de pedido,Comprador,SKU,Título,Precio'],
  ['a list of sales or orders', 'orders', 'transaction_id,BUYER EMAIL,sku,title,price'],
]

describe('files that list no stock', () => {
  it.each(refused)('refuses %s as %s: %s', async (words, file_kind, heading) => {
    const refusal = {
      code: 'file_not_stock',
      members: { file_kind },
      message: expect.stringContaining(`This is ${words}.`),
    }
    await expect(read(fileOf(heading))).rejects.toMatchObject(refusal)
    await expect(read(fileOf(heading.replaceAll(',', ';'), ';'))).rejects.toMatchObject(refusal)
    await expect(read(fileOf(heading.toUpperCase()))).rejects.toMatchObject(refusal)
  })

  it('refuses a report of payouts below lines about the account', async () => {
    const lines = [
      '"Transaktionsbericht"',
      '"Verkäufer";"vera"',
      '"Betrag";"12,00"',
      '',
      fileOf(refused[10]![2].replaceAll(',', ';'), ';'),
    ]
    await expect(read(lines.join('\n'))).rejects.toMatchObject({ code: 'file_not_stock' })
  })

  it.each([
    ['hapax', 'stock', 'SKU,Title,Price,Condition,Images,Status,Date Sold,Buyer,Order Number'],
    ['hapax', 'stock', 'SKU,Title,Price,Date Sold,Profit,Fees'],
    ['hapax', 'stock', 'SKU,Title,Price,Cost,Purchase Date,Invoice Number,Fees'],
    ['hapax', 'stock', 'uid,sku,title,price,listings'],
    [
      'ebay',
      'catalog',
      '*Action(SiteID=US|Country=US|Currency=USD|Version=1193),CustomLabel,*Title,*StartPrice,PicURL',
    ],
    ['ebay', 'stock', 'Item number,Title,Custom label (SKU),Available quantity,Currency,Current price,Listing site'],
    ['etsy', 'stock', 'TITLE,DESCRIPTION,PRICE,CURRENCY_CODE,QUANTITY,TAGS,MATERIALS,IMAGE1,SKU'],
    ['vendoo', 'stock', 'Title,Sku,Price,Status,Listed Date,Sold Date,Sold Platform,Price Sold,Cost of Goods,Images'],
    ['shopify', 'catalog', 'Handle,Title,Body (HTML),Vendor,Variant SKU,Variant Price,Image Src,Status'],
    [
      'woocommerce',
      'catalog',
      'ID,Type,SKU,Name,Published,Short description,Description,In stock?,Stock,Regular price,Images',
    ],
    [
      'woocommerce',
      'catalog',
      'ID,Typ,Artikelnummer,Name,Veröffentlicht,Kurzbeschreibung,Beschreibung,Vorrätig?,Lager,Regulärer Preis,Bilder',
    ],
    ['square', 'catalog', 'Token,Item Name,Variation Name,SKU,Description,Category,Price,Current Quantity Main'],
    [
      'amazon',
      'stock',
      'item-name,item-description,listing-id,seller-sku,price,quantity,open-date,image-url,asin1,status',
    ],
  ])('reads a file of %s as %s', async (format, kind, heading) => {
    expect(await readFile(fileOf(heading))).toMatchObject({ format, kind })
  })
})
