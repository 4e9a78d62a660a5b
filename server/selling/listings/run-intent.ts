import { type Database, sql } from '#server/infra/db/index.ts'
import { notify } from '#server/infra/db/notices.ts'
import { HttpProblem } from '#server/infra/errors.ts'
import { PlatformError } from '#server/integrations/errors.ts'
import type { PublishedListing } from '#server/integrations/port.ts'
import { openTask } from '#server/selling/tasks/open-task.ts'
import type { Services } from '#server/services.ts'
import { platformOf } from '#shared/platforms.ts'
import { alarmAfterMs, type Failure, judgeFailure } from './decide-wait.ts'
import { type Hold, holdIntent, type OnStep } from './hold.ts'
import { type Intent, LeaseLost, NoLongerWanted } from './intent.ts'
import { intentChannel, priorities } from './intents.ts'
import { runDelist } from './run-delist.ts'
import { runList } from './run-list.ts'
import { runReprice } from './run-reprice.ts'
import { tellListing } from './tell.ts'

const closeIntents = sql(import.meta.url, '../tasks/sql/close-delist-intents.sql')
const endListing = sql(import.meta.url, './sql/end-listing.sql')
const lockItem = sql(import.meta.url, './sql/lock-item-state.sql')
const touchItem = sql(import.meta.url, './sql/touch-item.sql')
const findTaskDone = sql(import.meta.url, './sql/find-task-done.sql')
const orderLostDown = sql(import.meta.url, './sql/order-lost-down.sql')

/** The longest wait between two looks for a listing that may have been made, as of one that comes down. */
const lookEveryMs = 600_000

/** Thrown by a test's step hook to stop a worker as a crash would: nothing is written any more. */
export class StoppedDead extends Error {
  override name = 'StoppedDead'
}

export interface RunOptions {
  leaseMs: number
  signal: AbortSignal
  onStep: OnStep
  /** Told when the intent will be due again. */
  onPutOff?: (afterMs: number) => void
}

/** Works on a claimed intent once: afterwards it is over, or put off, or was lost to another worker. Never throws. */
export async function runIntent(services: Services, intent: Intent, options: RunOptions): Promise<void> {
  const lost = new AbortController()
  const signal = AbortSignal.any([options.signal, lost.signal])
  const hold = holdIntent(services, intent, { ...options, signal })
  const heart = setInterval(() => {
    hold.beat().catch((error: unknown) => {
      if (error instanceof LeaseLost) lost.abort(error)
      else services.log.warn({ err: error, intent: intent.id }, 'the lease of a listing intent was not renewed')
    })
  }, options.leaseMs / 3)
  try {
    await runKind(hold)
  } catch (error) {
    if (error instanceof StoppedDead) return
    const isStopping = options.signal.aborted && !(error instanceof LeaseLost)
    await settle(hold, isStopping ? null : error).catch((again: unknown) =>
      // Its lease runs out, and the next worker takes it.
      services.log.error({ err: again, intent: intent.id }, 'a listing intent could not be put off'),
    )
  } finally {
    clearInterval(heart)
  }
}

function runKind(hold: Hold): Promise<void> {
  if (hold.intent.kind === 'delist') return runDelist(hold)
  return hold.intent.kind === 'list' ? runList(hold) : runReprice(hold)
}

/** What follows from an attempt that ended early. `error` null: this worker is stopping. */
async function settle(hold: Hold, error: unknown): Promise<void> {
  const { intent, services } = hold
  if (error instanceof LeaseLost) return orderDownWhatWasMade(services, intent, error.made)
  try {
    if (error === null || error instanceof NoLongerWanted) return await hold.putOff({ afterMs: 0 })
    // What may be up and should not be is treated like what should come down.
    const kind = intent.is_cancelled && intent.kind === 'list' ? 'delist' : intent.kind
    const failure = judgeFailure(error, { ...intent, kind })
    services.log.warn(
      { err: error, intent: intent.id, kind: intent.kind, platform: intent.platform, verdict: failure.verdict },
      'a listing intent failed',
    )
    if (intent.kind === 'delist') return await insist(hold, failure)
    if (kind === 'delist') return await lookOn(hold, failure)
    if (failure.verdict !== 'give_up') return await hold.putOff({ ...failure, failed: true })
    // It is up and recorded as such: only the proof is missing, and waits for whoever can be asked.
    if (intent.is_accepted && failure.error_code !== 'connection_required')
      return await hold.putOff({ afterMs: lookEveryMs, failed: true })
    if (intent.kind === 'reprice' || intent.is_accepted || (intent.sent_ms_ago === null && isDefinite(error)))
      return await fail(hold, failure)
    // Something may have been made by this or an earlier attempt: it is looked for before this ends.
    await hold.putOff({ ...failure, afterMs: 0, failed: true, cancel: true })
  } catch (again) {
    if (!(again instanceof LeaseLost)) throw again
    await orderDownWhatWasMade(services, intent, null)
  }
}

