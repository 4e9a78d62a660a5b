import type { Logger } from 'pino'
import type { Database } from '#server/infra/db/index.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { rooms } from '#server/rooms.ts'
import * as sql from './queries.ts'

/**
 * Moments by which work waits: when it is due, until when a lease or a limit holds, and when something was done last.
 * Expiries are not among them: a clock that went back only makes them later. Columns that are named by their wait must be
 * named by their room, or here (watch-clock.test.ts).
 */
export const clockColumns: Readonly<Record<string, readonly string[]>> = {
  idempotent_call: ['leased_until'],
  outbox_message: ['claimed_until'],
  request_count: ['ends_at'],
  'jobs.job': ['start_after', 'started_on', 'heartbeat_on'],
  'jobs.queue': ['monitor_claim_on', 'monitor_on', 'maintain_on'],
  ...Object.assign({}, ...rooms.map((room) => room.clockColumns)),
}

/** A step back of fewer seconds is waited out. */
const leastSeconds = 60

/**
 * Follows the database's clock. Once it has gone back, moves the waits that began on the clock before back with it, so
 * that nothing stays shut or undone until the clock has caught up. Returns by how many seconds; 0 if it did not go back.
 */
export function followClock(db: Database): Promise<number> {
  return transaction(db, 'follow-clock', async (tx) => {
    const { back_seconds } = await tx.one(sql.readClock())
    if (back_seconds < leastSeconds) return 0
    for (const [table, columns] of Object.entries(clockColumns)) {
      for (const column of columns) {
        await tx.none(
          `update ${table} set ${column} = ${column} - $1 * interval '1 second'
           where ${column} > now() + $2 * interval '1 second' and ${column} < 'infinity'`,
          [back_seconds, leastSeconds],
        )
      }
    }
    await tx.none(sql.moveEventsBack({ back_seconds }))
    await tx.none(sql.readOrdersAgain())
    return back_seconds
  })
}

/** Follows the clock every few seconds until stopped. */
export function startClockWatch(
  { db, log }: { db: Database; log: Logger },
  everyMs = 10_000,
): { stop(): Promise<void> } {
  let running: Promise<void> | null = null
  const timer = setInterval(() => {
    running ??= followClock(db)
      .then(
        (seconds) => void (seconds > 0 && log.warn({ seconds }, "the database's clock went back; waits moved with it")),
        (error: unknown) => log.warn({ err: error }, "the database's clock could not be followed"),
      )
      .finally(() => {
        running = null
      })
  }, everyMs).unref()
  return {
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
