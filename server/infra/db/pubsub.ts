import type { Database, Queries } from './index.ts'

/** Sends notifications of committed transactions. */
export interface PubSub {
  publish(channel: string, payload: string): void
  /** Resolves when every published notification was sent. */
  sent(): Promise<void>
}

/** Notifications of this time in ms are sent in one statement. */
const gatherMs = 4

/** The used part of pg-promise's transaction context. */
export interface Context {
  readonly isTX: boolean
  readonly parent: Context | null
  readonly dc: unknown
}

const waiting = new WeakMap<Context, [channel: string, payload: string][]>()
const callbacks = new WeakMap<Context, (() => void)[]>()

/** Calls `run` once the transaction has committed, and never if it fails; at once outside a transaction. */
export function afterCommit(queries: Queries, run: () => void): void {
  const context = outermost((queries as { ctx?: Context }).ctx)
  const waitingHere = context && callbacks.get(context)
  if (!context) run()
  else if (waitingHere) waitingHere.push(run)
  else callbacks.set(context, [run])
}

/**
 * Notifies `channel` once the transaction has committed; at once outside a transaction. NOTIFY inside a transaction
 * would serialize its commit with all others, each waiting for the disk, and limit the sales per second. A crash in
 * between loses the notification, so listeners must also poll.
 */
export function notify(queries: Queries, channel: string, payload = ''): void {
  const context = outermost((queries as { ctx?: Context }).ctx)
  const notices = context && waiting.get(context)
  if (!context) pubSubOf((queries as Partial<Database>).$dc).publish(channel, payload)
  else if (notices) notices.push([channel, payload])
  else waiting.set(context, [[channel, payload]])
}

/** Publishes or drops the notifications of an ended transaction. */
export function afterTransaction(context: Context, isCommitted: boolean): void {
  const notices = waiting.get(context)
  waiting.delete(context)
  const runs = callbacks.get(context)
  callbacks.delete(context)
  if (isCommitted) for (const run of runs ?? []) run()
  if (!notices || !isCommitted) return
  const { publish } = pubSubOf(context.dc)
  for (const [channel, payload] of notices) publish(channel, payload)
}

/**
 * Creates the pub/sub of a database. `onLost` gets the error of notifications that could not be sent; listeners find
 * out by polling.
 */
export function createPubSub(database: () => Database, onLost: (error: Error) => void): PubSub {
  let gathered = new Map<string, [channel: string, payload: string]>()
  let sending: Promise<void> | null = null

  const send = async () => {
    while (gathered.size > 0) {
      await new Promise((resolve) => setTimeout(resolve, gatherMs))
      const notifications = [...gathered.values()]
      gathered = new Map()
      await database().any('select pg_notify(pair ->> 0, pair ->> 1) from jsonb_array_elements($1::jsonb) pair', [
        JSON.stringify(notifications),
      ])
    }
  }
  return {
    publish(channel, payload) {
      gathered.set(`${channel} ${payload}`, [channel, payload])
      sending ??= send()
        .catch(onLost)
        .finally(() => {
          sending = null
        })
    },
    sent: () => sending ?? Promise.resolve(),
  }
}

function pubSubOf(kept: unknown): PubSub {
  if (!kept) throw new Error('the database must come from openDatabase')
  return kept as PubSub
}

/** Returns the outermost transaction, whose outcome decides. */
function outermost(context: Context | null | undefined): Context | null {
  let found: Context | null = null
  for (let each = context ?? null; each; each = each.parent) if (each.isTX) found = each
  return found
}
