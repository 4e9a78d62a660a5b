import { setTimeout as delay } from 'node:timers/promises'
import { type Database, isSerializationFailure, type Transaction, violatedUnique } from '#server/db/index.ts'

/** Uniques that another transaction may have taken between our reading and writing: reading again decides anew. */
const racing = new Set(['inventory_item_sku_key', 'channel_listing_pkey', 'channel_listing_live_key'])

/**
 * A transaction that runs again when PostgreSQL asks for it (deadlock, serialization) or when somebody was faster, five
 * times at most, with a random wait (faults F09). `work` must have no effect outside of it.
 */
export async function retryingTransaction<Result>(
  db: Database,
  name: string,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.tx(name, work)
    } catch (error) {
      const again = isSerializationFailure(error) || racing.has(violatedUnique(error) ?? '')
      if (!again || attempt >= 5) throw error
      await delay(Math.random() * 20 * 2 ** attempt)
    }
  }
}
