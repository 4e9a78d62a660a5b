import { attributeOf, identifierOf, knownValue } from '#server/integrations/item-texts/item-details.ts'
import type { ListingChoice, PublishRequest } from '#server/integrations/port.ts'
import type { ProductIdentifier } from '#shared/item/item-details.ts'
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
  const { value: found = null, source } = knownValue(name, allowed, isFree, item) ?? {}
  const own = found !== null && fieldNamed(name) === 'brand' && isUnbranded(found) ? termsOf(language).unbranded : found
  const known = own === null || allowed.includes(own) ? own : fittingValue(own, aspect)
  const shown = known !== null && !allowed.includes(known) ? [known, ...allowed] : allowed
  return {
    option: `aspects.${name}`,
    required,
    ...(source && known !== null ? { source } : {}),
    free_text: isFree,
    values: shown
      .slice(0, isFree ? maxAspectValues : maxClosedValues)
      .map((value) => ({ id: value, name: value, suggested: value === known })),
  }
}

/** Whether the item has several values for an aspect, of which one is suggested. */
export function hasSeveral(name: string, { attributes }: Pick<PublishRequest, 'attributes'>): boolean {
  const own = attributes[attributeOf(name)]
  return Array.isArray(own) && own.length > 1
}
