import { type Queries, sql } from '#server/infra/db/index.ts'
import { problem } from '#server/infra/errors.ts'

const listEventAges = sql(import.meta.url, './sql/list-event-ages.sql')
const noteEvent = sql(import.meta.url, './sql/record-event.sql')

/** At most `max` events within any `seconds`. */
export interface Allowed {
  max: number
  seconds: number
}

/** So large a maximum is no limit. */
const unlimited = 1_000_000_000

/**
 * Notes an event of a subject, or throws `rate_limited` when a limit is reached. Counted over a sliding time, exactly,
 * by all servers together. `subject` is an HMAC (limitSubject).
 */
export async function admit(queries: Queries, kind: string, subject: Buffer, allowed: Allowed[]): Promise<void> {
  const retryAfterSeconds = await tryAdmit(queries, kind, subject, allowed)
  if (retryAfterSeconds !== null) throw tooOften(retryAfterSeconds)
}

/** Throws `rate_limited` when a limit is reached, and notes nothing: what counts happens later. */
export async function refuseIfReached(
  queries: Queries,
  kind: string,
  subject: Buffer,
  allowed: Allowed[],
): Promise<void> {
  const limits = allowed.filter(({ max }) => max < unlimited)
  if (limits.length === 0) return
  const ages = (await queries.any<{ age: number }>(listEventAges, { kind, subject })).map(({ age }) => age)
  const isReached = limits.some(({ max, seconds }) => (ages[max - 1] ?? seconds) < seconds)
  if (isReached) throw tooOften(secondsUntilAdmitted(ages, limits))
}

const tooOften = (retryAfterSeconds: number) =>
  problem('rate_limited', 'That was asked for too often. Wait before you try again.', { retryAfterSeconds })

/** As `admit`; null when admitted, else after how many seconds it would be. */
export async function tryAdmit(
  queries: Queries,
  kind: string,
  subject: Buffer,
  allowed: Allowed[],
): Promise<number | null> {
  return (await countEvent(queries, kind, subject, allowed)).wait
}

/** As `tryAdmit`, with how many events the longest of the limits has seen; 0 where there is no limit. */
export async function countEvent(
  queries: Queries,
  kind: string,
  subject: Buffer,
  allowed: Allowed[],
): Promise<{ wait: number | null; count: number }> {
  const limits = allowed.filter(({ max }) => max < unlimited)
  if (limits.length === 0) return { wait: null, count: 0 }
  const { allowed: isAllowed, ages } = await queries.one<{ allowed: boolean; ages: number[] }>(noteEvent, {
    kind,
    subject,
    maxima: limits.map(({ max }) => max),
    seconds: limits.map(({ seconds }) => seconds),
    longest: Math.max(...limits.map(({ seconds }) => seconds)),
  })
  return { wait: isAllowed ? null : secondsUntilAdmitted(ages, limits), count: ages.length }
}

/** When the last of the reached limits has room again. `ages`: seconds since each past event, youngest first. */
export function secondsUntilAdmitted(ages: number[], limits: Allowed[]): number {
  const waits = limits.map(({ max, seconds }) => {
    const age = ages[max - 1]
    return age === undefined ? 0 : seconds - age
  })
  return Math.max(1, ...waits)
}
