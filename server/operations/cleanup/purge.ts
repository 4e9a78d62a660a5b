import type { Logger } from 'pino'
import { type SessionLifetimes, sessionLifetimes, usualLifetimes } from '#server/accounts/auth/sessions/lifetimes.ts'
import type { Config } from '#server/config.ts'
import { type Database, sql } from '#server/infra/db/index.ts'

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
  ['sold_report', 'seen_at', '365 days'],
  ['audit_log', 'expires_at', '0'],
  ['operator_action', 'at', '730 days'],
]
const purgeOld = sql(import.meta.url, './sql/purge-old.sql')
const others = [
  sql(import.meta.url, './sql/purge-bearer-token.sql'),
  sql(import.meta.url, './sql/purge-unclaimed-customer.sql'),
  sql(import.meta.url, './sql/purge-import-listing.sql'),
  sql(import.meta.url, './sql/purge-written-bytes.sql'),
]

/** Removes everything that has expired. Several servers may run it at once: each skips rows that another has locked. */
export async function purge(db: Database, lifetimes: SessionLifetimes = usualLifetimes): Promise<number> {
  let removed = 0
  for (const [table, column, age] of aging) removed += await repeat(db, purgeOld, { table, column, age })
  for (const query of others) removed += await repeat(db, query, lifetimes)
  return removed
}

/** Rows that one statement removes at most (the queries say so), so that no lock is held for long. */
const batchRows = 5_000
/** Ends a pass over a table that fills as fast as it is emptied. */
const maxBatches = 200

/** Runs a query until a batch is not full: one batch a pass would fall behind a busy server. */
async function repeat(db: Database, query: Parameters<Database['result']>[0], values: object): Promise<number> {
  let removed = 0
  for (let batch = 0; batch < maxBatches; batch++) {
    const { rowCount } = await db.result(query, values)
    removed += rowCount ?? 0
    if ((rowCount ?? 0) < batchRows) break
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
    running = purge(db, sessionLifetimes(config)).then(
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
