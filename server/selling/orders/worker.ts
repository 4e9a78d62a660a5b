import { claimByUser } from '#server/infra/jobs/claim-by-user.ts'
import { startClaimWorker } from '#server/infra/jobs/claim-worker.ts'
import type { Services } from '#server/services.ts'
import { checkSoldListing, type ListingCheck } from './check-sold-listing.ts'
import { fetchRequestedOrder, type OrderFetchRequest } from './fetch-order.ts'
import { fetchLeaseSeconds } from './fetch-retry.ts'
import * as sql from './queries.ts'
import { overlapEverySeconds, overlapSeconds, shortOverlapSeconds } from './read-budgets.ts'
import { type DueShop, leaseSeconds, readShop } from './read-shop.ts'

/** Notifies workers of a stored push. */
export const orderFetchChannel = 'order_fetch_request'

interface OrderWorker {
  wake(): void
  stop(graceMs?: number): Promise<void>
}

/** Starts reading orders: pushed ones at once, every shop when due, and checks of sold listings. */
export function startOrderWorker(services: Services, options: { pollMs?: number } = {}): OrderWorker {
  const { db, platforms, config } = services
  const { pollMs } = options
  const withOrders = [...platforms.values()].filter((adapter) => adapter.orders).map(({ slug }) => slug)
  const times = {
    lease_seconds: leaseSeconds,
    overlap_seconds: overlapSeconds,
    overlap_every_seconds: overlapEverySeconds,
    short_seconds: shortOverlapSeconds,
  }
  let spread: Promise<unknown> | null = null
  /** Spreads shops that fell due while no worker ran, so that they are not all read in the first second. */
  const spreadOnce = () => {
    spread ??= db.none(sql.spreadDue({ fastest_seconds: config.ORDER_POLL_SECONDS })).catch((error: unknown) => {
      spread = null
      throw error
    })
    return spread
  }
  const workers = [
    startClaimWorker<OrderFetchRequest>(services, {
      name: 'order-fetches',
      channel: orderFetchChannel,
      concurrency: 24,
      pollMs,
      claim: (count) =>
        claimByUser(
          () => db.any(sql.listDueFetches({ count })),
          (user_id, due) => {
            const order_ids = due.map((row) => row.external_order_id)
            return db.any(sql.claimFetchRequests({ user_id, order_ids, lease_seconds: fetchLeaseSeconds }))
          },
        ),
      run: (request, signal) => fetchRequestedOrder(services, request, signal),
    }),
    startClaimWorker<DueShop>(services, {
      name: 'order-sync',
      concurrency: 8,
      pollMs,
      claim: async (count) => {
        await spreadOnce()
        return claimByUser(
          () => db.any(sql.listDueShops({ count, platforms: withOrders })),
          (user_id, due) =>
            db.any(sql.claimShops({ user_id, uids: due.map((row) => row.seller_account_uid), ...times })),
        )
      },
      run: (due, signal) => readShop(services, due, signal),
    }),
    startClaimWorker<ListingCheck>(services, {
      name: 'sold-listings',
      concurrency: 4,
      pollMs,
      claim: (count) =>
        claimByUser(
          () => db.any(sql.listDueListingChecks({ count })),
          (user_id, due) => db.any(sql.claimListingChecks({ user_id, order_uids: due.map((row) => row.order_uid) })),
        ),
      run: (check, signal) => checkSoldListing(services, check, signal),
    }),
  ]
  return {
    wake: () => {
      for (const worker of workers) worker.wake()
    },
    async stop(graceMs) {
      await Promise.all(workers.map((worker) => worker.stop(graceMs)))
    },
  }
}
