import type { Listing } from '#shared/listing.ts'

/** An item specific: its name in lower case, in the language of the site, and its values. */
export type Specific = [name: string, values: string[]]

/** Returns brand, size, colors and material from item specifics. `site`: as `Item.Site` names it. */
export function traitsOf(
  specifics: readonly Specific[],
  site: string | undefined,
): Pick<Listing, 'brand' | 'size' | 'colors' | 'material'> {
  return {
    brand: first(specifics, brandNames),
    size: sizeOf(specifics, site),
    colors: specifics.find(([name]) => colorNames.has(name))?.[1],
    material: materialOf(specifics)?.slice(0, 500),
  }
}

/** Returns the first value of the first name that is present. */
export function first(specifics: readonly Specific[], names: readonly string[]): string | undefined {
  for (const name of names) {
    const found = specifics.find(([label]) => label === name)
    if (found) return found[1][0]
  }
  return undefined
}

// Names in English, German, French, Italian, Spanish, Dutch and Polish, the languages of eBay's sites.
const brandNames = ['brand', 'marke', 'marque', 'marca', 'merk', 'marka']
const colorNames = new Set(['color', 'colour', 'farbe', 'couleur', 'colore', 'kleur', 'kolor'])

export const mpnNames = [
  'mpn',
  'manufacturer part number',
  'herstellernummer',
  'numéro de pièce fabricant',
  'numéro de pièce du fabricant',
  'codice produttore',
  'numero parte produttore',
  'número de pieza del fabricante',
  'número de referencia del fabricante',
  'onderdeelnummer fabrikant',
  'onderdeelnummer van fabrikant',
  'numer części producenta',
]

const clothingSizes = new Set([
  ...['size', "men's size", "women's size", 'größe', 'konfektionsgröße', 'herrengröße', 'damengröße'],
  ...['taille', 'taglia', 'talla', 'maat', 'rozmiar'],
])
/** "EU-Schuhgröße", "Pointure EU", "Numero di scarpa", "Talla de calzado", "Schoenmaat", "Rozmiar buta". */
const shoe = /shoe|schuh|chaussure|pointure|scarp|calzado|zapato|schoen|\bbut(a|ów|y)?\b|obuwi/
const sizeWord = /size|größe|groesse|taille|pointure|taglia|misura|numero|número|talla|maat|rozmiar|\bnumer\b/
/** "Größentyp", "Shoe Width", "Tipo de talla" are no sizes. */
const noSize =
  /typ|tipo|width|weite|largeur|larghezza|ancho|breedte|szeroko|heel|absatz|talon|tacco|tacón|hak|obcas|shaft/
const sizeSystem = /\b(eu|ue|eur|uk|gb|us|usa|it|fr|de|jp|au)\b/

/**
 * Returns the size. A shoe often has one for each system: then it is that of the listing's own site, or else the
 * European one.
 */
function sizeOf(specifics: readonly Specific[], site: string | undefined): string | undefined {
  const sizes = specifics.flatMap(([name, [value]]) => {
    const words = name
      .replace(/[-–_/.,()[\]]+/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
    const system = sizeSystem.exec(words)?.[1]
    const bare = words.replace(sizeSystem, '').replace(/\s+/g, ' ').trim()
    const isSize = clothingSizes.has(bare) || (shoe.test(bare) && sizeWord.test(bare) && !noSize.test(bare))
    return isSize && value !== undefined ? [{ value, system: sameSystem[system ?? ''] ?? system }] : []
  })
  const own = systemOfSite[site ?? 'US'] ?? 'eu'
  for (const system of [undefined, own, 'eu', 'us', 'uk']) {
    const found = sizes.find((size) => size.system === system)
    if (found) return found.value
  }
  return sizes[0]?.value
}

const sameSystem: Record<string, string> = { ue: 'eu', eur: 'eu', usa: 'us', gb: 'uk' }
const systemOfSite: Record<string, string> = {
  US: 'us',
  eBayMotors: 'us',
  Canada: 'us',
  CanadaFrench: 'us',
  UK: 'uk',
  Ireland: 'uk',
  Australia: 'au',
}

const materialNames = ['material', 'fabric type', 'matière', 'matériau', 'materiale', 'materiaal', 'materiał']
const materialWord = /material|fabric|matière|matériau|materiaal|materiał/
/** The material that is seen: "Upper Material", "Obermaterial", "Materiale tomaia", "Bovenmateriaal". */
const upper =
  /upper|outer|exterior|ober|außen|tige|dessus|extérieur|tomaia|esterno|esterna|superior|empeine|corte|boven|buiten|wierzch|zewnętrz|cholewk/
const innerPart = /lining|sole|futter|sohle|doublure|semelle|fodera|suola|forro|suela|voering|zool|podszew|podeszw/

function materialOf(specifics: readonly Specific[]): string | undefined {
  const plain = first(specifics, materialNames)
  if (plain !== undefined) return plain
  return specifics.find(([name]) => materialWord.test(name) && upper.test(name) && !innerPart.test(name))?.[1][0]
}
