import { cut } from './cut.ts'
import type { ItemAspects } from './shop-wire.ts'

export type Aspect = ItemAspects['aspects'][number]

/** Most characters of a value about which the category's metadata says nothing. */
const maxValue = 50

/** Returns the most characters of an aspect's value. */
export const maxLengthOf = (aspect: Aspect | undefined): number => aspect?.aspectConstraint?.aspectMaxLength ?? maxValue

/** Whether a value has the data type and format that eBay's metadata names. Text has every form. */
export function hasForm(value: string, aspect: Aspect | undefined): boolean {
  const { type, format } = formOf(aspect)
  if (type === 'NUMBER') {
    if (!/^-?\d+(\.\d+)?$/.test(value)) return false
    return format !== 'int32' || (Number.isInteger(Number(value)) && Math.abs(Number(value)) < 2 ** 31)
  }
  if (type !== 'DATE') return true
  const [, month = '01', day = '01'] = /^\d{4}(\d\d)?(\d\d)?$/.exec(value) ?? ['', '00']
  return (
    value.length === format.length && Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31
  )
}

export function formOf(aspect: Aspect | undefined): { type: string; format: string } {
  const { aspectDataType, aspectFormat } = aspect?.aspectConstraint ?? {}
  const type = aspectDataType ?? 'STRING'
  return { type, format: aspectFormat ?? (type === 'DATE' ? 'YYYY' : 'double') }
}

/** Returns the value of this form that is nearest to another; null if none is certain. */
export function nearestValue(value: string, aspect: Aspect | undefined): string | null {
  const { type, format } = formOf(aspect)
  const [only, ...others] =
    type === 'NUMBER'
      ? (value.match(/\d[\d.,]*/g) ?? [])
      : type === 'DATE'
        ? (value.match(/\b\d{4}(?:-\d\d(?:-\d\d)?)?\b/g) ?? [])
        : [cut(value.trim(), maxLengthOf(aspect)).trim()]
  if (only === undefined || others.length > 0) return null
  const near =
    type === 'DATE' ? only.replaceAll('-', '').slice(0, format.length) : only.replace(/^(\d+),(\d+)$/, '$1.$2')
  const nearest = type === 'NUMBER' || type === 'DATE' ? near : only
  return hasForm(nearest, aspect) ? nearest : null
}

/** Returns the item's own value in the form that an aspect takes, cut to its length; null if it has another form. */
export function fittingValue(value: string, aspect: Aspect): string | null {
  if (hasForm(value, aspect) && value.length <= maxLengthOf(aspect)) return value
  const { type } = formOf(aspect)
  return type === 'NUMBER' || type === 'DATE' ? null : nearestValue(value, aspect)
}
