import type { Logger } from 'pino'
import type { Database } from '#server/infra/db/index.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import type { Principal } from './credentials/authenticate.ts'
import * as sql from './queries.ts'

export interface UsageRecorder {
  /** Records one answered request without a query; records are written together within a second. */
  note(principal: Principal, status: number): void
  /** Writes the pending records. Throws if that fails and keeps them for the next time. */
  flush(): Promise<void>
}

interface Calls {
  user_id: number
  key_id: string
  name: string
  day: string
  count: number
  errors: number
}

interface Use {
  user_id: number
  at: Date
}

/**
 * Collects requests by key and day, and the last use of credentials. `flushMs` is the longest delay. The creator calls
 * `flush` at shutdown.
 */
export function createUsageRecorder(
  { db, log, now }: { db: Database; log: Logger; now: () => Date },
  flushMs = 1_000,
): UsageRecorder {
  let calls = new Map<string, Calls>()
  let keys = new Map<string, Use>()
  let tokens = new Map<string, Use>()
  let scheduled = false
  let flushing: Promise<void> | null = null

  function note(principal: Principal, status: number) {
    const at = now()
    const use = { user_id: principal.user_id, at }
    if (principal.kind === 'api_key') {
      keys.set(principal.key_id, use)
      add({
        user_id: principal.user_id,
        key_id: principal.key_id,
        name: principal.key_name,
        day: dayOf(at),
        count: 1,
        errors: status >= 400 ? 1 : 0,
      })
    } else {
      tokens.set(principal.token_hash.toString('hex'), use)
    }
    if (scheduled) return
    scheduled = true
    setTimeout(() => {
      scheduled = false
      flush().catch((error: unknown) => log.error({ err: error }, 'usage could not be written; it is kept'))
    }, flushMs).unref()
  }

  function add(more: Calls) {
    const name = `${more.key_id} ${more.day}`
    const known = calls.get(name)
    if (!known) {
      calls.set(name, more)
      return
    }
    known.count += more.count
    known.errors += more.errors
  }

  /** Runs one flush at a time; further calls start after it. */
  async function flush() {
    while (flushing) await flushing.catch(() => undefined)
    flushing = write()
    try {
      await flushing
    } finally {
      flushing = null
    }
  }

  async function write() {
    if (calls.size === 0 && keys.size === 0 && tokens.size === 0) return
    const taken = { calls, keys, tokens }
    calls = new Map()
    keys = new Map()
    tokens = new Map()
    try {
      await writeUsage(db, taken)
    } catch (error) {
      for (const entry of taken.calls.values()) add(entry)
      keys = new Map([...taken.keys, ...keys])
      tokens = new Map([...taken.tokens, ...tokens])
      throw error
    }
  }

  return { note, flush }
}

async function writeUsage(
  db: Database,
  { calls, keys, tokens }: { calls: Map<string, Calls>; keys: Map<string, Use>; tokens: Map<string, Use> },
): Promise<void> {
  const used = [...calls.values()]
  // Sort, because servers locking rows in different orders would deadlock.
  const sorted = (uses: Map<string, Use>) => [...uses].sort(([a], [b]) => (a < b ? -1 : 1))
  const usesOf = (uses: [string, Use][]) => ({
    user_ids: uses.map(([, { user_id }]) => user_id),
    times: uses.map(([, { at }]) => at.toISOString()),
  })
  const [usedKeys, usedTokens] = [sorted(keys), sorted(tokens)]
  await transaction(db, 'write-usage', async (tx) => {
    if (used.length > 0) {
      await tx.none(
        sql.addUsage({
          user_ids: used.map(({ user_id }) => user_id),
          key_ids: used.map(({ key_id }) => key_id),
          names: used.map(({ name }) => name),
          days: used.map(({ day }) => day),
          counts: used.map(({ count }) => count),
          errors: used.map(({ errors }) => errors),
        }),
      )
    }
    if (usedKeys.length > 0) {
      await tx.none(sql.touchKeys({ ...usesOf(usedKeys), key_ids: usedKeys.map(([id]) => id) }))
    }
    if (usedTokens.length > 0) {
      const hashes = usedTokens.map(([hex]) => Buffer.from(hex, 'hex'))
      await tx.none(sql.touchTokens({ ...usesOf(usedTokens), hashes }))
    }
  })
}

const dayOf = (time: Date) => time.toISOString().slice(0, 10)
