import { describe, expect, it } from 'vitest'
import { readFile } from './read-file.ts'

const read = async (csv: string) => readFile(csv)

/** Returns the cells of the first row by our columns. */
const cellsIn = async (csv: string) => (await readFile(csv)).rows[0]!.cells

describe('headings', () => {
  it.each([
    ...[
      ['Item #', 'sku'],
      ['location', 'storage_location'],
      ['Storage Location', 'storage_location'],
      ['Item Name', 'title'],
      ['item-name', 'title'],
    ],
    ...[
      ['COST', 'cost'],
      ['Cost of Goods', 'cost'],
      ['Purchase_Price', 'cost'],
      ['Colour', 'colors'],
      ['Photo URLs', 'images'],
    ],
    ...[
      ['Preis', 'price'],
      ['Verkaufspreis', 'price'],
      ['Titel', 'title'],
      ['Bezeichnung', 'title'],
      ['Größe', 'size'],
      ['GROESSE', 'size'],
    ],
    ...[
      ['Marke', 'brand'],
      ['Farbe', 'colors'],
      ['Lagerort', 'storage_location'],
      ['Einkaufspreis', 'cost'],
      ['Zustand', 'condition'],
    ],
    ...[
      ['Währung', 'currency'],
      ['Waehrung', 'currency'],
      ['Bilder', 'images'],
      ['Kategorie', 'category'],
      ['Beschreibung', 'description'],
    ],
    ...[
      ['Titre', 'title'],
      ["Prix d'achat", 'cost'],
      ['Prix de vente', 'price'],
      ['Taille', 'size'],
      ['Couleur', 'colors'],
      ['État', 'condition'],
    ],
    ...[
      ['Titolo', 'title'],
      ['Prezzo', 'price'],
      ['Taglia', 'size'],
      ['Condizioni', 'condition'],
      ['Ubicazione', 'storage_location'],
    ],
    ...[
      ['Título', 'title'],
      ['Precio', 'price'],
      ['Talla', 'size'],
      ['Marca', 'brand'],
      ['Ubicación', 'storage_location'],
      ['Coste', 'cost'],
    ],
    ...[
      ['  title ', 'title'],
      ['Condition Notes', 'condition_notes'],
      ['weight (g)', 'weight_grams'],
      ['Gewicht (g)', 'weight_grams'],
    ],
  ])('%s is the column %s', async (heading, column) => {
    const others = ['sku', 'title', 'price'].filter((name) => name !== column)
    const cells = await cellsIn(
      `${[...others, `"${heading}"`].join(',')}\n${[...others.map(() => 'x'), '12'].join(',')}\n`,
    )
    expect(cells[column]).toBe('12')
  })

  it.each([
    ['Weight (oz)', '20', '567'],
    ['weight_lb', '1.5', '680'],
    ['Weight', '1 lb 4 oz', undefined],
    ['Gewicht (kg)', '0,5', '500'],
    ['Shipping weight in g', '450', '450'],
    ['weight_grams', '1 lb 4 oz', '567'],
    ['weight_grams', 'heavy', 'heavy'],
  ])('reads %s of %s as grams', async (heading, cell, grams) => {
    expect((await cellsIn(`SKU,Title,Price,"${heading}"\nA,Coat,45,"${cell}"\n`)).weight_grams).toBe(grams)
  })

  it.each([
    ['Parcel (in)', '12 x 8 x 4', '305 x 203 x 102'],
    ['Package dimensions in cm', '30x20x10', '300 x 200 x 100'],
    ['parcel_mm', '12 in x 8 in x 4 in', '305 x 203 x 102'],
    ['Dimensions', '12 x 8 x 4', undefined],
  ])('reads %s of %s as millimeters', async (heading, cell, sides) => {
    expect((await cellsIn(`SKU,Title,Price,"${heading}"\nA,Coat,45,"${cell}"\n`)).parcel_mm).toBe(sides)
  })

  it.each([
    ...[
      ['location', 'storage_location'],
      ['Place', 'storage_location'],
      ['Shelf', 'storage_location'],
    ],
    ...[
      ['Photo address', 'images'],
      ['Packed weight (g)', 'weight_grams'],
      ['Part number', 'mpn'],
      ['What it cost you', 'cost'],
      ['Notes on condition', 'condition_notes'],
      ['UPC code', 'upc'],
      ['EAN code', 'ean'],
      ['ISBN-13', 'isbn'],
    ],
  ])('knows %s, a name of the screens or of usual sheets', async (heading, column) => {
    expect((await cellsIn(`SKU,Title,Price,"${heading}"\nA,Coat,45,12\n`))[column]).toBe('12')
  })

  it.each([
    ...[
      ['Price (USD)', 'USD'],
      ['Preis in EUR', 'EUR'],
      ['price_gbp', 'GBP'],
      ['Prix (€)', 'EUR'],
      ['Prezzo [EUR]', 'EUR'],
    ],
    ...[
      ['Price £', 'GBP'],
      ['EUR Preis', 'EUR'],
      ['Precio en EUR', 'EUR'],
      ['Price, CAD', 'CAD'],
    ],
  ])('%s names the currency %s', async (heading, currency) => {
    expect(await cellsIn(`SKU,Title,"${heading}"\nA,Coat,45.00\n`)).toMatchObject({ price: '45.00', currency })
  })

  it('lets a currency column and a sign in the cell count before the heading', async () => {
    expect(await cellsIn('SKU,Title,Price (USD),Currency\nA,Coat,45.00,EUR\n')).toMatchObject({ currency: 'EUR' })
    expect(await cellsIn('SKU,Title,Price (USD)\nA,Coat,45.00 €\n')).toMatchObject({ currency: 'EUR' })
    expect((await cellsIn('SKU,Title,Price ($)\nA,Coat,45.00\n')).currency).toBeUndefined()
    expect(await cellsIn('SKU,Title,Price,Currency\nA,Coat,45.00,€\n')).toMatchObject({ currency: 'EUR' })
  })

  it('takes our own name before another for the same column, and names the other', async () => {
    const { rows, ignored_columns } = await readFile('SKU,Titel,Price,Title,Notizen,Cost (EUR)\nA,Mantel,2,Coat,x,3\n')
    expect(rows[0]!.cells).toMatchObject({ title: 'Coat' })
    expect(ignored_columns).toEqual(['Titel', 'Notizen'])
  })

  it('takes a plain name for the title, and no number for one', async () => {
    expect(await cellsIn('Item #,Name,Price\n7,Coat,1\n')).toMatchObject({ sku: '7', title: 'Coat' })
    expect(await cellsIn('SKU,Artikel,Preis\nA,Mantel,1\n')).toMatchObject({ title: 'Mantel' })
  })

  it.each(['*****', '— — —', '12/34', '🧥✨'])('lets the row with the title %s fail', (title) => {
    const csv = `SKU,Title,Price\nA,${title},1\nB,Été,1\n`
    expect(readFile(csv).rows.map(({ errors }) => errors?.[0]?.code)).toEqual(['no_letters', undefined])
    expect(readFile(csv.replace('SKU', 'uid')).rows[0]!.errors).toBeUndefined()
  })

  it('collects pictures that have a column each', async () => {
    const { images } = await cellsIn(
      'SKU,Title,Price,Photo 1,Photo 2\nA,Coat,1,https://a.example/1,https://a.example/2\n',
    )
    expect(images).toBe('https://a.example/1\nhttps://a.example/2')
  })

  it('names every column that is not imported as the file does', async () => {
    const { ignored_columns } = await readFile('SKU,Title,Price,Private Notes,,Lot #\nA,Coat,1,x,stray,2\n')
    expect(ignored_columns).toEqual(['Private Notes', 'Column 5, without a name', 'Lot #'])
  })

  it.each([
    ['SKU,Titel,Verhandlungsbasis\nA,Mantel,12\n', 'price', 'Verhandlungsbasis'],
    ['SKU,Title,Prijs\nA,Jas,12\n', 'price', 'Prijs'],
    ['SKU,Title,Price (old)\nA,Coat,12\n', 'price', 'Price (old)'],
    ['SKU,Preis,Überschrift\nA,12,Mantel\n', 'title', 'Überschrift'],
    ['SKU,Price,Tytuł\nA,12,Coat\n', 'title', 'Tytuł'],
    [
      'Bestandseinheit (SKU),Titel,Verfügbare Stückzahl,Beobachter,Betrag X\nA,Mantel,1,0,12\n',
      'price',
      'Beobachter, Betrag X',
    ],
  ])('refuses a file whose %s nobody would read', async (csv, lost, unknown) => {
    const message = expect.stringMatching(new RegExp(`understood as the ${lost}.*${unknown.replace(/[()]/g, '.')}$`))
    await expect(read(csv)).rejects.toMatchObject({ code: 'file_not_understood', message })
  })

  it('reads a file of some columns', async () => {
    expect(await readFile('SKU;Lagerort\nA;Regal 3\n')).toMatchObject({
      rows: [{ cells: { storage_location: 'Regal 3' } }],
    })
  })
})

