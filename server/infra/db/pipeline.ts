import pgPromise from 'pg-promise'
import type { Database, Queries, Transaction } from './index.ts'
import { afterTransaction, type Context } from './pubsub.ts'

const { concat } = pgPromise({ capSQL: false, noWarnings: true }).helpers

/** A transaction whose statements are sent in batches. */
export interface Pipelined extends Queries {
  /** Sends the pending statements; throws the first failure. */
  flush(): Promise<void>
}

type Query = Parameters<Queries['any']>[0]
interface Waiting {
  query: Query
  values: unknown
  /** Null if no caller awaits the result. */
  settle: { resolve(result: Result): void; reject(error: unknown): void } | null
}
type Result = Awaited<ReturnType<Queries['multiResult']>>[number]

const marked = new WeakSet<object>()

/**
 * Runs a pipelined transaction, whose BEGIN and COMMIT take no round trip of their own. Unlike `db.tx`, it has no savepoints.
 * It is not retried here.
 */
export async function pipelinedTransaction<Result>(
  db: Database,
  work: (tx: Pipelined) => Promise<Result>,
): Promise<Result> {
  const context: Context = { isTX: true, parent: null, dc: db.$dc }
  const connection = await db.connect()
  let isLost = false
  try {
    const tx = Object.assign(pipeline(connection), { ctx: context })
    await tx.none('begin')
    const result = await work(tx)
    await tx.none('commit')
    await tx.flush()
    afterTransaction(context, true)
    return result
  } catch (error) {
    // If this fails too, the connection is lost, and the transaction with it.
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
 * Returns the transaction with fewer round trips, for work that delays many others. A `none` is sent with the next awaited
 * statement. Statements of one turn of the event loop are sent together, in the order of the calls. A failed `none`
 * throws at the next statement, or at `flush`, which sends the last ones. Any failure must end the transaction.
 */
export function pipeline(tx: Queries): Pipelined {
  if (marked.has(tx)) return tx as Pipelined
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
      // Send after this turn of the event loop, so that its statements go together.
      setImmediate(() => {
        sending = sending.then(send)
      })
    }).then(read)

  const pipelined = {
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
  } as unknown as Pipelined
  marked.add(pipelined)
  return pipelined
}

function atMostOne(rows: unknown[]): unknown {
  if (rows.length > 1) throw new Error(`at most one row was expected, and there are ${rows.length}`)
  return rows[0] ?? null
}
