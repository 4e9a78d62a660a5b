import { problem } from '#server/infra/errors.ts'
import type { FileKind } from '#shared/contract/catalog/inventory-files.ts'
import { foldedNames, foldHeading } from './headings.ts'

/** A file that lists no stock. */
interface Refused {
  kind: Exclude<FileKind, 'stock' | 'catalog'>
  /** The file in words, as in "This is Etsy's list of sold items." */
  words: string
  /** Where the same program gives its stock. */
  instead?: string
}

const etsyStock = 'In Etsy, download EtsyListingsDownload.csv instead.'
const ebayStock = "In eBay's Seller Hub, download the report of active listings instead."

/** Files by columns that belong together. The first whose columns are all there names the file. */
const signatures: readonly (Refused & { columns: readonly string[] })[] = [
  { kind: 'sales', words: "Hapax's list of sales", columns: ['order_uid,inventory_item_uid'] },
  {
    kind: 'sales',
    words: "Etsy's list of sold items",
    instead: etsyStock,
    columns: [
      ...['Sale Date,Item Name,Transaction ID', 'Item Name,Item Total,Listing ID'],
      'Verkaufsdatum,Artikelname,Transaktions-ID',
    ],
  },
  {
    kind: 'orders',
    words: "Etsy's list of orders",
    instead: etsyStock,
    columns: [
      ...['Sale Date,Order ID,Order Value', 'Sale Date,Number of Items,Order Total'],
      'Verkaufsdatum,Bestellnummer,Bestellwert',
    ],
  },
  {
    kind: 'payouts',
    words: "Etsy's statement of payments",
    instead: etsyStock,
    columns: [
      ...['Payment ID,Gross Amount,Net Amount', 'Title,Fees & Taxes', 'Title,Info,Amount,Net'],
      ...['Titel,Gebühren & Steuern', 'Titel,Gebühren und Steuern', 'Titre,Frais et taxes', 'Titre,Frais & taxes'],
      ...['Titolo,Commissioni e imposte', 'Titolo,Tariffe e tasse', 'Título,Tarifas e impuestos'],
      'Amount,Bank Account Ending Digits',
    ],
  },
  {
    kind: 'orders',
    words: "eBay's list of orders",
    instead: ebayStock,
    columns: [
      ...['Sales Record Number,Item Number', 'Sales Record Number,Order Number', 'Order Number,Item Number,Sold For'],
      ...['Sales Record Number,Sale Price', 'Verkaufsprotokollnummer', 'Bestellnummer,Artikelnummer,Verkauft für'],
      ...["Numéro de commande,Numéro d'objet", "Numéro de commande,Numéro de l'objet"],
      ...[
        'Numero ordine,Numero oggetto',
        "Numero dell'ordine,Numero dell'oggetto",
        'Número de pedido,Número de artículo',
      ],
    ],
  },
  {
    kind: 'payouts',
    words: "eBay's report of transactions and payouts",
    instead: ebayStock,
    columns: [
      ...['Transaction creation date', 'Datum der Transaktionserstellung', 'Date de création de la transaction'],
      ...['Data di creazione della transazione', 'Fecha de creación de la transacción', 'Payout ID,Payout date'],
      ...['Payout No,Payout date', 'Auszahlung Nr.,Auszahlungsdatum', 'Auszahlungsnummer,Auszahlungsdatum'],
    ],
  },
  {
    kind: 'sales',
    words: "eBay's report of sales by listing",
    instead: ebayStock,
    columns: ['Listing title,eBay item ID,Quantity sold', 'Listing title,Item ID,Quantity sold'],
  },
  {
    kind: 'sales',
    words: "Poshmark's report of sales",
    columns: ['Order Id,Listing Title,Net Earnings', 'Listing Title,Order Date,Order Price'],
  },
  {
    kind: 'sales',
    words: "Mercari's report of sales",
    columns: ['Item Title,Sold Date,Order Status', 'Item Title,Net Seller Proceeds', 'Item Id,Mercari Selling Fee'],
  },
  {
    kind: 'sales',
    words: "Depop's list of sales",
    columns: ['Date of sale,Depop fee', 'Date of sale,Item price,Buyer', 'Date of sale,Date of listing'],
  },
  {
    kind: 'orders',
    words: "Shopify's list of orders",
    columns: ['Lineitem name,Lineitem price', 'Financial Status,Fulfillment Status'],
  },
  {
    kind: 'payouts',
    words: "Shopify's report of payouts",
    columns: ['Payout Date,Charges,Refunds', 'Payout Status,Payout Date'],
  },
  {
    kind: 'sales',
    words: "Amazon's report of sales by item",
    columns: ['Title,Units Ordered,Ordered Product Sales'],
  },
  {
    kind: 'payouts',
    words: "Amazon's statement of payments",
    columns: ['Settlement ID,Type', 'Settlement ID,Transaction Type'],
  },
  {
    kind: 'orders',
    words: "Amazon's list of orders",
    columns: ['amazon-order-id', 'order-id,order-item-id', 'merchant-order-id,purchase-date'],
  },
  {
    kind: 'sales',
    words: "Square's report of sales",
    columns: [
      'Gross Sales,Net Sales,Transaction ID',
      'Gross Sales,Net Sales,Payment ID',
      'Transaction ID,Payment ID,Net Total',
    ],
  },
  {
    kind: 'orders',
    words: "WooCommerce's list of orders",
    columns: [
      ...['Order Number,Order Status,Customer Note', 'Date,Order #,Customer type'],
      'Order ID,Order Number,Order Date',
      'Order Number,Order Status,Order Total Amount',
    ],
  },
]
const combinations = signatures.flatMap(({ columns, ...refused }) =>
  columns.map((names) => ({ refused, names: foldedNames(names) })),
)

