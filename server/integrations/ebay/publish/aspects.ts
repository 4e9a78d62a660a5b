import { identifierOf } from '#server/integrations/item-details.ts'
import { detailNamed } from '#server/integrations/local-names.ts'
import type { ListingChoice, PublishRequest } from '#server/integrations/port.ts'
import type { ProductIdentifier } from '#shared/item-details.ts'
import { type Aspect, fittingValue } from './aspect-forms.ts'
import { fieldNamed, isNotApplicable, isUnbranded, termsOf } from './local-terms.ts'

/** Maximum values shown of an aspect that accepts free text. Longer lists do not help a seller choose. */
const maxAspectValues = 200
/** Maximum values shown of an aspect without free text, where a missing value could not be chosen at all. */
const maxClosedValues = 2_000

/** Maximum recommended aspects shown after the required ones. */
const maxRecommended = 15

/**
 * Returns the choices of a category's aspects: first the required ones, then those that eBay recommends. Product
 * identifiers are separate options, because eBay has separate fields for them. An identifier that the item lacks gets
 * the site's text for it ("Does not apply").
 */
export function aspectChoices(aspects: readonly Aspect[], item: PublishRequest, language: string): ListingChoice[] {
  const isRequired = (aspect: Aspect) => aspect.aspectConstraint?.aspectRequired === true
  const isRecommended = (aspect: Aspect) =>
    !isRequired(aspect) && aspect.aspectConstraint?.aspectUsage === 'RECOMMENDED' && !identifierNamed(aspect)
  return [
    ...aspects.filter((aspect) => isRequired(aspect) && !identifierNamed(aspect)),
    ...aspects.filter(isRecommended).slice(0, maxRecommended),
  ]
    .map((aspect) => aspectChoice(aspect, item, { required: isRequired(aspect), language }))
    .concat(
      aspects.flatMap((aspect) => {
        const name = identifierNamed(aspect)
        return name ? [identifierChoice(name, item, language)] : []
      }),
    )
}

/** Returns the product identifier that an aspect means; null for other aspects. */
function identifierNamed({ localizedAspectName }: Aspect): ProductIdentifier | null {
  const field = fieldNamed(localizedAspectName)
  return field === 'brand' ? null : field
}

function identifierChoice(name: ProductIdentifier, item: PublishRequest, language: string): ListingChoice {
  const { notApplicable } = termsOf(language)
  const known = identifierOf(item, name)
  const values = [...new Set([known === null || isNotApplicable(known) ? notApplicable : known, notApplicable])]
  return {
    option: name,
    required: true,
    free_text: true,
    values: values.map((value, index) => ({ id: value, name: value, suggested: index === 0 })),
  }
}

function aspectChoice(
  aspect: Aspect,
  item: PublishRequest,
  { required, language }: { required: boolean; language: string },
): ListingChoice {
  const name = aspect.localizedAspectName
  const allowed = (aspect.aspectValues ?? []).map(({ localizedValue }) => localizedValue)
  const isFree = aspect.aspectConstraint?.aspectMode !== 'SELECTION_ONLY'
  const found = knownValue(name, allowed, isFree, item)
  const own = found !== null && fieldNamed(name) === 'brand' && isUnbranded(found) ? termsOf(language).unbranded : found
  const known = own === null || allowed.includes(own) ? own : fittingValue(own, aspect)
  const shown = known !== null && !allowed.includes(known) ? [known, ...allowed] : allowed
  return {
    option: `aspects.${name}`,
    required,
    free_text: isFree,
    values: shown
      .slice(0, isFree ? maxAspectValues : maxClosedValues)
      .map((value) => ({ id: value, name: value, suggested: value === known })),
  }
}

/** Returns the text that the item's attributes have for an aspect; null for none. */
export function ownValue(name: string, item: Pick<PublishRequest, 'attributes'>): string | null {
  const attribute = item.attributes[attributeOf(name)]
  const own = (Array.isArray(attribute) ? attribute[0] : attribute) as unknown
  return typeof own === 'string' && own.trim() !== '' ? own.trim() : null
}

function attributeOf(aspect: string): string {
  const detail = detailNamed(aspect)
  return detail === 'color' ? 'colors' : (detail ?? aspect.toLowerCase())
}

/** Returns the item's value for an aspect, from its attributes or else from its title. */
export function knownValue(name: string, allowed: string[], isFree: boolean, item: PublishRequest): string | null {
  const own = ownValue(name, item)
  if (own !== null) {
    const same = allowed.find((value) => value.toLowerCase() === own.toLowerCase())
    if (same) return same
    const standard = attributeOf(name) === 'size' ? standardSize(own, allowed) : null
    if (standard) return standard
    if (isFree) return own
  }
  const words = ` ${item.title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')} `
  const named = allowed.filter((value) => value.length > 2 && words.includes(` ${value.toLowerCase()} `))
  return named.sort((a, b) => b.length - a.length)[0] ?? null
}

const sizeWords: [RegExp, string][] = [
  [/^(xx|2x|double extra |double x)[- ]?small$/, 'xxs'],
  [/^(extra|x)[- ]?small$/, 'xs'],
  [/^small$/, 's'],
  [/^med(ium)?\.?$/, 'm'],
  [/^large$/, 'l'],
  [/^(extra|x)[- ]?large$/, 'xl'],
  [/^(xxl|(xx|2x|double extra |double x)[- ]?large)$/, '2xl'],
  [/^(xxxl|(xxx|3x|triple extra |triple x)[- ]?large)$/, '3xl'],
  // The word "size" itself is already removed.
  [/^(os|osfa|one( fits (all|most))?)$/, 'one size'],
]

/**
 * Returns the category's standard form of a size: "Size Medium" is `M`, "US 10" is `10`. Null if none is equal. eBay
 * may hide clothing whose size is not a standard one.
 */
export function standardSize(size: string, allowed: readonly string[]): string | null {
  const bare = (text: string) =>
    text
      .toLowerCase()
      .replace(/\b(size|us|uk|eu|women'?s|men'?s|mens|womens|sz)\b\.?/g, ' ')
      .replace(/[:()]/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
  const short = (text: string) => {
    const words = bare(text)
    return sizeWords.find(([pattern]) => pattern.test(words))?.[1] ?? words.replace(/ /g, '')
  }
  const wanted = short(size)
  return allowed.find((value) => short(value) === wanted) ?? null
}

/** Whether the item has several values for an aspect, of which one is suggested. */
export function hasSeveral(name: string, { attributes }: Pick<PublishRequest, 'attributes'>): boolean {
  const own = attributes[attributeOf(name)]
  return Array.isArray(own) && own.length > 1
}
