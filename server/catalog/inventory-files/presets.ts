import { conditionOfId, conditions } from '#server/integrations/ebay/condition.ts'
import { descriptorsText, type GradedItem, gradingOf } from '#server/integrations/ebay/read/graded.ts'
import type { FileFormat } from '#shared/contract/catalog/inventory-files.ts'
import type { Cells } from './columns.ts'
import { foldedNames, foldHeading } from './headings.ts'
import type { PriceRole } from './reading/price-names.ts'

/** How a file of another program becomes rows of ours. */
export interface Preset {
  format: FileFormat
  /** The file is a template or a shop's catalog. */
  isCatalog?: (names: ReadonlySet<string>) => boolean
  /** Columns that only this program's files have. Enough of them recognize the file. */
  marks: ReadonlySet<string>
  enough: number
  /** Our column for each of theirs. Of several with a text, the first counts. */
  columns: ReadonlyMap<string, string>
  /** Names of the columns that are not English. */
  foreign: ReadonlySet<string>
  /** Columns of ours that only the program's own names fill: others mean something else there. */
  onlyTheirs: readonly string[]
  /** Price columns whose names are not those of other files. */
  prices: ReadonlyMap<string, PriceRole>
  /** The column with the pieces on offer, if its name tells nobody else. */
  quantity?: RegExp
  /** Places and costs are read from its notes, too. */
  readsNotes?: boolean
  /** Completes a row, or says why it is left out. */
  complete?: (theirs: Cells, ours: Record<string, string>) => string | null
}

interface Written extends Pick<Preset, 'format' | 'isCatalog' | 'enough' | 'quantity' | 'readsNotes' | 'complete'> {
  onlyTheirs?: readonly string[]
  /** Names that commas separate, as the program writes them. */
  marks: string
  columns: Readonly<Record<string, string>>
  foreign?: { marks: string; columns: Readonly<Record<string, string>> }
}

function toPreset({ marks, columns, foreign, ...rest }: Written): Preset {
  const list = (table: Readonly<Record<string, string>>) =>
    Object.entries(table).flatMap(([column, names]) => foldedNames(names).map((name) => [name, column] as const))
  const english = list(columns)
  const known = new Set(english.map(([name]) => name))
  const others = list(foreign?.columns ?? {}).filter(([name]) => !known.has(name))
  const otherMarks = foreign ? foldedNames(foreign.marks) : []
  const columnOf = new Map([...english, ...others])
  return {
    onlyTheirs: [],
    ...rest,
    prices: new Map([...columnOf].flatMap(([name, column]) => (column === 'price' ? [[name, 'price'] as const] : []))),
    marks: new Set([...foldedNames(marks), ...otherMarks]),
    columns: columnOf,
    foreign: new Set([...others.map(([name]) => name), ...otherMarks]),
  }
}

/** Columns that resellers' tools name alike. */
const common = {
  ...{ title: 'title,item title', description: 'description', sku: 'sku,item number' },
  ...{ currency: 'currency', condition: 'condition', condition_notes: 'condition description', brand: 'brand' },
  ...{ size: 'size', category: 'category', colors: 'color,colors', material: 'material,materials' },
  ...{
    cost: 'cost of goods,cogs,cost',
    upc: 'upc',
    isbn: 'isbn',
    mpn: 'mpn',
    images: 'images,image urls,photos,image',
  },
  // Of a sale (past-sale.ts).
  ...{ sold_platform: 'sold platform,sold marketplace', sold_date: 'sold date,date sold' },
  ...{ sold_price: 'price sold,sold price', sold_fee: 'marketplace fees,marketplace fee,fees' },
  ...{ sold_shipping: 'shipping expenses,shipping expense', sold_pieces: 'quantity sold' },
  ...{ sold_order: 'order number,order id', sold_listing: 'listing url,listing id' },
}