describe("eBay's and Etsy's files in other languages", () => {
  it.each([
    [
      'ebay',
      'Artikelnummer;Titel;Bestandseinheit (SKU);Verfügbare Stückzahl;Währung;Aktueller Preis\n110;Lampe;L-1;1;EUR;45,00\n',
    ],
    [
      'ebay',
      "Numéro de l'objet;Titre;Étiquette personnalisée (SKU);Quantité disponible;Devise;Prix actuel\n110;Lampe;L-1;1;EUR;45,00\n",
    ],
    [
      'ebay',
      'Numero oggetto;Titolo;Etichetta personalizzata (SKU);Quantità disponibile;Valuta;Prezzo attuale\n110;Lampe;L-1;1;EUR;45,00\n',
    ],
    [
      'ebay',
      'Número de artículo;Título;Etiqueta personalizada (SKU);Cantidad disponible;Moneda;Precio actual\n110;Lampe;L-1;1;EUR;45,00\n',
    ],
    [
      'etsy',
      'TITEL,BESCHREIBUNG,PREIS,WÄHRUNGSCODE,ANZAHL,TAGS,MATERIALIEN,BILD1,SKU\nLampe,x,45.00,EUR,1,a,Holz,https://a.example/1,L-1\n',
    ],
    [
      'etsy',
      'TITRE,DESCRIPTION,PRIX,CODE_DEVISE,QUANTITÉ,TAGS,MATÉRIAUX,IMAGE1,SKU\nLampe,x,45.00,EUR,1,a,Bois,https://a.example/1,L-1\n',
    ],
  ])('are read by %s: %s', async (format, csv) => {
    const file = await readFile(csv)
    expect(file).toMatchObject({ format, rows: [{ left: null }] })
    expect(file.rows[0]!.cells).toMatchObject({ title: 'Lampe', sku: 'L-1', price: '45.00', currency: 'EUR' })
  })
})
