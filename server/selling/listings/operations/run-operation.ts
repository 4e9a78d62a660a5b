import type { Database } from '#server/infra/db/index.ts'
import { notify } from '#server/infra/db/pubsub.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { HttpProblem } from '#server/infra/errors.ts'
import { holdLease, LeaseLostError } from '#server/infra/jobs/lease.ts'
import { PlatformError } from '#server/integrations/errors.ts'
import type { PublishedListing } from '#server/integrations/port.ts'
import { openTask } from '#server/selling/tasks/open-task.ts'
import type { Services } from '#server/services.ts'
import { platformOf } from '#shared/platforms.ts'
import {
  delistChannel,
  type ListingOperation,
  NoLongerWantedError,
  OrphanedListingError,
  priorities,
} from '../operation.ts'
import * as listingsSql from '../queries.ts'
import { type LeasedOperation, leaseOperation } from './leased-operation.ts'
import { emitListingEvent, raiseRefusedListing, raiseRefusedUpdate } from './listing-events.ts'
import * as sql from './queries.ts'
import { alertAfterMs, classifyFailure, type Failure } from './retry-policy.ts'
import { runDelist } from './run-delist.ts'
import { runList } from './run-list.ts'
import { runUpdate } from './run-update.ts'

/** Longest wait between two searches for a listing that may have been made. */
const lookEveryMs = 600_000

export interface RunOptions {
  leaseMs: number
  signal: AbortSignal
  /** Called with the time until the operation is due again. */
  onPostponed?: (afterMs: number) => void
}

/** Works on a claimed operation once. Afterwards it is finished, postponed, or lost to another worker. Never throws. */
export async function runOperation(
  services: Services,
  operation: ListingOperation,
  options: RunOptions,
): Promise<void> {
  const { lost, release } = holdLease(services, {
    work: `listing operation ${operation.id}`,
    everyMs: options.leaseMs / 3,
    renew: () => leased.renewLease(),
  })
  const leased = leaseOperation(services, operation, { ...options, signal: AbortSignal.any([options.signal, lost]) })
  try {
    await runKind(leased)
  } catch (error) {
    const isStopping = options.signal.aborted && !(error instanceof LeaseLostError)
    await settle(leased, isStopping ? null : error).catch((again: unknown) =>
      // Its lease expires, and the next worker takes it.
      services.log.error({ err: again, operation: operation.id }, 'a listing operation could not be postponed'),
    )
  } finally {
    release()
  }
}

function runKind(leased: LeasedOperation): Promise<void> {
  if (leased.operation.kind === 'delist') return runDelist(leased)
  return leased.operation.kind === 'list' ? runList(leased) : runUpdate(leased)
}

/** Handles an attempt that ended early. `error` null: this worker is stopping. */
async function settle(leased: LeasedOperation, error: unknown): Promise<void> {
  const { operation, services } = leased
  if (error instanceof LeaseLostError) {
    return delistOrphan(services, operation, error instanceof OrphanedListingError ? error.listing : null)
  }
  try {
    if (error === null || error instanceof NoLongerWantedError) return await leased.postpone({ afterMs: 0 })
    // An unwanted listing that may be live is treated like a delist.
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
      'a listing operation failed',
    )
    if (operation.kind === 'delist') return await retryDelist(leased, failure)
    if (kind === 'delist') return await retryLookup(leased, failure)
    if (failure.action !== 'give_up') return await leased.postpone({ ...failure, failed: !failure.isWait })
    // The listing is live and recorded. Only its verification is missing, and it waits.
    if (operation.is_accepted && failure.error_code !== 'connection_required')
      return await leased.postpone({ afterMs: lookEveryMs, failed: true })
    if (operation.kind !== 'list' || operation.is_accepted || (operation.sent_ms_ago === null && isDefinite(error)))
      return await fail(leased, failure)
    // This or an earlier attempt may have made a listing. It is looked for before this ends.
    await leased.postpone({ ...failure, afterMs: 0, failed: true, cancel: true })
  } catch (again) {
    if (!(again instanceof LeaseLostError)) throw again
    await delistOrphan(services, operation, null)
  }
}

/** Returns whether the platform, or we, refused, so that this attempt made nothing. */
function isDefinite(error: unknown): boolean {
  return error instanceof HttpProblem || (error instanceof PlatformError && !error.retryable)
}

