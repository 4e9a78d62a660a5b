import { detailNamed, namesOf } from '#server/integrations/item-texts/local-names.ts'
import type { ProductIdentifier } from '#shared/item/item-details.ts'

/** Terms of eBay's sites of a language for missing values. */
interface LocalTerms {
  /**
   * The text for a product identifier that does not exist. GeteBayDetails gives each site's own as
   * ProductIdentifierUnavailableText. No answer of it is published, so the words of other languages are unverified.
   */
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

const fields: readonly ProductField[] = ['isbn', 'ean', 'upc', 'mpn', 'brand']

/** Returns the product field that an aspect's name means; null for other aspects. */
export function fieldNamed(aspect: string): ProductField | null {
  const detail = detailNamed(aspect)
  return fields.find((field) => field === detail) ?? null
}

/** Returns the product fields that a refusal's texts name, in whatever language of eBay. */
export function fieldsNamed(texts: readonly string[]): Set<ProductField> {
  const words = texts.map(spaced)
  const isNamed = (name: string) => words.some((text) => text.includes(spaced(name)))
  return new Set(fields.filter((field) => namesOf(field).some(isNamed)))
}

/** Returns the words of a text in lower case, with a space around each. */
const spaced = (text: string) =>
  ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `
