import type { Queries } from '#server/infra/db/index.ts'
import type { RowOf } from '#server/infra/db/statement.ts'
import type { FieldValue } from './field-value.ts'
import * as sql from './queries.ts'

/** A difference with its listing and its item, locked. */
export type LockedDifference = RowOf<typeof sql.lockDifferences>

/** Locks differences with their items until the transaction ends. Those of other users are left out. */
export function lockDifferences(tx: Queries, user_id: number, uids: readonly string[]): Promise<LockedDifference[]> {
  return tx.any(sql.lockDifferences({ user_id, uids }))
}

/** Returns the item's own value of the field; of a field that items have in another form, what was sent. */
export function valueOfItem(difference: LockedDifference): FieldValue {
  switch (difference.field) {
    case 'title':
      return difference.title
    case 'description':
      return difference.description
    case 'photos':
      return difference.sources
    case 'price':
      return { price_minor: difference.price_minor, currency: difference.currency }
    default:
      return difference.sent ?? ''
  }
}