/** The platform, or we, said no: nothing was made by this attempt. */
function isDefinite(error: unknown): boolean {
  return error instanceof HttpProblem || (error instanceof PlatformError && !error.retryable)
}

async function fail(hold: Hold, failure: Pick<Failure, 'error_code' | 'error_message'>): Promise<void> {
  await hold.services.db.tx('listing-failed', async (tx) => {
    await hold.finish(tx, { state: 'failed', ...failure })
    const { error_code, error_message } = failure
    const action = hold.intent.kind === 'reprice' ? 'change_price' : 'list'
    await tellListing(tx, 'listing.failed', hold.intent, { action, error_code, error_message })
  })
}

/**
 * Looking for what an attempt may have made failed too. It may be nothing; until the platform has said so it may as well
 * be live, so it is looked for on and on, less and less often, with the alarm and the task of a listing that does not come
 * down.
 */
async function lookOn(hold: Hold, failure: Failure): Promise<void> {
  const { sent_ms_ago, cancelled_ms_ago } = hold.intent
  if (sent_ms_ago === null) return fail(hold, hold.intent.error_code ? earlierFailure(hold.intent) : failure)
  const sinceMs = cancelled_ms_ago ?? 0
  const isParked = failure.verdict === 'park'
  const afterMs = Math.max(failure.afterMs, Math.min(sinceMs / 4, lookEveryMs), 1_000)
  // Why it was given up stays: that is what who asked for it is told.
  await hold.putOff({ afterMs, failed: true, alarm: isParked || sinceMs + afterMs > alarmAfterMs })
  if (isParked) await askSeller(hold.services.db, hold.intent)
}

function earlierFailure({ error_code, error_message }: Intent): Pick<Failure, 'error_code' | 'error_message'> {
  return { error_code: error_code as Failure['error_code'], error_message: error_message ?? '' }
}

/** A listing that should come down: tried on for ever; where the shop is lost, the seller is asked at once. */
async function insist(hold: Hold, failure: Failure): Promise<void> {
  const isParked = failure.verdict === 'park'
  await hold.putOff({
    ...failure,
    failed: true,
    alarm: isParked || hold.intent.seen_ms_ago > alarmAfterMs,
  })
  if (isParked) await askSeller(hold.services.db, hold.intent)
}

async function askSeller(db: Database, intent: Intent): Promise<void> {
  const said = await db.oneOrNone<{ is_last_word: boolean }>(findTaskDone, intent)
  if (said?.is_last_word) return takeTheirWord(db, intent)
  // Who has said that it is down is not asked again: what is left is to read it back.
  if (said) return
  const platform = platformOf(intent.platform)
  const what =
    intent.kind === 'list' ? 'if the listing that was being put up is there, take it down' : 'take it down there'
  await openTask(db, {
    user_id: intent.user_id,
    kind: 'delist',
    platform: intent.platform,
    item_uid: intent.item_uid,
    seller_account_uid: intent.seller_account_uid,
    reason: `${platform.name} no longer lets Hapax in: ${what}, or connect the shop again`,
    url: intent.listing_url ?? platform.url,
    listing_id: intent.listing_id,
    cause: intent.cause,
    cause_ref: intent.cause_ref,
  })
}

/** The seller has said that it is down, and has disconnected its shop since: there is no other word to be had. */
async function takeTheirWord(db: Database, intent: Intent): Promise<void> {
  await db.tx('take-their-word', async (tx) => {
    await tx.oneOrNone(lockItem, intent)
    await tx.any(closeIntents, intent)
    await tx.none(endListing, { ...intent, state: 'removed' })
    await tx.none(touchItem, intent)
  })
}

/**
 * A worker that was away too long and lost its lease may have put up what nobody waits for any more. Where the intent is
 * over without it, it is ordered down; where the intent goes on, its new worker finds it.
 */
async function orderDownWhatWasMade(services: Services, intent: Intent, made: PublishedListing | null): Promise<void> {
  services.log.warn({ intent: intent.id }, 'a listing intent was taken over by another worker')
  if (!made) return
  await services.db.none(orderLostDown, { ...intent, ...made, priority: priorities.sale })
  notify(services.db, intentChannel)
}