/** Columns in which sellers write where an item lies, and with `cog:` what it cost. */
const noteNames = foldedNames('Labels,Internal Notes,Internal Note,InternalNote,Private Notes')
const place = /^(?:bag|bin|box|closet|crate|drawer|rack|shelf|tote|unit)\b.{0,40}$/i
/** The label of a place, such as A15. W32 and L34 are sizes. */
const placeCode = /^(?!W\d\d$|L\d\d$)[A-Z]-?\d{1,3}$/
const costLabel = /^cogs?: ?(\D?\d{1,9}(?:[.,]\d{1,2})?)$/i

const splitNotes = (text: string) => text.split(/[,;|\n]/).map((note) => note.trim())
const isPlace = (name: string, note: string) => place.test(note) || (name === 'labels' && placeCode.test(note))

/** Returns whether a column of a file has notes of which only place and cost are read. */
export const hasNotes = ({ readsNotes = false }: Preset, name: string) => readsNotes && noteNames.includes(name)

/** Returns whether a cell of such a column says more than place and cost. */
export const saysMore = (name: string, text: string) =>
  splitNotes(text).some((note) => note !== '' && !isPlace(name, note) && !costLabel.test(note))

/** Takes an item's place and cost from labels and notes, where no column says them. */
function readNotes(theirs: Cells, ours: Record<string, string>): void {
  const notes = noteNames.flatMap((name) => splitNotes(theirs[name] ?? '').map((note) => ({ name, note })))
  const places = notes.flatMap(({ name, note }) => (isPlace(name, note) ? note : []))
  const [cost] = notes.flatMap(({ note }) => costLabel.exec(note)?.[1] ?? [])
  if (places.length > 0) ours.storage_location ||= [...new Set(places)].join(', ').slice(0, 200)
  if (cost) ours.cost ||= cost
}

/** eBay's file names the currency in the heading of its first column. */
const ebayAction = /^\*?action\b/

/** Columns of eBay's report that only a variation fills. */
const variationNames = foldedNames(
  'Variation details,Variantendetails,Détails de la variante,Dettagli variante,Detalles de la variación',
)
/** The number of the category in eBay's templates and report. */
const categoryNames = foldedNames(
  'category,Category ID,eBay category 1 number,Kategorie,Kategorie-ID,eBay-Kategorie 1: Nummer',
)

/** Returns what eBay's file says of a card: the headings have the ids of the descriptors, in every language. */
function cardOf(theirs: Cells, condition: string | undefined): GradedItem {
  const category = categoryNames.map((name) => theirs[name]?.trim()).find(Boolean)
  return {
    ConditionID: condition,
    PrimaryCategory: { CategoryID: category },
    ConditionDescriptors: Object.entries(theirs).flatMap(([heading, cell]) => {
      const id = /^cda?:.*id:(\d+)$/.exec(heading)?.[1]
      const text = cell.trim()
      // "Near mint or better - (ID: 400010)"
      const value = /\(ID: ?(\d+)\)$/i.exec(text)?.[1] ?? text
      return id && text ? [{ Name: id, Value: [value] }] : []
    }),
  }
}

/** Amazon's numbers of conditions. */
const amazonConditions: Readonly<Record<string, string>> = {
  ...{ 1: 'Used, like new', 2: 'Used, very good', 3: 'Used, good', 4: 'Used, acceptable', 5: 'Collectible, like new' },
  ...{
    6: 'Collectible, very good',
    7: 'Collectible, good',
    8: 'Collectible, acceptable',
    10: 'Refurbished',
    11: 'New',
  },
}

