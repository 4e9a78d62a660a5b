import type { RowOf } from '#server/infra/db/statement.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { markSynced } from '#server/integrations/connections/mark-synced.ts'
import { withShopAccess } from '#server/integrations/connections/with-shop-access.ts'
import { PlatformError } from '#server/integrations/errors.ts'
import type { OrderPort, PlatformOrder, ShopAccess } from '#server/integrations/port.ts'
import { withPriority } from '#server/integrations/quota/index.ts'
import { findRelistedOrdered } from '#server/selling/listings/reconcile/find-relistings.ts'
import { recordSale } from '#server/selling/sales/record-sale.ts'
import type { Services } from '#server/services.ts'
import { failedReadingWait, nextReading } from './next-reading.ts'
import * as sql from './queries.ts'
import { noteOf, toReportedOrder } from './to-reported-order.ts'

/** A shop to read (`claimShops`). */
export type DueShop = RowOf<typeof sql.claimShops>

/** Lease of a reader. A second reader only repeats the first one's reads. */
export const leaseSeconds = 40
/** Stops an endless list of pages: far more than a shop can sell in a day. */
const maxPages = 200

const noWebhooks =
  'Etsy has sent no notice of a sale in this shop: webhooks need commercial access, an endpoint and the event order.paid'

/**
 * Reads a shop's orders that changed since the last reading, with overlap, and records each. Crashes and
 * parallel readers only cause repetition.
 */
export async function readShop(services: Services, due: DueShop, signal: AbortSignal): Promise<void> {
  let calls = 0
  try {
    const found = await withPriority('orders', () =>
      withShopAccess(
        services,
        due,
        async (access, adapter) => {
          if (!adapter.orders) return { newest: null, missedPush: false }
          return readPages(services, due, adapter.orders, access, () => calls++)
        },
        signal,
      ),
    )
    const spent = await services.db.oneOrNone(sql.spendCalls({ platform: due.platform, calls }))
    const after_seconds = nextReading({
      plannedSeconds: due.interval_seconds,
      fastestSeconds: services.config.ORDER_POLL_SECONDS,
      fullness: spent?.fullness ?? 0,
    })
    const finished = await transaction(services.db, 'finish-reading', async (tx) => {
      const row = await tx.oneOrNone(
        sql.finishReading({
          ...due,
          after_seconds,
          newest_order_at: found.newest,
          missed_push: found.missedPush,
        }),
      )
      await markSynced(tx, due)
      return row
    })
    if (found.missedPush && finished?.is_unpushed && due.platform === 'etsy' && services.config.ETSY_WEBHOOK_SECRET) {
      services.log.warn({ seller_account_uid: due.seller_account_uid }, noWebhooks)
    }
  } catch (error) {
    if (signal.aborted) throw error
    await services.db.any(sql.spendCalls({ platform: due.platform, calls }))
    await services.db.none(sql.failReading({ ...due, ...classifyReadFailure(error, due) }))
    if (!(error instanceof PlatformError)) throw error
    services.log.warn({ err: error, seller_account_uid: due.seller_account_uid }, 'orders could not be read')
    return
  }
  if (due.is_again && services.platforms.get(due.platform)?.orders?.readAgain) await readAgain(services, due, signal)
}

/**
 * Reads a page of a shop's orders again, since some changes leave no trace in the list of changed orders: daily those to be
 * shipped, weekly all of the last 60 days. Records known orders only, because an older one may be of an item's past.
 */
