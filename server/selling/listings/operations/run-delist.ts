import { together, transaction } from '#server/infra/db/transaction.ts'
import { publish } from '#server/infra/observed.ts'
import type { LiveState } from '#server/integrations/port.ts'
import { recordUnpaidPurchase } from '#server/selling/sales/unpaid-purchases.ts'
import * as listingsSql from '../queries.ts'
import type { LeasedOperation } from './leased-operation.ts'
import { emitListingEvent, settleOverdueAlert } from './listing-events.ts'
import * as sql from './queries.ts'
import { alertAfterMs, rereadMs, settleMs } from './retry-policy.ts'

/**
 * Takes a listing down. It is done when the platform, read back, no longer shows it. Until then the
 * listing is taken down and read again, with an alert after five minutes. An auction that ended with a buyer instead is
 * a sale.
 */
export async function runDelist(leased: LeasedOperation): Promise<void> {
  const { operation, services } = leased
  const { listing_id } = operation
  const startedMs = performance.now()
  if (listing_id === null) throw new Error('a delist operation has no listing')
  // Sent at every attempt: it may have been lost, and repeating it is harmless.
  const { state, known_ms } = await leased.onPlatform(async (port, access) => {
    await port.withdraw(access, { listing_id, externalKey: operation.external_key, terms: operation.terms })
    const { known_ms } = await leased.acceptDelist()
    return { state: await port.readState(access, listing_id), known_ms }
  })

  if (!isVerifiedDown(state, known_ms)) {
    return leased.postpone({
      afterMs: rereadMs(operation.accepted_ms_ago ?? 0),
      alert: operation.seen_ms_ago > alertAfterMs,
      error_code: 'platform_failed',
      error_message: 'The platform still shows the listing.',
    })
  }
  // Nobody is alerted to the second buyer by an order, because there is none until the buyer pays.
  if (state === 'sold' && operation.terms?.format === 'auction') {
    const price = await services.db.oneOrNone(sql.findListedPrice(operation))
    if (price) await recordUnpaidPurchase(services, operation, { listing_id, ...price }, 'pending')
  }
  await transaction(services.db, 'end-listing', async (tx) => {
    // Touching the item locks it first, as a sale does, so that the two cannot deadlock.
    await together([
      tx.none(listingsSql.touchItem(operation)),
      leased.finish(tx, { state: 'done', confirmed: true }),
      tx.none(sql.endListing({ ...operation, state: state === 'sold' ? 'sold' : 'removed' })),
      settleOverdueAlert(tx, operation),
      emitListingEvent(tx, 'listing.delisted', operation),
    ])
  })
  const seconds = (operation.seen_ms_ago + performance.now() - startedMs) / 1_000
  publish('takenDown', { platform: operation.platform, seconds })
}

/**
 * Returns whether a state proves that nobody can buy the listing. `missing` proves it only for a listing known for a
 * while, because the platform may not show a new one yet.
 */
export function isVerifiedDown(state: LiveState, knownMs: number | null): boolean {
  if (state === 'live') return false
  return state !== 'missing' || knownMs === null || knownMs > settleMs
}
