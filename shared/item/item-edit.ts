import { cleanLine, cleanText } from '../clean-text.ts'
import { decimalFromMinor } from '../money.ts'
import type { Parcel } from './item-details.ts'
import type { ItemEdit } from './item-edit-schemas.ts'
import { lengthText, type System, weightText } from './units.ts'

interface TextRule {
  /** The most characters. */
  most: number
  /** Whether the text must not be empty. */
  needed?: true
  /** Whether it may have several lines. */
  lines?: true
}

/** Texts of an item that an edit of many items may change. */
export const textFields = {
  title: { most: 1_000, needed: true },
  description: { most: 600_000, lines: true },
  condition: { most: 500, needed: true },
  condition_notes: { most: 10_000, lines: true },
  sku: { most: 500 },
  brand: { most: 500 },
  category: { most: 1_000 },
  size: { most: 500 },
  colors: { most: 2_000 },
  material: { most: 500 },
  storage_location: { most: 200 },
  mpn: { most: 100 },
  isbn: { most: 50 },
  ean: { most: 50 },
  upc: { most: 50 },
} as const satisfies Record<string, TextRule>

/** Fields that hold a number or sizes. */
const numberFields = ['cost_minor', 'weight_grams', 'parcel'] as const

export type TextField = keyof typeof textFields
type NumberField = (typeof numberFields)[number]
export type EditField = TextField | NumberField
export const editFields = [...(Object.keys(textFields) as TextField[]), ...numberFields]

/** The fields that a text can be added to, or replaced in. */
export const isText = (field: EditField): field is TextField => field in textFields

export type EditValue = string | number | Parcel | null
export type EditValues = Record<EditField, EditValue>

/** The content of an item that edits change, as the server stores it. */
export interface EditedItem {
  title: string
  description: string
  condition_label: string
  condition_notes: string
  sku: string | null
  currency: string
  attributes: { [name: string]: unknown }
}

/** Why an edit leaves an item as it is. */
export type NoEdit = 'empty' | 'too_long' | 'other_currency'

/** Returns the value of a field of an item, null where it has none. */
export function editValueOf(item: EditedItem, field: EditField): EditValue {
  switch (field) {
    case 'title':
    case 'description':
    case 'condition_notes':
    case 'sku':
      return item[field]
    case 'condition':
      return item.condition_label
    case 'colors': {
      const { colors } = item.attributes
      return Array.isArray(colors) ? colors.join(', ') : null
    }
    default:
      return (item.attributes[field] ?? null) as EditValue
  }
}

/** Returns an item with values in place of its own. */
export function withEditValues<Item extends EditedItem>(item: Item, values: Partial<EditValues>): Item {
  const { title, description, condition, condition_notes, sku, colors, ...attributes } = values
  const list = typeof colors === 'string' ? colors.split(',').map(cleanLine).filter(Boolean) : null
  const kept = { ...item.attributes, ...attributes, ...(colors === undefined ? {} : { colors: list }) }
  const text = (value: EditValue | undefined, before: string) => (value === undefined ? before : String(value ?? ''))
  return {
    ...item,
    title: text(title, item.title),
    description: text(description, item.description),
    condition_label: text(condition, item.condition_label),
    condition_notes: text(condition_notes, item.condition_notes),
    sku: sku === undefined ? item.sku : (sku as string | null),
    attributes: Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== null)),
  }
}

/**
 * Returns the values that edits give an item, only those that differ, or the reason why the item stays as it is. `index`:
 * its place among the items, from 0, which numbered SKUs follow. Pure, so that a preview shows what the server will do.
 */
export function editItem(
  item: EditedItem,
  edits: readonly ItemEdit[],
  index: number,
): { values: Partial<EditValues>; reason?: undefined } | { reason: NoEdit } {
  const fields = [...new Set(edits.map(({ field }) => field))]
  const values: Partial<EditValues> = Object.fromEntries(fields.map((field) => [field, editValueOf(item, field)]))
  for (const edit of edits) {
    const isForeign = 'currency' in edit && edit.currency !== undefined && edit.currency !== item.currency
    if (isForeign) return { reason: 'other_currency' }
    const value = cleaned(edit.field, edited(values[edit.field] ?? null, edit, index))
    const reason = faultOf(edit.field, value)
    if (reason) return { reason }
    values[edit.field] = value
  }
  for (const field of fields) if (isSameValue(values[field] ?? null, editValueOf(item, field))) delete values[field]
  return { values }
}

/** Returns true for equal values; the database gives the sizes of a parcel in an order of its own. */
export function isSameValue(one: EditValue, other: EditValue): boolean {
  const textOf = (value: EditValue) =>
    JSON.stringify(
      value !== null && typeof value === 'object' ? [value.length_mm, value.width_mm, value.height_mm] : value,
    )
  return textOf(one) === textOf(other)
}

function edited(value: EditValue, edit: ItemEdit, index: number): EditValue {
  const text = typeof value === 'string' ? value : ''
  switch (edit.act) {
    case 'set':
      return edit.value
    case 'clear':
      return null
    case 'add_before':
      return edit.value + text
    case 'add_after':
      return text + edit.value
    case 'replace':
      return text.replaceAll(edit.find, () => edit.value)
    case 'number':
      return numbered(edit.value, index)
  }
}

/** The place of the number in a pattern such as `COAT-{001}`: where counting begins, with as many digits. */
export const numberPlace = /\{(\d{1,9})\}/

function numbered(pattern: string, index: number): string {
  return pattern.replace(numberPlace, (_, start: string) => String(Number(start) + index).padStart(start.length, '0'))
}

/** Returns a value as it is stored. Empty texts of optional fields are none. */
function cleaned(field: EditField, value: EditValue): EditValue {
  if (!isText(field) || typeof value !== 'string') return value
  const rule: TextRule = textFields[field]
  const clean = rule.lines ? cleanText(value) : cleanLine(value)
  return clean === '' && !rule.needed && !rule.lines ? null : clean
}

function faultOf(field: EditField, value: EditValue): NoEdit | null {
  if (!isText(field)) return null
  const { most, needed }: TextRule = textFields[field]
  if (needed && (value === null || value === '')) return 'empty'
  return String(value ?? '').length > most ? 'too_long' : null
}

/** Returns a value as a seller reads it: amounts in the currency, sizes in the units of `system`. Null for none. */
export function editText(
  field: EditField,
  value: EditValue,
  currency: string,
  system: System = 'metric',
): string | null {
  if (value === null || value === '') return null
  if (field === 'cost_minor') return `${decimalFromMinor(Number(value), currency)} ${currency}`
  if (field === 'weight_grams') return weightText(Number(value), system)
  if (typeof value === 'object') {
    return [value.length_mm, value.width_mm, value.height_mm].map((side) => lengthText(side, system)).join(' × ')
  }
  return String(value)
}
