import { gatheredTransaction } from '#server/infra/db/gather.ts'
import { sql } from '#server/infra/db/index.ts'
import { prepared } from '#server/infra/db/prepared.ts'
import type { LiveState } from '#server/integrations/port.ts'
import { alarmAfterMs, rereadMs, settleMs } from './decide-wait.ts'
import type { Hold } from './hold.ts'
import { settleOverdue, tellListing } from './tell.ts'

const endListing = prepared(sql(import.meta.url, './sql/end-listing.sql'))
const lockItem = prepared(sql(import.meta.url, './sql/lock-item-state.sql'))
const touchItem = prepared(sql(import.meta.url, './sql/touch-item.sql'))

/**
 * Takes a listing down, and says so only when the platform, read back, no longer shows it (decisions 8):
 * until then it is taken down again and read again, and after five minutes somebody is called.
 */
export async function runDelist(hold: Hold): Promise<void> {
  const { intent, services } = hold
  const { listing_id } = intent
  if (listing_id === null) throw new Error('a delist intent has no listing')
  // Sent again at every attempt: it may have been lost, and taking down what is down is nothing.
  await hold.pass('withdraw')
  const { state, known_ms } = await hold.onPlatform(async (port, access) => {
    await port.withdraw(access, { listing_id, externalKey: intent.external_key })
    const { known_ms } = await hold.acceptDelist()
    await hold.pass('withdrawn')
    return { state: await port.readState(access, listing_id), known_ms }
  })
  await hold.pass('read-back')

  if (!isProvenDown(state, known_ms)) {
    return hold.putOff({
      afterMs: rereadMs(intent.accepted_ms_ago ?? 0),
      alarm: intent.seen_ms_ago > alarmAfterMs,
      error_code: 'platform_failed',
      error_message: 'The platform still shows the listing.',
    })
  }
  await gatheredTransaction(services.db, async (tx) => {
    // The item first, as a sale locks it: two who lock in one order never wait for each other.
    await tx.none(lockItem, intent)
    await hold.finish(tx, { state: 'done', confirmed: true })
    await tx.none(endListing, { ...intent, state: state === 'sold' ? 'sold' : 'removed' })
    await tx.none(touchItem, intent)
    await settleOverdue(tx, intent)
    await tellListing(tx, 'listing.delisted', intent)
  })
}

/**
 * Whether an answer proves that nobody can buy it there. A listing that the platform does not know may be one that it
 * does not know yet: that counts only for one that we know for a while.
 */
export function isProvenDown(state: LiveState, knownMs: number | null): boolean {
  if (state === 'live') return false
  return state !== 'missing' || knownMs === null || knownMs > settleMs
}
