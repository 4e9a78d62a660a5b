import { type Queries, sql } from '#server/infra/db/index.ts'
import { prepared, single } from '#server/infra/db/prepared.ts'
import { problem } from '#server/infra/errors.ts'
import { withShopAccess } from '#server/integrations/connections/with-shop-access.ts'
import type { ListingPort, ShopAccess } from '#server/integrations/port.ts'
import { inLane, type Lane } from '#server/integrations/quota/index.ts'
import type { Services } from '#server/services.ts'
import type { ListingOptions } from '#shared/contract/listings.ts'
import { type Intent, LeaseLost, NoLongerWanted } from './intent.ts'
import { tellOverdue } from './tell.ts'

const beat = sql(import.meta.url, './sql/beat.sql')
const beginStep = sql(import.meta.url, './sql/begin-step.sql')
const keepChoices = sql(import.meta.url, './sql/keep-choices.sql')
const acceptDelist = prepared(sql(import.meta.url, './sql/accept-delist.sql'))
const acceptIntent = sql(import.meta.url, './sql/accept-intent.sql')
const putOffIntent = sql(import.meta.url, './sql/put-off-intent.sql')
const finishIntent = prepared(sql(import.meta.url, './sql/finish-intent.sql'))

interface Held {
  is_cancelled: boolean
}

/** Told of each named step before it happens; a test stops the worker by throwing from it. */
export type OnStep = (name: string, intent: Intent) => Promise<void>

/**
 * A worker's hold on an intent. Every write names the lease; one that nobody holds any more throws LeaseLost, and what
 * runs stops.
 */
export interface Hold {
  readonly services: Services
  readonly intent: Intent
  readonly signal: AbortSignal
  /** A point of the way with nothing sent: only told. */
  pass(name: string): Promise<void>
  /** Before an external effect. Throws NoLongerWanted when the listing was cancelled meanwhile. */
  step(name: string, made?: string): Promise<void>
  beat(): Promise<void>
  keepChoices(options: ListingOptions): Promise<void>
  accept(queries: Queries, made?: { listing_id: string; url: string }): Promise<Held>
  /** The platform took the order to end the listing; answers how long the listing is known, null for one that is not. */
  acceptDelist(): Promise<{ known_ms: number | null }>
  putOff(later: PutOff): Promise<void>
  finish(queries: Queries, end: End): Promise<{ took_ms: number | null }>
  /** Runs with the platform's listing side and a working token of the intent's shop, or of another of the seller's. */
  onPlatform<T>(
    work: (port: ListingPort, access: ShopAccess) => Promise<T>,
    shop?: Pick<Intent, 'user_id' | 'seller_account_uid'>,
  ): Promise<T>
}

export interface PutOff {
  afterMs: number
  failed?: boolean
  error_code?: string | null
  error_message?: string | null
  /** What was put up is no longer wanted from now on. */
  cancel?: boolean
  alarm?: boolean
}

export interface End {
  state: 'done' | 'failed' | 'cancelled'
  /** Read back and found so. */
  confirmed?: boolean
  error_code?: string | null
  error_message?: string | null
}

/** A hold on a claimed intent, for `leaseMs` from each beat or step on. */
export function holdIntent(
  services: Services,
  intent: Intent,
  options: { leaseMs: number; signal: AbortSignal; onStep: OnStep; onPutOff?: (afterMs: number) => void },
): Hold {
  const lease = {
    user_id: intent.user_id,
    id: intent.id,
    lease_epoch: intent.lease_epoch,
    lease_ms: options.leaseMs,
  }
  const held = async <Row extends Held>(rows: Promise<Row | null>): Promise<Row> => {
    const row = await rows
    if (!row) throw new LeaseLost(`intent ${intent.id} is not ours any more`)
    return row
  }
  const { db } = services
  return {
    services,
    intent,
    signal: options.signal,
    pass: (name) => options.onStep(name, intent),
    async step(name, made) {
      options.signal.throwIfAborted()
      const { is_cancelled } = await held<Held>(
        db.oneOrNone(beginStep, { ...lease, step: name, listing_id: made ?? null }),
      )
      if (is_cancelled && intent.kind === 'list' && !intent.is_cancelled) throw new NoLongerWanted(name)
      await options.onStep(name, intent)
    },
    async beat() {
      await held(db.oneOrNone<Held>(beat, lease))
    },
    async keepChoices(chosen) {
      await held(db.oneOrNone<Held>(keepChoices, { ...lease, options: chosen }))
    },
    accept: (queries, made) =>
      held<Held>(
        queries.oneOrNone(acceptIntent, {
          ...lease,
          listing_id: made?.listing_id ?? null,
          listing_url: made?.url ?? null,
        }),
      ),
    acceptDelist: () => held(db.oneOrNone<Held & { known_ms: number | null }>(single(acceptDelist, lease))),
    async putOff({ afterMs, failed = false, cancel = false, alarm = false, ...error }) {
      const isNewAlarm = alarm && !intent.is_alarmed
      await db.tx('put-off-intent', async (tx) => {
        await held<Held>(
          tx.oneOrNone(putOffIntent, {
            error_code: null,
            error_message: null,
            ...error,
            ...lease,
            due_at: intent.due_at,
            after_ms: Math.round(afterMs),
            failed,
            cancel,
            alarm,
          }),
        )
        if (isNewAlarm) await tellOverdue(tx, intent, error.error_message ?? null)
      })
      options.onPutOff?.(afterMs)
      if (isNewAlarm) {
        services.log.error(
          { intent: intent.id, user_id: intent.user_id, platform: intent.platform, listing_id: intent.listing_id },
          'a listing that should be down is not proven to be',
        )
      }
    },
    async finish(queries, end) {
      const row = await held<Held & { took_ms: number | null }>(
        queries.oneOrNone(finishIntent, { ...noError, ...end, confirmed: end.confirmed ?? false, ...lease }),
      )
      return { took_ms: row.took_ms }
    },
    onPlatform: (work, shop = intent) =>
      inLane(laneOf(intent), () =>
        withShopAccess(
          services,
          { user_id: shop.user_id, seller_account_uid: shop.seller_account_uid },
          (access, adapter) => {
            if (!adapter.listings) throw problem('platform_not_configured')
            return work(adapter.listings, access)
          },
          options.signal,
        ),
      ),
  }
}

function laneOf({ kind, is_cancelled, cause }: Intent): Lane {
  if (kind === 'delist' || is_cancelled) return 'delist'
  return cause === 'bulk' ? 'list' : 'screen'
}

const noError = { error_code: null, error_message: null }