/** In their order of precedence; docs/files.md says where the columns come from. */
const written: readonly Written[] = [
  {
    format: 'ebay',
    // File Exchange, the listing and draft templates of Seller Hub, and its report of active listings.
    isCatalog: (names) => names.has('action'),
    marks: `action,StartPrice,ConditionID,PicURL,CustomLabel,Item photo URL,Available quantity,eBay category 1 name,
        Listing site`,
    enough: 2,
    onlyTheirs: ['sku', 'category', 'storage_location', 'cost'],
    columns: {
      ...{ title: 'title', description: 'description', sku: 'CustomLabel,Custom label (SKU)' },
      ...{ currency: 'currency', images: 'PicURL,Item photo URL', condition: 'ConditionID,condition' },
      ...{
        condition_notes: 'ConditionDescription',
        category: 'eBay category 1 name',
        brand: 'C:Brand',
        size: 'C:Size',
      },
      ...{ colors: 'C:Color', material: 'C:Material', mpn: 'C:MPN', upc: 'Product:UPC,P:UPC,UPC' },
      ...{ ean: 'Product:EAN,P:EAN,EAN', isbn: 'Product:ISBN,P:ISBN,ISBN' },
    },
    foreign: {
      marks: `Bestandseinheit (SKU),Benutzerdefiniertes Etikett (SKU),Verfügbare Stückzahl,Verfügbare Anzahl,
          Verfügbare Menge,Aktueller Preis,eBay-Kategorie 1: Name,Name der eBay-Kategorie 1,Zustands-ID,Artikelzustand-ID,
          URL des Artikelfotos,Beobachter,Étiquette personnalisée (SKU),Quantité disponible,Prix actuel,
          Nom de la catégorie eBay 1,URL de la photo de l'objet,Numéro de l'objet,Numéro d'objet,
          Etichetta personalizzata (SKU),Quantità disponibile,Prezzo attuale,Prezzo corrente,Nome categoria eBay 1,
          Numero oggetto,URL foto oggetto,Etiqueta personalizada (SKU),Cantidad disponible,Precio actual,
          Nombre de la categoría 1 de eBay,Número de artículo,URL de la foto del artículo`,
      columns: {
        title:
          'Titel,Angebotstitel,Artikelbezeichnung,Titre,Titre de l’annonce,Titre de l’objet,Titolo,Titolo inserzione,Título',
        description: 'Beschreibung,Artikelbeschreibung,Descrizione,Descripción',
        sku: `Bestandseinheit (SKU),Bestandseinheit,Benutzerdefiniertes Etikett (SKU),Benutzerdefiniertes Etikett,
            Étiquette personnalisée (SKU),Étiquette personnalisée,Etichetta personalizzata (SKU),
            Etichetta personalizzata,Etiqueta personalizada (SKU),Etiqueta personalizada`,
        currency: 'Währung,Devise,Valuta,Moneda,Divisa',
        images: `URL des Artikelfotos,Artikelfoto-URL,URL de la photo de l'objet,URL foto oggetto,
            URL della foto dell'oggetto,URL de la foto del artículo`,
        condition: `Zustands-ID,Artikelzustand-ID,Zustand,Artikelzustand,ID de l'état,État,État de l'objet,
            ID condizione,Condizione,Condizioni,ID del estado,Estado`,
        category: `Name der eBay-Kategorie 1,eBay-Kategorie 1: Name,eBay-Kategorie 1 Name,Nom de la catégorie eBay 1,
            Nome categoria eBay 1,Nombre de la categoría 1 de eBay`,
        brand: 'C:Marke,C:Marque,C:Marca',
        size: 'C:Größe,C:EU-Schuhgröße,C:Taille,C:Pointure,C:Taglia,C:Talla',
        colors: 'C:Farbe,C:Couleur,C:Colore,C:Colour',
        material: 'C:Obermaterial,C:Matière,C:Materiale,C:Materiales',
        mpn: 'C:Herstellernummer,C:Numéro de pièce fabricant',
      },
    },
    complete: (theirs, ours) => {
      const number = /^\d{4}/.exec(ours.condition ?? '')?.[0]
      const card = cardOf(theirs, number)
      const known = number && conditionOfId(number)
      const condition = gradingOf(card) ?? (known && conditions[known])
      if (condition) ours.condition = condition
      const notes = [descriptorsText(card), ours.condition_notes].filter(Boolean).join(' ')
      if (notes) ours.condition_notes = notes
      // The title is that of all variations together.
      if (variationNames.some((name) => theirs[name]?.trim())) delete ours.title
      const action = theirs.action?.toLowerCase()
      return action === 'end' || action === 'delete' ? `has the action ${theirs.action}` : null
    },
  },
  {
    format: 'etsy',
    marks: 'CURRENCY_CODE,MATERIALS,IMAGE1,VARIATION 1 TYPE,TAGS',
    enough: 3,
    // A sheet that begins with Etsy's columns may have more.
    columns: { ...common, currency: 'CURRENCY_CODE,currency' },
    foreign: {
      marks: `Währungscode,Materialien,Bild1,Variation 1 Typ,Schlagwörter,Code devise,Code de devise,Matériaux,
          Mots-clés,Codice valuta,Materiali,Immagine1,Tipo variante 1,Código de moneda,Código de divisa,
          Materiales,Imagen1,Foto1,Etiquetas,Valutacode,Materialen,Afbeelding1`,
      columns: {
        title: 'Titel,Titre,Titolo,Título',
        description: 'Beschreibung,Descrizione,Descripción,Beschrijving',
        price: 'Prijs,Preço',
        currency:
          'Währungscode,Währung,Code devise,Code de devise,Codice valuta,Código de moneda,Código de divisa,Valutacode',
        material: 'Materialien,Matériaux,Materiali,Materiales,Materialen',
        sku: 'Bestandseinheit,UGS,Unité de gestion des stocks,Unità di stoccaggio,Unidad de mantenimiento de existencias,Voorraadeenheid',
      },
    },
  },
  {
    format: 'crosslist',
    // Its template names "Category id", its export "CategoryLabel".
    marks: 'Category id,Size id,When made,CategoryLabel,SizeLabel,LastListedOn,WhenMade',
    enough: 2,
    columns: {
      ...common,
      ...{ category: 'category,CategoryLabel', size: 'size,SizeLabel', more_colors: 'Secondary color,Color2' },
      // Its export tells the day in this column.
      sold_date: 'sold date,date sold,sold',
    },
    readsNotes: true,
    complete: (_, ours) => {
      if (ours.condition) ours.condition = inWords(ours.condition)
      return null
    },
  },
  {
    format: 'vendoo',
    marks: `Cost of Goods,Listed Date,Listing Platforms,Sold Platform,Price Sold,Marketplace Fees,Internal Notes,
        Quantity Left`,
    enough: 2,
    columns: { ...common, colors: 'color,colors,Primary Color', more_colors: 'Secondary Color' },
    readsNotes: true,
    complete: (_, ours) => {
      if (ours.sku === 'undefined') delete ours.sku
      return null
    },
  },
  {
    format: 'list_perfectly',
    marks: 'COGS,Sold Platform,Keywords,Created Date,Image URLs',
    enough: 2,
    columns: common,
  },
  {
    format: 'shopify',
    isCatalog: () => true,
    marks: `Handle,URL handle,Body (HTML),Variant SKU,Variant Price,Image Src,Product image URL,Option1 Name,
        Variant Inventory Qty,Option1 value`,
    enough: 2,
    columns: {
      ...{
        title: 'title',
        description: 'Body (HTML),description',
        sku: 'Variant SKU,sku',
      },
      ...{ images: 'Image Src,Product image URL', brand: 'vendor', category: 'Product Category,type' },
      ...{ cost: 'Cost per item', weight_grams: 'Variant Grams,Weight value (grams)' },
    },
    complete: (_, ours) => {
      if (Number(ours.weight_grams) === 0) delete ours.weight_grams
      return ours.title ? null : 'is another picture or variant of the row above'
    },
  },
  {
    format: 'woocommerce',
    isCatalog: () => true,
    marks: `Regular price,In stock?,Short description,Visibility in catalog,Is featured?,Published`,
    enough: 3,
    columns: {
      ...{
        title: 'name',
        description: 'description,Short description',
        sku: 'sku',
      },
      ...{ images: 'images', category: 'categories', brand: 'brands', weight_grams: 'Weight (g)' },
      gtin: 'GTIN UPC EAN or ISBN',
    },
    foreign: {
      marks: `Regulärer Preis,Angebotspreis,Vorrätig?,Kurzbeschreibung,Veröffentlicht,Ist hervorgehoben?,
          Sichtbarkeit im Katalog,Tarif régulier,Tarif promo,Description courte,Publié,En stock ?,Mis en avant ?,
          Prezzo di listino,Prezzo in offerta,Breve descrizione,Pubblicato,Precio normal,Precio rebajado,
          Descripción corta,Publicado`,
      columns: {
        title: 'Nom,Nome,Nombre',
        description: `Beschreibung,Kurzbeschreibung,Description courte,Descrizione,Breve descrizione,Descripción,
            Descripción corta`,
        sku: 'Artikelnummer,UGS,COD',
        images: 'Bilder,Immagini,Imágenes',
        category: 'Kategorien,Catégories,Categorie,Categorías',
        brand: 'Marken,Marques,Marche,Marcas',
        weight_grams: 'Gewicht (g),Poids (g),Peso (g)',
        gtin: 'GTIN UPC EAN oder ISBN,GTIN UPC EAN ou ISBN,GTIN UPC EAN o ISBN',
      },
    },
    // Lager, Magazzino and Inventario are stores in other programs' files.
    quantity: /^(?:lager|magazzino|inventario)$/,
    complete: ({ type, typ, tipo }) =>
      /^vari/i.test((type ?? typ ?? tipo ?? '').trim()) ? 'has variants, or is one of several' : null,
  },
  {
    format: 'square',
    isCatalog: () => true,
    marks: `Token,Variation Name,Square Online Item Visibility,Reporting Category,Customer-facing Name,
        Default Unit Cost,Stockable`,
    enough: 2,
    columns: {
      ...{ title: 'Item Name,Customer-facing Name', description: 'description', sku: 'sku' },
      ...{ category: 'Reporting Category,Category,Categories', cost: 'Default Unit Cost' },
    },
    quantity: /^currentquantity/,
  },
  {
    format: 'amazon',
    onlyTheirs: ['sku', 'category'],
    marks: 'item-name,item-description,seller-sku,listing-id,open-date,asin1,fulfillment-channel',
    enough: 3,
    columns: {
      ...{ title: 'item-name', description: 'item-description', sku: 'seller-sku' },
      ...{ images: 'image-url', condition: 'item-condition', condition_notes: 'item-note' },
    },
    complete: (_, ours) => {
      if (ours.condition) ours.condition = amazonConditions[ours.condition] ?? ours.condition
      return null
    },
  },
]

