import type { Overview, PlatformHealth } from '#extension/messaging/overview.ts'

/** A shop's page that was visited within this time counts as seen; so does what the server said (epoch milliseconds). */
const freshVisitMs = 24 * 3_600_000
const freshAnswerMs = 120_000

/**
 * Since when nothing is known of a platform that worked, epoch milliseconds; null: what is shown is of now. The server
 * is asked about connected shops; those that are read in the seller's tab are seen when the tab shows them.
 */
export function ageOf(
  { connection, health, seen_at }: PlatformHealth,
  { as_of, trouble }: Pick<Overview, 'as_of' | 'trouble'>,
  now = Date.now(),
): number | null {
  if (health !== 'ok') return null
  const [at, freshMs] = connection === 'oauth' ? [as_of, trouble ? 0 : freshAnswerMs] : [seen_at, freshVisitMs]
  return at !== null && now - at >= freshMs ? at : null
}
