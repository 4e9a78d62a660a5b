import { type Database, isLockTimeout, type Transaction } from '#server/infra/db/index.ts'
import { type Contention, retried } from '#server/infra/db/retried.ts'

/** The item was not where the decision saw it. */
export class StaleStateError extends Error {
  override name = 'Outrun'
}

/** What two orders of one item, or two notices of one order, may take from each other. */
export const saleContention: Contention = {
  uniques: new Set([
    'sale_live_key',
    'order_line_holder_key',
    'marketplace_order_external_key',
    'inventory_history_pkey',
  ]),
  isStale: (error) => error instanceof StaleStateError || isLockTimeout(error),
}

/** A transaction that decides about sales, and decides anew when another was faster; `work` must do nothing outside of it. */
export function saleTransaction<Result>(
  db: Database,
  name: string,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return retried(() => db.tx(name, work), saleContention)
}
