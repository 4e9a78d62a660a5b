import type { Overview, PlatformHealth } from '#extension/messaging/overview.ts'

/** Ages up to which a shop visit and a server answer count as current, in ms. */
const freshVisitMs = 24 * 3_600_000
const freshAnswerMs = 120_000

/**
 * Returns when a healthy platform was last seen (epoch ms), or null if that is current. Connected shops are checked by
 * the server, others when a tab shows them.
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
