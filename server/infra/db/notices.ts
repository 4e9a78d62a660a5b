import type { Database, Queries } from './index.ts'

/** What transactions tell others once they are committed. */
export interface Notices {
  tell(channel: string, payload: string): void
  /** When what was told has left. */
  sent(): Promise<void>
}

/** How long what is told is gathered: one statement for all that many transactions tell at the same time. */
const gatherMs = 4

/** As much of pg-promise's context of a transaction as is needed here. */
export interface Context {
  readonly isTX: boolean
  readonly parent: Context | null
  readonly dc: unknown
}

const waiting = new WeakMap<Context, [channel: string, payload: string][]>()

/**
 * Has `channel` told when the transaction has committed; at once where there is none. The notice itself is no part of the
 * transaction: PostgreSQL commits transactions with a NOTIFY of their own one after the other, each waiting for the one
 * before it to reach the disk, which is what limits how many sales a second there can be. A process that dies in between
 * loses the notice, as a listener that is just connecting does: whoever listens also looks now and then.
 */
export function notify(queries: Queries, channel: string, payload = ''): void {
  const context = outermost((queries as { ctx?: Context }).ctx)
  const notices = context && waiting.get(context)
  if (!context) noticesOf((queries as Partial<Database>).$dc).tell(channel, payload)
  else if (notices) notices.push([channel, payload])
  else waiting.set(context, [[channel, payload]])
}

/** To be called when a transaction has ended. */
export function afterTransaction(context: Context, isCommitted: boolean): void {
  const notices = waiting.get(context)
  waiting.delete(context)
  if (!notices || !isCommitted) return
  const { tell } = noticesOf(context.dc)
  for (const [channel, payload] of notices) tell(channel, payload)
}

/** The notices of a database, by its pool. `onLost` is told of those that could not leave: listeners find out by looking. */
export function createNotices(database: () => Database, onLost: (error: Error) => void): Notices {
  let gathered = new Map<string, [channel: string, payload: string]>()
  let sending: Promise<void> | null = null

  const send = async () => {
    while (gathered.size > 0) {
      await new Promise((resolve) => setTimeout(resolve, gatherMs))
      const told = [...gathered.values()]
      gathered = new Map()
      await database().any('select pg_notify(told ->> 0, told ->> 1) from jsonb_array_elements($1::jsonb) told', [
        JSON.stringify(told),
      ])
    }
  }
  return {
    tell(channel, payload) {
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

function noticesOf(kept: unknown): Notices {
  if (!kept) throw new Error('a database that openDatabase opened is needed')
  return kept as Notices
}

/** The transaction whose end decides. */
function outermost(context: Context | null | undefined): Context | null {
  let found: Context | null = null
  for (let each = context ?? null; each; each = each.parent) if (each.isTX) found = each
  return found
}
