import type { Database, Transaction } from '#server/infra/db/index.ts'
import { retried } from '#server/infra/db/retried.ts'

/** Unique keys that another transaction may take between our read and write. */
const uniques = new Set(['inventory_item_sku_key', 'channel_listing_pkey', 'channel_listing_live_key'])

/** Runs a transaction of an import, again as a whole when another was faster. `work` must have no outside effect. */
export function retryingTransaction<Result>(
  db: Database,
  name: string,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return retried(() => db.tx(name, work), { uniques })
}
