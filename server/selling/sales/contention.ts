import { isLockTimeout } from '#server/infra/db/index.ts'
import type { Contention } from '#server/infra/db/transaction.ts'

/** The item has changed since it was read for the decision. */
export class StaleStateError extends Error {
  override name = 'StaleStateError'
}

/** Unique keys and locks that concurrent reports of one item or one order may take first. */
export const saleContention: Contention = {
  uniques: new Set([
    'sale_live_key',
    'order_line_holder_key',
    'marketplace_order_external_key',
    'inventory_history_pkey',
  ]),
  isStale: (error) => error instanceof StaleStateError || isLockTimeout(error),
}
