import type { Transaction } from '#server/infra/db/index.ts'
import { emitEvents } from '#server/webhooks/emit.ts'
import type { ListingOptions } from '#shared/contract/selling/listings.ts'
import { Parcel, productIdentifiers } from '#shared/item/item-details.ts'
import * as sql from './queries.ts'

/**
 * Saves the item's own details of a list request (weight, parcel size, identifiers) with the item, so that the next
 * marketplace does not ask again. Runs in the caller's transaction.
 */
export async function saveItemDetails(
  tx: Transaction,
  { user_id, item_uid }: { user_id: number; item_uid: string },
  options: ListingOptions,
): Promise<void> {
  const attributes = detailsOf(options)
  if (Object.keys(attributes).length === 0) return
  const changed = await tx.oneOrNone(sql.addAttributes({ user_id, item_uid, attributes }))
  if (!changed) return
  const data = { inventory_item_uid: item_uid, version: changed.version }
  await emitEvents(tx, user_id, [{ type: 'item.updated', item_uid, data }])
}

function detailsOf(options: ListingOptions): Record<string, unknown> {
  const { weight_grams, parcel_length_mm, parcel_width_mm, parcel_height_mm } = options
  const parcel = Parcel.safeParse({
    length_mm: Number(parcel_length_mm),
    width_mm: Number(parcel_width_mm),
    height_mm: Number(parcel_height_mm),
  })
  const identifiers = productIdentifiers.flatMap((name) => {
    const value = options[name]?.trim() ?? ''
    // "Does not apply" answers one marketplace and identifies nothing.
    return /\d/.test(value) ? [[name, value]] : []
  })
  return {
    ...(weight_grams ? { weight_grams: Number(weight_grams) } : {}),
    ...(parcel.success ? { parcel: parcel.data } : {}),
    ...Object.fromEntries(identifiers),
  }
}
