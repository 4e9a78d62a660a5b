import type { ProductIdentifier } from '#shared/item-details.ts'

/** What eBay's sites of a language call what does not exist. */
interface LocalTerms {
  /** The text for a product identifier that does not exist: GeteBayDetails, ProductIdentifierUnavailableText. */
  notApplicable: string
  /** The brand of an item without one. */
  unbranded: string
}

const english: LocalTerms = { notApplicable: 'Does not apply', unbranded: 'Unbranded' }

const byLanguage: Record<string, LocalTerms> = {
  en: english,
  de: { notApplicable: 'Nicht zutreffend', unbranded: 'Markenlos' },
  fr: { notApplicable: 'Non applicable', unbranded: 'Sans marque' },
  it: { notApplicable: 'Non applicabile', unbranded: 'Senza marca' },
  es: { notApplicable: 'No aplicable', unbranded: 'Sin marca' },
  nl: { notApplicable: 'Niet van toepassing', unbranded: 'Merkloos' },
  pl: { notApplicable: 'Nie dotyczy', unbranded: 'Bez marki' },
  zh: { notApplicable: '不適用', unbranded: '無品牌' },
}

/** Returns the terms of a language such as `de-DE`. A site takes its own alone. */
export const termsOf = (language: string): LocalTerms => byLanguage[language.slice(0, 2)] ?? english

/** Whether a value says, in any language, that a product identifier does not exist. */
export const isNotApplicable = (value: string): boolean => isTerm('notApplicable', value)

/** Whether a value says, in any language, that there is no brand. */
export const isUnbranded = (value: string): boolean => isTerm('unbranded', value)

function isTerm(name: keyof LocalTerms, value: string): boolean {
  const wanted = value.trim().toLowerCase()
  return Object.values(byLanguage).some((terms) => terms[name].toLowerCase() === wanted)
}

export type ProductField = ProductIdentifier | 'brand'

/** Names of product fields as eBay's sites write them in aspects and in refusals. */
const fieldNames: Record<ProductField, string[]> = {
  isbn: ['ISBN', 'ISBN-10', 'ISBN-13'],
  ean: ['EAN', 'EAN-13'],
  upc: ['UPC'],
  mpn: [
    'MPN',
    'Manufacturer Part Number',
    ...['Herstellernummer', 'Herstellerteilenummer', 'Hersteller-Teilenummer', 'Hersteller-Nr.'],
    ...['Numéro de pièce fabricant', 'Numéro de pièce du fabricant', 'N° de pièce fabricant', 'Référence fabricant'],
    ...['Codice produttore', 'Codice del produttore', 'Codice articolo del produttore', 'Numero parte produttore'],
    ...['Número de pieza del fabricante', 'N.º de pieza del fabricante', 'Referencia del fabricante'],
    ...['Fabrikantnummer', 'Onderdeelnummer fabrikant', 'Onderdeelnummer van fabrikant', 'Artikelnummer fabrikant'],
    ...['Numer części producenta', 'Numer katalogowy części', 'Kod producenta'],
    '製造商零件編號',
  ],
  brand: ['Brand', 'Marke', 'Marque', 'Marca', 'Merk', 'Marka', '品牌'],
}

const fields = Object.entries(fieldNames) as [ProductField, string[]][]

/** Returns the product field that an aspect's name means; null for other aspects. */
export function fieldNamed(aspect: string): ProductField | null {
  const name = aspect.trim().toLowerCase()
  return fields.find(([, names]) => names.some((one) => one.toLowerCase() === name))?.[0] ?? null
}

/** Returns the product fields that a refusal's texts name, in whatever language of eBay. */
export function fieldsNamed(texts: readonly string[]): Set<ProductField> {
  const words = texts.map(spaced)
  const isNamed = (name: string) => words.some((text) => text.includes(spaced(name)))
  return new Set(fields.filter(([, names]) => names.some(isNamed)).map(([field]) => field))
}

/** Returns the words of a text in lower case, with a space around each. */
const spaced = (text: string) =>
  ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `
