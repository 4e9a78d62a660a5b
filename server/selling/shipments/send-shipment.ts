import type { Queries } from '#server/infra/db/index.ts'
import type { RowOf } from '#server/infra/db/statement.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { HttpProblem, problem } from '#server/infra/errors.ts'
import type { JobKind } from '#server/infra/jobs/index.ts'
import { LeaseLostError, underLease } from '#server/infra/jobs/lease.ts'
import { withShopAccess } from '#server/integrations/connections/with-shop-access.ts'
import { PlatformError } from '#server/integrations/errors.ts'
import type { ParcelSent, ShippedOrder, ShippingPort, ShopAccess } from '#server/integrations/port.ts'
import { withPriority } from '#server/integrations/quota/index.ts'
import type { Services } from '#server/services.ts'
import type { ErrorCode } from '#shared/contract/declaring/errors.ts'
import { platformOf } from '#shared/platforms.ts'
import { sendQueue } from './mark-shipped.ts'
import * as sql from './queries.ts'

interface Sending {
  user_id: number
  order_uid: string
}

type Leased = RowOf<typeof sql.claimShipment>

/** The outcome of an attempt: it is over, or another one comes. */
type Outcome =
  | { shipped: ShippedOrder | null }
  | { again: { afterMs: number; code: ErrorCode | null; message: string | null; isFailure: boolean } }
  | { refused: { code: ErrorCode; message: string } }

/** Lease of an attempt: longer than its calls with their timeouts. */
const leaseSeconds = 120
/** How long a request whose answer was lost may take to arrive and show. Nothing is sent again before. */
const settleMs = 180_000
/** How long an order that the marketplace took is read again until it shows. Later readings of its orders go on. */
const showMs = 60_000
/** How long a marketplace that does not answer is tried. */
const longestMs = 3 * 86_400_000

/** The job that tells a marketplace that an order is shipped. */
export function shipmentsJobs(services: Services): JobKind<Sending>[] {
  return [
    {
      queue: sendQueue,
      concurrency: 4,
      unique: true,
      retryLimit: 20,
      retryDelaySeconds: 5,
      longestRetryDelaySeconds: 300,
      heartbeatSeconds: 20,
      expireInSeconds: leaseSeconds,
      run: (sending, signal) => sendShipment(services, sending, signal),
    },
  ]
}

/**
 * Tells a marketplace once that an order is shipped. Reads the order before anything is sent, and afterwards until it
 * shows. A crash or a second worker repeats the reading only.
 */
export async function sendShipment(services: Services, sending: Sending, signal: AbortSignal): Promise<void> {
  const { db, jobs } = services
  const leased = await db.oneOrNone(sql.claimShipment({ ...sending, lease_seconds: leaseSeconds }))
  if (!leased) {
    // The holder of the lease may be dead.
    const held = await db.oneOrNone(sql.findLease(sending))
    const startAfterSeconds = Math.ceil(held?.left_seconds ?? 0) + 1
    if (held) await jobs.send(db, sendQueue, sending, { key: sending.order_uid, startAfterSeconds })
    return
  }
  try {
    await settle(services, leased, await attempt(services, leased, signal))
  } catch (error) {
    // Taken back, or reported by the marketplace meanwhile.
    if (error instanceof LeaseLostError) return
    throw error
  }
}

async function attempt(services: Services, leased: Leased, signal: AbortSignal): Promise<Outcome> {
  if (leased.due_ms_ago < 0) return wait(-leased.due_ms_ago)
  if (leased.lines.length === 0) return { refused: { code: 'conflict', message: 'The order was canceled.' } }
  try {
    return await withPriority('screen', () =>
      withShopAccess(
        services,
        leased,
        (access, { shipping }) => {
          if (!shipping) throw problem('platform_not_configured')
          return tell(services, leased, shipping, access)
        },
        signal,
      ),
    )
  } catch (error) {
    if (signal.aborted) throw error
    if (error instanceof HttpProblem) return { refused: { code: error.code, message: error.message } }
    if (!(error instanceof PlatformError)) throw error
    services.log.warn({ err: error, order_uid: leased.order_uid }, 'a marketplace could not be told of a parcel')
    return classify(error, leased)
  }
}

async function tell(
  { db }: Pick<Services, 'db'>,
  leased: Leased,
  port: ShippingPort,
  access: ShopAccess,
): Promise<Outcome> {
  const parcel: ParcelSent = leased
  const shown = await port.readShipped(access, parcel)
  if (shown) return { shipped: shown }
  const { sent_ms_ago } = leased
  if (leased.is_accepted) return (sent_ms_ago ?? 0) < showMs ? wait(5_000) : { shipped: null }
  if (sent_ms_ago !== null && sent_ms_ago < settleMs) return wait(settleMs - sent_ms_ago)
  await underLease(leased.order_uid, db.oneOrNone(sql.beginSending(leased)))
  try {
    await port.sendShipped(access, parcel)
  } catch (error) {
    // An answer says that nothing was made; without one the request may have arrived.
    if (error instanceof PlatformError && !['unavailable', 'malformed'].includes(error.failure))
      await db.none(sql.forgetSending(leased))
    throw error
  }
  await underLease(leased.order_uid, db.oneOrNone(sql.acceptShipment(leased)))
  const after = await port.readShipped(access, parcel)
  return after ? { shipped: after } : wait(2_000)
}

const wait = (afterMs: number): Outcome => ({ again: { afterMs, code: null, message: null, isFailure: false } })

/** Decides what follows from a failure, as for listings: a rate limit is a wait, a refusal goes back to the seller. */
function classify(error: PlatformError, { failures, due_ms_ago }: Leased): Outcome {
  const { message } = error
  switch (error.failure) {
    case 'reconnect':
    case 'unauthorized':
      return { refused: { code: 'reconnect_required', message } }
    case 'refused':
    case 'not_found':
      return { refused: { code: 'platform_failed', message } }
    default: {
      if (due_ms_ago > longestMs) return { refused: { code: 'platform_failed', message } }
      const afterMs = Math.max(error.retryAfterMs ?? 0, Math.min(1_000 * 2 ** Math.min(failures, 12), 900_000))
      return { again: { afterMs, code: 'platform_failed', message, isFailure: true } }
    }
  }
}

async function settle({ db, jobs, log }: Services, leased: Leased, outcome: Outcome): Promise<void> {
  const { order_uid, user_id } = leased
  const own = (statement: Promise<{ order_uid: string } | null>) => underLease(order_uid, statement)
  if ('refused' in outcome) {
    const { code: error_code, message: error_message } = outcome.refused
    await own(db.oneOrNone(sql.refuseShipment({ ...leased, error_code, error_message })))
    return
  }
  if ('shipped' in outcome) {
    const { shipped } = outcome
    if (!shipped) log.warn({ order_uid }, `${platformOf(leased.platform).name} does not show a parcel that it took`)
    await own(db.oneOrNone(sql.finishShipment({ ...leased, is_shown: shipped !== null, ...trackingOf(shipped) })))
    return
  }
  const { afterMs, code: error_code, message: error_message, isFailure: is_failure } = outcome.again
  await transaction(db, 'postpone-shipment', async (tx: Queries) => {
    await own(tx.oneOrNone(sql.postponeShipment({ ...leased, is_failure, error_code, error_message })))
    const startAfterSeconds = Math.ceil(afterMs / 1_000)
    await jobs.send(tx, sendQueue, { user_id, order_uid }, { key: order_uid, startAfterSeconds })
  })
}

/** Returns the tracking that the marketplace shows, which counts before what the seller entered here. */
const trackingOf = (shown: ShippedOrder | null) =>
  shown?.tracking_number
    ? { carrier: shown.carrier, tracking_number: shown.tracking_number }
    : { carrier: null, tracking_number: null }
