import type { RowOf } from '#server/infra/db/statement.ts'
import { HttpProblem } from '#server/infra/errors.ts'
import { withShopAccess } from '#server/integrations/connections/with-shop-access.ts'
import { PlatformError } from '#server/integrations/errors.ts'
import { withPriority } from '#server/integrations/quota/index.ts'
import { findRelistedOrdered } from '#server/selling/listings/reconcile/find-relistings.ts'
import { recordSale } from '#server/selling/sales/record-sale.ts'
import type { Services } from '#server/services.ts'
import { fetchRetrySeconds } from './fetch-retry.ts'
import * as sql from './queries.ts'
import { noteOf, toReportedOrder } from './to-reported-order.ts'

/** An order named by a push (`claimFetchRequests`). */
export type OrderFetchRequest = RowOf<typeof sql.claimFetchRequests>

/**
 * Fetches an order that a push named, with its owner's token, and records the platform's answer. The push itself
 * changes nothing.
 */
export async function fetchRequestedOrder(
  services: Services,
  request: OrderFetchRequest,
  signal: AbortSignal,
): Promise<void> {
  try {
    const order = await withPriority('sale', () =>
      withShopAccess(
        services,
        request,
        async (access, { orders }) => orders?.readOrder(access, request.external_order_id) ?? null,
        signal,
      ),
    )
    if (!order) {
      const after_seconds = fetchRetrySeconds(request.attempts, 'unknown')
      if (after_seconds === null) await services.db.none(sql.finishFetchRequest({ ...request, unknown: true }))
      else await services.db.none(sql.postponeFetchRequest({ ...request, after_seconds }))
      return
    }
    await findRelistedOrdered(services, request, order.lines, signal)
    const evidence = { by: 'push' as const, seen_at: request.received_at, ...noteOf(request.platform, order) }
    const sale = { order: toReportedOrder(request, order), evidence }
    await recordSale(services.db, request.user_id, sale, {
      also: (tx) => tx.none(sql.finishFetchRequest({ ...request, unknown: false })),
    })
  } catch (error) {
    if (signal.aborted) throw error
    // The shop or its account is gone.
    if (error instanceof HttpProblem && error.code === 'not_found') {
      await services.db.none(sql.finishFetchRequest({ ...request, unknown: true }))
      return
    }
    if (!(error instanceof PlatformError)) throw error
    services.log.warn({ err: error, seller_account_uid: request.seller_account_uid }, 'an order could not be fetched')
    const reported = (error.retryAfterMs ?? 0) / 1_000
    // Waiting for a free call is no failure, so the order waits no longer than necessary.
    const isTurn = error.failure === 'rate_limited' && reported > 0
    const after_seconds = isTurn ? reported : Math.max(fetchRetrySeconds(request.attempts, 'failed') ?? 0, reported)
    await services.db.none(sql.postponeFetchRequest({ ...request, after_seconds }))
  }
}
