import { readMeasure, readSides, unitOf } from '#shared/item/units.ts'
import { currenciesOf, currencyOf, type Sign } from './reading/currency-signs.ts'
import { priceNames, priceRoles } from './reading/price-names.ts'

/**
 * Returns a heading in the form in which headings are compared: without case, accents, blanks, underscores and other
 * signs. `Größe`, `GROESSE` and `grosse` are equal, as are `Start price` and `StartPrice`, `Item #` and `item number`.
 */
export function foldHeading(heading: string): string {
  return heading
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('#', 'number')
    .replaceAll('ß', 'ss')
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')
    .replace(/[^\p{L}\p{N}:]+/gu, '')
    .replace(/([aou])e/g, '$1')
}

/** Returns the folded names of a list that commas separate. */
export const foldedNames = (names: string): string[] => names.split(',').map(foldHeading)

/** English headings of people's own sheets by our column. */
const english: Readonly<Record<string, string>> = {
  sku: 'item sku,seller sku,custom sku,custom label,item number,item no,item id,stock number,stock no,inventory number,inventory id,sku number',
  title: 'item title,item name,listing title,product title,product name',
  description: 'item description,product description,listing description,details',
  currency: 'currency code,currency symbol',
  condition: 'item condition',
  condition_notes: 'condition description,condition note,condition details,condition comments,notes on condition,flaws',
  images: `image,image url,image urls,image link,image links,image src,photo,photos,photo url,photo urls,photo link,
    photo links,picture,pictures,picture url,picture urls,pic url,pics,photo address,photo addresses`,
  brand: 'brand name,maker,designer',
  colors: 'color,colour,colours',
  category: 'categories,product category,item category',
  material: 'materials,fabric',
  mpn: 'manufacturer part number,part number',
  upc: 'upc code,upc number',
  ean: 'ean code,ean number',
  isbn: 'isbn number,isbn 10,isbn 13',
  gtin: 'gtin,gtin code,gtin number,GTIN UPC EAN or ISBN,upc ean,ean upc,upc ean isbn,upc or ean',
  weight_grams: 'weight in grams,weight g,weight in g,grams',
  cost: `cost of goods,cogs,cost price,purchase price,buy price,bought for,unit cost,item cost,cost per item,price paid,
    paid price,my cost,your cost,what it cost you,what i paid`,
  storage_location:
    'location,storage,bin,bin location,shelf location,warehouse location,stored in,item location,shelf,place',
}

/** The same in German, French, Italian and Spanish. */
const foreign: Readonly<Record<string, string>> = {
  sku: `Artikelnummer,Artikel-Nr,Art.-Nr,Bestandseinheit,Inventarnummer,Lagernummer,Benutzerdefiniertes Etikett,
    Référence,Réf,Numéro d'article,Étiquette personnalisée,Codice,Codice articolo,Etichetta personalizzata,Riferimento,
    Referencia,Código,Código de artículo,Etiqueta personalizada`,
  title: `Titel,Bezeichnung,Artikelbezeichnung,Artikelname,Artikeltitel,Angebotstitel,Produktname,Produkttitel,
    Titre,Titre de l'article,Titre de l'annonce,Titre de l'objet,Nom de l'article,Nom du produit,Désignation,Intitulé,
    Titolo,Titolo inserzione,Titolo dell'oggetto,Nome articolo,Nome dell'articolo,Nome prodotto,Nome del prodotto,
    Título,Título del artículo,Título del anuncio,Nombre del artículo,Nombre del producto,Nombre de producto`,
  description: `Beschreibung,Artikelbeschreibung,Produktbeschreibung,Description de l'article,Descrizione,
    Descrizione articolo,Descripción,Descripción del artículo`,
  currency: `Währung,Währungscode,Devise,Code devise,Code de devise,Monnaie,Valuta,Codice valuta,Moneda,Divisa,
    Código de moneda,Código de divisa`,
  condition: `Zustand,Artikelzustand,État,État de l'article,État de l'objet,Condizione,Condizioni,
    Condizione dell'oggetto,Condición,Condición del artículo,Estado,Estado del artículo`,
  condition_notes: `Zustandsbeschreibung,Zustandshinweise,Mängel,Description de l'état,Descrizione condizioni,
    Descrizione delle condizioni,Descripción del estado`,
  images: `Bild,Bilder,Bild-URL,Bild-URLs,Bilder-URL,Bildlink,Bildlinks,Fotos,Foto,Foto-URL,Image de l'article,
    URL de l'image,URL des images,URL image,Photo de l'article,Immagine,Immagini,URL immagine,URL immagini,
    Imagen,Imágenes,URL de la imagen,URL de imagen,URL de las imágenes`,
  brand: 'Marke,Hersteller,Marque,Marca',
  size: 'Größe,Konfektionsgröße,Taille,Taglia,Misura,Talla,Tamaño',
  colors: 'Farbe,Farben,Couleur,Couleurs,Colore,Colori,Colores',
  category: 'Kategorie,Kategorien,Rubrik,Catégorie,Catégories,Categoria,Categorie,Categoría,Categorías',
  material: 'Materialien,Stoff,Matière,Matières,Matériau,Matériaux,Materiale,Materiali,Materiales',
  weight_grams: `Gewicht in g,Gewicht g,Gewicht in Gramm,Poids g,Poids en g,Poids en grammes,Peso g,Peso in grammi,
    Peso en gramos`,
  cost: `Einkaufspreis,EK,EK-Preis,Kosten,Einstandspreis,Anschaffungspreis,Prix d'achat,Coût,Coût d'achat,Costo,
    Prezzo di acquisto,Prezzo d'acquisto,Costo di acquisto,Precio de compra,Coste,Coste de compra`,
  storage_location: `Lagerort,Lagerplatz,Standort,Fach,Regal,Emplacement,Rangement,Ubicazione,Posizione,Scaffale,
    Ubicación,Estante,Almacén`,
}