/** Groups of columns that stock does not have. A file with an order or a buyer and another group is one of sales. */
const groups = {
  order: `order number,order no,order nr,order id,order reference,order status,order total,order value,order item id,
    order item number,sales record number,record number,sale id,sales id,sale number,transaction id,transaction number,
    receipt id,payment id,payment reference,payout id,legacy order id,
    customer order number,external order id,lineitem name,lineitem sku,lineitem price,line item,
    Bestellnummer,Bestellnr,Bestell-ID,Bestellstatus,Auftragsnummer,Transaktions-ID,Transaktionsnummer,
    Verkaufsprotokollnummer,Numéro de commande,N° de commande,No de commande,N° commande,ID commande,
    Numéro de transaction,Numéro de la commande,Référence de commande,Numero ordine,Numero d'ordine,Numero dell'ordine,
    N. ordine,ID ordine,Numero transazione,ID transazione,Número de pedido,Nº de pedido,N.º de pedido,ID de pedido,
    ID del pedido,Número del pedido,Número de transacción,ID de transacción`,
  buyer: `buyer,buyer name,buyer username,buyer user name,buyer user id,buyer user,buyer id,buyer email,buyer note,
    buyer phone,buyer address,buyer address 1,buyer city,buyer state,buyer country,buyer zip,buyer zip code,
    buyer postcode,buyer postal code,buyer full name,ship name,ship to name,ship to city,ship to country,ship to zip,
    ship to address 1,ship to address,ship address,ship address1,ship city,ship state,ship country,ship zipcode,ship zip,
    ship postal code,shipped to state,shipping name,shipping address,shipping address 1,shipping street,shipping city,
    shipping zip,shipping country,billing name,billing email,billing address,billing address 1,billing city,
    billing country,billing first name,shipping first name,delivery name,delivery address,delivery city,delivery country,
    delivery postcode,recipient,recipient name,customer,customer name,customer email,customer id,
    Käufer,Käufername,Nutzername des Käufers,Name des Käufers,Mitgliedsname,E-Mail des Käufers,Ort des Käufers,
    Land des Käufers,Empfänger,Empfängername,Lieferadresse,Kunde,Kundenname,
    Acheteur,Nom de l'acheteur,Pseudo de l'acheteur,Nom d'utilisateur de l'acheteur,E-mail de l'acheteur,Destinataire,
    Nom du destinataire,Client,Nom du client,
    Acquirente,Nome acquirente,Nome dell'acquirente,Nome utente acquirente,Nome utente dell'acquirente,
    Email dell'acquirente,Destinatario,Nome destinatario,Cliente,
    Comprador,Nombre del comprador,Nombre de usuario del comprador,Correo del comprador,Nombre del destinatario`,
  when: `sale date,sales date,date of sale,time of sale,sold date,date sold,sold on,order date,date ordered,ordered on,
    order created,date paid,paid at,paid date,paid on,paid on date,date shipped,shipped date,
    shipped on date,shipped on,payout date,payments date,payment date,transaction date,
    Verkauft am,Verkaufsdatum,Bestelldatum,Bestellt am,Zahlungsdatum,Bezahldatum,Bezahlt am,Versanddatum,
    Verschickt am,Verschickt am - Datum,Auszahlungsdatum,Date de vente,Date de la vente,Date de commande,
    Date de la commande,Vendu le,Date de paiement,Payé le,Data vendita,Data di vendita,Data della vendita,Data ordine,
    Data dell'ordine,Venduto il,Data pagamento,Data di pagamento,Fecha de venta,Fecha de la venta,Fecha de pedido,
    Fecha del pedido,Vendido el,Fecha de pago`,
  money: `sold for,sold price,item total,order total,order value,order net,net amount,net earnings,net proceeds,
    net seller proceeds,net sales,gross sales,gross amount,gross,net,earnings,payout,payout amount,total price,total,
    subtotal,fee,fees,fees & taxes,selling fee,selling fees,sales tax,order sales tax,refunded amount,
    card processing fees,coupon code,discount amount,item subtotal,shipping and handling,amount paid,
    Verkauft für,Gesamtbetrag,Gesamtpreis,Bestellwert,Betrag,Betrag abzügl. Kosten,Nettobetrag,Gebühren,Summe,
    Verpackung und Versand,Montant,Montant total,Prix total,Vendu pour,Frais,Importo,Prezzo totale,Totale,Venduto per,
    Commissioni,Importe,Importe total,Precio total,Vendido por,Comisiones`,
}

