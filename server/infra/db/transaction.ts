import { setTimeout as delay } from 'node:timers/promises'
import { type Database, isSerializationFailure, type Transaction, violatedUnique } from './index.ts'

/** Further reasons to run a transaction again. */
export interface Contention {
  /** Unique constraints that a concurrent transaction may take first; the next run sees its result. */
  uniques: ReadonlySet<string>
  /** Other errors of the same kind. */
  isStale?(error: unknown): boolean
}

const onlyDeadlocks: Contention = { uniques: new Set() }

/**
 * Runs `work` in a transaction, again as a whole after a deadlock, a serialization failure or given contention: up to
 * five more times with growing random waits. Apart from log lines, `work` must have no effect outside of the transaction;
 * `afterCommit` has its place. A lost connection is not retried, since the outcome is unknown; the caller looks it up at its next run.
 */
export function transaction<Result>(
  db: Database,
  name: string,
  work: (tx: Transaction) => Promise<Result>,
  contention?: Contention,
): Promise<Result> {
  return retried(() => db.tx(name, work), contention)
}

/** Runs a single statement again as `transaction` does. */
export async function retried<Result>(
  statement: () => Promise<Result>,
  { uniques, isStale = () => false }: Contention = onlyDeadlocks,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await statement()
    } catch (error) {
      const again = isSerializationFailure(error) || uniques.has(violatedUnique(error) ?? '') || isStale(error)
      if (!again || attempt > 5) throw error
      await delay(Math.random() * 10 * 2 ** attempt)
    }
  }
}

/**
 * Returns the answers of statements of one transaction that are sent at once, since none needs the answer of another.
 * PostgreSQL runs them in this order, each with its own view. Throws the error of the first that failed: those of the later
 * ones only say that the transaction is over.
 */
export async function together<const Sent extends readonly unknown[]>(
  sent: Sent,
): Promise<{ -readonly [Place in keyof Sent]: Awaited<Sent[Place]> }> {
  const answers = await Promise.allSettled(sent)
  for (const answer of answers) if (answer.status === 'rejected') throw answer.reason
  return answers.map((answer) => (answer as PromiseFulfilledResult<unknown>).value) as never
}
