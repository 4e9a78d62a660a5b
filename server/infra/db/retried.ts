import { setTimeout as delay } from 'node:timers/promises'
import { type Database, isSerializationFailure, type Transaction, violatedUnique } from './index.ts'

/** Further reasons to run a transaction again. */
export interface Contention {
  /** Unique constraints that a concurrent transaction may take first; the next run sees its result. */
  uniques: ReadonlySet<string>
  /** Other errors of the same kind. */
  isStale?(error: unknown): boolean
}

/**
 * Runs a transaction again as a whole after a deadlock, serialization failure or given contention: up to five more
 * times with growing random waits. It must have no outside effects. A lost connection is not retried, since the outcome
 * is unknown; the caller looks it up at its next run.
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

/** Runs a transaction again if it lost a deadlock. */
export function retriedTransaction<Result>(
  db: Database,
  name: string,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return retried(() => db.tx(name, work), { uniques: new Set() })
}
