import pgPromise from 'pg-promise'
import { afterTransaction, createPubSub, type PubSub } from './pubsub.ts'
import type { Statement } from './statement.ts'

// Read times as ISO texts in UTC, the form of every response. Counters of type bigint fit a number.
const iso = (text: string) => new Date(text).toISOString()

const pgp = pgPromise({
  capSQL: false,
  noWarnings: true,
  transact: ({ ctx }) => {
    if (ctx.finish) afterTransaction(ctx, ctx.success === true)
  },
})
pgp.pg.types.setTypeParser(pgp.pg.types.builtins.TIMESTAMPTZ, iso)
pgp.pg.types.setTypeParser(pgp.pg.types.builtins.INT8, Number)
pgp.pg.types.setTypeParser(pgp.pg.types.builtins.DATE, (text: string) => text)

/** pg-promise's methods, with the types of a statement of a `queries.ts`. Texts of statements have no types. */
interface Typed {
  one<Row>(statement: Statement<Row>): Promise<Row>
  // biome-ignore lint/suspicious/noExplicitAny: as in pg-promise
  one<Row = any>(text: string, values?: unknown): Promise<Row>
  oneOrNone<Row>(statement: Statement<Row>): Promise<Row | null>
  // biome-ignore lint/suspicious/noExplicitAny: as in pg-promise
  oneOrNone<Row = any>(text: string, values?: unknown): Promise<Row | null>
  any<Row>(statement: Statement<Row>): Promise<Row[]>
  // biome-ignore lint/suspicious/noExplicitAny: as in pg-promise
  any<Row = any>(text: string, values?: unknown): Promise<Row[]>
  /** Throws if the statement returns rows. */
  none(statement: Statement<void>): Promise<null>
  none(text: string, values?: unknown): Promise<null>
  result(statement: Statement<unknown>): Promise<pgPromise.IResultExt>
  result(text: string, values?: unknown): Promise<pgPromise.IResultExt>
  tx<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>
  tx<Result>(
    options: string | pgPromise.ITxIfOptions<unknown>,
    work: (tx: Transaction) => Promise<Result>,
  ): Promise<Result>
  task<Result>(work: (task: Transaction) => Promise<Result>): Promise<Result>
}

/** A pool of connections. */
export type Database = Typed & Omit<pgPromise.IDatabase<unknown>, keyof Typed>
/** A database, task or transaction. */
export type Queries = Typed & Omit<pgPromise.IBaseProtocol<unknown>, keyof Typed>
export type Transaction = Typed & Omit<pgPromise.ITask<unknown>, keyof Typed>

/** Timeouts of a connection, in ms. */
export interface Timeouts {
  /** The wait for a connection. */
  connectionMs: number
  statementMs: number
  lockMs: number
  idleInTransactionMs: number
}

/**
 * Timeouts of requests, so that stuck ones release their connections. The wait for a connection is the shortest, so that
 * waiting requests are refused before stuck ones.
 */
export const requestTimeouts: Timeouts = {
  connectionMs: 2_000,
  statementMs: 5_000,
  lockMs: 2_000,
  idleInTransactionMs: 10_000,
}

/** Timeouts of background work. Work that needs longer sets its own in its transaction. */
export const workTimeouts: Timeouts = {
  connectionMs: 5_000,
  statementMs: 30_000,
  lockMs: 10_000,
  idleInTransactionMs: 30_000,
}

interface DatabaseOptions {
  url: string
  /** `workTimeouts` by default. */
  timeouts?: Timeouts
  /** Largest number of connections of this process. */
  max?: number
  applicationName?: string
  /**
   * Sends statements without waiting for the answers of earlier ones (default, `together`). The end of such a connection
   * waits for its statements; otherwise it breaks them off.
   */
  isPipelined?: boolean
  /** Called when an idle connection, or one with pending notifications, was lost. The pool replaces it. */
  onLostConnection?: (error: Error) => void
}

/**
 * Opens a pool. Every connection bounds its statements, lock waits and idle transactions, so that one
 * stuck query cannot hold the service.
 */
export function openDatabase({
  url,
  timeouts = workTimeouts,
  max = 20,
  applicationName = 'hapax',
  isPipelined = true,
  onLostConnection = () => {},
}: DatabaseOptions): Database {
  // A separate constant, because pg-promise's type lacks the driver's `options`.
  const connection = {
    connectionString: url,
    max,
    application_name: applicationName,
    statement_timeout: timeouts.statementMs,
    lock_timeout: timeouts.lockMs,
    idle_in_transaction_session_timeout: timeouts.idleInTransactionMs,
    connectionTimeoutMillis: timeouts.connectionMs,
    idleTimeoutMillis: 30_000,
    pipeline: isPipelined,
  }
  const notices = createPubSub(() => db, onLostConnection)
  const db = pgp(connection, notices) as unknown as Database
  // Without a listener a connection that dies while idle would end the process.
  db.$pool.on('error', onLostConnection)
  return db
}

/** Ends the pool; later queries fail. */
export async function closeDatabase(db: Database): Promise<void> {
  await (db.$dc as PubSub).sent()
  await db.$pool.end()
}

const codeOf = (error: unknown) => (error as { code?: string } | null)?.code

/**
 * Returns the violated constraint's name if the error is a unique violation; null otherwise. Citus tells it in the message
 * alone, and appends the number of the shard.
 */
export function violatedUnique(error: unknown): string | null {
  if (codeOf(error) !== '23505') return null
  const { constraint, message } = error as { constraint?: string; message?: string }
  return constraint ?? /"(\w+?)(_\d+)?"/.exec(message ?? '')?.[1] ?? ''
}

/** Returns whether the database cannot answer at the moment. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const code = codeOf(error) ?? ''
  const message = error instanceof Error ? error.message : ''
  return (
    /^(08|53|57P|58)/.test(code) ||
    code === '57014' ||
    code === '55P03' ||
    code === '25P03' ||
    code === '25006' ||
    /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_)/.test(code) ||
    /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/.test(
      message,
    )
  )
}

/** Returns whether the database refused a write: it is read-only (25006), or its disk is full (53100). */
export function refusesWrites(error: unknown): boolean {
  const code = codeOf(error)
  return code === '25006' || code === '53100'
}

/** Returns whether a lock was not granted in time (55P03), which contention alone can cause. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === '55P03'
}

/** Returns whether a statement or a lock took too long (57014, 55P03), which less work at once can avoid. */
export function isTimeout(error: unknown): boolean {
  return codeOf(error) === '57014' || isLockTimeout(error)
}

/** Returns whether the whole transaction may simply run again (40001, 40P01). */
export function isSerializationFailure(error: unknown): boolean {
  const code = codeOf(error)
  return code === '40001' || code === '40P01'
}
