import { isDeepStrictEqual } from 'node:util'
import type { FieldChange } from '#shared/contract/catalog/inventory.ts'
import { type EditValue, editText } from '#shared/item/item-edit.ts'
import { decimalFromMinor } from '#shared/money.ts'
import type { ItemContent } from './content.ts'

/** Longer values are cut in the history. */
const longest = 300

/** Returns what differs between two contents of an item, in the words of a seller. Pure. */
export function changedFields(before: ItemContent, after: ItemContent): FieldChange[] {
  const [one, other] = [valuesOf(before), valuesOf(after)]
  const fields = [...new Set([...Object.keys(one), ...Object.keys(other)])]
  return fields.flatMap((field) => {
    const [from, to] = [one[field] ?? null, other[field] ?? null]
    const textOf = (value: unknown) => wordsOf(field, value)
    return isDeepStrictEqual(from, to) ? [] : [{ field, from: textOf(from), to: textOf(to) }]
  })
}

/** The fields of a content that a seller knows, by name. */
function valuesOf(content: ItemContent): Record<string, unknown> {
  const { cost_minor } = content.attributes
  const money = (minor: number) => `${decimalFromMinor(minor, content.currency)} ${content.currency}`
  return {
    title: content.title,
    price: money(content.price_minor),
    sku: content.sku,
    description: content.description,
    photos: content.images,
    condition: content.condition_label,
    condition_notes: content.condition_notes,
    ...content.attributes,
    ...content.attributes.particulars,
    particulars: null,
    flaws: content.attributes.flaws?.map(({ text }) => text),
    draft: null,
    // When a listing went up is nothing that the seller changes.
    listed_at: null,
    cost_minor: null,
    cost: cost_minor === undefined ? null : money(cost_minor),
  }
}

function wordsOf(field: string, value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null
  if (field === 'weight_grams' || field === 'parcel') return editText(field, value as EditValue, '')
  // Photos are their number: addresses tell nothing.
  const isPhotos = Array.isArray(value) && value.some((one) => /^https?:/.test(String(one)))
  const text = isPhotos ? String(value.length) : Array.isArray(value) ? value.join(', ') : String(value)
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text
}