async function readAgain(services: Services, due: DueShop, signal: AbortSignal): Promise<void> {
  const { db } = services
  const from = await db.oneOrNone(sql.claimReadingAgain(due))
  if (!from) return
  const { cursor, ordered_since } = from
  try {
    await db.any(sql.spendCalls({ platform: due.platform, calls: 1 }))
    const page = await withPriority('details', () =>
      withShopAccess(
        services,
        due,
        async (access, { orders }) => orders?.readAgain?.(access, { orderedSince: ordered_since, cursor }) ?? null,
        signal,
      ),
    )
    for (const order of await withoutKnown(services, due, page?.orders ?? [], 'changed')) {
      await record(services, due, order)
    }
    await db.none(sql.finishReadingAgain({ ...due, cursor: page?.nextCursor ?? null, is_all: ordered_since !== null }))
  } catch (error) {
    if (signal.aborted) throw error
    const isRetried = error instanceof PlatformError && error.retryable
    if (!isRetried) await db.none(sql.finishReadingAgain({ ...due, cursor: null, is_all: false }))
    if (!(error instanceof PlatformError)) throw error
    services.log.warn({ err: error, seller_account_uid: due.seller_account_uid }, 'orders could not be read again')
  }
}

function record(services: Services, due: DueShop, order: PlatformOrder) {
  return recordSale(services.db, due.user_id, {
    order: toReportedOrder(due, order),
    evidence: { by: 'poll', seen_at: due.started_at, ...noteOf(due.platform, order) },
  })
}

async function readPages(
  services: Services,
  due: DueShop,
  port: OrderPort,
  access: ShopAccess,
  count: () => void,
): Promise<{ newest: string | null; missedPush: boolean }> {
  const modifiedSince = due.is_full ? due.full_since : due.short_since
  let cursor: string | null = null
  let newest: string | null = null
  let missedPush = false
  for (let page = 0; page < maxPages; page++) {
    count()
    const { orders, nextCursor } = await port.readChanged(access, { modifiedSince, cursor })
    const fresh = await withoutKnown(services, due, orders, 'fresh')
    for (const order of fresh) {
      await findRelistedOrdered(services, due, order.lines, access.signal)
      const { lines } = await record(services, due, order)
      if (lines.some(({ outcome }) => outcome === 'sold' || outcome === 'held' || outcome === 'oversell')) {
        missedPush = true
        if (newest === null || order.ordered_at > newest) newest = order.ordered_at
      }
    }
    if (nextCursor === null) return { newest, missedPush }
    cursor = nextCursor
    const { rowCount } = await services.db.result(sql.extendLease({ ...due, lease_seconds: leaseSeconds }))
    // Another worker took over. Two readers are harmless, but one is enough.
    if (rowCount === 0) return { newest, missedPush }
  }
  throw new PlatformError(due.platform, 'malformed', `The list of orders does not end after ${maxPages} pages.`)
}

/**
 * Drops orders that are known as they are, so that an overlap costs no transactions. `changed`: unknown ones as well.
 */
async function withoutKnown(
  { db }: Services,
  { user_id, platform }: DueShop,
  orders: PlatformOrder[],
  wanted: 'fresh' | 'changed',
): Promise<PlatformOrder[]> {
  if (orders.length === 0) return []
  const known = await db.any(
    sql.findKnownOrders({
      user_id,
      platform,
      orders: JSON.stringify(
        orders.map((order) => ({
          external_order_id: order.external_order_id,
          modified_at: order.modified_at,
          lines: order.lines.length,
          ship_by: order.shipping?.ship_by ?? null,
        })),
      ),
    }),
  )
  const isCurrent = new Map(known.map((row) => [row.external_order_id, row.is_current]))
  return orders.filter(({ external_order_id }) => !(isCurrent.get(external_order_id) ?? wanted === 'changed'))
}

function classifyReadFailure(error: unknown, due: DueShop): { error_message: string; after_seconds: number } {
  const backOff = failedReadingWait(due.failures, due.interval_seconds)
  if (!(error instanceof PlatformError)) {
    return { error_message: 'Something went wrong on our side.', after_seconds: backOff }
  }
  return {
    error_message: error.message,
    after_seconds: Math.max(backOff, Math.ceil((error.retryAfterMs ?? 0) / 1000)),
  }
}
