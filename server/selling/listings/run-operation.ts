import { type Database, sql } from '#server/infra/db/index.ts'
import { notify } from '#server/infra/db/pubsub.ts'
import { HttpProblem } from '#server/infra/errors.ts'
import { PlatformError } from '#server/integrations/errors.ts'
import type { PublishedListing } from '#server/integrations/port.ts'
import { openTask } from '#server/selling/tasks/open-task.ts'
import type { Services } from '#server/services.ts'
import { platformOf } from '#shared/platforms.ts'
import { type LeasedOperation, leaseOperation, type OnStep } from './leased-operation.ts'
import { emitListingEvent } from './listing-events.ts'
import { delistChannel, LeaseLostError, type ListingOperation, NoLongerWantedError, priorities } from './operation.ts'
import { alertAfterMs, classifyFailure, type Failure } from './retry-policy.ts'
import { runDelist } from './run-delist.ts'
import { runList } from './run-list.ts'
import { runReprice } from './run-reprice.ts'

const closeOperations = sql(import.meta.url, './sql/close-delist-operations.sql')
const endListing = sql(import.meta.url, './sql/end-listing.sql')
const lockItem = sql(import.meta.url, './sql/lock-item-state.sql')
const touchItem = sql(import.meta.url, './sql/touch-item.sql')
const findSellerReport = sql(import.meta.url, './sql/find-task-done.sql')
const queueOrphanDelist = sql(import.meta.url, './sql/delist-lost-listing.sql')

/** The longest wait between two looks for a listing that may have been made, as of one that comes down. */
const lookEveryMs = 600_000

/** Thrown by a test's step hook to stop a worker as a crash would: nothing is written any more. */
export class SimulatedCrash extends Error {
  override name = 'StoppedDead'
}

export interface RunOptions {
  leaseMs: number
  signal: AbortSignal
  onStep: OnStep
  /** Told when the intent will be due again. */
  onPostponed?: (afterMs: number) => void
}

/** Works on a claimed intent once: afterwards it is over, or put off, or was lost to another worker. Never throws. */
export async function runOperation(
  services: Services,
  operation: ListingOperation,
  options: RunOptions,
): Promise<void> {
  const lost = new AbortController()
  const signal = AbortSignal.any([options.signal, lost.signal])
  const leased = leaseOperation(services, operation, { ...options, signal })
  const heartbeat = setInterval(() => {
    leased.renewLease().catch((error: unknown) => {
      if (error instanceof LeaseLostError) lost.abort(error)
      else services.log.warn({ err: error, operation: operation.id }, 'the lease of a listing intent was not renewed')
    })
  }, options.leaseMs / 3)
  try {
    await runKind(leased)
  } catch (error) {
    if (error instanceof SimulatedCrash) return
    const isStopping = options.signal.aborted && !(error instanceof LeaseLostError)
    await settle(leased, isStopping ? null : error).catch((again: unknown) =>
      // Its lease runs out, and the next worker takes it.
      services.log.error({ err: again, operation: operation.id }, 'a listing intent could not be put off'),
    )
  } finally {
    clearInterval(heartbeat)
  }
}

function runKind(leased: LeasedOperation): Promise<void> {
  if (leased.operation.kind === 'delist') return runDelist(leased)
  return leased.operation.kind === 'list' ? runList(leased) : runReprice(leased)
}

/** What follows from an attempt that ended early. `error` null: this worker is stopping. */
async function settle(leased: LeasedOperation, error: unknown): Promise<void> {
  const { operation, services } = leased
  if (error instanceof LeaseLostError) return delistOrphan(services, operation, error.made)
  try {
    if (error === null || error instanceof NoLongerWantedError) return await leased.postpone({ afterMs: 0 })
    // What may be up and should not be is treated like what should come down.
    const kind = operation.is_cancelled && operation.kind === 'list' ? 'delist' : operation.kind
    const failure = classifyFailure(error, { ...operation, kind })
    services.log.warn(
      {
        err: error,
        operation: operation.id,
        kind: operation.kind,
        platform: operation.platform,
        action: failure.action,
      },
      'a listing intent failed',
    )
    if (operation.kind === 'delist') return await retryDelist(leased, failure)
    if (kind === 'delist') return await retryLookup(leased, failure)
    if (failure.action !== 'give_up') return await leased.postpone({ ...failure, failed: true })
    // It is up and recorded as such: only the proof is missing, and waits for whoever can be asked.
    if (operation.is_accepted && failure.error_code !== 'connection_required')
      return await leased.postpone({ afterMs: lookEveryMs, failed: true })
    if (operation.kind === 'reprice' || operation.is_accepted || (operation.sent_ms_ago === null && isDefinite(error)))
      return await fail(leased, failure)
    // Something may have been made by this or an earlier attempt: it is looked for before this ends.
    await leased.postpone({ ...failure, afterMs: 0, failed: true, cancel: true })
  } catch (again) {
    if (!(again instanceof LeaseLostError)) throw again
    await delistOrphan(services, operation, null)
  }
}