/** Headings of weights and parcels, which say nothing without a unit: "Weight (oz)", "Package size in inches". */
const measured = {
  weight_grams: `weight,packed weight,shipping weight,package weight,item weight,Gewicht,Versandgewicht,Paketgewicht,Poids,
    Peso`,
  parcel_mm: `parcel,parcel size,package size,package dimensions,dimensions,box size,shipping dimensions,Paketmaße,Maße,
    Dimensioni,Dimensiones`,
}

/** Headings that name the title only where another column says that the file is one of items. */
const bareTitles = new Set(
  foldedNames('name,item,product,Artikel,Produkt,Nom,Article,Produit,Nome,Articolo,Prodotto,Nombre,Artículo,Producto'),
)

/** Words that make an unknown heading one of prices or titles, in more languages. */
const unread = {
  price: /price|preis|prix|prezzo|precio|preco|prijs|cena|цена|hinta|^pris|pris$|amount|betrag|montant|importe|importo/,
  title: /^(?:titl|titel|titre|titolo|titulo|tytul|nazwa|naam|navn|namn|otsikko)/,
}

const columnsByName = (table: Readonly<Record<string, string>>) =>
  new Map(Object.entries(table).flatMap(([column, names]) => foldedNames(names).map((name) => [name, column] as const)))

const pricesOf = (table: Readonly<Record<string, string>>) => ({ price: priceRoles.map((role) => table[role]).join() })

const englishColumns = columnsByName({ ...english, ...pricesOf(priceNames.english) })
const foreignColumns = columnsByName({ ...foreign, ...pricesOf(priceNames.foreign) })
const measuredColumns = columnsByName(measured)

export interface Meaning {
  column: string
  /** The currency that the heading names, as in "Price (USD)". */
  currency: string | null
  isForeign: boolean
}

/** Returns what a heading of someone's own sheet means; null for one that nobody knows. */
export function meaningOf(heading: string, own: ReadonlyMap<string, string>): Meaning | null {
  const find = (name: string): Omit<Meaning, 'currency'> | null => {
    const known = own.get(name) ?? englishColumns.get(name)
    const column = known ?? foreignColumns.get(name)
    return column === undefined ? null : { column, isForeign: known === undefined }
  }
  const whole = /\p{Sc}/u.test(heading) ? null : find(foldHeading(heading))
  if (whole) return { ...whole, currency: null }
  const { bare, unit, isInBrackets } = splitUnit(heading)
  const column = measuredColumns.get(foldHeading(bare))
  if (column !== undefined && unitOf(unit)?.of === (column === 'weight_grams' ? 'weight' : 'length')) {
    return { column, currency: null, isForeign: false }
  }
  const found = find(foldHeading(bare))
  if (!found) return null
  const currency = currencyOf(unit)
  const isAmount = found.column === 'price' || found.column === 'cost'
  // "Price (old)" is another price, "Size (EU)" is the size.
  const isMeant = isAmount ? currency !== undefined : isInBrackets && currency === undefined
  return isMeant ? { ...found, currency: currency ?? null } : null
}

/**
 * Returns a weight as grams and a parcel as millimeters, by the unit in the cell or else in the heading. Other cells, and
 * those that cannot be read, stay as they are.
 */
export function inOwnUnits(column: string | null, heading: string, cell: string): string {
  const unit = unitOf(splitUnit(heading).unit)
  if (column === 'weight_grams') return String(readMeasure(cell, unit?.of === 'weight' ? unit : unitOf('g')!) ?? cell)
  if (column !== 'parcel_mm') return cell
  return readSides(cell, unit?.of === 'length' ? unit : unitOf('mm')!)?.join(' x ') ?? cell
}

/** Splits "Price (USD)", "Preis in EUR", "price_usd" and "USD price" into the name and its unit. */
function splitUnit(heading: string): { bare: string; unit: string; isInBrackets: boolean } {
  const inBrackets = /^([^()[\]]*)[([]([^()[\]]*)[)\]]\s*$/.exec(heading.trim())
  if (inBrackets) return { bare: inBrackets[1]!, unit: inBrackets[2]!, isInBrackets: true }
  const words = heading.trim().split(/[\s_/,.-]+/)
  const [first = '', ...rest] = words
  if (rest.length > 0 && currencyOf(first) !== undefined)
    return { bare: rest.join(' '), unit: first, isInBrackets: false }
  const last = words.pop() ?? ''
  if (/^(?:in|en)$/i.test(words.at(-1) ?? '')) words.pop()
  return { bare: words.join(' '), unit: last, isInBrackets: false }
}

/** Returns a heading without the currency that it names; null if it names none. */
export function withoutCurrency(heading: string): string | null {
  const { bare, unit } = splitUnit(heading)
  return currencyOf(unit) === undefined ? null : bare
}

/** Returns the sign or code of a currency in a heading; null without one. */
export function signIn(heading: string): Sign | null {
  const currencies = currenciesOf(splitUnit(heading).unit.trim().toUpperCase())
  return currencies && { text: heading.trim(), currencies }
}

/** Returns whether a heading names the title, provided that the file is one of items. */
export const isBareTitle = (heading: string): boolean => bareTitles.has(foldHeading(heading))

/** Returns whether an unknown heading reads as if it named the column. */
export const readsLike = (column: 'price' | 'title', heading: string): boolean =>
  unread[column].test(foldHeading(heading))
