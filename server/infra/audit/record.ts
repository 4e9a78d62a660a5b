import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database } from '#server/infra/db/index.ts'
import { retried } from '#server/infra/db/transaction.ts'
import { cleanLine } from '#shared/clean-text.ts'
import type { AuditAction } from '#shared/contract/account/audit.ts'
import type { ErrorCode } from '#shared/contract/declaring/errors.ts'
import * as sql from './queries.ts'

/** The origin of a request. */
export interface Origin {
  /** The address as rate limits count it: IPv6 truncated to its /64. */
  address: string
  userAgent: string
  requestId: string
}

export interface AuditEntry {
  user_id: number
  action: AuditAction
  /** The error code of a refusal; absent on success. */
  refusal?: ErrorCode
  /** The API key that acted. */
  key_id?: string
  /** The id of the object. Never a secret. */
  target?: string
  origin: Origin
}

export interface AuditTrail {
  /**
   * Records one entry: at once in the log and, before it returns, in the database, so that a crash after the response
   * loses none. Refusals, which anyone can cause, are written within a second. Never rejects: if the database fails,
   * the entry is kept and retried.
   */
  record(entry: AuditEntry): Promise<void>
  /** Writes the pending entries. If the database fails, throws and keeps them. */
  flush(): Promise<void>
}

interface Row {
  user_id: number
  action: string
  outcome: string
  key_id: string | null
  target: string | null
  address: string
  user_agent: string
  request_id: string
  at: Date
  last_at: Date
  times: number
  merge_key: string | null
}

/** Time that a response waits for its entry, in ms: a locked table must not stop sign-ins. */
const mostWaitedMs = 1_000
/** Entries kept in memory while the database fails; further ones are only logged. */
const mostWaiting = 10_000

/** Creates the audit trail. Call `flush` before the process ends. `keptDays`: retention of entries. */
export function createAuditTrail(
  { db, log, now, keptDays }: { db: Database; log: Logger; now: () => Date; keptDays: number },
  flushMs = 500,
): AuditTrail {
  let waiting = new Map<string, Row>()
  let scheduled = false
  let flushing: Promise<void> = Promise.resolve()

  async function record(entry: AuditEntry) {
    const row = rowOf(entry, now())
    const { user_id, action, outcome, key_id, target, address, user_agent, request_id } = row
    log.info({ audit: action, outcome, user_id, key_id, target, address, user_agent, request_id }, 'audit')
    keep([row])
    schedule()
    if (entry.refusal) return
    // The scheduled flush retries and reports a failure.
    await Promise.race([flush().catch(() => undefined), wait(mostWaitedMs, undefined, { ref: false })])
  }

  function schedule() {
    if (scheduled) return
    scheduled = true
    setTimeout(() => {
      scheduled = false
      flush().catch((error: unknown) => {
        log.error({ err: error }, 'the audit trail could not be written; it is kept')
        schedule()
      })
    }, flushMs).unref()
  }

  function keep(rows: Iterable<Row>) {
    for (const row of rows) {
      const name = row.merge_key === null ? `${row.request_id} ${waiting.size}` : `${row.user_id} ${row.merge_key}`
      const known = waiting.get(name)
      if (known) {
        known.times += row.times
        known.last_at = row.last_at
      } else if (waiting.size < mostWaiting) waiting.set(name, row)
    }
  }

  function flush(): Promise<void> {
    flushing = flushing.catch(() => undefined).then(write)
    return flushing
  }

  async function write() {
    if (waiting.size === 0) return
    const rows = [...waiting.values()]
    waiting = new Map()
    try {
      // Two servers may count on the same rows in a different order.
      await retried(() => db.none(sql.addEntries({ ...columnsOf(rows), kept_days: keptDays })))
    } catch (error) {
      const later = waiting.values()
      waiting = new Map()
      keep(rows)
      keep(later)
      throw error
    }
  }

  return { record, flush }
}

function rowOf({ user_id, action, refusal, key_id, target, origin }: AuditEntry, at: Date): Row {
  const row = {
    ...{ user_id, action, outcome: refusal ?? 'ok', key_id: key_id ?? null, target: target ?? null },
    address: origin.address,
    user_agent: cleanLine(origin.userAgent).slice(0, 300).toWellFormed(),
    request_id: origin.requestId,
    ...{ at, last_at: at, times: 1 },
  }
  return { ...row, merge_key: refusal ? mergeKeyOf(row) : null }
}

/** Equal for refusals of one kind from one address within an hour. */
function mergeKeyOf({ action, outcome, key_id, target, address, at }: Omit<Row, 'merge_key'>): string {
  const parts = [action, outcome, key_id, target, address, at.toISOString().slice(0, 13)]
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}

function columnsOf(rows: Row[]) {
  return {
    user_ids: rows.map((row) => row.user_id),
    actions: rows.map((row) => row.action),
    outcomes: rows.map((row) => row.outcome),
    key_ids: rows.map((row) => row.key_id),
    targets: rows.map((row) => row.target),
    addresses: rows.map((row) => row.address),
    user_agents: rows.map((row) => row.user_agent),
    request_ids: rows.map((row) => row.request_id),
    times_at: rows.map((row) => row.at.toISOString()),
    last_times: rows.map((row) => row.last_at.toISOString()),
    counts: rows.map((row) => row.times),
    merge_keys: rows.map((row) => row.merge_key),
  }
}
