import type { Database, Transaction } from '#server/infra/db/index.ts'
import { retried } from '#server/infra/db/retried.ts'

/** What another transaction may have taken between our reading and writing. */
const uniques = new Set(['inventory_item_sku_key', 'channel_listing_pkey', 'channel_listing_live_key'])

/** A transaction of an import, which decides anew when another was faster; `work` must have no effect outside of it. */
export function retryingTransaction<Result>(
  db: Database,
  name: string,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return retried(() => db.tx(name, work), { uniques })
}
