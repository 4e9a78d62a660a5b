/*
 * Names of an item's details in the languages of eBay's sites and Etsy's shops: English, German, French, Italian, Spanish,
 * Dutch, Polish and Chinese. A listing carries the names of its site, so an English name alone would lose the size of a
 * German coat.
 */

/** A detail that a name may mean. */
export type DetailName = NamedDetail | 'size' | 'material'
type NamedDetail = 'brand' | 'color' | 'mpn' | 'isbn' | 'ean' | 'upc'

/** Details whose names are few. */
const names: Record<NamedDetail, string[]> = {
  brand: ['brand', 'marke', 'marque', 'marca', 'merk', 'marka', '品牌'],
  color: [
    ...['color', 'colour', 'colors', 'colours', 'main color', 'main colour', 'primary color', 'primary colour'],
    ...['farbe', 'hauptfarbe', 'couleur', 'couleur principale', 'colore', 'colore principale', 'color principal'],
    ...['kleur', 'hoofdkleur', 'kolor'],
  ],
  mpn: [
    ...['mpn', 'manufacturer part number'],
    ...['herstellernummer', 'herstellerteilenummer', 'hersteller-teilenummer', 'hersteller-nr.'],
    ...['numéro de pièce fabricant', 'numéro de pièce du fabricant', 'n° de pièce fabricant', 'référence fabricant'],
    ...['codice produttore', 'codice del produttore', 'codice articolo del produttore', 'numero parte produttore'],
    ...['número de pieza del fabricante', 'número de referencia del fabricante', 'n.º de pieza del fabricante'],
    ...['referencia del fabricante', 'fabrikantnummer', 'onderdeelnummer fabrikant', 'onderdeelnummer van fabrikant'],
    ...['artikelnummer fabrikant', 'numer części producenta', 'numer katalogowy części', 'kod producenta'],
    '製造商零件編號',
  ],
  isbn: ['isbn', 'isbn-13', 'isbn-10'],
  ean: ['ean', 'ean-13'],
  upc: ['upc'],
}
const namedDetails = Object.entries(names) as [NamedDetail, string[]][]

const sizes = new Set([
  ...['size', "men's size", "women's size", "size (men's)", "size (women's)", 'clothing size', 'ring size'],
  ...['hat size', 'glove size', 'belt size', 'größe', 'grösse', 'konfektionsgröße', 'herrengröße', 'damengröße'],
  ...['kleidergröße', 'ringgröße', 'hutgröße', 'handschuhgröße', 'gürtelgröße', 'taille', 'taglia', 'talla', 'maat'],
  'rozmiar',
])
/** "EU-Schuhgröße", "Pointure EU", "Numero di scarpa", "Talla de calzado", "Schoenmaat", "Rozmiar buta". */
const shoe = /shoe|schuh|chaussure|pointure|scarp|calzado|zapato|schoen|\bbut(a|ów|y)?\b|obuwi/
const sizeWord = /size|größe|groesse|taille|pointure|taglia|misura|numero|número|talla|maat|rozmiar|\bnumer\b/
/** "Größentyp", "Shoe Width", "Tipo de talla" are no sizes. */
const noSize =
  /typ|tipo|width|weite|largeur|larghezza|ancho|breedte|szeroko|heel|absatz|talon|tacco|tacón|hak|obcas|shaft/
const sizeSystem = /\b(eu|ue|eur|uk|gb|us|usa|it|fr|de|jp|au)\b/
const sameSystem: Record<string, string> = { ue: 'eu', eur: 'eu', usa: 'us', gb: 'uk' }

const materials = new Set([
  ...['material', 'fabric type', 'stoffart', 'matière', 'matériau', 'matériaux', 'type de tissu', 'materiale'],
  ...['tipo di tessuto', 'tipo de tejido', 'materiaal', 'materiał'],
])
const materialWord = /material|fabric|matière|matériau|materiaal|materiał/
/** The material that is seen: "Upper Material", "Obermaterial", "Materiale tomaia", "Bovenmateriaal". */
const upper =
  /upper|outer|exterior|ober|außen|tige|dessus|extérieur|tomaia|esterno|esterna|superior|empeine|corte|boven|buiten|wierzch|zewnętrz|cholewk/
const innerPart = /lining|sole|futter|sohle|doublure|semelle|fodera|suola|forro|suela|voering|zool|podszew|podeszw/

/** Returns a name in the form in which names are compared. */
export function foldName(name: string): string {
  return name.normalize('NFC').trim().toLowerCase().replaceAll('’', "'")
}

/** Returns the detail that a name means in any of the languages; null for others. */
export function detailNamed(name: string): DetailName | null {
  const folded = foldName(name)
  const named = namedDetails.find(([, own]) => own.includes(folded))?.[0]
  if (named) return named
  if (sizeNamed(folded)) return 'size'
  return isMaterial(folded) || isUpperMaterial(folded) ? 'material' : null
}

/** Returns the size among the names and values of a variation; nothing if there is none. */
export function sizeAmong(chosen: readonly { name: string; value: string }[]): { size?: string } {
  const size = chosen.find(({ name }) => detailNamed(name) === 'size')?.value.trim()
  return size ? { size } : {}
}

/** Returns the names of a detail, folded. */
export const namesOf = (detail: NamedDetail): readonly string[] => names[detail]

/** Returns the system (`eu`, `us`, `uk`) of the size that a folded name means; null if it means no size. */
export function sizeNamed(folded: string): { system: string | undefined } | null {
  const words = spacesAlone(folded.replace(/[-–_/.,[\]]+/g, ' '))
  const system = sizeSystem.exec(words)?.[1]
  const bare = spacesAlone(words.replace(sizeSystem, ''))
  const isSize = sizes.has(bare) || (shoe.test(bare) && sizeWord.test(bare) && !noSize.test(bare))
  return isSize ? { system: sameSystem[system ?? ''] ?? system } : null
}

const spacesAlone = (text: string) => text.replace(/\s+/g, ' ').trim()

/** Whether a folded name means the material as a whole. */
export const isMaterial = (folded: string): boolean => materials.has(folded)

/** Whether a folded name means the material of the part that is seen. */
export const isUpperMaterial = (folded: string): boolean =>
  materialWord.test(folded) && upper.test(folded) && !innerPart.test(folded)
