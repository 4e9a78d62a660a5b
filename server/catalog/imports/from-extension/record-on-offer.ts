import type { Queries } from '#server/infra/db/index.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { emitListingEvent } from '#server/selling/listings/operations/listing-events.ts'
import { lockItemState } from '#server/selling/listings/operations/listing-rows.ts'
import { queueDelisting } from '#server/selling/listings/operations/queue-delisting.ts'
import { saleContention } from '#server/selling/sales/contention.ts'
import { saleOfListing } from '#server/selling/sales/observed-sale.ts'
import { recordSaleIn } from '#server/selling/sales/record-sale.ts'
import type { Services } from '#server/services.ts'
import { platformOf } from '#shared/platforms.ts'
import * as sql from './queries.ts'

/** A reading of listings on a marketplace. */
export interface Reading {
  user_id: number
  platform: string
  /** The shop that was read, if it is known. */
  seller_account_uid: string | null
  /** No page of it was read before (ISO). */
  read_since: string
  /** The import that read it. */
  job_uid?: string
}

/**
 * Handles listings that are on offer although a buyer has their items. If the listing itself was the sale, that sale was
 * cancelled there and the item is free, unless the sale became known after the reading began. If something else sold the
 * item, the listing has to come down. Returns the listings that freed their items.
 */
export async function recordOnOffer(
  services: Services,
  { user_id, job_uid, ...reading }: Reading,
  listing_ids: readonly string[],
): Promise<Set<string>> {
  const freed = new Set<string>()
  const find = (queries: Queries, ids: readonly string[]) =>
    queries.any(sql.findRelisted({ ...reading, user_id, listing_ids: ids }))
  const cause = { cause: 'reconcile', cause_ref: job_uid ?? null } as const
  for (const { listing_id, item_uid } of await find(services.db, listing_ids)) {
    const isFreed = await transaction(
      services.db,
      'seen-again',
      async (tx) => {
        await lockItemState(tx, { user_id, item_uid })
        // Read again: a decision about the item may have been made while its lock was awaited.
        const found = (await find(tx, [listing_id])).find((one) => one.item_uid === item_uid)
        if (!found) return false
        const { is_seller, ...listing } = found
        const shown = await tx.oneOrNone(sql.showLive({ ...listing, user_id }))
        if (is_seller) {
          // The time of the reading, so that the mail of a sale that came after it counts.
          const observed_at = new Date(reading.read_since).toISOString()
          const cancelled = saleOfListing({ ...listing, ...(job_uid && { job_uid }), observed_at, status: 'cancelled' })
          const { lines } = await recordSaleIn(tx, user_id, cancelled)
          return lines[0]?.outcome === 'freed'
        }
        await queueDelisting(tx, {
          ...{ user_id, item_uid, except: null, ...cause, platforms: [listing.platform] },
          reason: `It is sold, and still on offer on ${platformOf(listing.platform).name}`,
        })
        if (shown) {
          const about = { ...listing, ...cause, user_id, id: '', listing_url: shown.url }
          await emitListingEvent(tx, 'listing.updated', about)
        }
        return false
      },
      saleContention,
    )
    if (isFreed) freed.add(listing_id)
  }
  return freed
}
