import type { Logger } from 'pino'
import type { Database } from '#server/infra/db/index.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import * as sql from './queries.ts'

/**
 * Moments by which work waits: when it is due, until when a lease or a limit holds, and when something was done last.
 * Expiries are not among them: a clock that went back only makes them later. Columns that are named by their wait must be
 * here (watch-clock.test.ts).
 */
export const waits: Readonly<Record<string, readonly string[]>> = {
  alert: ['notify_at', 'notified_at'],
  channel_listing: ['details_due_at', 'for_sale_since', 'observed_at', 'updated_at'],
  ebay_push_key: ['checked_at'],
  failed_attempt: ['blocked_until'],
  idempotent_call: ['leased_until'],
  image_copy: ['due_at'],
  import_item: ['photos_due_at', 'observed_at'],
  import_job: ['lease_until', 'retry_at', 'touched_at'],
  inventory_check: ['checked_at'],
  listing_operation: ['next_attempt_at', 'lease_until', 'seen_at', 'sent_at', 'accepted_at', 'cancel_requested_at'],
  order_fetch_request: ['next_attempt_at'],
  order_sync: ['read_until', 'overlap_read_at', 'next_read_at', 'lease_until', 'last_success_at', 'last_push_at'],
  outbox_message: ['claimed_until'],
  platform_quota: ['blocked_until', 'refused_at'],
  platform_quota_shop: ['blocked_until', 'next_at', 'asked_at'],
  platform_quota_slot: ['slot'],
  request_count: ['ends_at'],
  sale_mailbox: ['checked_at', 'next_try_at', 'lease_until'],
  seller_account: [
    ...['last_synced_at', 'last_seen_at', 'last_checked_at', 'access_expires_at', 'reconciled_at'],
    ...['listings_changed_at', 'unpaid_read_at', 'notices_checked_at'],
  ],
  shipment: ['send_after', 'sent_at', 'lease_until'],
  stripe_subscription: ['reported_at'],
  web_push_notice: ['next_attempt_at', 'lease_until'],
  web_push_subscription: ['failing_since', 'paused_until'],
  webhook_delivery: ['next_attempt_at', 'lease_until'],
  webhook_endpoint: ['failing_since', 'paused_until'],
  'jobs.job': ['start_after', 'started_on', 'heartbeat_on'],
  'jobs.queue': ['monitor_claim_on', 'monitor_on', 'maintain_on'],
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
    for (const [table, columns] of Object.entries(waits)) {
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
