import pgPromise from 'pg-promise'
import type { Database, Queries, Transaction } from './index.ts'
import { afterTransaction, type Context } from './pubsub.ts'

const { concat } = pgPromise({ capSQL: false, noWarnings: true }).helpers

/** A transaction whose statements go to the server together. */
export interface Gathered extends Queries {
  /** Sends what has not been sent; throws what failed. */
  flush(): Promise<void>
}

type Query = Parameters<Queries['any']>[0]
interface Waiting {
  query: Query
  values: unknown
  /** Null: nobody waits for its result. */
  settle: { resolve(result: Result): void; reject(error: unknown): void } | null
}
type Result = Awaited<ReturnType<Queries['multiResult']>>[number]

const marked = new WeakSet<object>()

/**
 * A transaction as `db.tx` makes it, gathered from its BEGIN to its COMMIT, which take no round trip of their own. It is not
 * tried again here, and has no savepoints.
 */
export async function gatheredTransaction<Result>(
  db: Database,
  work: (tx: Gathered) => Promise<Result>,
): Promise<Result> {
  const context: Context = { isTX: true, parent: null, dc: db.$dc }
  const connection = await db.connect()
  let isLost = false
  try {
    const tx = Object.assign(gather(connection), { ctx: context })
    await tx.none('begin')
    const result = await work(tx)
    await tx.none('commit')
    await tx.flush()
    afterTransaction(context, true)
    return result
  } catch (error) {
    // Where this fails too, the connection is gone, and the transaction with it.
    await connection.none('rollback').catch(() => {
      isLost = true
    })
    afterTransaction(context, false)
    throw error
  } finally {
    connection.done(isLost)
  }
}

/**
 * The same transaction with fewer round trips, for work that many others wait behind: a `none` goes with the next
 * statement whose result somebody waits for, and statements that are asked for in one turn go together. They run in the
 * order in which they were asked for. What a `none` breaks is thrown at the next statement, or at `flush`, without which
 * the last of them are not sent. For use within a transaction, which ends when anything fails.
 */
export function gather(tx: Queries): Gathered {
  if (marked.has(tx)) return tx as Gathered
  let waiting: Waiting[] = []
  let sending: Promise<void> = Promise.resolve()
  let isDue = false

  const send = async () => {
    isDue = false
    const batch = waiting
    waiting = []
    if (batch.length === 0) return
    try {
      const results = await tx.multiResult(
        concat(batch.map(({ query, values }) => ({ query: query as string, values }))),
      )
      for (const [place, { settle }] of batch.entries()) settle?.resolve(results[place]!)
    } catch (error) {
      for (const { settle } of batch) settle?.reject(error)
      if (batch.every(({ settle }) => settle === null)) throw error
    }
  }
  const ask = <Answer>(query: Query, values: unknown, read: (result: Result) => Answer) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ query, values, settle: { resolve, reject } })
      if (isDue) return
      isDue = true
      // When all that can be asked for by now was asked for, so that it goes together; one after the other.
      setImmediate(() => {
        sending = sending.then(send)
      })
    }).then(read)

  const gathered = {
    ctx: (tx as Partial<Transaction>).ctx,
    none: async (query: Query, values?: unknown) => {
      waiting.push({ query, values, settle: null })
      return null
    },
    any: (query: Query, values?: unknown) => ask(query, values, ({ rows }) => rows),
    map: (query: Query, values: unknown, read: (row: unknown) => unknown) =>
      ask(query, values, ({ rows }) => rows.map((row) => read(row))),
    result: (query: Query, values?: unknown) => ask(query, values, (result) => result),
    oneOrNone: (query: Query, values?: unknown) => ask(query, values, ({ rows }) => atMostOne(rows)),
    one: (query: Query, values?: unknown) =>
      ask(query, values, ({ rows }) => {
        if (rows.length !== 1) throw new Error(`one row was expected, and there are ${rows.length}`)
        return rows[0]
      }),
    async flush() {
      await sending
      await send()
    },
  } as unknown as Gathered
  marked.add(gathered)
  return gathered
}

function atMostOne(rows: unknown[]): unknown {
  if (rows.length > 1) throw new Error(`at most one row was expected, and there are ${rows.length}`)
  return rows[0] ?? null
}
