import { isDeepStrictEqual } from 'node:util'
import { emitItemsUpdated } from '#server/catalog/inventory/emit-item-updated.ts'
import type { Transaction } from '#server/infra/db/index.ts'
import type { DifferenceField } from '#shared/contract/catalog/differences.ts'
import type { FieldChange } from '#shared/contract/catalog/inventory.ts'
import { decimalFromMinor } from '#shared/money.ts'
import type { FieldValue } from './field-value.ts'
import * as sql from './queries.ts'

/** Longer values are cut in the history. */
const longest = 300

/** A new value of a locked item's field. */
interface NewValue {
  item_uid: string
  field: DifferenceField
  from: FieldValue
  to: FieldValue
}

/** Gives locked items new values, in one statement: a version and an entry of its history for each item. */
export async function adoptValues<Value extends NewValue>(
  tx: Transaction,
  change: { user_id: number; change_uid: string },
  values: readonly Value[],
  reasonOf: (of: readonly Value[]) => string,
): Promise<void> {
  const byItem = Map.groupBy(values, ({ item_uid }) => item_uid)
  const rows = [...byItem].map(([item_uid, own]) => ({
    item_uid,
    ...Object.assign({}, ...own.map(({ field, to }) => columnsOf(field, to))),
    reason: reasonOf(own),
    changes: own.flatMap(toChange),
  }))
  await tx.none(sql.adoptValues({ ...change, rows: JSON.stringify(rows) }))
  await emitItemsUpdated(tx, change.user_id, [...byItem.keys()])
}

/** Returns the columns that hold the value of a field. */
function columnsOf(field: DifferenceField, value: FieldValue): object {
  if (field === 'photos') return { images: value }
  return field === 'price' ? (value as object) : { [field]: value }
}

function toChange({ field, from, to }: NewValue): FieldChange[] {
  return isDeepStrictEqual(from, to) ? [] : [{ field, from: textOf(from), to: textOf(to) }]
}

function textOf(value: FieldValue): string | null {
  // Photos are their number: addresses tell nothing.
  if (Array.isArray(value)) return String(value.length)
  if (typeof value === 'object') return `${decimalFromMinor(value.price_minor, value.currency)} ${value.currency}`
  return value.length > longest ? `${value.slice(0, longest - 1)}…` : value || null
}
