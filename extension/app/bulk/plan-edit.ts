import { listingsOf, livePlatforms } from '#extension/storage/inventory-cache/row.ts'
import type { InventoryItem } from '#shared/contract/catalog/inventory.ts'
import {
  type EditedItem,
  type EditField,
  type EditValue,
  editItem,
  editText,
  editValueOf,
  isText,
  type NoEdit,
  numberPlace,
  textFields,
} from '#shared/item/item-edit.ts'
import type { ItemEdit } from '#shared/item/item-edit-schemas.ts'
import { lengthUnit, readMeasure, readSides, weightUnit } from '#shared/item/units.ts'
import { titleMax } from '#shared/listing-limits.ts'
import { platformOf } from '#shared/platforms.ts'
import { amountText, readAmount } from '../common/amount.ts'
import { exampleParcel, exampleWeight, ownUnits } from '../common/own-units.ts'
import { text } from './words.ts'

type EditAct = ItemEdit['act']

/** The edit as typed. */
export interface EditForm {
  field: EditField
  act: EditAct
  find: string
  value: string
}

/** A pattern that numbers SKUs from 001. */
export const examplePattern = 'COAT-{001}'

export const emptyEdit: EditForm = { field: 'title', act: 'add_after', find: '', value: '' }

/** Returns what can be done with a field. */
export function actsOf(field: EditField): EditAct[] {
  if (!isText(field)) return ['set', 'clear']
  const isNeeded = field === 'title' || field === 'condition'
  return [
    'set',
    'add_before',
    'add_after',
    'replace',
    ...(field === 'sku' ? (['number'] as const) : []),
    ...(isNeeded ? [] : (['clear'] as const)),
  ]
}

/** Fields whose words stand apart: what is added to them gets a space. */
const spaced: readonly EditField[] = ['title', 'description', 'condition', 'condition_notes', 'material']

/** Returns the edit that a form means, nothing while it is empty, or what is wrong with it. */
export function readEdit(form: EditForm, currency: string): { edit: ItemEdit } | { wrong: string | null } {
  const { field, act, find } = form
  const value = form.value.trim()
  if (act === 'clear') return { edit: { act, field } }
  if (act === 'replace' && isText(field)) {
    return find === '' ? { wrong: null } : { edit: { act, field, find, value: form.value } }
  }
  if (value === '') return { wrong: null }
  if (isText(field)) {
    if (act === 'number') {
      return numberPlace.test(value)
        ? { edit: { act, field: 'sku', value } }
        : { wrong: text('edit.wrong.number', { pattern: examplePattern }) }
    }
    if (value.length > textFields[field].most) return { wrong: text('cell.too_long') }
    if (act === 'add_before') return { edit: { act, field, value: spaced.includes(field) ? `${value} ` : value } }
    if (act === 'add_after') return { edit: { act, field, value: spaced.includes(field) ? ` ${value}` : value } }
    return { edit: { act: 'set', field, value } }
  }
  if (field === 'cost_minor') {
    const cost = readAmount(value, currency)
    return cost === null
      ? { wrong: text('form.problem.amount', { example: amountText(1_250, currency) }) }
      : { edit: { act: 'set', field, value: cost, currency } }
  }
  if (field === 'weight_grams') {
    const grams = readMeasure(value, weightUnit[ownUnits()])
    return grams !== null && grams < 1_000_000
      ? { edit: { act: 'set', field, value: grams } }
      : { wrong: text('form.problem.weight', { example: exampleWeight() }) }
  }
  const sides = readSides(value, lengthUnit[ownUnits()])
  if (!sides || Math.max(...sides) > 10_000) return { wrong: text('edit.wrong.parcel', { example: exampleParcel() }) }
  const [length_mm, width_mm, height_mm] = sides
  return { edit: { act: 'set', field, value: { length_mm, width_mm, height_mm } } }
}

export interface EditPlan {
  /** `cut`: the first marketplace where the item is live and its new title is cut, with what it takes. */
  changes: {
    item: InventoryItem
    from: string | null
    to: string | null
    cut: { platform: string; max: number } | null
  }[]
  leftOut: { item: InventoryItem; from: string | null; reason: NoEdit | 'sku_in_use' }[]
  /** Items that have the value already. */
  same: number
}

/** Plans an edit by the rules of the server: the value of each item before and after, and why others keep theirs. */
export function planEdit(items: readonly InventoryItem[], edit: ItemEdit): EditPlan {
  const plan: EditPlan = { changes: [], leftOut: [], same: 0 }
  const given = new Set<string>()
  for (const [index, item] of items.entries()) {
    const content = contentOf(item)
    const textOf = (value: EditValue) => editText(edit.field, value, content.currency, ownUnits())
    const from = textOf(editValueOf(content, edit.field))
    const result = editItem(content, [edit], index)
    if (result.reason) plan.leftOut.push({ item, from, reason: result.reason })
    else if (!(edit.field in result.values)) plan.same++
    else {
      const to = textOf(result.values[edit.field] ?? null)
      const isTwice = edit.field === 'sku' && to !== null && given.has(to)
      if (isTwice) plan.leftOut.push({ item, from, reason: 'sku_in_use' })
      else plan.changes.push({ item, from, to, cut: edit.field === 'title' ? cutOn(item, to ?? '') : null })
      if (to !== null) given.add(to)
    }
  }
  return plan
}

function cutOn(item: InventoryItem, title: string): EditPlan['changes'][number]['cut'] {
  const limits = livePlatforms({ listings: listingsOf(item) }).map((slug) => ({
    platform: platformOf(slug).name,
    max: slug === 'depop' ? title.length : titleMax[slug],
  }))
  return limits.find(({ max }) => title.length > max) ?? null
}

function contentOf({ record, description, sku, attributes }: InventoryItem): EditedItem {
  return {
    ...{ title: record.title, description, sku, attributes },
    ...{ condition_label: record.condition.label, condition_notes: record.condition.notes },
    currency: record.offer.currency,
  }
}
