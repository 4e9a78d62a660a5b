import { isDeepStrictEqual } from 'node:util'
import type { Queries, Transaction } from '#server/infra/db/index.ts'
import type { RowOf } from '#server/infra/db/statement.ts'
import { problem } from '#server/infra/errors.ts'
import type { UndoStep } from '#server/selling/changes/record-step.ts'
import { queueListingUpdates } from '#server/selling/listings/operations/queue-listing-update.ts'
import type { DifferenceField } from '#shared/contract/catalog/differences.ts'
import { platformOf } from '#shared/platforms.ts'
import type { Money } from '#shared/price-change.ts'
import { adoptValues } from './adopt-values.ts'
import { listingFieldOf } from './can-overwrite.ts'
import type { FieldValue } from './field-value.ts'
import * as sql from './queries.ts'

/** A difference as it was, with the value of the item. Undoing a decision needs it. */
export interface DecidedDifference {
  field: DifferenceField
  listing_id: string
  theirs: FieldValue
  theirs_hash: string
  mine: FieldValue
}

type ItemValues = RowOf<typeof sql.lockItemValues>

/**
 * Takes a decision about a difference back and shows the difference again: the item gets its former value, or the
 * listing gets the value that was overwritten. Throws 409 `changed_since` if either has changed meanwhile.
 */
export async function undoDecision(tx: Transaction, step: Required<UndoStep>): Promise<void> {
  const before = step.before as DecidedDifference
  if (step.kind === 'ignore_difference') {
    if (!(await tx.oneOrNone(sql.reopenDifference(step)))) throw problem('changed_since')
    return
  }
  const item = await tx.oneOrNone(sql.lockItemValues(step))
  const left = step.kind === 'adopt' ? before.theirs : before.mine
  if (!item || !hasValue(item, before.field, left)) throw problem('changed_since')
  if (step.kind === 'adopt') await restoreItem(tx, step, before)
  else await restoreListing(tx, step, before)
}

/** Returns whether an item still has a value. Copying its photos meanwhile is no change of the seller's. */
function hasValue(item: ItemValues, field: DifferenceField, value: FieldValue): boolean {
  if (field === 'photos') return [item.images, item.sources].some((images) => isDeepStrictEqual(images, value))
  return isDeepStrictEqual(
    field === 'price'
      ? { price_minor: item.price_minor, currency: item.currency }
      : item[field as 'title' | 'description'],
    value,
  )
}

async function restoreItem(tx: Transaction, step: Required<UndoStep>, before: DecidedDifference): Promise<void> {
  const { user_id, change_uid } = step
  const { field, theirs: from, mine: to } = before
  const value = { item_uid: step.item_uid!, field, from, to }
  const reason = `Restored instead of the value from ${platformOf(step.platform!).name}`
  // The listing may be over by now. The item gets its value back all the same.
  await tx.oneOrNone(sql.restoreDifference({ ...step, ...before, theirs: JSON.stringify(before.theirs) }))
  await adoptValues(tx, { user_id, change_uid }, [value], () => reason)
}

async function restoreListing(tx: Queries, step: Required<UndoStep>, before: DecidedDifference): Promise<void> {
  const { field, theirs } = before
  if (!(await tx.oneOrNone(sql.restoreDifference({ ...step, ...before, theirs: JSON.stringify(before.theirs) }))))
    throw problem('changed_since')
  const name = listingFieldOf(field)
  const sent = field === 'price' ? { price: theirs as Money } : { content: { [name]: theirs } }
  const queued = await queueListingUpdates(tx, step.user_id, [
    { item_uid: step.item_uid!, platforms: [step.platform!], fields: [name], ...sent },
  ])
  if (queued.length === 0) throw problem('changed_since')
}
