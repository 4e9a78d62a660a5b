import { attributeOf, ownValue, standardSize, systemOf } from '#server/integrations/item-texts/item-details.ts'
import type { Finding, PublishRequest } from '#server/integrations/port.ts'
import type { AllowedCondition } from '../condition.ts'
import { type Aspect, formOf, hasForm, maxLengthOf, nearestValue } from './aspect-forms.ts'
import { hasSeveral } from './aspects.ts'
import { cut } from './cut.ts'

/** Most characters of the name of an aspect that the category does not have. */
const maxName = 40

/** Words for what an aspect takes, by data type and format. */
const takes: Record<string, string> = {
  int32: 'a whole number, such as 12',
  double: 'a number, such as 12.5',
  YYYY: 'a year, such as 1985',
  YYYYMM: 'a year and a month, such as 198506',
  YYYYMMDD: 'a day, such as 19850630',
}

/**
 * Returns what eBay would refuse of a listing's aspects, by the metadata of its category, and what was cut of the item's
 * own values. Where a value can become one that eBay takes, that one is offered.
 */
export function aspectFindings(request: PublishRequest, known: readonly Aspect[]): Finding[] {
  const aspects = (request.options.aspects ?? {}) as Record<string, string[]>
  return Object.entries(aspects).flatMap(([name, values]): Finding[] => {
    const aspect = known.find(({ localizedAspectName }) => localizedAspectName === name)
    const found = refusalOf(name, values, aspect) ?? cutOf(name, values, aspect, request)
    return found ? [{ field: `options.aspects.${name}`, ...found }] : []
  })
}

/** Most values that a finding offers. */
const maxAllowed = 200

/**
 * Returns what eBay would do about the sizes of clothing and shoes: since August 2026 it may block or hide listings by API
 * whose size is missing or none of the category's own, and turns a clear one into the standard form ("Small" into "S").
 */
export function sizeFindings(
  request: PublishRequest,
  known: readonly Aspect[],
  conditions: readonly AllowedCondition[],
): Finding[] {
  if (!isApparel(conditions)) return []
  const given = (request.options.aspects ?? {}) as Record<string, string[]>
  const sizes = known.flatMap((aspect) => {
    const standards = (aspect.aspectValues ?? []).map(({ localizedValue }) => localizedValue)
    const name = aspect.localizedAspectName
    return attributeOf(name) === 'size' && standards.length > 0 ? [{ name, standards, aspect }] : []
  })
  const find = ({ name, standards }: (typeof sizes)[number], code: Finding['code'], message: string): Finding => ({
    ...{ field: `options.aspects.${name}`, code, message, blocking: false },
    allowed: standards.slice(0, maxAllowed).map((value) => ({ id: value, name: value })),
  })
  const [first] = sizes
  if (first && sizes.every(({ name }) => (given[name] ?? []).length === 0)) {
    // A missing required aspect is asked for as a choice.
    if (sizes.some(({ aspect }) => aspect.aspectConstraint?.aspectRequired)) return []
    return [find(first, 'recommended', 'eBay may block or hide clothing and shoes without a size.')]
  }
  return sizes.flatMap((size) => {
    const other = (given[size.name] ?? []).find((value) => !size.standards.includes(value))
    if (other === undefined) return []
    const standard = standardSize(other, size.standards, systemOf(size.name, request))
    return standard
      ? [find(size, 'changed', `eBay changes the size "${other}" to its standard one: "${standard}".`)]
      : [find(size, 'recommended', `eBay may block or hide the listing: "${other}" is no standard size. Choose one.`)]
  })
}

/** Whether a category is one of clothing or shoes: eBay has these grades of worn items there, and no broken ones. */
const isApparel = (conditions: readonly AllowedCondition[]): boolean => {
  const has = (name: AllowedCondition['condition']) => conditions.some(({ condition }) => condition === name)
  return has('PRE_OWNED_EXCELLENT') && !has('FOR_PARTS_OR_NOT_WORKING')
}

const takesOne = (aspect: Aspect | undefined) => aspect?.aspectConstraint?.itemToAspectCardinality === 'SINGLE'

/** Returns why eBay would refuse an aspect's values; null if it would not. */
function refusalOf(name: string, values: string[], aspect: Aspect | undefined): Omit<Finding, 'field'> | null {
  const refuse = (code: Finding['code'], message: string, allowed: (string | null)[] = []) => {
    const offered = allowed.filter((value) => value !== null).map((value) => ({ id: value, name: value }))
    return { code, message, blocking: true, ...(offered.length > 0 ? { allowed: offered } : {}) }
  }
  if (!aspect && name.length > maxName) {
    return refuse('too_long', `eBay takes ${maxName} characters for the name of an aspect, fewer than "${name}" has.`)
  }
  if (takesOne(aspect) && values.length > 1) {
    return refuse('not_allowed', `eBay takes one value for ${name}.`, values)
  }
  const wrong = values.find((value) => !hasForm(value, aspect))
  if (wrong !== undefined) {
    const { type, format } = formOf(aspect)
    const what = takes[format] ?? (type === 'DATE' ? `a date as ${format}` : takes.double)
    const message = `For ${name}, eBay takes ${what}, and not "${wrong}".`
    return refuse('not_allowed', message, [nearestValue(wrong, aspect)])
  }
  const most = maxLengthOf(aspect)
  const long = values.find((value) => value.length > most)
  if (long === undefined) return null
  const near = nearestValue(long, aspect)
  return refuse('too_long', `eBay takes ${most} characters for ${name}: "${near ?? cut(long, most)}".`, [near])
}

/** Returns what the suggested value lacks of the item's own; null for another value, or for a whole one. */
function cutOf(
  name: string,
  values: string[],
  aspect: Aspect | undefined,
  request: PublishRequest,
): Omit<Finding, 'field'> | null {
  const whole = ownValue(name, request) ?? ''
  const most = maxLengthOf(aspect)
  const isCut = whole.length > most && values[0] === nearestValue(whole, aspect)
  const isFirst = takesOne(aspect) && hasSeveral(name, request) && values[0]?.toLowerCase() === whole.toLowerCase()
  if (!isCut && !isFirst) return null
  const message = `eBay takes ${isCut ? `${most} characters` : 'one value'} for ${name}: "${values[0]}".`
  return { code: 'shortened', message, blocking: false }
}
