import { setTimeout as delay } from 'node:timers/promises'
import {
  type Database,
  isLockTimeout,
  isSerializationFailure,
  type Transaction,
  violatedUnique,
} from '#server/db/index.ts'

/** Uniques that a transaction running at the same time may take first; deciding anew sees what it did. */
const contended = new Set([
  'sale_live_key',
  'order_line_holder_key',
  'marketplace_order_external_key',
  'inventory_history_pkey',
])

/** The item was not where the decision saw it. */
export class Outrun extends Error {
  override name = 'Outrun'
}

/** A transaction that runs again as `retried` says; `work` must do nothing outside of it. */
export function decidingTransaction<Result>(
  db: Database,
  name: string,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return retried(() => db.tx(name, work))
}

/**
 * A transaction that runs again, as a whole, when PostgreSQL asks for it (deadlock, serialization failure, a lock that was
 * not to be had in time) or when another was faster: five times at most, with growing random waits (faults F09).
 * A connection that dies is not retried here: the outcome is unknown (faults F08), and the caller's next run begins by
 * looking it up.
 */
export async function retried<Result>(transaction: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction()
    } catch (error) {
      const again =
        isSerializationFailure(error) ||
        isLockTimeout(error) ||
        error instanceof Outrun ||
        contended.has(violatedUnique(error) ?? '')
      if (!again || attempt > 5) throw error
      await delay(Math.random() * 10 * 2 ** attempt)
    }
  }
}
