import type { Transaction } from '#server/infra/db/index.ts'
import type { RowOf } from '#server/infra/db/statement.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { HttpProblem } from '#server/infra/errors.ts'
import { withShopAccess } from '#server/integrations/connections/with-shop-access.ts'
import { PlatformError } from '#server/integrations/errors.ts'
import type { LiveState } from '#server/integrations/port.ts'
import { withPriority } from '#server/integrations/quota/index.ts'
import { emitListingEvent } from '#server/selling/listings/operations/listing-events.ts'
import { resolveRelistOffer, touchItem } from '#server/selling/listings/operations/listing-rows.ts'
import { queueDelisting } from '#server/selling/listings/operations/queue-delisting.ts'
import { settleMs } from '#server/selling/listings/operations/retry-policy.ts'
import { findReplacement } from '#server/selling/listings/reconcile/find-relistings.ts'
import { lockItems } from '#server/selling/sales/lock-items.ts'
import type { Services } from '#server/services.ts'
import { emitEvents } from '#server/webhooks/emit.ts'
import { platformOf } from '#shared/platforms.ts'
import * as sql from './queries.ts'

/** A listing that sold an item, or would have (`claimListingChecks`). */
export type ListingCheck = RowOf<typeof sql.claimListingChecks>

/**
 * Checks a listing some seconds after its order. A platform ends a sold-out listing itself, but not one that offers
 * more than one unit, which is delisted. If the order was cancelled and nobody has the item, the listing is recorded as
 * the platform shows it, and with the one that replaces it.
 */
export async function checkSoldListing(services: Services, check: ListingCheck, signal: AbortSignal): Promise<void> {
  try {
    const state = await withPriority('orders', () =>
      withShopAccess(
        services,
        check,
        async (access, { listings }) => (listings ? listings.readState(access, check.listing_id) : null),
        signal,
      ),
    )
    const isFree = await transaction(services.db, 'check-sold-listing', async (tx) => {
      const [item] = await lockItems(tx, { user_id: check.user_id, uids: [check.item_uid] })
      if (item && item.state !== 'sold' && item.state !== 'reserved') return true
      await tx.none(sql.finishListingCheck(check))
      if (state !== 'live') return false
      const shown = await tx.oneOrNone(sql.markStillLive(check))
      if (!shown) return false
      await queueDelisting(tx, {
        user_id: check.user_id,
        item_uid: check.item_uid,
        except: null,
        cause: 'compensation',
        cause_ref: check.order_uid,
        reason: `Sold on ${platformOf(check.platform).name}, and still on offer there`,
        platforms: [check.platform],
      })
      await emitListingEvent(tx, 'listing.updated', listingOf(check, shown.url))
      return false
    })
    if (!isFree) return
    // The platform may list it again under a new id some time after the cancellation.
    const isReplaced = state === 'live' ? null : await findReplacement(services, check, check.listing_id, signal)
    await transaction(services.db, 'record-freed-listing', async (tx) => {
      const [item] = await lockItems(tx, { user_id: check.user_id, uids: [check.item_uid] })
      if (item?.state === 'sold' || item?.state === 'reserved') return
      await recordAsShown(tx, check, state, isReplaced)
    })
  } catch (error) {
    if (signal.aborted) throw error
    if (error instanceof HttpProblem && error.code === 'not_found')
      return services.db.none(sql.finishListingCheck(check)).then()
    if (!(error instanceof PlatformError)) throw error
    services.log.warn({ err: error, listing_id: check.listing_id }, 'the listing of an order could not be checked')
  }
}

/**
 * Records the listing of a free item as the platform shows it, once that cannot be older than the order. `isReplaced`:
 * another listing replaces it; null where a relisted listing keeps its id.
 */
async function recordAsShown(
  tx: Transaction,
  check: ListingCheck,
  state: LiveState | null,
  isReplaced: boolean | null,
): Promise<void> {
  const isUnsure = state === 'live' || state === 'missing' || isReplaced === false
  if (isUnsure && check.reported_ms_ago < settleMs) return
  await tx.none(sql.finishListingCheck(check))
  const live = state === 'live'
  const recorded = state === null ? null : await tx.oneOrNone(sql.recordFreedListing({ ...check, live }))
  if (recorded) {
    await touchItem(tx, check)
    if (live) await resolveRelistOffer(tx, check)
    await emitListingEvent(tx, live ? 'listing.listed' : 'listing.delisted', listingOf(check, recorded.url))
  }
  // Only now is it sure that the item can be listed there again.
  const offer = live || isReplaced ? null : await tx.oneOrNone(sql.findRelistOffer(check))
  if (!offer) return
  const data = { ...offer.data, platforms: [check.platform] }
  await emitEvents(tx, check.user_id, [{ type: 'item.relist_offered', item_uid: check.item_uid, data }])
}

/** Returns the listing as its events name it. */
function listingOf(check: ListingCheck, listing_url: string) {
  return { ...check, id: '', listing_url, cause: 'reconcile' as const, cause_ref: check.order_uid }
}