async function fail(leased: LeasedOperation, failure: Pick<Failure, 'error_code' | 'error_message'>): Promise<void> {
  await transaction(leased.services.db, 'fail-operation', async (tx) => {
    await leased.finish(tx, { state: 'failed', ...failure })
    const { error_code, error_message } = failure
    if (leased.operation.kind === 'list')
      await raiseRefusedListing(tx, leased.operation, failure, leased.services.times)
    else await raiseRefusedUpdate(tx, leased.operation, error_message)
    await emitListingEvent(tx, 'listing.failed', leased.operation, {
      action: actionOf(leased.operation),
      error_code,
      error_message,
    })
  })
}

/** Returns the action that an event calls failed. */
function actionOf({ kind, fields }: ListingOperation): 'list' | 'change_price' | 'update' {
  if (kind === 'list') return 'list'
  return fields && fields.length > 0 ? 'update' : 'change_price'
}

/**
 * Postpones the search for a listing that an attempt may have made, when the search itself failed. Until the platform
 * has answered, the listing may be live. So the search continues, less and less often, with the alert and task of an
 * overdue delist.
 */
async function retryLookup(leased: LeasedOperation, failure: Failure): Promise<void> {
  const { sent_ms_ago, cancelled_ms_ago } = leased.operation
  if (sent_ms_ago === null)
    return fail(leased, leased.operation.error_code ? earlierFailure(leased.operation) : failure)
  const sinceMs = cancelled_ms_ago ?? 0
  const isParked = failure.action === 'park'
  const afterMs = Math.max(failure.afterMs, Math.min(sinceMs / 4, lookEveryMs), 1_000)
  // Keep the first error: it is the one the caller sees.
  await leased.postpone({ afterMs, failed: true, alert: isParked || sinceMs + afterMs > alertAfterMs })
  if (isParked) await openDelistTask(leased.services.db, leased.operation)
}

function earlierFailure({
  error_code,
  error_message,
}: ListingOperation): Pick<Failure, 'error_code' | 'error_message'> {
  return { error_code: error_code as Failure['error_code'], error_message: error_message ?? '' }
}

/**
 * Postpones a failed delist, which never gives up. If the shop is lost, the seller gets a task at once; if only the
 * seller can act, an alert that says how.
 */
async function retryDelist(leased: LeasedOperation, failure: Failure): Promise<void> {
  const isParked = failure.action === 'park'
  await leased.postpone({
    ...failure,
    failed: true,
    alert: isParked || failure.needsSeller || leased.operation.seen_ms_ago > alertAfterMs,
    ...(failure.needsSeller ? { advice: failure.error_message } : {}),
  })
  if (isParked) await openDelistTask(leased.services.db, leased.operation)
}

async function openDelistTask(db: Database, operation: ListingOperation): Promise<void> {
  const said = await db.oneOrNone(sql.findTaskDone(operation))
  if (said?.is_last_word) return acceptSellerReport(db, operation)
  // A seller who reported it down is not asked again. It only has to be read back.
  if (said) return
  const platform = platformOf(operation.platform)
  const what =
    operation.kind === 'list' ? 'if the listing that was being put up is there, take it down' : 'take it down there'
  const { user_id, item_uid, seller_account_uid, listing_id, cause, cause_ref } = operation
  const reason = `${platform.name} no longer lets Hapax in: ${what}, or connect the shop again`
  const asked = { user_id, kind: 'delist', platform: platform.slug, item_uid, seller_account_uid, reason } as const
  const url = operation.listing_url ?? platform.url
  await transaction(db, 'open-delist-task', (tx) => openTask(tx, { ...asked, url, listing_id, cause, cause_ref }))
}

/** Accepts the seller's report that the listing is down: its shop is disconnected, so nothing can verify it. */
async function acceptSellerReport(db: Database, operation: ListingOperation): Promise<void> {
  await transaction(db, 'accept-seller-report', async (tx) => {
    await tx.oneOrNone(listingsSql.lockItemState(operation))
    await tx.any(sql.closeDelistOperations(operation))
    await tx.none(sql.endListing({ ...operation, state: 'removed' }))
    await tx.none(listingsSql.touchItem(operation))
    await emitListingEvent(tx, 'listing.updated', operation)
  })
}

/**
 * Delists a listing published by a worker that had lost its lease. If the operation goes on, its new worker finds the
 * listing itself.
 */
async function delistOrphan(
  services: Services,
  operation: ListingOperation,
  made: PublishedListing | null,
): Promise<void> {
  services.log.warn({ operation: operation.id }, 'a listing operation was taken over by another worker')
  if (!made) return
  await services.db.none(sql.delistLostListing({ ...operation, ...made, priority: priorities.sale }))
  notify(services.db, delistChannel)
}
