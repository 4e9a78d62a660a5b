import type { Logger } from 'pino'
import { type SessionLifetimes, sessionLifetimes, usualLifetimes } from '#server/auth/sessions/lifetimes.ts'
import type { Config } from '#server/config.ts'
import { type Database, sql } from '#server/db/index.ts'

const tables = [
  'request-count',
  'recent-event',
  'failed-attempt',
  'used-identity-token',
  'mailbox-token',
  'phone-challenge',
  'idempotent-call',
  'outbox-message',
  'connect-ticket',
  'oauth-state',
  'known-network',
  'known-device',
  'bearer-token',
  'signin-step',
  'passkey-challenge',
  'unclaimed-customer',
  'sold-report',
  'import-listing',
  'import-batch',
  'written-bytes',
  'audit-log',
]
const purges = tables.map((table) => sql(import.meta.url, `./sql/purge-${table}.sql`))

/** Removes everything that has run out. Several servers may do it at once: each takes what the others do not hold. */
export async function purge(db: Database, lifetimes: SessionLifetimes = usualLifetimes): Promise<number> {
  let removed = 0
  for (const query of purges) removed += (await db.result(query, lifetimes)).rowCount ?? 0
  return removed
}

/** Purges every few minutes until stopped; what fails is tried again the next time. */
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