const presets: readonly Preset[] = written.map(toPreset)

/** Returns a condition such as `NewWithTags` in words. */
function inWords(condition: string): string {
  const words = condition.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Returns the preset of a file by its folded column names; null for a file in our own format, or an unknown one. */
export function presetOf(names: readonly string[]): Preset | null {
  const has = new Set(names)
  if (has.has('uid')) return null
  return presets.find(({ marks, enough }) => [...marks].filter((name) => has.has(name)).length >= enough) ?? null
}

/** Returns a column's name as presets know it. */
export const bareName = (heading: string): string =>
  ebayAction.test(heading.trim().toLowerCase()) ? 'action' : foldHeading(heading)

/** Returns the currency that the heading of eBay's action column names. */
export function currencyIn(headings: readonly string[]): string | null {
  const action = headings.find((heading) => ebayAction.test(heading.trim().toLowerCase()))
  return /Currency=([A-Z]{3})\b/.exec(action ?? '')?.[1] ?? null
}

/**
 * Returns a row in our columns, and why it is left out, if it is. `more`: cells of columns that everybody's sheets have,
 * which count after the program's own.
 */
export function translateRow(
  preset: Preset,
  theirs: Cells,
  more: readonly (readonly [string, string])[],
): { cells: Record<string, string>; left: string | null } {
  const ours: Record<string, string> = {}
  const known = [...preset.columns].map(([name, column]) => [column, theirs[name]?.trim() ?? ''] as const)
  for (const [column, text] of [...known, ...more]) if (text && !ours[column]) ours[column] = text
  if (ours.images) ours.images = ours.images.split('|').join('\n')
  const colors = [ours.colors, ours.more_colors].filter(Boolean).join(',')
  delete ours.more_colors
  if (preset.readsNotes) readNotes(theirs, ours)
  if (colors) ours.colors = colors.split(/[,/|]/).join('\n')
  return { cells: ours, left: preset.complete?.(theirs, ours) ?? null }
}
