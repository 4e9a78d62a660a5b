import type { Queries } from '#server/infra/db/index.ts'
import { problem } from '#server/infra/errors.ts'
import * as sql from './queries.ts'

/** At most `max` events within any `seconds`. */
export interface Allowed {
  max: number
  seconds: number
}

/** A maximum this large means unlimited. */
const unlimited = 1_000_000_000

/**
 * Counts an event of a subject, or throws `rate_limited` at a limit. Exact over a sliding window and all servers.
 * `subject` is an HMAC (limitSubject).
 */
export async function enforceLimit(queries: Queries, kind: string, subject: Buffer, allowed: Allowed[]): Promise<void> {
  const retryAfterSeconds = await tryLimit(queries, kind, subject, allowed)
  if (retryAfterSeconds !== null) throw rateLimitMessage(retryAfterSeconds)
}

/** Throws `rate_limited` at a limit without counting an event. */
export async function refuseAtLimit(
  queries: Queries,
  kind: string,
  subject: Buffer,
  allowed: Allowed[],
): Promise<void> {
  const limits = allowed.filter(({ max }) => max < unlimited)
  if (limits.length === 0) return
  const ages = (await queries.any(sql.listEventAges({ kind, subject }))).map(({ age }) => age)
  const isReached = limits.some(({ max, seconds }) => (ages[max - 1] ?? seconds) < seconds)
  if (isReached) throw rateLimitMessage(secondsUntilAllowed(ages, limits))
}

const rateLimitMessage = (retryAfterSeconds: number) =>
  problem('rate_limited', 'That was asked for too often. Wait before you try again.', { retryAfterSeconds })

/** Like `enforceLimit`, but returns null if the event is allowed, else the seconds until it would be. */
export async function tryLimit(
  queries: Queries,
  kind: string,
  subject: Buffer,
  allowed: Allowed[],
): Promise<number | null> {
  return (await countEvent(queries, kind, subject, allowed)).wait
}

/** Like `tryLimit`, with the number of events within the longest limit; 0 without a limit. */
export async function countEvent(
  queries: Queries,
  kind: string,
  subject: Buffer,
  allowed: Allowed[],
): Promise<{ wait: number | null; count: number }> {
  const limits = allowed.filter(({ max }) => max < unlimited)
  if (limits.length === 0) return { wait: null, count: 0 }
  const { allowed: isAllowed, ages } = await queries.one(
    sql.recordEvent({
      kind,
      subject,
      maxima: limits.map(({ max }) => max),
      seconds: limits.map(({ seconds }) => seconds),
      longest: Math.max(...limits.map(({ seconds }) => seconds)),
    }),
  )
  return { wait: isAllowed ? null : secondsUntilAllowed(ages, limits), count: ages.length }
}

/** Returns the seconds until the last reached limit has room. `ages`: seconds since each past event, youngest first. */
function secondsUntilAllowed(ages: number[], limits: Allowed[]): number {
  const waits = limits.map(({ max, seconds }) => {
    const age = ages[max - 1]
    return age === undefined ? 0 : seconds - age
  })
  return Math.max(1, ...waits)
}
