import { attributesOf } from '#server/catalog/inventory/read-listing.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { HttpProblem } from '#server/infra/errors.ts'
import { withShopAccess } from '#server/integrations/connections/with-shop-access.ts'
import { PlatformError } from '#server/integrations/errors.ts'
import { withPriority } from '#server/integrations/quota/index.ts'
import type { Services } from '#server/services.ts'
import { emitEvents } from '#server/webhooks/emit.ts'
import type { Listing, ListingFailure } from '#shared/listing.ts'
import * as sql from './queries.ts'

interface Unread {
  user_id: number
  seller_account_uid: string
  listing_id: string
}

/**
 * Reads details that imports left out because the day's calls were used up (brand, size, color), a few per shop in
 * turn. They fill empty fields of the item. Returns how many listings were read, 0 while the calls are still used up.
 */
export async function readUnreadDetails(services: Services, signal?: AbortSignal, perShop = 5): Promise<number> {
  const platforms = [...services.platforms.keys()]
  const due = await services.db.any(sql.claimUnreadDetails({ platforms, per_shop: perShop }))
  for (const listing of due) {
    if (signal?.aborted) return 0
    try {
      await readOne(services, listing, signal)
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error
      services.log.info({ err: error, listing_id: listing.listing_id }, 'the details of a listing are read later')
      if (error.failure === 'rate_limited') return 0
    }
  }
  return due.length
}

async function readOne(services: Services, unread: Unread, signal?: AbortSignal): Promise<void> {
  const found = await withPriority('details', () =>
    withShopAccess(services, unread, (access, { imports }) => imports.readOne(access, unread.listing_id), signal),
  ).catch((error: unknown): Listing | ListingFailure | null => {
    // The shop was disconnected, or the listing is gone.
    if (error instanceof HttpProblem) return null
    if (error instanceof PlatformError && error.failure === 'not_found') return null
    throw error
  })
  const again = found !== null && 'error_code' in found
  await transaction(services.db, 'store-details', async (tx) => {
    const listing = await tx.oneOrNone(sql.settleDetails({ ...unread, again }))
    if (!listing || found === null || 'error_code' in found) return
    const { user_id } = unread
    const { item_uid } = listing
    const changed = await tx.oneOrNone(
      sql.addDetails({
        user_id,
        item_uid,
        attributes: attributesOf(found),
      }),
    )
    if (!changed) return
    const data = { inventory_item_uid: item_uid, version: changed.version }
    await emitEvents(tx, user_id, [{ type: 'item.updated', item_uid, data }])
  })
}
