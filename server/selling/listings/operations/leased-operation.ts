import type { Queries } from '#server/infra/db/index.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { problem } from '#server/infra/errors.ts'
import { underLease } from '#server/infra/jobs/lease.ts'
import { withShopAccess } from '#server/integrations/connections/with-shop-access.ts'
import type { BeforeSend, ListingPort, ShopAccess } from '#server/integrations/port.ts'
import { type Priority, withPriority } from '#server/integrations/quota/index.ts'
import { withWarnings } from '#server/integrations/warnings.ts'
import type { Services } from '#server/services.ts'
import type { ListingOptions } from '#shared/contract/selling/listings.ts'
import { type ListingOperation, NoLongerWantedError } from '../operation.ts'
import { raiseOverdueAlert } from './listing-events.ts'
import * as sql from './queries.ts'
import { alertAfterMs, showAfterMs } from './retry-policy.ts'

interface Held {
  is_cancelled: boolean
}

/**
 * A claimed operation with the writes its worker may make. Every write names the lease. A lost lease throws
 * LeaseLostError, which ends the run.
 */
export interface LeasedOperation {
  readonly services: Services
  readonly operation: ListingOperation
  readonly signal: AbortSignal
  /**
   * Records what is about to be sent, and what the platform has made so far. Throws NoLongerWantedError if the listing
   * was cancelled meanwhile.
   */
  beforeSend: BeforeSend
  renewLease(): Promise<void>
  storeChosenOptions(options: ListingOptions): Promise<void>
  accept(queries: Queries, made?: { listing_id: string; url: string }): Promise<Held>
  /**
   * Stores that the platform accepted the delisting. Returns how long the listing has been known, null if it is
   * unknown.
   */
  acceptDelist(): Promise<{ known_ms: number | null }>
  postpone(later: Postponement): Promise<void>
  finish(queries: Queries, end: OperationEnd): Promise<{ took_ms: number | null }>
  /**
   * Runs `work` with the platform's listing port and a working token, of the operation's shop unless another is given.
   */
  onPlatform<T>(
    work: (port: ListingPort, access: ShopAccess) => Promise<T>,
    shop?: Pick<ListingOperation, 'user_id' | 'seller_account_uid'>,
  ): Promise<T>
}

interface Postponement {
  afterMs: number
  failed?: boolean
  error_code?: string | null
  error_message?: string | null
  /** Cancel the listing: it is no longer wanted. */
  cancel?: boolean
  alert?: boolean
  /** The steps that only the seller can take meanwhile, for the alert. */
  advice?: string
}

interface OperationEnd {
  state: 'done' | 'failed' | 'cancelled'
  /** Verified by reading it back. */
  confirmed?: boolean
  error_code?: string | null
  error_message?: string | null
}

/** Returns the handle on a claimed operation. Its lease lasts `leaseMs` from each renewal or send. */
export function leaseOperation(
  services: Services,
  operation: ListingOperation,
  options: { leaseMs: number; signal: AbortSignal; onPostponed?: (afterMs: number) => void },
): LeasedOperation {
  const lease = {
    user_id: operation.user_id,
    id: operation.id,
    lease_epoch: operation.lease_epoch,
    lease_ms: options.leaseMs,
  }
  const held = <Row>(statement: Promise<Row | null>) => underLease(`listing operation ${operation.id}`, statement)
  const { db } = services
  const claimedMs = performance.now()
  /** Ms since the listing should be down. 0 for an operation that ends none. */
  const overdueMs = () => {
    const { kind, seen_ms_ago, cancelled_ms_ago } = operation
    const atClaim = kind === 'delist' ? seen_ms_ago : kind === 'list' ? cancelled_ms_ago : null
    return atClaim === null ? 0 : atClaim + performance.now() - claimedMs
  }
  return {
    services,
    operation,
    signal: options.signal,
    async beforeSend(name, made) {
      options.signal.throwIfAborted()
      const { is_cancelled } = await held(db.oneOrNone(sql.recordSend({ ...lease, listing_id: made ?? null })))
      if (is_cancelled && operation.kind === 'list' && !operation.is_cancelled) throw new NoLongerWantedError(name)
    },
    async renewLease() {
      await held(db.oneOrNone(sql.extendLease(lease)))
    },
    async storeChosenOptions(chosen) {
      await held(db.oneOrNone(sql.storeChosenOptions({ ...lease, options: chosen })))
    },
    accept: (queries, made) =>
      held(
        queries.oneOrNone(
          sql.acceptOperation({
            ...lease,
            listing_id: made?.listing_id ?? null,
            listing_url: made?.url ?? null,
          }),
        ),
      ),
    acceptDelist: () => held(db.oneOrNone(sql.acceptDelist(lease))),
    async postpone({ afterMs, failed = false, cancel = false, alert = false, advice, ...error }) {
      const isOverdue = alert && !operation.is_alerted
      const isShown = !operation.is_alerted && overdueMs() > showAfterMs
      const isNews = advice !== undefined && advice !== operation.error_message
      await transaction(db, 'postpone-operation', async (tx) => {
        await held(
          tx.oneOrNone(
            sql.postponeOperation({
              error_code: null,
              error_message: null,
              ...error,
              ...lease,
              due_at: operation.due_at,
              after_ms: Math.round(afterMs),
              failed,
              cancel,
              alert,
            }),
          ),
        )
        if (isOverdue || isShown || isNews) {
          const notifyMs = isOverdue || isNews ? 0 : alertAfterMs - overdueMs()
          const why = error.error_message ?? null
          await raiseOverdueAlert(tx, operation, { why, advice, isOverdue, notifyMs })
        }
      })
      options.onPostponed?.(afterMs)
      if (isOverdue) {
        services.log.error(
          {
            operation: operation.id,
            user_id: operation.user_id,
            platform: operation.platform,
            listing_id: operation.listing_id,
          },
          'a listing is still not verified as down',
        )
      }
    },
    async finish(queries, end) {
      const row = await held(
        queries.oneOrNone(sql.finishOperation({ ...noError, ...end, confirmed: end.confirmed ?? false, ...lease })),
      )
      return { took_ms: row.took_ms }
    },
    async onPlatform(work, shop = operation) {
      const warnings = new Set<string>()
      const run = () =>
        withShopAccess(
          services,
          { user_id: shop.user_id, seller_account_uid: shop.seller_account_uid },
          (access, adapter) => {
            if (!adapter.listings) throw problem('platform_not_configured')
            return work(adapter.listings, access)
          },
          options.signal,
        )
      try {
        return await withWarnings(warnings.add.bind(warnings), () => withPriority(priorityOf(operation), run))
      } finally {
        if (warnings.size > 0) await db.none(sql.storeWarnings({ ...lease, warnings: [...warnings] }))
      }
    },
  }
}

function priorityOf({ kind, is_cancelled, cause }: ListingOperation): Priority {
  if (kind === 'delist' || is_cancelled) return 'delist'
  return cause === 'bulk' ? 'list' : 'screen'
}

const noError = { error_code: null, error_message: null }
