import type { Finding, PublishRequest } from '#server/integrations/port.ts'
import { type Aspect, formOf, hasForm, maxLengthOf, nearestValue } from './aspect-forms.ts'
import { ownValue } from './aspects.ts'
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
    const field = `options.aspects.${name}`
    const refuse = (code: Finding['code'], message: string, allowed: (string | null)[] = []): Finding[] => {
      const offered = allowed.filter((value) => value !== null).map((value) => ({ id: value, name: value }))
      return [{ field, code, message, blocking: true, ...(offered.length > 0 ? { allowed: offered } : {}) }]
    }
    if (!aspect && name.length > maxName) {
      return refuse('too_long', `eBay takes ${maxName} characters for the name of an aspect, fewer than "${name}" has.`)
    }
    if (aspect?.aspectConstraint?.itemToAspectCardinality === 'SINGLE' && values.length > 1) {
      return refuse('not_allowed', `eBay takes one value for ${name}.`, values)
    }
    const most = maxLengthOf(aspect)
    const wrong = values.find((value) => !hasForm(value, aspect))
    if (wrong !== undefined) {
      const { type, format } = formOf(aspect)
      const what = takes[format] ?? (type === 'DATE' ? `a date as ${format}` : takes.double)
      return refuse('not_allowed', `For ${name}, eBay takes ${what}. "${wrong}" is none.`, [
        nearestValue(wrong, aspect),
      ])
    }
    const long = values.find((value) => value.length > most)
    if (long !== undefined) {
      const near = nearestValue(long, aspect)
      return refuse('too_long', `eBay takes ${most} characters for ${name}: "${near ?? cut(long, most)}".`, [near])
    }
    // The suggested value is the item's own, cut to what eBay takes.
    const whole = ownValue(name, request)
    if (whole === null || whole.length <= most || values[0] !== nearestValue(whole, aspect)) return []
    const message = `eBay takes ${most} characters for ${name}: "${values[0]}".`
    return [{ field, code: 'shortened', message, blocking: false }]
  })
}
