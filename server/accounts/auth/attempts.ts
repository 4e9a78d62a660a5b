import { type Queries, sql } from '#server/infra/db/index.ts'
import { problem } from '#server/infra/errors.ts'

const beginAttempt = sql(import.meta.url, './sql/begin-attempt.sql')
const forgive = sql(import.meta.url, './sql/forgive-attempts.sql')
const takeBack = sql(import.meta.url, './sql/take-back-attempt.sql')

/** Kinds of guessing, and how many failures each bears before it has to wait. */
export const attemptRules = {
  /** By account and network: 5 in 15 minutes, then waits of 1, 2, 4 … 15 minutes (decisions 4). */
  login: { max: 5, window: 900, first: 60, longest: 900 },
  /**
   * By account, over all networks that it was never entered from: after 100 in a row they wait together, at most an hour
   * at a time. That leaves guesses by many networks about 24 a day.
   */
  'login-account': { max: 100, window: 86_400, first: 900, longest: 3_600 },
  /** The current password at a change, by user. */
  'current-password': { max: 5, window: 900, first: 900, longest: 900 },
  /**
   * Codes of a second factor, by user over all sign-ins: 10, then one after each wait of 15 minutes to an hour. The guesser
   * has the password already, so a day of waiting must not bring hundreds of guesses at six digits.
   */
  'second-factor': { max: 10, window: 86_400, first: 900, longest: 3_600 },
} as const

export interface Attempted {
  kind: keyof typeof attemptRules
  subject: Buffer
  /** Empty: the subject as a whole. */
  network: Buffer
}

interface Begun {
  allowed: boolean
  count: number
  wait: number | null
}

/**
 * Counts an attempt before it is tried and returns how many failed in a row with it. Throws `rate_limited` when it has to wait. A success is told by
 * `forgiveAttempts`, one that was not tried by `takeBackAttempts`.
 */
export async function countAttempt(queries: Queries, attempted: Attempted, detail: string): Promise<number> {
  const { allowed, count, wait } = await queries.one<Begun>(beginAttempt, {
    ...attempted,
    ...attemptRules[attempted.kind],
  })
  if (!allowed) throw waitFirst(detail, wait)
  return count
}

/** After a success; without a network, of all networks (after a reset). */
export async function forgiveAttempts(
  queries: Queries,
  kinds: Attempted['kind'][],
  subject: Buffer,
  network: Buffer | null,
): Promise<void> {
  await queries.none(forgive, { kinds, subject, network })
}

/** Attempts that were counted, at a network and at the subject as a whole, and then not tried. */
export async function takeBackAttempts(
  queries: Queries,
  kinds: Attempted['kind'][],
  subject: Buffer,
  network: Buffer,
): Promise<void> {
  await queries.none(takeBack, { kinds, subject, network })
}

/** The answer to an attempt that has to wait. */
export const waitFirst = (detail: string, seconds: number | null) =>
  problem('rate_limited', detail, { retryAfterSeconds: Math.max(1, seconds ?? 1) })