/** Sums of what was sold, per item. Two of them are a report of sales. */
const sums = foldedNames(
  `gross sales,net sales,total sales,item sales,product sales,units sold,quantity sold,qty sold,items sold,
  number sold,units ordered,revenue,gross revenue,net revenue,Umsatz,Verkaufte Menge,Verkaufte Stückzahl,Verkäufe,
  Ventes nettes,Ventes brutes,Quantité vendue,Chiffre d'affaires,Vendite nette,Vendite lorde,Quantità venduta,
  Ventas netas,Ventas brutas,Cantidad vendida,Unidades vendidas`,
)
const groupNames = Object.entries(groups).map(([group, names]) => ({ group, names: foldedNames(names) }))

/** Columns of stock: a sheet with pictures and conditions may also note who bought an item. */
const stock = {
  pictures: foldedNames(
    'images,image,image url,photos,photo,pictures,picture,picurl,image src,Bilder,Bild,Fotos,Immagini,Imágenes,image1,item photo url',
  ),
  condition: foldedNames('condition,item condition,condition id,Zustand,État,Condizione,Condizioni,Condición,Estado'),
}

/** Returns the kind of a file that is no stock, by its column names; null for other files. */
export function refusedKind(headings: readonly string[]): Refused | null {
  const names = new Set(headings.map(foldHeading))
  const known = combinations.find((combination) => combination.names.every((name) => names.has(name)))
  if (known) return known.refused
  const has = (among: readonly string[]) => among.some((name) => names.has(name))
  if (has(stock.pictures) && has(stock.condition)) return null
  if (sums.filter((name) => names.has(name)).length > 1) return { kind: 'sales', words: 'a report of sales' }
  const found = groupNames.filter((one) => one.names.some((name) => names.has(name))).map(({ group }) => group)
  if (found.length < 2 || !(found.includes('order') || found.includes('buyer'))) return null
  return { kind: 'orders', words: 'a list of sales or orders' }
}

/** Throws 400 `file_not_stock` for a file of sales, orders or payouts, whose rows would change stock wrongly. */
export function refuseOtherKinds(headings: readonly string[]): void {
  const refused = refusedKind(headings)
  if (!refused) return
  const { kind, words, instead } = refused
  const detail = `This is ${words}. Hapax reads stock, and imported nothing.${instead ? ` ${instead}` : ''}`
  throw problem('file_not_stock', detail, {
    errors: [{ field: '', code: 'file_not_stock', message: detail }],
    members: { file_kind: kind },
  })
}
