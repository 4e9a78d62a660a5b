import { gatheredTransaction } from '#server/infra/db/gather.ts'
import { sql } from '#server/infra/db/index.ts'
import { prepared } from '#server/infra/db/prepared.ts'
import type { LiveState } from '#server/integrations/port.ts'
import type { LeasedOperation } from './leased-operation.ts'
import { emitListingEvent, settleOverdueAlert } from './listing-events.ts'
import { alertAfterMs, rereadMs, settleMs } from './retry-policy.ts'

const endListing = prepared(sql(import.meta.url, './sql/end-listing.sql'))
const lockItem = prepared(sql(import.meta.url, './sql/lock-item-state.sql'))
const touchItem = prepared(sql(import.meta.url, './sql/touch-item.sql'))

/**
 * Takes a listing down, and says so only when the platform, read back, no longer shows it (decisions 8):
 * until then it is taken down again and read again, and after five minutes somebody is called.
 */
export async function runDelist(leased: LeasedOperation): Promise<void> {
  const { operation, services } = leased
  const { listing_id } = operation
  if (listing_id === null) throw new Error('a delist intent has no listing')
  // Sent again at every attempt: it may have been lost, and taking down what is down is nothing.
  await leased.checkpoint('withdraw')
  const { state, known_ms } = await leased.onPlatform(async (port, access) => {
    await port.withdraw(access, { listing_id, externalKey: operation.external_key })
    const { known_ms } = await leased.acceptDelist()
    await leased.checkpoint('withdrawn')
    return { state: await port.readState(access, listing_id), known_ms }
  })
  await leased.checkpoint('read-back')

  if (!isVerifiedDown(state, known_ms)) {
    return leased.postpone({
      afterMs: rereadMs(operation.accepted_ms_ago ?? 0),
      alert: operation.seen_ms_ago > alertAfterMs,
      error_code: 'platform_failed',
      error_message: 'The platform still shows the listing.',
    })
  }
  await gatheredTransaction(services.db, async (tx) => {
    // The item first, as a sale locks it: two who lock in one order never wait for each other.
    await tx.none(lockItem, operation)
    await leased.finish(tx, { state: 'done', confirmed: true })
    await tx.none(endListing, { ...operation, state: state === 'sold' ? 'sold' : 'removed' })
    await tx.none(touchItem, operation)
    await settleOverdueAlert(tx, operation)
    await emitListingEvent(tx, 'listing.delisted', operation)
  })
}

/**
 * Whether an answer proves that nobody can buy it there. A listing that the platform does not know may be one that it
 * does not know yet: that counts only for one that we know for a while.
 */
export function isVerifiedDown(state: LiveState, knownMs: number | null): boolean {
  if (state === 'live') return false
  return state !== 'missing' || knownMs === null || knownMs > settleMs
}
