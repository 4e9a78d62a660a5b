import type { Queries } from '#server/infra/db/index.ts'
import type { DifferenceField, DifferenceState } from '#shared/contract/catalog/differences.ts'
import type { Availability } from '#shared/item/inventory-record.ts'
import type { ListingState } from '#shared/listing.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import type { Money } from '#shared/price-change.ts'
import type { FieldValue } from './field-value.ts'
import * as sql from './queries.ts'

/** A difference with its listing and its item, locked. */
export interface LockedDifference extends Money {
  uid: string
  field: DifferenceField
  theirs: FieldValue
  theirs_hash: string
  state: DifferenceState
  /** The value that was sent, in words; null if it was noticed otherwise. */
  sent: string | null
  seller_account_uid: string
  listing_id: string
  platform: PlatformSlug
  listing_state: ListingState
  /** As last read, agreed or sent. */
  listing_price_minor: number
  listing_currency: string
  item_uid: string
  title: string
  description: string
  images: string[]
  /** Where copied photos came from, else the images. */
  sources: string[]
  item_state: Availability
  version: number
}

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
