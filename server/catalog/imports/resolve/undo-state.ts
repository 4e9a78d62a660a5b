import { isDeepStrictEqual } from 'node:util'
import type { Queries } from '#server/infra/db/index.ts'
import type { Availability } from '#shared/item/inventory-record.ts'
import type { ListingState } from '#shared/listing.ts'
import * as sql from './queries.ts'

/** A listing and its item at one moment, to be compared and restored by an undo. */
export interface UndoState {
  /** Null: no item had the listing. */
  listing: { item_uid: string; state: ListingState; price_minor: number; currency: string } | null
  /** Null: there was no item. */
  content: object | null
  state: Availability | null
}

interface ListingOfItem {
  user_id: number
  seller_account_uid: string
  listing_id: string
  item_uid: string | null
}

/** Reads a listing and an item as they are. */
export function readUndoState(queries: Queries, of: ListingOfItem): Promise<UndoState> {
  return queries.one(sql.readUndoState(of))
}

/** Returns whether a listing is as an act left it, as far as its item, state and price go. Pure. */
export function isSameListing(one: UndoState['listing'], other: UndoState['listing']): boolean {
  const told = (listing: UndoState['listing']) =>
    listing && [listing.item_uid, listing.state, listing.price_minor, listing.currency]
  return isDeepStrictEqual(told(one), told(other))
}

/** Returns whether the item can still be sold as before: an act that sold it, or took it down, is not simply undone. */
export function isReversible(before: UndoState, after: UndoState): boolean {
  return after.state === before.state && (after.state === 'available' || after.state === 'reserved')
}
