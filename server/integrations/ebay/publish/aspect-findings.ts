import { ownValue } from '#server/integrations/item-details.ts'
import type { Finding, PublishRequest } from '#server/integrations/port.ts'
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
