import type { Logger } from 'pino'
import { sessionLifetimes } from '#server/accounts/sessions/lifetimes.ts'
import { type Config, readConfig } from '#server/config.ts'
import type { Database } from '#server/infra/db/index.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import type { PurgeValues } from '#server/room.ts'
import { rooms } from '#server/rooms.ts'
import * as sql from './queries.ts'

/** Tables whose rows expire, the column that decides and how long rows are kept after it. */
const aging: [table: string, column: string, age: string][] = [
  ['request_count', 'ends_at', '1 minute'],
  ['recent_event', 'expires_at', '1 minute'],
  ['failed_attempt', 'expires_at', '1 minute'],
  ['used_identity_token', 'expires_at', '1 minute'],
  // Until then the server can tell an expired link from an unknown one.
  ['mailbox_token', 'expires_at', '7 days'],
  ['phone_challenge', 'expires_at', '0'],
  ['signin_step', 'expires_at', '0'],
  ['passkey_challenge', 'expires_at', '0'],
  ['connect_ticket', 'expires_at', '1 hour'],
  ['oauth_state', 'expires_at', '1 hour'],
  ['idempotent_call', 'created_at', '25 hours'],
  ['import_batch', 'created_at', '30 days'],
  ['outbox_message', 'created_at', '30 days'],
  ['undo_step', 'at', '30 days'],
  ['known_network', 'seen_at', '180 days'],
  ['known_device', 'seen_at', '180 days'],
  ['photo_hash', 'read_at', '180 days'],
  ['sold_report', 'seen_at', '365 days'],
  ['audit_log', 'expires_at', '0'],
  ['operator_action', 'at', '730 days'],
]
// Here, since names of a table and a column cannot be bound. By the time of the last row of the batch, since keys differ.
const purgeOld = `delete from $<table:name> where $<column:name> <= (
  select max(old.$<column:name>) from (
    select $<column:name> from $<table:name> where $<column:name> < now() - $<age>::interval
    order by $<column:name> limit $<limit>
  ) old
)`
const others = [
  sql.purgeBearerToken,
  sql.purgeUnclaimedCustomer,
  sql.purgeWrittenBytes,
  sql.purgeOperation,
  sql.purgeTask,
  sql.purgeAlert,
  sql.purgeMatchWords,
  ...rooms.flatMap(({ purges }) => purges ?? []),
]

/** How long ended work, take-downs and price changes of an item's history, and calls of keys are kept, in days. */
const [workDays, historyDays, usageDays] = [90, 365, 400]
/** Days that what an import decided by itself is kept: undoing is possible for 30 days and needs it. */
const importDays = 30

type Settings = Pick<Config, 'SESSION_IDLE_DAYS' | 'SESSION_MAX_DAYS'>

/** Removes everything that has expired. Several servers may run it at once: one waits for rows that another removes. */
export async function purge(db: Database, settings: Settings = readConfig({})): Promise<number> {
  const values: PurgeValues = {
    ...sessionLifetimes(settings),
    import_days: importDays,
    work_days: workDays,
    history_days: historyDays,
    limit,
  }
  const all: typeof aging = [
    ...aging,
    ['api_usage', 'day', `${usageDays} days`],
    ['order_fetch_request', 'handled_at', `${workDays} days`],
  ]
  let removed = 0
  for (const query of others) removed += await repeat(limit, () => db.result(query(values)))
  for (const [table, column, age] of all) {
    removed += await repeat(limit, () => db.result(purgeOld, { table, column, age, limit }))
  }
  // Each has up to a thousand results.
  removed += await repeat(50, () => db.result(sql.purgeBulkJob({ ...values, limit: 50 })))
  return removed + (await pruneImports(db, values))
}

/** Rows that one statement removes at most, so that no lock is held for long. */
const limit = 5_000
/** Ends a pass over a table that fills as fast as it is emptied. */
const maxBatches = 200
const maxImports = 2_000

/** Removes batches until one is not full: one batch a pass would fall behind a busy server. */
async function repeat(most: number, remove: () => Promise<{ rowCount: number }>): Promise<number> {
  let removed = 0
  for (let batch = 0; batch < maxBatches; batch++) {
    const { rowCount } = await remove()
    removed += rowCount
    if (rowCount < most) break
  }
  return removed
}

/**
 * Removes what imports decided by themselves, and what later ones found again, by import: each is compared with the earlier
 * ones of its shop once. Looking at all items would read those that stay in every pass.
 */
async function pruneImports(db: Database, values: { import_days: number; work_days: number }): Promise<number> {
  let removed = 0
  for (let batch = 0; batch < maxImports; batch++) {
    const pruned = await transaction(db, 'prune-import', async (tx) => {
      const job = await tx.oneOrNone(sql.nextUnprunedImport(values))
      if (!job || !(await tx.oneOrNone(sql.lockUnprunedImport(job)))) return null
      const { rowCount } = await tx.result(sql.pruneImport({ ...values, ...job, limit }))
      if (rowCount < limit) await tx.none(sql.finishPruning({ ...values, ...job }))
      return rowCount
    })
    if (pruned === null) break
    removed += pruned
  }
  return removed
}

/** Purges every few minutes until stopped. A failed purge is retried at the next interval. */
export function startPurging(
  { db, log, config }: { db: Database; log: Logger; config: Config },
  everyMs = 300_000,
): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    running = purge(db, config).then(
      (removed) => log.debug({ removed }, 'removed what had run out'),
      (error: unknown) => log.warn({ err: error }, 'what has run out could not be removed'),
    )
  }, everyMs).unref()
  return {
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