/** The platform, or we, said no: nothing was made by this attempt. */
function isDefinite(error: unknown): boolean {
  return error instanceof HttpProblem || (error instanceof PlatformError && !error.retryable)
}

async function fail(leased: LeasedOperation, failure: Pick<Failure, 'error_code' | 'error_message'>): Promise<void> {
  await leased.services.db.tx('listing-failed', async (tx) => {
    await leased.finish(tx, { state: 'failed', ...failure })
    const { error_code, error_message } = failure
    const action = leased.operation.kind === 'reprice' ? 'change_price' : 'list'
    await emitListingEvent(tx, 'listing.failed', leased.operation, { action, error_code, error_message })
  })
}

/**
 * Looking for what an attempt may have made failed too. It may be nothing; until the platform has said so it may as well
 * be live, so it is looked for on and on, less and less often, with the alarm and the task of a listing that does not come
 * down.
 */
async function retryLookup(leased: LeasedOperation, failure: Failure): Promise<void> {
  const { sent_ms_ago, cancelled_ms_ago } = leased.operation
  if (sent_ms_ago === null)
    return fail(leased, leased.operation.error_code ? earlierFailure(leased.operation) : failure)
  const sinceMs = cancelled_ms_ago ?? 0
  const isParked = failure.action === 'park'
  const afterMs = Math.max(failure.afterMs, Math.min(sinceMs / 4, lookEveryMs), 1_000)
  // Why it was given up stays: that is what who asked for it is told.
  await leased.postpone({ afterMs, failed: true, alert: isParked || sinceMs + afterMs > alertAfterMs })
  if (isParked) await openDelistTask(leased.services.db, leased.operation)
}

function earlierFailure({
  error_code,
  error_message,
}: ListingOperation): Pick<Failure, 'error_code' | 'error_message'> {
  return { error_code: error_code as Failure['error_code'], error_message: error_message ?? '' }
}

/** A listing that should come down: tried on for ever; where the shop is lost, the seller is asked at once. */
async function retryDelist(leased: LeasedOperation, failure: Failure): Promise<void> {
  const isParked = failure.action === 'park'
  await leased.postpone({
    ...failure,
    failed: true,
    alert: isParked || leased.operation.seen_ms_ago > alertAfterMs,
  })
  if (isParked) await openDelistTask(leased.services.db, leased.operation)
}

async function openDelistTask(db: Database, operation: ListingOperation): Promise<void> {
  const said = await db.oneOrNone<{ is_last_word: boolean }>(findSellerReport, operation)
  if (said?.is_last_word) return acceptSellerReport(db, operation)
  // Who has said that it is down is not asked again: what is left is to read it back.
  if (said) return
  const platform = platformOf(operation.platform)
  const what =
    operation.kind === 'list' ? 'if the listing that was being put up is there, take it down' : 'take it down there'
  await openTask(db, {
    user_id: operation.user_id,
    kind: 'delist',
    platform: operation.platform,
    item_uid: operation.item_uid,
    seller_account_uid: operation.seller_account_uid,
    reason: `${platform.name} no longer lets Hapax in: ${what}, or connect the shop again`,
    url: operation.listing_url ?? platform.url,
    listing_id: operation.listing_id,
    cause: operation.cause,
    cause_ref: operation.cause_ref,
  })
}

/** The seller has said that it is down, and has disconnected its shop since: there is no other word to be had. */
async function acceptSellerReport(db: Database, operation: ListingOperation): Promise<void> {
  await db.tx('take-their-word', async (tx) => {
    await tx.oneOrNone(lockItem, operation)
    await tx.any(closeOperations, operation)
    await tx.none(endListing, { ...operation, state: 'removed' })
    await tx.none(touchItem, operation)
  })
}

/**
 * A worker that was away too long and lost its lease may have put up what nobody waits for any more. Where the intent is
 * over without it, it is ordered down; where the intent goes on, its new worker finds it.
 */
async function delistOrphan(
  services: Services,
  operation: ListingOperation,
  made: PublishedListing | null,
): Promise<void> {
  services.log.warn({ operation: operation.id }, 'a listing intent was taken over by another worker')
  if (!made) return
  await services.db.none(queueOrphanDelist, { ...operation, ...made, priority: priorities.sale })
  notify(services.db, delistChannel)
}
