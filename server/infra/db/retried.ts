import { setTimeout as delay } from 'node:timers/promises'
import { type Database, isSerializationFailure, type Transaction, violatedUnique } from './index.ts'

/** What else than PostgreSQL's own request has a transaction run again. */
export interface Contention {
  /** Uniques that a transaction running at the same time may take first; deciding anew sees what it did. */
  uniques: ReadonlySet<string>
  /** Other errors of the same kind. */
  isStale?(error: unknown): boolean
}

/**
 * A transaction that runs again, as a whole, when PostgreSQL asks for it (deadlock, serialization failure) or when another
 * was faster: five times more at most, with growing random waits. It must do nothing outside of itself. A
 * connection that dies is not retried here: the outcome is unknown, and the caller's next run begins by looking
 * it up.
 */
export async function retried<Result>(
  transaction: () => Promise<Result>,
  { uniques, isStale = () => false }: Contention,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction()
    } catch (error) {
      const again = isSerializationFailure(error) || uniques.has(violatedUnique(error) ?? '') || isStale(error)
      if (!again || attempt > 5) throw error
      await delay(Math.random() * 10 * 2 ** attempt)
    }
  }
}

/** A transaction that may meet another in a circle, each waiting for what the other holds: the one that lost runs again. */
export function retriedTransaction<Result>(
  db: Database,
  name: string,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return retried(() => db.tx(name, work), { uniques: new Set() })
}
